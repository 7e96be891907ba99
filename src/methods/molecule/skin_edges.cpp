#include <algorithm>
#include <cmath>

#include "repose/base/at.h"

#include "skin.h"

namespace repose::molecule {

namespace {

/// An edge of at least this share of the length at which it could cross a triangle gets rows.
constexpr double kLong = 0.98;
/// Edges are thick by this share of their molecules' radii: enough that they never cross, and thin
/// enough that corners and triangles carry the contact.
constexpr double kThickness = 0.5;
/// Rows are made for gaps that close in a step, and for those below so many kept gaps.
constexpr double kRowWithin = 4.0;
/// The nearest points of two edges lie within both by this share of their lengths, or a corner's
/// row does the work.
constexpr double kWithin = 1e-9;

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
  const double below = kThickness * thickness(arena, lower);
  const double apart = kThickness * thickness(arena, upper) + below;
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

/// An edge where it may be during the step, thick.
struct Sweep {
  Box3 box;
  int number = 0;
  bool is_long = false;  // it is drawn so long that it could cross a triangle of the other body
};

double thinnest_of(const Arena& arena, int body) {
  double out = arena.most_radius;
  for (int i = arena.first_point[at(body)]; i < arena.first_point[at(body) + 1]; ++i)
    out = std::min(out, arena.radius[at(i)]);
  return out;
}

bool is_long(const Arena& arena, const Motion& motion, const Edge& edge, double thinnest) {
  const double least = std::min(arena.radius[at(edge[0])], arena.radius[at(edge[1])]) + thinnest;
  const double length = kLong * 2.0 * least;
  return (motion.x[at(edge[1])] - motion.x[at(edge[0])]).squaredNorm() > length * length;
}

bool any_long(const Arena& arena, const Motion& motion, int body, double thinnest) {
  const auto& edges = arena.edges[at(body)];
  return std::any_of(edges.begin(), edges.end(),
                     [&](const Edge& edge) { return is_long(arena, motion, edge, thinnest); });
}

std::vector<Sweep> sweeps_of(const Arena& arena, const Motion& motion, int body, double thinnest,
                             const RowSettings& s) {
  std::vector<Sweep> out;
  const auto& edges = arena.edges[at(body)];
  out.reserve(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto [i, j] = edges[e];
    const Vec3 &p = motion.x[at(i)], &q = motion.x[at(j)];
    const double fastest =
        std::sqrt(std::max(motion.v[at(i)].squaredNorm(), motion.v[at(j)].squaredNorm()));
    const double grow =
        thickness(arena, edges[e]) * (1.0 + 2.0 * kRowWithin * s.contact_gap) + s.h * fastest;
    out.push_back(
        {{(p.cwiseMin(q).array() - grow).matrix(), (p.cwiseMax(q).array() + grow).matrix()},
         static_cast<int>(e),
         is_long(arena, motion, edges[e], thinnest)});
  }
  return out;
}

void sort_along_x(std::vector<Sweep>& all) {
  std::sort(all.begin(), all.end(), [](const Sweep& p, const Sweep& q) {
    const double a = p.box.low.x(), b = q.box.low.x();
    return a != b ? a < b : p.number < q.number;
  });
}

/// Those that reach the box of the others.
void keep_near(const std::vector<Sweep>& others, std::vector<Sweep>& all) {
  if (others.empty()) return all.clear();
  Box3 whole = others[0].box;
  for (const Sweep& other : others) {
    whole.low = whole.low.cwiseMin(other.box.low);
    whole.high = whole.high.cwiseMax(other.box.high);
  }
  std::erase_if(all, [&](const Sweep& edge) { return !edge.box.overlaps(whole); });
}

}  // namespace

void add_edge_rows(const Arena& arena, const Motion& motion, const Near& near, const RowSettings& s,
                   std::vector<Row>& rows) {
  for (const auto& [a, b] : near.skin_bodies) {
    const double thin_a = thinnest_of(arena, a), thin_b = thinnest_of(arena, b);
    if (!any_long(arena, motion, a, thin_b) && !any_long(arena, motion, b, thin_a)) continue;
    std::vector<Sweep> upper = sweeps_of(arena, motion, a, thin_b, s);
    std::vector<Sweep> lower = sweeps_of(arena, motion, b, thin_a, s);
    keep_near(lower, upper);
    keep_near(upper, lower);
    sort_along_x(lower);
    for (const Sweep& one : upper)
      for (const Sweep& other : lower) {
        if (other.box.low.x() > one.box.high.x()) break;
        if ((one.is_long || other.is_long) && one.box.overlaps(other.box))
          add_row(arena, motion, {a, b}, {one.number, other.number}, s, rows);
      }
  }
}

}  // namespace repose::molecule
