#pragma once

#include "advance.h"

namespace repose::mechanism {

/// What one step of constant time came to.
struct Advance {
  Trouble trouble;       // status other than solved: the step ended early
  bool stalled = false;  // no progress at a collision
  int parting = -1;      // joint of the machine that no step is short enough to hold
  collide::IndexPair pair{-1, -1};
  double time_taken = 0.0;  // s
  int events = 0;           // collisions, stops and ends of sliding
  int blows = 0;
  double fastest_change = 0.0;  // largest acceleration at the last moment, m/s^2
};

/// Moves a machine through time (Baraff 1995): Runge-Kutta of fourth order with the contacts'
/// features fixed, ended at the first collision, stop or end of sliding.
class Stepper {
 public:
  explicit Stepper(const Machine& machine) : machine_(&machine), dynamics_(machine) {}

  /// Finds where bodies touch.
  Contacts look(const Motion& motion, const Contacts& before);
  /// One step; `contacts` are those of `motion` before and after.
  Advance advance(Motion& motion, Contacts& contacts, double time, double step);

  Dynamics& dynamics() { return dynamics_; }

 private:
  Trouble propose(const Motion& motion, double time, double step, Contacts& contacts);
  Event propose_clear(const Motion& motion, double time, double& step, Contacts& contacts,
                      Trouble& trouble);
  bool hold_joints(const Motion& motion, double time, double shortest, double& part,
                   Contacts& contacts, Event& event, Trouble& trouble);
  Trouble stop_sliding(const Motion& motion, double time, Contacts& contacts);
  void accept(Motion& motion, Contacts& contacts, const Event& event, bool forced);
  bool at_rest(const Motion& motion, double step) const;
  bool still_rests(const Motion& motion) const;
  bool needs_correction(const Motion& motion, const Contacts& contacts, bool& all);

  const Machine* machine_;
  Dynamics dynamics_;
  PairFinder finder_;
  PairMemory memory_;
  std::vector<collide::IndexPair> pairs_;
  std::vector<collide::Box2> boxes_;
  PlacedBodies here_, there_;
  Motion proposed_, stage_, rest_;
  bool rests_ = false;  // the last proposal was to stay
  Derivative k1_, k2_, k3_, k4_, mean_;
};

}  // namespace repose::mechanism
