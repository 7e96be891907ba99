#include "contact_forces_scaled.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

double diagonal_part(const InverseInertia& w, const RowPart& part) {
  return w[0] * part[0] * part[0] + w[1] * part[1] * part[1] + w[2] * part[2] * part[2];
}

bool movable(const InverseInertia& w) {
  return w[0] > 0.0 || w[1] > 0.0 || w[2] > 0.0;
}

RowPart scaled_part(const RowPart& body_root, const RowPart& part, double over_root) {
  return {body_root[0] * part[0] * over_root, body_root[1] * part[1] * over_root,
          body_root[2] * part[2] * over_root};
}

}  // namespace

double diagonal_of(const ForceProblem& problem, const ForceRow& row) {
  if (row.body_a >= 0 && row.body_a == row.body_b) {
    const RowPart sum = {row.part_a[0] + row.part_b[0], row.part_a[1] + row.part_b[1],
                         row.part_a[2] + row.part_b[2]};
    return diagonal_part(problem.bodies[row.body_a], sum);
  }
  double sum = 0.0;
  if (row.body_a >= 0) sum += diagonal_part(problem.bodies[row.body_a], row.part_a);
  if (row.body_b >= 0) sum += diagonal_part(problem.bodies[row.body_b], row.part_b);
  return sum;
}

void Grouping::split(const ForceProblem& problem) {
  const int bodies = static_cast<int>(problem.bodies.size());
  const int rows = static_cast<int>(problem.rows.size());
  together_.reset(bodies);
  diagonal_.resize(rows);
  idle_rows_.clear();
  auto moves = [&](int body) { return body >= 0 && movable(problem.bodies[body]); };
  for (int i = 0; i < rows; ++i) {
    const ForceRow& row = problem.rows[i];
    diagonal_[i] = diagonal_of(problem, row);
    if (moves(row.body_a) && moves(row.body_b)) together_.join(row.body_a, row.body_b);
  }
  // a group for each root body that has rows, in order of its first row
  group_of_.assign(bodies, -1);
  groups_ = 0;
  for (int i = 0; i < rows; ++i) {
    const ForceRow& row = problem.rows[i];
    const bool friction = row.kind == RowKind::friction;
    if (diagonal_[i] <= 0.0 || (friction && diagonal_[row.normal_row] <= 0.0)) {
      idle_rows_.push_back(i);
      continue;
    }
    const int root = together_.name_of(moves(row.body_a) ? row.body_a : row.body_b);
    if (group_of_[root] < 0) {
      group_of_[root] = groups_++;
      if (static_cast<int>(storage_.size()) < groups_) storage_.emplace_back();
      storage_[groups_ - 1].rows.clear();
      storage_[groups_ - 1].bodies.clear();
    }
    storage_[group_of_[root]].rows.push_back(i);
  }
  for (int i = 0; i < bodies; ++i) {
    const int group = group_of_[together_.name_of(i)];
    if (group >= 0 && movable(problem.bodies[i])) storage_[group].bodies.push_back(i);
  }
  local_body_.resize(bodies);
  local_row_.resize(rows);
}

void Grouping::scale(const ForceProblem& problem, const RowGroup& group, ScaledProblem& scaled) {
  const int rows = static_cast<int>(group.rows.size());
  scaled.bodies = static_cast<int>(group.bodies.size());
  scaled.geometry.resize(rows);
  scaled.laws.assign(rows, {});
  scaled.b.resize(rows);
  scaled.root.resize(rows);
  scaled.drive = 0.0;
  body_root_.resize(scaled.bodies);
  for (int k = 0; k < scaled.bodies; ++k) {
    const InverseInertia& w = problem.bodies[group.bodies[k]];
    local_body_[group.bodies[k]] = k;
    body_root_[k] = {std::sqrt(w[0]), std::sqrt(w[1]), std::sqrt(w[2])};
  }
  for (int k = 0; k < rows; ++k) local_row_[group.rows[k]] = k;

  for (int k = 0; k < rows; ++k) {
    const ForceRow& row = problem.rows[group.rows[k]];
    const double root = std::sqrt(diagonal_[group.rows[k]]), over_root = 1.0 / root;
    scaled.root[k] = root;
    scaled.b[k] = row.b * over_root;
    RowGeometry& g = scaled.geometry[k];
    g = {scaled.bodies, scaled.bodies, {}, {}};
    if (row.body_a >= 0 && movable(problem.bodies[row.body_a])) {
      g.body_a = local_body_[row.body_a];
      g.part_a = scaled_part(body_root_[g.body_a], row.part_a, over_root);
    }
    if (row.body_b >= 0 && movable(problem.bodies[row.body_b])) {
      g.body_b = local_body_[row.body_b];
      g.part_b = scaled_part(body_root_[g.body_b], row.part_b, over_root);
    }
    if (g.body_a == g.body_b && g.body_a < scaled.bodies) {
      for (int c = 0; c < 3; ++c) g.part_a[c] += g.part_b[c];
      g.body_b = scaled.bodies;
      g.part_b = {};
    }
    RowLaw& law = scaled.laws[k];
    law.kind = row.kind;
    law.low = row.kind == RowKind::normal ? 0.0 : row.low * root;
    law.high = row.kind == RowKind::normal ? kNoLimit : row.high * root;
    scaled.drive = std::max(scaled.drive, std::abs(scaled.b[k]));
    if (row.kind == RowKind::bilateral) {
      if (law.low > -kNoLimit) scaled.drive = std::max(scaled.drive, std::abs(law.low));
      if (law.high < kNoLimit) scaled.drive = std::max(scaled.drive, std::abs(law.high));
    }
    if (row.kind == RowKind::friction) {
      law.partner = local_row_[row.normal_row];
      law.mu = row.mu * root / std::sqrt(diagonal_[row.normal_row]);
      law.slides = row.slip != 0 || row.mu == 0.0;
      law.slide_state = row.slip > 0 ? RowState::at_low : RowState::at_high;
      scaled.laws[law.partner].partner = k;
    }
  }
}

