#include "step.h"

#include <algorithm>
#include <cmath>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"
#include "repose/rigid/turning.h"

#include "project.h"
#include "skin.h"
#include "stable_step.h"

namespace repose::molecule {

namespace {

/// A molecule comes no farther in a substep, against what it may meet, than this share of the
/// least radius: planes would otherwise part what could pass beside each other.
constexpr double kTravel = 0.5;
/// Substeps of one iteration for the sake of speed; beyond it motion is coarse, still proven.
constexpr int kMostSubsteps = 256;
/// Rows of skins keep so many times the gap of molecules' rows.
constexpr double kSkinKeeps = 2.0;
/// Times that rows are added to a substep.
constexpr int kRounds = 60;
/// Times that a substep is halved for the sake of turning solids.
constexpr int kHalvings = 6;

/// m; pairs nearer than that get looked at whatever their speed.
double always_within(const Arena& arena, const RowSettings& s) {
  return 8.0 * s.contact_gap * arena.most_radius;
}

const Near& find(const Stage& stage, const Motion& motion, const RowSettings& s,
                 bool same_places = true) {
  const bool skins = stage.settings.detection == Detection::skin;
  const double within = always_within(stage.arena, s);
  return stage.cache.search.update(stage.arena, motion,
                                   {s.h, within, skins, skins ? kSkinKeeps * within : 0.0,
                                    stage.settings.broad_phase, same_places});
}

double stable_step(const Stage& stage, double h) {
  StepCache& cache = stage.cache;
  if (cache.stable_h != h) {
    cache.stable_h = h;
    cache.stable = stable_step_damped(stage.arena, h);
  }
  return cache.stable;
}

/// Pieces of the iteration that speed asks for.
int pieces_for_speed(const Stage& stage, const Motion& motion, double h) {
  const Arena& arena = stage.arena;
  const double most_way = kTravel * arena.least_radius;
  const RowSettings s{h, stage.settings.contact_gap, stage.settings.least_length};
  const Near& near = find(stage, motion, s, false);
  double most = 0.0;
  for (const PointList* list : near.points) {
    if (list->needed <= std::max(most, most_way)) continue;
    for (const PointPair& pair : list->pairs) {
      const double way = h * (motion.v[at(pair.j)] - motion.v[at(pair.i)]).norm();
      const double apart = arena.radius[at(pair.i)] + arena.radius[at(pair.j)];
      if (way > most && (motion.x[at(pair.j)] - motion.x[at(pair.i)]).norm() - apart < way)
        most = way;
    }
  }
  for (const SolidList* list : near.solids) {
    if (list->needed <= std::max(most, most_way)) continue;
    for (const SolidPair& pair : list->pairs) {
      if (list->is_far(pair)) continue;
      const Vec3& v = motion.v[at(pair.point)];
      const RigidMotion& solid = motion.rigids[at(pair.rigid)];
      const Rigid& rigid = arena.rigids[at(pair.rigid)];
      const double turning = rigid.moves() ? solid.angular.norm() * 2.0 * rigid.reach : 0.0;
      const double way = h * ((v - solid.velocity).norm() + turning);
      if (way > most && solid_row(arena, motion, pair, s).gap < way) most = way;
    }
  }
  for (const FacetList* list : near.facets)
    most = std::max(most, facet_way(arena, motion, *list, h));
  for (const rigid::RigidPair& pair : near.rigids) {
    const double way = pair.needed - always_within(arena, s);
    const double small =
        std::min(arena.rigids[at(pair.upper)].reach, arena.rigids[at(pair.lower)].reach);
    // by the size of the smaller one, which may be far above that of molecules
    if (pair.parting.gap < way) most = std::max(most, way * arena.least_radius / small);
  }
  if (!(most > most_way)) return 1;  // also where there is nothing that could meet
  const double pieces = std::ceil(most / most_way);
  return static_cast<int>(std::clamp(pieces, 1.0, static_cast<double>(kMostSubsteps)));
}

/// Impulses of the last substep where the contact is the same.
void start_from(const std::vector<Carried>& carried, double h, std::vector<Row>& rows) {
  auto known = carried.begin();
  for (Row& row : rows) {
    while (known != carried.end() && known->key < row.key) ++known;
    if (known == carried.end() || known->key != row.key) continue;
    row.impulse = h * known->force;
    row.drag = h * known->drag;
  }
}

std::vector<Carried> carried_by(const std::vector<Row>& rows, double h) {
  std::vector<Carried> out;
  for (const Row& row : rows)
    if (row.impulse > 0.0) out.push_back({row.key, row.impulse / h, row.drag / h});
  return out;
}

void insert_rows(std::vector<Row> more, std::vector<Row>& rows) {
  rows.insert(rows.end(), more.begin(), more.end());
  std::sort(rows.begin(), rows.end(), [](const Row& p, const Row& q) { return p.key < q.key; });
}

void stand_still(const Arena& arena, Motion& motion) {
  std::fill(motion.v.begin(), motion.v.end(), Vec3::Zero());
  for (std::size_t r = 0; r < arena.rigids.size(); ++r)
    if (arena.rigids[r].inverse_mass > 0.0)
      motion.rigids[r].velocity = motion.rigids[r].angular = Vec3::Zero();
}

/// How a substep went.
enum class Passed {
  yes,
  halve,   // a turning solid leaves the proof open; nothing has moved
  blocked  // a led solid cannot go on; nothing has moved
};

class Substep {
 public:
  Substep(const Stage& stage, double time, double h, Memory& memory)
      : stage_(stage),
        arena_(stage.arena),
        time_(time),
        memory_(memory),
        rows_settings_{h, stage.settings.contact_gap, stage.settings.least_length},
        rows_(stage.cache.rows),
        solid_skins_(stage.cache.solid_skins) {}

