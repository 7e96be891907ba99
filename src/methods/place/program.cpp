#include "program.h"

#include <algorithm>
#include <limits>

#include "repose/base/check.h"

namespace repose::place {

ScaledRows scaled_rows(const Arena& arena, const Places& places, std::span<const Row> rows) {
  ScaledRows out;
  const auto count = static_cast<Eigen::Index>(rows.size());
  out.columns.resize(arena.freedoms(), count);
  out.scale.resize(count);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Eigen::VectorXd g = gradient(arena, places, rows[static_cast<std::size_t>(i)]);
    out.scale[i] = std::max(g.norm(), std::numeric_limits<double>::min());
    out.columns.col(i) = g / out.scale[i];
  }
  return out;
}

void add_bounds(const Arena& arena, const Problem& problem, double epsilon,
                solve::QuadraticProgram& qp) {
  const Eigen::Index n = arena.freedoms(), first = qp.rows.cols();
  qp.rows.conservativeResize(n, first + 2 * n);
  qp.least.conservativeResize(first + 2 * n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& body =
        problem
            .bodies[static_cast<std::size_t>(arena.active[static_cast<std::size_t>(i / 6)].body)];
    const double bound = body.frozen[static_cast<std::size_t>(i % 6)] ? 0.0 : epsilon;
    qp.rows.col(first + 2 * i) = Eigen::VectorXd::Unit(n, i);
    qp.rows.col(first + 2 * i + 1) = -Eigen::VectorXd::Unit(n, i);
    qp.least[first + 2 * i] = qp.least[first + 2 * i + 1] = -bound;
  }
}

const Pairing& pairing_of(const Arena& arena, const Seed& seed) {
  for (const Pairing& pair : arena.pairs)
    if ((pair.p == seed.p && pair.q == seed.q) || (pair.p == seed.q && pair.q == seed.p))
      return pair;
  REPOSE_CHECK(false, "a row between bodies that never meet");
}

double pair_size(const Arena& arena, const Row& row) {
  return pairing_of(arena, row.at).size;
}

double kept_gap(const Pairing& pair, double gap) {
  return std::max(gap, pair.least) * pair.size;
}

double kept_gap(const Arena& arena, const Row& row, double gap) {
  return kept_gap(pairing_of(arena, row.at), gap);
}

}  // namespace repose::place
