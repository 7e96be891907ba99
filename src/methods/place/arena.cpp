#include "arena.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "repose/base/disjoint_sets.h"
#include "repose/base/fault.h"
#include "repose/world/check_problem.h"

#include "loads.h"

namespace repose::place {
namespace {

InputError refuse(const Problem& problem, std::size_t body, std::string wrong, std::string right) {
  return fault(fmt::format("/bodies/{}", body), problem.bodies[body].name, std::move(wrong),
               std::move(right));
}

/// Points of a weld farther apart than this share of the smaller body's size do not meet.
constexpr double kWeldOpen = 1e-6;

bool movable(const Body& body) {
  return !body.fixed && body.collides;
}

Result<Done> check_body(const Problem& problem, std::size_t i) {
  const Body& body = problem.bodies[i];
  const auto& geometry = body.shape->geometry;
  if (std::holds_alternative<shape::PlaneRegion>(geometry) ||
      std::holds_alternative<shape::SphereSet>(geometry) ||
      std::holds_alternative<shape::PointSet>(geometry))
    return refuse(problem, i, "the method place does not know shapes of this kind",
                  "a ball, patches, a union, a mesh, a convex polyhedron or a half space");
  if (!movable(body)) return Done{};
  if (std::holds_alternative<shape::HalfSpace>(geometry))
    return refuse(problem, i, "endless ground cannot be placed", "\"fixed\": true");
  return Done{};
}

/// A weld's points meet at the start.
Result<Done> check_welds(const Problem& problem, const State& state) {
  for (std::size_t k = 0; k < problem.joints.size(); ++k) {
    const Joint& joint = problem.joints[k];
    double size = std::numeric_limits<double>::infinity();
    const auto stands = [&](const std::string& name, const Vec3& point) {
      const int i = name.empty() ? -1 : problem.find_body(name);
      if (i < 0) return point;
      size = std::min(size, problem.bodies[static_cast<std::size_t>(i)].size());
      return Vec3(state.bodies[static_cast<std::size_t>(i)].world_from_body * point);
    };
    const double apart =
        (stands(joint.body_a, joint.point_a) - stands(joint.body_b, joint.point_b)).norm();
    if (apart <= kWeldOpen * size) continue;
    return fault(fmt::format("/joints/{}", k), joint.name,
                 fmt::format("the weld's points are {:.3g} m apart at the start", apart),
                 "points that meet");
  }
  return Done{};
}

/// For each body the first of those it is welded to, itself included.
std::vector<std::size_t> welded_groups(const Problem& problem) {
  DisjointSets welded(static_cast<int>(problem.bodies.size()));
  for (const Joint& joint : problem.joints) {
    const int a = problem.find_body(joint.body_a), b = problem.find_body(joint.body_b);
    if (a >= 0 && b >= 0) welded.join(a, b);
  }
  std::vector<std::size_t> first;
  for (int i = 0; i < static_cast<int>(problem.bodies.size()); ++i)
    first.push_back(static_cast<std::size_t>(welded.name_of(i)));
  return first;
}

/// True if a joint to the world or to a held body holds the group.
bool group_is_held(const Problem& problem, const std::vector<std::size_t>& first,
                   std::size_t group) {
  for (std::size_t i = 0; i < first.size(); ++i)
    if (first[i] == group && !movable(problem.bodies[i])) return true;
  return std::any_of(problem.joints.begin(), problem.joints.end(), [&](const Joint& joint) {
    const int a = problem.find_body(joint.body_a);
    return joint.body_b.empty() && a >= 0 && first[static_cast<std::size_t>(a)] == group;
  });
}

Active active_of(const Problem& problem, const State& state, const std::vector<int>& members,
                 Arena& arena) {
  Active out;
  out.body = members.front();
  out.members = members;
  double mass = 0.0;
  Vec3 center = Vec3::Zero();
  for (const int m : members) {
    const auto i = static_cast<std::size_t>(m);
    mass += problem.bodies[i].mass;
    center +=
        problem.bodies[i].mass * (state.bodies[i].world_from_body * problem.bodies[i].center_body);
  }
  center /= mass;
  out.reach = out.size = 0.0;
  for (const int m : members) {
    const auto i = static_cast<std::size_t>(m);
    const Body& body = problem.bodies[i];
    Vec3& own = arena.center_body[i];
    own = members.size() == 1 ? body.center_body
                              : Vec3(state.bodies[i].world_from_body.inverse() * center);
    out.reach = std::max(out.reach,
                         body.shape->bounding_radius + (body.shape->bounding_center - own).norm());
    out.size = std::max(out.size, body.size());
  }
  out.weight = mass * problem.gravity.norm();
  return out;
}

void set_units(const Problem& problem, Arena& arena) {
  double force = 0.0, length = 0.0;
  for (Active& a : arena.active) {
    for (const int m : a.members) a.weight = std::max(a.weight, largest_load(problem, m));
    force = std::max(force, a.weight);
    length = std::max(length, a.reach);
  }
  arena.force_unit = force > 0.0 ? force : 1.0;
  arena.length_unit = length > 0.0 ? length : 1.0;
  for (Active& a : arena.active)
    if (!(a.weight > 0.0)) a.weight = arena.force_unit;
}

void find_pairs(const Problem& problem, Arena& arena) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    for (std::size_t j = i + 1; j < problem.bodies.size(); ++j) {
      const Body &a = problem.bodies[i], &b = problem.bodies[j];
      if (arena.slot[i] == arena.slot[j]) continue;
      if (!a.collides || !b.collides || a.layer != b.layer) continue;
      Pairing pair;
      pair.p = static_cast<int>(i);
      pair.q = static_cast<int>(j);
      if (arena.surfaces[i]->half_space()) std::swap(pair.p, pair.q);
      pair.size = std::min(a.size(), b.size());
      pair.length = std::min(a.shape->bounding_radius, b.shape->bounding_radius);
      arena.pairs.push_back(pair);
    }
}

Mat3 orthogonal(const Quat& q) {
  return q.normalized().toRotationMatrix();
}

}  // namespace

