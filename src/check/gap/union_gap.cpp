#include "check/gap/union_gap.h"

#include <algorithm>

#include "repose/shape/form.h"

#include "check/exact/rounding.h"

namespace repose::check {

namespace {

constexpr std::size_t kMostPairs = 64;

/// A part where its union stands, and how far a point of it may be from where it truly is, m.
struct StandingPart {
  PlacedBody body;
  double error = 0.0;
};

std::vector<StandingPart> parts_of(const PlacedBody& body) {
  std::vector<StandingPart> out;
  const Pose world{body.world_from_body.position, body.world_from_body.rotation.normalized()};
  for (const shape::PlacedPart& part : shape::parts_of_union(*body.shape)) {
    StandingPart standing{body, part.error};
    standing.body.shape = part.shape;
    standing.body.world_from_body = world * part.pose;
    // two rotations and their product, two shifts and their sum
    const double reach = part.shape->bounding_center.norm() + part.shape->bounding_radius;
    standing.error += 4.0 * (kTurnError + kSumError) *
                      (world.position.norm() + part.pose.position.norm() + reach);
    out.push_back(std::move(standing));
  }
  if (out.empty()) out.push_back({body, 0.0});
  return out;
}

}  // namespace

std::optional<GapBracket> gap_by_parts(const PlacedBody& a, const PlacedBody& b,
                                       const JudgePair& judge) {
  const std::vector<StandingPart> of_a = parts_of(a), of_b = parts_of(b);
  if (of_a.size() * of_b.size() < 2 || of_a.size() * of_b.size() > kMostPairs) return std::nullopt;
  GapBracket out;
  out.lower = out.upper = std::numeric_limits<double>::infinity();
  for (const StandingPart& p : of_a)
    for (const StandingPart& q : of_b) {
      GapBracket g = judge(p.body, q.body);
      if (g.status == GapStatus::unjudged) return std::nullopt;
      const double error = p.error + q.error;
      out.tests += g.tests;
      out.lower = std::min(out.lower, g.lower - error);
      if (!(g.upper + error < out.upper)) continue;
      out.upper = g.upper + error;
      out.point_a = g.point_a;
      out.point_b = g.point_b;
      out.normal_a_to_b = g.normal_a_to_b;
    }
  // a point of several parts lies deeper in all of them than in each
  if (out.lower < 0.0) out.lower = -std::numeric_limits<double>::infinity();
  return out;
}

}  // namespace repose::check
