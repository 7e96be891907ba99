#include "machine.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/base/setting_values.h"
#include "repose/world/load.h"

#include "group.h"

namespace repose::mechanism {
namespace {

/// Speeds that move a body by this share of the touch gap in a step count as none.
constexpr double kStillShare = 0.01;

void push(const PlacedAnchor& at, int body, const Vec2& force, std::vector<Plane3>& out) {
  if (body < 0) return;
  out[static_cast<std::size_t>(body)] += Plane3(force.x(), force.y(), cross(at.arm, force));
}

/// A pull of `strength` newtons between two points, with a spring's damping.
void pull(const Anchor& a, const Anchor& b, double stiffness, double length, double damping,
          double constant, const Motion& motion, std::vector<Plane3>& out) {
  const PlacedAnchor pa = placed(a, motion), pb = placed(b, motion);
  const Vec2 away = pb.at - pa.at;
  const double apart = away.norm();
  if (!(apart > 0.0)) return;
  const Vec2 d = away / apart;
  const double strength =
      constant + stiffness * (apart - length) + damping * d.dot(pb.rate - pa.rate);
  push(pa, a.body, strength * d, out);
  push(pb, b.body, -strength * d, out);
}

void drag(const Drag& drag, double time, const Motion& motion, std::vector<Plane3>& out) {
  const PlacedAnchor at = placed(drag.point, motion);
  Vec2 force = drag.stiffness * (drag.handle(time) - at.at) - drag.damping * at.rate;
  const double strength = force.norm();
  if (strength > drag.max_force) force *= drag.max_force / strength;
  push(at, drag.point.body, force, out);
}

double stretch_energy(const Anchor& a, const Anchor& b, double stiffness, double length,
                      const Motion& motion) {
  const double stretch = (placed(a, motion).at - placed(b, motion).at).norm() - length;
  return 0.5 * stiffness * stretch * stretch;
}

}  // namespace

Vec2 Drag::handle(double time) const {
  const Vec2 way = to - from;
  const double length = way.norm();
  if (!(speed > 0.0) || !(length > 0.0)) return to;
  return from + way * std::clamp(speed * (time - start) / length, 0.0, 1.0);
}

double Machine::touch(int a, int b) const {
  const auto size = [&](int i) { return bodies[static_cast<std::size_t>(i)].size; };
  return settings.touch_gap * std::min(size(a), size(b));
}

double Machine::still_speed(double touch_gap) const {
  return kStillShare * touch_gap / settings.step_time;
}

Result<std::vector<Load>> prepare_loads(const Problem& problem,
                                        const std::vector<PlaneBody>& bodies) {
  std::vector<Load> out;
  for (std::size_t i = 0; i < problem.forces.size(); ++i) {
    const Force& f = problem.forces[i];
    const int a = problem.find_body(f.body_a);
    const int b = f.body_b.empty() ? -1 : problem.find_body(f.body_b);
    Load load;
    switch (f.kind) {
      case ForceKind::push:
        load.kind = Load::Kind::push;
        break;
      case ForceKind::spring:
        load.kind = Load::Kind::spring;
        break;
      case ForceKind::connect:
        load.kind = Load::Kind::pull;
        break;
      case ForceKind::attract:
      case ForceKind::pull:
        return fault(fmt::format("/forces/{}", i), f.name.empty() ? name_of(f.kind) : f.name,
                     "a force that the mechanism does not know", "push, spring or connect");
    }
    load.a = anchor_at(a, f.point_a, bodies);
    load.b = anchor_at(b, f.point_b, bodies);
    load.force = f.vector.head<2>();
    load.stiffness = number_or(f.values, "stiffness", 0.0);
    load.damping = number_or(f.values, "damping", 0.0);
    load.length = number_or(f.values, "length", 0.0);
    load.strength = connect_strength(problem, f);
    out.push_back(load);
  }
  return out;
}

void external_forces(const Machine& machine, const Group& group, const Motion& motion, double time,
                     std::vector<Plane3>& out) {
  out.resize(machine.bodies.size(), Plane3::Zero());
  const double damping = machine.settings.order == Order::second ? machine.settings.damping : 0.0;
  for (const int b : group.bodies) {
    const auto i = static_cast<std::size_t>(b);
    const PlaneBody& body = machine.bodies[i];
    const Plane3& v = motion.rate[i];
    const double m = body.mass, I = body.inertia;
    out[i] = {m * (machine.gravity.x() - damping * v.x()),
              m * (machine.gravity.y() - damping * v.y()), -I * damping * v.z()};
  }
  for (const int k : group.loads) {
    const Load& load = machine.loads[static_cast<std::size_t>(k)];
    if (load.kind == Load::Kind::push) {
      push(placed(load.a, motion), load.a.body, load.force, out);
    } else {
      const bool spring = load.kind == Load::Kind::spring;
      pull(load.a, load.b, spring ? load.stiffness : 0.0, load.length, spring ? load.damping : 0.0,
           spring ? 0.0 : load.strength, motion, out);
    }
  }
  for (const int k : group.joints) {
    const PlaneJoint& j = machine.joints[static_cast<std::size_t>(k)];
    if (j.kind == JointKind::spring)
      pull(j.a, j.b, j.stiffness, j.length, j.damping, 0.0, motion, out);
  }
  for (const Drag& d : machine.drags)
    if (std::binary_search(group.bodies.begin(), group.bodies.end(), d.point.body))
      drag(d, time, motion, out);
}

double potential_energy(const Machine& machine, const Motion& motion) {
  double out = 0.0;
  for (std::size_t i = 0; i < machine.bodies.size(); ++i)
    if (machine.bodies[i].moves())
      out -= machine.bodies[i].mass * machine.gravity.dot(motion.place[i].head<2>());
  for (const Load& load : machine.loads)
    if (load.kind == Load::Kind::spring)
      out += stretch_energy(load.a, load.b, load.stiffness, load.length, motion);
  for (const PlaneJoint& j : machine.joints)
    if (j.kind == JointKind::spring) out += stretch_energy(j.a, j.b, j.stiffness, j.length, motion);
  return out;
}

double kinetic_energy(const Machine& machine, const Motion& motion) {
  if (machine.settings.order == Order::first) return 0.0;
  double out = 0.0;
  for (std::size_t i = 0; i < machine.bodies.size(); ++i) {
    const PlaneBody& body = machine.bodies[i];
    if (body.moves())
      out += 0.5 * (body.mass * motion.rate[i].head<2>().squaredNorm() +
                    body.inertia * motion.rate[i].z() * motion.rate[i].z());
  }
  return out;
}

std::optional<GroupEnergy> undriven_energy(const Machine& machine, const Group& group,
                                           const Motion& motion) {
  GroupEnergy out;
  const auto add = [&out](double potential) {
    out.potential += potential;
    out.terms += std::fabs(potential);
  };
  for (const int k : group.joints) {
    const PlaneJoint& j = machine.joints[static_cast<std::size_t>(k)];
    if (j.kind == JointKind::motor) return std::nullopt;
    if (j.kind == JointKind::spring) add(stretch_energy(j.a, j.b, j.stiffness, j.length, motion));
  }
  for (const int k : group.loads) {
    const Load& load = machine.loads[static_cast<std::size_t>(k)];
    if (load.kind != Load::Kind::spring) return std::nullopt;
    add(stretch_energy(load.a, load.b, load.stiffness, load.length, motion));
  }
  for (const Drag& d : machine.drags)
    if (std::binary_search(group.bodies.begin(), group.bodies.end(), d.point.body))
      return std::nullopt;
  for (const int i : group.bodies) {
    const PlaneBody& body = machine.bodies[static_cast<std::size_t>(i)];
    const Plane3& rate = motion.rate[static_cast<std::size_t>(i)];
    add(-body.mass * machine.gravity.dot(motion.place[static_cast<std::size_t>(i)].head<2>()));
    out.kinetic +=
        0.5 * (body.mass * rate.head<2>().squaredNorm() + body.inertia * rate.z() * rate.z());
  }
  return out;
}

}  // namespace repose::mechanism
