#include "coherence.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace repose::mechanism {
namespace {

/// Outlines of so few corners are looked at whole.
constexpr std::size_t kFewCorners = 8;

std::size_t lowest_of_all(const std::vector<Vec2>& corners, const Vec2& along) {
  std::size_t low = 0;
  for (std::size_t k = 1; k < corners.size(); ++k)
    if (along.dot(corners[k]) < along.dot(corners[low])) low = k;
  return low;
}

std::size_t place_of_pair(int body_a, int part_a, int body_b, int part_b) {
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15ULL;
  std::uint64_t key = 0;
  for (const int word : {body_a, part_a, body_b, part_b}) {
    key = (key ^ static_cast<std::uint64_t>(word)) * kMix;
    key ^= key >> 29;
  }
  return static_cast<std::size_t>(key);
}

/// How far a side of s keeps p off. `corner` is where the search begins and ends.
double apart_by(const PlacedPart& s, std::size_t side, const PlacedPart& p, std::uint32_t& corner) {
  const Vec2& n = s.normals[side];
  const std::size_t low = lowest_corner(p.points, n, corner);
  corner = static_cast<std::uint32_t>(low);
  return n.dot(p.points[low]) - n.dot(s.points[side]) - p.part->radius;
}

}  // namespace

std::size_t lowest_corner(const std::vector<Vec2>& corners, const Vec2& along, std::size_t first) {
  const std::size_t n = corners.size();
  if (n <= kFewCorners) return lowest_of_all(corners, along);
  std::size_t low = first < n ? first : 0;
  double least = along.dot(corners[low]);
  for (const std::size_t step : {std::size_t{1}, n - 1}) {
    for (std::size_t walked = 0; walked < n; ++walked) {
      const std::size_t next = (low + step) % n;
      const double value = along.dot(corners[next]);
      if (value > least) break;
      low = next;
      least = value;
    }
  }
  // rounding may hold the walk on a side that lies highest: its opposite is lower
  if (along.dot(corners[(low + n / 2) % n]) < least) return lowest_of_all(corners, along);
  return low;
}

PairMemory::PairMemory(std::size_t pairs) : looks_(std::bit_ceil(std::max(pairs, kLeastPlaces))) {}

bool PairMemory::apart(int body_a, int part_a, const PlacedPart& a, int body_b, int part_b,
                       const PlacedPart& b, double within) {
  if (a.part->disc() && b.part->disc()) return false;
  Look& look = looks_[place_of_pair(body_a, part_a, body_b, part_b) & (looks_.size() - 1)];
  const PlacedPart& known = look.of_a ? a : b;
  if (look.side < known.normals.size() &&
      apart_by(known, look.side, look.of_a ? b : a, look.corner) > within)
    return true;
  double best = -std::numeric_limits<double>::infinity();
  for (const bool of_a : {false, true}) {
    const PlacedPart &s = of_a ? a : b, &p = of_a ? b : a;
    std::uint32_t corner = look.corner;
    for (std::size_t k = 0; k < s.normals.size(); ++k) {
      const double gap = apart_by(s, k, p, corner);
      if (!(gap > best)) continue;
      best = gap;
      look = {static_cast<std::uint32_t>(k), corner, of_a};
    }
  }
  return best > within;
}

}  // namespace repose::mechanism
