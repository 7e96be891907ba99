#pragma once

#include <optional>

#include "repose/check/gap.h"

namespace repose::check {

/// The gap of two bodies of which one is a sphere set, ball by ball; nothing where none is.
/// Unjudged where points and rest shape do not fit each other, or where a ball and the other kind
/// have no gap.
std::optional<GapBracket> soft_gap(const PlacedBody& a, const PlacedBody& b,
                                   const GapSettings& settings);

/// The least gap of the balls of two bodies that are balls or sphere sets.
GapBracket balls_gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings);

/// The least gap of the balls of a sphere set with a body of any other kind. Unjudged where a ball
/// and that kind have no gap.
GapBracket set_body_gap(const PlacedBody& set, const PlacedBody& body, const GapSettings& settings);

/// self_gap() of repose/check/soft.h.
GapBracket unjoined_gap(const PlacedBody& body, const GapSettings& settings);

/// A ball as a body.
PlacedBody ball_at(const Vec3& center, double radius);

/// Which balls a link joins.
class JoinedBalls {
 public:
  explicit JoinedBalls(const PlacedBody& set);
  bool joined(int i, int j) const;

 private:
  std::vector<int> first_;   // where the partners of each ball begin
  std::vector<int> others_;  // greater partners, ascending
};

}  // namespace repose::check
