// Hands that pull bodies by springs.
#include <algorithm>

#include "repose/base/fault.h"
#include "repose/base/setting_values.h"
#include "repose/run/edits.h"

#include "desk.h"

namespace repose::serve {

namespace {

SettingValue vector(const Vec3& v) {
  return std::array<double, 3>{v.x(), v.y(), v.z()};
}

/// Springs are explicit: steps of Runge and Kutta's follow them while step times rate (of a swing
/// or of its damping) stays below 2.8, of which this is half.
constexpr double kFollowed = 1.4;
/// What a rod weighs to a hand at one end of it, at least, of its mass.
constexpr double kAtAnEnd = 0.25;

Edit drag_of(const std::string& body, const Vec3& to, const std::optional<Vec3>& point,
             const HandSpring& spring, bool tied, double max_force) {
  Edit out;
  out.kind = EditKind::drag;
  out.target = body;
  out.values["to"] = vector(to);
  if (point) out.values["point"] = vector(*point);
  if (tied) {
    out.values["stiffness"] = spring.stiffness;
    out.values["damping"] = spring.damping;
    out.values["max_force"] = spring.max_force;
  }
  if (max_force > 0.0) out.values["max_force"] = max_force;
  return out;
}

/// Whether who pulls one body pulls the other with it.
bool ties(JointKind kind) {
  return kind != JointKind::rope && kind != JointKind::motor && kind != JointKind::spring;
}

/// Mass of a body and of all that joints tie to it, kg; what is fixed ends the search.
double tied_mass(const Problem& problem, int body) {
  std::vector<int> found = {body};
  double out = 0.0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Body& here = problem.bodies[static_cast<std::size_t>(found[k])];
    out += here.mass;
    for (const Joint& joint : problem.joints) {
      if (!ties(joint.kind) || (joint.body_a != here.name && joint.body_b != here.name)) continue;
      const int other = problem.find_body(joint.body_a == here.name ? joint.body_b : joint.body_a);
      if (other < 0 || problem.bodies[static_cast<std::size_t>(other)].held()) continue;
      if (std::find(found.begin(), found.end(), other) == found.end()) found.push_back(other);
    }
  }
  return out;
}

/// The step of a method in which forces change velocities, s; 0: it has none.
double step_time_of(const SettingValues& settings) {
  const auto order = settings.find("order");
  const auto* name = order != settings.end() ? std::get_if<std::string>(&order->second) : nullptr;
  return name != nullptr && *name == "second" ? number_or(settings, "step_time", 0.0) : 0.0;
}

}  // namespace

Result<Done> Desk::grab(int hand, const std::string& body, const std::optional<Vec3>& at,
                        const Vec3& to, double max_force) {
  if (touch() != Touch::drag)
    return fault("/do", "grab", "the method " + method_->name + " is not pulled by hand",
                 "hold and let_go, or a method with speeds");
  const int index = session_->problem().find_body(body);
  if (index < 0) return fault("/body", body, "no such body", "the name of a body of the scene");
  const auto i = static_cast<std::size_t>(index);
  const Body& held = session_->problem().bodies[i];
  if (held.held()) return fault("/body", body, "a fixed body cannot be dragged", "a movable body");
  const auto mine = hands_.find(hand);
  if (mine != hands_.end() && mine->second.body != body) release(hand);
  if (!hands_.contains(hand)) {
    for (const auto& [other, taken] : hands_)
      if (taken.body == body)
        return fault("/body", body, "another hand holds it", "another body, or later");
    begin_gesture();
    hands_[hand].body = body;
    hands_[hand].point = at ? point_held(held, session_->state().bodies[i], *at) : held.center_body;
    dragged_.insert(body);
  }
  Hand& now = hands_[hand];
  now.to = to;
  now.max_force = max_force;
  now.moved = true;
  run();
  return Done{};
}

// A light crank leads a heavy machine: the spring swings all that is tied to the body, as far as
// the steps follow.
HandSpring Desk::spring_of(const std::string& name, bool& tied) const {
  const Problem& problem = session_->problem();
  const int index = problem.find_body(name);
  tied = false;
  if (index < 0) return {};
  const Body& body = problem.bodies[static_cast<std::size_t>(index)];
  HandSpring out = hand_spring(body, problem.gravity);
  const double step = step_time_of(session_->settings()), mass = tied_mass(problem, index);
  if (!(step > 0.0) || !(mass > body.mass)) return out;
  tied = true;
  const double rate = kFollowed / step, light = kAtAnEnd * body.mass, share = mass / body.mass;
  out.stiffness = std::max(out.stiffness, std::min(share * out.stiffness, light * rate * rate));
  out.damping = std::max(out.damping, std::min(share * out.damping, light * rate));
  out.max_force *= share;
  return out;
}

void Desk::move_hands() {
  drop_stale_drags();
  for (auto entry = hands_.begin(); entry != hands_.end();) {
    Hand& hand = entry->second;
    if (!hand.moved) {
      ++entry;
      continue;
    }
    bool tied = false;
    const HandSpring spring = spring_of(hand.body, tied);
    const auto done =
        carry(drag_of(hand.body, hand.to, hand.fresh ? std::optional(hand.point) : std::nullopt,
                      spring, tied, hand.max_force));
    hand.moved = hand.fresh = false;
    // what it held is gone
    if (!done) why_ = done.error().text();
    entry = done ? std::next(entry) : hands_.erase(entry);
  }
}

void Desk::release(int hand) {
  const auto found = hands_.find(hand);
  if (found == hands_.end()) return;
  const Hand mine = std::move(found->second);
  hands_.erase(found);
  if (!is_open() || mine.fresh) return;
  Edit edit;
  edit.kind = EditKind::release;
  edit.target = mine.body;
  if (carry(edit)) changed();
}

// as the method has it: where a pull stands for the hand, what that pulls with
double Desk::hand_force(const Hand& hand) const {
  const Problem& problem = session_->problem();
  const int index = problem.find_body(hand.body);
  if (index < 0) return 0.0;
  for (const Force& force : problem.forces)
    if (force.kind == ForceKind::pull && force.name == "drag " + hand.body)
      return pull_at(force, session_->state().time).norm() *
             static_cast<double>(std::max<std::size_t>(force.points.size(), 1));
  const auto i = static_cast<std::size_t>(index);
  const Body& body = problem.bodies[i];
  const BodyState& state = session_->state().bodies[i];
  bool tied = false;
  HandSpring spring = spring_of(hand.body, tied);
  if (hand.max_force > 0.0) spring.max_force = hand.max_force;
  const Vec3 at = state.world_from_body * hand.point;
  const Vec3 arm = at - state.world_from_body * body.center_body;
  return pull_of(spring, at, state.velocity + state.angular_velocity.cross(arm), hand.to).norm();
}

void Desk::forget_hands() {
  hands_.clear();
  stale_drags_ = !dragged_.empty();
}

// a state to which one goes back may have been under a hand that is gone: nothing is pulled by it
void Desk::drop_stale_drags() {
  if (!stale_drags_) return;
  stale_drags_ = false;
  for (const std::string& body : dragged_) {
    Edit edit;
    edit.kind = EditKind::release;
    edit.target = body;
    // refused where it is not dragged in this state, or not there
    if (carry(edit)) changed();
  }
}

}  // namespace repose::serve
