#include "step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "elasticity.h"
#include "motion.h"
#include "project.h"

namespace repose::surfel {

namespace {

/// A ball goes no farther in a step than this share of the least radius, as long as the step is not
/// cut below the other share: planes would part what could pass beside each other.
constexpr double kTravel = 0.5;
constexpr double kShortest = 0.02;
/// Times that rows are added to a step.
constexpr int kRounds = 40;
/// Times that a step is halved in which nothing gives way to a led body.
constexpr int kHalvings = 6;
/// A contact of the step before is still there while its gap is below so many of those to keep.
constexpr double kStillThere = 10.0;
/// What must stay of a gap, of the one to keep: rounding is far below.
constexpr double kLeastKept = 0.05;

double step_length(const Stage& stage, const Motion& motion, double most_square) {
  const Arena& arena = stage.arena;
  // the stiffest swing of neo-Hooke's solid grows with the square of its stretch
  const double stiffer = std::max(1.0, most_square / 3.0);
  const double stable = std::min(stage.settings.longest_step,
                                 stage.settings.stable_share * arena.stable_step / stiffer);
  double most = 0.0;
  for (const Vec3& v : motion.v) most = std::max(most, v.norm());
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    if (arena.solids[s].is_free())
      most = std::max(most, fastest(arena.solids[s], motion.solids[s]));
  const double travel = kTravel * arena.least_radius;
  const double keep = stage.settings.contact_gap * arena.least_radius;
  const double wanted = std::min(most * stable > travel ? travel / most : stable,
                                 turning_limit(arena, motion, keep, most));
  return std::max(std::min(wanted, stable), std::min(stable, kShortest * stable));
}

class Step {
 public:
  Step(const Stage& stage, double h, Memory& memory)
      : stage_(stage),
        arena_(stage.arena),
        h_(h),
        keep_(stage.settings.contact_gap * stage.arena.least_radius),
        memory_(memory),
        rows_(stage.cache.rows),
        search_(stage.cache.search),
        solids_(stage.cache.solids) {}

  /// Velocities at which every pair is proven apart until the step's end; false if a led solid
  /// leaves none.
  bool solve(Motion& motion) {
    rows_.rows.clear();
    rows_.parts.clear();
    search_.begin(arena_, motion, h_, keep_);
    solids_.look(arena_, motion, h_, keep_);
    start(motion);
    look(motion);
    ProjectSettings s;
    s.friction = stage_.settings.friction;
    s.max_sweeps = stage_.settings.max_sweeps;
    s.tolerance = stage_.settings.contact_error * keep_ / h_;
    for (int round = 0; round < kRounds && add_rows(motion); ++round) improve(s, motion);
    // what so many sweeps have not reached, more may
    for (int round = 0; round < kRounds && !open_pairs(motion).empty(); ++round) {
      improve(s, motion);
      add_rows(motion);
    }
    return close(motion);
  }

  /// m; of the pairs that have rows, at the step's end. Unknown without any.
  double worst_gap(const Motion& motion) const {
    double out = std::numeric_limits<double>::quiet_NaN();
    for (const Row& row : rows_.rows) {
      const double gap = row.parting.gap + h_ * speed_of_row(motion, row);
      if (!(out <= gap)) out = gap;
    }
    return out;
  }

  /// The held solid of the first open pair, else any body of one; -1: none is open.
  int stuck_body(const Motion& motion) const {
    const std::vector<Open> open = open_pairs(motion);
    for (const Open& one : open)
      if (const int solid = arena_.solid_of[at(one.bodies[1])]; solid >= 0) return one.bodies[1];
    return open.empty() ? -1 : open[0].bodies[0];
  }

  /// Whether turning solids leave everything apart on their way from where they were; balls went
  /// straight. Answers the body of a solid that might not; -1: all do.
  int turned_into(const std::vector<rigid::RigidMotion>& from, const Motion& to) const {
    for (std::size_t k = 0; k < pairs().size(); ++k) {
      const int s = pairs()[k].solid;
      if (s < 0) continue;
      const auto ball = at(pairs()[k].ball);
      const rigid::BallBefore way{balls().centers[ball],
                                  balls().centers[ball] + h_ * balls().velocities[ball],
                                  arena_.radius[ball], parting(k).normal, parting(k).gap};
      if (!ball_stays_apart(way, {arena_.solids[at(s)], from[at(s)], to.solids[at(s)]}, h_))
        return arena_.solids[at(s)].body;
    }
    const rigid::RigidPair* open = solids_.first_open(arena_, from, to.solids, h_);
    return open != nullptr ? arena_.solids[at(open->upper)].body : -1;
  }