Result<Arena> prepare_arena(const Problem& problem, const State& state, KnownSurfaces& known) {
  if (auto done = check_problem(problem); !done) return done.error();
  Arena arena;
  arena.slot.assign(problem.bodies.size(), -1);
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    if (auto done = check_body(problem, i); !done) return done.error();
    auto& surface = known[body.shape];
    if (!surface) surface = std::make_shared<Surface>(*body.shape);
    arena.surfaces.push_back(surface);
    arena.center_body.push_back(body.center_body);
  }
  if (auto done = check_loads(problem); !done) return done.error();
  if (state.step == 0)
    if (auto done = check_welds(problem, state); !done) return done.error();
  const auto first = welded_groups(problem);
  for (std::size_t group = 0; group < first.size(); ++group) {
    if (first[group] != group || group_is_held(problem, first, group)) continue;
    std::vector<int> members;
    for (std::size_t i = group; i < first.size(); ++i)
      if (first[i] == group) members.push_back(static_cast<int>(i));
    for (const int m : members)
      arena.slot[static_cast<std::size_t>(m)] = static_cast<int>(arena.active.size());
    arena.active.push_back(active_of(problem, state, members, arena));
  }
  if (arena.active.empty())
    return fault("/bodies", "", "nothing can move", "at least one body that is not fixed");
  set_units(problem, arena);
  find_pairs(problem, arena);
  return arena;
}

Places places_of(const Arena& arena, const Problem& problem, const State& state) {
  Places out(problem.bodies.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Pose& pose = state.bodies[i].world_from_body;
    out[i].surface = arena.surfaces[i].get();
    out[i].rotation = orthogonal(pose.rotation);
    out[i].position = pose.position;
    out[i].center = out[i].to_world(arena.center_body[i]);
  }
  return out;
}

