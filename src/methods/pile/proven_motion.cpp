#include "proven_motion.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

#include "turning.h"

namespace repose::pile {
namespace {

/// A body whose motion must be shortened to less than this share stays where it is.
constexpr double kLeastShare = 1e-3;
constexpr double kShorten = 0.5;
constexpr int kMaxRounds = 60;
/// Tried for all bodies alike, after the whole and before each is shortened by itself.
constexpr std::array<double, 2> kEvenShares{0.8, 0.6};

/// Two pieces, or a piece and a part of the walls, that must be proven apart.
struct Pair {
  const Separation* separation;
  double least;     // m
  bool due = true;  // not proven for the ways as they are, or as they were when last looked at
};

std::vector<Pair> pairs_of(std::span<const Separation> separations, std::span<const double> least) {
  std::vector<Pair> out;
  for (std::size_t k = 0; k < separations.size(); ++k)
    if (out.empty() || !same_pieces(*out.back().separation, separations[k]))
      out.push_back({&separations[k], least[k]});
  return out;
}

class Sharing {
 public:
  Sharing(const Arena& arena, const Placement& from, const Motion& proposed)
      : arena_(arena), from_(from), proposed_(proposed), share_(arena.movers.size(), 1.0) {
    for (std::size_t i = 0; i < share_.size(); ++i) ways_.push_back(way_of(static_cast<int>(i)));
  }

  /// Shortens until every pair is proven; false if that takes too many rounds. `known`: those that
  /// are due have been looked at, as they are.
  bool settle(std::vector<Pair>& pairs, bool known) {
    for (int round = 0; round < kMaxRounds; ++round) {
      if (round > 0 || !known) look_at_due(pairs);
      const std::vector<double> tried = share_;
      std::vector<bool> changed(share_.size(), false);
      for (const Pair& p : pairs)
        if (p.due) shorten(*p.separation, tried, changed);
      bool any = false;
      for (std::size_t i = 0; i < changed.size(); ++i) {
        if (!changed[i]) continue;
        any = true;
        ways_[i] = way_of(static_cast<int>(i));
      }
      if (!any) return true;
      for (Pair& p : pairs) {
        const Separation& s = *p.separation;
        p.due = p.due || changed[s.b] || (s.a >= 0 && changed[s.a]);
      }
    }
    return false;
  }
  /// True if all that are due are proven as they are: none is due then.
  bool look_at_due(std::vector<Pair>& pairs) const {
    tbb::parallel_for(0, static_cast<int>(pairs.size()), [&](int n) {
      if (pairs[n].due) pairs[n].due = !free(pairs[n]);
    });
    return std::none_of(pairs.begin(), pairs.end(), [](const Pair& p) { return p.due; });
  }
  /// True if every pair is proven as it is; those that are due are asked first, and the others only
  /// if all of them are.
  bool all_free(std::span<const Pair> pairs) const {
    for (const bool due : {true, false}) {
      std::atomic<bool> all{true};
      tbb::parallel_for(0, static_cast<int>(pairs.size()), [&](int n) {
        if (pairs[n].due == due && all && !free(pairs[n])) all = false;
      });
      if (!all) return false;
    }
    return true;
  }
  const std::vector<double>& share() const { return share_; }
  void take_all(double share) {
    std::fill(share_.begin(), share_.end(), share);
    for (std::size_t i = 0; i < share_.size(); ++i) ways_[i] = way_of(static_cast<int>(i));
  }

