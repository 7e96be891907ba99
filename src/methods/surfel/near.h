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
  /// Everything went straight to these places with the velocities of the last look.
  void end(const Motion& motion);

  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::vector<Parting>& partings() const { return partings_; }
  const Balls& balls() const { return balls_; }
  void clear() { *this = NearSearch(); }

 private:
  /// Pairs of two clusters of one body that are near at rest, by their gaps, m.
  using AtRest = std::vector<std::pair<double, Pair>>;

  /// What is known of the balls of a block, once it had to be looked at.
  struct Detail {
    double unlisted = 0.0;          // m; no gap of pairs that are not listed was smaller
    double gone = 0.0;              // m; what the block had gone when that was so
    const AtRest* rest = nullptr;   // of one body, once it was asked for
    std::vector<Pair> listed = {};  // pairs that are near
    std::vector<double> gaps = {};  // of them, at the step's start
    long looked = -1;               // the step in which the gaps were found
    long bounded = -1;              // the step in which a bound was made of those at rest
    double taken = 0.0;             // m; pairs nearer than that are among pairs()
  };

  /// What is known of the balls of a block of one body at rest, once it was asked for.
  struct AtRestBound {
    bool known = false;
    double least = 0.0;  // m; no gap is smaller
    Directions near;     // of the pairs that are listed
  };

  /// Blocks that were found together; what was farther apart then is in none. A block is a pair of
  /// clusters, the greater first, or a cluster and a solid, whose names follow the clusters'.
  struct Blocks {
    std::vector<std::array<int, 2>> who;  // sorted
    std::vector<double> free;             // m; no gap is smaller
    std::vector<double> nearer;  // m; by how much at most in the step, as the last look saw it
    std::vector<double> gone;    // m; the sum of that over the steps since it was found
    std::vector<AtRestBound> at_rest;
    std::vector<int> detail;  // in details; -1: none
    std::vector<Detail> details;
    double margin = -1.0;  // m; what is left of what they were found ahead by

    std::size_t size() const { return who.size(); }
    void end_step(std::size_t k) {
      free[k] -= nearer[k];
      gone[k] += nearer[k];
    }
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
  struct Found {
    std::array<int, 2> who;
    double gap = 0.0;  // m; no gap is smaller
    friend auto operator<=>(const Found&, const Found&) = default;
  };
  /// Where the clusters stand that are compared, and how far they reach.
  struct Standing {
    std::vector<int> clusters;
    std::vector<Vec3> anchors;    // m
    std::vector<double> reaches;  // m; no ball reaches farther from the anchor
  };

  /// A rigid motion: no two points that share it come nearer while they go straight.
  struct Rigid {
    Vec4 center = Vec4::Zero();    // m
    Vec4 velocity = Vec4::Zero();  // m/s, there
    Vec3 turning = Vec3::Zero();   // rad/s
    Vec4 at(const Vec4& place) const;
  };

  /// Self-contact of one body. How its phyxels stand is compared with a standing of before, that at
  /// rest to begin with, moved as the whole body has: gaps have fallen by no more than what the
  /// phyxels differ. Where that is not enough its blocks are followed step by step.
  struct Within {
    int body = 0;
    std::vector<Vec4> standing;  // m; of its phyxels
    bool stands_at_rest = true;
    Blocks blocks;                    // `margin`: gaps of all others were larger in that standing
    std::vector<double> key;          // m; no gap of a block was smaller in that standing
    double least = 0.0;               // m; of all keys
    double spread = 1.0;              // largest of its clusters
    std::size_t first = 0, last = 0;  // its clusters
    // of the step
    std::vector<Vec4> start;     // m; how phyxels differ from the standing
    double most_at_start = 0.0;  // m; by how much at most
    Rigid rigid;                 // how it goes as a whole
    long followed = -1;          // the step in which its blocks are followed
    bool follows = false;        // after the last look
    long kept = -1;              // the last step through which they were, to the end
    // blocks that are followed one by one; the others sleep until the fastest two could have met
    std::vector<std::size_t> awake, asleep;
    bool woken = false;          // not all awake ones have been looked at
    long together = 0;           // the step in which all that were soon due were looked at last
    double asleep_least = 0.0;   // m; no gap of those asleep was smaller
    double asleep_gone = 0.0;    // m; what any of them may have gone since
    double asleep_nearer = 0.0;  // m; and may go in this step
  };

  bool goes_on(const Arena& arena, const Motion& motion) const;
  /// m; pairs nearer than that are always told.
  double near_gap() const { return kNearGaps * keep_; }
  /// The solid of a block; -1: it is one of clusters.
  int solid_of(const Block& block) const;

  void start(const Arena& arena);
  void list_blocks(const Arena& arena, const Motion& motion);
  Standing standing_now(const Arena& arena, const Motion& motion);
  static void find_clusters(const Arena& arena, const Standing& all, bool of_one_body,
                            double margin, std::vector<Found>& out);
  void find_solids(const Arena& arena, const Motion& motion, const Standing& all, double margin,
                   std::vector<Found>& out) const;
  static void put_blocks(std::vector<Found> found, Blocks& list);
  void see_fastest(const Arena& arena, const Motion& motion);
  void see_changes(const Motion& motion);
  bool is_known(long seen, int cluster) const;
  double speed_of(const Arena& arena, const Motion& motion, int who);
  Vec4 velocity_of(const Arena& arena, const Motion& motion, int who) const;
  Rigid rigid_of(const Arena& arena, const Motion& motion, int body) const;
  void see_paces(const Arena& arena, Within& body);
  double approach(const Arena& arena, const Motion& motion, const std::array<int, 2>& who);
  void look_between(const Arena& arena, const Motion& motion);
  void start_within(const Arena& arena);
  void list_within(const Arena& arena, const Standing& all, double margin, Within& body);
  void stand_at_rest(const Arena& arena, Within& body);
  void stand_anew(const Arena& arena, const Motion& motion, Within& body);
  void begin_within(const Arena& arena, const Motion& motion, Within& body) const;
  double most_at_end(const Arena& arena, const Within& body) const;
  void look_within(const Arena& arena, const Motion& motion, Within& body);
  void start_following(const Arena& arena, Within& body) const;
  void put_to_sleep(const Arena& arena, Within& body) const;
  static void settle(Within& body);
  double nearer_within(const std::array<int, 2>& who) const;
  void wake(const Arena& arena, const Motion& motion, Within& body);
  void follow_awake(const Arena& arena, const Motion& motion, Within& body);
  void follow(const Arena& arena, const Motion& motion, std::size_t k, double steps, Within& body);
  const AtRestBound& at_rest_of(const Arena& arena, const Block& block);
  const AtRest& list_at_rest(const Arena& arena, const Block& block);
  void bound_from_rest(const Arena& arena, double within, const AtRestBound& at_rest,
                       const Block& block);
  void list_pairs(const Arena& arena, const Motion& motion, double within, const Block& block);
  void find_gaps(const Arena& arena, const Motion& motion, const Block& block);
  void take(const Arena& arena, const Motion& motion, double within, const Block& block);
  void carry(const Arena& arena, int ball);
  Deformed::Places carried(const Arena& arena, int cluster);
  void activate(const Pair& pair);

  double h_ = 0.0, keep_ = 0.0;
  long step_ = 0, looks_ = 0;
  std::size_t clusters_ = 0;
  // per cluster
  std::vector<double> speeds_;    // m/s; how fast a ball goes against the anchor at most
  std::vector<long> seen_;        // the look in which that was found
  std::vector<double> paces_;     // m/s; the same without the body's rigid motion
  std::vector<Vec4> drifts_;      // m/s; of the anchor, without that motion
  std::vector<long> paces_seen_;  // the look in which these were found
  std::vector<long> changed_;     // the last look that found a velocity changed that it reads
  long all_changed_ = 0;          // the first look of the step
  std::vector<long> placed_in_;   // the step in which its balls were placed
  std::vector<int> cluster_of_;   // per ball; -1: it meets nothing
  std::vector<int> slot_of_;      // per ball: its place in the order of clusters
  std::vector<Vec4> placed_;      // m; balls in that order
  std::vector<Vec4> local_;       // m; phyxels of one cluster: room
  // per phyxel, and one past the end: the clusters that read it
  std::vector<int> first_reader_, readers_;
  // per phyxel
  std::vector<Vec4> rest_, x_;  // m
  std::vector<double> spread_;  // per body: the largest of its clusters; 0: it has none
  std::vector<Vec4> v_;         // m/s, at the last look
  std::vector<Vec4> strained_;  // m/s; without the rigid motions of bodies
  Blocks outer_;                // of different bodies and solids
  double fastest_ = 0.0;        // m/s, of all looks of the step, as seen from what goes with all
  std::vector<Within> within_;
  // m^2; and centres and radii of a cluster's balls, m: room for comparing all balls of a block
  Eigen::Array<double, 1, Eigen::Dynamic> squares_, beside_;
  Eigen::Array<double, 4, Eigen::Dynamic, Eigen::RowMajor> there_;
  std::vector<Vec3> ways_;        // directions between balls: room for one block's
  std::vector<std::size_t> hot_;  // blocks whose listed pairs are near
  Deformed deformed_;
  std::map<std::array<int, 2>, AtRest> at_rest_;
  std::vector<Vec3> expected_;  // m; phyxels, where the last step left them
  std::vector<Pose> expected_solids_;
  // of the step
  std::vector<Pair> pairs_;
  std::vector<Parting> partings_;
  Balls balls_;
  std::vector<int> active_;      // balls of pairs
  std::vector<long> moved_;      // per ball: the look in which its velocity was found
  std::vector<long> carried_;    // per ball: the step in which its place was found
  std::vector<long> activated_;  // per ball: the step in which it became active
};

/// How far a ball of a cluster goes farther than its anchor at most, if the phyxels go by `ways`:
/// these are linear about the anchor but for a rest, and the weights of balls reproduce the linear
/// part. `ways[0]` is that of phyxel `first`.
double most_about(const Arena& arena, const std::vector<Vec4>& rest, const Cluster& cluster,
                  const std::vector<Vec4>& ways, int first);

}  // namespace repose::surfel
