#include "project.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

namespace repose::molecule {

namespace {

/// Sweeps with friction before the normals alone are brought to their target.
constexpr int kFrictionSweeps = 6;
constexpr int kLeastFrictionSweeps = 2;
/// Times that frictions follow the normals after that, and how far off their cones they may stay.
constexpr int kFrictionRounds = 8;
constexpr double kOffCone = 1e-3;
/// Sweeps of normals after which conjugate gradients take over, and their rounds.
constexpr int kSweepsBeforeGradients = 8;
constexpr int kGradientRounds = 40;
/// What these cost, in sweeps.
constexpr int kSweepsOfGradients = 10;

double worst_of(const std::vector<Row>& rows, const Motion& motion) {
  double out = 0.0;
  for (const Row& row : rows)
    if (row.inverse_diagonal > 0.0) out = std::max(out, row.target - speed(row, motion));
  return out;
}

Lean lean_of(const Arena& arena, const Motion& motion, const Row& row) {
  Lean out;
  out.normal = row.normal;
  out.target = row.target;
  out.inverse_diagonal = row.inverse_diagonal;
  out.impulse = row.impulse;
  const bool pair = row.points == 2 && row.rigid[0] < 0 && row.rigid[1] < 0 &&
                    row.weight[0] == 1.0 && row.weight[1] == -1.0;
  const auto stands = [&](int rigid) {
    const RigidMotion& solid = motion.rigids[static_cast<std::size_t>(rigid)];
    return !arena.rigids[static_cast<std::size_t>(rigid)].moves() &&
           solid.velocity == Vec3::Zero() && solid.angular == Vec3::Zero();
  };
  const bool alone =
      row.points == 1 && row.rigid[0] < 0 && row.rigid[1] >= 0 && stands(row.rigid[1]);
  if (!pair && !alone) return out;
  out.upper = row.point[0];
  out.share_upper = arena.inverse_mass[static_cast<std::size_t>(out.upper)];
  if (alone) return out;
  out.lower = row.point[1];
  out.share_lower = arena.inverse_mass[static_cast<std::size_t>(out.lower)];
  return out;
}

/// Every row once to its best; answers how far the worst was from its target before its turn.
double sweep_normals(const Arena& arena, const std::vector<Row>& rows, std::vector<Lean>& leans,
                     Motion& motion) {
  double worst = 0.0;
  for (std::size_t r = 0; r < leans.size(); ++r) {
    Lean& lean = leans[r];
    if (lean.inverse_diagonal == 0.0) continue;
    Vec3* upper = lean.upper >= 0 ? &motion.v[static_cast<std::size_t>(lean.upper)] : nullptr;
    Vec3* lower = lean.lower >= 0 ? &motion.v[static_cast<std::size_t>(lean.lower)] : nullptr;
    double now = 0.0;
    if (upper == nullptr)
      now = speed(rows[r], motion);
    else if (lower == nullptr)
      now = lean.normal.dot(*upper);
    else
      now = lean.normal.dot(*upper - *lower);
    const double lack = lean.target - now;
    worst = std::max(worst, lack);
    const double wanted = std::max(0.0, lean.impulse + lack * lean.inverse_diagonal);
    const double change = wanted - lean.impulse;
    if (change == 0.0) continue;
    lean.impulse = wanted;
    if (upper == nullptr) {
      push(arena, rows[r], change, motion);
      continue;
    }
    *upper += (change * lean.share_upper) * lean.normal;
    if (lower != nullptr) *lower -= (change * lean.share_lower) * lean.normal;
  }
  return worst;
}

void take_impulses(const std::vector<Lean>& leans, std::vector<Row>& rows) {
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].impulse = leans[r].impulse;
}

/// Friction for rows that push and have none yet, starting from the row's own.
void add_frictions(const Arena& arena, const std::vector<Row>& rows, const Motion& motion,
                   ProjectSpace& space) {
  auto& [out, leans, has, grips] = space;
  has.resize(rows.size(), false);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    if (has[r] || !(row.impulse > 0.0) || !(row.friction > 0.0)) continue;
    has[r] = true;
    out.push_back(make_friction(arena, motion, rows, static_cast<int>(r), grips));
    Friction& made = out.back();
    made.impulse = {row.drag.dot(made.tangent[0]), row.drag.dot(made.tangent[1])};
  }
}

/// Those of rows that push only now; what they brought from before has not been applied.
void add_new_frictions(const Arena& arena, const std::vector<Row>& rows, const Motion& motion,
                       ProjectSpace& space) {
  const std::size_t before = space.frictions.size();
  add_frictions(arena, rows, motion, space);
  for (std::size_t k = before; k < space.frictions.size(); ++k)
    space.frictions[k].impulse = Vec2::Zero();
}

void start_warm(const Arena& arena, const std::vector<Row>& rows,
                const std::vector<Friction>& frictions, Motion& motion) {
  for (const Row& row : rows)
    if (row.impulse > 0.0) push(arena, row, row.impulse, motion);
  for (const Friction& friction : frictions)
    if (friction.impulse != Vec2::Zero()) drag(arena, rows, friction, friction.impulse, motion);
}

/// Normals alone, until all are at their target.
void bring_to_target(const Arena& arena, std::vector<Row>& rows, std::vector<Lean>& leans,
                     Motion& motion, const ProjectSettings& s, Projection& out) {
  int since = 0;
  while (out.sweeps < s.max_sweeps) {
    out.worst = sweep_normals(arena, rows, leans, motion);
    ++out.sweeps;
    if (out.worst <= s.tolerance && (out.worst = worst_of(rows, motion)) <= s.tolerance) break;
    if (++since < kSweepsBeforeGradients) continue;
    take_impulses(leans, rows);
    minimise_active(arena, rows, motion, kGradientRounds, s.tolerance);
    for (std::size_t r = 0; r < rows.size(); ++r) leans[r].impulse = rows[r].impulse;
    out.sweeps += kSweepsOfGradients;
    since = kSweepsBeforeGradients - 2;
  }
  take_impulses(leans, rows);
}

