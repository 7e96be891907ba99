#include "zones.h"

#include <algorithm>
#include <numeric>

namespace repose::pile {
namespace {

/// Cuts movers[first, last) and numbers the parts.
void halve(std::span<const Vec3> centers, std::span<int> movers, int most, Zones& out) {
  if (static_cast<int>(movers.size()) <= most) {
    for (const int m : movers) out.of_mover[static_cast<std::size_t>(m)] = out.count;
    ++out.count;
    return;
  }
  Vec3 low = centers[static_cast<std::size_t>(movers[0])], high = low;
  for (const int m : movers) {
    low = low.cwiseMin(centers[static_cast<std::size_t>(m)]);
    high = high.cwiseMax(centers[static_cast<std::size_t>(m)]);
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  std::sort(movers.begin(), movers.end(), [&](int a, int b) {
    const double xa = centers[static_cast<std::size_t>(a)][axis];
    const double xb = centers[static_cast<std::size_t>(b)][axis];
    return xa != xb ? xa < xb : a < b;
  });
  const std::size_t middle = movers.size() / 2;
  halve(centers, movers.first(middle), most, out);
  halve(centers, movers.subspan(middle), most, out);
}

/// The rows of the program that each zone has a part in.
std::vector<std::vector<int>> rows_of_zones(const solve::LinearProgram& lp,
                                            std::span<const int> zone_of, int zones) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(zones));
  for (int k = 0; k < lp.rows(); ++k)
    for (int e = lp.row_start[k]; e < lp.row_start[k + 1]; ++e) {
      auto& rows = out[static_cast<std::size_t>(zone_of[lp.column[e]])];
      if (rows.empty() || rows.back() != k) rows.push_back(k);
    }
  return out;
}

}  // namespace

Zones make_zones(std::span<const Vec3> centers, int most) {
  Zones out;
  out.of_mover.assign(centers.size(), 0);
  std::vector<int> movers(centers.size());
  std::iota(movers.begin(), movers.end(), 0);
  halve(centers, movers, most, out);
  return out;
}

solve::LpSolution solve_in_zones(const StepProgram& program, const Zones& zones,
                                 std::span<const double> known, const solve::LpSettings& settings,
                                 solve::LpSolver& solver) {
  const solve::LinearProgram& lp = program.lp;
  const std::size_t blocks = lp.block_start.size() - 1;
  std::vector<int> zone_of(lp.cost.size()), local(lp.cost.size());
  for (std::size_t b = 0; b < blocks; ++b)
    for (int v = lp.block_start[b]; v < lp.block_start[b + 1]; ++v) zone_of[v] = zones.of_mover[b];
  std::vector<char> first(static_cast<std::size_t>(lp.rows()), 0);
  for (const int k : program.first_rows) first[static_cast<std::size_t>(k)] = 1;
  const auto rows = rows_of_zones(lp, zone_of, zones.count);
  solve::LpSolution out;
  out.x.assign(lp.cost.size(), 0.0);
  out.y.assign(static_cast<std::size_t>(lp.rows()), 0.0);
  for (int zone = 0; zone < zones.count; ++zone) {
    // the part of the program that is this zone's
    solve::LinearProgram part;
    part.proximal = lp.proximal;
    for (std::size_t b = 0; b < blocks; ++b) {
      if (zones.of_mover[b] != zone) continue;
      part.block_start.push_back(part.variables());
      for (int v = lp.block_start[b]; v < lp.block_start[b + 1]; ++v) {
        local[v] = part.variables();
        part.cost.push_back(lp.cost[v]);
      }
    }
    part.block_start.push_back(part.variables());
    std::vector<int> begin;
    std::vector<double> multipliers;
    for (const int k : rows[static_cast<std::size_t>(zone)]) {
      bool shared = false;
      for (int e = lp.row_start[k]; e < lp.row_start[k + 1]; ++e) {
        const int v = lp.column[e];
        if (zone_of[v] == zone)
          part.add_entry(local[v], lp.value[e]);
        else
          shared = true;
      }
      if (first[static_cast<std::size_t>(k)]) begin.push_back(part.rows());
      part.end_row(lp.bound[k] * (shared ? 0.5 : 1.0));
      multipliers.push_back(known[static_cast<std::size_t>(k)]);
    }
    const solve::LpSolution solved = solver.solve(
        part, settings, {.rows = begin, .zero_is_feasible = true, .multipliers = multipliers});
    for (std::size_t v = 0; v < zone_of.size(); ++v)
      if (zone_of[v] == zone) out.x[v] = solved.x[static_cast<std::size_t>(local[v])];
    int n = 0;
    for (const int k : rows[static_cast<std::size_t>(zone)]) {
      double& y = out.y[static_cast<std::size_t>(k)];
      y = std::max(y, solved.y[static_cast<std::size_t>(n++)]);
    }
    out.objective += solved.objective;
    out.iterations = std::max(out.iterations, solved.iterations);
    out.rows_used += solved.rows_used;
  }
  return out;
}

}  // namespace repose::pile
