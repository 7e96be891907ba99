// Bodies at random places: scatters in a box, pours into a container.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/base/work.h"

#include "instances.h"
#include "tables.h"

namespace repose {

namespace {

/// A pour looks for places in a window of this many of the largest diameters in height, and moves
/// it up by one where it is full.
constexpr double kWindow = 4.0;
/// A window that has risen this often above the container without taking a body never will.
constexpr int kMostVainRises = 8;
/// Work of looking whether a place is free, in units of WorkLimit.
constexpr int kTryWork = 4;

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

/// What a new ball must keep clear of.
class Surroundings {
 public:
  Surroundings(const Site& site, double largest, double clearance)
      : grid_(2.0 * largest + clearance), fixed_(&site.fixed), clearance_(clearance) {
    for (const TakenBall& ball : site.taken)
      if (ball.radius <= largest)
        grid_.add(ball);
      else
        large_.push_back(ball);  // too large for the cells
  }
  void add(const TakenBall& ball) { grid_.add(ball); }
  bool free_of_movers(const TakenBall& ball) const {
    for (const TakenBall& other : large_)
      if ((other.center - ball.center).norm() < other.radius + ball.radius + clearance_)
        return false;
    return grid_.free(ball, clearance_);
  }
  bool free_of_fixed(const TakenBall& ball) const {
    for (const FixedObstacle& body : *fixed_)
      if (body.gap(ball) < clearance_) return false;
    return true;
  }

