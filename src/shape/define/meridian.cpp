#include "repose/shape/meridian.h"

#include "shape/define/patches.h"

namespace repose::shape {
namespace {

/// z -> up * z + shift behind maps that keep the z axis, perhaps turned over; exactly.
struct AlongAxis {
  const Patch* inner;
  double up = 1.0, shift = 0.0;
};

bool keeps_axis(const MapNumbers& map) {
  const Mat3& m = map.linear;
  Mat3 plain = Mat3::Identity();
  plain(1, 1) = m(1, 1);
  plain(2, 2) = m(2, 2);
  return m == plain && m(1, 1) * m(1, 1) == 1.0 && m(2, 2) * m(2, 2) == 1.0 &&
         map.shift.x() == 0.0 && map.shift.y() == 0.0;
}

std::optional<AlongAxis> along_axis(const Patch& patch) {
  AlongAxis out{&patch};
  while (true) {
    const MapNumbers map = map_numbers(*out.inner);
    if (map.inner == out.inner) return out;
    if (!keeps_axis(map)) return std::nullopt;
    out = {map.inner, out.up * map.linear(2, 2), out.up * map.shift.z() + out.shift};
  }
}

std::optional<Meridian> straight(const Patch& patch) {
  if (const auto cone = cone_numbers(patch))
    return Meridian{nullptr, Vec2(cone->r0, cone->z0), Vec2(cone->r1, cone->z1)};
  if (const auto ring = annulus_numbers(patch))
    return Meridian{nullptr, Vec2(ring->inner, 0.0), Vec2(ring->outer, 0.0)};
  if (const auto radius = disc_radius(patch))
    return Meridian{nullptr, Vec2::Zero(), Vec2(*radius, 0.0)};
  return std::nullopt;
}

}  // namespace

std::optional<Meridian> meridian_of(const Patch& patch) {
  const auto map = along_axis(patch);
  if (!map) return std::nullopt;
  if (auto m = straight(*map->inner)) {
    for (Vec2* end : {&m->from, &m->to}) end->y() = map->up * end->y() + map->shift;
    return m;
  }
  if (torus_numbers(*map->inner) || turned_profile(*map->inner)) return Meridian{&patch, {}, {}};
  return std::nullopt;
}

}  // namespace repose::shape
