#include "hollow.h"

#include <algorithm>
#include <cmath>

#include "repose/base/work.h"
#include "repose/shape/tessellate.h"

namespace repose {

namespace {

/// Fineness of curved containers. Chord error over bounding radius.
constexpr double kChord = 2e-3;
constexpr int kSlabs = 64;
/// Cells of the lattice along each axis.
constexpr int kCells = 48;
/// The lattice is shifted by this share of a cell, so that its lines miss edges of regular meshes.
constexpr double kShift = 0.0137;
/// Triangles that a line meets or misses for about one unit of work.
constexpr std::size_t kTrianglesPerUnit = 16;
/// How far below its top a container's opening is taken, as a share of its height.
constexpr double kBelowTop = 1e-6;

}  // namespace

Hollow::Hollow(const Vec3& up) : rotation_(rotation_between(Vec3::UnitZ(), up)) {}

void Hollow::add(const shape::Shape& shape, const Pose& world_from_body) {
  if (std::holds_alternative<shape::HalfSpace>(shape.geometry)) return;
  shape::TessellateSettings settings;
  settings.chord_fraction = kChord;
  const shape::Tessellation mesh = shape::tessellate(shape, settings);
  const bool closed = shape.volume.volume > 0.0;
  for (const auto& t : mesh.triangles) {
    Triangle triangle{{}, closed};
    for (std::size_t k = 0; k < 3; ++k)
      triangle.corner[k] =
          from_world(world_from_body * mesh.points[static_cast<std::size_t>(t[k])]);
    triangles_.push_back(triangle);
  }
}

void Hollow::finish() {
  if (triangles_.empty()) return;
  low_ = high_ = triangles_[0].corner[0];
  for (const Triangle& t : triangles_)
    for (const Vec3& c : t.corner) {
      low_ = low_.cwiseMin(c);
      high_ = high_.cwiseMax(c);
    }
  slabs_.assign(kSlabs, {});
  const double thick = (high_.z() - low_.z()) / kSlabs;
  const auto slab_of = [&](double z) {
    return thick > 0.0 ? std::clamp(static_cast<int>((z - low_.z()) / thick), 0, kSlabs - 1) : 0;
  };
  for (std::size_t n = 0; n < triangles_.size(); ++n) {
    const auto& c = triangles_[n].corner;
    const int first = slab_of(std::min({c[0].z(), c[1].z(), c[2].z()}));
    const int last = slab_of(std::max({c[0].z(), c[1].z(), c[2].z()}));
    for (int s = first; s <= last; ++s)
      slabs_[static_cast<std::size_t>(s)].push_back(static_cast<int>(n));
  }
}

void Hollow::free_parts(int axis, const Vec3& point, std::vector<Interval>& out) const {
  struct Hit {
    double at;
    int into;  // closed bodies: 1 where the line enters, -1 where it leaves
  };
  out.clear();
  if (point.z() < low_.z() || point.z() > high_.z()) return;
  const double thick = (high_.z() - low_.z()) / kSlabs;
  const int slab = std::clamp(static_cast<int>((point.z() - low_.z()) / thick), 0, kSlabs - 1);
  const int across = 1 - axis;
  thread_local std::vector<Hit> hits;
  hits.clear();
  spend_work(1 + slabs_[static_cast<std::size_t>(slab)].size() / kTrianglesPerUnit);
  for (const int n : slabs_[static_cast<std::size_t>(slab)]) {
    const Triangle& t = triangles_[static_cast<std::size_t>(n)];
    // twice the areas of the three triangles that the line's point makes in the plane across it
    std::array<double, 3> area{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& a = t.corner[(k + 1) % 3];
      const Vec3& b = t.corner[(k + 2) % 3];
      area[k] = (a[across] - point[across]) * (b.z() - point.z()) -
                (b[across] - point[across]) * (a.z() - point.z());
    }
    const double sum = area[0] + area[1] + area[2];
    const bool meets = sum > 0.0 ? area[0] >= 0.0 && area[1] >= 0.0 && area[2] >= 0.0
                                 : sum < 0.0 && area[0] <= 0.0 && area[1] <= 0.0 && area[2] <= 0.0;
    if (!meets) continue;
    const double at =
        (area[0] * t.corner[0][axis] + area[1] * t.corner[1][axis] + area[2] * t.corner[2][axis]) /
        sum;
    // the normal's part along the axis is the area's sign, mirrored for the y axis
    const int outward = (sum > 0.0) == (axis == 0) ? 1 : -1;
    hits.push_back({at, t.closed ? -outward : 0});
  }
  std::sort(hits.begin(), hits.end(), [](const Hit& l, const Hit& r) {
    return l.at != r.at ? l.at < r.at : l.into < r.into;
  });
  int inside = 0;
  for (std::size_t k = 0; k + 1 < hits.size(); ++k) {
    inside += hits[k].into;
    if (inside <= 0 && hits[k + 1].at > hits[k].at) out.push_back({hits[k].at, hits[k + 1].at});
  }
}

bool Hollow::holds_own(const Vec3& point) const {
  thread_local std::vector<Interval> parts;
  for (const int axis : {0, 1}) {
    free_parts(axis, point, parts);
    const bool in = std::any_of(parts.begin(), parts.end(), [&](const Interval& p) {
      return p.from < point[axis] && point[axis] < p.to;
    });
    if (!in) return false;
  }
  return true;
}

bool Hollow::holds(const Vec3& point_world) const {
  return !empty() && holds_own(from_world(point_world));
}

Vec3 Hollow::into_opening(const Vec3& point) const {
  const double opening = high_.z() - kBelowTop * (high_.z() - low_.z());
  return {point.x(), point.y(), std::min(point.z(), opening)};
}

double Hollow::volume() const {
  if (empty()) return 0.0;
  const Vec3 cell = (high_ - low_) / kCells;
  std::vector<Interval> parts;
  // the free share of each cell of a layer, along x and along y
  std::array<std::vector<double>, 2> share;
  double sum = 0.0;
  for (int k = 0; k < kCells; ++k) {
    for (const int axis : {0, 1}) {
      auto& layer = share[static_cast<std::size_t>(axis)];
      layer.assign(static_cast<std::size_t>(kCells) * kCells, 0.0);
      const int across = 1 - axis;
      for (int row = 0; row < kCells; ++row) {
        Vec3 point = low_;
        point[across] += (row + 0.5 + kShift) * cell[across];
        point.z() += (k + 0.5 + kShift) * cell.z();
        free_parts(axis, point, parts);
        for (int i = 0; i < kCells; ++i) {
          const double from = low_[axis] + i * cell[axis], to = from + cell[axis];
          double& out =
              layer[static_cast<std::size_t>(axis == 0 ? row * kCells + i : i * kCells + row)];
          for (const Interval& p : parts)
            out += std::max(0.0, std::min(to, p.to) - std::max(from, p.from)) / cell[axis];
        }
      }
    }
    for (std::size_t n = 0; n < share[0].size(); ++n) sum += share[0][n] * share[1][n];
  }
  return sum * cell.x() * cell.y() * cell.z();
}

}  // namespace repose
