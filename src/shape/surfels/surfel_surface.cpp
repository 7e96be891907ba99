#include "repose/shape/surfel_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "repose/base/at.h"
#include "repose/math/dense.h"

#include "shape/sew/near_points.h"

namespace repose::shape {

namespace {

/// Places that are tried on a ball.
constexpr int kDirections = 200;
/// Drawn surfels are no nearer to each other than this, of the ball's radius.
constexpr double kSpacing = 0.3;
/// Neighbours of a star are looked for within so many spacings.
constexpr double kStarReach = 4.0;
/// A place within another ball by less than this share of its radius is still seen.
constexpr double kSeen = 1e-3;
/// Normals and places are averaged over neighbours within this many radii of a ball, so often.
/// Places take more rounds: they come to fit the normals.
constexpr double kSmoothReach = 0.8;
constexpr int kNormalRounds = 3, kPlaceRounds = 12;
/// Then normals are those of planes through the places, averaged so often.
constexpr int kLastRounds = 1;
/// Neighbours whose normals differ by more (cosine) are not averaged; those of a star may differ
/// more, as across a crease, but not as the two sides of a thin wall do.
constexpr double kSameSide = 0.3;
constexpr double kStarSide = -0.5;
/// A place that looks so much against its surfel, and so much towards the phyxels about its ball
/// (cosines), lies in the hollow beneath the balls. Where their middle is nearer to the ball's than
/// this share of its radius, the body is thin and has no hollow.
constexpr double kAgainst = -0.3;
constexpr double kTowards = 0.3;
constexpr double kThin = 0.2;
/// Phyxels about a ball are those within so many of its radii.
constexpr double kAboutBall = 2.0;
/// A plane goes through so many surfels at least.
constexpr int kFewest = 3;
/// Of its largest spread: below that a neighbourhood lies on one line.
constexpr double kFlat = 1e-4;

/// Even directions (golden section spiral).
std::vector<Vec3> directions() {
  std::vector<Vec3> out;
  const double turn = std::numbers::pi * (3.0 - std::sqrt(5.0));
  for (int k = 0; k < kDirections; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / kDirections, across = std::sqrt(1.0 - z * z);
    out.emplace_back(across * std::cos(turn * k), across * std::sin(turn * k), z);
  }
  return out;
}

/// A drawn surfel while it is made.
struct Drawn {
  Vec3 point, normal;  // m; unit
  double radius;       // m, of the ball it lies on
};

struct Extent {
  Vec3 middle = Vec3::Zero();
  double size = 1.0;
};

Extent extent_of(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return {0.5 * (low + high), (high - low).norm()};
}

NearPoints grid_of(const std::vector<Drawn>& drawn, double radius) {
  std::vector<Vec3> points;
  for (const Drawn& s : drawn) points.push_back(s.point);
  const Extent extent = extent_of(points);
  NearPoints out(radius, extent.middle, extent.size);
  for (const Vec3& p : points) out.add(p);
  return out;
}

/// Takes places on balls that are seen, thinned.
class Gathering {
 public:
  explicit Gathering(const SurfelRest& rest)
      : rest_(rest),
        widest_(*std::max_element(rest.radii.begin(), rest.radii.end())),
        balls_(2.0 * widest_, extent_of(rest.centers).middle, extent_of(rest.centers).size),
        taken_(kSpacing * widest_, extent_of(rest.centers).middle, extent_of(rest.centers).size),
        phyxels_(kAboutBall * widest_, extent_of(rest.centers).middle,
                 extent_of(rest.centers).size) {
    for (const Vec3& c : rest.centers) balls_.add(c);
    for (const Vec3& x : rest.phyxels) phyxels_.add(x);
  }

  std::vector<Drawn> run() {
    const std::vector<Vec3> ways = directions();
    for (std::size_t b = 0; b < rest_.centers.size(); ++b) {
      const std::vector<int> beside = balls_.within(rest_.centers[b]);
      inward_ = inward_of(b);
      // what the surfel itself looks at comes first
      if (rest_.normals[b].squaredNorm() > 0.0) consider(b, rest_.normals[b], beside);
      for (const Vec3& way : ways) consider(b, way, beside);
    }
    return std::move(drawn_);
  }

 private:
  void consider(std::size_t b, const Vec3& way, const std::vector<int>& beside) {
    const double radius = rest_.radii[b];
    const Vec3 place = rest_.centers[b] + radius * way;
    if (looks_in(b, way) || is_hidden(b, place, beside) || is_taken(place, radius)) return;
    taken_.add(place);
    drawn_.push_back({place, way, radius});
  }

