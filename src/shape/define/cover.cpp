#include "repose/shape/cover.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "repose/base/check.h"
#include "repose/shape/make.h"

namespace repose::shape {

namespace {

ShapePtr made_cover(const PointSet& points) {
  SphereSet set;
  Cover cover = cover_of(points);
  set.centers = std::move(cover.centers);
  set.radii = std::move(cover.radii);
  double widest = 0.0;
  for (const double r : set.radii) widest = std::max(widest, r);
  link_within(kNearAtRest * 2.0 * widest, set);
  // of balls of different sizes fewer belong together
  std::erase_if(set.links, [&](const std::array<int, 2>& link) {
    const auto i = static_cast<std::size_t>(link[0]), j = static_cast<std::size_t>(link[1]);
    return (set.centers[i] - set.centers[j]).norm() > kNearAtRest * (set.radii[i] + set.radii[j]);
  });
  set.lattice.clear();
  set.pitch = 0.0;
  auto made = make_sphere_set(set);
  REPOSE_CHECK(static_cast<bool>(made), "the balls of a point set are no sphere set");
  return *made;
}

/// Covers that were asked for, while their shapes live.
class KnownCovers {
 public:
  ShapePtr of(const ShapePtr& shape, const PointSet& points) {
    const std::scoped_lock lock(mutex_);
    std::erase_if(known_, [](const auto& entry) { return entry.first.expired(); });
    ShapePtr& cover = known_[shape];
    if (!cover) cover = made_cover(points);
    return cover;
  }

 private:
  std::mutex mutex_;
  std::map<std::weak_ptr<const Shape>, ShapePtr, std::owner_less<>> known_;
};

}  // namespace

double cover_depth() {
  return std::sqrt(kCoverBall * kCoverBall - 1.0);
}

Cover cover_of(const PointSet& set) {
  Cover out;
  for (std::size_t i = 0; i < set.surfels.size(); ++i) {
    out.centers.push_back(set.surfels[i] - cover_depth() * set.surfel_radii[i] * set.normals[i]);
    out.radii.push_back(kCoverBall * set.surfel_radii[i]);
  }
  return out;
}

ShapePtr cover_shape(const ShapePtr& point_set) {
  static KnownCovers known;
  const auto* points = std::get_if<PointSet>(&point_set->geometry);
  return points == nullptr ? nullptr : known.of(point_set, *points);
}

}  // namespace repose::shape
