#include "step.h"

#include <algorithm>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

namespace repose::mechanism {
namespace {

/// A group of so many bodies that comes to so many events goes on in shorter stretches of time, in
/// which fewer bodies may meet: each event is then a matter of few.
constexpr std::size_t kManyBodies = 4;
constexpr int kManyEvents = 3, kTooManyEvents = 12;
/// Such a stretch is at least this share of the one before, and there are so many levels of them.
constexpr double kLeastStretch = 1.0 / 16.0;
constexpr std::size_t kMaxLevels = 4;
/// What is left of a stretch below this share of it is not taken.
constexpr double kLeastShare = 1e-12;
/// A body that left its way gets one so many times as long as it wanted to go.
constexpr double kWiden = 2.0;
/// Times that groups are formed anew in a step before all are taken for one.
constexpr int kMaxRegroupings = 30;

int name_of(const Group& group) {
  return group.bodies.empty() ? -1 : group.bodies.front();
}

}  // namespace

Stepper::Stepper(const Machine& machine)
    : machine_(&machine), whole_(whole_of(machine)), dynamics_(machine) {
  dynamics_.work_on(whole_);
  Motion still;
  still.place.assign(machine.bodies.size(), Plane3::Zero());
  still.rate = still.place;
  std::vector<Row> rows;
  first_row_.push_back(0);
  for (const PlaneJoint& joint : machine.joints) {
    joint_rows(joint, still, rows);
    first_row_.push_back(static_cast<int>(rows.size()));
  }
}

Contacts Stepper::look(const Motion& motion, const Contacts& before) {
  space_.here.place(*machine_, motion);
  const std::vector<double> no_ways(machine_->bodies.size(), 0.0);
  near_.find(*machine_, space_.here, no_ways, space_.memory, pairs_);
  return find_contacts(*machine_, motion, space_.here, pairs_, whole_.joints, before,
                       space_.memory);
}

Stepper::Crossing Stepper::worst_crossing() const {
  Crossing out;
  for (const collide::IndexPair& pair : pairs_) {
    const double size = machine_->touch(pair.first, pair.second) / machine_->settings.touch_gap;
    for (const PlacedPart& a : space_.here.parts[at(pair.first)])
      for (const PlacedPart& b : space_.here.parts[at(pair.second)]) {
        if (!boxes_near(a.box, b.box, 0.0)) continue;
        const double depth = -gap_between(a, b).gap;
        if (depth > out.relative * size) out = {depth, depth / size, pair.first, pair.second};
      }
  }
  return out;
}

SolveTally Stepper::take_tally() {
  SolveTally out = std::exchange(tally_, {});
  out.add(dynamics_.take_tally());
  return out;
}

GroupStepper& Stepper::stepper_of(const Group& group) {
  auto& out = steppers_[name_of(group)];
  if (out == nullptr) out = std::make_unique<GroupStepper>(*machine_, space_);
  return *out;
}

/// Of bodies that stand where their level begins.
std::vector<Group> Stepper::form_groups(const Group& parent, std::size_t level) {
  const std::vector<double>& ways = space_.levels[level].ways;
  if (level == 0)
    near_.find(*machine_, space_.here, ways, space_.memory, pairs_);
  else
    NearPairs::choose(*machine_, parent.pairs, space_.here, ways, space_.memory, pairs_);
  return find_groups(*machine_, parent, pairs_);
}

/// Takes a group through a stretch; where much happens in it, in parts.
Advance Stepper::move(const Group& group, Motion& motion, Contacts& contacts,
                      const Stretch& stretch) {
  const bool few = group.bodies.size() < kManyBodies || stretch.level + 1 >= kMaxLevels;
  GroupStepper& stepper = stepper_of(group);
  Advance out =
      stepper.advance(group, motion, contacts, stretch.time, stretch.step, stretch.level + 1,
                      few ? std::numeric_limits<int>::max() : kManyEvents);
  out.solves = stepper.dynamics().take_tally();
  double part = std::max(2.0 * out.time_taken, kLeastStretch * stretch.step);
  while (out.busy && out.arrived()) {
    const double left = stretch.step - out.time_taken;
    if (!(left > kLeastShare * stretch.step)) break;
    const double taken = std::min(part, left);
    const Advance passed =
        pass(group, motion, contacts, {stretch.time + out.time_taken, taken, stretch.level + 1});
    out.add(passed);
    if (!out.arrived()) break;
    out.time_taken += taken;
    // as long that each stretch has few events
    if (passed.events <= kManyEvents) part *= 2.0;
    if (passed.events > kTooManyEvents) part = std::max(0.5 * part, kLeastStretch * stretch.step);
  }
  return out;
}

/// Moves every group that has not been; false: a body left its way, at this level (then groups must
/// be formed anew) or at one before it (then `left` says so).
bool Stepper::move_all(const std::vector<Group>& groups, const Group& parent, Motion& motion,
                       const Contacts& contacts, const Stretch& stretch,
                       std::map<int, Moved>& moved, Advance& left) {
  std::map<int, Moved> before = std::exchange(moved, {});
  bool all_moved = true;
  for (const Group& group : groups) {
    const auto known = before.find(name_of(group));
    if (known != before.end() && known->second.group == group) {
      moved.insert(before.extract(known));
      continue;
    }
    StepSpace::Level& level = space_.levels[stretch.level];
    for (const int body : group.bodies) {
      motion.place[at(body)] = level.place[at(body)];
      motion.rate[at(body)] = level.rate[at(body)];
    }
    Contacts own = part_of(contacts, parent, group, first_row_);
    const Advance advance = move(group, motion, own, stretch);
    if (advance.escaped < 0) {
      moved.emplace(name_of(group), Moved{group, advance, std::move(own)});
      continue;
    }
    all_moved = false;
    if (static_cast<std::size_t>(advance.level) < stretch.level) {
      left = advance;
      return false;
    }
    double& way = space_.levels[stretch.level].ways[at(advance.escaped)];
    way = kWiden * std::max(way, advance.way);
  }
  return all_moved;
}

/// Takes the bodies of a group through a stretch of time, in the groups that they form in it.
Advance Stepper::pass(const Group& parent, Motion& motion, Contacts& contacts,
                      const Stretch& stretch) {
  space_.note(parent, motion, stretch.level);
  expected_ways(*machine_, parent, motion, stretch.time, stretch.step, forces_,
                space_.levels[stretch.level].ways);
  std::map<int, Moved> moved;
  Advance out;
  out.time_taken = stretch.step;
  Motion start;
  for (int round = 0;; ++round) {
    StepSpace::Level& level = space_.levels[stretch.level];
    if (round >= kMaxRegroupings)
      for (const int body : parent.bodies)
        level.ways[at(body)] = std::numeric_limits<double>::infinity();
    start.place = level.place;
    space_.here.place(*machine_, start, parent.bodies);
    const std::vector<Group> groups = form_groups(parent, stretch.level);
    Advance left;
    if (move_all(groups, parent, motion, contacts, stretch, moved, left)) break;
    if (left.escaped >= 0) return left;
  }
  contacts = {};
  for (const auto& [name, group] : moved) {
    out.add(group.advance);
    add_part(group.contacts, group.group, parent, first_row_, contacts);
  }
  finish_contacts(contacts);
  return out;
}

/// Nothing has changed since a whole step in which nothing moved, and nothing changes by itself.
bool Stepper::all_rest(const Motion& motion) const {
  return rests_ && machine_->drags.empty() && motion.place == rest_.place &&
         motion.rate == rest_.rate;
}

Advance Stepper::advance(Motion& motion, Contacts& contacts, double time, double step) {
  Advance out;
  out.time_taken = step;
  if (all_rest(motion)) return out;
  space_.begin(*machine_, motion);
  const std::vector<Plane3> places = motion.place, rates = motion.rate;
  out = pass(whole_, motion, contacts, {time, step, 0});
  tally_.add(out.solves);
  rests_ = motion.place == places && motion.rate == rates;
  if (rests_) rest_ = motion;
  return out;
}

}  // namespace repose::mechanism
