#pragma once

#include "dynamics.h"
#include "group.h"
#include "narrow.h"

namespace repose::mechanism {

/// The way from a state through a proposed step: eq. 5 of Baraff 1995 for places.
struct Path {
  const Motion* start = nullptr;
  const std::vector<Plane3>* first = nullptr;  // k1 of the places
  const std::vector<Plane3>* mean = nullptr;   // k5 of the places
  double time = 0.0;                           // of the whole step, s

  Plane3 place(std::size_t body, double at) const;
  Plane3 rate(std::size_t body, double at) const;
  /// No point of the body within `reach` of its centre accelerates more, m/s^2.
  double acceleration(std::size_t body, double reach) const;
};

/// What first ends a proposed step.
struct Event {
  enum class Kind { none, collision, stop, stick };
  Kind kind = Kind::none;
  double time = 0.0;                // s after the start
  collide::IndexPair pair{-1, -1};  // collision
  int contact = -1;                 // stick: index into Contacts::touching
};

/// The first time at which two parts are as near as `level`, searched by conservative advancement:
/// no overlap is passed over, however fast they move. Infinite: not before `before`, which lies
/// within the path.
double first_touch(const Path& path, std::size_t body_a, const PlacedPart& part_a,
                   std::size_t body_b, const PlacedPart& part_b, double level, double before);
/// The same where the gap at the start is known.
double first_touch(const Path& path, std::size_t body_a, const PlacedPart& part_a,
                   std::size_t body_b, const PlacedPart& part_b, PartGap gap, double level,
                   double before);

/// The first collision, stop or end of sliding of a group on the way to `end`.
Event first_event(const Machine& machine, const Group& group, const Path& path,
                  const PlacedBodies& start, const Motion& end_motion, const PlacedBodies& end,
                  const Contacts& contacts, PairMemory& memory);

/// How far the points of a body come from where they stand at `from`, at most, on the way, m.
double farthest_way(const PlaneBody& body, const Plane3& from, const Path& path, std::size_t index);

}  // namespace repose::mechanism
