#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "arena.h"
#include "deformed.h"

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
/// falls by no more than their phyxels move against each other; of one body, by no more than they
/// move against its mean. What it remembers saves work and changes no answer.
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

  /// Where all balls are after that, if someone knows.
  void take_centers(std::vector<Vec3> centers);

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

  /// A pair of clusters, or a cluster and a solid.
  struct Block {
    std::array<int, 2> who;         // clusters, the greater first; or a cluster and -1 - solid
    double free = 0.0;              // m; no gap is smaller
    double unlisted = 0.0;          // m; no gap of pairs that are not listed is smaller
    double spent = 0.0;             // m; of one body: what its clusters had gone when that was so
    AtRest* rest = nullptr;         // of one body, once it was asked for
    std::vector<Pair> listed = {};  // pairs that are near
    std::vector<double> gaps = {};  // of them, at the step's start
    long looked = -1;               // the step in which the gaps were found
    double taken = 0.0;             // m; pairs nearer than that are among pairs()
  };
  /// Blocks that were found together; what was farther apart then is in none.
  struct BlockList {
    std::vector<Block> blocks;  // sorted
    double margin = -1.0;       // m; what is left of what they were found ahead by
  };

  bool goes_on(const Arena& arena, const Motion& motion) const;
  /// m; pairs nearer than that are always told.
  double near_gap() const { return kNearGaps * keep_; }

  void start(const Arena& arena);
  double reach(const Arena& arena, const Motion& motion, std::size_t cluster);
  void list_blocks(const Arena& arena, const Motion& motion, bool of_one_body, double fastest,
                   BlockList& list);
  void find_clusters(const Arena& arena, const Motion& motion, bool of_one_body, double margin,
                     std::vector<Block>& out);
  void find_solids(const Arena& arena, const Motion& motion, double margin,
                   std::vector<Block>& out);
  void look_within_bodies(const Arena& arena, const Motion& motion);
  double spent_by(const std::array<int, 2>& who) const;
  void see_speeds(const Arena& arena, const Motion& motion);
  double tight_speed(const Arena& arena, const Motion& motion, int cluster);
  double approach(const Arena& arena, const Motion& motion, const Block& block, double upper,
                  double lower) const;
  double approach(const Arena& arena, const Motion& motion, const Block& block) const;
  double tight_approach(const Arena& arena, const Motion& motion, const Block& block);
  AtRest& at_rest(const Arena& arena, Block& block, bool list);
  void bound_from_rest(const Arena& arena, const Motion& motion, double within, Block& block);
  void list_pairs(const Arena& arena, const Motion& motion, double within, Block& block);
  void find_gaps(const Arena& arena, const Motion& motion, Block& block);
  void take(const Arena& arena, const Motion& motion, double within, Block& block);
  void carry(const Arena& arena, const Motion& motion, int ball);
  Deformed::Places carried(const Arena& arena, const Motion& motion, int cluster);
  void activate(const Pair& pair);

  double h_ = 0.0, keep_ = 0.0;
  long step_ = 0;
  // per cluster
  std::vector<double> reach_;    // m; no ball of it reaches farther from the anchor
  std::vector<double> grown_;    // m; by how much that bound has grown since it was found
  std::vector<double> speeds_;   // m/s; how fast a ball goes against the anchor at most
  std::vector<double> drifts_;   // m/s; how fast a ball goes against the body's mean at most
  std::vector<double> gone_;     // m; sum of that over all steps
  std::vector<double> ahead_;    // m; the same at the step's end
  std::vector<long> tightened_;  // the look in which a speed was made as small as can be shown
  long looks_ = 0;
  BlockList outer_, inner_;         // of different bodies and solids; of one body
  std::vector<double> inner_keys_;  // m; of inner blocks: free and spent together
  double fastest_ = 0.0;            // m/s, of all looks of the step
  double fastest_drift_ = 0.0;      // m/s, of all looks of the step
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