  Passed run(Motion& motion, bool last_try) {
    const double h = rows_settings_.h;
    const std::vector<Vec3> v_before = motion.v;
    const std::vector<RigidMotion> rigids_before = motion.rigids;
    const auto go_back = [&] {
      motion.v = v_before;
      motion.rigids = rigids_before;
    };
    push_freely(stage_, time_, h, motion, pressed_);                   // what pulls them
    const Near& near = find(stage_, motion, rows_settings_);           // who may touch
    make_rows(arena_, motion, near, pressed_, rows_settings_, rows_);  // where, by which plane
    solid_skins_.clear();
    if (stage_.settings.detection == Detection::skin) {
      add_skin_rows(arena_, motion, near, rows_settings_, rows_);
      solid_skins_.look(arena_, motion, near);
      insert_rows(solid_skins_.rows(arena_, motion, rows_settings_), rows_);
    }
    start_from(memory_.carried, h, rows_);
    if (!solve(motion)) {  // how hard they push
      stand_still(arena_, motion);
      ++memory_.effort.held;
      if (!all_proven(motion)) {
        go_back();
        return Passed::blocked;
      }
    }
    if (!go_on(motion)) {
      go_back();
      if (!last_try) return Passed::halve;
      stand_still(arena_, motion);
      ++memory_.effort.held;
      if (!go_on(motion)) {
        go_back();
        return Passed::blocked;
      }
    }
    memory_.carried = carried_by(rows_, h);
    return Passed::yes;
  }

  /// The led solid of the first row that is not proven; -1: none.
  int blocked_body(const Motion& motion) const {
    for (const Row& row : rows_)
      for (const int rigid : row.rigid)
        if (rigid >= 0 && arena_.rigids[at(rigid)].path != nullptr && !is_proven(row, motion))
          return arena_.rigids[at(rigid)].body;
    return -1;
  }

 private:
  /// Velocities at which every pair is proven apart until the substep's end; false if none were
  /// found.
  bool solve(Motion& motion) {
    ProjectSettings s;
    s.max_sweeps = stage_.settings.max_sweeps;
    s.friction = stage_.settings.friction;
    s.together = stage_.settings.response == Response::constraint;
    s.tolerance = stage_.settings.contact_error * stage_.settings.contact_gap *
                  arena_.least_radius / rows_settings_.h;
    for (int round = 0; round < kRounds; ++round) {
      const Projection done = project(arena_, rows_, round > 0, motion, s, stage_.cache.space);
      memory_.effort.sweeps += done.sweeps;
      memory_.effort.merged += done.merged;
      const Near& near = find(stage_, motion, rows_settings_);
      std::vector<Row> missed = missed_rows(arena_, motion, near, pressed_, rows_, rows_settings_);
      solid_skins_.look(arena_, motion, near);
      solid_skins_.add_missed(arena_, motion, rows_settings_, rows_, missed);
      if (missed.empty()) return all_proven(motion);
      insert_rows(std::move(missed), rows_);
    }
    return false;
  }

  static bool is_proven(const Row& row, const Motion& motion) {
    return !row.proves() || speed(row, motion) >= row.least;
  }
  bool all_proven(const Motion& motion) const {
    return std::all_of(rows_.begin(), rows_.end(),
                       [&](const Row& row) { return is_proven(row, motion); });
  }

