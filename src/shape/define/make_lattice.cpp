#include "shape/define/make_lattice.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "repose/base/work.h"
#include "repose/shape/make.h"
#include "repose/shape/tessellate.h"

#include "shape/define/depths.h"
#include "shape/define/shape_build.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

using Place = std::array<int, 3>;  // on the lattice, in pitches

constexpr std::int64_t kMostBalls = 10'000'000;
constexpr double kWidestNeighbourhood = 4.0;  // pitches
/// Distances are equal within this share of the pitch: places are sums and products of decimals.
constexpr double kSamePitch = 1e-6;
/// Drawing a place onto the surface: steps along the gap's gradient, and how near is near enough
/// (of the pitch).
constexpr int kDrawSteps = 20;
constexpr double kDrawnNear = 1e-9;
/// Pitches within which a drawn ball may come to overlap another, and the gap below which it counts
/// as overlapping, of the sum of the radii.
constexpr double kDrawnReach = 3.0;
constexpr double kDrawnApart = 1e-2;
/// Step of the gradient's differences, of the pitch.
constexpr double kDifference = 1e-5;
/// Corners of a cell, and cells about a place.
constexpr int kCorners = 8;
/// Cells of a grid beside a cell and itself.
constexpr int kBeside = 27;

Fault check_measures(double pitch, double radius, double neighbourhood) {
  if (auto bad = check_length("/pitch", pitch)) return bad;
  if (auto bad = check_length("/radius", radius)) return bad;
  if (!(neighbourhood >= 1.0 && neighbourhood <= kWidestNeighbourhood))
    return fault("/neighbourhood", number_text(neighbourhood),
                 "no neighbourhood that holds a body together and stays small",
                 fmt::format("1 to {} pitches", kWidestNeighbourhood));
  return {};
}

/// Half of the places within `neighbourhood` of the origin: of each two opposite ones the later.
std::vector<Place> offsets(double neighbourhood) {
  const int far = static_cast<int>(std::floor(neighbourhood));
  const double most = neighbourhood * neighbourhood * (1.0 + kSamePitch);
  std::vector<Place> out;
  for (int x = 0; x <= far; ++x)
    for (int y = -far; y <= far; ++y)
      for (int z = -far; z <= far; ++z)
        if (Place{x, y, z} > Place{} && x * x + y * y + z * z <= most) out.push_back({x, y, z});
  return out;
}

/// Links of places that are at most a neighbourhood apart. Requires: places in ascending order.
std::vector<std::array<int, 2>> lattice_links(const std::vector<Place>& places,
                                              double neighbourhood) {
  const std::vector<Place> near = offsets(neighbourhood);
  std::vector<std::array<int, 2>> out;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (const Place& o : near) {
      const Place wanted{places[i][0] + o[0], places[i][1] + o[1], places[i][2] + o[2]};
      const auto found = std::lower_bound(places.begin(), places.end(), wanted);
      if (found != places.end() && *found == wanted)
        out.push_back({static_cast<int>(i), static_cast<int>(found - places.begin())});
    }
  return out;
}

Vec3 gradient(const Depths& test, const Vec3& p, double h) {
  Vec3 out;
  for (int k = 0; k < 3; ++k) {
    const Vec3 step = h * Vec3::Unit(k);
    out[k] = test.signed_gap(p + step) - test.signed_gap(p - step);
  }
  return out.normalized();
}

/// The point drawn to the depth `inset`; absent if it is not reached within a pitch.
std::optional<Vec3> drawn_in(const Depths& test, const Vec3& from, double inset, double pitch) {
  Vec3 p = from;
  for (int k = 0; k < kDrawSteps; ++k) {
    const double above = test.signed_gap(p) + inset;
    if (std::fabs(above) <= kDrawnNear * pitch) return p;
    const Vec3 up = gradient(test, p, kDifference * pitch);
    if (!up.allFinite()) return std::nullopt;
    p -= above * up;
    if ((p - from).norm() > pitch) return std::nullopt;
  }
  return std::nullopt;
}

/// Balls that were drawn so near to each other that they overlap are joined as well: what is not
/// joined must be apart.
void join_overlapping(const std::vector<bool>& drawn, SphereSet& set) {
  std::vector<Place> far;
  const std::vector<Place> near = offsets(kNeighbourhood);
  for (const Place& o : offsets(kDrawnReach))
    if (std::find(near.begin(), near.end(), o) == near.end()) far.push_back(o);
  std::vector<std::array<int, 2>> known = set.links;
  std::sort(known.begin(), known.end());
  for (std::size_t i = 0; i < set.centers.size(); ++i)
    for (const Place& o : far) {
      const Place& from = set.lattice[i];
      const Place wanted{from[0] + o[0], from[1] + o[1], from[2] + o[2]};
      const auto found = std::lower_bound(set.lattice.begin(), set.lattice.end(), wanted);
      if (found == set.lattice.end() || *found != wanted) continue;
      const auto j = static_cast<std::size_t>(found - set.lattice.begin());
      if (!drawn[i] && !drawn[j]) continue;
      const std::array<int, 2> link{static_cast<int>(i), static_cast<int>(j)};
      const double apart = (set.centers[i] - set.centers[j]).norm();
      if (apart < (1.0 + kDrawnApart) * (set.radii[i] + set.radii[j]) &&
          !std::binary_search(known.begin(), known.end(), link))
        set.links.push_back(link);
    }
}

