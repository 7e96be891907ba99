#include "potentials.h"

#include <algorithm>
#include <cmath>

#include "repose/base/setting_values.h"
#include "repose/world/load.h"

namespace repose::pile {
namespace {

/// Beyond this many links per mover the program leaves links uncoupled.
constexpr double kCoupledLinks = 12.0;
/// A constant pull to a fixed point fades within this share of the radius around the point.
constexpr double kSoftRadius = 0.1;

/// What reading a force needs.
struct Reader {
  const Problem& problem;
  const State& state;
  std::span<const int> mover_of;
  std::span<const double> radius;
  Potentials& out;

  int mover(int body) const { return body < 0 ? -1 : mover_of[body]; }
  Vec3 world(int body, const Vec3& point) const {
    return body < 0 ? point : state.bodies[body].world_from_body * point;
  }
  /// Links body a's point, or its centre where it moves, with the centre of b, which must move.
  void link(int a, const Vec3& point_a, int b, Link link) {
    if (mover(b) < 0) return;
    link.a = mover(a);
    link.b = mover(b);
    link.point_a = link.a < 0 ? world(a, point_a) : Vec3(Vec3::Zero());
    out.links.push_back(link);
  }
  bool member(int body, const std::string& group) const {
    if (mover_of[body] < 0) return false;
    const auto& groups = problem.bodies[body].groups;
    return group.empty() || problem.bodies[body].name == group ||
           std::find(groups.begin(), groups.end(), group) != groups.end();
  }

