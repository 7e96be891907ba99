#include "loads.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/base/setting_values.h"
#include "repose/world/load.h"

namespace repose::place {
namespace {

/// Connected points nearer than this, in length units, no longer pull: the force has no direction.
constexpr double kConnected = 1e-9;

/// One end of a force: a body's point, or a place in the world.
struct End {
  int slot = -1;
  double reach = 1.0;
  Vec3 point = Vec3::Zero(), arm = Vec3::Zero();
};

End end_of(const Arena& arena, const Problem& problem, const Places& places,
           const std::string& name, const Vec3& point) {
  End out;
  const int body = name.empty() ? -1 : problem.find_body(name);
  if (body < 0) {
    out.point = point;
    return out;
  }
  const auto i = static_cast<std::size_t>(body);
  out.point = places[i].to_world(point);
  out.slot = arena.slot[i];
  out.arm = out.point - places[i].center;
  if (out.slot >= 0) out.reach = arena.active[static_cast<std::size_t>(out.slot)].reach;
  return out;
}

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// Derivative of a point by the scaled freedoms.
Eigen::MatrixXd point_by_freedoms(const Arena& arena, const End& end) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(3, arena.freedoms());
  if (end.slot < 0) return out;
  out.block<3, 3>(0, 6 * end.slot) = end.reach * Mat3::Identity();
  out.block<3, 3>(0, 6 * end.slot + 3) = -cross_matrix(end.arm);
  return out;
}

/// Adds a term of the energy whose derivative by the end's point is g (unit energy over metres).
void add_turning(const End& end, const Vec3& g, Potential& out) {
  if (end.slot < 0) return;
  const Mat3 bend =
      0.5 * (g * end.arm.transpose() + end.arm * g.transpose()) - g.dot(end.arm) * Mat3::Identity();
  out.hessian.block<3, 3>(6 * end.slot + 3, 6 * end.slot + 3) += bend;
}

/// A potential of the distance between two ends, with first and second derivative by it.
void add_distance_term(const Arena& arena, const End& a, const End& b, double first, double second,
                       Potential& out) {
  const Vec3 apart = b.point - a.point;
  const double length = apart.norm();
  if (length <= kConnected * arena.length_unit) return;
  const Vec3 n = apart / length;
  const Eigen::MatrixXd by = point_by_freedoms(arena, b) - point_by_freedoms(arena, a);
  out.gradient += first * by.transpose() * n;
  const Mat3 across = (Mat3::Identity() - n * n.transpose()) / length;
  out.hessian += by.transpose() * (second * n * n.transpose() + first * across) * by;
  add_turning(b, first * n, out);
  add_turning(a, -first * n, out);
}

void add_force(const Arena& arena, const Problem& problem, const Places& places, const Force& f,
               Potential& out) {
  const double unit = arena.energy_unit();
  const End a = end_of(arena, problem, places, f.body_a, f.point_a);
  if (f.kind == ForceKind::push) {
    out.energy -= f.vector.dot(a.point) / unit;
    out.gradient -= point_by_freedoms(arena, a).transpose() * f.vector / unit;
    add_turning(a, -f.vector / unit, out);
    return;
  }
  const End b = end_of(arena, problem, places, f.body_b, f.point_b);
  const double length = (b.point - a.point).norm();
  if (f.kind == ForceKind::connect) {
    const double strength = connect_strength(problem, f) / unit;
    out.energy += strength * length;
    add_distance_term(arena, a, b, strength, 0.0, out);
  } else if (f.kind == ForceKind::spring) {
    const double stiffness = number_or(f.values, "stiffness", 0.0) / unit;
    const double stretch = length - number_or(f.values, "length", 0.0);
    out.energy += 0.5 * stiffness * stretch * stretch;
    add_distance_term(arena, a, b, stiffness * stretch, stiffness, out);
  }
}

/// True if the point (body frame) lies within the body's bounding ball.
bool has_point(const Problem& problem, const std::string& name, const Vec3& point) {
  const shape::Shape& shape =
      *problem.bodies[static_cast<std::size_t>(problem.find_body(name))].shape;
  return !((point - shape.bounding_center).norm() > (1.0 + kConnected) * shape.bounding_radius);
}

}  // namespace

Result<Done> check_loads(const Problem& problem) {
  for (std::size_t i = 0; i < problem.forces.size(); ++i) {
    const Force& f = problem.forces[i];
    const std::string place = fmt::format("/forces/{}", i);
    for (const auto& [name, point] : {std::pair(&f.body_a, &f.point_a), {&f.body_b, &f.point_b}})
      if (!name->empty() && !has_point(problem, *name, *point))
        return fault(place, *name, "the force acts on a point that the body does not have",
                     "a point in or on the body, in its own frame");
  }
  return Done{};
}

double largest_load(const Problem& problem, int body) {
  double out = 0.0;
  const std::string& name = problem.bodies[static_cast<std::size_t>(body)].name;
  for (const Force& f : problem.forces) {
    if (f.body_a != name && f.body_b != name) continue;
    if (f.kind == ForceKind::push) out = std::max(out, f.vector.norm());
    if (f.kind == ForceKind::connect) out = std::max(out, connect_strength(problem, f));
  }
  return out;
}

Potential potential(const Arena& arena, const Problem& problem, const Places& places) {
  Potential out;
  out.gradient = Eigen::VectorXd::Zero(arena.freedoms());
  out.hessian = Eigen::MatrixXd::Zero(arena.freedoms(), arena.freedoms());
  for (std::size_t k = 0; k < arena.active.size(); ++k) {
    const Active& a = arena.active[k];
    double mass = 0.0;
    for (const int m : a.members) mass += problem.bodies[static_cast<std::size_t>(m)].mass;
    const Vec3 weight = mass * problem.gravity / arena.energy_unit();
    out.energy -= weight.dot(places[static_cast<std::size_t>(a.body)].center);
    out.gradient.segment<3>(static_cast<Eigen::Index>(6 * k)) -= a.reach * weight;
  }
  for (const Force& f : problem.forces) add_force(arena, problem, places, f, out);
  return out;
}

double energy(const Arena& arena, const Problem& problem, const Places& places) {
  return potential(arena, problem, places).energy * arena.energy_unit();
}

}  // namespace repose::place
