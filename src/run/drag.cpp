#include "drag.h"

#include <algorithm>
#include <cmath>

#include "repose/base/setting_values.h"
#include "repose/run/edits.h"
#include "repose/world/hand_spring.h"
#include "repose/world/refuse.h"

namespace repose {

namespace {

/// A hand holds this share of a soft body's points, those nearest to where it took hold.
constexpr double kHandShare = 0.125;

constexpr const char* kName = "drag ";

std::string force_name(const std::string& body) {
  return kName + body;
}
bool is_drag(const Force& force) {
  return force.kind == ForceKind::pull && force.name == force_name(force.body_a);
}

Vec3 vec(const std::array<double, 3>& v) {
  return {v[0], v[1], v[2]};
}
SettingValue value(const Vec3& v) {
  return std::array<double, 3>{v.x(), v.y(), v.z()};
}
Vec3 vector_of(const Force& force, const char* name) {
  const auto found = vector_in(force.values, name);
  return found ? vec(*found) : Vec3::Zero();
}

/// The points with a mass that a hand at `point` (body frame, rest shape) holds.
std::vector<int> held_points(const Body& body, const Vec3& point) {
  const std::vector<Vec3> rest = rest_points(body);
  if (!body.soft || rest.size() != body.soft->size()) return {};
  std::vector<int> order;
  for (std::size_t i = 0; i < rest.size(); ++i)
    if (body.soft->masses[i] > 0.0) order.push_back(static_cast<int>(i));
  const auto away = [&](int i) {
    return (rest[static_cast<std::size_t>(i)] - point).squaredNorm();
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const double x = away(a), y = away(b);
    return x < y || (x == y && a < b);
  });
  order.resize(static_cast<std::size_t>(std::ceil(kHandShare * static_cast<double>(order.size()))));
  std::sort(order.begin(), order.end());
  return order;
}

struct Hold {
  Vec3 point = Vec3::Zero();     // world, m
  Vec3 velocity = Vec3::Zero();  // against which the spring is damped, m/s
};

/// Soft: the middle of the points held, and the velocity of the whole body, which a light point's
/// own would swing up against.
Hold hold_of(const Force& drag, const Body& body, const BodyState& state) {
  if (state.soft.empty()) {
    const Vec3 center = state.world_from_body * body.center_body;
    const Vec3 at = state.world_from_body * drag.point_a;
    return {at, state.velocity + state.angular_velocity.cross(at - center)};
  }
  Hold out;
  const auto& positions = state.soft.positions;
  const auto& velocities = state.soft.velocities;
  double mass = 0.0, held = 0.0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const double m = i < body.soft->masses.size() ? body.soft->masses[i] : 0.0;
    mass += m;
    if (i < velocities.size()) out.velocity += m * velocities[i];
    if (drag.points.empty()) out.point += m * positions[i];
  }
  if (mass > 0.0) out.velocity /= mass;
  if (drag.points.empty()) {
    if (mass > 0.0) out.point /= mass;
    return out;
  }
  for (const int point : drag.points)
    if (static_cast<std::size_t>(point) < positions.size()) {
      out.point += positions[static_cast<std::size_t>(point)];
      held += 1.0;
    }
  if (held > 0.0) out.point /= held;
  return out;
}

/// Where the handle is: on its way from where it was to where it goes.
Vec3 handle_at(const Force& drag, double time) {
  const Vec3 from = vector_of(drag, "from"), to = vector_of(drag, "to");
  const double speed = number_or(drag.values, "speed", 0.0), way = (to - from).norm();
  const double gone = speed * (time - number_or(drag.values, "start", 0.0));
  if (!(speed > 0.0) || gone >= way) return to;
  return from + (to - from) * (std::max(gone, 0.0) / way);
}

void set_force(Force& drag, const Body& body, const State& state, const BodyState& body_state) {
  const Hold hold = hold_of(drag, body, body_state);
  const HandSpring spring{number_or(drag.values, "stiffness", 0.0),
                          number_or(drag.values, "damping", 0.0),
                          number_or(drag.values, "max_force", 0.0)};
  Vec3 force = pull_of(spring, hold.point, hold.velocity, handle_at(drag, state.time));
  // a pull on points acts on each of them; its last time is now, so that nothing rests meanwhile
  if (!drag.points.empty()) force /= static_cast<double>(drag.points.size());
  drag.times = {state.time};
  drag.vectors = {force};
}

