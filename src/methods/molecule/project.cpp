#include "project.h"

#include <algorithm>
#include <cmath>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

namespace repose::molecule {

namespace {

/// Sweeps with friction before the normals alone are brought to their target.
constexpr int kFrictionSweeps = 6;
/// Times that frictions follow the normals after that, and how far off their cones they may stay.
constexpr int kFrictionRounds = 4;
constexpr double kOffCone = 1e-3;
/// Sweeps of normals after which conjugate gradients take over, and their rounds.
constexpr int kSweepsBeforeGradients = 8;
constexpr int kGradientRounds = 40;
/// What these cost, in sweeps.
constexpr int kSweepsOfGradients = 10;

Lean lean_of(const Arena& arena, const Motion& motion, const Row& row) {
  Lean out;
  out.normal = widen(row.normal);
  out.target = row.target;
  out.inverse_diagonal = row.inverse_diagonal;
  out.impulse = row.impulse;
  const bool pair = row.points == 2 && row.rigid[0] < 0 && row.rigid[1] < 0 &&
                    row.weight[0] == 1.0 && row.weight[1] == -1.0;
  const auto stands = [&](int rigid) {
    const RigidMotion& solid = motion.rigids[at(rigid)];
    return !arena.rigids[at(rigid)].moves() && solid.velocity == Vec3::Zero() &&
           solid.angular == Vec3::Zero();
  };
  const bool alone =
      row.points == 1 && row.rigid[0] < 0 && row.rigid[1] >= 0 && stands(row.rigid[1]);
  if (!pair && !alone) return out;
  out.upper = row.point[0];
  out.share_upper = arena.inverse_mass[at(out.upper)];
  if (alone) return out;
  out.lower = row.point[1];
  out.share_lower = arena.inverse_mass[at(out.lower)];
  return out;
}

/// m/s; as speed() of the row.
inline double speed_of(const Lean& lean, const Row& row, const Flow& flow) {
  if (lean.upper < 0) return speed(row, flow);
  const Lanes& upper = flow.v[at(lean.upper)];
  if (lean.lower < 0) return dot(lean.normal, upper);
  return dot(lean.normal, upper - flow.v[at(lean.lower)]);
}

/// As push() of the row.
inline void push_by(const Arena& arena, const Lean& lean, const Row& row, double impulse,
                    Flow& flow) {
  if (lean.upper < 0) return push(arena, row, impulse, flow);
  flow.v[at(lean.upper)] += (impulse * lean.share_upper) * lean.normal;
  if (lean.lower >= 0) flow.v[at(lean.lower)] -= (impulse * lean.share_lower) * lean.normal;
}

/// How far a row is from its best, m/s: what it lacks of its target, or what it pushes beyond that.
/// A push too many would do work: rows that have more than they ask for must not push.
inline double off_best(const Lean& lean, double lack) {
  // without a branch: which of both it is changes from row to row
  return std::max(lack, std::min(-lack, lean.impulse / lean.inverse_diagonal));
}

double worst_of(const std::vector<Row>& rows, const std::vector<Lean>& leans, const Flow& flow) {
  double out = 0.0;
  for (std::size_t r = 0; r < leans.size(); ++r)
    if (leans[r].inverse_diagonal > 0.0)
      out = std::max(out, off_best(leans[r], leans[r].target - speed_of(leans[r], rows[r], flow)));
  return out;
}

/// One row to its best; answers how far it was from that before.
inline double relax(const Arena& arena, const Row& row, Lean& lean, Flow& flow) {
  if (lean.inverse_diagonal == 0.0) return 0.0;
  const double lack = lean.target - speed_of(lean, row, flow);
  const double wanted = std::max(0.0, lean.impulse + lack * lean.inverse_diagonal);
  const double change = wanted - lean.impulse;
  if (change == 0.0) return std::max(0.0, lack);
  const double off = off_best(lean, lack);
  lean.impulse = wanted;
  push_by(arena, lean, row, change, flow);
  return off;
}

/// Every row once to its best; answers how far the worst was from that before its turn. Rows
/// that follow each other mostly share a molecule, so that each would wait for the one before: they
/// are taken in turn from quarters of the list.
double sweep_normals(const Arena& arena, const std::vector<Row>& rows, std::vector<Lean>& leans,
                     Flow& flow) {
  constexpr std::size_t kQuarters = 4;
  const std::size_t quarter = (leans.size() + kQuarters - 1) / kQuarters;
  double worst = 0.0;
  for (std::size_t k = 0; k < quarter; ++k)
    for (std::size_t r = k; r < leans.size(); r += quarter)
      worst = std::max(worst, relax(arena, rows[r], leans[r], flow));
  return worst;
}

/// Friction for rows that push and have none yet, starting from the row's own.
void add_frictions(const Arena& arena, const std::vector<Row>& rows, const Motion& motion,
                   ProjectSpace& space) {
  std::vector<bool>& has = space.has_friction;
  has.resize(rows.size(), false);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    if (has[r] || !(space.leans[r].impulse > 0.0) || !(row.friction > 0.0)) continue;
    has[r] = true;
    Friction& added = space.frictions.emplace_back();
    make_friction(arena, motion, rows, static_cast<int>(r), space.grips, added);
    added.impulse = {row.drag.dot(added.tangent[0]), row.drag.dot(added.tangent[1])};
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

void start_warm(const Arena& arena, const std::vector<Row>& rows, ProjectSpace& space) {
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (rows[r].impulse > 0.0) push_by(arena, space.leans[r], rows[r], rows[r].impulse, space.flow);
  for (const Friction& friction : space.frictions)
    if (friction.impulse != Vec2::Zero()) drag(arena, friction, friction.impulse, space.flow);
}

void hold_all(const Arena& arena, const std::vector<Row>& rows, ProjectSpace& space) {
  for (Friction& friction : space.frictions) {
    const double most = rows[at(friction.row)].friction * space.leans[at(friction.row)].impulse;
    hold(arena, most, friction, space.flow);
  }
}

/// Normals alone, until all are at their target.
void bring_to_target(const Arena& arena, const std::vector<Row>& rows, ProjectSpace& space,
                     const ProjectSettings& s, Projection& out) {
  int since = 0;
  while (out.sweeps < s.max_sweeps) {
    out.worst = sweep_normals(arena, rows, space.leans, space.flow);
    ++out.sweeps;
    if (out.worst <= s.tolerance &&
        (out.worst = worst_of(rows, space.leans, space.flow)) <= s.tolerance)
      return;
    if (++since < kSweepsBeforeGradients) continue;
    minimise_active(arena, rows, space, kGradientRounds, s.tolerance);
    out.sweeps += kSweepsOfGradients;
    since = kSweepsBeforeGradients - 2;
  }
}

/// Frictions that slide lie on the border of their rows' cones, the others within.
bool fit_their_cones(const std::vector<Row>& rows, const ProjectSpace& space) {
  double off = 0.0, all = 0.0;
  for (const Friction& friction : space.frictions) {
    const double size = friction.impulse.norm();
    const double most = rows[at(friction.row)].friction * space.leans[at(friction.row)].impulse;
    off += friction.slides ? std::abs(most - size) : std::max(0.0, size - most);
    all += most;
  }
  return off <= kOffCone * all;
}

/// Frictions follow what the normals came to, until both agree.
void settle_frictions(const Arena& arena, const std::vector<Row>& rows, ProjectSpace& space,
                      const ProjectSettings& s, Projection& out) {
  for (int k = 0; k < kFrictionRounds && out.sweeps < s.max_sweeps; ++k) {
    if (fit_their_cones(rows, space)) return;
    hold_all(arena, rows, space);
    bring_to_target(arena, rows, space, s, out);
  }
}

/// Contacts without friction, nor with what they remember of it.
void smooth(std::vector<Row>& rows) {
  for (Row& row : rows) {
    row.friction = 0.0;
    row.drag = Vec3::Zero();
  }
}

}  // namespace

Projection project(const Arena& arena, std::vector<Row>& rows, bool started, Motion& motion,
                   const ProjectSettings& s, ProjectSpace& space) {
  const StageScope timed("project");
  Projection out;
  std::vector<Friction>& frictions = space.frictions;
  std::vector<Lean>& leans = space.leans;
  space.grips.clear();
  if (rows.empty()) return out;
  if (!s.friction) smooth(rows);
  frictions.clear();
  leans.clear();
  space.has_friction.clear();
  for (const Row& row : rows) leans.push_back(lean_of(arena, motion, row));
  add_frictions(arena, rows, motion, space);
  space.flow.read(arena, rows, motion);
  if (!started) start_warm(arena, rows, space);
  const int with_friction = s.together ? kFrictionSweeps : 1;
  for (int k = 0; k < with_friction && k < s.max_sweeps; ++k) {
    out.worst = sweep_normals(arena, rows, leans, space.flow);
    ++out.sweeps;
    if (k == 0) add_new_frictions(arena, rows, motion, space);
    hold_all(arena, rows, space);
    if (out.worst <= s.tolerance) break;
  }
  if (s.together) {
    bring_to_target(arena, rows, space, s, out);
    settle_frictions(arena, rows, space, s, out);
  }
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r].impulse = leans[r].impulse;
  space.flow.write(arena, rows, motion);
  out.merged = merge_open_rows(arena, rows, motion);
  for (const Friction& friction : frictions)
    rows[at(friction.row)].drag =
        friction.impulse[0] * friction.tangent[0] + friction.impulse[1] * friction.tangent[1];
  return out;
}

void minimise_active(const Arena& arena, const std::vector<Row>& rows, ProjectSpace& space,
                     int rounds, double tolerance) {
  Flow& flow = space.flow;
  // those that push, side by side in memory: they are gone through many times
  std::vector<Lean>& active = space.active;
  std::vector<const Row*> row_of;
  std::vector<std::size_t> place, moved;
  active.clear();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Lean& lean = space.leans[r];
    if (!(lean.impulse > 0.0 && lean.inverse_diagonal > 0.0)) continue;
    active.push_back(lean);
    row_of.push_back(&rows[r]);
    place.push_back(r);
    for (int k = 0; k < rows[r].points; ++k) moved.push_back(at(rows[r].point[at(k)]));
  }
  if (active.empty()) return;
  // velocities that a direction of impulses makes, on a motion that stands still
  Flow& made = space.made;
  made.v.resize(flow.v.size());
  made.rigids = flow.rigids;
  const auto make = [&](const std::vector<double>& impulses) {
    for (const std::size_t i : moved) made.v[i] = Lanes{};
    for (RigidMotion& rigid : made.rigids) rigid.velocity = rigid.angular = Vec3::Zero();
    for (std::size_t k = 0; k < active.size(); ++k)
      push_by(arena, active[k], *row_of[k], impulses[k], made);
  };
  const auto leave = [&] {
    for (std::size_t k = 0; k < active.size(); ++k)
      space.leans[place[k]].impulse = active[k].impulse;
  };
  std::vector<double> lack(active.size()), direction(active.size(), 0.0), scaled(active.size());
  double before = 0.0;
  for (int round = 0; round < rounds; ++round) {
    double size = 0.0, worst = 0.0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      const Lean& lean = active[k];
      if (round == 0) lack[k] = lean.target - speed_of(lean, *row_of[k], flow);
      worst = std::max(worst, std::abs(lack[k]));
      scaled[k] = lack[k] * lean.inverse_diagonal;
      size += lack[k] * scaled[k];
    }
    if (worst <= 0.5 * tolerance) return leave();
    const double keep = before > 0.0 ? size / before : 0.0;
    before = size;
    for (std::size_t k = 0; k < active.size(); ++k) direction[k] = scaled[k] + keep * direction[k];
    make(direction);
    double curvature = 0.0;
    for (std::size_t k = 0; k < active.size(); ++k) {
      scaled[k] = speed_of(active[k], *row_of[k], made);
      curvature += direction[k] * scaled[k];
    }
    if (!(curvature > 0.0)) return leave();
    double length = size / curvature;
    // no further than where the first row stops pushing
    bool ends = false;
    for (std::size_t k = 0; k < active.size(); ++k)
      if (active[k].impulse + length * direction[k] < 0.0) {
        length = -active[k].impulse / direction[k];
        ends = true;
      }
    for (std::size_t k = 0; k < active.size(); ++k) {
      Lean& lean = active[k];
      const double change = std::max(-lean.impulse, length * direction[k]);
      lean.impulse += change;
      push_by(arena, lean, *row_of[k], change, flow);
      lack[k] -= length * scaled[k];
    }
    if (ends) break;
  }
  leave();
}

}  // namespace repose::molecule
