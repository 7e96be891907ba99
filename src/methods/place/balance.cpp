#include "balance.h"

#include <array>
#include <cmath>
#include <optional>

#include "repose/base/stage_clock.h"
#include "repose/math/dense.h"
#include "repose/solve/quadratic_program.h"

namespace repose::place {
namespace {

/// Friction cones are taken in by the directions they are pressed at most: so many rounds, and a
/// share of the motion that counts as no longer pressed.
constexpr int kConeRounds = 40;
constexpr double kPressed = 1e-12;
/// Smaller forces, over the largest load, carry nothing.
constexpr double kLeastForce = 1e-9;
/// Singular values below this share of the largest count as none.
constexpr double kRank = 1e-7;
constexpr double kSlack = 1e-14;

struct Column {
  std::size_t row = 0;
  Vec3 direction = Vec3::UnitZ();
};

double friction_of(const Problem& problem, const Row& row) {
  return std::min(problem.bodies[static_cast<std::size_t>(row.at.p)].material.friction,
                  problem.bodies[static_cast<std::size_t>(row.at.q)].material.friction);
}

std::vector<Column> normal_columns(std::span<const Row> rows, const std::vector<bool>& touching) {
  std::vector<Column> out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (touching[i]) out.push_back({i, rows[i].normal});
  return out;
}

void hold_frozen(const Arena& arena, const Problem& problem, Eigen::VectorXd& x) {
  for (std::size_t k = 0; k < arena.active.size(); ++k) {
    const Body& body = problem.bodies[static_cast<std::size_t>(arena.active[k].body)];
    for (std::size_t i = 0; i < 6; ++i)
      if (body.frozen[i]) x[static_cast<Eigen::Index>(6 * k + i)] = 0.0;
  }
}

}  // namespace

namespace {

Eigen::VectorXd scaled_column(const Arena& arena, const Problem& problem, const Places& places,
                              const Row& row, const Vec3& direction) {
  Eigen::VectorXd g = gradient_along(arena, places, row, direction) / arena.length_unit;
  hold_frozen(arena, problem, g);
  return g;
}

/// The direction within a row's friction cone against which the motion x presses most; none if it
/// presses no more than the columns so far allow.
std::optional<Vec3> pressed(const Arena& arena, const Problem& problem, const Places& places,
                            const Row& row, const Eigen::VectorXd& x) {
  const Vec3 t1 = row.normal.unitOrthogonal(), t2 = row.normal.cross(t1);
  const Vec2 slip(scaled_column(arena, problem, places, row, t1).dot(x),
                  scaled_column(arena, problem, places, row, t2).dot(x));
  const double speed = slip.norm();
  if (!(speed > 0.0)) return std::nullopt;
  const double mu = friction_of(problem, row);
  const double opening = scaled_column(arena, problem, places, row, row.normal).dot(x);
  if (opening - mu * speed >= -kPressed * std::max(x.norm(), kLeastForce)) return std::nullopt;
  return row.normal - mu / speed * (slip.x() * t1 + slip.y() * t2);
}

void add_column(const Eigen::VectorXd& g, solve::QuadraticProgram& qp) {
  const Eigen::Index at = qp.rows.cols();
  qp.rows.conservativeResize(g.size(), at + 1);
  qp.rows.col(at) = g;
  qp.least = Eigen::VectorXd::Zero(at + 1);
}

}  // namespace

Balance balance_of(const Arena& arena, const Problem& problem, const Places& places,
                   std::span<const Row> rows, const std::vector<bool>& touching,
                   const Potential& potential, bool friction) {
  const StageScope timed("balance");
  auto columns = normal_columns(rows, touching);
  const Eigen::Index n = arena.freedoms();
  // the unbalanced load is the shortest vector from the load to the cone of what contacts can carry
  solve::QuadraticProgram qp;
  qp.hessian = Eigen::MatrixXd::Identity(n, n);
  qp.gradient = potential.gradient;
  hold_frozen(arena, problem, qp.gradient);
  qp.rows.resize(n, 0);
  qp.least.resize(0);
  for (const Column& column : columns)
    add_column(scaled_column(arena, problem, places, rows[column.row], column.direction), qp);
  solve::QuadraticSolution solution = solve::solve_quadratic(qp, kSlack);
  // a cone is the hull of its directions: those that the motion left over presses join
  const std::size_t contacts = columns.size();
  for (int round = 0; friction && round < kConeRounds; ++round) {
    const std::size_t before = columns.size();
    for (std::size_t c = 0; c < contacts; ++c) {
      const Row& row = rows[columns[c].row];
      const auto direction = pressed(arena, problem, places, row, solution.x);
      if (!direction) continue;
      columns.push_back({columns[c].row, *direction});
      add_column(scaled_column(arena, problem, places, row, *direction), qp);
    }
    if (columns.size() == before) break;
    solution = solve::solve_quadratic(qp, kSlack);
  }
  Balance out;
  out.forces.assign(rows.size(), Vec3::Zero());
  for (std::size_t c = 0; c < columns.size(); ++c)
    out.forces[columns[c].row] += solution.multipliers[static_cast<Eigen::Index>(c)] *
                                  arena.force_unit * columns[c].direction;
  for (std::size_t k = 0; k < arena.active.size(); ++k) {
    const Active& a = arena.active[k];
    const auto at = static_cast<Eigen::Index>(6 * k);
    const double force =
        solution.x.segment<3>(at).norm() * arena.energy_unit() / (a.reach * a.weight);
    const double torque =
        solution.x.segment<3>(at + 3).norm() * arena.energy_unit() / (a.size * a.weight);
    if (std::max(force, torque) >= out.worst()) out.body = a.body;
    out.force = std::max(out.force, force);
    out.torque = std::max(out.torque, torque);
  }
  return out;
}

namespace {

/// What is left of the freedoms when the rows' gaps stay as they are.
Eigen::MatrixXd kept_motions(Eigen::Index n, const std::vector<Eigen::VectorXd>& kept) {
  if (kept.empty()) return Eigen::MatrixXd::Identity(n, n);
  Eigen::MatrixXd columns(n, static_cast<Eigen::Index>(kept.size()));
  for (std::size_t i = 0; i < kept.size(); ++i) columns.col(static_cast<Eigen::Index>(i)) = kept[i];
  const LeftSingular left(columns);
  Eigen::Index rank = 0;
  while (rank < left.values.size() && left.values[rank] > kRank * left.values[0]) ++rank;
  return left.vectors.rightCols(n - rank);
}

}  // namespace

Stability stability_of(const Arena& arena, const Problem& problem, const Places& places,
                       std::span<const Row> rows, const std::vector<bool>& touching,
                       const Balance& balance, const Potential& potential,
                       const ValleySettings& settings) {
  const Eigen::Index n = arena.freedoms();
  Eigen::MatrixXd bending = potential.hessian;
  std::vector<Eigen::VectorXd> kept, idle;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!touching[i]) continue;
    const Eigen::VectorXd g = gradient(arena, places, rows[i]) / arena.length_unit;
    const double force = balance.forces[i].dot(rows[i].normal);
    if (force <= kLeastForce * arena.force_unit) {
      idle.push_back(g);
      continue;
    }
    bending -= force / arena.energy_unit() * hessian(arena, places, rows[i], settings);
    kept.push_back(g);
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (problem.bodies[static_cast<std::size_t>(arena.active[static_cast<std::size_t>(i / 6)].body)]
            .frozen[static_cast<std::size_t>(i % 6)])
      kept.push_back(Eigen::VectorXd::Unit(n, i));
  Stability out;
  // contacts that carry nothing still block: those that a falling motion would close join the kept
  for (std::size_t turn = 0; turn <= idle.size() + 1; ++turn) {
    out.lowest = 0.0;
    out.motion = Eigen::VectorXd::Zero(n);
    const Eigen::MatrixXd null = kept_motions(n, kept);
    if (null.cols() == 0) return out;
    const Eigen::MatrixXd bent = reduced(null, bending);
    const SymmetricEigen<Eigen::MatrixXd> eigen(0.5 * (bent + bent.transpose()));
    out.lowest = eigen.values[0];
    out.motion = null * eigen.vectors.col(0);
    if (out.lowest >= 0.0) return out;
    std::array<double, 2> closes{};
    std::array<std::size_t, 2> by{};
    for (std::size_t i = 0; i < idle.size(); ++i)
      for (std::size_t side = 0; side < 2; ++side) {
        const double rate = idle[i].dot(out.motion) * (side == 0 ? -1.0 : 1.0);
        if (rate > closes[side]) {
          closes[side] = rate;
          by[side] = i;
        }
      }
    if (closes[0] <= kRank) return out;
    if (closes[1] <= kRank) {
      out.motion = -out.motion;
      return out;
    }
    kept.push_back(idle[by[closes[0] > closes[1] ? 0 : 1]]);
  }
  return out;
}

}  // namespace repose::place
