// A linear program of a pile, its factorisation, and contact forces of a machine.
#include <memory>

#include "repose/math/vec.h"
#include "repose/mechanism/contact_forces.h"
#include "repose/solve/linear_program.h"
#include "repose/solve/sparse_cholesky.h"

#include "kernels.h"
#include "methods/mechanism/forces_scenes.h"

namespace repose::bench {
namespace {

/// Neighbours in a cubic lattice of side^3 blocks.
std::vector<std::pair<int, int>> lattice_pairs(int side) {
  std::vector<std::pair<int, int>> out;
  for (int i = 0; i < side * side * side; ++i) {
    if (i % side + 1 < side) out.emplace_back(i, i + 1);
    if (i / side % side + 1 < side) out.emplace_back(i, i + side);
    if (i / side / side + 1 < side) out.emplace_back(i, i + side * side);
  }
  return out;
}

/// Balls of a jittered lattice with small gaps that sink by their weight: the first program of a
/// pile.
solve::LinearProgram lattice_program(int side) {
  constexpr double kPitch = 2.02, kJitter = 0.005, kFarthest = 0.5;
  Random random(1);
  std::vector<Vec3> at;
  for (int i = 0; i < side * side * side; ++i) {
    const double x = random.between(-kJitter, kJitter), y = random.between(-kJitter, kJitter);
    at.push_back(kPitch * Vec3(i % side, i / side % side, i / side / side) +
                 Vec3(x, y, random.between(-kJitter, kJitter)));
  }
  solve::LinearProgram lp;
  for (std::size_t i = 0; i < at.size(); ++i) {
    lp.block_start.push_back(static_cast<int>(3 * i));
    for (const double c : {0.0, 0.0, 1.0}) lp.cost.push_back(c);
  }
  lp.block_start.push_back(static_cast<int>(lp.cost.size()));
  for (const auto& [a, b] : lattice_pairs(side)) {
    const Vec3 way = at[static_cast<std::size_t>(b)] - at[static_cast<std::size_t>(a)];
    const Vec3 n = way.normalized();
    for (int k = 0; k < 3; ++k) lp.add_entry(3 * a + k, -n[k]);
    for (int k = 0; k < 3; ++k) lp.add_entry(3 * b + k, n[k]);
    lp.end_row(2.0 - way.norm());
  }
  for (int v = 0; v < lp.variables(); ++v)
    for (const double sign : {1.0, -1.0}) {
      lp.add_entry(v, sign);
      lp.end_row(-kFarthest);
    }
  return lp;
}

void add_program(std::vector<Kernel>& out) {
  auto lp = std::make_shared<solve::LinearProgram>(lattice_program(6));
  out.push_back(
      {"program/216", "the linear program of a step of 216 balls, from nothing", [lp] {
         const auto solver = solve::make_interior_point();
         used(solver->solve(*lp, {}, {.rows = {}, .zero_is_feasible = true, .multipliers = {}})
                  .objective);
       }});
}

void add_factor(std::vector<Kernel>& out) {
  constexpr int kSide = 10, kBlock = 3;
  const auto pairs = lattice_pairs(kSide);
  std::vector<int> starts;
  for (int i = 0; i <= kSide * kSide * kSide; ++i) starts.push_back(kBlock * i);
  auto matrix = std::make_shared<solve::SparseCholesky>();
  matrix->analyze(solve::graph_from_pairs(kSide * kSide * kSide, pairs), starts);
  matrix->clear();
  for (int v = 0; v < starts.back(); ++v)
    matrix->values()[static_cast<std::size_t>(matrix->place(v, v))] = 8.0;
  for (const auto& [a, b] : pairs)
    for (int k = 0; k < kBlock; ++k)
      matrix->values()[static_cast<std::size_t>(
          matrix->place(kBlock * std::max(a, b) + k, kBlock * std::min(a, b) + k))] = -1.0;
  out.push_back({"factor/1000", "the sparse factorisation of 1000 blocks of 3 in a lattice",
                 [matrix] { used(matrix->factor() ? 1.0 : 0.0); }});
  auto right = std::make_shared<std::vector<double>>(static_cast<std::size_t>(starts.back()), 1.0);
  out.push_back({"factor/solve-1000", "one solve with that factor", [matrix, right] {
                   std::vector<double> b = *right;
                   matrix->solve(b);
                   used(b.front());
                 }});
}

void add_forces(std::vector<Kernel>& out) {
  using namespace mechanism;
  auto scene = std::make_shared<PlaneScene>(box_pyramid(10, 0.5));
  out.push_back(
      {"complementarity/55", "contact forces of a pyramid of 55 boxes, from nothing", [scene] {
         ForceSolver solver;
         used(solver.solve(scene->problem).f.front());
       }});
}

}  // namespace

void add_solver_kernels(std::vector<Kernel>& out) {
  add_program(out);
  add_factor(out);
  add_forces(out);
}

}  // namespace repose::bench
