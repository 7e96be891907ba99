#include "shape/repair/sheet.h"

#include <algorithm>
#include <deque>

#include <Eigen/Geometry>

#include "repose/math/exact.h"

namespace repose::shape {

Sheet::Sheet(const std::vector<Vec3>& points, const Corners& whole)
    : points_(points), parts_{whole} {
  const Vec3& a = points[whole[0]];
  const Vec3 n = (points[whole[1]] - a).cross(points[whole[2]] - a);
  n.cwiseAbs().maxCoeff(&axis_);
  mirrored_ = n[axis_] < 0.0;
}

Vec2 Sheet::flat(int point) const {
  const Vec3& p = points_[point];
  const double u = p[(axis_ + 1) % 3], v = p[(axis_ + 2) % 3];
  return mirrored_ ? Vec2(v, u) : Vec2(u, v);
}

int Sheet::turn(int a, int b, int c) const {
  return orient2d(flat(a), flat(b), flat(c));
}

int Sheet::part_with(int a, int b, int* beyond) const {
  for (std::size_t t = 0; t < parts_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      if (parts_[t][k] == a && parts_[t][(k + 1) % 3] == b) {
        *beyond = parts_[t][(k + 2) % 3];
        return static_cast<int>(t);
      }
  return -1;
}

bool Sheet::split_border(int from, int to, int point) {
  int beyond = -1;
  const int t = part_with(from, to, &beyond);
  if (t < 0) return false;
  parts_[t] = {from, point, beyond};
  parts_.push_back({point, to, beyond});
  return turn(from, point, beyond) > 0 && turn(point, to, beyond) > 0;
}

bool Sheet::add_inside(int p) {
  for (std::size_t t = 0; t < parts_.size(); ++t) {
    const auto [a, b, c] = parts_[t];
    const int ab = turn(a, b, p), bc = turn(b, c, p), ca = turn(c, a, p);
    if (ab < 0 || bc < 0 || ca < 0) continue;
    if (ab + bc + ca == 3) {
      parts_[t] = {a, b, p};
      parts_.insert(parts_.end(), {{b, c, p}, {c, a, p}});
      return true;
    }
    if (ab + bc + ca < 2) return false;  // on a corner
    const auto [from, to] = ab == 0 ? std::pair(a, b) : bc == 0 ? std::pair(b, c) : std::pair(c, a);
    int beyond = -1;
    if (part_with(to, from, &beyond) < 0) return false;  // on the border
    return split_border(from, to, p) && split_border(to, from, p);
  }
  return false;
}

bool Sheet::cross(int a, int b, int c, int d) const {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

std::vector<std::array<int, 2>> Sheet::sides_across(int from, int to) const {
  std::vector<std::array<int, 2>> out;
  for (const Corners& part : parts_)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = part[k], b = part[(k + 1) % 3];
      if (a < b && a != from && a != to && b != from && b != to && cross(from, to, a, b))
        out.push_back({a, b});
    }
  return out;
}

bool Sheet::flip(int a, int b) {
  int c = -1, d = -1;
  const int left = part_with(a, b, &c), right = part_with(b, a, &d);
  if (left < 0 || right < 0) return false;
  if (turn(c, d, b) <= 0 || turn(d, c, a) <= 0) return false;
  parts_[left] = {c, d, b};
  parts_[right] = {d, c, a};
  return true;
}

/// Sides in the way are flipped until none is left (Sloan 1993).
bool Sheet::add_segment(int from, int to) {
  int beyond = -1;
  const auto found = sides_across(from, to);
  std::deque<std::array<int, 2>> across(found.begin(), found.end());
  std::size_t turns_left = 16 * (across.size() + 1) * (across.size() + 1);
  while (!across.empty()) {
    if (turns_left-- == 0) return false;
    const auto [a, b] = across.front();
    across.pop_front();
    int c = -1, d = -1;
    part_with(a, b, &c);
    part_with(b, a, &d);
    if (!flip(a, b)) {
      across.push_back({a, b});
    } else if (c != from && c != to && d != from && d != to && cross(from, to, c, d)) {
      across.push_back({std::min(c, d), std::max(c, d)});
    }
  }
  return part_with(from, to, &beyond) >= 0 || part_with(to, from, &beyond) >= 0;
}

}  // namespace repose::shape