  void pair(const Force& f) {
    const int a = problem.find_body(f.body_a), b = problem.find_body(f.body_b);
    Link it;
    it.law = f.kind == ForceKind::spring ? AttractionLaw::spring : AttractionLaw::constant;
    it.length = number_or(f.values, "length", 0.0);
    it.strength = f.kind == ForceKind::spring ? number_or(f.values, "stiffness", 0.0)
                                              : connect_strength(problem, f);
    if (mover(a) >= 0)
      link(b, f.point_b, a, it);
    else
      link(a, f.point_a, b, it);
  }
  void attract(const Force& f) {
    Link it;
    it.law = law_of(f);
    it.strength = number_or(f.values, "strength", 1.0);
    const double range = number_or(f.values, "range", 0.0);
    const int to = f.body_b.empty() || f.body_b == "world" ? -1 : problem.find_body(f.body_b);
    const int count = static_cast<int>(problem.bodies.size());
    for (int i = 0; i < count; ++i) {
      if (!member(i, f.body_a) || i == to) continue;
      double& load = out.load[mover_of[i]];
      const bool weighs = out.push[mover_of[i]] != Vec3::Zero();
      if (!weighs && (it.law == AttractionLaw::constant || it.law == AttractionLaw::short_range))
        load = std::max(load, std::fabs(it.strength));
      it.range = range + radius[mover_of[i]];
      if (!f.body_b.empty()) {
        if (mover(to) >= 0) it.range += radius[mover_of[to]];
        it.soft = mover(to) < 0 ? kSoftRadius * radius[mover_of[i]] : 0.0;
        link(to, f.point_b, i, it);
        continue;
      }
      for (int j = 0; j < i; ++j) {
        if (!member(j, f.body_a)) continue;
        it.range = range + radius[mover_of[i]] + radius[mover_of[j]];
        link(j, Vec3::Zero(), i, it);
      }
    }
  }
};

/// Where the two points stand.
Vec3 apart(const Link& link, std::span<const Vec3> centers) {
  return centers[link.b] - (link.a < 0 ? link.point_a : centers[link.a]);
}

}  // namespace

double potential_of(const Link& link, double d) {
  switch (link.law) {
    case AttractionLaw::constant:
      return link.strength * std::hypot(d, link.soft);
    case AttractionLaw::inverse_square:
      return d > 0.0 ? -link.strength / d : -std::numeric_limits<double>::infinity();
    case AttractionLaw::spring:
      return 0.5 * link.strength * (d - link.length) * (d - link.length);
    case AttractionLaw::short_range:
      break;
  }
  return link.strength * std::min(d - link.range, 0.0);
}

double pull_of(const Link& link, double d) {
  switch (link.law) {
    case AttractionLaw::constant:
      return link.soft > 0.0 ? link.strength * d / std::hypot(d, link.soft) : link.strength;
    case AttractionLaw::inverse_square:
      return link.strength / (d * d);
    case AttractionLaw::spring:
      return link.strength * (d - link.length);
    case AttractionLaw::short_range:
      break;
  }
  return d < link.range ? link.strength : 0.0;
}

Potentials read_potentials(const Problem& problem, const State& state,
                           std::span<const int> mover_of, std::span<const double> radius) {
  Potentials out;
  out.push.assign(radius.size(), Vec3::Zero());
  for (std::size_t i = 0; i < mover_of.size(); ++i)
    if (mover_of[i] >= 0) out.push[mover_of[i]] = problem.bodies[i].mass * problem.gravity;
  for (const Vec3& push : out.push) out.load.push_back(push.norm());
  Reader reader{problem, state, mover_of, radius, out};
  for (const Force& f : problem.forces) {
    if (f.kind == ForceKind::push) {
      const int body = reader.mover(problem.find_body(f.body_a));
      if (body >= 0) out.push[body] += f.vector;
    } else if (f.kind == ForceKind::attract) {
      reader.attract(f);
    } else {
      reader.pair(f);
    }
  }
  out.coupled =
      static_cast<double>(out.links.size()) <= kCoupledLinks * static_cast<double>(radius.size());
  return out;
}

double energy_of(const Potentials& potentials, std::span<const Vec3> centers) {
  double sum = 0.0;
  for (std::size_t i = 0; i < centers.size(); ++i) sum -= potentials.push[i].dot(centers[i]);
  for (const Link& link : potentials.links) sum += potential_of(link, apart(link, centers).norm());
  return sum;
}

namespace {

/// phi(d0) - phi(d1), where the points are first `before` and then `after` apart.
double drop_of(const Link& link, const Vec3& before, const Vec3& change) {
  const Vec3 after = before + change;
  const double d0 = before.norm(), d1 = after.norm();
  if (d0 + d1 == 0.0) return 0.0;
  const double squares = change.dot(before + after);  // d1^2 - d0^2
  const double longer = squares / (d0 + d1);
  switch (link.law) {
    case AttractionLaw::constant:
      return -link.strength * squares / (std::hypot(d0, link.soft) + std::hypot(d1, link.soft));
    case AttractionLaw::inverse_square:
      return -link.strength * longer / (d0 * d1);
    case AttractionLaw::spring:
      return -link.strength * longer * (0.5 * (d0 + d1) - link.length);
    case AttractionLaw::short_range:
      break;
  }
  if (std::max(d0, d1) <= link.range) return -link.strength * longer;
  return potential_of(link, d0) - potential_of(link, d1);
}

}  // namespace

double energy_drop(const Potentials& potentials, std::span<const Vec3> from,
                   std::span<const Vec3> displacement) {
  double sum = 0.0;
  for (std::size_t i = 0; i < from.size(); ++i) sum += potentials.push[i].dot(displacement[i]);
  for (const Link& link : potentials.links) {
    const Vec3 change =
        displacement[link.b] - (link.a < 0 ? Vec3(Vec3::Zero()) : displacement[link.a]);
    sum += drop_of(link, apart(link, from), change);
  }
  return sum;
}

std::vector<Vec3> forces_of(const Potentials& potentials, std::span<const Vec3> centers) {
  std::vector<Vec3> out = potentials.push;
  for (const Link& link : potentials.links) {
    const Vec3 between = apart(link, centers);
    const double d = between.norm();
    if (d == 0.0) continue;
    const Vec3 force = pull_of(link, d) / d * between;
    out[link.b] -= force;
    if (link.a >= 0) out[link.a] += force;
  }
  return out;
}

namespace {

/// Stiffness of a link along and across the line between its points, N/m.
struct Stiffness {
  double along = 0.0, across = 0.0;
};

/// Of the quadratic that lies above the law everywhere.
double safe_stiffness(const Link& link, double d) {
  if (link.law == AttractionLaw::spring) return link.strength;
  if (link.law == AttractionLaw::constant && link.soft > 0.0)
    return std::max(link.strength, 0.0) / std::hypot(d, link.soft);
  return d > 0.0 ? std::max(pull_of(link, d), 0.0) / d : 0.0;
}

/// Of the law's second order: phi'' along, phi' / d across.
Stiffness second_order(const Link& link, double d) {
  if (link.law == AttractionLaw::constant && link.soft > 0.0) {
    const double h = std::hypot(d, link.soft);
    return {link.strength * link.soft * link.soft / (h * h * h), link.strength / h};
  }
  if (d == 0.0) return {link.law == AttractionLaw::spring ? link.strength : 0.0, 0.0};
  Stiffness out{0.0, pull_of(link, d) / d};
  if (link.law == AttractionLaw::spring) out.along = link.strength;
  if (link.law == AttractionLaw::inverse_square) out.along = -2.0 * out.across;
  return out;
}

/// ... where that is not negative.
Stiffness convex_order(const Link& link, double d) {
  const Stiffness all = second_order(link, d);
  return {std::max(all.along, 0.0), std::max(all.across, 0.0)};
}

Mat3 matrix_of(const Stiffness& stiffness, const Vec3& between, double d) {
  const Vec3 u = d > 0.0 ? Vec3(between / d) : Vec3(Vec3::Zero());
  return stiffness.across * Mat3::Identity() +
         (stiffness.along - stiffness.across) * (u * u.transpose());
}

/// Adds `matrix` times (x_b - x_a)^2 / 2; where a is fixed x_a = 0.
void add_stiffness(const Mat3& matrix, int first_a, int first_b, solve::LinearProgram& lp) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      if (matrix(i, j) == 0.0) continue;
      if (j <= i) lp.quadratic.push_back({first_b + i, first_b + j, matrix(i, j)});
      if (first_a < 0) continue;
      if (j <= i) lp.quadratic.push_back({first_a + i, first_a + j, matrix(i, j)});
      const int a = first_a + i, b = first_b + j;
      lp.quadratic.push_back({std::max(a, b), std::min(a, b), -matrix(i, j)});
    }
}

}  // namespace

