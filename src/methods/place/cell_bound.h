#pragma once

#include <array>
#include <span>
#include <vector>

#include "separate.h"
#include "span.h"

namespace repose::place {

/// How far two cells are apart along the best direction that was tried.
struct Bound {
  double lower = 0.0;        // of the gap along the direction, over the whole span
  double time = 0.0;         // what the span took of it
  double middle = 0.0;       // largest gap by any direction tried, at the span's middle
  double middle_time = 0.0;  // what the span took of that one
  Vec3 direction = Vec3::UnitZ();

  void take(const Bound& other) {
    if (other.lower > lower) {
      lower = other.lower;
      time = other.time;
      direction = other.direction;
    }
    if (other.middle > middle) {
      middle = other.middle;
      middle_time = other.middle_time;
    }
  }
};

/// Lower bounds of the gap between cells of two bodies on their ways (free_motion.h).
class CellBounds {
 public:
  /// Requires: the hints outlive it.
  CellBounds(const Journey& p, const Journey& q, std::span<const Hint> hints);

  /// A cell of p above the half space q.
  Bound against_plane(const Span& span, int cell_p) const;
  Bound against_cell(const Span& span, int cell_p, int cell_q) const;

 private:
  /// How two cells go towards each other within half of the span, in any direction.
  struct Approach {
    Vec3 v = Vec3::Zero();  // m, of p's middle against q's
    double radius_p = 0.0, radius_q = 0.0;
    double second = 0.0;    // m, second order of the turns
    double rounding = 0.0;  // m
  };
  /// A ball about a cell, world.
  struct Around {
    Vec3 at;
    double radius;
  };

  void attempt_turned(const Cell& c, const Curving& second, const Span& span, Bound& best) const;
  void attempt_sheets(const Cell& cp, const Cell& cq, const Span& span, Bound& best) const;
  Bound sheet_bound(const Sheet& sheet, double gap, const Around& a, const Around& b,
                    const Span& span) const;
  const Hint* nearest_hint(const Vec3& at) const;
  Approach approach_of(const Around& a, const Around& b, const Span& span) const;
  Bound bound_of(const Vec3& n, double gap, const Approach& approach) const;
  /// Two polygons along n, each corner at its own speed: what turns about a corner that bears comes
  /// no nearer there. `loose_p`, `loose_q`: what of the cells lies beside them, by body axes.
  Bound corner_bound(const Vec3& n, const Corners& p, const Vec3& loose_p, const Corners& q,
                     const Vec3& loose_q, const Span& span, const Approach& approach) const;

  Journey p_, q_;
  std::span<const Hint> hints_;
  std::array<std::vector<double>, 3> hint_points_;  // x, y, z, in whole lanes
  double turn_p_, turn_q_;                          // rad, over the whole way
};

}  // namespace repose::place
