#include "skin_solids.h"

#include <algorithm>
#include <cmath>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "facet.h"

namespace repose::molecule {

namespace {

/// Rows are made for gaps that close in a step, and for those below so many kept gaps.
constexpr double kRowWithin = 4.0;
/// Rows of skins keep so many times the gap of molecules' rows.
constexpr double kKeeps = 2.0;
/// A corner's weight above this is all of it; below its rest from one the corner has none.
constexpr double kAll = 1.0 - 1e-9;
/// Steps to and fro between a triangle and a piece to where they are nearest, and how near to it.
constexpr int kMostSteps = 64;
constexpr double kNearest = 1e-7;
/// A corner stands before the plane of its triangle if its own plane is no farther, of the
/// triangle's thickness.
constexpr double kSamePlane = 1e-6;
/// A piece that stands out of another's plane by less than this share of the triangle's distance,
/// or of its thickness, lies behind it.
constexpr double kLift = 0.1;

const std::array<int, 3>& corners_of(const Arena& arena, const SkinPlane& plane) {
  return arena.surface[at(plane.body)][at(plane.triangle)];
}

/// Weights of the corners at a point of the triangle.
std::array<double, 3> weights_at(const Vec3& p, const std::array<Vec3, 3>& t) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], way = p - t[0];
  const double bb = ab.dot(ab), bc = ab.dot(ac), cc = ac.dot(ac);
  const double along_b = way.dot(ab), along_c = way.dot(ac);
  const double determinant = bb * cc - bc * bc;
  std::array<double, 3> out{1.0, 0.0, 0.0};
  if (!(determinant > 0.0)) return out;
  out[1] = std::clamp((cc * along_b - bc * along_c) / determinant, 0.0, 1.0);
  out[2] = std::clamp((bb * along_c - bc * along_b) / determinant, 0.0, 1.0 - out[1]);
  out[0] = 1.0 - out[1] - out[2];
  return out;
}

/// The triangle's point nearest to a piece that it does not meet, to and fro between the two.
Vec3 nearest_point(const Facet& facet, const Rigid& rigid, const Pose& pose, int piece) {
  const Pose body_from_world = pose.inverse();
  const auto& [a, b, c] = facet.points();
  const double enough = kNearest * facet.reach();
  Vec3 p = facet.middle();
  for (int k = 0; k < kMostSteps; ++k) {
    const Vec3 on_piece = pose * rigid.obstacle->plane(body_from_world * p, piece).foot;
    const Vec3 next = collide::nearest_in_triangle(on_piece, a, b, c);
    const double gone = (next - p).norm();
    p = next;
    if (gone <= enough) break;
  }
  return p;
}

bool held_by_corners(const Facet& facet, const SkinPlane& plane, const Rigid& rigid,
                     const Pose& pose) {
  const Pose body_from_world = pose.inverse();
  for (std::size_t k = 0; k < 3; ++k) {
    if (plane.weight[k] >= kAll) return true;
    if (plane.weight[k] <= 1.0 - kAll) continue;
    const Vec3 corner = body_from_world * facet.points()[k];
    if (rigid.obstacle->plane(corner, plane.piece).gap(corner) >
        plane.height[k] + kSamePlane * plane.thick)
      return false;
  }
  return true;
}

double height_at_foot(const SkinPlane& plane) {
  double out = 0.0;
  for (std::size_t k = 0; k < 3; ++k) out += plane.weight[k] * plane.height[k];
  return out;
}

Row row_of(const Arena& arena, const SkinPlane& plane, int number) {
  const Rigid& solid = arena.rigids[at(plane.rigid)];
  Row row;
  row.key = {RowKey::skin, solid.body, plane.body, plane.piece, plane.triangle, number};
  row.normal = plane.normal;
  row.rigid[0] = plane.rigid;
  return row;
}

