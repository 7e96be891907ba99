#include "check/gap/swept.h"

#include <algorithm>
#include <cmath>

#include "repose/shape/curves.h"
#include "repose/shape/form.h"

#include "check/gap/ball_gap.h"
#include "check/gap/bracket.h"
#include "check/gap/circle_distance.h"
#include "check/gap/distance.h"
#include "check/gap/inside.h"

namespace repose::check {

std::shared_ptr<Swept> Swept::of(const shape::Shape& shape) {
  const shape::Form form = shape::form_of(shape);
  if (const auto* f = std::get_if<shape::TorusForm>(&form.is))
    return std::make_shared<Swept>(
        Swept{Surface(shape::circle_curve(f->ring, 0.0)), f->tube, true, form.error, f->ring});
  if (const auto* f = std::get_if<shape::CapsuleForm>(&form.is))
    return std::make_shared<Swept>(
        Swept{Surface(shape::segment_curve(Vec3(0, 0, f->z0), Vec3(0, 0, f->z1))), f->radius, true,
              form.error});
  if (const auto* f = std::get_if<shape::TubeForm>(&form.is))
    return std::make_shared<Swept>(Swept{Surface(f->spine), f->radius, false, form.error});
  return nullptr;
}

namespace {

/// Witness points from the spines (frame of a) out to the surfaces, world.
void set_points(GapBracket& g, const PlacedBody& a, const Distance& d, double radius_a,
                double radius_b) {
  const Frame wa = world_frame(a);
  const Vec3 between = d.point_b - d.point_a;
  const double length = between.norm();
  const Vec3 n = length > 0.0 ? Vec3(between / length) : Vec3(Vec3::UnitZ());
  g.normal_a_to_b = wa.turn * n;
  g.point_a = wa * (d.point_a + radius_a * n);
  g.point_b = wa * (d.point_b - radius_b * n);
}

}  // namespace

GapBracket swept_surface(const PlacedBody& a, Swept& swept, const PlacedBody& b, Surface& surface,
                         const GapSettings& settings) {
  const double size = pair_size(a, b), r = swept.radius;
  const Frame frame = relative_frame(a, b);
  PairSearch search(swept.spine, surface, frame);
  const Distance d = search.distance(core_goal(settings, size, r));
  GapBracket g;
  g.tests = d.tests;
  set_points(g, a, d, r, 0.0);
  const double rounding = swept.error + kSumError * (r + std::max(0.0, d.lower));
  if (swept.exact && std::isfinite(d.upper)) g.upper = d.upper - r + rounding;
  if (!d.clear) return g;
  // the spine does not meet the surface: it lies inside or outside whole
  const Vec3 on_spine = swept.spine.part_points()[0];
  const Side side = surface.closed()
                        ? side_of(surface, frame.turn.transpose() * (on_spine - frame.shift))
                        : Side::outside;
  if (side == Side::unknown) return g;
  if (side == Side::inside) {
    if (swept.exact) g.upper = std::min(g.upper, -d.lower + rounding);
    g.status = status_of(g, settings, size);
    return g;
  }
  if (swept.exact || d.lower - r - rounding > 0.0) g.lower = d.lower - r - rounding;
  g.status = status_of(g, settings, size);
  return g;
}

namespace {

Distance spine_distance(Swept& a, Swept& b, const Frame& b_in_a, const DistanceGoal& goal) {
  long tests = 0;
  if (a.ring > 0.0 && b.ring > 0.0) {
    const Distance d = circle_distance(a.ring, b.ring, b_in_a, goal);
    if (d.clear) return d;
    tests = d.tests;
  }
  Distance d = PairSearch(a.spine, b.spine, b_in_a).distance(goal);
  d.tests += tests;
  return d;
}

}  // namespace

GapBracket swept_swept(const PlacedBody& a, Swept& swept_a, const PlacedBody& b, Swept& swept_b,
                       const GapSettings& settings) {
  const double size = pair_size(a, b), ra = swept_a.radius, rb = swept_b.radius;
  const Distance d =
      spine_distance(swept_a, swept_b, relative_frame(a, b), core_goal(settings, size, ra + rb));
  GapBracket g;
  g.tests = d.tests;
  set_points(g, a, d, ra, rb);
  const double rounding = swept_a.error + swept_b.error + kSumError * (ra + rb + d.lower);
  const bool exact = swept_a.exact && swept_b.exact;
  const double lower = d.lower - ra - rb - rounding;
  // a point of b comes no nearer to a's spine than that less rb: so deep in a it lies at most, as
  // the formula of a tells, and the other way round
  if (exact || lower > 0.0) g.lower = lower;
  if (exact && std::isfinite(d.upper)) g.upper = gap_of_balls(d.upper + rounding, ra, rb);
  g.status = status_of(g, settings, size);
  return g;
}

}  // namespace repose::check
