#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "scene.h"
#include "solve/random_programs.h"
#include "src/methods/pile/program.h"

namespace bench_pile {
namespace {

using namespace repose::pile;
using namespace repose::solve;
using repose::Random;

constexpr double kAgree = 1e-8;

struct Tally {
  long programs = 0, wrong_status = 0, stalled = 0, off = 0, agree = 0, settled = 0;
  double worst_primal = 0.0, worst_dual = 0.0, worst_gap = 0.0;
};

bool falls_for_ever(const LinearProgram& lp, const std::vector<double>& ray) {
  if (!(dot(lp.cost, ray) < 0.0)) return false;
  for (int k = 0; k < lp.rows(); ++k)
    if (lp.row_times(k, ray) < -1e-7) return false;
  return true;
}

bool cannot_hold(const LinearProgram& lp, const std::vector<double>& y) {
  std::vector<double> sum(lp.cost.size(), 0.0);
  double gain = 0.0, size = 0.0;
  for (int k = 0; k < lp.rows(); ++k) {
    if (y[static_cast<std::size_t>(k)] < 0.0) return false;
    size += y[static_cast<std::size_t>(k)];
    gain += y[static_cast<std::size_t>(k)] * lp.bound[static_cast<std::size_t>(k)];
    for (int e = lp.row_start[k]; e < lp.row_start[k + 1]; ++e)
      sum[lp.column[e]] += y[static_cast<std::size_t>(k)] * lp.value[e];
  }
  return gain > 0.0 &&
         std::all_of(sum.begin(), sum.end(), [&](double e) { return std::fabs(e) < 1e-6 * size; });
}

/// Solves with both and notes what the program itself says about our answer.
void compare(const LinearProgram& lp, const LpStart& start, const LpStatus* want, LpSolver& own,
             LpSolver& clp, Tally& tally) {
  const LpSolution a = own.solve(lp, {}, start), b = clp.solve(lp, {}, {});
  ++tally.programs;
  if (want != nullptr && a.status != *want) ++tally.wrong_status;
  bool proven = false;
  if (a.status == LpStatus::stalled) ++tally.stalled;
  if (a.status == LpStatus::optimal) {
    const LpResiduals r = residuals_of(lp, a.x, a.y);
    tally.worst_primal = std::max(tally.worst_primal, r.primal);
    tally.worst_dual = std::max(tally.worst_dual, r.dual);
    tally.worst_gap = std::max(tally.worst_gap, r.gap);
    proven = std::max({r.primal, r.dual, r.gap}) <= kAgree;
  }
  if (a.status == LpStatus::unbounded) proven = falls_for_ever(lp, a.x);
  if (a.status == LpStatus::infeasible) proven = cannot_hold(lp, a.y);
  if (!proven) ++tally.off;
  const bool same = a.status == b.status &&
                    (a.status != LpStatus::optimal || std::fabs(a.objective - b.objective) <=
                                                          kAgree * (1.0 + std::fabs(b.objective)));
  ++(same ? tally.agree : tally.settled);
}

int print(const char* name, const Tally& t) {
  fmt::print(
      "{}: {} programs, {} of a wrong status, {} stalled, {} without proof; {} agree with Clp to "
      "1e-8, {} are settled by our certificate; worst primal {:.1e}, dual {:.1e}, gap {:.1e}\n",
      name, t.programs, t.wrong_status, t.stalled, t.off, t.agree, t.settled, t.worst_primal,
      t.worst_dual, t.worst_gap);
  return t.wrong_status + t.stalled + t.off == 0 ? 0 : 1;
}

/// The program of every step of a pile on its way to rest, without the conservative term.
template <class Look>
void for_each_program(int k, std::uint64_t seed, Look&& look) {
  auto [problem, state] = make_scene(k, seed);
  const auto arena = prepare_arena(problem, state);
  auto method = method_info().make({}).value();
  if (!arena || !method->prepare(problem, state)) return;
  const StepBounds bounds = rotated_bounds(*arena, 1.0);
  repose::StepReport report;
  while (report.status == repose::RunStatus::moving) {
    const Placement at = placement_of(*arena, state);
    const auto near = find_separations(*arena, at, travel_of(*arena, bounds));
    StepProgram program =
        assemble_program(*arena, at, near, margins_of(*arena, near, PileSettings{}.margin), bounds,
                         0.0, PileSettings{});
    program.lp.proximal = 0.0;
    look(program.lp, program.first_rows);
    report = method->step(problem, state);
  }
}

}  // namespace

int compare_programs(int count) {
  const auto own = make_interior_point(), clp = make_simplex();
  Tally random_ones;
  Random random(7);
  for (int c = 0; c < count; ++c) {
    const Case it = random_case(random, c % 4);
    compare(it.lp, {}, it.status_known ? &it.want : nullptr, *own, *clp, random_ones);
  }
  int bad = print("random", random_ones);
  Tally piles;
  for (const int k : {3, 4, 5})
    for_each_program(k, 1, [&](const LinearProgram& lp, std::span<const int> rows) {
      const LpStatus want = LpStatus::optimal;
      compare(lp, {.rows = rows, .zero_is_feasible = true, .multipliers = {}}, &want, *own, *clp,
              piles);
    });
  return bad | print("piles", piles);
}

}  // namespace bench_pile