/// Of the triangle's nearest point.
Row foot_row(const Arena& arena, const Motion& motion, const SkinPlane& plane,
             const RowSettings& s) {
  const auto& corners = corners_of(arena, plane);
  Row row = row_of(arena, plane, 0);
  row.points = 3;
  Vec3 foot = Vec3::Zero();
  for (std::size_t k = 0; k < 3; ++k) {
    row.point[k] = corners[k];
    row.weight[k] = -plane.weight[k];
    foot += plane.weight[k] * motion.x[at(corners[k])];
  }
  // the plane turns with the solid about its centre of mass: its speed is that at the foot
  row.turn[0] = (foot - motion.rigids[at(plane.rigid)].center).cross(row.normal);
  row.gap = height_at_foot(plane) - plane.thick;
  row.keep = kKeeps * s.contact_gap * plane.thick;
  row.foot_upper = row.foot_lower = foot + (plane.thick + row.gap) * row.normal;
  row.friction = std::min(arena.rigids[at(plane.rigid)].friction, arena.friction[at(corners[0])]);
  aim(row, s.h);
  weigh(arena, motion, row);
  return row;
}

/// Of a corner, which may not come to the plane.
Row corner_row(const Arena& arena, const Motion& motion, const SkinPlane& plane, std::size_t k,
               const RowSettings& s) {
  const int point = corners_of(arena, plane)[k];
  Row row = row_of(arena, plane, 1 + static_cast<int>(k));
  row.points = 1;
  row.point[0] = point;
  row.weight[0] = -1.0;
  const Vec3& place = motion.x[at(point)];
  row.turn[0] = (place - motion.rigids[at(plane.rigid)].center).cross(row.normal);
  row.gap = plane.height[k] - plane.lift;
  row.keep = s.contact_gap * plane.thick;
  row.foot_upper = row.foot_lower = place + row.gap * row.normal;
  aim(row, s.h);
  weigh(arena, motion, row);
  return row;
}

bool has_row(const std::vector<Row>& rows, const RowKey& key) {
  const auto found = std::lower_bound(rows.begin(), rows.end(), key,
                                      [](const Row& row, const RowKey& k) { return row.key < k; });
  return found != rows.end() && found->key == key;
}

}  // namespace

SkinPlane skin_plane(const Arena& arena, const Motion& motion, const FacetList& list,
                     const FacetPair& pair) {
  SkinPlane out;
  out.body = list.body;
  out.rigid = list.rigid;
  out.triangle = pair.triangle;
  out.piece = pair.piece;
  const auto& corners = corners_of(arena, out);
  const Rigid& rigid = arena.rigids[at(list.rigid)];
  const RigidMotion& solid = motion.rigids[at(list.rigid)];
  const Facet facet(motion, corners);
  const collide::Parting parting = facet.part_from(rigid, solid, pair.piece);
  out.normal = -parting.normal;
  out.thick = thickness_of(arena, corners);
  for (std::size_t k = 0; k < 3; ++k)
    out.height[k] = parting.normal.dot(facet.points()[k]) - parting.offset;
  out.weight =
      weights_at(nearest_point(facet, rigid, solid.world_from_body, pair.piece), facet.points());
  out.by_corners = held_by_corners(facet, out, rigid, solid.world_from_body);
  return out;
}

void SolidSkins::clear() {
  planes_.clear();
  seen_.clear();
}

/// The pair's piece lies behind a plane that the triangle has already, but for a little.
bool SolidSkins::is_covered(const Arena& arena, const Motion& motion, const Key& key) {
  const auto& [body, rigid, triangle, piece] = key;
  const Pose& pose = motion.rigids[at(rigid)].world_from_body;
  // those that were made for them before this one
  for (auto plane = planes_.rbegin(); plane != planes_.rend(); ++plane) {
    if (plane->body != body || plane->rigid != rigid || plane->triangle != triangle) return false;
    const std::size_t low = static_cast<std::size_t>(
        std::min_element(plane->height.begin(), plane->height.end()) - plane->height.begin());
    const Vec3& corner = motion.x[at(corners_of(arena, *plane)[low])];
    const Vec3 way = -plane->normal;
    const Vec3 top =
        pose * arena.rigids[at(rigid)].obstacle->support(pose.inverse().turn(way), piece);
    const double out = plane->height[low] - way.dot(corner - top);
    if (out > kLift * std::min(plane->thick, plane->height[low])) continue;
    plane->lift = std::max(plane->lift, out);
    return true;
  }
  return false;
}

