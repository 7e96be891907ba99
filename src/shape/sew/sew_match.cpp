#include "shape/sew/sew_match.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "repose/base/work.h"

#include "shape/sew/near_points.h"
#include "shape/sew/seam_gap.h"

namespace repose::shape {
namespace {

constexpr std::array<Side, 4> kSides{Side::u_low, Side::u_high, Side::v_low, Side::v_high};
/// Samples for a side's box and length.
constexpr int kBoxSamples = 16;
/// A side bulges beyond its samples by at most about this part of its box.
constexpr double kBoxSlack = 0.05;
/// Halvings spent on the proof of one side or seam.
constexpr int kProofBudget = 4096;
/// Sewing tolerances that sides may part by anywhere along a seam: as much as their ends may.
constexpr double kSeamGap = 2.0;

SewSide make_side(const PatchPtr& patch, int face, Side side, double tolerance, bool prove) {
  const Interval range = side_range(patch->domain(), side);
  SewSide out{face, side, SideCurve(patch, side, range), false, 0.0, {}, {range.lo, range.hi}};
  Vec3& low = out.box.low;
  Vec3& high = out.box.high;
  low = high = out.curve.point(range.lo);
  for (int i = 1; i <= kBoxSamples; ++i) {
    const Vec3 p = out.curve.point(range.lo + i * range.width() / kBoxSamples);
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  spend_work(kBoxSamples);
  const double extent = (high - low).norm();
  out.shrunk = extent <= tolerance;
  if (out.shrunk && prove) {
    out.hole = curve_extent(out.curve, 2.0 * tolerance, kProofBudget);
    out.shrunk = std::isfinite(out.hole);
  }
  const Vec3 slack = Vec3::Constant(tolerance + kBoxSlack * extent);
  low -= slack;
  high += slack;
  return out;
}

BoxTree tree_over(const std::vector<SewSide>& sides) {
  std::vector<Box3> boxes;
  boxes.reserve(sides.size());
  for (const SewSide& side : sides) boxes.push_back(side.box);
  return BoxTree(std::move(boxes));
}

/// Every different corner of the patches.
std::vector<Vec3> junctions_of(const std::vector<PatchPtr>& patches, double size,
                               double tolerance) {
  std::vector<Vec3> out;
  std::optional<NearPoints> known;
  for (const PatchPtr& patch : patches) {
    const UvBox d = patch->domain();
    for (const Vec2& at :
         {Vec2(d.u0, d.v0), Vec2(d.u1, d.v0), Vec2(d.u0, d.v1), Vec2(d.u1, d.v1)}) {
      const Vec3 p = patch->point(at.x(), at.y());
      if (!known) known.emplace(tolerance, p, size);
      if (!known->within(p).empty()) continue;
      known->add(p);
      out.push_back(p);
    }
  }
  return out;
}

/// Requires: the junction lies in the side's box.
void add_split(SewSide* side, const Vec3& junction, double tolerance) {
  const Interval range{side->splits.front(), side->splits.back()};
  for (const double end : {range.lo, range.hi})
    if ((side->curve.point(end) - junction).norm() <= tolerance) return;
  double distance = 0.0;
  const double t = nearest_parameter(side->curve, range, junction, &distance);
  if (distance > tolerance) return;
  side->splits.insert(std::upper_bound(side->splits.begin(), side->splits.end(), t), t);
}

/// Inner points of a stretch, at these shares of its length.
constexpr std::array<double, 3> kInner{0.25, 0.5, 0.75};
using InnerPoints = std::array<Vec3, kInner.size()>;

InnerPoints inner_points(const SewSide& side, const Stretch& s) {
  InnerPoints out;
  for (std::size_t i = 0; i < kInner.size(); ++i)
    out[i] = side.curve.point(s.t0 + kInner[i] * (s.t1 - s.t0));
  return out;
}

/// Whether the inner points of `a` lie on `b`; *along says whether b runs the same way.
bool coincide(const SewSide& side_a, const Stretch& a, const InnerPoints& inner,
              const SewSide& side_b, const Stretch& b, double tolerance, bool* along) {
  std::array<double, kInner.size()> found{};
  for (std::size_t i = 0; i < kInner.size(); ++i) {
    if (!side_b.box.holds(inner[i])) return false;
    double distance = 0.0;
    found[i] = nearest_parameter(side_b.curve, {b.t0, b.t1}, inner[i], &distance);
    if (distance > tolerance) return false;
  }
  *along = found[2] > found[0];
  // the ends must meet as well
  const Vec3 begin = side_a.curve.point(a.t0), end = side_a.curve.point(a.t1);
  const Vec3 b0 = side_b.curve.point(*along ? b.t0 : b.t1);
  const Vec3 b1 = side_b.curve.point(*along ? b.t1 : b.t0);
  // a junction lies within the tolerance of both sides, so two of them at most apart
  return (begin - b0).norm() <= 2.0 * tolerance && (end - b1).norm() <= 2.0 * tolerance;
}

/// Nowhere along the stretches do they part by more (m), as seam_gap tells.
double gap_along(const SewSide& side_a, const Stretch& a, const SewSide& side_b, const Stretch& b,
                 double tolerance, bool along) {
  // their ends may lie twice the tolerance apart
  return seam_gap({side_a.curve, a.t0, a.t1},
                  {side_b.curve, along ? b.t0 : b.t1, along ? b.t1 : b.t0}, kSeamGap * tolerance,
                  kProofBudget);
}

}  // namespace

std::vector<SewSide> split_sides(const std::vector<PatchPtr>& patches, double size,
                                 double tolerance, bool prove) {
  std::vector<SewSide> sides;
  for (std::size_t f = 0; f < patches.size(); ++f)
    for (const Side side : kSides)
      sides.push_back(make_side(patches[f], static_cast<int>(f), side, tolerance, prove));
  BoxTree tree = tree_over(sides);
  for (const Vec3& junction : junctions_of(patches, size, tolerance))
    for (const int s : tree.holding(junction))
      if (!sides[s].shrunk) add_split(&sides[s], junction, tolerance);
  return sides;
}

std::vector<Stretch> mate_stretches(const std::vector<SewSide>& sides, double tolerance, bool prove,
                                    std::vector<int>* crowded, std::vector<int>* doubtful) {
  std::vector<Stretch> stretches;
  std::vector<int> first_of;  // stretch of each side
  for (std::size_t s = 0; s < sides.size(); ++s) {
    first_of.push_back(static_cast<int>(stretches.size()));
    for (std::size_t k = 0; !sides[s].shrunk && k + 1 < sides[s].splits.size(); ++k)
      stretches.push_back(
          {static_cast<int>(s), sides[s].splits[k], sides[s].splits[k + 1], -1, false, 0.0});
  }
  first_of.push_back(static_cast<int>(stretches.size()));
  BoxTree tree = tree_over(sides);
  for (int i = 0; i < static_cast<int>(stretches.size()); ++i) {
    Stretch& a = stretches[i];
    const InnerPoints inner = inner_points(sides[a.side], a);
    for (const int side : tree.holding(inner[0]))
      for (int j = std::max(first_of[side], i + 1); j < first_of[side + 1]; ++j) {
        Stretch& b = stretches[j];
        bool along = false;
        if (!coincide(sides[a.side], a, inner, sides[b.side], b, tolerance, &along)) continue;
        if (a.mate >= 0 || b.mate >= 0) {
          crowded->push_back(a.mate >= 0 ? i : j);
          continue;
        }
        if (prove) {
          a.gap = b.gap = gap_along(sides[a.side], a, sides[b.side], b, tolerance, along);
          if (std::isfinite(a.gap) && a.gap > kSeamGap * tolerance) doubtful->push_back(i);
          if (!(a.gap <= kSeamGap * tolerance)) continue;
        }
        a.mate = j, b.mate = i;
        a.along = b.along = along;
      }
  }
  return stretches;
}

}  // namespace repose::shape