Result<EditEffect> drag_body(const Edit& edit, Problem& problem, const State& state) {
  const int index = problem.find_body(edit.target);
  if (index < 0) return refuse(edit, "no such body", "the name of a body");
  const auto i = static_cast<std::size_t>(index);
  const Body& body = problem.bodies[i];
  if (body.held()) return refuse(edit, "a fixed body cannot be dragged", "a movable body");
  const auto to = vector_in(edit.values, "to");
  if (!to) return refuse(edit, "a drag without a place to go to", "'to': [x, y, z]");
  Force drag;
  drag.kind = ForceKind::pull;
  drag.name = force_name(body.name);
  drag.body_a = body.name;
  const auto old = std::find_if(problem.forces.begin(), problem.forces.end(),
                                [&](const Force& f) { return f.name == drag.name; });
  const auto point = vector_in(edit.values, "point");
  const bool again = old != problem.forces.end() && !point;
  drag.point_a = again ? old->point_a : point ? vec(*point) : body.center_body;
  drag.points = again ? old->points : held_points(body, drag.point_a);
  const Vec3 from = old != problem.forces.end() ? handle_at(*old, state.time)
                                                : hold_of(drag, body, state.bodies[i]).point;
  const HandSpring own =
      hand_spring(body, problem.gravity, number_or(edit.values, "stiffness", 0.0));
  const double stiffness = number_or(edit.values, "stiffness", own.stiffness);
  const double damping = number_or(edit.values, "damping", own.damping);
  const double most = number_or(edit.values, "max_force", own.max_force);
  if (!(stiffness > 0.0) || !(damping >= 0.0) || !(most > 0.0))
    return refuse(edit, "a drag that cannot pull", "stiffness and max_force above 0, damping >= 0");
  drag.values = {{"from", value(from)},    {"to", *to},
                 {"start", state.time},    {"speed", number_or(edit.values, "speed", 0.0)},
                 {"stiffness", stiffness}, {"damping", damping},
                 {"max_force", most}};
  set_force(drag, body, state, state.bodies[i]);
  // only the force of a pull that is there changes: nothing that a method prepares hangs on it
  if (again) {
    *old = std::move(drag);
    return EditEffect{.forces_changed = true};
  }
  if (old != problem.forces.end())
    *old = std::move(drag);
  else
    problem.forces.push_back(std::move(drag));
  return EditEffect{.problem_changed = true};
}

}  // namespace

bool drags_by_pull(const MethodInfo& method) {
  const MethodSupport& does = method.support;
  const auto own = [&](EditKind kind) { return std::ranges::count(method.edits, kind) > 0; };
  return does.moves && includes(does.forces, ForceKind::pull) && !own(EditKind::drag) &&
         !own(EditKind::release);
}

Result<EditEffect> carry_out_drag(const Edit& edit, Problem& problem, const State& state) {
  if (edit.kind == EditKind::drag) return drag_body(edit, problem, state);
  const auto gone = std::erase_if(problem.forces, [&](const Force& force) {
    return is_drag(force) && force.body_a == edit.target;
  });
  if (gone == 0) return refuse(edit, "the body is not being dragged", "a body that is");
  return EditEffect{.problem_changed = true};
}

std::shared_ptr<const Problem> with_drags(std::shared_ptr<const Problem> problem,
                                          const State& state) {
  if (std::none_of(problem->forces.begin(), problem->forces.end(), is_drag)) return problem;
  auto out = std::make_shared<Problem>(*problem);
  for (Force& force : out->forces) {
    const int body = is_drag(force) ? out->find_body(force.body_a) : -1;
    if (body < 0) continue;
    const auto i = static_cast<std::size_t>(body);
    set_force(force, out->bodies[i], state, state.bodies[i]);
  }
  return out;
}

}  // namespace repose