 private:
  BallGrid grid_;
  std::vector<TakenBall> large_;
  const std::vector<FixedObstacle>* fixed_;
  double clearance_;
};

double largest_of(const Sizes& sizes) {
  struct Largest {
    double operator()(const UniformSizes& s) const { return s.high; }
    double operator()(const LogNormalSizes& s) const { return s.high; }
    double operator()(const ListedSizes& s) const {
      return *std::max_element(s.radii.begin(), s.radii.end());
    }
  };
  return std::visit(Largest{}, sizes);
}

double draw_radius(const Sizes& sizes, Random& random) {
  struct Draw {
    Random& random;
    double operator()(const UniformSizes& s) const { return random.between(s.low, s.high); }
    double operator()(const LogNormalSizes& s) const {
      // the median lies between the ends, so that at least one of two draws is not cut by one end
      constexpr int kMostDraws = 1000;
      for (int n = 0; n < kMostDraws; ++n) {
        const double radius = s.median * std::exp(s.deviation * random.normal());
        if (s.low <= radius && radius <= s.high) return radius;
      }
      return s.median;
    }
    double operator()(const ListedSizes& s) const {
      double sum = 0.0;
      for (const double share : s.shares) sum += share;
      double at = sum * random.unit();
      for (std::size_t i = 0; i + 1 < s.radii.size(); ++i) {
        if (at < s.shares[i]) return s.radii[i];
        at -= s.shares[i];
      }
      return s.radii.back();
    }
  };
  return std::visit(Draw{random}, sizes);
}

/// One body to come: what is drawn before its place is looked for, so that later bodies do not
/// depend on how many places were tried.
struct Candidate {
  Random own;
  double drawn = 0.0;  // m; 0: the pattern's own radius
  double radius;       // m, of the bounding ball
  Pose pose;           // rotation; the position follows
};

Candidate draw_candidate(const DrawnBodies& in, const PatternRoom& pattern, Random& random) {
  Candidate out{Random(random.bits()), 0.0, pattern.bounding.radius, {}};
  if (in.sizes) out.drawn = out.radius = draw_radius(*in.sizes, out.own);
  if (in.turn) out.pose.rotation = random_rotation(out.own);
  return out;
}

/// The bodies in the order in which they look for a place: as many as asked for, or as many as come
/// nearest to the packing fraction of a room of `volume` (m^3).
Result<std::vector<Candidate>> draw_candidates(const DrawnBodies& in, const Site& site,
                                               double volume) {
  std::vector<Candidate> out;
  Random random(static_cast<std::uint64_t>(in.seed.value_or(site.seed)));
  double filled = 0.0;
  const double target = in.packing.value_or(0.0) * volume;
  while (!in.count || static_cast<int>(out.size()) < *in.count) {
    const PatternRoom& pattern = site.room(out.size());
    Candidate next = draw_candidate(in, pattern, random);
    const double own = next.drawn > 0.0
                           ? 4.0 / 3.0 * std::numbers::pi * next.drawn * next.drawn * next.drawn
                           : pattern.volume;
    if (in.packing && filled + 0.5 * own > target) break;
    filled += own;
    out.push_back(next);
    if (static_cast<std::int64_t>(out.size()) <= kMostBodies) continue;
    InputError error;
    error.wrong = fmt::format("more than {} bodies", kMostBodies);
    error.right = "larger bodies or a smaller packing fraction";
    return error;
  }
  return out;
}

/// The place of an instance whose bounding ball's centre is given.
InstancePlace place_of(const Candidate& body, const PatternRoom& pattern, const Vec3& center) {
  Pose pose = body.pose;
  pose.position = center - pose.turn(pattern.bounding.center);
  return {pose, body.drawn};
}

InputError too_full(std::size_t found, std::size_t wanted, std::string right) {
  InputError error;
  error.wrong = fmt::format("only {} of {} bodies found room", found, wanted);
  error.right = std::move(right);
  return error;
}

}  // namespace

Result<std::vector<InstancePlace>> scatter_places(const ScatterArrangement& scatter,
                                                  const Site& site) {
  const double largest = scatter.sizes ? largest_of(*scatter.sizes) : site.largest();
  const Vec3 size = scatter.high - scatter.low;
  if (!(size.array() >= 2.0 * largest).all()) {
    InputError error;
    error.wrong = fmt::format("the box is too small for a bounding ball of radius {:.4g}", largest);
    error.right = "a larger box";
    return error;
  }
  auto bodies = draw_candidates(scatter, site, size.x() * size.y() * size.z());
  if (!bodies) return bodies.error();
  Surroundings around(site, largest, scatter.clearance);
  std::vector<InstancePlace> out;
  for (Candidate& body : *bodies) {
    bool placed = false;
    for (int t = 0; t < scatter.tries && !placed; ++t) {
      spend_work(kTryWork);
      TakenBall ball{Vec3::Zero(), body.radius};
      for (int i = 0; i < 3; ++i)
        ball.center[i] =
            body.own.between(scatter.low[i] + body.radius, scatter.high[i] - body.radius);
      placed = around.free_of_movers(ball) && around.free_of_fixed(ball);
      if (!placed) continue;
      around.add(ball);
      out.push_back(place_of(body, site.room(out.size()), ball.center));
    }
    if (!placed)
      return too_full(out.size(), bodies->size(),
                      "a larger box, fewer or smaller bodies, or more tries");
  }
  return out;
}

Result<std::vector<InstancePlace>> pour_places(const PourArrangement& pour, const Site& site) {
  const Hollow& hollow = *site.hollow;
  const double volume = hollow.volume();
  if (!(volume > 0.0)) {
    InputError error;
    error.pointer = "/container";
    error.wrong = "the container encloses nothing";
    error.right = "bodies with a hollow between or in them";
    return error;
  }
  auto bodies = draw_candidates(pour, site, volume);
  if (!bodies) return bodies.error();
  const double largest = pour.sizes ? largest_of(*pour.sizes) : site.largest();
  Surroundings around(site, largest, pour.clearance);
  std::vector<InstancePlace> out;
  double bottom = hollow.low().z();  // of the window
  int vain = 0;                      // rises above the container since the last body
  for (Candidate& body : *bodies) {
    bool placed = false;
    while (!placed) {
      for (int t = 0; t < pour.tries && !placed; ++t) {
        spend_work(kTryWork);
        Vec3 point;  // in the hollow's frame
        for (int i = 0; i < 2; ++i) point[i] = body.own.between(hollow.low()[i], hollow.high()[i]);
        point.z() = body.own.between(bottom, bottom + kWindow * 2.0 * largest);
        const TakenBall ball{hollow.to_world(point), body.radius};
        // what stands above the container must fit its opening
        const TakenBall below{hollow.to_world(hollow.into_opening(point)), body.radius};
        placed = around.free_of_movers(ball) && hollow.holds(below.center) &&
                 around.free_of_fixed(below) && around.free_of_fixed(ball);
        if (!placed) continue;
        around.add(ball);
        out.push_back(place_of(body, site.room(out.size()), ball.center));
        vain = 0;
      }
      if (placed) continue;
      if (bottom > hollow.high().z() && ++vain > kMostVainRises)
        return too_full(out.size(), bodies->size(),
                        "smaller bodies, or a container with a wider opening");
      bottom += 2.0 * largest;
    }
  }
  return out;
}

}  // namespace repose
