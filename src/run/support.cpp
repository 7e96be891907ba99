#include "repose/run/support.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "repose/base/fault.h"
#include "repose/base/setting_values.h"
#include "repose/run/catalogue.h"

#include "drag.h"

namespace repose {

namespace {

using Does = std::function<bool(const MethodInfo&)>;

/// An arm shorter than this share of the body's size is none.
constexpr double kNoArm = 1e-9;
/// Components of a unit axis below this are none.
constexpr double kNoTilt = 1e-12;

/// ", or the method mechanism": the methods that do it and move bodies.
std::string or_another(const Does& does) {
  std::vector<std::string> names;
  for (const MethodInfo& method : method_catalogue())
    if (method.support.moves && does(method)) names.push_back(method.name);
  if (names.empty()) return "";
  return fmt::format(", or the method {}", fmt::join(names, " or "));
}

std::string or_with_speeds() {
  return or_another([](const MethodInfo& m) { return m.support.speeds; });
}

template <class Kind>
std::string list_of(const Kinds<Kind>& kinds) {
  if (!kinds || kinds->empty()) return "none";
  std::vector<std::string> names;
  for (const Kind kind : *kinds) names.push_back(name_of(kind));
  return fmt::format("one of {}", fmt::join(names, ", "));
}

/// The checks of one problem; the first that fails leaves its error.
class Checker {
 public:
  Checker(const MethodInfo& method, const Problem& problem, SupportMoment moment)
      : method_(method),
        name_(method.name),
        does_(method.support),
        problem_(problem),
        moment_(moment) {}

  bool run(const State& state) {
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i)
      if (!check_body(problem_.bodies[i], state.bodies[i], fmt::format("/bodies/{}", i)))
        return false;
    return check_gravity() && check_forces() && check_joints() && check_events();
  }
  /// Of a method in which nothing moves: it carries out edits, and shows all else as it stands.
  bool run_standing() {
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i)
      if (!check_kind(problem_.bodies[i], fmt::format("/bodies/{}", i))) return false;
    for (std::size_t i = 0; i < problem_.forces.size(); ++i)
      if (!check_force_kind(problem_.forces[i].kind, fmt::format("/forces/{}", i))) return false;
    return std::all_of(problem_.events.begin(), problem_.events.end(),
                       [&](const TimedEvent& e) { return check_edit_kind(e.edit, e.pointer); });
  }
  InputError error;

 private:
  bool fail(std::string pointer, std::string value, std::string wrong, std::string right) {
    error = fault(std::move(pointer), std::move(value), std::move(wrong), std::move(right));
    return false;
  }
  std::string knows_no(const std::string& what) const {
    return fmt::format("the method {} knows no {}", name_, what);
  }

  bool check_body(const Body& body, const BodyState& state, const std::string& at) {
    return check_kind(body, at) && check_layer(body, at) && check_shape(body, at) &&
           check_frozen(body, at) && check_speed(body, state, at) && check_material(body, at);
  }

  /// Rigid or soft, on its own or led.
  bool check_kind(const Body& body, const std::string& at) {
    if (body.soft && !does_.soft)
      return fail(at + "/shape", body.name, knows_no("soft bodies"),
                  "a rigid shape" + or_another([](const MethodInfo& m) { return m.support.soft; }));
    if (body.path && !does_.led)
      return fail(
          at + "/path", body.name, knows_no("bodies that are led along a path"),
          "a fixed or a free body" + or_another([](const MethodInfo& m) { return m.support.led; }));
    return true;
  }

  bool check_layer(const Body& body, const std::string& at) {
    if (body.layer != 0 && !does_.layers)
      return fail(at + "/layer", fmt::format("{}", body.layer), knows_no("layers"),
                  "0" + or_another([](const MethodInfo& m) { return m.support.layers; }));
    if (body.collides || body.fixed || does_.passing != Passing::refused) return true;
    return fail(at + "/collides", "false",
                fmt::format("the method {} moves no bodies that touch nothing", name_),
                "\"fixed\": true" + or_another([](const MethodInfo& m) {
                  return m.support.passing == Passing::moves;
                }));
  }

  bool check_shape(const Body& body, const std::string& at) {
    if (!body.collides) return true;  // it is drawn
    const shape::ShapeKind kind = body.shape->kind;
    // what is led stands in the way of others as walls do, but is not endless
    const bool fixed = body.fixed || (body.held() && kind != shape::ShapeKind::half_space);
    const auto known = [fixed](const MethodInfo& m) {
      return fixed ? m.support.standing_shapes : m.support.moving_shapes;
    };
    if (includes(known(method_), kind)) return true;
    return fail(at + "/shape", name_of(kind),
                fmt::format("the method {} {} of this kind", name_,
                            fixed ? "knows no walls" : "cannot move a body"),
                list_of(known(method_)) +
                    or_another([&](const MethodInfo& m) { return includes(known(m), kind); }));
  }