 private:
  void look(const Motion& motion) {
    search_.look(arena_, motion);
    solids_.look(arena_, motion, h_, keep_);
  }
  double speed_of_row(const Motion& motion, const Row& row) const {
    return row.key.pair.ball < 0 ? speed_of(motion, row.key.touching, row.parting.normal, row.point)
                                 : speed_of(motion, balls(), row.key.pair, row.parting);
  }
  /// m; how far apart a corner of a solid is from a plane at the step's end.
  double gap_at_end(const Motion& motion, const SolidCorner& corner) const {
    return corner.parting.gap +
           h_ * speed_of(motion, corner.touching, corner.parting.normal, corner.point);
  }
  const std::vector<Pair>& pairs() const { return search_.pairs(); }
  const Parting& parting(std::size_t pair) const { return search_.partings()[pair]; }
  const Balls& balls() const { return search_.balls(); }
  /// m; how far apart a pair is at the step's end.
  double gap_at_end(const Motion& motion, std::size_t pair) const {
    return parting(pair).gap + h_ * speed_of(motion, balls(), pairs()[pair], parting(pair));
  }

  void improve(const ProjectSettings& s, Motion& motion) {
    memory_.effort.sweeps += project(arena_, rows_, s, motion).sweeps;
    ++memory_.effort.rounds;
    look(motion);
  }

  /// Rows that pushed in the step before, with what they carried.
  void start(Motion& motion) {
    for (const Carried& known : memory_.carried) {
      if (!start_row(motion, known.key)) continue;
      Row& row = rows_.rows.back();
      const Parting& now = row.parting;
      row.impulse = h_ * known.force;
      if (stage_.settings.friction)
        row.drag = h_ * (known.drag - now.normal.dot(known.drag) * now.normal);
      push_with(arena_, rows_, row, motion);
    }
  }

  /// The row of a contact of the step before; false: it is there no more.
  bool start_row(const Motion& motion, const RowKey& key) {
    if (key.pair.ball < 0) {
      const SolidCorner* corner = solids_.find(key.touching);
      if (corner == nullptr || !(corner->parting.gap < kStillThere * keep_)) return false;
      add_row(arena_, motion, key.touching, corner->parting, corner->point, keep_, h_, rows_);
      return true;
    }
    const Parting now = search_.known(arena_, motion, key.pair);
    if (!(now.gap < kStillThere * keep_)) return false;
    add_row(arena_, motion, balls(), key.pair, now, keep_, h_, rows_);
    return true;
  }

  /// Rows for pairs that would come too near; of those of one ball the worst first. The step's
  /// first round always has something to do where there are rows. False: nothing is missing.
  bool add_rows(const Motion& motion) {
    // of equally near ones by their names: the order in which they were found does not matter
    std::vector<std::tuple<double, Pair, std::size_t>> missing;
    for (std::size_t k = 0; k < pairs().size(); ++k) {
      const double gap = gap_at_end(motion, k);
      if (gap < keep_ - stage_.settings.contact_error * keep_)
        missing.emplace_back(gap, pairs()[k], k);
    }
    std::sort(missing.begin(), missing.end());
    std::vector<RowKey> there;
    for (const Row& row : rows_.rows) there.push_back(row.key);
    std::sort(there.begin(), there.end());
    const auto has_row = [&](const RowKey& key) {
      return std::binary_search(there.begin(), there.end(), key);
    };
    std::vector<int> taken;  // balls
    const auto is_taken = [&](int ball) {
      return std::find(taken.begin(), taken.end(), ball) != taken.end();
    };
    const std::size_t before = rows_.rows.size();
    for (const auto& [gap, pair, k] : missing) {
      if (has_row({pair, {}})) continue;
      if (is_taken(pair.ball) || (pair.other >= 0 && is_taken(pair.other))) continue;
      taken.push_back(pair.ball);
      if (pair.other >= 0) taken.push_back(pair.other);
      add_row(arena_, motion, balls(), pair, parting(k), keep_, h_, rows_);
    }
    for (const SolidCorner& corner : solids_.corners())
      if (gap_at_end(motion, corner) < keep_ - stage_.settings.contact_error * keep_ &&
          !has_row({{-1, -1, -1, -1}, corner.touching}))
        add_row(arena_, motion, corner.touching, corner.parting, corner.point, keep_, h_, rows_);
    const bool first = !started_ && !rows_.rows.empty();
    started_ = true;
    return first || rows_.rows.size() > before;
  }