 private:
  Way way_of(int i) const {
    const Mover& m = arena_.movers[i];
    const Pose& from = from_.poses[i];
    Way out;
    out.from = from;
    out.shift = share_[i] * proposed_.displacement[i];
    if (!m.turns) return out;
    out.turn = share_[i] * proposed_.turn[i];
    const Vec3 arm = from.turn(m.center_body);
    out.shift += arm - rotation_from_vector(out.turn) * arm;  // of the origin, not of the centre
    return out;
  }
  bool moves(int i) const { return i >= 0 && share_[i] > 0.0; }
  bool free(const Pair& pair) const {
    const Separation& s = *pair.separation;
    if (!moves(s.a) && !moves(s.b)) return true;
    if (s.piece_b < 0) return balls_free(s);
    double way = share_[s.b] * farthest_way(arena_, proposed_, s.b);
    if (s.a >= 0) way += share_[s.a] * farthest_way(arena_, proposed_, s.a);
    const Convex& b = arena_.movers[s.b].pieces[s.piece_b];
    const bool cells = b.cell || (s.a < 0 ? arena_.walls.is_cell(s.piece_a)
                                          : arena_.movers[s.a].pieces[s.piece_a].cell != nullptr);
    // the gap of a cell is one that was found, not a bound
    if (!cells && s.gap - way >= pair.least) return true;
    if (s.a < 0) return arena_.walls.stays_off(s.piece_a, b, ways_[s.b], s.normal, pair.least);
    return stay_apart(arena_.movers[s.a].pieces[s.piece_a], ways_[s.a], b, ways_[s.b], s.normal,
                      pair.least);
  }
  /// Balls, and a ball before a wall: both ends in the half-space.
  bool balls_free(const Separation& s) const {
    Vec3 relative = ways_[s.b].shift;
    if (s.a >= 0) relative -= ways_[s.a].shift;
    const double end = s.gap + s.normal.dot(relative);
    return end >= 0.0 || end >= s.gap;
  }
  /// Of the shares that were tried: once a round, however many pieces are not proven apart.
  /// Equal shares keep what is linear: they are tried first.
  void shorten(const Separation& s, const std::vector<double>& tried, std::vector<bool>& changed) {
    const double b = tried[s.b], a = s.a >= 0 ? tried[s.a] : b;
    double next = std::min(a, b);
    if (a == b || s.a < 0) next *= kShorten;
    if (next < kLeastShare) next = 0.0;
    for (const int i : {s.a, s.b}) {
      if (i < 0 || share_[i] <= next) continue;
      share_[i] = next;
      changed[i] = true;
    }
  }

  const Arena& arena_;
  const Placement& from_;
  const Motion& proposed_;
  std::vector<double> share_;
  std::vector<Way> ways_;
};

}  // namespace

SharedMotion proven_motion(const Arena& arena, std::span<const Separation> separations,
                           const Placement& from, const Motion& proposed,
                           std::span<const double> least) {
  const StageScope timed("prove_motion");
  SharedMotion out;
  Sharing sharing(arena, from, proposed);
  std::vector<Pair> pairs = pairs_of(separations, least);
  bool all = sharing.look_at_due(pairs);
  for (const double share : kEvenShares) {
    if (all) break;
    sharing.take_all(share);
    all = sharing.all_free(pairs);
  }
  if (!all) {
    sharing.take_all(1.0);
    if (!sharing.settle(pairs, true)) return out;
  }
  out.motion = proposed;
  out.share = sharing.share();
  const auto take = [&] {
    out.motion.displacement = proposed.displacement;
    out.motion.turn = proposed.turn;
    out.motion.farthest = out.motion.farthest_turn = 0.0;
    for (std::size_t i = 0; i < out.share.size(); ++i) {
      out.motion.displacement[i] *= out.share[i];
      out.motion.turn[i] *= out.share[i];
      out.motion.farthest = std::max(out.motion.farthest, out.motion.displacement[i].norm());
      out.motion.farthest_turn = std::max(out.motion.farthest_turn, out.motion.turn[i].norm());
    }
    out.motion.share = *std::min_element(out.share.begin(), out.share.end());
    out.motion.gain = energy_drop(arena.potentials, from.centers, out.motion.displacement);
  };
  take();
  if (out.motion.gain < 0.0) {
    // bodies that rise for others to fall went farther than those: the same share for all
    sharing.take_all(out.motion.share);
    for (Pair& p : pairs) p.due = true;
    if (!sharing.settle(pairs, false)) return {};
    out.share = sharing.share();
    take();
  }
  out.motion.kept = out.motion.gain >= 0.0 && out.motion.farthest + out.motion.farthest_turn > 0.0;
  return out;
}

}  // namespace repose::pile