/// Frictions that slide lie on the border of their rows' cones, the others within.
bool fit_their_cones(const std::vector<Row>& rows, const std::vector<Friction>& frictions) {
  double off = 0.0, all = 0.0;
  for (const Friction& friction : frictions) {
    const Row& row = rows[static_cast<std::size_t>(friction.row)];
    const double size = friction.impulse.norm(), most = row.friction * row.impulse;
    off += friction.slides ? std::abs(most - size) : std::max(0.0, size - most);
    all += most;
  }
  return off <= kOffCone * all;
}

/// Frictions follow what the normals came to, until both agree.
void settle_frictions(const Arena& arena, std::vector<Row>& rows, ProjectSpace& space,
                      Motion& motion, const ProjectSettings& s, Projection& out) {
  for (int k = 0; k < kFrictionRounds && out.sweeps < s.max_sweeps; ++k) {
    if (fit_their_cones(rows, space.frictions)) return;
    for (Friction& friction : space.frictions) hold(arena, rows, friction, motion);
    bring_to_target(arena, rows, space.leans, motion, s, out);
  }
}

}  // namespace

Projection project(const Arena& arena, std::vector<Row>& rows, bool started, Motion& motion,
                   const ProjectSettings& s, ProjectSpace& space) {
  const StageScope timed("project");
  Projection out;
  if (rows.empty()) return out;
  auto& [frictions, leans, has, grips] = space;
  frictions.clear();
  leans.clear();
  has.clear();
  if (!started) grips.clear();
  add_frictions(arena, rows, motion, space);
  if (!started) start_warm(arena, rows, frictions, motion);
  for (const Row& row : rows) leans.push_back(lean_of(arena, motion, row));
  const int with_friction = s.together ? kFrictionSweeps : 1;
  for (int k = 0; k < with_friction && k < s.max_sweeps; ++k) {
    out.worst = sweep_normals(arena, rows, leans, motion);
    ++out.sweeps;
    take_impulses(leans, rows);
    if (k == 0) add_new_frictions(arena, rows, motion, space);
    for (Friction& friction : frictions) hold(arena, rows, friction, motion);
    if (out.worst <= s.tolerance && (frictions.empty() || k + 1 >= kLeastFrictionSweeps)) break;
  }
  if (s.together) {
    bring_to_target(arena, rows, leans, motion, s, out);
    settle_frictions(arena, rows, space, motion, s, out);
  }
  out.merged = merge_open_rows(arena, rows, motion);
  for (const Friction& friction : frictions)
    rows[static_cast<std::size_t>(friction.row)].drag =
        friction.impulse[0] * friction.tangent[0] + friction.impulse[1] * friction.tangent[1];
  return out;
}

void minimise_active(const Arena& arena, std::vector<Row>& rows, Motion& motion, int rounds,
                     double tolerance) {
  std::vector<std::size_t> active;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].impulse > 0.0 && rows[r].inverse_diagonal > 0.0) active.push_back(r);
  if (active.empty()) return;
  // velocities that a direction of impulses makes, on a motion that stands still
  Motion made = motion;
  const auto make = [&](const std::vector<double>& impulses) {
    for (const std::size_t r : active)
      for (int k = 0; k < rows[r].points; ++k)
        made.v[static_cast<std::size_t>(rows[r].point[static_cast<std::size_t>(k)])].setZero();
    for (RigidMotion& rigid : made.rigids) rigid.velocity = rigid.angular = Vec3::Zero();
    for (std::size_t k = 0; k < active.size(); ++k) push(arena, rows[active[k]], impulses[k], made);
  };
  std::vector<double> lack(active.size()), direction(active.size(), 0.0), scaled(active.size());
  double before = 0.0;
  for (int round = 0; round < rounds; ++round) {
    double size = 0.0, worst = 0.0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Row& row = rows[active[k]];
      if (round == 0) lack[k] = row.target - speed(row, motion);
      worst = std::max(worst, std::abs(lack[k]));
      scaled[k] = lack[k] * row.inverse_diagonal;
      size += lack[k] * scaled[k];
    }
    if (worst <= 0.5 * tolerance) return;
    const double keep = before > 0.0 ? size / before : 0.0;
    before = size;
    for (std::size_t k = 0; k < active.size(); ++k) direction[k] = scaled[k] + keep * direction[k];
    make(direction);
    double curvature = 0.0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      scaled[k] = speed(rows[active[k]], made);
      curvature += direction[k] * scaled[k];
    }
    if (!(curvature > 0.0)) return;
    double length = size / curvature;
    // no further than where the first row stops pushing
    bool ends = false;
    for (std::size_t k = 0; k < active.size(); ++k)
      if (rows[active[k]].impulse + length * direction[k] < 0.0) {
        length = -rows[active[k]].impulse / direction[k];
        ends = true;
      }
    for (std::size_t k = 0; k < active.size(); ++k) {
      Row& row = rows[active[k]];
      const double change = std::max(-row.impulse, length * direction[k]);
      row.impulse += change;
      push(arena, row, change, motion);
      lack[k] -= length * scaled[k];
    }
    if (ends) return;
  }
}

}  // namespace repose::molecule
