#include <algorithm>
#include <cmath>

#include "repose/mechanism/contact_forces.h"

#include "contact_forces_scaled.h"

namespace repose::mechanism {

void body_forces_of(const ForceProblem& problem, std::span<const double> f,
                    std::vector<std::array<double, 3>>& body_forces) {
  body_forces.assign(problem.bodies.size(), {0.0, 0.0, 0.0});
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const ForceRow& row = problem.rows[i];
    for (int c = 0; c < 3; ++c) {
      if (row.body_a >= 0) body_forces[row.body_a][c] += row.part_a[c] * f[i];
      if (row.body_b >= 0) body_forces[row.body_b][c] += row.part_b[c] * f[i];
    }
  }
}

void accelerations_of(const ForceProblem& problem, std::span<const double> f,
                      std::vector<double>& a) {
  std::vector<std::array<double, 3>> motion;
  body_forces_of(problem, f, motion);
  for (std::size_t k = 0; k < motion.size(); ++k) {
    for (int c = 0; c < 3; ++c) motion[k][c] *= problem.bodies[k][c];
  }
  a.resize(problem.rows.size());
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const ForceRow& row = problem.rows[i];
    double sum = row.b;
    for (int c = 0; c < 3; ++c) {
      if (row.body_a >= 0) sum += row.part_a[c] * motion[row.body_a][c];
      if (row.body_b >= 0) sum += row.part_b[c] * motion[row.body_b][c];
    }
    a[i] = sum;
  }
}

namespace {

/// |J| W |J'| |f| + |b|
std::vector<double> magnitudes_of(const ForceProblem& problem, std::span<const double> f) {
  ForceProblem absolute = problem;
  std::vector<double> size(f.size()), sum;
  for (std::size_t i = 0; i < f.size(); ++i) {
    ForceRow& row = absolute.rows[i];
    for (double& part : row.part_a) part = std::abs(part);
    for (double& part : row.part_b) part = std::abs(part);
    row.b = std::abs(row.b);
    size[i] = std::abs(f[i]);
  }
  accelerations_of(absolute, size, sum);
  return sum;
}

}  // namespace

double residual_of(const ForceProblem& problem, std::span<const double> f) {
  std::vector<double> a, scale = magnitudes_of(problem, f), diagonal(f.size());
  accelerations_of(problem, f, a);
  double largest = 0.0, drive = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const ForceRow& row = problem.rows[i];
    diagonal[i] = diagonal_of(problem, row);
    if (diagonal[i] <= 0.0) continue;
    const double root = std::sqrt(diagonal[i]);
    largest = std::max(largest, scale[i] / root);
    drive = std::max(drive, std::abs(row.b) / root);
    if (row.kind != RowKind::bilateral) continue;
    if (row.low > -kNoLimit) drive = std::max(drive, std::abs(row.low) * root);
    if (row.high < kNoLimit) drive = std::max(drive, std::abs(row.high) * root);
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const ForceRow& row = problem.rows[i];
    const bool friction = row.kind == RowKind::friction, normal = row.kind == RowKind::normal;
    double low = normal ? 0.0 : row.low, high = normal ? kNoLimit : row.high;
    if (friction) high = row.mu * std::max(0.0, f[row.normal_row]), low = -high;
    double violation = 0.0, size = scale[i];
    if (diagonal[i] > 0.0) {
      violation = std::abs(f[i] - std::clamp(f[i] - a[i] / diagonal[i], low, high)) * diagonal[i];
      const double root = std::sqrt(diagonal[i]);
      size = std::min(std::max(size, kScaleFloor * largest * root), kScaleCap * drive * root);
    } else if (!friction) {
      // a row that no force can change must hold by itself
      violation = normal ? std::max(0.0, -a[i]) : std::abs(a[i]);
    }
    if (friction && row.slip != 0) {
      violation = std::abs(f[i] + row.slip * row.mu * f[row.normal_row]) * diagonal[i];
    }
    const double residual = size > 0.0 ? violation / size : 0.0;
    if (!(residual <= worst)) worst = residual;
  }
  return worst;
}

const char* to_text(ForceStatus status) {
  switch (status) {
    case ForceStatus::solved:
      return "solved";
    case ForceStatus::impulse_needed:
      return "impulse_needed";
    case ForceStatus::contradictory:
      return "contradictory";
    case ForceStatus::not_converged:
      return "not_converged";
    case ForceStatus::invalid:
      return "invalid";
  }
  return "unknown";
}

const char* to_text(RowState state) {
  switch (state) {
    case RowState::unknown:
      return "unknown";
    case RowState::open:
      return "open";
    case RowState::held:
      return "held";
    case RowState::at_low:
      return "at_low";
    case RowState::at_high:
      return "at_high";
  }
  return "unknown";
}

}  // namespace repose::mechanism
