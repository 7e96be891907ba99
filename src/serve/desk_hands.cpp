// Hands that pull bodies by springs.
#include <algorithm>

#include "repose/base/fault.h"
#include "repose/run/edits.h"
#include "repose/world/hand_spring.h"

#include "desk.h"

namespace repose::serve {

namespace {

SettingValue vector(const Vec3& v) {
  return std::array<double, 3>{v.x(), v.y(), v.z()};
}

Edit drag_of(const std::string& body, const Vec3& to, const std::optional<Vec3>& point,
             double max_force) {
  Edit out;
  out.kind = EditKind::drag;
  out.target = body;
  out.values["to"] = vector(to);
  if (point) out.values["point"] = vector(*point);
  if (max_force > 0.0) out.values["max_force"] = max_force;
  return out;
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

void Desk::move_hands() {
  drop_stale_drags();
  for (auto entry = hands_.begin(); entry != hands_.end();) {
    Hand& hand = entry->second;
    if (!hand.moved) {
      ++entry;
      continue;
    }
    const auto done = carry(drag_of(
        hand.body, hand.to, hand.fresh ? std::optional(hand.point) : std::nullopt, hand.max_force));
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
  HandSpring spring = hand_spring(body, problem.gravity);
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
