#include "separate.h"

#include <array>
#include <limits>

namespace repose::place {
namespace {

/// Turns of the search for a parallelogram's nearest point.
constexpr int kNearestTurns = 3;

/// Second-order terms along a parameter below this share of the first-order ones: it is straight.
constexpr double kStraight = 1e-9;
/// Sine squared below which segments count as parallel.
constexpr double kParallel = 1e-20;
/// Newton's steps to the lowest place of a border.
constexpr int kBorderSteps = 2;

/// Least of g a + c a^2 over [-1, 1].
double least_of(double g, double c) {
  if (c > 0.0 && std::fabs(g) < 2.0 * c) return -0.25 * g * g / c;
  return std::min(0.0, c - std::fabs(g));
}

/// The second-order terms along m.
void add_second(const Curving& s, const Vec3& m, Quadratic& q) {
  const Vec3 size = m.cwiseAbs();
  q.c00 += m.dot(s.second[0]);
  q.c01 += m.dot(s.second[1]);
  q.c11 += m.dot(s.second[2]);
  q.slack00 = size.dot(s.rad[0]);
  q.slack01 = size.dot(s.rad[1]);
  q.slack11 = size.dot(s.rad[2]);
}

/// Least of n.x along the border of the piece where parameter `ended` ends low or high (side), the
/// other one free: c +- slack is half its second derivative.
double least_on_border(const Feature& f, const Cell& cell, const Vec3& n, int ended, double side,
                       double start, double c, double slack) {
  const std::array<double, 2> half{0.5 * (cell.box.u1 - cell.box.u0),
                                   0.5 * (cell.box.v1 - cell.box.v0)};
  const Vec2 middle = cell.box.center();
  const int free = 1 - ended;
  double a = std::clamp(start, -1.0, 1.0), value = 0.0, slope = 0.0;
  for (int k = 0; k < kBorderSteps; ++k) {
    if (k > 0) a = std::clamp(a - 0.5 * slope / c, -1.0, 1.0);
    Vec2 uv = middle;
    uv[ended] += side * half[static_cast<std::size_t>(ended)];
    uv[free] += a * half[static_cast<std::size_t>(free)];
    const shape::PatchJet jet = f.face.patch->jet(std::clamp(uv.x(), cell.box.u0, cell.box.u1),
                                                  std::clamp(uv.y(), cell.box.v0, cell.box.v1));
    value = n.dot(jet.s);
    slope = half[static_cast<std::size_t>(free)] * n.dot(free == 0 ? jet.su : jet.sv);
  }
  return value - 0.25 * slope * slope / (c - slack);
}

/// From the nearest point of a segment that begins at the origin.
Vec3 way_from_segment(const Vec3& along, const Vec3& d) {
  return d - std::clamp(d.dot(along) / along.squaredNorm(), 0.0, 1.0) * along;
}

/// From the nearest point of the segment a0 a1 to that of b0 b1.
Vec3 way_between_segments(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 u = a1 - a0, v = b1 - b0, w = b0 - a0;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  const double area = u.cross(v).squaredNorm();
  // where the lines are nearest, if they cross; then each end is brought onto its segment
  double s = area > kParallel * uu * vv
                 ? std::clamp((w.dot(u) * vv - w.dot(v) * uv) / area, 0.0, 1.0)
                 : 0.0;
  const double t = vv > 0.0 ? std::clamp((s * uv - w.dot(v)) / vv, 0.0, 1.0) : 0.0;
  s = uu > 0.0 ? std::clamp((w.dot(u) + t * uv) / uu, 0.0, 1.0) : 0.0;
  return w + t * v - s * u;
}

/// From the nearest point of the triangle 0, g0, g1, exactly: a triangle is not halved, so that
/// what its direction lacks is lacking for good.
Vec3 way_from_triangle(const Vec3& g0, const Vec3& g1, const Vec3& d) {
  const Vec3 n = g0.cross(g1);
  const double area = n.squaredNorm();
  const double a = d.cross(g1).dot(n), b = g0.cross(d).dot(n);
  if (a >= 0.0 && b >= 0.0 && a + b <= area) return d.dot(n) / area * n;
  Vec3 best = way_from_segment(g0, d);
  for (const Vec3& way : {way_from_segment(g1, d), way_from_segment(g1 - g0, d - g0)})
    if (way.squaredNorm() < best.squaredNorm()) best = way;
  return best;
}

}  // namespace

double least_of(const Quadratic& q) {
  const double c00 = q.c00 - q.slack00, c11 = q.c11 - q.slack11;
  const double apart = least_of(q.g0, c00) + least_of(q.g1, c11) - std::fabs(q.c01) - q.slack01;
  // with the mixed term inside, |a b| <= (a^2 + b^2) / 2 for what is not known of it
  const double h00 = c00 - 0.5 * q.slack01, h11 = c11 - 0.5 * q.slack01, h01 = 0.5 * q.c01;
  const double det = h00 * h11 - h01 * h01;
  if (!(h00 > 0.0 && det > 0.0)) return apart;
  const double together =
      -0.25 * (q.g0 * q.g0 * h11 - 2.0 * q.g0 * q.g1 * h01 + q.g1 * q.g1 * h00) / det;
  return std::max(apart, together);
}

Sheet Sheet::in_frame(const Mat3& rotation, const Vec3& position) const {
  return {rotation.transpose() * n, rotation.transpose() * bending * rotation,
          rotation.transpose() * (origin - position)};
}

double least_along(const Cell& c, const Curving& second, const Vec3& n) {
  Quadratic q;
  q.g0 = n.dot(c.g0);
  q.g1 = n.dot(c.g1);
  add_second(second, n, q);
  return n.dot(second.middle) + least_of(q);
}

double least_on_borders(const Feature& f, const Cell& c, const Curving& second, const Vec3& n) {
  const double none = -std::numeric_limits<double>::infinity();
  const auto bent = [&](std::size_t k) {
    return (second.second[k].cwiseAbs() + second.rad[k]).norm();
  };
  const bool straight_v = bent(2) <= kStraight * c.g1.norm();
  if (!straight_v && !(bent(0) <= kStraight * c.g0.norm())) return none;
  Quadratic q;
  q.g0 = n.dot(c.g0);
  q.g1 = n.dot(c.g1);
  add_second(second, n, q);
  const double bend = straight_v ? q.c00 : q.c11, slack = straight_v ? q.slack00 : q.slack11;
  if (!(bend > slack)) return none;
  const double slope = straight_v ? q.g0 : q.g1;
  double least = std::numeric_limits<double>::infinity();
  for (const double side : {-1.0, 1.0})
    least = std::min(least, least_on_border(f, c, n, straight_v ? 1 : 0, side,
                                            -0.5 * (slope + side * q.c01) / bend, bend, slack));
  // off the straight line between them
  const double off = straight_v ? q.c11 + q.slack11 : q.c00 + q.slack00;
  return least - std::max(0.0, off);
}

double least_over(const Cell& c, const Curving& second, const Sheet& sheet) {
  const Vec3 x = second.middle - sheet.origin;
  const Vec3 kx = sheet.bending * x, k0 = sheet.bending * c.g0, k1 = sheet.bending * c.g1;
  const Vec3 m = sheet.n + kx;  // gradient of phi at the middle
  Quadratic q;
  q.g0 = m.dot(c.g0);
  q.g1 = m.dot(c.g1);
  q.c00 = 0.5 * c.g0.dot(k0);
  q.c01 = c.g0.dot(k1);
  q.c11 = 0.5 * c.g1.dot(k1);
  add_second(second, m, q);
  // third and fourth order: K between the first and second-order terms, and among the latter
  const Vec3 size0 = k0.cwiseAbs(), size1 = k1.cwiseAbs();
  const double bend = sheet.bending.norm();
  double higher = 0.0, among = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    higher += std::fabs(k0.dot(second.second[k])) + size0.dot(second.rad[k]);
    higher += std::fabs(k1.dot(second.second[k])) + size1.dot(second.rad[k]);
    among += (sheet.bending * second.second[k]).norm() + bend * second.rad[k].norm();
  }
  higher += 0.5 * among * second.most;
  return sheet.n.dot(x) + 0.5 * x.dot(kx) + least_of(q) - higher;
}

