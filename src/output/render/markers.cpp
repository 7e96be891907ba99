#include "markers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace repose::render {
namespace {

constexpr int kSides = 24;
/// Arrow heads: width and length over the shaft's radius; a short arrow is all head.
constexpr double kHeadWidth = 2.6, kHeadLength = 6.0, kLongestHead = 0.6;

// a solid of revolution about z through (radius, height) pairs, flat-ended, faceted normals
MeshPtr turned(const std::vector<std::pair<double, double>>& profile) {
  auto mesh = std::make_shared<Mesh>();
  for (std::size_t k = 0; k + 1 < profile.size(); ++k) {
    const auto [r0, z0] = profile[k];
    const auto [r1, z1] = profile[k + 1];
    const Eigen::Vector2d slope = Eigen::Vector2d(z1 - z0, r0 - r1).normalized();
    const int base = static_cast<int>(mesh->points.size());
    for (int i = 0; i <= kSides; ++i) {
      const double a = 2.0 * std::numbers::pi * i / kSides;
      const Vec3 around(std::cos(a), std::sin(a), 0.0);
      for (const auto& [r, z] : {profile[k], profile[k + 1]}) {
        mesh->points.push_back((r * around + z * Vec3::UnitZ()).cast<float>());
        mesh->normals.push_back((slope.x() * around + slope.y() * Vec3::UnitZ()).cast<float>());
      }
    }
    for (int i = 0; i < kSides; ++i) {
      const int at = base + 2 * i;
      mesh->triangles.push_back({at, at + 2, at + 3});
      mesh->triangles.push_back({at, at + 3, at + 1});
    }
  }
  return mesh;
}

Item arrow(const Marker& marker) {
  const Vec3 along = marker.to - marker.from;
  const double length = along.norm(), r = marker.radius;
  const double head = std::min(kHeadLength * r, kLongestHead * length);
  const double width = std::min(kHeadWidth * r, head);
  const double shaft = std::min(r, 0.5 * width);
  Item item;
  item.mesh = turned(
      {{0.0, 0.0}, {shaft, 0.0}, {shaft, length - head}, {width, length - head}, {0.0, length}});
  item.world_from_item = {marker.from, rotation_between(Vec3::UnitZ(), along)};
  return item;
}

}  // namespace

std::vector<Item> marker_items(const std::vector<Marker>& markers) {
  std::vector<Item> items;
  for (const Marker& marker : markers) {
    Item item;
    if ((marker.to - marker.from).norm() > 0.0) {
      item = arrow(marker);
    } else {
      item.radius = marker.radius;
      item.world_from_item.position = marker.from;
    }
    item.look.color = marker.color;
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace repose::render