  std::vector<Open> open_pairs(const Motion& motion) const {
    std::vector<Open> out;
    const auto look_at = [&](const RowKey& key, double gap, double end) {
      const double least = std::min(gap, kLeastKept * keep_);
      if (end < least)
        out.push_back({bodies_of(arena_, key), std::max(0.0, (gap - least) / (gap - end))});
    };
    for (std::size_t k = 0; k < pairs().size(); ++k)
      look_at({pairs()[k], {}}, parting(k).gap, gap_at_end(motion, k));
    for (const SolidCorner& corner : solids_.corners())
      look_at({{-1, -1, -1, -1}, corner.touching}, corner.parting.gap, gap_at_end(motion, corner));
    return out;
  }

  /// What the sweeps left open is closed by slowing bodies down; open pairs gather until there are
  /// none. False if even standing still leaves one open.
  bool close(Motion& motion) {
    std::vector<Open> gathered;
    const auto most = 2 * arena_.friction.size() + 2;
    for (std::size_t round = 0; round <= most; ++round) {
      if (round > 0) look(motion);
      const std::vector<Open> open = open_pairs(motion);
      if (open.empty()) return true;
      // in the end everything that is still open stands still
      gathered.insert(gathered.end(), open.begin(), open.end());
      if (round > 0)
        for (Open& one : gathered) one.share = round + 1 < most ? 0.5 * one.share : 0.0;
      memory_.effort.slowed += slow_down(arena_, gathered, motion);
    }
    return false;
  }

  const Stage& stage_;
  const Arena& arena_;
  double h_, keep_;
  Memory& memory_;
  Rows& rows_;
  NearSearch& search_;
  SolidContacts& solids_;
  bool started_ = false;
};

std::vector<Carried> carried_by(const Rows& rows, double h) {
  std::vector<Carried> out;
  for (const Row& row : rows.rows)
    if (row.impulse > 0.0) out.push_back({row.key, row.impulse / h, row.drag / h});
  std::sort(out.begin(), out.end(),
            [](const Carried& p, const Carried& q) { return p.key < q.key; });
  return out;
}

}  // namespace

StepOutcome step_proven(const Stage& stage, double time, Motion& motion, Memory& memory) {
  const Motion before = motion;
  std::vector<Vec3>& forces = stage.cache.forces;
  const Strained strained = elastic_forces(stage.arena, stage.settings.stress, motion, forces);
  double h = step_length(stage, motion, strained.most_square);
  StepOutcome out;
  for (int halved = 0;; ++halved, h *= 0.5) {
    push_freely(stage.arena, stage.problem, forces, time, h, motion);  // what pulls them
    Step step(stage, h, memory);
    if (step.solve(motion)) {  // how hard they push
      memory.worst_gap = step.worst_gap(motion);
      const std::vector<rigid::RigidMotion> from = motion.solids;
      advance(stage.arena, time + h, h, motion);
      out.stuck_body = step.turned_into(from, motion);
      if (out.stuck_body < 0) break;
    } else {
      out.stuck_body = step.stuck_body(motion);
    }
    // a led body goes less far in a shorter step, and gives others time to make way; a turning one
    // leaves its tangent less
    motion = before;
    if (halved < kHalvings) continue;
    stage.cache.search.clear();
    return out;
  }
  out.h = h;
  memory.carried = carried_by(stage.cache.rows, h);
  stage.cache.search.end(motion);
  flow(stage.arena, h, motion);  // what lasts
  const int rows = static_cast<int>(stage.cache.rows.rows.size());
  ++memory.effort.steps;
  memory.effort.rows += rows;
  memory.effort.most_rows = std::max(memory.effort.most_rows, rows);
  memory.effort.inverted += strained.inverted;
  memory.inverted = strained.inverted;
  memory.last_step = h;
  return out;
}

}  // namespace repose::surfel
