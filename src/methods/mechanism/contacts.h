#pragma once

#include <span>
#include <vector>

#include "repose/collide/box2.h"

#include "coherence.h"
#include "machine.h"

namespace repose::mechanism {

/// A contact within reach, with what the force solver last knew of it.
struct Touching {
  Feature feature;
  double touch = 0.0;  // gap at which it is kept, m
  double mu = 0.0, restitution = 0.0;
  bool parting = false;  // too fast apart to carry a force
  bool sticks = false;   // its sliding has just come to an end
  int slip = 0;          // sign of the sliding velocity; 0: none
  RowState normal_state = RowState::unknown, friction_state = RowState::unknown;
  double normal = 0.0, friction = 0.0;  // N
};

/// A stop that is met.
struct MetStop {
  int joint = 0, which = 0;  // index into Machine::joints, and which of its stop_rows
  bool parting = false;
  RowState state = RowState::unknown;
  double force = 0.0;
};

/// Everything that may carry a force at a moment.
struct Contacts {
  std::vector<Touching> touching;
  std::vector<MetStop> stops;
  std::vector<RowState> joint_states;  // of all joint rows
  std::vector<double> joint_forces;
};

/// Every part of every body in its place.
struct PlacedBodies {
  std::vector<std::vector<PlacedPart>> parts;

  void place(const Machine& machine, const Motion& motion);
  void place(const Machine& machine, const Motion& motion, std::span<const int> bodies);
};

/// The contacts within reach among the given pairs of bodies, and the stops that are met; what
/// `before` knew of the same features is kept. Contacts of the pair `forced` are there in any case.
/// Stops are those of the joints listed.
Contacts find_contacts(const Machine& machine, const Motion& motion, const PlacedBodies& placed,
                       std::span<const collide::IndexPair> pairs, std::span<const int> joints,
                       const Contacts& before, PairMemory& memory,
                       collide::IndexPair forced = {-1, -1});

/// Whether two boxes come that near to each other along both axes.
bool boxes_near(const collide::Box2& a, const collide::Box2& b, double within);

/// Every pair of bodies that may meet, wherever they are. Ordered.
std::vector<collide::IndexPair> all_pairs(const Machine& machine);

/// Pairs of bodies whose boxes, each grown to what the body sweeps, overlap, and which may meet.
/// Ordered.
class PairFinder {
 public:
  std::span<const collide::IndexPair> find(const Machine& machine,
                                           const std::vector<collide::Box2>& boxes);
  PairFinder();
  ~PairFinder();
  PairFinder(PairFinder&&) noexcept;
  PairFinder& operator=(PairFinder&&) noexcept;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace repose::mechanism