  bool check_frozen(const Body& body, const std::string& at) {
    const bool any = std::any_of(body.frozen.begin(), body.frozen.end(), [](bool f) { return f; });
    if (!any || body.fixed || does_.frozen) return true;
    return fail(at + "/frozen", "", knows_no("frozen freedoms"),
                "none" + or_another([](const MethodInfo& m) { return m.support.frozen; }));
  }

  bool check_speed(const Body& body, const BodyState& state, const std::string& at) {
    // once under way the speeds are the method's own
    if (moment_ == SupportMoment::edit && does_.speeds) return true;
    const std::array<const Vec3*, 2> speeds = {&state.velocity, &state.angular_velocity};
    const std::array<const char*, 2> fields = {"/velocity", "/angular_velocity"};
    for (std::size_t k = 0; k < body.frozen.size(); ++k) {
      if ((*speeds[k / 3])[static_cast<Eigen::Index>(k % 3)] == 0.0) continue;
      const std::string pointer = at + fields[k / 3];
      if (!does_.speeds)
        return fail(pointer, "", knows_no("speeds"), "no velocity" + or_with_speeds());
      if (body.fixed) return fail(pointer, "", "a fixed body has no speed", "no velocity");
      if (body.frozen[k])
        return fail(pointer, "", "a speed along a freedom that is frozen", "no velocity along it");
      if (!does_.freedoms[k])
        return fail(pointer, "",
                    fmt::format("the method {} moves bodies in the plane z = 0 alone", name_),
                    "velocity along x and y, angular velocity about z");
    }
    return true;
  }

  bool check_material(const Body& body, const std::string& at) {
    if (body.material.restitution == 0.0 || does_.bounces()) return true;
    return fail(at + "/material", fmt::format("restitution {}", body.material.restitution),
                knows_no("impacts"), "restitution 0" + or_another([](const MethodInfo& m) {
                                       return m.support.bounces();
                                     }));
  }

  bool check_gravity() {
    if (!does_.plane() || problem_.gravity.z() == 0.0) return true;
    return fail("/gravity", fmt::format("z = {}", problem_.gravity.z()),
                "gravity points out of the plane z = 0 in which bodies move",
                "\"gravity\": [0, -9.81, 0] in the scene; without that line it is along z");
  }

  bool check_forces() {
    for (std::size_t i = 0; i < problem_.forces.size(); ++i)
      if (!check_force(problem_.forces[i], fmt::format("/forces/{}", i))) return false;
    return true;
  }
  bool check_force_kind(ForceKind kind, const std::string& at) {
    if (includes(does_.forces, kind)) return true;
    return fail(at + "/kind", name_of(kind), knows_no("forces of this kind"),
                list_of(does_.forces) + or_another([&](const MethodInfo& m) {
                  return includes(m.support.forces, kind);
                }));
  }
  bool check_force(const Force& force, const std::string& at) {
    const ForceKind kind = force.kind;
    if (!check_force_kind(kind, at)) return false;
    if (does_.plane() && force.vector.z() != 0.0)
      return fail(at + "/vector", "", "the force points out of the plane z = 0",
                  "a force along x and y");
    if (!does_.speeds && number_or(force.values, "damping", 0.0) != 0.0)
      return fail(at + "/damping", "", knows_no("speeds"), "0" + or_with_speeds());
    if (kind == ForceKind::attract) return check_attraction(force, at);
    if (kind == ForceKind::push)
      return check_arm(force, force.body_a, force.point_a, at + "/point");
    return check_arm(force, force.body_a, force.point_a, at + "/point_a") &&
           check_arm(force, force.body_b, force.point_b, at + "/point_b");
  }
  /// Bodies attract by their centres; a point is that of a body that stands, or of the world.
  bool check_attraction(const Force& force, const std::string& at) {
    const int to = problem_.find_body(force.body_b);
    if (to < 0 || problem_.bodies[static_cast<std::size_t>(to)].fixed || force.point_b.isZero(0.0))
      return true;
    return fail(at + "/point", "", "bodies are drawn to the centre of a body that moves",
                "no point, or a fixed body");
  }
  bool check_arm(const Force& force, const std::string& name, const Vec3& point,
                 const std::string& at) {
    const int i = name.empty() ? -1 : problem_.find_body(name);
    if (does_.off_centre || i < 0) return true;
    const Body& body = problem_.bodies[static_cast<std::size_t>(i)];
    const bool turns = !(body.frozen[3] && body.frozen[4] && body.frozen[5]);
    // what does not turn is pushed anywhere alike
    if (body.fixed || (force.kind == ForceKind::push && !turns)) return true;
    const Vec3& c = body.center_body;
    if ((point - c).norm() <= kNoArm * body.size()) return true;
    return fail(at, "", fmt::format("the method {} knows forces at centres of mass alone", name_),
                fmt::format("[{:.9g}, {:.9g}, {:.9g}] of {}", c.x(), c.y(), c.z(), name) +
                    or_another([](const MethodInfo& m) { return m.support.off_centre; }));
  }

