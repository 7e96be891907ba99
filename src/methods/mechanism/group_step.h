#pragma once

#include <limits>

#include "advance.h"

namespace repose::mechanism {

/// What one step of constant time came to.
struct Advance {
  Trouble trouble;       // status other than solved: the step ended early
  bool stalled = false;  // no progress at a collision
  int parting = -1;      // joint of the machine that no step is short enough to hold
  collide::IndexPair pair{-1, -1};
  collide::IndexPair cramped{-1, -1};  // bodies between which joints and contacts leave no room
  std::vector<collide::IndexPair> blocking;  // bodies whose approach no blow ends
  double time_taken = 0.0;                   // s
  int events = 0;                            // collisions, stops and ends of sliding
  int blows = 0;
  bool busy = false;  // it stopped early at one of many events
  int escaped = -1;   // body that would go farther than its way: nothing is said of the rest
  int level = 0;      // of the way that it left
  double way = 0.0;   // m, that it would go
  SolveTally solves;  // of what led here

  bool arrived() const {
    return trouble.status == ForceStatus::solved && !stalled && parting < 0 && cramped.first < 0 &&
           escaped < 0;
  }
  /// A later part of the same time, or another group in it.
  void add(const Advance& other);
};

/// What the groups of a step share; each reads and writes its own bodies' entries, and reads those
/// of bodies that do not move.
struct StepSpace {
  /// Where bodies stood when their neighbours were last looked for, and how far each body's points
  /// may go from there, m. One for the step, one for the part of it that a busy group takes, ...
  struct Level {
    std::vector<Plane3> place, rate;
    std::vector<double> ways;
  };
  std::vector<Level> levels;
  PlacedBodies here, there;
  Motion proposed, stage;
  Derivative k1, k2, k3, k4, mean;
  PairMemory memory;

  void begin(const Machine& machine, const Motion& motion);
  /// Notes where the group stands, at a level.
  void note(const Group& group, const Motion& motion, std::size_t level);
};

/// Moves one group through a step (Baraff 1995): Runge-Kutta of fourth order with the contacts'
/// features fixed, ended at the first collision, stop or end of sliding. It remembers whether the
/// group it moved last came to stand still.
class GroupStepper {
 public:
  GroupStepper(const Machine& machine, StepSpace& space)
      : machine_(&machine), space_(&space), dynamics_(machine) {}

  /// One step of the group; `contacts` are its own before and after. Motion and contacts have no
  /// meaning where a body escaped. `levels` ways hold. After `most` events it stops early.
  Advance advance(const Group& group, Motion& motion, Contacts& contacts, double time, double step,
                  std::size_t levels, int most);
  /// Nothing has changed since a whole step in which nothing of the group moved, and nothing
  /// changes by itself.
  bool still_rests(const Group& group, const Motion& motion) const;

  Dynamics& dynamics() { return dynamics_; }

 private:
  Trouble propose(const Motion& motion, double time, double step, Contacts& contacts);
  Event propose_clear(const Motion& motion, double time, double& step, Contacts& contacts,
                      Trouble& trouble);
  bool follow(const Motion& motion, double time, double shortest, double& part, Contacts& contacts,
              Event& event, Trouble& trouble);
  bool gains_energy(const Motion& motion) const;
  Trouble stop_sliding(const Motion& motion, double time, Contacts& contacts);
  bool accept(Motion& motion, Contacts& contacts, const Event& event, bool forced);
  bool correct(Motion& motion, Contacts& contacts, collide::IndexPair forced);
  bool went_far(const Motion& motion) const;
  struct Nearest {
    double gap = std::numeric_limits<double>::infinity();  // of the gap at which it is kept
    collide::IndexPair pair{-1, -1};
  };
  static Nearest nearest(const Motion& motion, const Contacts& contacts);
  bool leaves_way(const Motion& motion, double part, Advance& out) const;
  void advance_by(const Motion& from, const Derivative& k, double h, Motion& out) const;
  bool at_rest(double step) const;
  bool needs_correction(const Motion& motion, const Contacts& contacts, bool& all);
  void keep_rest(const Motion& motion);

  const Machine* machine_;
  StepSpace* space_;
  Dynamics dynamics_;
  const Group* group_ = nullptr;
  std::size_t levels_ = 1;
  Nearest crossed_;     // what the last correction of places left
  bool rests_ = false;  // the last proposal was to stay
  Group rested_;        // the group that stood still in its last step, and where
  std::vector<Plane3> rest_places_, rest_rates_;
};

}  // namespace repose::mechanism