  bool is_hidden(std::size_t b, const Vec3& place, const std::vector<int>& beside) const {
    return std::any_of(beside.begin(), beside.end(), [&](int other) {
      const double inner = (1.0 - kSeen) * rest_.radii[at(other)];
      return at(other) != b && (rest_.centers[at(other)] - place).squaredNorm() < inner * inner;
    });
  }

  bool is_taken(const Vec3& place, double radius) {
    const double apart = kSpacing * radius;
    const std::vector<int>& near = taken_.within(place);
    return std::any_of(near.begin(), near.end(), [&](int k) {
      return (drawn_[at(k)].point - place).squaredNorm() < apart * apart;
    });
  }

  /// It looks into the body, not out of it.
  bool looks_in(std::size_t b, const Vec3& way) const {
    return rest_.normals[b].dot(way) < kAgainst && inward_.dot(way) > kTowards;
  }

  /// Towards the phyxels about a ball; zero where they lie on all sides.
  Vec3 inward_of(std::size_t b) {
    Vec3 sum = Vec3::Zero();
    int count = 0;
    for (const int i : phyxels_.within(rest_.centers[b])) {
      sum += rest_.phyxels[at(i)] - rest_.centers[b];
      ++count;
    }
    const double length = sum.norm();
    return length > kThin * rest_.radii[b] * count ? Vec3(sum / length) : Vec3(Vec3::Zero());
  }

  const SurfelRest& rest_;
  double widest_;
  NearPoints balls_, taken_, phyxels_;
  Vec3 inward_ = Vec3::Zero();  // of the ball that is looked at
  std::vector<Drawn> drawn_;
};

/// Surfels with those about them.
class Smoothing {
 public:
  explicit Smoothing(std::vector<Drawn>& drawn) : drawn_(drawn), about_(drawn.size()) {
    double widest = 0.0;
    for (const Drawn& s : drawn) widest = std::max(widest, reach(s));
    NearPoints grid = grid_of(drawn, widest);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const double within = reach(drawn[i]);
      for (const int j : grid.within(drawn[i].point))
        if ((drawn[at(j)].point - drawn[i].point).squaredNorm() < within * within)
          about_[i].push_back(j);
    }
  }

  void smooth_normals() {
    std::vector<Vec3> next;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      Vec3 sum = Vec3::Zero();
      each(i, [&](const Drawn& s, double weight) { sum += weight * s.normal; });
      next.push_back(sum.squaredNorm() > 0.0 ? Vec3(sum.normalized()) : drawn_[i].normal);
    }
    for (std::size_t i = 0; i < next.size(); ++i) drawn_[i].normal = next[i];
  }

  /// Along normals, by mean heights that vanish where all lie on one sphere.
  void smooth_places() {
    std::vector<double> heights;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const Drawn& own = drawn_[i];
      double sum = 0.0, weights = 0.0;
      each(i, [&](const Drawn& s, double weight) {
        sum += 0.5 * weight * (s.point - own.point).dot(s.normal + own.normal);
        weights += weight;
      });
      heights.push_back(weights > 0.0 ? sum / weights : 0.0);
    }
    for (std::size_t i = 0; i < heights.size(); ++i)
      drawn_[i].point += heights[i] * drawn_[i].normal;
  }

  /// Normals square to the planes that fit the places about each surfel best.
  void fit_normals() {
    std::vector<Vec3> next;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      Vec3 mean = Vec3::Zero();
      double weights = 0.0;
      int count = 0;
      each(i, [&](const Drawn& s, double weight) {
        mean += weight * s.point;
        weights += weight;
        ++count;
      });
      mean /= weights;
      Mat3 spread = Mat3::Zero();
      each(i, [&](const Drawn& s, double weight) {
        const Vec3 d = s.point - mean;
        spread += weight * d * d.transpose();
      });
      next.push_back(drawn_[i].normal);
      if (count < kFewest) continue;
      const SymmetricEigen<Mat3> axes(spread);
      if (!(axes.values[1] > kFlat * axes.values[2])) continue;
      const Vec3 normal = axes.vectors.col(0);
      const double along = normal.dot(drawn_[i].normal);
      if (std::fabs(along) > kSameSide) next.back() = along < 0.0 ? Vec3(-normal) : normal;
    }
    for (std::size_t i = 0; i < next.size(); ++i) drawn_[i].normal = next[i];
  }

 private:
  static double reach(const Drawn& s) { return kSmoothReach * s.radius; }

  template <class Visit>
  void each(std::size_t i, const Visit& visit) const {
    const Drawn& own = drawn_[i];
    const double within = reach(own);
    for (const int j : about_[i]) {
      const Drawn& s = drawn_[at(j)];
      if (s.normal.dot(own.normal) < kSameSide) continue;
      const double share = 1.0 - (s.point - own.point).squaredNorm() / (within * within);
      if (share > 0.0) visit(s, share * share);
    }
  }

  std::vector<Drawn>& drawn_;
  std::vector<std::vector<int>> about_;
};