  bool check_joints() {
    for (std::size_t i = 0; i < problem_.joints.size(); ++i) {
      const Joint& joint = problem_.joints[i];
      const std::string at = fmt::format("/joints/{}", i);
      if (!includes(does_.joints, joint.kind))
        return fail(at + "/kind", name_of(joint.kind), knows_no("joints of this kind"),
                    (does_.joints->empty() ? "no joints" : list_of(does_.joints)) +
                        or_another([&](const MethodInfo& m) {
                          return includes(m.support.joints, joint.kind);
                        }));
      if (does_.plane() && !check_axis(joint, at + "/axis")) return false;
    }
    return true;
  }
  /// In the plane bodies turn about z, counter-clockwise, and slide along x and y.
  bool check_axis(const Joint& joint, const std::string& at) {
    const bool turns = joint.kind == JointKind::gear || joint.kind == JointKind::motor;
    const bool slides = joint.kind == JointKind::slider || joint.kind == JointKind::point_on_line;
    const Vec3 axis = joint.axis.normalized();
    if (turns && (axis - Vec3::UnitZ()).norm() > kNoTilt)
      return fail(at, "", "bodies of the plane turn about z", "[0, 0, 1]");
    if (slides && std::fabs(axis.z()) > kNoTilt)
      return fail(at, "", "the axis does not lie in the plane z = 0", "an axis along x and y");
    return true;
  }

  bool check_events() {
    return std::all_of(problem_.events.begin(), problem_.events.end(),
                       [&](const TimedEvent& event) { return check_event(event); });
  }
  bool check_event(const TimedEvent& event) {
    if (!check_edit(event.edit, event.pointer)) return false;
    const auto* by_time = std::get_if<AtTime>(&event.when);
    if (by_time == nullptr || by_time->time <= 0.0 || does_.speeds) return true;
    // the time is said by the event of which this edit is a part
    return fail(event.pointer.substr(0, event.pointer.find("/edits")) + "/at_time", "",
                knows_no("time"), "at_step or at_rest" + or_with_speeds());
  }
  bool check_edit_kind(const Edit& edit, const std::string& at) {
    const auto knows = [&](const MethodInfo& m) { return carries_out(m, edit.kind); };
    if (knows(method_)) return true;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < kNames<EditKind>.size(); ++i)
      if (const auto kind = static_cast<EditKind>(i); carries_out(method_, kind))
        known.push_back(name_of(kind));
    return fail(at + "/kind", name_of(edit.kind),
                fmt::format("the method {} does not know this edit", name_),
                fmt::format("one of {}", fmt::join(known, ", ")) + or_another(knows));
  }
  bool check_edit(const Edit& edit, const std::string& at) {
    if (!check_edit_kind(edit, at)) return false;
    if (edit.kind == EditKind::freeze && !does_.frozen)
      return fail(at + "/kind", name_of(edit.kind), knows_no("frozen freedoms"), "fix");
    if (edit.kind == EditKind::material && !does_.bounces() &&
        number_or(edit.values, "restitution", 0.0) != 0.0)
      return fail(at + "/restitution", "", knows_no("impacts"), "restitution 0");
    if (edit.kind == EditKind::collide && does_.passing == Passing::refused &&
        !flag_or(edit.values, "on", true))
      return fail(at + "/on", "false",
                  fmt::format("the method {} moves no bodies that touch nothing", name_), "remove");
    return edit.body == nullptr || check_body(*edit.body, edit.body_state, at + "/body");
  }

  const MethodInfo& method_;
  const std::string& name_;
  const MethodSupport& does_;
  const Problem& problem_;
  SupportMoment moment_;
};

}  // namespace

bool carries_out(const MethodInfo& method, EditKind kind) {
  if (kind < kFirstOfMethods || std::ranges::count(method.edits, kind) > 0) return true;
  return drags_by_pull(method) && (kind == EditKind::drag || kind == EditKind::release);
}

Result<Done> check_support(const MethodInfo& method, const Problem& problem, const State& state,
                           SupportMoment moment) {
  Checker checker(method, problem, moment);
  const bool kept = method.support.moves ? checker.run(state) : checker.run_standing();
  if (!kept) return checker.error;
  return Done{};
}

Result<Done> check_support(const MethodInfo& method, const Scene& scene) {
  if (!method.support.moves || method.support.speeds) return Done{};
  const std::string wrong = fmt::format("the method {} knows no time", method.name);
  if (scene.limits.duration)
    return fault("/limits/duration", "", wrong, "steps in place of duration");
  if (scene.record.every_time > 0.0)
    return fault("/record/every_time", "", wrong, "every_steps in place of every_time");
  return Done{};
}

}  // namespace repose
