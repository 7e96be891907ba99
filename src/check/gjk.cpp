#include "gjk.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <Eigen/Geometry>

namespace repose::check {

namespace {

constexpr int kMostSteps = 200;
/// Simplices flatter than this (relative Gram determinant) are left to their sides.
constexpr double kFlat = 1e-28;
/// Distances below this fraction of the bodies' reach have no direction.
constexpr double kNothing = 1e-14;

struct Corner {
  Vec3 w, a, b;  // w = b - a
};

struct Simplex {
  std::array<Corner, 4> corner;
  std::array<double, 4> weight{};
  int count = 0;
};

/// The nearest point found so far among the faces of the simplex that hold its newest corner.
struct Nearest {
  double squared = std::numeric_limits<double>::infinity();
  std::array<int, 4> index{};
  std::array<double, 4> weight{};
  int count = 0;
  Vec3 v = Vec3::Zero();

  void offer(const Simplex& s, std::array<int, 4> at, std::array<double, 4> weights, int n) {
    Vec3 p = Vec3::Zero();
    for (int k = 0; k < n; ++k) {
      if (!(weights[static_cast<std::size_t>(k)] >= 0.0)) return;
      p += weights[static_cast<std::size_t>(k)] *
           s.corner[static_cast<std::size_t>(at[static_cast<std::size_t>(k)])].w;
    }
    const double d = p.squaredNorm();
    if (d >= squared) return;
    squared = d;
    index = at;
    weight = weights;
    count = n;
    v = p;
  }
};

void offer_edge(const Simplex& s, int i, int newest, Nearest& best) {
  const Vec3 &p = s.corner[static_cast<std::size_t>(newest)].w,
             e = s.corner[static_cast<std::size_t>(i)].w - p;
  const double length = e.squaredNorm();
  if (!(length > 0.0)) return;
  const double t = -p.dot(e) / length;
  if (t > 0.0 && t < 1.0) best.offer(s, {newest, i}, {1.0 - t, t}, 2);
}

void offer_triangle(const Simplex& s, int i, int j, int newest, Nearest& best) {
  const Vec3 &p = s.corner[static_cast<std::size_t>(newest)].w,
             e = s.corner[static_cast<std::size_t>(i)].w - p,
             f = s.corner[static_cast<std::size_t>(j)].w - p;
  const Vec3 n = e.cross(f);
  const double area = n.squaredNorm();
  if (!(area > kFlat * e.squaredNorm() * f.squaredNorm())) return;
  const double x = f.cross(p).dot(n) / area, y = p.cross(e).dot(n) / area;
  if (x > 0.0 && y > 0.0 && x + y < 1.0) best.offer(s, {newest, i, j}, {1.0 - x - y, x, y}, 3);
}

void offer_tetrahedron(const Simplex& s, Nearest& best) {
  const Vec3& p = s.corner[3].w;
  const Vec3 e = s.corner[0].w - p, f = s.corner[1].w - p, g = s.corner[2].w - p;
  const double volume = e.dot(f.cross(g));
  if (volume * volume <= kFlat * e.squaredNorm() * f.squaredNorm() * g.squaredNorm()) return;
  const double x = -p.dot(f.cross(g)) / volume, y = -e.dot(p.cross(g)) / volume,
               z = -e.dot(f.cross(p)) / volume;
  if (x > 0.0 && y > 0.0 && z > 0.0 && x + y + z < 1.0)
    best.offer(s, {3, 0, 1, 2}, {1.0 - x - y - z, x, y, z}, 4);
}

/// The point of the simplex nearest to the origin, which its newest (last) corner takes part in.
Nearest nearest_point(const Simplex& s) {
  Nearest best;
  const int newest = s.count - 1;
  best.offer(s, {newest}, {1.0}, 1);
  for (int i = 0; i < newest; ++i) {
    offer_edge(s, i, newest, best);
    for (int j = i + 1; j < newest; ++j) offer_triangle(s, i, j, newest, best);
  }
  if (s.count == 4) offer_tetrahedron(s, best);
  return best;
}

void keep(Simplex& s, const Nearest& n) {
  Simplex out;
  out.count = n.count;
  for (std::size_t k = 0; k < static_cast<std::size_t>(n.count); ++k) {
    out.corner[k] = s.corner[static_cast<std::size_t>(n.index[k])];
    out.weight[k] = n.weight[k];
  }
  s = out;
}

}  // namespace

ConvexPair::ConvexPair(const ConvexBody& first, const ConvexBody& second, const Frame& b_in_a)
    : a(first), b(second), frame(b_in_a) {
  error = frame.error(b.reach()) + frame.turn_error * b.reach() + a.error() + b.error() +
          2.0 * kSumError * (a.reach() + b.reach() + frame.shift.norm());
}

double ConvexPair::plane_bound(const Vec3& d) const {
  return d.dot(farthest_b(d) - farthest_a(d)) - a.round() - b.round() - error;
}

CoreDistance core_distance(const ConvexPair& pair, const Vec3& shift, double width, double enough) {
  const double nothing =
      kNothing * (pair.a.reach() + pair.b.reach() + (pair.frame.shift + shift).norm());
  Vec3 v = pair.frame * pair.b.center() + shift - pair.a.center();
  if (!(v.norm() > nothing)) v = Vec3::UnitZ();
  CoreDistance out;
  out.lower = -std::numeric_limits<double>::infinity();
  out.upper = std::numeric_limits<double>::infinity();
  Simplex simplex;
  for (int step = 0; step < kMostSteps; ++step) {
    const double length = v.norm();
    const Vec3 d = v / length;
    Corner next;
    next.a = pair.farthest_a(d);
    next.b = pair.farthest_b(d) + shift;
    next.w = next.b - next.a;
    const double lower = d.dot(next.w);
    if (lower > out.lower) {
      out.lower = lower;
      out.direction = d;
    }
    if (out.upper - out.lower <= width) break;
    if (out.lower >= enough) {
      simplex.corner[0] = next;
      simplex.weight = {1.0};
      simplex.count = 1;
      out.upper = next.w.norm();
      break;
    }
    simplex.corner[static_cast<std::size_t>(simplex.count++)] = next;
    const Nearest n = nearest_point(simplex);
    // rounding ends the descent
    if (simplex.count > 1 && !(n.squared < out.upper * out.upper)) break;
    keep(simplex, n);
    v = n.v;
    out.upper = v.norm();
    if (n.count == 4 || out.upper <= nothing) {
      out.meet = true;
      break;
    }
  }
  out.point_a = out.point_b = Vec3::Zero();
  for (std::size_t k = 0; k < static_cast<std::size_t>(simplex.count); ++k) {
    out.point_a += simplex.weight[k] * simplex.corner[k].a;
    out.point_b += simplex.weight[k] * simplex.corner[k].b;
  }
  if (out.meet) out.upper = 0.0;
  return out;
}

}  // namespace repose::check
