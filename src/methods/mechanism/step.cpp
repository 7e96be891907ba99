#include "step.h"

#include <algorithm>

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
/// Motion below this share of the machine's size in a step is none: what the forces' rounding
/// leaves.
constexpr double kNoMotion = 1e-13;
constexpr int kMaxInconsistent = 20;
/// Joints that a proposal parts by more than this share of size show that its step is too long: the
/// machines of the gallery stay below a twentieth of it.
constexpr double kMostParting = 1e-6;
/// Where joints part even on this share of a step, the machine cannot be held.
constexpr double kShortest = 1.0 / 4096.0;

/// Forces that are not quite those of every row still move the machine; the correction of places
/// and velocities answers for the rest.
bool usable(const Trouble& trouble) {
  return trouble.status == ForceStatus::solved || trouble.status == ForceStatus::not_converged;
}

void advance_by(const Motion& from, const Derivative& k, double h, Motion& out) {
  const std::size_t n = from.place.size();
  out.place.resize(n);
  out.rate.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.place[i] = from.place[i] + h * k.place[i];
    out.rate[i] = from.rate[i] + h * k.rate[i];
  }
}

void mean_of(const Derivative& k1, const Derivative& k2, const Derivative& k3, const Derivative& k4,
             Derivative& out) {
  const std::size_t n = k1.place.size();
  out.place.resize(n);
  out.rate.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    out.place[i] = (k1.place[i] + 2.0 * (k2.place[i] + k3.place[i]) + k4.place[i]) / 6.0;
    out.rate[i] = (k1.rate[i] + 2.0 * (k2.rate[i] + k3.rate[i]) + k4.rate[i]) / 6.0;
  }
}

}  // namespace

bool Stepper::at_rest(const Motion& motion, double step) const {
  for (std::size_t i = 0; i < motion.place.size(); ++i) {
    const double reach = machine_->bodies[i].reach, limit = kNoMotion * machine_->length;
    const auto size = [&](const Plane3& v) {
      return v.head<2>().norm() + std::fabs(v.z()) * reach;
    };
    if (size(k1_.place[i]) * step > limit || size(k1_.rate[i]) * step * step > limit) return false;
  }
  return true;
}

/// k1 is there; the others and their mean, eq. 4.
Trouble Stepper::propose(const Motion& motion, double time, double step, Contacts& contacts) {
  rests_ = at_rest(motion, step);
  if (rests_) {
    proposed_.place = motion.place;
    proposed_.rate.assign(motion.rate.size(), Plane3::Zero());
    mean_.place = mean_.rate = k1_.place = proposed_.rate;
    return {};
  }
  const auto stage = [&](const Derivative& before, double part, Derivative& k) {
    advance_by(motion, before, part, stage_);
    return dynamics_.derivative(stage_, time + part, contacts, k);
  };
  for (auto [before, part, k] :
       {std::tuple{&k1_, 0.5 * step, &k2_}, {&k2_, 0.5 * step, &k3_}, {&k3_, step, &k4_}})
    if (Trouble trouble = stage(*before, part, *k); !usable(trouble)) return trouble;
  mean_of(k1_, k2_, k3_, k4_, mean_);
  advance_by(motion, mean_, step, proposed_);
  return {};
}

/// Shortens the step until nothing happens on the way but at its end.
Event Stepper::propose_clear(const Motion& motion, double time, double& step, Contacts& contacts,
                             Trouble& trouble) {
  Event last;
  for (int i = 0; i < kMaxProposals; ++i) {
    trouble = propose(motion, time, step, contacts);
    if (!usable(trouble)) return last;
    const Path path{&motion, &k1_.place, &mean_.place, step};
    there_.place(*machine_, proposed_);
    swept_boxes(*machine_, path, here_, there_, boxes_);
    const auto pairs = finder_.find(*machine_, boxes_);
    pairs_.assign(pairs.begin(), pairs.end());
    const Event event =
        first_event(*machine_, path, here_, proposed_, there_, pairs_, contacts, memory_);
    if (event.kind == Event::Kind::none || event.time >= (1.0 - kAtEnd) * step) return last;
    last = event;
    step = event.time;
    if (step <= 0.0) {
      proposed_ = motion;
      there_ = here_;
      return last;
    }
  }
  return last;
}

