#include "group_step.h"

#include <algorithm>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

namespace repose::mechanism {
namespace {

/// The rest of a step below this share of it is not taken.
constexpr double kLeastShare = 1e-12;
/// A step cut shorter than this share is no progress; so many in a row are a stall.
constexpr double kProgress = 1e-7;
constexpr int kMaxStalls = 40;
constexpr int kMaxProposals = 40;
/// An event this near to a proposal's end is at its end.
constexpr double kAtEnd = 1e-9;
/// Joint errors above this share of size are corrected.
constexpr double kJointTolerance = 1e-13;
/// Contacts are opened again when their gap falls below this share of what it should be.
constexpr double kWarning = 0.6;
/// Joints that are closed may take bodies into each other: so many corrections in a row to part
/// them.
constexpr int kMaxCorrections = 4;
/// A stop is corrected that is passed by more than this share of its reach.
constexpr double kPassed = 0.5;
/// Motion below this share of the machine's size in a step is none: what the forces' rounding
/// leaves.
constexpr double kNoMotion = 1e-13;
constexpr int kMaxInconsistent = 20;
/// So many blows in a row that do not end the approach, within this share of a step: what drives
/// the machine does not give way.
constexpr int kMaxFailedBlows = 20;
constexpr double kNoHeadway = 1e-2;
/// Joints that a proposal parts by more than this share of size show that its step is too long: the
/// machines of the gallery stay below a twentieth of it.
constexpr double kMostParting = 1e-6;
/// Energy that a proposal gives, above this share of the kinetic energy, shows it as well: ropes
/// and stops that hold have no place to part from.
constexpr double kMostGain = 1e-3;
/// What energies of places are rounded by, and more.
constexpr double kRounding = 1e-13;
/// Where joints part even on this share of a step, the machine cannot be held.
constexpr double kShortest = 1.0 / 4096.0;

/// Forces that are not quite those of every row still move the machine; the correction of places
/// and velocities answers for the rest.
bool usable(const Trouble& trouble) {
  return trouble.status == ForceStatus::solved || trouble.status == ForceStatus::not_converged;
}

/// Where a group's bodies were.
class Kept {
 public:
  Kept(const Group& group, const Motion& motion) : group_(&group) {
    for (const int body : group.bodies) {
      places_.push_back(motion.place[at(body)]);
      rates_.push_back(motion.rate[at(body)]);
    }
  }
  void put_back(Motion& motion) const {
    for (std::size_t k = 0; k < places_.size(); ++k) {
      motion.place[at(group_->bodies[k])] = places_[k];
      motion.rate[at(group_->bodies[k])] = rates_[k];
    }
  }

 private:
  const Group* group_;
  std::vector<Plane3> places_, rates_;
};

/// Blows in a row that did not end the approach, and what there was at the first of them.
struct FailedBlows {
  int count = 0;
  double since = 0.0;  // s, of the step
  Motion motion;
  Contacts contacts;
  SolveTally tally;

  void begin(double time, const Motion& m, const Contacts& c, const SolveTally& t) {
    since = time;
    motion = m;
    contacts = c;
    tally = t;
  }

