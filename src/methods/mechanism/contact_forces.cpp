#include "repose/mechanism/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "contact_forces_group.h"

namespace repose::mechanism {
namespace {

/// Groups of more rows keep a solver of their own, and with it the pattern of their bodies.
constexpr int kOwnSolver = 12;

bool finite(const RowPart& part) {
  return std::isfinite(part[0]) && std::isfinite(part[1]) && std::isfinite(part[2]);
}

const char* fault_of(const ForceProblem& problem, const ForceRow& row) {
  const int bodies = static_cast<int>(problem.bodies.size());
  const int rows = static_cast<int>(problem.rows.size());
  if (row.body_a < -1 || row.body_a >= bodies || row.body_b < -1 || row.body_b >= bodies) {
    return "a body index is out of range";
  }
  if (!finite(row.part_a) || !finite(row.part_b) || !std::isfinite(row.b)) {
    return "a coefficient is not finite";
  }
  if (!(row.low <= row.high)) return "the lower force limit is above the upper";
  if (row.kind != RowKind::friction) return nullptr;
  if (row.normal_row < 0 || row.normal_row >= rows ||
      problem.rows[row.normal_row].kind != RowKind::normal) {
    return "a friction row needs a normal row";
  }
  const ForceRow& normal = problem.rows[row.normal_row];
  const bool same = normal.body_a == row.body_a && normal.body_b == row.body_b;
  const bool turned = normal.body_a == row.body_b && normal.body_b == row.body_a;
  if (!same && !turned) return "a friction row acts on other bodies than its normal row";
  if (!(row.mu >= 0.0) || !std::isfinite(row.mu)) return "a friction coefficient is negative";
  return nullptr;
}

}  // namespace

struct ForceSolver::Work {
  explicit Work(const ForceSettings& given) : settings(given) {}

  bool validate(const ForceProblem& problem);
  void begin(const ForceProblem& problem);
  void settle_idle_rows(const ForceProblem& problem);
  void solve_group(const ForceProblem& problem, int index, const ForceStart& start);
  void refuse(ForceStatus status, int row, const char* why);
  GroupSolver& solver_for(int large_group);