/// Of one triangle and one solid.
void SolidSkins::look(const Arena& arena, const Motion& motion, const FacetList& list,
                      const std::vector<FacetPair>& pairs) {
  for (const FacetPair& pair : pairs) {
    const Key key{list.body, list.rigid, pair.triangle, pair.piece};
    if (!is_covered(arena, motion, key)) planes_.push_back(skin_plane(arena, motion, list, pair));
  }
}

void SolidSkins::look(const Arena& arena, const Motion& motion, const Near& near) {
  const StageScope timed("skin");
  const auto before = static_cast<std::ptrdiff_t>(seen_.size());
  std::vector<FacetPair> of_triangle;
  for (const FacetList* list : near.facets) {
    const auto finish = [&] {
      look(arena, motion, *list, of_triangle);
      of_triangle.clear();
    };
    for (const FacetPair& pair : list->pairs) {
      const Key key{list->body, list->rigid, pair.triangle, pair.piece};
      if (std::binary_search(seen_.begin(), seen_.begin() + before, key)) continue;
      if (!of_triangle.empty() && of_triangle[0].triangle != pair.triangle) finish();
      of_triangle.push_back(pair);
      seen_.push_back(key);
    }
    finish();
  }
  if (static_cast<std::ptrdiff_t>(seen_.size()) > before) std::sort(seen_.begin(), seen_.end());
}

std::vector<Row> SolidSkins::rows(const Arena& arena, const Motion& motion,
                                  const RowSettings& s) const {
  std::vector<Row> out;
  for (const SkinPlane& plane : planes_) {
    if (plane.by_corners) continue;
    const Row row = foot_row(arena, motion, plane, s);
    Vec3 foot = Vec3::Zero(), velocity = Vec3::Zero();
    for (std::size_t k = 0; k < 3; ++k) {
      foot += plane.weight[k] * motion.x[at(row.point[k])];
      velocity += plane.weight[k] * motion.v[at(row.point[k])];
    }
    const Vec3 relative = velocity - motion.rigids[at(plane.rigid)].velocity_at(foot);
    if (row.gap < s.h * relative.norm() + kRowWithin * row.keep) out.push_back(row);
  }
  return out;
}

void SolidSkins::add_missed(const Arena& arena, const Motion& motion, const RowSettings& s,
                            const std::vector<Row>& rows, std::vector<Row>& missed) const {
  const auto add = [&](const Row& row) {
    if (speed(row, motion) < row.least && !has_row(rows, row.key)) missed.push_back(row);
  };
  for (const SkinPlane& plane : planes_) {
    if (!plane.by_corners) add(foot_row(arena, motion, plane, s));
    for (std::size_t k = 0; k < 3; ++k) add(corner_row(arena, motion, plane, k, s));
  }
}

double facet_way(const Arena& arena, const Motion& motion, const FacetList& list, double h) {
  const Rigid& rigid = arena.rigids[at(list.rigid)];
  const RigidMotion& solid = motion.rigids[at(list.rigid)];
  const double turning = rigid.moves() ? solid.angular.norm() * 2.0 * rigid.reach : 0.0;
  double out = 0.0;
  for (const FacetPair& pair : list.pairs) {
    double way = 0.0;
    for (const int corner : arena.surface[at(list.body)][at(pair.triangle)])
      way = std::max(way, h * ((motion.v[at(corner)] - solid.velocity).norm() + turning));
    if (way > out && pair.gap < way) out = way;
  }
  return out;
}

}  // namespace repose::molecule
