#pragma once

#include <atomic>
#include <deque>
#include <vector>

#include "repose/check/gap.h"

#include "check/exact/rounding.h"
#include "check/gap/surface.h"

namespace repose::check {

struct DistanceGoal {
  double width = 0.0;  // m: stop when upper - lower is at most this
  double enough = std::numeric_limits<double>::infinity();  // m: stop when lower is at least this
  double touch = 0.0;                                       // m: stop when upper is at most this
  int budget = 400'000;
  const std::atomic<bool>* interrupt = nullptr;  // set: the budget is spent
  /// Points known to be `known_upper` apart at most, in the frame of a.
  double known_upper = std::numeric_limits<double>::infinity();
  Vec3 known_a = Vec3::Zero(), known_b = Vec3::Zero();

  bool spent(long tests) const {
    return tests >= budget || (interrupt && interrupt->load(std::memory_order_relaxed));
  }
};

/// For a pair of bodies of that size that are all points within distances of a core, a spine or a
/// surface, `radii` in all: what to ask of those.
DistanceGoal core_goal(const GapSettings& settings, double size, double radii);

/// The distance of two surfaces (not of what they enclose), in the frame of a.
struct Distance {
  double lower = 0.0, upper = std::numeric_limits<double>::infinity();
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  int piece_a = 0, piece_b = 0;  // of the witnesses
  bool clear = false;            // lower > 0
  bool spent = false;            // the budget ended first
  long tests = 0;
};

/// Two pieces that no tested direction separates.
struct UnclearPair {
  int a, b;
  double lower;
};

/// Best-first branch and bound over pairs of pieces.
/// Whether pieces that lie in one plane are split like others: their normal is known without.
enum class PlaneParts { split, whole };

class PairSearch {
 public:
  PairSearch(Surface& a, Surface& b, const Frame& b_in_a);

  Distance distance(const DistanceGoal& goal);
  /// All pairs nearer than `within` (m), split until no piece exceeds `size` (m) or the budget
  /// ends.
  std::vector<UnclearPair> pairs_within(double within, double size, int budget,
                                        PlaneParts planes = PlaneParts::split);

  const Piece& placed(int b);
  /// A proven lower bound of the distance of two pieces; may be negative.
  double lower_bound(int a, int b);

 private:
  double separation(const Piece& a, const Piece& b) const;
  /// By the exact extents of both pieces along d (unit, from a to b).
  double exact_separation(int a, int b, const Vec3& d);
  /// The same along the directions that may be the contact's.
  double exact_bound(int a, int b, const Distance& d);
  void improve_upper(int a, int b, Distance& d);
  void polish_upper(Distance& d);

  Surface& a_;
  Surface& b_;
  Frame frame_;
  double slack_;
  std::vector<int> slot_;     // where each piece of b stands in placed_; -1: not yet
  std::deque<Piece> placed_;  // in the frame of a
  double raw_ = std::numeric_limits<double>::infinity();  // least distance between piece middles
  int raw_a_ = -1, raw_b_ = -1;
  bool raw_new_ = false;
};

}  // namespace repose::check
