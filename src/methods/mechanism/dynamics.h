#pragma once

#include <utility>

#include "repose/mechanism/impulses.h"

#include "group.h"
#include "projection.h"

namespace repose::mechanism {

/// Rates of change of places and velocities: d/dt Y of Baraff 1995, eq. 1.
struct Derivative {
  std::vector<Plane3> place, rate;

  void clear(std::size_t bodies) {
    place.assign(bodies, Plane3::Zero());
    rate.assign(bodies, Plane3::Zero());
  }
};

/// The least one must know of a solve that did not arrive.
struct Trouble {
  ForceStatus status = ForceStatus::solved;
  std::string why;
  std::vector<int> joints;    // indices into Machine::joints, of rows that contradict each other
  std::vector<int> contacts;  // indices into Contacts::touching
};

/// How well the forces and impulses that moved a machine satisfied their laws.
struct SolveTally {
  long solves = 0;
  double worst_residual = 0.0;  // residual_of, over every answer that was used
  long not_converged = 0;       // answers used although their residual was above the limit
  long inconsistent = 0;        // Painleve: no finite forces, answered by a blow
  long stopped = 0;             // Painleve without such a blow: the sliding was stopped

  void count(ForceStatus status, double residual);
  void add(const SolveTally& other);
};

/// Forces, blows and corrections of one group of a machine. Holds the work space of the solver.
/// Contacts are the group's; of motions and rates of change its bodies' entries alone are read and
/// written, and those of bodies that do not move are read.
class Dynamics {
 public:
  explicit Dynamics(const Machine& machine);

  /// From now on it is this group that is meant; it must outlive its use.
  void work_on(const Group& group);

  /// d/dt Y for contacts whose features stay as they are; their partition is tried first and
  /// afterwards replaced by the new one, with its forces. `out` has room for every body.
  Trouble derivative(const Motion& motion, double time, Contacts& contacts, Derivative& out);

  /// Which contacts part and which slide, from their velocities.
  void classify(const Motion& motion, Contacts& contacts) const;

  /// Blows at contacts and stops that approach. `quiet`: without restitution.
  struct BlowReport {
    bool struck = false;
    bool failed = false;  // contacts or stops still approach
    Trouble trouble;
  };
  BlowReport resolve_blows(Motion& motion, Contacts& contacts, bool quiet);
  /// The blow without a collision that frees a problem without finite forces.
  Trouble resolve_inconsistent(Motion& motion, double time, Contacts& contacts);

  /// Takes velocities back onto joints, held contacts and sticking friction: the least change in
  /// the kinetic-energy norm.
  void settle_rates(Motion& motion, const Contacts& contacts);

  /// Tolerance correction (Baraff 1995): the least displacement in the kinetic-energy norm that
  /// closes the joints and opens contacts to their gap. `all`: contacts as well as joints.
  void correct_places(Motion& motion, const Contacts& contacts, bool all);

  /// Largest error of the joints' places over the size of what they hold, and in metres.
  struct Drift {
    double relative = 0.0, absolute = 0.0;
    int joint = -1;
  };
  Drift drift(const Motion& motion);

  /// What was solved since the last call.
  SolveTally take_tally() { return std::exchange(tally_, {}); }
  const SolveTally& tally() const { return tally_; }
  void set_tally(const SolveTally& tally) { tally_ = tally; }
  /// Sliding that no forces and no blow let go on was stopped.
  void count_stopped() { ++tally_.stopped; }

 private:
  void build_rows(const Motion& motion, const Contacts& contacts);
  double fastest_approach(const Motion& motion, const Contacts& contacts, Trouble& who);
  /// The row as the solver sees it: bodies by their place in the group.
  ForceRow seen(const Row& row) const;
  std::size_t body_at(int place) const {
    return static_cast<std::size_t>(group_->bodies[static_cast<std::size_t>(place)]);
  }
  bool is_mine(int body) const { return body >= 0 && place_[static_cast<std::size_t>(body)] >= 0; }
  void add_loads(const Motion& motion, double time);
  void start_from(const Contacts& contacts);
  void keep(const Forces& forces, Contacts& contacts) const;
  Trouble trouble_of(const Forces& forces, const Contacts& contacts) const;
  void apply(const std::vector<double>& f, std::vector<Plane3>& out) const;
  double bounce(const Touching& contact, double approach, bool quiet) const;
  bool stays_within_reach(double speed, double touch) const;
  void quiet_small_partings(Motion& motion, const Contacts& contacts);
  bool holds(std::size_t row, const Contacts& contacts) const;
  void project_rates(Motion& motion);
  void silence_rounding();

  const Machine* machine_;
  const Group* group_ = nullptr;
  std::vector<int> place_, placed_;  // of each body in the group; -1: not in it. Those that are
  ForceSolver solver_, linear_, blow_solver_;
  Projection projection_;
  ForceProblem problem_;
  std::vector<Row> rows_;
  std::size_t joint_rows_ = 0;
  std::vector<int> row_joint_;    // of joint and stop rows
  std::vector<int> row_contact_;  // -1 where the row is a joint's or a stop's
  std::vector<Plane3> external_, change_;
  std::vector<RowState> start_states_;
  std::vector<double> start_forces_, magnitude_;
  SolveTally tally_;
};

}  // namespace repose::mechanism
