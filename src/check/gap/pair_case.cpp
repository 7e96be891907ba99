#include "check/gap/pair_case.h"

#include <algorithm>
#include <cmath>

#include "check/gap/convex_search.h"
#include "check/gap/support.h"

namespace repose::check {

namespace {

constexpr double kCoarse = 2e-2;    // of size: first look, before the support planes
constexpr int kRoughBudget = 400;   // pair tests for it beside a convex body
constexpr int kPlaneBudget = 1000;  // pieces of one body for one plane

/// a in the frame of b.
Frame inverse(const Frame& f) {
  Frame out;
  out.turn = f.turn.transpose();
  out.shift = -(f.turn.transpose() * f.shift);
  out.turn_error = f.turn_error;
  out.shift_error = f.shift_error + (f.turn_error + kSumError) * f.shift.norm();
  return out;
}

Distance core_distance(Case& c, const DistanceGoal& goal, const Distance& rough) {
  DistanceGoal to_core = goal;
  to_core.known_upper = rough.upper;
  to_core.known_a = rough.point_a;
  to_core.known_b = rough.point_b;
  Distance d;
  if (c.convex_b) {
    d = distance_to_core(c.a, *c.convex_b, c.frame, to_core);
    d.piece_b = c.b.root();
  } else {
    to_core.known_a = c.to_b(rough.point_b);
    to_core.known_b = c.to_b(rough.point_a);
    d = distance_to_core(c.b, *c.convex_a, inverse(c.frame), to_core);
    d.piece_b = d.piece_a;
    d.piece_a = c.a.root();
    const Vec3 on_b = d.point_a;
    d.point_a = c.frame * d.point_b;
    d.point_b = c.frame * on_b;
  }
  c.tests += d.tests;
  return d;
}

}  // namespace

Distance rough_distance(Case& c, const DistanceGoal& goal, int budget) {
  DistanceGoal rough = goal;
  rough.width = std::max(goal.width, kCoarse * c.size);
  rough.budget = std::min(budget, goal.budget);
  const Distance d = PairSearch(c.a, c.b, c.frame).distance(rough);
  c.tests += d.tests;
  return d;
}

Distance distance_of(Case& c, const DistanceGoal& goal) {
  if (!c.convex_a && !c.convex_b) {
    const Distance d = PairSearch(c.a, c.b, c.frame).distance(goal);
    c.tests += d.tests;
    return d;
  }
  const Distance rough = rough_distance(c, goal, kRoughBudget);
  if (rough.upper <= goal.touch || rough.lower >= goal.enough) return rough;
  return core_distance(c, goal, rough);
}

double plane_bound(Case& c, const Vec3& d) {
  const double fine = 0.1 * c.width;
  const Support sa = support(c.a, d, fine, kPlaneBudget);
  const Support sb = support(c.b, -(c.frame.turn.transpose() * d), fine, kPlaneBudget);
  c.tests += sa.tests + sb.tests;
  const double error = c.frame.error(c.b.reach()) + kSumError * (c.a.reach() + c.b.reach()) +
                       c.frame.turn_error * c.b.reach();
  return d.dot(c.frame.shift) - sa.upper - sb.upper - error;
}

Side nested(Case& c) {
  bool sure = true;
  const auto test = [&](Surface& solid, const std::vector<Vec3>& points, bool into_b) {
    if (!solid.closed()) return false;
    for (const Vec3& p : points) {
      const Side side = side_of(solid, into_b ? c.to_b(p) : Vec3(c.frame * p), c.splits);
      if (side == Side::inside) return true;
      if (side == Side::unknown) sure = false;
    }
    return false;
  };
  if (test(c.b, c.a.part_points(), true) || test(c.a, c.b.part_points(), false))
    return Side::inside;
  return sure ? Side::outside : Side::unknown;
}

}  // namespace repose::check