std::vector<LinkStiffness> stiffness_of(const Potentials& potentials,
                                        std::span<const Vec3> centers) {
  std::vector<LinkStiffness> out;
  out.reserve(potentials.links.size());
  for (const Link& link : potentials.links) {
    const Vec3 between = apart(link, centers);
    const double d = between.norm();
    out.push_back({link.a, link.b, matrix_of(second_order(link, d), between, d)});
  }
  return out;
}

void add_potentials(const Potentials& potentials, std::span<const Vec3> centers,
                    std::span<const int> first_variable, PotentialUnits units, double caution,
                    solve::LinearProgram& lp) {
  const std::vector<Vec3> force = forces_of(potentials, centers);
  for (std::size_t i = 0; i < centers.size(); ++i)
    for (int k = 0; k < 3; ++k) lp.cost[first_variable[i] + k] -= force[i][k] / units.force;
  const double scale = units.length / units.force;
  for (const Link& link : potentials.links) {
    const Vec3 between = apart(link, centers);
    const double d = between.norm(), safe = safe_stiffness(link, d);
    const int a = link.a < 0 ? -1 : first_variable[link.a], b = first_variable[link.b];
    if (!potentials.coupled && a >= 0) {
      // (x_b - x_a)^2 <= 2 x_a^2 + 2 x_b^2 leaves the two movers apart in the program
      add_stiffness(2.0 * scale * safe * Mat3::Identity(), -1, a, lp);
      add_stiffness(2.0 * scale * safe * Mat3::Identity(), -1, b, lp);
      continue;
    }
    const Stiffness near = convex_order(link, d);
    const Stiffness mixed{caution * safe + (1.0 - caution) * near.along,
                          caution * safe + (1.0 - caution) * near.across};
    add_stiffness(scale * matrix_of(mixed, between, d), a, b, lp);
  }
}

}  // namespace repose::pile
