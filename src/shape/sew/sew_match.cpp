#include "shape/sew/sew_match.h"

#include <algorithm>

namespace repose::shape {
namespace {

constexpr std::array<Side, 4> kSides{Side::u_low, Side::u_high, Side::v_low, Side::v_high};
/// Samples for a side's box and length.
constexpr int kBoxSamples = 16;
/// A side bulges beyond its samples by at most about this part of its box.
constexpr double kBoxSlack = 0.05;

SewSide make_side(const PatchPtr& patch, int face, Side side, double tolerance) {
  const Interval range = side_range(patch->domain(), side);
  SewSide out{face, side, SideCurve(patch, side, range), false, {}, {}, {range.lo, range.hi}};
  out.low = out.high = out.curve.point(range.lo);
  for (int i = 1; i <= kBoxSamples; ++i) {
    const Vec3 p = out.curve.point(range.lo + i * range.width() / kBoxSamples);
    out.low = out.low.cwiseMin(p);
    out.high = out.high.cwiseMax(p);
  }
  const double extent = (out.high - out.low).norm();
  out.shrunk = extent <= tolerance;
  const Vec3 slack = Vec3::Constant(tolerance + kBoxSlack * extent);
  out.low -= slack;
  out.high += slack;
  return out;
}

bool near(const SewSide& side, const Vec3& p) {
  return (p.array() >= side.low.array()).all() && (p.array() <= side.high.array()).all();
}

/// Every different corner of the patches.
std::vector<Vec3> junctions_of(const std::vector<PatchPtr>& patches, double tolerance) {
  std::vector<Vec3> out;
  for (const PatchPtr& patch : patches) {
    const UvBox d = patch->domain();
    for (const Vec2& at :
         {Vec2(d.u0, d.v0), Vec2(d.u1, d.v0), Vec2(d.u0, d.v1), Vec2(d.u1, d.v1)}) {
      const Vec3 p = patch->point(at.x(), at.y());
      const bool known = std::any_of(out.begin(), out.end(),
                                     [&](const Vec3& q) { return (p - q).norm() <= tolerance; });
      if (!known) out.push_back(p);
    }
  }
  return out;
}

void add_split(SewSide* side, const Vec3& junction, double tolerance) {
  if (!near(*side, junction)) return;
  const Interval range{side->splits.front(), side->splits.back()};
  for (const double end : {range.lo, range.hi})
    if ((side->curve.point(end) - junction).norm() <= tolerance) return;
  double distance = 0.0;
  const double t = nearest_parameter(side->curve, range, junction, &distance);
  if (distance > tolerance) return;
  side->splits.insert(std::upper_bound(side->splits.begin(), side->splits.end(), t), t);
}

/// Whether the inner points of `a` lie on `b`; *along says whether b runs the same way.
bool coincide(const SewSide& side_a, const Stretch& a, const SewSide& side_b, const Stretch& b,
              double tolerance, bool* along) {
  constexpr std::array<double, 3> kAt{0.25, 0.5, 0.75};
  std::array<double, 3> found{};
  for (int i = 0; i < 3; ++i) {
    const Vec3 p = side_a.curve.point(a.t0 + kAt[i] * (a.t1 - a.t0));
    if (!near(side_b, p)) return false;
    double distance = 0.0;
    found[i] = nearest_parameter(side_b.curve, {b.t0, b.t1}, p, &distance);
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

}  // namespace

std::vector<SewSide> split_sides(const std::vector<PatchPtr>& patches, double tolerance) {
  std::vector<SewSide> sides;
  for (std::size_t f = 0; f < patches.size(); ++f)
    for (const Side side : kSides)
      sides.push_back(make_side(patches[f], static_cast<int>(f), side, tolerance));
  for (const Vec3& junction : junctions_of(patches, tolerance))
    for (SewSide& side : sides)
      if (!side.shrunk) add_split(&side, junction, tolerance);
  return sides;
}

std::vector<Stretch> mate_stretches(const std::vector<SewSide>& sides, double tolerance,
                                    std::vector<int>* crowded) {
  std::vector<Stretch> stretches;
  for (std::size_t s = 0; s < sides.size(); ++s)
    for (std::size_t k = 0; !sides[s].shrunk && k + 1 < sides[s].splits.size(); ++k)
      stretches.push_back(
          {static_cast<int>(s), sides[s].splits[k], sides[s].splits[k + 1], -1, false});
  const int count = static_cast<int>(stretches.size());
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      Stretch& a = stretches[i];
      Stretch& b = stretches[j];
      bool along = false;
      if (!coincide(sides[a.side], a, sides[b.side], b, tolerance, &along)) continue;
      if (a.mate >= 0 || b.mate >= 0) {
        crowded->push_back(a.mate >= 0 ? i : j);
        continue;
      }
      a.mate = j, b.mate = i;
      a.along = b.along = along;
    }
  return stretches;
}

}  // namespace repose::shape
