#include "flow.h"

#include "repose/base/at.h"

namespace repose::molecule {

namespace {

/// Molecules that a row moves, with those that its friction does, at most.
constexpr std::size_t kMovedByRow = 20;

/// Calls use(i) for the molecules that the rows and their frictions move, for some several times,
/// or for all.
template <class Use>
void for_moved(const Arena& arena, const std::vector<Row>& rows, const Use& use) {
  if (kMovedByRow * rows.size() >= arena.mass.size()) {
    for (std::size_t i = 0; i < arena.mass.size(); ++i) use(i);
    return;
  }
  for (const Row& row : rows)
    for (int k = 0; k < row.points; ++k) {
      use(at(row.point[at(k)]));
      const Helpers& helpers = arena.helpers[at(row.point[at(k)])];
      for (int n = 0; n < helpers.count; ++n) use(at(helpers.point[at(n)]));
    }
}

}  // namespace

void Flow::read(const Arena& arena, const std::vector<Row>& rows, const Motion& motion) {
  v.resize(motion.v.size());
  for_moved(arena, rows, [&](std::size_t i) { v[i] = widen(motion.v[i]); });
  rigids = motion.rigids;
}

void Flow::write(const Arena& arena, const std::vector<Row>& rows, Motion& motion) const {
  for_moved(arena, rows, [&](std::size_t i) { motion.v[i] = narrow(v[i]); });
  motion.rigids = rigids;
}

double speed(const Row& row, const Flow& flow) {
  Lanes relative{};
  for (int k = 0; k < row.points; ++k) relative += row.weight[at(k)] * flow.v[at(row.point[at(k)])];
  return dot(widen(row.normal), relative) + speed_of_solids(row, flow.rigids);
}

void push(const Arena& arena, const Row& row, double impulse, Flow& flow) {
  const Lanes normal = widen(row.normal);
  for (int k = 0; k < row.points; ++k) {
    const auto i = at(row.point[at(k)]);
    flow.v[i] += (row.weight[at(k)] * arena.inverse_mass[i] * impulse) * normal;
  }
  push_solids(arena, row, impulse, flow.rigids);
}

}  // namespace repose::molecule
