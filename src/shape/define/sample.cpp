#include "repose/shape/sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "repose/base/work.h"
#include "repose/shape/cover.h"
#include "repose/shape/make.h"
#include "repose/shape/tessellate.h"

#include "shape/define/depths.h"
#include "shape/define/make_lattice.h"
#include "shape/define/shape_build.h"
#include "shape/define/validate.h"

namespace repose::shape {

namespace {

/// Depth of the outermost phyxels, of their pitch: they stand for the matter about them.
constexpr double kPhyxelDepth = 0.3;
/// Surfels are no nearer to each other, and places for them no farther apart, of the spacing; their
/// sum is at most one, so that every point of the surface has a surfel within the spacing.
constexpr double kLeastApart = 0.85;
constexpr double kPlacesApart = 0.15;
/// Drawing a ball's centre to its depth: steps along the gap's gradient, and how near is near
/// enough, of the depth.
constexpr int kDrawSteps = 40;
constexpr double kDeepEnough = 0.95;
/// Step of the gradient's differences, of the spacing.
constexpr double kDifference = 1e-4;
/// What lies deeper is no surface, of the spacing.
constexpr double kBuried = 0.1;
/// Width of the cells that tell what lies deeper, of the spacing.
constexpr double kBuriedCell = 0.25;
/// A shape loses at most this share of its surfels where it is too thin for balls.
constexpr double kMostThin = 0.25;
/// Balls under a convex edge crowd on a ridge: of centres nearer than this one is enough, of the
/// spacing.
constexpr double kLeastCentersApart = 0.2;
/// A phyxel nearer to a ball's centre than this share of its radius lies well within the surface.
/// From no farther than this many radii it is drawn there.
constexpr double kWellWithin = 0.9;
constexpr double kDrawnFrom = 1.15;
/// Smaller balls begin where no larger one is within this share of its spacing.
constexpr double kCoveredBy = 0.5;
constexpr std::size_t kMostSurfels = 2'000'000;
constexpr int kBeside = 27;

struct Place {
  Vec3 point, normal;
};

using Cell = std::array<std::int64_t, 3>;

Cell cell_of(const Vec3& p, double width) {
  Cell out;
  for (int k = 0; k < 3; ++k)
    out[static_cast<std::size_t>(k)] = static_cast<std::int64_t>(std::floor(p[k] / width));
  return out;
}

struct CellHash {
  std::size_t operator()(const Cell& c) const {
    constexpr std::uint64_t kX = 0x9E3779B97F4A7C15ULL, kY = 0xC2B2AE3D27D4EB4FULL,
                            kZ = 0x165667B19E3779F9ULL;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(c[0]) * kX ^
                                    static_cast<std::uint64_t>(c[1]) * kY ^
                                    static_cast<std::uint64_t>(c[2]) * kZ);
  }
};

/// Takes places one after the other unless one taken before is too near, or they are not wanted.
class Thinned {
 public:
  explicit Thinned(double apart) : apart_(apart) {}

  /// One taken before is too near.
  bool crowded(const Vec3& point) const {
    const Cell cell = cell_of(point, apart_);
    for (int n = 0; n < kBeside; ++n) {
      const auto beside =
          cells_.find({cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1});
      if (beside == cells_.end()) continue;
      for (const int i : beside->second)
        if ((taken_[static_cast<std::size_t>(i)].point - point).squaredNorm() < apart_ * apart_)
          return true;
    }
    return false;
  }
  void take(const Place& place) {
    cells_[cell_of(place.point, apart_)].push_back(static_cast<int>(taken_.size()));
    taken_.push_back(place);
  }
  template <class Wanted>
  void offer(const Place& place, Wanted wanted) {
    if (!crowded(place.point) && wanted(place)) take(place);
  }
  const std::vector<Place>& taken() const { return taken_; }
  /// The nearest of those taken within so many cells, each as wide as they are apart; -1: none.
  int nearest(const Vec3& point, int cells) const {
    const Cell middle = cell_of(point, apart_);
    std::pair<double, int> best{std::numeric_limits<double>::infinity(), -1};
    for (int x = -cells; x <= cells; ++x)
      for (int y = -cells; y <= cells; ++y)
        for (int z = -cells; z <= cells; ++z) {
          const auto cell = cells_.find({middle[0] + x, middle[1] + y, middle[2] + z});
          if (cell == cells_.end()) continue;
          for (const int i : cell->second)
            best = std::min(best,
                            {(taken_[static_cast<std::size_t>(i)].point - point).squaredNorm(), i});
        }
    return best.second;
  }

 private:
  double apart_;
  std::vector<Place> taken_;
  std::unordered_map<Cell, std::vector<int>, CellHash> cells_;  // looked up, never walked
};

/// Cells that lie wholly within the shape, deeper than its surface: no place in them is looked at.
class Buried {
 public:
  explicit Buried(double width) : width_(width) {}

