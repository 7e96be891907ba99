#pragma once

#include <span>
#include <vector>

#include "contacts.h"

namespace repose::mechanism {

/// Bodies that may act on each other within a step, by a contact, a joint, a spring, or by coming
/// near. Bodies of two groups do not: each group steps on its own, with its own collisions.
struct Group {
  std::vector<int> bodies;                // that move, increasing
  std::vector<int> joints, loads;         // indices into Machine's, increasing
  std::vector<collide::IndexPair> pairs;  // that may meet within the step, ordered

  friend bool operator==(const Group&, const Group&) = default;
};

/// Everything in one group; its pairs are left out.
Group whole_of(const Machine& machine);

/// What falls apart of a group of which these pairs, and no others, may meet. Ordered by first
/// body.
std::vector<Group> find_groups(const Machine& machine, const Group& parent,
                               std::span<const collide::IndexPair> near);

/// How far points of each body of a group may go within a step before groups must be formed anew,
/// m: what its velocity and its loads let expect, and more. `forces` is room to work in.
void expected_ways(const Machine& machine, const Group& group, const Motion& motion, double time,
                   double step, std::vector<Plane3>& forces, std::vector<double>& out);

/// Finds which bodies may meet while no point of a body goes farther than its way; where a way is
/// endless, all that may meet at all.
class NearPairs {
 public:
  /// Of all pairs there are, into `out`.
  void find(const Machine& machine, const PlacedBodies& placed, const std::vector<double>& ways,
            PairMemory& memory, std::vector<collide::IndexPair>& out);
  /// Of the pairs given.
  static void choose(const Machine& machine, std::span<const collide::IndexPair> pairs,
                     const PlacedBodies& placed, const std::vector<double>& ways,
                     PairMemory& memory, std::vector<collide::IndexPair>& out);

 private:
  PairFinder finder_;
  std::vector<collide::Box2> boxes_;
};

/// The part of a parent's contacts that is a group's. `first_row` holds for each joint the place of
/// its first row among those of all joints, and their number at the end.
Contacts part_of(const Contacts& contacts, const Group& parent, const Group& group,
                 const std::vector<int>& first_row);
/// Puts a group's contacts among those of its parent; `finish_contacts` follows the last.
void add_part(const Contacts& part, const Group& group, const Group& parent,
              const std::vector<int>& first_row, Contacts& all);
/// Puts contacts into the order of their pairs, whatever the groups were.
void finish_contacts(Contacts& all);

}  // namespace repose::mechanism