Places moved(const Arena& arena, const Problem&, const Places& places, const Eigen::VectorXd& x) {
  Places out = places;
  for (std::size_t k = 0; k < arena.active.size(); ++k) {
    const Active& a = arena.active[k];
    const auto at = static_cast<Eigen::Index>(6 * k);
    const Quat turn = rotation_from_vector(x.segment<3>(at + 3));
    for (const int m : a.members) {
      Posed& posed = out[static_cast<std::size_t>(m)];
      // through the quaternion, so that rounding never makes a skew matrix
      posed.rotation = orthogonal(turn * Quat(posed.rotation));
      posed.center += a.reach * x.segment<3>(at);
      posed.position =
          posed.center - posed.rotation * arena.center_body[static_cast<std::size_t>(m)];
    }
  }
  return out;
}

Eigen::VectorXd one_after_other(const Arena& arena, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& y) {
  Eigen::VectorXd out = x + y;
  for (std::size_t k = 0; k < arena.active.size(); ++k) {
    const auto turn = static_cast<Eigen::Index>(6 * k + 3);
    out.segment<3>(turn) = vector_from_rotation(rotation_from_vector(y.segment<3>(turn)) *
                                                rotation_from_vector(x.segment<3>(turn)));
  }
  return out;
}

double longest_move(const Arena& arena, const Places& from, const Places& to) {
  double out = 0.0;
  for (const Active& a : arena.active) {
    const auto i = static_cast<std::size_t>(a.body);
    const Quat turn(to[i].rotation * from[i].rotation.transpose());
    out = std::max(
        out, (to[i].center - from[i].center).norm() + a.reach * vector_from_rotation(turn).norm());
  }
  return out;
}

Journey journey(const Arena& arena, const Problem&, int body, const Places& from,
                const Places& to) {
  const auto i = static_cast<std::size_t>(body);
  Journey out;
  out.surface = arena.surfaces[i].get();
  out.rotation = from[i].rotation;
  out.center = from[i].center;
  out.center_body = arena.center_body[i];
  if (arena.slot[i] < 0) return out;
  out.move = to[i].center - from[i].center;
  out.turn = vector_from_rotation(Quat(to[i].rotation * from[i].rotation.transpose()));
  return out;
}

Eigen::VectorXd gradient_along(const Arena& arena, const Places& places, const Row& row,
                               const Vec3& direction) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(arena.freedoms());
  for (const auto& [body, sign] : {std::pair(row.at.p, 1.0), std::pair(row.at.q, -1.0)}) {
    const int slot = arena.slot[static_cast<std::size_t>(body)];
    if (slot < 0) continue;
    const Vec3 arm = row.point - places[static_cast<std::size_t>(body)].center;
    out.segment<3>(6 * slot) =
        sign * arena.active[static_cast<std::size_t>(slot)].reach * direction;
    out.segment<3>(6 * slot + 3) = sign * arm.cross(direction);
  }
  return out;
}

Eigen::VectorXd gradient(const Arena& arena, const Places& places, const Row& row) {
  return gradient_along(arena, places, row, row.normal);
}

Eigen::MatrixXd hessian(const Arena& arena, const Places& places, const Row& row,
                        const ValleySettings& settings) {
  const auto full = row_hessian(places[static_cast<std::size_t>(row.at.p)],
                                places[static_cast<std::size_t>(row.at.q)], row, settings);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(arena.freedoms(), arena.freedoms());
  const std::array<int, 2> bodies{row.at.p, row.at.q};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const int si = arena.slot[static_cast<std::size_t>(bodies[static_cast<std::size_t>(i)])];
      const int sj = arena.slot[static_cast<std::size_t>(bodies[static_cast<std::size_t>(j)])];
      if (si < 0 || sj < 0) continue;
      Mat6 block = full.block<6, 6>(6 * i, 6 * j);
      block.topRows<3>() *= arena.active[static_cast<std::size_t>(si)].reach;
      block.leftCols<3>() *= arena.active[static_cast<std::size_t>(sj)].reach;
      out.block<6, 6>(6 * si, 6 * sj) += block;
    }
  return out;
}

}  // namespace repose::place
