#include <algorithm>
#include <cmath>

#include "pair_case.h"

namespace repose::check {

namespace {

constexpr double kCoarse = 2e-2;     // of size: first look, before the support planes
constexpr int kCoarseBudget = 3000;  // pair tests for it
constexpr int kPlaneBudget = 1000;   // pieces of one body for one plane

}  // namespace

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
      const Side side = side_of(solid, into_b ? c.to_b(p) : Vec3(c.frame * p));
      if (side == Side::inside) return true;
      if (side == Side::unknown) sure = false;
    }
    return false;
  };
  if (test(c.b, c.a.part_points(), true) || test(c.a, c.b.part_points(), false))
    return Side::inside;
  return sure ? Side::outside : Side::unknown;
}

namespace {

void judge_nested(Case& c, const Distance& d, GapBracket& g) {
  g.lower = -2.0 * (c.a.reach() + c.b.reach() + c.frame.shift.norm());
  g.upper = std::min(g.upper, -d.lower);
}

GapStatus status_of(const GapBracket& g, double width, double enough) {
  if (g.lower >= enough) return GapStatus::apart;
  if (g.width() <= 2.0 * width) return GapStatus::closed;
  if (g.upper < -width) return GapStatus::overlap;
  return GapStatus::undecided;
}

/// The distance first roughly, then by one plane if that closes the bracket, then in full.
void measure(Case& c, GapBracket& g) {
  const double enough = c.settings.enough * c.size;
  PairSearch search(c.a, c.b, c.frame);
  DistanceGoal goal;
  goal.width = kCoarse * c.size;
  goal.enough = enough;
  goal.touch = 0.25 * c.width;
  goal.budget = std::min(kCoarseBudget, c.settings.budget);
  Distance d = search.distance(goal);
  const auto take = [&] {
    c.tests += d.tests;
    g.lower = d.lower;
    g.upper = d.upper;
    g.point_a = d.point_a;
    g.point_b = d.point_b;
  };
  take();
  Vec3 between = d.point_b - d.point_a;
  if (between.norm() > c.width) {
    const double plane = plane_bound(c, between.normalized());
    if (plane > 0.0 && (g.upper - plane <= c.width || plane >= enough)) {
      g.lower = plane;
      return;
    }
  }
  goal.width = c.width;
  goal.budget = c.settings.budget;
  d = search.distance(goal);
  take();
  if (!d.clear) {
    judge_touching(c, d, g);
    return;
  }
  const Side inner = nested(c);
  if (inner == Side::inside) judge_nested(c, d, g);
  if (inner == Side::unknown) g.lower = -std::numeric_limits<double>::infinity();
}

}  // namespace

GapBracket surface_surface(const Item& a, Surface& surface_a, const Item& b, Surface& surface_b,
                           const GapSettings& settings) {
  const double size = pair_size(a, b);
  // a quarter is left for rounding and for the two sides of a touching pair
  Case c{surface_a, surface_b, relative_frame(a, b), size, 0.5 * settings.width * size, settings};
  GapBracket g;
  measure(c, g);
  g.tests = c.tests;
  g.status = status_of(g, c.width, settings.enough * size);
  const Frame wa = world_frame(a);
  const Vec3 between = g.point_b - g.point_a;
  const double length = between.norm();
  g.normal_a_to_b = length > c.width ? Vec3(wa.turn * between / length) : Vec3(Vec3::UnitZ());
  g.point_a = wa * g.point_a;
  g.point_b = wa * g.point_b;
  return g;
}

}  // namespace repose::check