Vec3 way_from(const Cell& c, const Vec3& d) {
  const double g00 = c.g0.squaredNorm(), g11 = c.g1.squaredNorm(), g01 = c.g0.dot(c.g1);
  if (!(g00 > 0.0) || !(g11 > 0.0)) return d;
  if (c.triangle) return way_from_triangle(c.g0, c.g1, d);
  double a = 0.0, b = 0.0;
  for (int k = 0; k < kNearestTurns; ++k) {
    a = std::clamp((d.dot(c.g0) - b * g01) / g00, -1.0, 1.0);
    b = std::clamp((d.dot(c.g1) - a * g01) / g11, -1.0, 1.0);
  }
  return d - a * c.g0 - b * c.g1;
}

Corners corners_of(const Cell& c, const Mat3& rotation, const Vec3& position) {
  const Vec3 at = rotation * c.center + position, g0 = rotation * c.g0, g1 = rotation * c.g1;
  if (c.triangle) return {{at, at + g0, at + g1, at}, 3};
  return {{at - g0 - g1, at + g0 - g1, at + g0 + g1, at - g0 + g1}, 4};
}

Vec3 way_between(const Corners& from, const Corners& to) {
  Vec3 best = to.at[0] - from.at[0];
  double least = best.squaredNorm();
  const auto take = [&](const Vec3& way) {
    if (!(way.squaredNorm() < least)) return;
    best = way;
    least = way.squaredNorm();
  };
  for (std::size_t i = 0; i < from.count; ++i)
    for (std::size_t j = 0; j < to.count; ++j)
      take(way_between_segments(from.at[i], from.at[(i + 1) % from.count], to.at[j],
                                to.at[(j + 1) % to.count]));
  for (std::size_t j = 0; j < to.count; ++j)
    for (std::size_t k = 2; k < from.count; ++k)
      take(way_from_triangle(from.at[k - 1] - from.at[0], from.at[k] - from.at[0],
                             to.at[j] - from.at[0]));
  for (std::size_t i = 0; i < from.count; ++i)
    for (std::size_t k = 2; k < to.count; ++k)
      take(-way_from_triangle(to.at[k - 1] - to.at[0], to.at[k] - to.at[0], from.at[i] - to.at[0]));
  return best;
}

}  // namespace repose::place
