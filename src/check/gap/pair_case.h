#pragma once

#include "repose/check/gap.h"

#include "check/gap/convex_body.h"
#include "check/gap/distance.h"
#include "check/gap/inside.h"

namespace repose::check {

/// All that one judgement of two surfaces needs; lengths in metres, frame of a.
struct Case {
  Surface& a;
  Surface& b;
  Frame frame;
  double size, width;
  const GapSettings& settings;
  /// The same bodies where they are convex and sharp-edged, else nullptr.
  const ConvexBody* convex_a = nullptr;
  const ConvexBody* convex_b = nullptr;
  long tests = 0;
  int splits = kMostSplits;  // left for all questions whether a point lies in one of the two

  Vec3 to_b(const Vec3& p) const { return frame.turn.transpose() * (p - frame.shift); }
  double point_error() const {
    return 2.0 * frame.error(b.reach()) + kSumError * (a.reach() + b.reach());
  }
  bool spent() const {
    return tests >= settings.budget ||
           (settings.interrupt && settings.interrupt->load(std::memory_order_relaxed));
  }
};

/// The distance of the two surfaces to a share of their size, for no more than `budget` tests: a
/// first look, before support planes. Counts the tests.
Distance rough_distance(Case& c, const DistanceGoal& goal, int budget);

/// The distance of the two surfaces. Where one body is convex and sharp-edged it is measured whole
/// instead of its surface, so that what lies inside it has no distance. Counts the tests.
Distance distance_of(Case& c, const DistanceGoal& goal);

/// Signed separation by the best plane square to d (from a to b): valid for any two bodies, since a
/// point of one inside the other leaves it along d within the overlap of their spans.
double plane_bound(Case& c, const Vec3& d);

/// One closed surface lies in the other's solid, though they do not touch.
Side nested(Case& c);

}  // namespace repose::check
