#include "solids.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

namespace repose::surfel {

namespace {

/// The share of the gap to keep by which a plane may bend in a step.
constexpr double kBend = 0.125;

}  // namespace

void SolidContacts::look(const Arena& arena, const Motion& motion, double h, double keep) {
  const StageScope timed("find_solids");
  corners_.clear();
  rigid::find_pairs(arena.solids, motion.solids, h, kNearGaps * keep, pairs_);
  std::vector<rigid::Touch> touches;
  for (const rigid::RigidPair& pair : pairs_) {
    rigid::find_touches(arena.solids, motion.solids, pair, pair.needed, touches);
    for (const rigid::Touch& touch : touches)
      corners_.push_back(
          {{pair.upper, pair.lower, pair.upper_piece, pair.lower_piece, touch.corner},
           {pair.parting.normal, touch.gap},
           touch.point});
  }
  std::sort(corners_.begin(), corners_.end(),
            [](const SolidCorner& p, const SolidCorner& q) { return p.touching < q.touching; });
}

const SolidCorner* SolidContacts::find(const Touching& touching) const {
  const auto found = std::lower_bound(
      corners_.begin(), corners_.end(), touching,
      [](const SolidCorner& corner, const Touching& t) { return corner.touching < t; });
  return found != corners_.end() && found->touching == touching ? &*found : nullptr;
}

const rigid::RigidPair* SolidContacts::first_open(const Arena& arena,
                                                  const std::vector<rigid::RigidMotion>& from,
                                                  const std::vector<rigid::RigidMotion>& to,
                                                  double h) const {
  const auto turn_of = [&](int s) {
    return rigid::Turn{arena.solids[at(s)], from[at(s)], to[at(s)]};
  };
  for (const rigid::RigidPair& pair : pairs_)
    if (!pair_stays_apart(pair, turn_of(pair.upper), turn_of(pair.lower), h)) return &pair;
  return nullptr;
}

double turning_limit(const Arena& arena, const Motion& motion, double keep, double fastest) {
  double out = std::numeric_limits<double>::infinity();
  for (std::size_t s = 0; s < arena.solids.size(); ++s) {
    const double spin = turning(arena.solids[s], motion.solids[s]);
    if (!(spin > 0.0)) continue;
    // second derivative of a gap: see rigid::ball_stays_apart
    const double bends = spin * (spin * arena.solids[s].turning_reach() + 2.0 * fastest);
    out = std::min(out, std::sqrt(8.0 * kBend * keep / bends));
  }
  return out;
}

}  // namespace repose::surfel