  void go_back(const Group& group, Motion& m, Contacts& c) const {
    for (const int body : group.bodies) {
      m.place[at(body)] = motion.place[at(body)];
      m.rate[at(body)] = motion.rate[at(body)];
    }
    c = contacts;
  }
};

}  // namespace

void StepSpace::begin(const Machine& machine, const Motion& motion) {
  here.place(machine, motion);
  if (there.parts.size() != here.parts.size()) {
    there = here;
    for (Derivative* k : {&k1, &k2, &k3, &k4, &mean}) k->clear(motion.place.size());
  }
  proposed.place = stage.place = motion.place;
  proposed.rate = stage.rate = motion.rate;
  for (std::size_t i = 0; i < machine.bodies.size(); ++i)
    if (!machine.bodies[i].moves()) there.parts[i] = here.parts[i];
}

void StepSpace::note(const Group& group, const Motion& motion, std::size_t level) {
  if (levels.size() <= level) levels.resize(level + 1);
  Level& out = levels[level];
  out.place.resize(motion.place.size(), Plane3::Zero());
  out.rate.resize(motion.place.size(), Plane3::Zero());
  for (const int body : group.bodies) {
    out.place[at(body)] = motion.place[at(body)];
    out.rate[at(body)] = motion.rate[at(body)];
  }
}

void Advance::add(const Advance& other) {
  const Advance before = *this;
  if (arrived() && !other.arrived()) *this = other;
  events = before.events + other.events;
  blows = before.blows + other.blows;
  solves = before.solves;
  solves.add(other.solves);
}

void GroupStepper::advance_by(const Motion& from, const Derivative& k, double h,
                              Motion& out) const {
  for (const int body : group_->bodies) {
    const std::size_t i = at(body);
    out.place[i] = from.place[i] + h * k.place[i];
    out.rate[i] = from.rate[i] + h * k.rate[i];
  }
}

bool GroupStepper::at_rest(double step) const {
  const Derivative& k1 = space_->k1;
  return std::all_of(group_->bodies.begin(), group_->bodies.end(), [&](int body) {
    const double reach = machine_->bodies[at(body)].reach, limit = kNoMotion * machine_->length;
    const auto size = [&](const Plane3& v) {
      return v.head<2>().norm() + std::fabs(v.z()) * reach;
    };
    return size(k1.place[at(body)]) * step <= limit &&
           size(k1.rate[at(body)]) * step * step <= limit;
  });
}

/// k1 is there; the others and their mean, eq. 4.
Trouble GroupStepper::propose(const Motion& motion, double time, double step, Contacts& contacts) {
  auto& [levels, here, there, proposed, between, k1, k2, k3, k4, mean, memory] = *space_;
  rests_ = at_rest(step);
  if (rests_) {
    for (const int body : group_->bodies) {
      const std::size_t i = at(body);
      proposed.place[i] = motion.place[i];
      proposed.rate[i] = mean.place[i] = mean.rate[i] = k1.place[i] = Plane3::Zero();
    }
    return {};
  }
  const auto stage = [&](const Derivative& before, double part, Derivative& k) {
    advance_by(motion, before, part, space_->stage);
    return dynamics_.derivative(space_->stage, time + part, contacts, k);
  };
  for (auto [before, part, k] :
       {std::tuple{&k1, 0.5 * step, &k2}, {&k2, 0.5 * step, &k3}, {&k3, step, &k4}})
    if (Trouble trouble = stage(*before, part, *k); !usable(trouble)) return trouble;
  for (const int body : group_->bodies) {
    const std::size_t i = at(body);
    mean.place[i] = (k1.place[i] + 2.0 * (k2.place[i] + k3.place[i]) + k4.place[i]) / 6.0;
    mean.rate[i] = (k1.rate[i] + 2.0 * (k2.rate[i] + k3.rate[i]) + k4.rate[i]) / 6.0;
  }
  advance_by(motion, mean, step, proposed);
  return {};
}

/// Whether a body leaves the way for which its neighbours were found; the longest of such ways.
bool GroupStepper::leaves_way(const Motion& motion, double part, Advance& out) const {
  const Path path{&motion, &space_->k1.place, &space_->mean.place, part};
  for (std::size_t level = 0; level < levels_; ++level)
    for (const int body : group_->bodies) {
      const StepSpace::Level& from = space_->levels[level];
      const double way =
          farthest_way(machine_->bodies[at(body)], from.place[at(body)], path, at(body));
      if (way <= from.ways[at(body)]) continue;
      out.escaped = body;
      out.level = static_cast<int>(level);
      out.way = way;
      return true;
    }
  return false;
}

/// Shortens the step until nothing happens on the way but at its end.
Event GroupStepper::propose_clear(const Motion& motion, double time, double& step,
                                  Contacts& contacts, Trouble& trouble) {
  Event last;
  for (int i = 0; i < kMaxProposals; ++i) {
    trouble = propose(motion, time, step, contacts);
    if (!usable(trouble)) return last;
    const Path path{&motion, &space_->k1.place, &space_->mean.place, step};
    space_->there.place(*machine_, space_->proposed, group_->bodies);
    const Event event = first_event(*machine_, *group_, path, space_->here, space_->proposed,
                                    space_->there, contacts, space_->memory);
    if (event.kind == Event::Kind::none || event.time >= (1.0 - kAtEnd) * step) return last;
    last = event;
    step = event.time;
    if (step <= 0.0) {
      for (const int body : group_->bodies) {
        space_->proposed.place[at(body)] = motion.place[at(body)];
        space_->proposed.rate[at(body)] = motion.rate[at(body)];
      }
      space_->there.place(*machine_, space_->proposed, group_->bodies);
      return last;
    }
  }
  return last;
}

/// Whether a proposal in which nothing drives the bodies gives them more energy than it may.
bool GroupStepper::gains_energy(const Motion& motion) const {
  if (rests_ || machine_->settings.order == Order::first) return false;
  const auto before = undriven_energy(*machine_, *group_, motion);
  if (!before) return false;
  const auto after = undriven_energy(*machine_, *group_, space_->proposed);
  const double gain = after->kinetic - before->kinetic + after->potential - before->potential;
  return gain > kMostGain * std::max(before->kinetic, after->kinetic) +
                    kRounding * (before->terms + after->terms);
}

/// Halves a proposal that shows that its step is too long: it parts joints, since forces hold their
/// accelerations alone, or it gives energy. False: not even the shortest step holds the joints.
bool GroupStepper::follow(const Motion& motion, double time, double shortest, double& part,
                          Contacts& contacts, Event& event, Trouble& trouble) {
  while (usable(trouble)) {
    const bool held = dynamics_.drift(space_->proposed).relative <= kMostParting;
    if (held && (!gains_energy(motion) || !(part > shortest))) return true;
    if (!(part > shortest)) return false;
    part *= 0.5;
    event = propose_clear(motion, time, part, contacts, trouble);
  }
  return true;
}

bool GroupStepper::needs_correction(const Motion& motion, const Contacts& contacts, bool& all) {
  all = false;
  for (const Touching& t : contacts.touching)
    if (frame_of(t.feature, motion).gap < kWarning * t.touch) all = true;
  // a stop that is passed by all its reach would be met again at once
  static thread_local std::vector<Row> rows;
  for (const MetStop& s : contacts.stops) {
    const PlaneJoint& joint = machine_->joints[at(s.joint)];
    rows.clear();
    stop_rows(joint, motion, rows);
    if (rows[at(s.which)].value < -kPassed * kStopReach * joint.scale) all = true;
  }
  return all || dynamics_.drift(motion).relative > kJointTolerance;
}

/// Whether bodies went so far from where they were proposed that others may be near now.
bool GroupStepper::went_far(const Motion& motion) const {
  double farthest = 0.0;
  for (const int body : group_->bodies) {
    const Plane3 way = motion.place[at(body)] - space_->proposed.place[at(body)];
    farthest = std::max(
        farthest, way.head<2>().norm() + std::fabs(way.z()) * machine_->bodies[at(body)].reach);
  }
  return std::any_of(group_->pairs.begin(), group_->pairs.end(), [&](const auto& pair) {
    return 2.0 * farthest > (kTouchReach - kTouchLeast) * machine_->touch(pair.first, pair.second);
  });
}

/// The contact nearest to overlap.
GroupStepper::Nearest GroupStepper::nearest(const Motion& motion, const Contacts& contacts) {
  Nearest out;
  for (const Touching& t : contacts.touching) {
    const double gap = frame_of(t.feature, motion).gap / t.touch;
    if (gap < out.gap) out = {gap, {t.feature.side_body, t.feature.point_body}};
  }
  return out;
}

/// Closes joints and opens contacts. False where what the joints need takes bodies into each other.
bool GroupStepper::correct(Motion& motion, Contacts& contacts, collide::IndexPair forced) {
  bool all = false;
  if (!needs_correction(motion, contacts, all)) return true;
  const double before = nearest(motion, contacts).gap;
  for (int round = 0; round < kMaxCorrections; ++round) {
    dynamics_.correct_places(motion, contacts, all);
    space_->here.place(*machine_, motion, group_->bodies);
    if (went_far(motion))
      contacts = find_contacts(*machine_, motion, space_->here, group_->pairs, group_->joints,
                               contacts, space_->memory, forced);
    crossed_ = nearest(motion, contacts);
    if (crossed_.gap >= kTouchLeast) return true;
    all = true;
  }
  return crossed_.gap >= 0.0 || crossed_.gap >= before;
}

/// False where the proposal cannot be taken; then all is as before.
bool GroupStepper::accept(Motion& motion, Contacts& contacts, const Event& event, bool forced) {
  const bool first = machine_->settings.order == Order::first;
  const Kept before(*group_, motion);
  for (const int body : group_->bodies) {
    const std::size_t i = at(body);
    motion.place[i] = space_->proposed.place[i];
    motion.rate[i] = first ? space_->mean.place[i] : space_->proposed.rate[i];
    std::swap(space_->here.parts[i], space_->there.parts[i]);
  }
  if (event.kind == Event::Kind::stick)
    contacts.touching[static_cast<std::size_t>(event.contact)].sticks = true;
  const collide::IndexPair asked = forced ? event.pair : collide::IndexPair{-1, -1};
  Contacts found = find_contacts(*machine_, motion, space_->here, group_->pairs, group_->joints,
                                 contacts, space_->memory, asked);
  if (!correct(motion, found, asked)) {
    before.put_back(motion);
    space_->here.place(*machine_, motion, group_->bodies);
    if (event.kind == Event::Kind::stick)
      contacts.touching[static_cast<std::size_t>(event.contact)].sticks = false;
    return false;
  }
  contacts = std::move(found);
  dynamics_.settle_rates(motion, contacts);
  return true;
}

/// Where no finite forces and no blow let sliding go on, it stops: friction holds, and what is left
/// of the sliding is taken away with the next velocities.
Trouble GroupStepper::stop_sliding(const Motion& motion, double time, Contacts& contacts) {
  dynamics_.count_stopped();
  for (Touching& t : contacts.touching) {
    t.slip = 0;
    t.normal_state = t.friction_state = RowState::unknown;
  }
  return dynamics_.derivative(motion, time, contacts, space_->k1);
}

bool GroupStepper::still_rests(const Group& group, const Motion& motion) const {
  if (rested_.bodies.empty() || rested_.bodies != group.bodies) return false;
  for (const Drag& drag : machine_->drags)
    if (std::binary_search(group.bodies.begin(), group.bodies.end(), drag.point.body)) return false;
  for (std::size_t k = 0; k < group.bodies.size(); ++k)
    if (motion.place[at(group.bodies[k])] != rest_places_[k] ||
        motion.rate[at(group.bodies[k])] != rest_rates_[k])
      return false;
  return true;
}

void GroupStepper::keep_rest(const Motion& motion) {
  rested_ = rests_ ? *group_ : Group{};
  rest_places_.clear();
  rest_rates_.clear();
  for (const int body : rested_.bodies) {
    rest_places_.push_back(motion.place[at(body)]);
    rest_rates_.push_back(motion.rate[at(body)]);
  }
}

Advance GroupStepper::advance(const Group& group, Motion& motion, Contacts& contacts, double time,
                              double step, std::size_t levels, int most) {
  Advance out;
  group_ = &group;
  levels_ = levels;
  dynamics_.work_on(group);
  if (still_rests(group, motion)) {
    out.time_taken = step;
    return out;
  }
  space_->here.place(*machine_, motion, group.bodies);
  int stalls = 0, inconsistent = 0;
  FailedBlows failed;
  bool forced = false;
  double stride = step;  // s; the longest part tried next
  while (step - out.time_taken > kLeastShare * step) {
    const bool quiet = out.events > machine_->settings.max_events;
    const SolveTally tally = dynamics_.tally();
    const auto blow = dynamics_.resolve_blows(motion, contacts, quiet);
    out.blows += blow.struck ? 1 : 0;
    if (!blow.failed || out.time_taken - failed.since > kNoHeadway * step) failed.count = 0;
    if (blow.failed && failed.count++ == 0) failed.begin(out.time_taken, motion, contacts, tally);
    if (failed.count > kMaxFailedBlows) {
      for (const int c : blow.trouble.contacts) {
        const Feature& feature = contacts.touching[at(c)].feature;
        out.blocking.push_back({feature.side_body, feature.point_body});
      }
      failed.go_back(group, motion, contacts);
      dynamics_.set_tally(failed.tally);
      out.trouble = blow.trouble;
      out.trouble.status = ForceStatus::contradictory;
      return out;
    }
    dynamics_.classify(motion, contacts);
    const double now = time + out.time_taken;
    out.trouble = dynamics_.derivative(motion, now, contacts, space_->k1);
    if (out.trouble.status == ForceStatus::impulse_needed) {
      if (++inconsistent <= kMaxInconsistent &&
          dynamics_.resolve_inconsistent(motion, now, contacts).status == ForceStatus::solved)
        continue;
      out.trouble = stop_sliding(motion, now, contacts);
    }
    if (!usable(out.trouble)) return out;
    double part = std::min(step - out.time_taken, stride);
    Event event = propose_clear(motion, now, part, contacts, out.trouble);
    const double clear = part;
    if (!follow(motion, now, kShortest * step, part, contacts, event, out.trouble)) {
      out.parting = dynamics_.drift(space_->proposed).joint;
      return out;
    }
    stride = part < clear ? part : 2.0 * stride;
    // forces may cease to exist on the way: go as near to there as it takes
    while (out.trouble.status == ForceStatus::impulse_needed && part > kProgress * step) {
      part *= 0.5;
      event = propose_clear(motion, now, part, contacts, out.trouble);
    }
    if (out.trouble.status == ForceStatus::impulse_needed) {
      out.trouble = stop_sliding(motion, now, contacts);
      if (usable(out.trouble)) event = propose_clear(motion, now, part, contacts, out.trouble);
    }
    if (!usable(out.trouble)) return out;
    if (event.kind != Event::Kind::none) out.events += 1;
    stalls = part > kProgress * step ? 0 : stalls + 1;
    if (stalls > kMaxStalls) {
      out.stalled = true;
      out.pair = event.pair;
      return out;
    }
    if (leaves_way(motion, part, out)) return out;
    if (!accept(motion, contacts, event, forced)) {
      // the shorter a step, the less it parts joints
      if (!(part > kShortest * step)) {
        out.cramped = crossed_.pair;
        return out;
      }
      stride = 0.5 * part;
      continue;
    }
    if (leaves_way(motion, 0.0, out)) return out;
    forced = stalls > 2;
    out.time_taken += part;
    out.busy = out.events >= most && !forced && step - out.time_taken > kLeastShare * step;
    if (out.busy) return out;
  }
  keep_rest(motion);
  return out;
}

}  // namespace repose::mechanism