/// Halves a proposal that parts joints. Forces hold their accelerations alone, so that the error of
/// the step shows in their places. False: not even the shortest step holds them.
bool Stepper::hold_joints(const Motion& motion, double time, double shortest, double& part,
                          Contacts& contacts, Event& event, Trouble& trouble) {
  while (usable(trouble) && !(dynamics_.drift(proposed_).relative <= kMostParting)) {
    if (!(part > shortest)) return false;
    part *= 0.5;
    event = propose_clear(motion, time, part, contacts, trouble);
  }
  return true;
}

bool Stepper::needs_correction(const Motion& motion, const Contacts& contacts, bool& all) {
  all = false;
  for (const Touching& t : contacts.touching)
    if (frame_of(t.feature, motion).gap < kWarning * t.touch) all = true;
  return all || dynamics_.drift(motion).relative > kJointTolerance;
}

void Stepper::accept(Motion& motion, Contacts& contacts, const Event& event, bool forced) {
  std::swap(motion, proposed_);
  std::swap(here_, there_);
  if (machine_->settings.order == Order::first) motion.rate = mean_.place;
  if (event.kind == Event::Kind::stick)
    contacts.touching[static_cast<std::size_t>(event.contact)].sticks = true;
  contacts = find_contacts(*machine_, motion, here_, pairs_, contacts, memory_,
                           forced ? event.pair : collide::IndexPair{-1, -1});
  bool all = false;
  if (needs_correction(motion, contacts, all)) {
    dynamics_.correct_places(motion, contacts, all);
    here_.place(*machine_, motion);
  }
  dynamics_.settle_rates(motion, contacts);
}

/// Where no finite forces and no blow let sliding go on, it stops: friction holds, and what is left
/// of the sliding is taken away with the next velocities.
Trouble Stepper::stop_sliding(const Motion& motion, double time, Contacts& contacts) {
  dynamics_.count_stopped();
  for (Touching& t : contacts.touching) {
    t.slip = 0;
    t.normal_state = t.friction_state = RowState::unknown;
  }
  return dynamics_.derivative(motion, time, contacts, k1_);
}

Contacts Stepper::look(const Motion& motion, const Contacts& before) {
  here_.place(*machine_, motion);
  const std::vector<Plane3> none(motion.place.size(), Plane3::Zero());
  const Path path{&motion, &none, &none, 0.0};
  swept_boxes(*machine_, path, here_, here_, boxes_);
  const auto pairs = finder_.find(*machine_, boxes_);
  return find_contacts(*machine_, motion, here_, pairs, before, memory_);
}

/// Nothing has changed since a whole step in which nothing moved, and nothing changes by itself.
bool Stepper::still_rests(const Motion& motion) const {
  return rests_ && machine_->drags.empty() && motion.place == rest_.place &&
         motion.rate == rest_.rate;
}

Advance Stepper::advance(Motion& motion, Contacts& contacts, double time, double step) {
  Advance out;
  if (still_rests(motion)) {
    out.time_taken = step;
    return out;
  }
  here_.place(*machine_, motion);
  int stalls = 0, inconsistent = 0;
  bool forced = false;
  double stride = step;  // s; the longest part tried next
  while (step - out.time_taken > kLeastShare * step) {
    const bool quiet = out.events > machine_->settings.max_events;
    const auto blow = dynamics_.resolve_blows(motion, contacts, quiet);
    out.blows += blow.struck ? 1 : 0;
    dynamics_.classify(motion, contacts);
    const double now = time + out.time_taken;
    out.trouble = dynamics_.derivative(motion, now, contacts, k1_);
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
    if (!hold_joints(motion, now, kShortest * step, part, contacts, event, out.trouble)) {
      out.parting = dynamics_.drift(proposed_).joint;
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
    accept(motion, contacts, event, forced);
    forced = stalls > 2;
    out.time_taken += part;
  }
  if (rests_) rest_ = motion;
  return out;
}

}  // namespace repose::mechanism