void spread_forces(const ScaledProblem& problem, std::span<const double> f,
                   std::vector<double>& y) {
  y.assign(3 * (static_cast<std::size_t>(problem.bodies) + 1), 0.0);
  for (int i = 0; i < problem.rows(); ++i) {
    if (f[i] == 0.0) continue;
    const RowGeometry& g = problem.geometry[i];
    double* ya = &y[3 * static_cast<std::size_t>(g.body_a)];
    double* yb = &y[3 * static_cast<std::size_t>(g.body_b)];
    for (int c = 0; c < 3; ++c) ya[c] += g.part_a[c] * f[i];
    for (int c = 0; c < 3; ++c) yb[c] += g.part_b[c] * f[i];
  }
}

void gather_accelerations(const ScaledProblem& problem, std::span<const double> y,
                          std::span<double> a) {
  for (int i = 0; i < problem.rows(); ++i) {
    const RowGeometry& g = problem.geometry[i];
    const double* ya = &y[3 * static_cast<std::size_t>(g.body_a)];
    const double* yb = &y[3 * static_cast<std::size_t>(g.body_b)];
    a[i] = problem.b[i] + (g.part_a[0] * ya[0] + g.part_a[1] * ya[1] + g.part_a[2] * ya[2]) +
           (g.part_b[0] * yb[0] + g.part_b[1] * yb[1] + g.part_b[2] * yb[2]);
  }
}

void accelerate(const ScaledProblem& problem, std::span<const double> f, VerifyWork& work) {
  work.a.resize(problem.rows());
  spread_forces(problem, f, work.y);
  gather_accelerations(problem, work.y, work.a);
}

void measure(const ScaledProblem& problem, std::span<const double> f, VerifyWork& work) {
  const int rows = problem.rows();
  const std::size_t freedoms = 3 * (static_cast<std::size_t>(problem.bodies) + 1);
  work.a.resize(rows);
  work.scale.resize(rows);
  work.y.assign(freedoms, 0.0);
  work.magnitude.assign(freedoms, 0.0);
  // J' f and |J'| |f|
  for (int i = 0; i < rows; ++i) {
    if (f[i] == 0.0) continue;
    const RowGeometry& g = problem.geometry[i];
    const std::size_t a = 3 * static_cast<std::size_t>(g.body_a);
    const std::size_t b = 3 * static_cast<std::size_t>(g.body_b);
    for (int c = 0; c < 3; ++c) {
      const double force_a = g.part_a[c] * f[i], force_b = g.part_b[c] * f[i];
      work.y[a + c] += force_a;
      work.magnitude[a + c] += std::abs(force_a);
      work.y[b + c] += force_b;
      work.magnitude[b + c] += std::abs(force_b);
    }
  }
  // J (J' f) + b and |J| (|J'| |f|) + |b|
  double largest = 0.0;
  for (int i = 0; i < rows; ++i) {
    const RowGeometry& g = problem.geometry[i];
    const std::size_t a = 3 * static_cast<std::size_t>(g.body_a);
    const std::size_t b = 3 * static_cast<std::size_t>(g.body_b);
    double sum = problem.b[i], size = std::abs(problem.b[i]);
    for (int c = 0; c < 3; ++c) {
      sum += g.part_a[c] * work.y[a + c] + g.part_b[c] * work.y[b + c];
      size += std::abs(g.part_a[c]) * work.magnitude[a + c] +
              std::abs(g.part_b[c]) * work.magnitude[b + c];
    }
    work.a[i] = sum;
    work.scale[i] = size;
    largest = std::max(largest, size);
  }
  const double cap = kScaleCap * problem.drive;
  for (double& scale : work.scale) scale = std::min(std::max(scale, kScaleFloor * largest), cap);
}

WorstRow verify(const ScaledProblem& problem, std::span<const double> f, const VerifyWork& work) {
  WorstRow worst;
  for (int i = 0; i < problem.rows(); ++i) {
    const RowLaw& law = problem.laws[i];
    double violation;
    if (law.slides) {
      const double sign = law.slide_state == RowState::at_high ? 1.0 : -1.0;
      violation = std::abs(f[i] - sign * law.mu * f[law.partner]);
    } else {
      double low = law.low, high = law.high;
      if (law.kind == RowKind::friction) {
        high = law.mu * std::max(0.0, f[law.partner]);
        low = -high;
      }
      violation = std::abs(f[i] - std::clamp(f[i] - work.a[i], low, high));
    }
    // a problem without any force or acceleration is solved by f = 0
    const double residual = work.scale[i] > 0.0 ? violation / work.scale[i] : 0.0;
    if (!(residual <= worst.residual)) worst = {residual, i};
  }
  return worst;
}

}  // namespace repose::mechanism