  /// Moves on for the substep; false, and nothing but solids has moved, where a turning solid might
  /// touch on its way.
  bool go_on(Motion& motion) {
    const double h = rows_settings_.h;
    const std::vector<rigid::RigidPair> pairs = find(stage_, motion, rows_settings_).rigids;
    if (pairs.empty() && !any_spins(motion)) {
      advance(arena_, time_ + h, h, motion);
      return true;
    }
    const Motion from = motion;
    advance(arena_, time_ + h, h, motion);
    if (turning_is_free(pairs, from, motion)) return true;
    motion = from;
    return false;
  }

  /// Molecules before turning solids, and solids before each other.
  bool turning_is_free(const std::vector<rigid::RigidPair>& pairs, const Motion& from,
                       const Motion& to) const {
    const double h = rows_settings_.h;
    const auto turn_of = [&](int rigid) {
      return rigid::Turn{arena_.rigids[at(rigid)], from.rigids[at(rigid)], to.rigids[at(rigid)]};
    };
    const auto row_is_free = [&](const Row& row) {
      if (row.key.kind != RowKey::solid) return true;
      const auto i = at(row.key.a);
      return ball_stays_apart({from.x[i], to.x[i], arena_.radius[i], row.normal, row.gap},
                              turn_of(row.rigid[1]), h);
    };
    const auto pair_is_free = [&](const rigid::RigidPair& pair) {
      return pair_stays_apart(pair, turn_of(pair.upper), turn_of(pair.lower), h);
    };
    const auto skin_is_free = [&](const SkinPlane& plane) {
      const auto& corners = arena_.surface[at(plane.body)][at(plane.triangle)];
      for (std::size_t k = 0; k < 3; ++k)
        if (const auto i = at(corners[k]); !ball_stays_apart(
                {from.x[i], to.x[i], 0.0, -plane.normal, plane.height[k] - plane.lift},
                turn_of(plane.rigid), h))
          return false;
      return true;
    };
    return std::all_of(rows_.begin(), rows_.end(), row_is_free) &&
           std::all_of(pairs.begin(), pairs.end(), pair_is_free) &&
           std::all_of(solid_skins_.planes().begin(), solid_skins_.planes().end(), skin_is_free);
  }

  static bool any_spins(const Motion& motion) {
    return std::any_of(motion.rigids.begin(), motion.rigids.end(),
                       [](const RigidMotion& rigid) { return rigid.angular != Vec3::Zero(); });
  }

  const Stage& stage_;
  const Arena& arena_;
  double time_;
  Memory& memory_;
  RowSettings rows_settings_;
  std::vector<Row>& rows_;
  SolidSkins& solid_skins_;
  std::vector<int> pressed_;  // springs
};

}  // namespace

namespace {

/// Parts of an iteration that differ by less, as a share of it, differ by rounding alone.
constexpr double kSameTime = 1e-9;

/// As much of what is left of an iteration as `most` allows, in equal parts: an iteration ends when
/// it should however its steps were shortened.
double part_of(double left, double most) {
  const double part = left / std::max(1.0, std::ceil(left / most - kSameTime));
  return std::fabs(part - most) <= kSameTime * most ? most : part;
}

}  // namespace

StepOutcome step_proven(const Stage& stage, double time, double h, Motion& motion, Memory& memory) {
  StepOutcome out;
  const double stable = stage.settings.stable_share * stable_step(stage, h);
  const int pieces =
      std::max(static_cast<int>(std::ceil(h / stable)), pieces_for_speed(stage, motion, h));
  const double left = memory.left > 0.0 ? std::min(memory.left, h) : h;
  double piece = part_of(left, h / pieces);
  for (int halvings = 0;; ++halvings, piece *= 0.5) {
    Substep substep(stage, time, piece, memory);
    const Passed passed = substep.run(motion, halvings >= kHalvings);
    if (passed == Passed::halve) continue;
    if (passed == Passed::blocked) {
      out.stuck = true;
      out.stuck_body = substep.blocked_body(motion);
      return out;
    }
    const int rows = static_cast<int>(stage.cache.rows.size());
    ++memory.effort.steps;
    memory.effort.rows += rows;
    memory.effort.most_rows = std::max(memory.effort.most_rows, rows);
    out.h = piece;
    memory.left = left - piece > kSameTime * h ? left - piece : 0.0;
    return out;
  }
}

}  // namespace repose::molecule
