#include "instances.h"

#include <cmath>
#include <numbers>

#include "repose/base/random.h"

namespace repose {

namespace {

Pose at(const Vec3& position) {
  Pose pose;
  pose.position = position;
  return pose;
}

/// The bounding ball lies in the container's hollow and touches no fixed body.
bool fits(const Site& site, std::size_t number, const Vec3& position) {
  const TakenBall& bounding = site.room(number).bounding;
  const TakenBall ball{position + bounding.center, bounding.radius};
  if (!site.hollow->holds(ball.center)) return false;
  for (const FixedObstacle& body : site.fixed)
    if (body.gap(ball) < 0.0) return false;
  return true;
}

std::vector<InstancePlace> grid_places(const GridArrangement& grid, const Site& site) {
  std::vector<InstancePlace> out;
  Random random(static_cast<std::uint64_t>(grid.seed.value_or(site.seed)));
  for (int k = 0; k < grid.counts[2]; ++k)
    for (int j = 0; j < grid.counts[1]; ++j)
      for (int i = 0; i < grid.counts[0]; ++i) {
        const Vec3 step = Vec3(i, j, k).cwiseProduct(grid.spacing);
        Vec3 place = grid.origin + step + (k % 2 == 1 ? grid.stagger : Vec3::Zero());
        if (grid.jitter > 0.0)
          for (int c = 0; c < 3; ++c) place[c] += random.between(-grid.jitter, grid.jitter);
        if (!site.hollow || fits(site, out.size(), place)) out.push_back({at(place), 0.0});
      }
  return out;
}

std::vector<InstancePlace> line_places(const LineArrangement& line) {
  std::vector<InstancePlace> out;
  for (int i = 0; i < line.count; ++i) {
    const double t = line.count == 1 ? 0.0 : static_cast<double>(i) / (line.count - 1);
    out.push_back({at((1.0 - t) * line.from + t * line.to), 0.0});
  }
  return out;
}

std::vector<InstancePlace> ring_places(const RingArrangement& ring) {
  std::vector<InstancePlace> out;
  for (int i = 0; i < ring.count; ++i) {
    const double angle =
        ring.start_deg * std::numbers::pi / 180.0 + 2.0 * std::numbers::pi * i / ring.count;
    Pose pose = at(ring.center + ring.radius * Vec3(std::cos(angle), std::sin(angle), 0.0));
    if (ring.turn) pose.rotation = rotation_from_vector(Vec3(0.0, 0.0, angle));
    out.push_back({pose, 0.0});
  }
  return out;
}

}  // namespace

Result<std::vector<InstancePlace>> instance_places(const Arrangement& arrange, const Site& site) {
  if (const auto* grid = std::get_if<GridArrangement>(&arrange)) return grid_places(*grid, site);
  if (const auto* line = std::get_if<LineArrangement>(&arrange)) return line_places(*line);
  if (const auto* ring = std::get_if<RingArrangement>(&arrange)) return ring_places(*ring);
  if (const auto* scatter = std::get_if<ScatterArrangement>(&arrange))
    return scatter_places(*scatter, site);
  if (const auto* pour = std::get_if<PourArrangement>(&arrange)) return pour_places(*pour, site);
  std::vector<InstancePlace> out;
  for (const Placement& place : std::get<ListArrangement>(arrange).places)
    out.push_back({place.pose(), 0.0});
  return out;
}

}  // namespace repose
