#include "skin.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

namespace repose::molecule {

namespace {

using Place = std::array<int, 3>;

/// A corner's weight below this lies on the opposite side of the triangle.
constexpr double kOnSide = 1e-9;
/// Rows are made for gaps that close in a step, and for those below so many kept gaps.
constexpr double kRowWithin = 4.0;

/// Where a point projects to in a triangle: weights of the corners of its nearest point.
struct Foot {
  std::array<double, 3> weight{};
  Vec3 point = Vec3::Zero();
  double distance = 0.0;
  bool inside = false;  // not on a side or corner
};

Foot foot_in(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  Foot out;
  out.point = collide::nearest_in_triangle(p, a, b, c);
  out.distance = (p - out.point).norm();
  const Vec3 ab = b - a, ac = c - a, way = out.point - a;
  const double bb = ab.dot(ab), bc = ab.dot(ac), cc = ac.dot(ac);
  const double along_b = way.dot(ab), along_c = way.dot(ac);
  const double determinant = bb * cc - bc * bc;
  out.weight[1] = std::clamp((cc * along_b - bc * along_c) / determinant, 0.0, 1.0);
  out.weight[2] = std::clamp((bb * along_c - bc * along_b) / determinant, 0.0, 1.0);
  out.weight[0] = std::max(0.0, 1.0 - out.weight[1] - out.weight[2]);
  out.inside = std::min({out.weight[0], out.weight[1], out.weight[2]}) > kOnSide;
  // the point anew from its weights: force and torque agree with them
  out.point = out.weight[0] * a + out.weight[1] * b + out.weight[2] * c;
  return out;
}

Row skin_row(const Arena& arena, const Motion& motion, int point, int body, int triangle,
             const Foot& foot, const RowSettings& s) {
  const SkinTriangle& corners = arena.surface[at(body)][at(triangle)];
  Row row;
  row.key = {RowKey::skin, arena.body_of[at(point)], body, point, triangle, 0};
  row.normal = (motion.x[at(point)] - foot.point) / foot.distance;
  row.points = 4;
  row.point = {point, corners[0], corners[1], corners[2]};
  row.weight = {1.0, -foot.weight[0], -foot.weight[1], -foot.weight[2]};
  const double below = std::max(
      {arena.radius[at(corners[0])], arena.radius[at(corners[1])], arena.radius[at(corners[2])]});
  const double apart = arena.radius[at(point)] + below;
  row.gap = foot.distance - apart;
  row.keep = 2.0 * s.contact_gap * apart;
  row.foot_upper = row.foot_lower = foot.point + (below + 0.5 * row.gap) * row.normal;
  row.friction = std::min(arena.friction[at(point)], arena.friction[at(corners[0])]);
  aim(row, s.h);
  return row;
}

bool may_meet(const Row& row, const Motion& motion, double h) {
  Vec3 relative = Vec3::Zero();
  for (int k = 0; k < row.points; ++k)
    relative += row.weight[at(k)] * motion.v[at(row.point[at(k)])];
  return row.gap < h * relative.norm() + kRowWithin * row.keep;
}

/// One molecule against the triangles of one body near it, the pairs from `first` to `last`.
void add_rows_of(const Arena& arena, const Motion& motion, const SkinList& list,
                 const SkinPair* first, const SkinPair* last, const RowSettings& s,
                 std::vector<Row>& rows) {
  const Vec3& center = motion.x[at(first->point)];
  std::vector<std::pair<int, Foot>> feet;  // of triangles that may meet it
  std::size_t nearest = 0;
  for (const SkinPair* pair = first; pair != last; ++pair) {
    if (list.is_far(*pair)) continue;
    const SkinTriangle& c = arena.surface[at(list.skin)][at(pair->triangle)];
    feet.emplace_back(pair->triangle,
                      foot_in(center, motion.x[at(c[0])], motion.x[at(c[1])], motion.x[at(c[2])]));
    if (feet.back().second.distance < feet[nearest].second.distance) nearest = feet.size() - 1;
  }
  for (std::size_t k = 0; k < feet.size(); ++k) {
    const auto& [triangle, foot] = feet[k];
    if (!(foot.distance > 0.0)) continue;
    Row row = skin_row(arena, motion, first->point, list.skin, triangle, foot, s);
    // beside a triangle, the one under the molecule is what holds it; one that is too near counts
    if (k != nearest && !foot.inside && row.gap >= 0.0) continue;
    if (!may_meet(row, motion, s.h)) continue;
    weigh(arena, motion, row);
    if (row.inverse_diagonal > 0.0) rows.push_back(row);
  }
}

}  // namespace

std::vector<SkinTriangle> skin_of(const std::vector<Place>& places) {
  std::map<Place, int> number;
  for (std::size_t i = 0; i < places.size(); ++i) number[places[i]] = static_cast<int>(i);
  const auto find = [&](const Place& p) {
    const auto found = number.find(p);
    return found == number.end() ? -1 : found->second;
  };
  const auto whole_cell = [&](const Place& low) {
    for (int c = 0; c < 8; ++c)
      if (find({low[0] + (c & 1), low[1] + (c >> 1 & 1), low[2] + (c >> 2 & 1)}) < 0) return false;
    return true;
  };
  std::vector<SkinTriangle> out;
  for (const Place& p : places)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      // the square at p across the axis
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      std::array<int, 4> corner{};
      for (std::size_t c = 0; c < 4; ++c) {
        Place q = p;
        q[u] += c == 1 || c == 2 ? 1 : 0;
        q[v] += c >= 2 ? 1 : 0;
        corner[c] = find(q);
      }
      if (std::min({corner[0], corner[1], corner[2], corner[3]}) < 0) continue;
      Place below = p;
      below[axis] -= 1;
      if (whole_cell(p) && whole_cell(below)) continue;
      out.push_back({corner[0], corner[1], corner[2]});
      out.push_back({corner[0], corner[2], corner[3]});
    }
  return out;
}

void add_skin_rows(const Arena& arena, const Motion& motion, const Near& near, const RowSettings& s,
                   std::vector<Row>& rows) {
  const StageScope timed("skin");
  const auto before = static_cast<std::ptrdiff_t>(rows.size());
  for (const SkinList* list : near.skins) {
    const SkinPair* const end = list->pairs.data() + list->pairs.size();
    for (const SkinPair* first = list->pairs.data(); first != end;) {
      const SkinPair* last = first;
      while (last != end && last->point == first->point) ++last;
      add_rows_of(arena, motion, *list, first, last, s, rows);
      first = last;
    }
  }
  add_edge_rows(arena, motion, near, s, rows);
  std::sort(rows.begin() + before, rows.end(),
            [](const Row& p, const Row& q) { return p.key < q.key; });
}

}  // namespace repose::molecule