/// The triangles about every surfel: those to the neighbours whose bisectors bound its Voronoi cell
/// in the plane across its normal.
class Stars {
 public:
  explicit Stars(const std::vector<Drawn>& drawn) : drawn_(drawn) {}

  std::vector<std::array<int, 3>> run() {
    double widest = 0.0;
    for (const Drawn& s : drawn_) widest = std::max(widest, reach(s));
    NearPoints grid = grid_of(drawn_, widest);
    std::vector<std::array<int, 3>> out;
    for (std::size_t i = 0; i < drawn_.size(); ++i) {
      const std::vector<int> star = star_of(i, grid.within(drawn_[i].point));
      for (std::size_t k = 0; k < star.size(); ++k) {
        const int next = star[(k + 1) % star.size()];
        if (star[k] >= 0 && next >= 0)
          out.push_back(from_least({static_cast<int>(i), star[k], next}));
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  /// A side of the cell with the neighbour beyond it; -1: of the square about all.
  struct Side {
    Eigen::Vector2d from;
    int beyond;
  };
  static double reach(const Drawn& s) { return kStarReach * kSpacing * s.radius; }

  static std::array<int, 3> from_least(const std::array<int, 3>& t) {
    if (t[1] < t[0] && t[1] < t[2]) return {t[1], t[2], t[0]};
    if (t[2] < t[0] && t[2] < t[1]) return {t[2], t[0], t[1]};
    return t;
  }

  std::vector<int> star_of(std::size_t i, const std::vector<int>& near) const {
    const Drawn& own = drawn_[i];
    const Vec3 e = own.normal.unitOrthogonal(), f = own.normal.cross(e);
    const double size = reach(own);
    std::vector<Side> cell = {
        {{-size, -size}, -1}, {{size, -size}, -1}, {{size, size}, -1}, {{-size, size}, -1}};
    for (const int j : near) {
      const Drawn& other = drawn_[at(j)];
      const Vec3 way = other.point - own.point;
      if (at(j) == i || other.normal.dot(own.normal) < kStarSide || way.norm() > size) continue;
      // at its distance in space: what lies beneath is not near
      Eigen::Vector2d flat(e.dot(way), f.dot(way));
      const double length = flat.norm();
      if (length > 0.0) cut(flat * (way.norm() / length), j, cell);
    }
    std::vector<int> out;
    for (const Side& side : cell) out.push_back(side.beyond);
    return out;
  }

  /// Leaves of the cell what is nearer to the middle than to `other`.
  static void cut(const Eigen::Vector2d& other, int beyond, std::vector<Side>& cell) {
    const double half = 0.5 * other.squaredNorm();
    const auto over = [&](const Eigen::Vector2d& p) { return p.dot(other) - half; };
    std::vector<Side> out;
    for (std::size_t k = 0; k < cell.size(); ++k) {
      const Side& side = cell[k];
      const Eigen::Vector2d& to = cell[(k + 1) % cell.size()].from;
      const double a = over(side.from), b = over(to);
      if (a <= 0.0) out.push_back(side);
      if ((a <= 0.0) == (b <= 0.0)) continue;
      const Eigen::Vector2d at = side.from + a / (a - b) * (to - side.from);
      // going out the new side begins, coming in the old one goes on
      out.push_back({at, a <= 0.0 ? beyond : side.beyond});
    }
    cell = std::move(out);
  }

  const std::vector<Drawn>& drawn_;
};

}  // namespace

SurfelSurface surfel_surface_of(const SurfelRest& rest) {
  if (rest.centers.empty()) return {};
  std::vector<Drawn> drawn = Gathering(rest).run();
  Smoothing smoothing(drawn);
  for (int round = 0; round < kNormalRounds; ++round) smoothing.smooth_normals();
  for (int round = 0; round < kPlaceRounds; ++round) smoothing.smooth_places();
  smoothing.fit_normals();
  for (int round = 0; round < kLastRounds; ++round) smoothing.smooth_normals();
  SurfelSurface out;
  for (const Drawn& s : drawn) {
    out.points.push_back(s.point);
    out.normals.push_back(s.normal);
  }
  out.triangles = Stars(drawn).run();
  return out;
}

}  // namespace repose::shape
