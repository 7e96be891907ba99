#pragma once

#include <map>
#include <memory>

#include "group_step.h"

namespace repose::mechanism {

/// Moves a machine through time, group by group.
class Stepper {
 public:
  explicit Stepper(const Machine& machine);

  /// Finds where bodies touch.
  Contacts look(const Motion& motion, const Contacts& before);
  struct Crossing {
    double depth = 0.0, relative = 0.0;  // m, and of the smaller body's size; 0: none
    int a = -1, b = -1;
  };
  /// The pair that overlaps most where `look` last saw all, with or without corners in each other.
  Crossing worst_crossing() const;
  /// One step; `contacts` are those of `motion` before and after. What moves in one group changes
  /// nothing in another.
  Advance advance(Motion& motion, Contacts& contacts, double time, double step);

  /// Of the whole machine.
  Dynamics& dynamics() { return dynamics_; }
  /// What was solved since the last call.
  SolveTally take_tally();

 private:
  /// What has become of a group.
  struct Moved {
    Group group;
    Advance advance;
    Contacts contacts;
  };
  /// A stretch of time that bodies are taken through together.
  struct Stretch {
    double time = 0.0, step = 0.0;  // s
    std::size_t level = 0;          // among StepSpace::levels
  };

  std::vector<Group> form_groups(const Group& parent, std::size_t level);
  Advance pass(const Group& parent, Motion& motion, Contacts& contacts, const Stretch& stretch);
  bool move_all(const std::vector<Group>& groups, const Group& parent, Motion& motion,
                const Contacts& contacts, const Stretch& stretch, std::map<int, Moved>& moved,
                Advance& left);
  Advance move(const Group& group, Motion& motion, Contacts& contacts, const Stretch& stretch);
  GroupStepper& stepper_of(const Group& group);
  bool all_rest(const Motion& motion) const;

  const Machine* machine_;
  Group whole_;
  Dynamics dynamics_;
  std::vector<int> first_row_;  // of each joint among all joints' rows, and their number
  StepSpace space_;
  NearPairs near_;
  std::map<int, std::unique_ptr<GroupStepper>> steppers_;  // by a group's first body
  std::vector<Plane3> forces_;
  std::vector<collide::IndexPair> pairs_;
  SolveTally tally_;
  bool rests_ = false;  // the last step moved nothing
  Motion rest_;
};

}  // namespace repose::mechanism
