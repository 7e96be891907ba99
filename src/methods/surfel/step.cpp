#include "step.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
/// What must stay of a gap, of the one to keep: rounding is far below.
constexpr double kLeastKept = 0.05;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

double step_length(const Stage& stage, const Motion& motion, double most_square) {
  const Arena& arena = stage.arena;
  // the stiffest swing of neo-Hooke's solid grows with the square of its stretch
  const double stiffer = std::max(1.0, most_square / 3.0);
  const double stable = std::min(stage.settings.longest_step,
                                 stage.settings.stable_share * arena.stable_step / stiffer);
  double fastest = 0.0;
  for (const Vec3& v : motion.v) fastest = std::max(fastest, v.norm());
  const double travel = kTravel * arena.least_radius;
  return fastest * stable > travel ? std::max(travel / fastest, kShortest * stable) : stable;
}

class Step {
 public:
  Step(const Stage& stage, double h, Memory& memory)
      : stage_(stage),
        arena_(stage.arena),
        h_(h),
        keep_(stage.settings.contact_gap * stage.arena.least_radius),
        memory_(memory),
        rows_(stage.cache.rows) {}

  /// Velocities at which every pair is proven apart until the step's end; false if a led solid
  /// leaves none.
  bool solve(Motion& motion) {
    rows_.rows.clear();
    rows_.parts.clear();
    balls_.centers = at_balls(arena_, motion.x);
    look(motion, true);
    start(motion);
    ProjectSettings s;
    s.max_sweeps = stage_.settings.max_sweeps;
    s.tolerance = stage_.settings.contact_error * keep_ / h_;
    for (int round = 0; round < kRounds && add_rows(motion); ++round) {
      memory_.effort.sweeps += project(arena_, rows_, s, motion).sweeps;
      ++memory_.effort.rounds;
      look(motion, false);
    }
    return close(motion);
  }

  double worst_gap(const Motion& motion) const {
    double out = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t k = 0; k < pairs().size(); ++k) {
      const double gap = partings_[k].gap + h_ * speed_of(motion, balls_, pairs()[k], partings_[k]);
      if (!(out <= gap)) out = gap;
    }
    return out;
  }

  /// The led solid of the first open pair; -1: none.
  int stuck_body(const Motion& motion) const {
    for (const Open& one : open_pairs(motion))
      if (const int solid = one.pair.solid; solid >= 0) return arena_.solids[at(solid)].body;
    return -1;
  }

 private:
  const std::vector<Pair>& pairs() const { return stage_.cache.search.pairs(); }

  /// Where everything goes, and who may touch.
  void look(const Motion& motion, bool first) {
    balls_.velocities = at_balls(arena_, motion.v);
    const bool other = stage_.cache.search.update(arena_, motion, balls_, h_, keep_);
    if (!other && !first) return;
    partings_.clear();
    for (const Pair& pair : pairs()) partings_.push_back(parting_of(arena_, motion, balls_, pair));
  }

  /// Rows that pushed in the step before, with what they carried.
  void start(Motion& motion) {
    auto known = memory_.carried.begin();
    for (std::size_t k = 0; k < pairs().size(); ++k) {
      while (known != memory_.carried.end() && known->pair < pairs()[k]) ++known;
      if (known == memory_.carried.end() || known->pair != pairs()[k]) continue;
      add_row(arena_, motion, balls_, pairs()[k], partings_[k], keep_, h_, rows_);
      Row& row = rows_.rows.back();
      row.impulse = h_ * known->force;
      row.drag = h_ * (known->drag - row.parting.normal.dot(known->drag) * row.parting.normal);
      push_with(arena_, rows_, row, motion);
    }
    if (!rows_.rows.empty()) balls_.velocities = at_balls(arena_, motion.v);
  }

  /// Rows for pairs that would come too near; of those of one ball the worst first. The step's
  /// first round always has something to do where there are rows. False: nothing is missing.
  bool add_rows(const Motion& motion) {
    std::vector<std::pair<double, int>> missing;
    for (std::size_t k = 0; k < pairs().size(); ++k) {
      const double gap = partings_[k].gap + h_ * speed_of(motion, balls_, pairs()[k], partings_[k]);
      if (gap < keep_ - stage_.settings.contact_error * keep_)
        missing.emplace_back(gap, static_cast<int>(k));
    }
    std::sort(missing.begin(), missing.end());
    std::vector<Pair> there;
    for (const Row& row : rows_.rows) there.push_back(row.pair);
    std::sort(there.begin(), there.end());
    std::vector<bool> taken(at(arena_.balls()), false);
    const std::size_t before = rows_.rows.size();
    for (const auto& [gap, k] : missing) {
      const Pair& pair = pairs()[at(k)];
      if (std::binary_search(there.begin(), there.end(), pair)) continue;
      if (taken[at(pair.ball)] || (pair.other >= 0 && taken[at(pair.other)])) continue;
      taken[at(pair.ball)] = true;
      if (pair.other >= 0) taken[at(pair.other)] = true;
      add_row(arena_, motion, balls_, pair, partings_[at(k)], keep_, h_, rows_);
    }
    const bool first = !started_ && !rows_.rows.empty();
    started_ = true;
    return first || rows_.rows.size() > before;
  }

  std::vector<Open> open_pairs(const Motion& motion) const {
    std::vector<Open> out;
    for (std::size_t k = 0; k < pairs().size(); ++k) {
      const double gap = partings_[k].gap;
      const double way = h_ * speed_of(motion, balls_, pairs()[k], partings_[k]);
      const double least = std::min(gap, kLeastKept * keep_);
      if (gap + way < least) out.push_back({pairs()[k], std::max(0.0, (gap - least) / -way)});
    }
    return out;
  }

  /// What the sweeps left open is closed by slowing bodies down; open pairs gather until there are
  /// none. False if even standing still leaves one open.
  bool close(Motion& motion) {
    std::vector<Open> gathered;
    const auto most = 2 * arena_.friction.size() + 2;
    for (std::size_t round = 0; round <= most; ++round) {
      look(motion, false);
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
  Balls balls_;
  std::vector<Parting> partings_;
  bool started_ = false;
};

std::vector<Carried> carried_by(const Rows& rows, double h) {
  std::vector<Carried> out;
  for (const Row& row : rows.rows)
    if (row.impulse > 0.0) out.push_back({row.pair, row.impulse / h, row.drag / h});
  std::sort(out.begin(), out.end(),
            [](const Carried& p, const Carried& q) { return p.pair < q.pair; });
  return out;
}

void advance(const Arena& arena, double h, Motion& motion) {
  for (std::size_t i = 0; i < motion.x.size(); ++i) motion.x[i] += h * motion.v[i];
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    motion.solids[s].position += h * motion.solid_velocities[s];
}

}  // namespace

StepOutcome step_proven(const Stage& stage, double time, Motion& motion, Memory& memory) {
  const Motion before = motion;
  std::vector<Vec3>& forces = stage.cache.forces;
  const Strained strained = elastic_forces(stage.arena, stage.settings.stress, motion, forces);
  const double h = step_length(stage, motion, strained.most_square);
  push_freely(stage.arena, stage.problem, forces, time, h, motion);  // what pulls them
  Step step(stage, h, memory);
  StepOutcome out;
  out.h = h;
  if (!step.solve(motion)) {  // how hard they push
    out.stuck_body = step.stuck_body(motion);
    motion = before;
    return out;
  }
  memory.worst_gap = step.worst_gap(motion);
  memory.carried = carried_by(stage.cache.rows, h);
  advance(stage.arena, h, motion);
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