/// Half a pitch along every axis on which an odd number of cells fits best between the depths on
/// both sides: the outline then lies near places of the lattice.
Vec3 half_steps(const FillInput& in, double inset) {
  Vec3 low = Vec3::Constant(in.shape->bounding_radius), high = -low;
  for (const Vec3& p : tessellate(*in.shape).points) {
    low = low.cwiseMin(p - in.shape->bounding_center);
    high = high.cwiseMax(p - in.shape->bounding_center);
  }
  Vec3 out = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    if (std::lround((high[k] - low[k] - 2.0 * inset) / in.pitch) % 2 != 0) out[k] = 0.5 * in.pitch;
  return out;
}

/// Every place whose ball lies within the shape; with a skin, also those drawn onto its depth.
SphereSet filled_by_places(const FillInput& in) {
  const Depths test(*in.shape);
  const double inset = in.inset.value_or(in.radius);
  const Vec3& middle = in.shape->bounding_center;
  const int reach = static_cast<int>(std::ceil(in.shape->bounding_radius / in.pitch));
  SphereSet out;
  out.pitch = in.pitch;
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z) {
        spend_work(1);
        Vec3 p = middle + in.pitch * Vec3(x, y, z);
        const double above = test.signed_gap(p) + inset;
        if (above > (in.skin ? 0.5 * in.pitch : kSamePitch * in.pitch)) continue;
        if (in.skin && above > 0.0) {
          const auto drawn = drawn_in(test, p, inset, in.pitch);
          if (!drawn) continue;
          p = *drawn;
        }
        out.centers.push_back(p);
        out.lattice.push_back({x, y, z});
      }
  out.radii.assign(out.centers.size(), in.radius);
  out.links = lattice_links(out.lattice, in.neighbourhood);
  return out;
}

/// Every place whose ball lies within the shape. With a skin also the corners of every cell whose
/// middle does; what is not held by cells on all sides is drawn onto that depth.
SphereSet filled(const FillInput& in) {
  const Depths test(*in.shape);
  const double inset = in.inset.value_or(in.radius), same = kSamePitch * in.pitch;
  const Vec3 origin =
      in.skin ? in.shape->bounding_center - half_steps(in, inset) : in.shape->bounding_center;
  const auto point_at = [&](const Place& p, double shift) -> Vec3 {
    return origin + in.pitch * Vec3(p[0] + shift, p[1] + shift, p[2] + shift);
  };
  const auto above = [&](const Vec3& p) {
    spend_work(1);
    return test.signed_gap(p) + inset;
  };
  const int reach = static_cast<int>(std::ceil(in.shape->bounding_radius / in.pitch)) + 1;
  std::map<Place, int> cells_at;  // how many cells of the body meet at each of its places
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      for (int z = -reach; z <= reach; ++z) {
        const Place low{x, y, z};
        if (above(point_at(low, 0.0)) <= same) cells_at.try_emplace(low, 0);
        if (!in.skin || above(point_at(low, 0.5)) > 0.0) continue;
        for (int k = 0; k < kCorners; ++k)
          ++cells_at[{x + (k & 1), y + (k >> 1 & 1), z + (k >> 2 & 1)}];
      }
  SphereSet out;
  out.pitch = in.pitch;
  std::vector<bool> moved;
  for (const auto& [place, cells] : cells_at) {
    Vec3 p = point_at(place, 0.0);
    const bool outer = cells > 0 && cells < kCorners;
    if (outer) {
      if (const auto drawn = drawn_in(test, p, inset, in.pitch))
        p = *drawn;
      else if (above(p) > same)
        continue;
    }
    out.centers.push_back(p);
    out.lattice.push_back(place);
    moved.push_back(outer);
  }
  out.radii.assign(out.centers.size(), in.radius);
  out.links = lattice_links(out.lattice, in.neighbourhood);
  join_overlapping(moved, out);
  return out;
}

using Cell = std::array<std::int64_t, 3>;

/// Cells of a grid as wide as `width`, each with the points in it.
std::map<Cell, std::vector<int>> cells_of(const std::vector<Vec3>& points, double width) {
  std::map<Cell, std::vector<int>> out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Cell cell;
    for (int k = 0; k < 3; ++k)
      cell[static_cast<std::size_t>(k)] =
          static_cast<std::int64_t>(std::floor(points[i][k] / width));
    out[cell].push_back(static_cast<int>(i));
  }
  return out;
}