  ForceSettings settings;
  Grouping grouping;
  ScaledProblem scaled;
  std::vector<std::unique_ptr<GroupSolver>> solvers;  // 0: small groups; then one for each other
  int large_groups = 0;
  States states;
  std::vector<double> near;
  std::vector<char> has_friction;
  Forces forces;
};

void ForceSolver::Work::refuse(ForceStatus status, int row, const char* why) {
  if (forces.status != ForceStatus::solved) return;
  forces.status = status;
  forces.failed_row = row;
  forces.why = why;
}

bool ForceSolver::Work::validate(const ForceProblem& problem) {
  for (const InverseInertia& w : problem.bodies) {
    if (!finite(w) || w[0] < 0.0 || w[1] < 0.0 || w[2] < 0.0) {
      refuse(ForceStatus::invalid, -1, "an inverse mass or inertia is negative or not finite");
      return false;
    }
  }
  has_friction.assign(problem.rows.size(), 0);
  for (std::size_t i = 0; i < problem.rows.size(); ++i) {
    const ForceRow& row = problem.rows[i];
    const char* fault = fault_of(problem, row);
    if (fault == nullptr && row.kind == RowKind::friction && has_friction[row.normal_row]++ != 0) {
      fault = "a normal row has two friction rows";
    }
    if (fault == nullptr) continue;
    refuse(ForceStatus::invalid, static_cast<int>(i), fault);
    return false;
  }
  return true;
}

void ForceSolver::Work::begin(const ForceProblem& problem) {
  forces.status = ForceStatus::solved;
  forces.f.assign(problem.rows.size(), 0.0);
  forces.a.resize(problem.rows.size());
  for (std::size_t i = 0; i < problem.rows.size(); ++i) forces.a[i] = problem.rows[i].b;
  forces.states.assign(problem.rows.size(), RowState::open);
  forces.residual = 0.0;
  forces.pivots = forces.linear_solves = 0;
  forces.kept_partition = true;
  forces.failed_row = -1;
  forces.involved.clear();
  forces.why.clear();
  large_groups = 0;
}

/// Rows between bodies that cannot move: no force changes them.
void ForceSolver::Work::settle_idle_rows(const ForceProblem& problem) {
  double largest = 0.0;
  for (const ForceRow& row : problem.rows) largest = std::max(largest, std::abs(row.b));
  for (const int i : grouping.idle_rows()) {
    const ForceRow& row = problem.rows[i];
    if (row.kind == RowKind::friction) continue;
    const double broken = row.kind == RowKind::normal ? -row.b : std::abs(row.b);
    if (row.kind == RowKind::bilateral) forces.states[i] = RowState::held;
    if (broken <= settings.residual * largest) continue;
    refuse(ForceStatus::contradictory, i, "a row between bodies that cannot move does not hold");
    forces.involved.assign(1, i);
    forces.residual = std::max(forces.residual, 1.0);
  }
}

GroupSolver& ForceSolver::Work::solver_for(int large_group) {
  while (static_cast<int>(solvers.size()) <= large_group) {
    solvers.push_back(std::make_unique<GroupSolver>(settings));
  }
  return *solvers[large_group];
}

void ForceSolver::Work::solve_group(const ForceProblem& problem, int index,
                                    const ForceStart& start) {
  const RowGroup& group = grouping.group(index);
  const int rows = static_cast<int>(group.rows.size());
  grouping.scale(problem, group, scaled);
  states.assign(rows, RowState::unknown);
  near.assign(rows, 0.0);
  for (int k = 0; k < rows; ++k) {
    const int row = group.rows[k];
    if (!start.states.empty()) states[k] = start.states[row];
    if (!start.f.empty() && std::isfinite(start.f[row])) near[k] = start.f[row] * scaled.root[k];
  }
  GroupSolver& solver = solver_for(rows > kOwnSolver ? ++large_groups : 0);
  const GroupAnswer& answer = solver.solve(scaled, states, near);
  if (answer.status != ForceStatus::solved && forces.status == ForceStatus::solved) {
    const int failed = answer.failed_row < 0 ? group.rows[0] : group.rows[answer.failed_row];
    refuse(answer.status, failed, answer.why);
    for (const int row : answer.involved) forces.involved.push_back(group.rows[row]);
  }
  forces.residual = std::max(forces.residual, answer.residual);
  forces.pivots += answer.pivots;
  forces.linear_solves += answer.linear_solves;
  forces.kept_partition = forces.kept_partition && answer.kept_partition;
  if (answer.f.size() != static_cast<std::size_t>(rows)) return;
  for (int k = 0; k < rows; ++k) {
    forces.f[group.rows[k]] = answer.f[k] / scaled.root[k];
    forces.a[group.rows[k]] = answer.a[k] * scaled.root[k];
    forces.states[group.rows[k]] = answer.states[k];
  }
}

ForceSolver::ForceSolver(const ForceSettings& settings) : work_(std::make_unique<Work>(settings)) {}
ForceSolver::~ForceSolver() = default;
ForceSolver::ForceSolver(ForceSolver&&) noexcept = default;
ForceSolver& ForceSolver::operator=(ForceSolver&&) noexcept = default;

const Forces& ForceSolver::solve(const ForceProblem& problem, const ForceStart& start) {
  Work& work = *work_;
  work.begin(problem);
  const std::size_t rows = problem.rows.size();
  if ((!start.states.empty() && start.states.size() != rows) ||
      (!start.f.empty() && start.f.size() != rows)) {
    work.refuse(ForceStatus::invalid, -1, "the start has another number of rows");
    return work.forces;
  }
  if (!work.validate(problem)) return work.forces;
  work.grouping.split(problem);
  work.settle_idle_rows(problem);
  for (int k = 0; k < work.grouping.groups(); ++k) work.solve_group(problem, k, start);
  return work.forces;
}

}  // namespace repose::mechanism
