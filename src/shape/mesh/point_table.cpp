#include "shape/mesh/point_table.h"

#include <bit>

namespace repose::shape {
namespace {

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

std::uint64_t hash_point(const Vec3& p) {
  std::uint64_t h = 0x9E3779B97F4A7C15ULL;
  for (int i = 0; i < 3; ++i) h = mix(h ^ std::bit_cast<std::uint64_t>(p[i]));
  return h;
}

/// -0 becomes 0, so that equal coordinates have equal bits.
Vec3 plain_zero(const Vec3& p) {
  return {p.x() + 0.0, p.y() + 0.0, p.z() + 0.0};
}

}  // namespace

PointTable::PointTable(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 2), -1) {}

std::size_t PointTable::slot_of(const Vec3& point) const {
  std::size_t slot = hash_point(point) & (slots_.size() - 1);
  while (slots_[slot] >= 0 && points_[slots_[slot]] != point)
    slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void PointTable::grow() {
  slots_.assign(2 * slots_.size(), -1);
  for (std::size_t i = 0; i < points_.size(); ++i)
    slots_[slot_of(points_[i])] = static_cast<int>(i);
}

int PointTable::number_of(const Vec3& point) {
  const Vec3 p = plain_zero(point);
  std::size_t slot = slot_of(p);
  if (slots_[slot] >= 0) return slots_[slot];
  if (2 * (points_.size() + 1) > slots_.size()) {
    grow();
    slot = slot_of(p);
  }
  slots_[slot] = static_cast<int>(points_.size());
  points_.push_back(p);
  return slots_[slot];
}

}  // namespace repose::shape