  bool holds(const Vec3& point) const { return cells_.contains(cell_of(point, width_)); }
  /// All within `around` of the point is buried.
  void take(const Vec3& point, double around) {
    const Cell middle = cell_of(point, width_);
    const auto reach = std::min(kReach, static_cast<std::int64_t>(around / width_));
    for (std::int64_t x = -reach; x <= reach; ++x)
      for (std::int64_t y = -reach; y <= reach; ++y)
        for (std::int64_t z = -reach; z <= reach; ++z) {
          const Cell cell{middle[0] + x, middle[1] + y, middle[2] + z};
          Vec3 far;  // the farthest corner
          for (int k = 0; k < 3; ++k) {
            const double low = static_cast<double>(cell[static_cast<std::size_t>(k)]) * width_;
            far[k] = std::max(std::fabs(point[k] - low), std::fabs(low + width_ - point[k]));
          }
          if (far.squaredNorm() < around * around) cells_.insert(cell);
        }
  }

 private:
  static constexpr std::int64_t kReach = 3;
  double width_;
  std::unordered_set<Cell, CellHash> cells_;  // looked up, never walked
};

/// Places all over a triangle, at most `apart` from any of its points.
template <class Offer>
void cover_triangle(const Tessellation& mesh, const std::array<int, 3>& triangle, double apart,
                    Offer offer) {
  std::array<Vec3, 3> p, n;
  for (std::size_t k = 0; k < 3; ++k) {
    p[k] = mesh.points[static_cast<std::size_t>(triangle[k])];
    n[k] = mesh.normals[static_cast<std::size_t>(triangle[k])];
  }
  const double longest =
      std::max({(p[1] - p[0]).norm(), (p[2] - p[1]).norm(), (p[0] - p[2]).norm()});
  const int cells = std::max(1, static_cast<int>(std::ceil(longest / apart)));
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; i + j <= cells; ++j) {
      spend_work(1);
      const double u = static_cast<double>(i) / cells, v = static_cast<double>(j) / cells;
      const Vec3 normal = (1.0 - u - v) * n[0] + u * n[1] + v * n[2];
      const double length = normal.norm();
      if (!(length > 0.0)) continue;
      offer(Place{(1.0 - u - v) * p[0] + u * p[1] + v * p[2], normal / length});
    }
}

Vec3 uphill(const Depths& test, const Vec3& p, double h) {
  Vec3 out;
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = h * Vec3::Unit(k);
    out[k] = test.signed_gap(p + step) - test.signed_gap(p - step);
  }
  return out.normalized();
}

/// The surfel whose ball lies `depth` below the surface, by the ball beneath the place, or beside
/// it under a convex edge; absent where the shape is too thin.
std::optional<Place> settled(const Depths& test, const Place& place, double depth, double spacing) {
  Vec3 center = place.point - depth * place.normal;
  Vec3 normal = place.normal;
  Depths::Look here = test.look(center);
  for (int k = 0; k < kDrawSteps && -here.gap < kDeepEnough * depth; ++k) {
    normal = here.uphill.isZero(0.0) ? uphill(test, center, kDifference * spacing) : here.uphill;
    if (!normal.allFinite()) return std::nullopt;
    center -= (depth + here.gap) * normal;
    here = test.look(center);
  }
  if (-here.gap < kDeepEnough * depth) return std::nullopt;
  return Place{center + depth * normal, normal};
}

/// Places all over the surface but where it is covered; those of a part of a union that lie within
/// another are left out.
template <class Covered>
std::vector<Place> surface_places(const Tessellation& mesh, const Depths& test, double spacing,
                                  Covered covered) {
  const double buried = kBuried * spacing + mesh.chord_error;
  Buried known(kBuriedCell * spacing);
  const auto outside = [&](const Place& place) {
    if (covered(place.point) || known.holds(place.point)) return false;
    spend_work(1);
    const double gap = test.signed_gap(place.point);
    if (gap > -buried) return true;
    // about a buried place all is buried, as deep as it lies
    known.take(place.point, -gap - buried);
    return false;
  };
  Thinned thinned(kLeastApart * spacing);
  for (const auto& triangle : mesh.triangles)
    cover_triangle(mesh, triangle, kPlacesApart * spacing,
                   [&](const Place& place) { thinned.offer(place, outside); });
  return thinned.taken();
}

/// Surfels of balls that fit: of the spacing's size, and smaller ones where the shape is thin.
/// `walls` tell which places lie in them.
Fault cover_surface(const SampleInput& in, const Depths& test, PointSet& set,
                    std::vector<Thinned>& walls) {
  const Tessellation mesh = tessellate(*in.shape, TessellateSettings{});
  std::vector<Thinned> covers;  // places whose balls fit, by size
  std::size_t thin = 0, all = 0;
  double spacing = in.spacing;
  for (int size = 0; size <= in.halvings && (size == 0 || thin > 0); ++size, spacing *= 0.5) {
    const double depth = cover_depth() * spacing;
    const auto covered = [&](const Vec3& p) {
      return std::any_of(covers.begin(), covers.end(),
                         [&](const Thinned& larger) { return larger.crowded(p); });
    };
    const std::vector<Place> places = surface_places(mesh, test, spacing, covered);
    if (size == 0) all = places.size();
    thin = 0;
    Thinned fitting(kCoveredBy * spacing), centers(kLeastCentersApart * spacing);
    for (const Place& place : places) {
      const auto good = settled(test, place, depth, spacing);
      if (!good) {
        ++thin;
        continue;
      }
      fitting.take(place);
      centers.offer({good->point - depth * good->normal, good->normal},
                    [](const Place&) { return true; });
    }
    Thinned& wall = walls.emplace_back(kWellWithin * kCoverBall * spacing);
    for (const Place& center : centers.taken()) {
      wall.take(center);
      set.surfels.push_back(center.point + depth * center.normal);
      set.normals.push_back(center.normal);
      set.surfel_radii.push_back(spacing);
    }
    covers.push_back(std::move(fitting));
  }
  if (static_cast<double>(thin) > kMostThin * static_cast<double>(all))
    return fault("/spacing", number_text(in.spacing),
                 fmt::format("the shape is too thin at {} of {} places: balls of radius {:.3g} m "
                             "do not fit",
                             thin, all, 2.0 * kCoverBall * spacing),
                 "a smaller spacing, or more halvings");
  return {};
}

