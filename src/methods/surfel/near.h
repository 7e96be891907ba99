#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "arena.h"
#include "deformed.h"
#include "padded.h"

namespace repose::surfel {

/// Two balls that do not belong together, or a ball and a piece of a solid.
struct Pair {
  int ball = 0;    // the upper side
  int other = -1;  // a ball of a lower index; -1: a solid
  int solid = -1;
  int piece = -1;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// How two things of a pair lie at the step's start: the plane square to `normal` parts them. The
/// gap along it is linear in time while both go straight, so it stays open if it is at the end.
struct Parting {
  Vec3 normal = Vec3::UnitZ();  // unit, from the lower side to the upper
  double gap = 0.0;             // m, along the normal
};

/// Where the balls are and how they go; of those that take part in a step only.
struct Balls {
  std::vector<Vec3> centers, velocities;  // m, m/s
};

Parting parting_of(const Arena& arena, const Motion& motion, const Balls& balls, const Pair& pair);

/// Pairs nearer than so many gaps to keep are always told.
inline constexpr double kNearGaps = 2.0;

/// Finds what may touch in a step. Balls are carried and compared only where their clusters come
/// near each other: a pair of clusters keeps a lower bound of the gaps between their balls, which
/// falls by no more than their phyxels move against each other. What it remembers saves work and
/// changes no answer.
class NearSearch {
 public:
  /// A step begins: all is looked at anew from these places. `keep`: gaps that pairs keep, m.
  void begin(const Arena& arena, const Motion& motion, double h, double keep);
  /// How a pair lies that is known from the step before.
  Parting known(const Arena& arena, const Motion& motion, const Pair& pair);
  /// Pairs that may come nearer than `keep` until the step's end with these velocities, and all
  /// that are nearer than twice that, are among pairs() from now on. Balls of pairs go as the
  /// phyxels do.
  void look(const Arena& arena, const Motion& motion);
  /// Everything goes straight until the step's end with these velocities, those of the last look.
  void end(const Arena& arena, const Motion& motion);

  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::vector<Parting>& partings() const { return partings_; }
  const Balls& balls() const { return balls_; }
  void clear() { *this = NearSearch(); }

 private:
  /// What is known of two clusters of one body, of their shape at rest.
  struct AtRest {
    bool known = false;
    double least = 0.0;     // m; no gap is smaller
    double unlisted = 0.0;  // m; no gap of pairs not listed is smaller; 0: there is no list yet
    std::vector<std::pair<double, Pair>> listed = {};  // by their gaps, m
  };

  /// What is known of the balls of a block, once it had to be looked at.
  struct Detail {
    double unlisted = 0.0;          // m; no gap of pairs that are not listed was smaller
    double gone = 0.0;              // m; what the block had gone when that was so
    AtRest* rest = nullptr;         // of one body, once it was asked for
    std::vector<Pair> listed = {};  // pairs that are near
    std::vector<double> gaps = {};  // of them, at the step's start
    long looked = -1;               // the step in which the gaps were found
    double taken = 0.0;             // m; pairs nearer than that are among pairs()
  };

  /// Blocks that were found together; what was farther apart then is in none. A block is a pair of
  /// clusters, the greater first, or a cluster and a solid, whose names follow the clusters'.
  struct Blocks {
    std::vector<std::array<int, 2>> who;  // sorted
    std::vector<double> free;             // m; no gap is smaller
    std::vector<double> nearer;  // m; by how much at most in the step, as the last look saw it
    std::vector<double> gone;    // m; the sum of that over the steps since it was found
    std::vector<int> detail;     // in details; -1: none
    std::vector<Detail> details;
    double margin = -1.0;  // m; what is left of what they were found ahead by

    std::size_t size() const { return who.size(); }
  };
  struct Found {
    std::array<int, 2> who;
    double gap = 0.0;  // m; no gap is smaller
    friend auto operator<=>(const Found&, const Found&) = default;
  };
  /// One of them.
  struct Block {
    Blocks& all;
    std::size_t k;

    const std::array<int, 2>& who() const { return all.who[k]; }
    double& free() const { return all.free[k]; }
    Detail& detail() const;
    /// m; no gap of pairs that are not listed is smaller.
    double unlisted() const { return detail().unlisted - (all.gone[k] - detail().gone); }
    void set_unlisted(double gap) const;
  };

  bool goes_on(const Arena& arena, const Motion& motion) const;
  /// m; pairs nearer than that are always told.
  double near_gap() const { return kNearGaps * keep_; }
  /// The solid of a block; -1: it is one of clusters.
  int solid_of(const Block& block) const;

  void start(const Arena& arena);
  double reach(const Arena& arena, const Motion& motion, std::size_t cluster);
  void list_blocks(const Arena& arena, const Motion& motion, bool of_one_body, double fastest,
                   Blocks& list);
  void find_clusters(const Arena& arena, const Motion& motion, bool of_one_body, double margin,
                     std::vector<Found>& out);
  void find_solids(const Arena& arena, const Motion& motion, double margin,
                   std::vector<Found>& out);
  bool see_changes(const Arena& arena, const Motion& motion);
  void see_speeds(const Arena& arena, const Motion& motion);
  void see_fastest(const Arena& arena, const Motion& motion);
  double speed_about(const Arena& arena, const Cluster& cluster) const;
  void look_at(const Arena& arena, const Motion& motion, bool of_one_body, Blocks& list);
  AtRest& at_rest(const Arena& arena, const Block& block, bool list);
  void bound_from_rest(const Arena& arena, const Motion& motion, double within, const Block& block);
  void list_pairs(const Arena& arena, const Motion& motion, double within, const Block& block);
  void find_gaps(const Arena& arena, const Motion& motion, const Block& block);
  void take(const Arena& arena, const Motion& motion, double within, const Block& block);
  void carry(const Arena& arena, const Motion& motion, int ball);
  Deformed::Places carried(const Arena& arena, const Motion& motion, int cluster);
  void activate(const Pair& pair);

  double h_ = 0.0, keep_ = 0.0;
  long step_ = 0;
  std::size_t clusters_ = 0;
  // per cluster
  std::vector<double> reach_;  // m; no ball of it reaches farther from the anchor
  std::vector<double> grown_;  // m; by how much that bound has grown since it was found
  // per cluster, and per solid
  std::vector<double> speeds_;  // m/s; how fast a ball goes against the anchor at most
  std::vector<Vec4> anchors_;   // m/s; how the anchor goes, or the solid
  // per phyxel
  std::vector<Vec4> rest_;             // m
  std::vector<Vec4> v_;                // m/s, at the last look
  std::vector<std::uint8_t> changed_;  // 1: goes otherwise than at the look before
  bool looked_ = false;                // in this step
  Blocks outer_, inner_;               // of different bodies and solids; of one body
  double fastest_ = 0.0;        // m/s, of all looks of the step, as seen from what goes with all
  double fastest_drift_ = 0.0;  // m/s, of all looks of the step, against the mean of the body
  Deformed deformed_;
  std::map<std::array<int, 2>, AtRest> at_rest_;
  std::vector<Vec3> expected_;         // m; phyxels, where the last step left them
  std::vector<Vec3> expected_solids_;  // m
  // of the step
  std::vector<Pair> pairs_;
  std::vector<Parting> partings_;
  Balls balls_;
  std::vector<int> active_;      // balls of pairs
  std::vector<long> carried_;    // per ball: the step in which its place was found
  std::vector<long> activated_;  // per ball: the step in which it became active
};

}  // namespace repose::surfel
