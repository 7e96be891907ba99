#include <algorithm>
#include <cmath>

#include "skin.h"

namespace repose::molecule {

namespace {

/// An edge of at least this share of the length at which it could cross a triangle gets rows.
constexpr double kLong = 0.9;
/// Rows are made for gaps that close in a step, and for those below so many kept gaps.
constexpr double kRowWithin = 4.0;
/// The nearest points of two edges lie within both by this share of their lengths, or a corner's
/// row does the work.
constexpr double kWithin = 1e-9;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

using Edge = std::array<int, 2>;

double thickness(const Arena& arena, const Edge& edge) {
  return std::max(arena.radius[at(edge[0])], arena.radius[at(edge[1])]);
}

/// The row of two edges whose nearest points lie within both; none where they do not, or where the
/// step cannot bring them together.
void add_row(const Arena& arena, const Motion& motion, const std::array<int, 2>& bodies,
             const std::array<int, 2>& numbers, const RowSettings& s, std::vector<Row>& rows) {
  const Edge &upper = arena.edges[at(bodies[0])][at(numbers[0])],
             &lower = arena.edges[at(bodies[1])][at(numbers[1])];
  const Vec3 &a = motion.x[at(upper[0])], &b = motion.x[at(lower[0])];
  const Vec3 u = motion.x[at(upper[1])] - a, v = motion.x[at(lower[1])] - b, w = a - b;
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w);
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > kWithin * uu * vv)) return;
  const double p = (uv * vw - vv * uw) / determinant, q = (uu * vw - uv * uw) / determinant;
  if (!(p > kWithin && p < 1.0 - kWithin && q > kWithin && q < 1.0 - kWithin)) return;
  const Vec3 way = w + p * u - q * v;
  const double distance = way.norm();
  if (!(distance > 0.0)) return;
  Row row;
  row.key = {RowKey::skin, bodies[0], bodies[1], numbers[0], -1 - numbers[1], 0};
  row.normal = way / distance;
  row.points = 4;
  row.point = {upper[0], upper[1], lower[0], lower[1]};
  row.weight = {1.0 - p, p, q - 1.0, -q};
  const double below = thickness(arena, lower), apart = thickness(arena, upper) + below;
  row.gap = distance - apart;
  row.keep = 2.0 * s.contact_gap * apart;
  row.foot_upper = row.foot_lower = b + q * v + (below + 0.5 * row.gap) * row.normal;
  Vec3 relative = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) relative += row.weight[k] * motion.v[at(row.point[k])];
  if (row.gap >= s.h * relative.norm() + kRowWithin * row.keep) return;
  aim(row, s.h);
  weigh(arena, motion, row);
  if (row.inverse_diagonal > 0.0) rows.push_back(row);
}

/// Per edge of a body: it is drawn so long that it could cross a triangle of the other.
std::vector<bool> long_edges(const Arena& arena, const Motion& motion, int body, int other) {
  double thinnest = arena.most_radius;
  for (int i = arena.first_point[at(other)]; i < arena.first_point[at(other) + 1]; ++i)
    thinnest = std::min(thinnest, arena.radius[at(i)]);
  std::vector<bool> out;
  for (const Edge& edge : arena.edges[at(body)]) {
    const double least = std::min(arena.radius[at(edge[0])], arena.radius[at(edge[1])]) + thinnest;
    out.push_back((motion.x[at(edge[1])] - motion.x[at(edge[0])]).norm() > kLong * 2.0 * least);
  }
  return out;
}

}  // namespace

void add_edge_rows(const Arena& arena, const Motion& motion, const Near& near, const RowSettings& s,
                   std::vector<Row>& rows) {
  for (const auto& [a, b] : near.skin_bodies) {
    const std::vector<bool> long_a = long_edges(arena, motion, a, b);
    const std::vector<bool> long_b = long_edges(arena, motion, b, a);
    const bool any_b = std::find(long_b.begin(), long_b.end(), true) != long_b.end();
    for (std::size_t i = 0; i < long_a.size(); ++i)
      for (std::size_t j = 0; (long_a[i] || any_b) && j < long_b.size(); ++j)
        if (long_a[i] || long_b[j])
          add_row(arena, motion, {a, b}, {static_cast<int>(i), static_cast<int>(j)}, s, rows);
  }
}

}  // namespace repose::molecule
