#include "instances.h"

#include <cmath>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include "repose/base/random.h"

namespace repose {

namespace {

Pose at(const Vec3& position) {
  Pose pose;
  pose.position = position;
  return pose;
}

std::vector<InstancePlace> grid_places(const GridArrangement& grid) {
  std::vector<InstancePlace> out;
  for (int k = 0; k < grid.counts[2]; ++k)
    for (int j = 0; j < grid.counts[1]; ++j)
      for (int i = 0; i < grid.counts[0]; ++i) {
        const Vec3 step = Vec3(i, j, k).cwiseProduct(grid.spacing);
        out.push_back({at(grid.origin + step + (k % 2 == 1 ? grid.stagger : Vec3::Zero())), 0.0});
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

/// Balls in cells as wide as the largest diameter, so that only neighbouring cells need a look.
class BallGrid {
 public:
  explicit BallGrid(double cell) : cell_(cell) {}

  void add(const TakenBall& ball) { cells_[key(cell_of(ball.center))].push_back(ball); }
  bool free(const TakenBall& ball, double clearance) const {
    const auto home = cell_of(ball.center);
    for (std::int64_t i = -1; i <= 1; ++i)
      for (std::int64_t j = -1; j <= 1; ++j)
        for (std::int64_t k = -1; k <= 1; ++k) {
          const auto found = cells_.find(key({home[0] + i, home[1] + j, home[2] + k}));
          if (found == cells_.end()) continue;
          for (const TakenBall& other : found->second)
            if ((other.center - ball.center).norm() < other.radius + ball.radius + clearance)
              return false;
        }
    return true;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  Cell cell_of(const Vec3& point) const {
    Cell cell;
    for (int i = 0; i < 3; ++i)
      cell[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(std::floor(point[i] / cell_));
    return cell;
  }
  static std::uint64_t key(const Cell& cell) {
    // three times 21 bits; cells that share a key are only looked at in vain
    constexpr std::uint64_t kMask = (std::uint64_t{1} << 21) - 1;
    return (static_cast<std::uint64_t>(cell[0]) & kMask) |
           (static_cast<std::uint64_t>(cell[1]) & kMask) << 21 |
           (static_cast<std::uint64_t>(cell[2]) & kMask) << 42;
  }

  double cell_;
  std::unordered_map<std::uint64_t, std::vector<TakenBall>> cells_;
};

/// Balls too large for the cells of a BallGrid are compared one by one.
struct Surroundings {
  BallGrid grid;
  std::vector<TakenBall> large;
  double clearance;

  bool free(const TakenBall& ball) const {
    for (const TakenBall& other : large)
      if ((other.center - ball.center).norm() < other.radius + ball.radius + clearance)
        return false;
    return grid.free(ball, clearance);
  }
};

Result<std::vector<InstancePlace>> scatter_places(const ScatterArrangement& scatter,
                                                  const TakenBall& bounding,
                                                  const std::vector<TakenBall>& taken) {
  const double largest = scatter.radius_range ? (*scatter.radius_range)[1] : bounding.radius;
  Surroundings around{BallGrid(2.0 * largest + scatter.clearance), {}, scatter.clearance};
  for (const TakenBall& ball : taken)
    if (ball.radius <= largest)
      around.grid.add(ball);
    else
      around.large.push_back(ball);

  InputError error;
  if (!((scatter.high - scatter.low).array() >= 2.0 * largest).all()) {
    error.wrong = fmt::format("the box is too small for a bounding ball of radius {:.4g}", largest);
    error.right = "a larger box";
    return error;
  }
  std::vector<InstancePlace> out;
  Random random(static_cast<std::uint64_t>(scatter.seed));
  for (int n = 0; n < scatter.count; ++n) {
    // radius and rotation first: later bodies do not depend on how many places were tried
    Random own(random.bits());
    const double drawn = scatter.radius_range
                             ? own.between((*scatter.radius_range)[0], (*scatter.radius_range)[1])
                             : 0.0;
    const double radius = scatter.radius_range ? drawn : bounding.radius;
    Pose pose;
    if (scatter.turn) pose.rotation = random_rotation(own);
    bool placed = false;
    for (int t = 0; t < scatter.tries && !placed; ++t) {
      Vec3 center;
      for (int i = 0; i < 3; ++i)
        center[i] = own.between(scatter.low[i] + radius, scatter.high[i] - radius);
      if (!around.free({center, radius})) continue;
      around.grid.add({center, radius});
      pose.position = center - pose.turn(bounding.center);
      placed = true;
    }
    if (!placed) {
      error.wrong = fmt::format("only {} of {} bodies found room", n, scatter.count);
      error.right = "a larger box, fewer or smaller bodies, or more tries";
      return error;
    }
    out.push_back({pose, drawn});
  }
  return out;
}

}  // namespace

Result<std::vector<InstancePlace>> instance_places(const Arrangement& arrange,
                                                   const TakenBall& bounding,
                                                   const std::vector<TakenBall>& taken) {
  if (const auto* grid = std::get_if<GridArrangement>(&arrange)) return grid_places(*grid);
  if (const auto* line = std::get_if<LineArrangement>(&arrange)) return line_places(*line);
  if (const auto* ring = std::get_if<RingArrangement>(&arrange)) return ring_places(*ring);
  if (const auto* scatter = std::get_if<ScatterArrangement>(&arrange))
    return scatter_places(*scatter, bounding, taken);
  std::vector<InstancePlace> out;
  for (const Placement& place : std::get<ListArrangement>(arrange).places)
    out.push_back({place.pose(), 0.0});
  return out;
}

}  // namespace repose
