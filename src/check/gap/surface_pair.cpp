#include "check/gap/surface_pair.h"

#include <algorithm>
#include <cmath>

#include "check/exact/exact_meeting.h"
#include "check/gap/bracket.h"
#include "check/gap/crossing.h"
#include "check/gap/pair_case.h"

namespace repose::check {

namespace {

constexpr int kCoarseBudget = 3000;  // pair tests for the first look

void judge_nested(Case& c, const Distance& d, GapBracket& g) {
  g.lower = -2.0 * (c.a.reach() + c.b.reach() + c.frame.shift.norm());
  g.upper = std::min(g.upper, -d.lower);
}

void take(const Distance& d, GapBracket& g) {
  g.lower = d.lower;
  g.upper = d.upper;
  g.point_a = d.point_a;
  g.point_b = d.point_b;
}

/// What the distance in full tells.
void conclude(Case& c, const Distance& d, GapBracket& g) {
  take(d, g);
  if (!d.clear) {
    judge_touching(c, d, g);
    return;
  }
  const Side inner = nested(c);
  if (inner == Side::inside) judge_nested(c, d, g);
  if (inner == Side::unknown) g.lower = -std::numeric_limits<double>::infinity();
}

/// The distance first roughly, then by one plane if that closes the bracket, then in full.
void measure(Case& c, GapBracket& g) {
  DistanceGoal goal;
  goal.width = c.width;
  goal.enough = c.settings.enough * c.size;
  goal.touch = 0.25 * c.width;
  goal.budget = c.settings.budget;
  goal.interrupt = c.settings.interrupt;
  Distance d = rough_distance(c, goal, kCoarseBudget);
  take(d, g);
  const Vec3 between = d.point_b - d.point_a;
  if (between.norm() > c.width) {
    const double plane = plane_bound(c, between.normalized());
    if (plane > 0.0 && (g.upper - plane <= c.width || plane >= goal.enough)) {
      g.lower = plane;
      return;
    }
  }
  const bool touching = d.upper <= goal.touch;
  conclude(c, touching ? d : distance_of(c, goal), g);
}

}  // namespace

void settle_sign(const PlacedBody& a, Prepared& made_a, const PlacedBody& b, Prepared& made_b,
                 const GapSettings& settings, GapBracket& g) {
  const auto surface_a = made_a.surface(), surface_b = made_b.surface();
  if (!surface_a || !surface_b || !has_exact_meeting(*surface_a, *surface_b)) return;
  // cells of what touches are found only where no surface cuts itself
  if (!made_a.matter().simple || !made_b.matter().simple) return;
  const ExactMeeting meeting = exact_meeting(a, *surface_a, b, *surface_b);
  using Kind = ExactMeeting::Kind;
  if (meeting.kind == Kind::unknown) return;
  if (meeting.kind == Kind::apart || meeting.kind == Kind::touching) g.lower = 0.0;
  if (meeting.kind == Kind::overlap || meeting.kind == Kind::touching) g.upper = 0.0;
  const double size = pair_size(a, b);
  Case c{*surface_a, *surface_b, relative_frame(a, b), size, settings.width * size, settings};
  const Frame wa = world_frame(a);
  for (const Vec3& p : meeting.inside)
    for (const bool of_a : {true, false}) {
      const double before = g.upper;
      try_witness(c, p, of_a, g);
      if (g.upper < before) g.point_a = g.point_b = wa * p;
    }
  g.status = status_of(g, 0.5 * c.width, settings.enough * size, c.width);
}

GapBracket surface_surface(const PlacedBody& a, Prepared& made_a, const PlacedBody& b,
                           Prepared& made_b, const GapSettings& settings) {
  const double size = pair_size(a, b);
  const auto surface_a = made_a.surface(), surface_b = made_b.surface();
  // a quarter is left for rounding and for the two sides of a touching pair
  Case c{*surface_a, *surface_b, relative_frame(a, b), size, 0.5 * settings.width * size, settings};
  // meshes are compared triangle by triangle, convex or not
  const bool flat = surface_a->faces() == 0 && surface_b->faces() == 0;
  const auto sharp = [&](const PlacedBody& item, const ConvexBody* body) {
    const bool mesh = std::holds_alternative<shape::TriangleMesh>(item.shape->geometry);
    return body && body->skin() == 0.0 && !(flat && mesh) ? body : nullptr;
  };
  c.convex_a = sharp(a, made_a.convex());
  c.convex_b = sharp(b, made_b.convex());
  GapBracket g;
  measure(c, g);
  g.tests = c.tests;
  g.status = status_of(g, c.width, settings.enough * size, 2.0 * c.width);
  const Frame wa = world_frame(a);
  const Vec3 between = g.point_b - g.point_a;
  const double length = between.norm();
  g.normal_a_to_b = length > c.width ? Vec3(wa.turn * between / length) : Vec3(Vec3::UnitZ());
  g.point_a = wa * g.point_a;
  g.point_b = wa * g.point_b;
  return g;
}

}  // namespace repose::check
