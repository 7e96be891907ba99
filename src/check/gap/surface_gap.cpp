#include "check/gap/surface_gap.h"

#include <algorithm>
#include <cmath>

#include "check/gap/bracket.h"
#include "check/gap/distance.h"
#include "check/gap/inside.h"
#include "check/gap/support.h"

namespace repose::check {

GapBracket ground_surface(const PlacedBody& ground, const PlacedBody& b, Surface& surface,
                          const GapSettings& settings) {
  const Frame wg = world_frame(ground), wb = world_frame(b);
  const Vec3 up = wg.turn.col(2), from = wb.shift - wg.shift;
  const double size = b.size();
  const Support s =
      support(surface, wb.turn.transpose() * -up, 0.25 * settings.width * size, settings.budget);
  const double height = up.dot(from);
  const double error = (wg.turn_error + kSumError) * from.norm() +
                       (wg.turn_error + wb.turn_error + kSumError) * surface.reach();
  GapBracket g;
  g.lower = height - s.upper - error;
  g.upper = height - s.lower + error;
  g.normal_a_to_b = up;
  g.point_b = wb * s.point;
  g.point_a = g.point_b - up * up.dot(g.point_b - wg.shift);
  g.tests = s.tests;
  g.status = status_of(g, settings, size);
  return g;
}

GapBracket ball_surface(const Vec3& center, double radius, const PlacedBody& b, Prepared& made,
                        const GapSettings& settings) {
  const auto held = made.surface();
  Surface& surface = *held;
  const Frame wb = world_frame(b);
  const double size = std::min(2.0 * radius, b.size());
  Surface point(Vec3::Zero());
  // the frame of b seen from the ball's centre, world axes
  Frame frame = wb;
  frame.shift = wb.shift - center;
  frame.shift_error = kSumError * frame.shift.norm();
  DistanceGoal goal;
  goal.width = settings.width * size;
  goal.enough = radius + settings.enough * size;
  goal.budget = settings.budget;
  goal.interrupt = settings.interrupt;
  PairSearch search(point, surface, frame);
  const Distance d = search.distance(goal);
  GapBracket g;
  g.tests = d.tests;
  g.point_b = center + d.point_b;
  const double length = d.point_b.norm();
  const Side side = side_of(surface, wb.turn.transpose() * (center - wb.shift));
  // a search that ended as soon as they were apart has no upper bound
  const double rounding = kSumError * (radius + (std::isfinite(d.upper) ? d.upper : d.lower));
  if (side == Side::inside) {
    // the ball's centre lies in b: deep, and the nearest surface point tells by how much at least
    g.normal_a_to_b = length > 0.0 ? Vec3(-d.point_b / length) : Vec3(Vec3::UnitZ());
    g.point_a = center - radius * g.normal_a_to_b;
    // of a union, or a surface that cuts itself, the nearest sheet may lie within matter
    const bool one_sheet = surface.parts() == 1 && made.matter().simple;
    g.lower = one_sheet ? -(radius + d.upper) - rounding
                        : -(radius + frame.shift.norm() + surface.reach()) - rounding;
    g.upper = -std::max(radius - d.upper, d.lower - radius) + rounding;
    g.status = prove::gap_status(g.bracket(), {0.0, 0.0, settings.enough * size});
    return g;
  }
  g.normal_a_to_b = length > 0.0 ? Vec3(d.point_b / length) : Vec3(Vec3::UnitZ());
  g.point_a = center + radius * g.normal_a_to_b;
  g.upper = d.upper - radius + rounding;
  const bool outside = side == Side::outside || !surface.closed();
  g.lower = outside ? d.lower - radius - rounding : -(radius + d.upper) - rounding;
  g.status = status_of(g, goal.width, settings.enough * size, goal.width + 2.0 * rounding);
  return g;
}

Vec3 escape_direction(const std::vector<Vec3>& normals) {
  // Gilbert's algorithm for the nearest point of a convex hull
  constexpr int kSteps = 200;
  constexpr double kNone = 1e-3;
  if (normals.empty()) return Vec3::Zero();
  Vec3 x = normals.front();
  for (int k = 0; k < kSteps; ++k) {
    const Vec3* lowest = &normals.front();
    for (const Vec3& n : normals)
      if (n.dot(x) < lowest->dot(x)) lowest = &n;
    const Vec3 step = *lowest - x;
    const double length = step.squaredNorm();
    if (length == 0.0) break;
    const double t = std::clamp(-x.dot(step) / length, 0.0, 1.0);
    if (t == 0.0) break;
    x += t * step;
  }
  const double length = x.norm();
  return length > kNone ? Vec3(x / length) : Vec3(Vec3::Zero());
}

}  // namespace repose::check