/// Phyxels that lie outside the balls, at rounded edges, are drawn into the nearest one; those of
/// details that are too thin for balls are left out: their matter goes over to the rest.
void draw_in(const Depths& test, const std::vector<Thinned>& walls, double spacing, PointSet& set) {
  // cells of a wall are kWellWithin of a radius wide
  constexpr int kCells = 2;
  static_assert(kDrawnFrom <= kCells * kWellWithin);
  const auto outside = [&](Vec3& p) {
    const auto in_wall = [&](const Thinned& wall) { return wall.crowded(p); };
    if (std::any_of(walls.begin(), walls.end(), in_wall) ||
        -test.signed_gap(p) >= cover_depth() * spacing)
      return false;
    double least = std::numeric_limits<double>::infinity(), radius = 0.0;
    Vec3 center = p;
    double of_wall = kCoverBall * spacing;
    for (const Thinned& wall : walls) {
      const int k = wall.nearest(p, kCells);
      const Vec3 there = k < 0 ? p : wall.taken()[static_cast<std::size_t>(k)].point;
      const double share = (there - p).norm() / of_wall;
      if (k >= 0 && share < least) least = share, center = there, radius = of_wall;
      of_wall *= 0.5;
    }
    if (!(least < kDrawnFrom)) return true;
    p = center + kWellWithin * radius * (p - center).normalized();
    return false;
  };
  std::erase_if(set.phyxels, outside);
}

Fault check_input(const SampleInput& in, double pitch) {
  if (auto bad = check_length("/spacing", in.spacing)) return bad;
  if (auto bad = check_length("/phyxel_spacing", pitch)) return bad;
  const double across = 2.0 * in.shape->bounding_radius;
  if (!(in.spacing < 0.5 * across) || !(pitch < across))
    return fault(in.spacing < 0.5 * across ? "/phyxel_spacing" : "/spacing",
                 number_text(in.spacing < 0.5 * across ? pitch : in.spacing),
                 "larger than the body", fmt::format("well below {:.3g} m", 0.5 * across));
  const double surfels = std::pow(across / in.spacing, 2);
  if (surfels * std::numbers::pi > static_cast<double>(kMostSurfels))
    return fault("/spacing", number_text(in.spacing), "the body would have too many surfels",
                 fmt::format("a spacing that makes at most {}", kMostSurfels));
  return {};
}

}  // namespace

Result<ShapePtr> make_sample(const SampleInput& in) {
  const WorkStage stage("sampling it");
  REPOSE_CHECK(in.shape != nullptr);
  const double pitch = in.phyxel_spacing.value_or(2.0 * in.spacing);
  FillInput fill;
  fill.shape = in.shape;
  fill.pitch = pitch;
  fill.radius = fill.inset.emplace(kPhyxelDepth * pitch);
  fill.skin = true;
  if (std::isfinite(in.shape->bounding_radius))
    if (auto bad = check_input(in, pitch)) return *bad;
  auto filled = make_fill_by(fill, FillRule::places);
  if (!filled) {
    InputError error = filled.error();
    if (error.pointer == "/pitch") error.pointer = "/phyxel_spacing";
    return error;
  }
  PointSet set;
  set.phyxels = std::get<SphereSet>((*filled)->geometry).centers;
  const Depths test(*in.shape);
  std::vector<Thinned> walls;
  if (auto bad = cover_surface(in, test, set, walls)) return *bad;
  draw_in(test, walls, in.spacing, set);
  if (set.phyxels.size() < static_cast<std::size_t>(kFewestPhyxels))
    return fault("/phyxel_spacing", number_text(pitch),
                 fmt::format("{} phyxels fit in the shape", set.phyxels.size()),
                 fmt::format("a smaller one: at least {}", kFewestPhyxels));
  set.phyxel_volumes.assign(set.phyxels.size(),
                            in.shape->volume.volume / static_cast<double>(set.phyxels.size()));
  auto made = make_point_set(set);
  if (!made) return made;
  auto shape = std::make_shared<Shape>(**made);
  shape->volume = in.shape->volume;
  return ShapePtr(std::move(shape));
}

}  // namespace repose::shape