/// Where the centres stand on a lattice of that pitch; empty if they do not.
std::vector<Place> places_on(const std::vector<Vec3>& centers, double pitch) {
  std::vector<Place> out;
  for (const Vec3& center : centers) {
    Place place;
    for (int k = 0; k < 3; ++k) {
      const double steps = (center[k] - centers.front()[k]) / pitch;
      if (!(std::fabs(steps) < kMostBalls) || std::fabs(steps - std::round(steps)) > kSamePitch)
        return {};
      place[static_cast<std::size_t>(k)] = static_cast<int>(std::lround(steps));
    }
    out.push_back(place);
  }
  return out;
}

}  // namespace

void link_within(double distance, SphereSet& set) {
  set.links.clear();
  const double most = distance * (1.0 + kSamePitch);
  double least = std::numeric_limits<double>::infinity();
  const auto cells = cells_of(set.centers, most);
  for (const auto& [cell, members] : cells)
    for (int n = 0; n < kBeside; ++n) {
      const auto beside =
          cells.find({cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1});
      if (beside == cells.end()) continue;
      spend_work(members.size() * beside->second.size());
      for (const int i : members)
        for (const int j : beside->second) {
          const double apart =
              (set.centers[static_cast<std::size_t>(i)] - set.centers[static_cast<std::size_t>(j)])
                  .norm();
          if (i >= j || apart > most) continue;
          set.links.push_back({i, j});
          least = std::min(least, apart);
        }
    }
  std::sort(set.links.begin(), set.links.end());
  set.lattice = set.links.empty() ? std::vector<Place>{} : places_on(set.centers, least);
  set.pitch = set.lattice.empty() ? 0.0 : least;
}

Result<ShapePtr> make_lattice(const LatticeInput& in) {
  if (auto bad = check_measures(in.pitch, in.radius, in.neighbourhood)) return *bad;
  std::int64_t balls = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    if (in.counts[k] < 1 || in.counts[k] > kMostBalls)
      return fault(fmt::format("/counts/{}", k), std::to_string(in.counts[k]), "no count of balls",
                   fmt::format("1 to {}", kMostBalls));
    balls *= in.counts[k];
    if (balls > kMostBalls)
      return fault("/counts", std::to_string(balls), "too many balls",
                   fmt::format("at most {} in all", kMostBalls));
  }
  SphereSet set;
  set.pitch = in.pitch;
  for (int x = 0; x < in.counts[0]; ++x)
    for (int y = 0; y < in.counts[1]; ++y)
      for (int z = 0; z < in.counts[2]; ++z) {
        set.centers.push_back(in.pitch * Vec3(x - 0.5 * (in.counts[0] - 1),
                                              y - 0.5 * (in.counts[1] - 1),
                                              z - 0.5 * (in.counts[2] - 1)));
        set.lattice.push_back({x, y, z});
      }
  set.radii.assign(set.centers.size(), in.radius);
  set.links = lattice_links(set.lattice, in.neighbourhood);
  return make_sphere_set(set);
}

Result<ShapePtr> make_fill(const FillInput& in) {
  return make_fill_by(in, FillRule::cells);
}

Result<ShapePtr> make_fill_by(const FillInput& in, FillRule rule) {
  const WorkStage stage("filling it with balls");
  REPOSE_CHECK(in.shape != nullptr);
  if (auto bad = check_measures(in.pitch, in.radius, in.neighbourhood)) return *bad;
  if (in.inset)
    if (auto bad = check_length_or_zero("/inset", *in.inset)) return *bad;
  const bool closed = std::isfinite(in.shape->bounding_radius) && in.shape->volume.volume > 0.0 &&
                      in.shape->kind != ShapeKind::sphere_set &&
                      in.shape->kind != ShapeKind::point_set &&
                      in.shape->kind != ShapeKind::plane_region;
  if (!closed)
    return fault("/shape", name_of(in.shape->kind), "this shape has no inside to fill",
                 "a closed shape: a ball, patches, a union, a closed mesh, a convex polyhedron");
  const double across = 2.0 * in.shape->bounding_radius / in.pitch + 1.0;
  if (across * across * across > static_cast<double>(kMostBalls))
    return fault("/pitch", number_text(in.pitch), "the body would have too many balls",
                 fmt::format("a pitch of which at most {} fit about the shape", kMostBalls));
  SphereSet set = rule == FillRule::cells ? filled(in) : filled_by_places(in);
  if (set.centers.size() < 2)
    return fault("/pitch", number_text(in.pitch),
                 fmt::format("{} balls fit in the shape", set.centers.size()),
                 "a smaller pitch, radius or inset: two balls at least");
  auto made = make_sphere_set(set);
  if (!made) return made;
  // the body weighs what the shape it fills would
  auto shape = std::make_shared<Shape>(**made);
  shape->volume = in.shape->volume;
  return ShapePtr(std::move(shape));
}

}  // namespace repose::shape
