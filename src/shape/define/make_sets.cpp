#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/work.h"
#include "repose/shape/cover.h"
#include "repose/shape/make.h"
#include "repose/shape/patches.h"

#include "shape/define/build_solid.h"
#include "shape/mass/moments.h"
#include "shape/mass/plane_moments.h"
#include "shape/sew/side_curve.h"
#include "shape/tessellate/polygon_triangles.h"

namespace repose::shape {
namespace {

/// Pairs of edges that are looked at for about one unit of work.
constexpr std::size_t kEdgesPerUnit = 32;

bool segments_meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const auto cross = [](const Vec2& p, const Vec2& q, const Vec2& r) {
    return (q - p).x() * (r - p).y() - (q - p).y() * (r - p).x();
  };
  return cross(a, b, c) * cross(a, b, d) < 0.0 && cross(c, d, a) * cross(c, d, b) < 0.0;
}

Fault check_loop(const std::string& pointer, const std::vector<Vec2>& loop) {
  constexpr std::size_t kMaxCorners = 100000;
  if (auto bad = check_count(pointer, loop.size(), 3, kMaxCorners)) return bad;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const std::string here = fmt::format("{}/{}", pointer, i);
    if (auto bad = check_point(here, loop[i])) return bad;
    if (loop[i] == loop[(i + 1) % loop.size()])
      return fault(here, "", "two neighbouring points are the same",
                   "each corner once; the loop closes by itself");
  }
  if (twice_area(loop) == 0.0)
    return fault(pointer, "", "the loop encloses no area", "corners around some area");
  for (std::size_t i = 0; i < loop.size(); ++i) {
    spend_work(1 + loop.size() / kEdgesPerUnit);
    for (std::size_t j = i + 1; j < loop.size(); ++j)
      if (segments_meet(loop[i], loop[(i + 1) % loop.size()], loop[j], loop[(j + 1) % loop.size()]))
        return fault(pointer, fmt::format("edges {} and {}", i, j), "the loop crosses itself",
                     "a simple loop");
  }
  return {};
}

bool encloses(const std::vector<Vec2>& loop, const Vec2& p) {
  bool inside = false;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], &b = loop[(i + 1) % loop.size()];
    if ((a.y() > p.y()) == (b.y() > p.y())) continue;
    if (p.x() < a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) inside = !inside;
  }
  return inside;
}

/// A hole lies within its outline: it neither crosses it nor lies outside.
Fault check_hole(const std::string& pointer, const std::vector<Vec2>& outer,
                 const std::vector<Vec2>& hole) {
  const std::size_t n = outer.size(), m = hole.size();
  for (std::size_t i = 0; i < n; ++i) {
    spend_work(1 + m / kEdgesPerUnit);
    for (std::size_t j = 0; j < m; ++j)
      if (segments_meet(outer[i], outer[(i + 1) % n], hole[j], hole[(j + 1) % m]))
        return fault(pointer, fmt::format("edges {} and {}", i, j), "the hole crosses the outline",
                     "a hole within its outline");
  }
  if (std::none_of(hole.begin(), hole.end(), [&](const Vec2& p) { return encloses(outer, p); }))
    return fault(pointer, "", "the hole lies outside the outline", "a hole within its outline");
  return {};
}

/// Two holes of one outline lie beside each other: what lay in both would be taken out twice.
Fault check_holes_apart(const std::string& pointer, const std::vector<Vec2>& before,
                        const std::vector<Vec2>& hole) {
  const std::size_t n = before.size(), m = hole.size();
  bool meet = encloses(before, hole[0]) || encloses(hole, before[0]);
  for (std::size_t i = 0; i < n && !meet; ++i) {
    spend_work(1 + m / kEdgesPerUnit);
    for (std::size_t j = 0; j < m && !meet; ++j)
      meet = segments_meet(before[i], before[(i + 1) % n], hole[j], hole[(j + 1) % m]);
  }
  if (!meet) return {};
  return fault(pointer, "", "the hole meets another one",
               "holes beside each other, or one of both");
}

void turn_to(std::vector<Vec2>* loop, double sign) {
  if (twice_area(*loop) * sign < 0.0) std::reverse(loop->begin(), loop->end());
}

Fault check_links(const SphereSet& in) {
  for (std::size_t i = 0; i < in.links.size(); ++i)
    for (int k = 0; k < 2; ++k) {
      const std::string here = fmt::format("/links/{}/{}", i, k);
      if (auto bad = check_index(here, in.links[i][k], in.centers.size())) return bad;
      if (in.links[i][0] == in.links[i][1])
        return fault(here, std::to_string(in.links[i][0]), "a link joins a ball to itself",
                     "two different balls");
    }
  std::vector<std::array<int, 3>> sorted;  // the lesser ball, the greater, the link
  for (std::size_t i = 0; i < in.links.size(); ++i) {
    const auto [low, high] = std::minmax(in.links[i][0], in.links[i][1]);
    sorted.push_back({low, high, static_cast<int>(i)});
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t k = 1; k < sorted.size(); ++k)
    if (sorted[k][0] == sorted[k - 1][0] && sorted[k][1] == sorted[k - 1][1])
      return fault(fmt::format("/links/{}", sorted[k][2]),
                   fmt::format("{}, {}", sorted[k][0], sorted[k][1]), "the same link twice",
                   "each pair of balls once");
  return {};
}

/// No force tells two balls in one place which way to part.
Fault check_places(const std::vector<Vec3>& centers) {
  std::vector<int> order(centers.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto at = [&centers](int i) -> const Vec3& { return centers[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    for (int k = 0; k < 3; ++k)
      if (at(a)[k] != at(b)[k]) return at(a)[k] < at(b)[k];
    return a < b;
  });
  for (std::size_t k = 1; k < order.size(); ++k)
    if (at(order[k]) == at(order[k - 1]))
      return fault(fmt::format("/centers/{}", order[k]), point_text(at(order[k])),
                   fmt::format("ball {} is in the same place", order[k - 1]),
                   "a place of its own for every ball");
  return {};
}

}  // namespace

Result<ShapePtr> make_union(const UnionInput& in) {
  constexpr std::size_t kMaxParts = 1000;
  if (auto bad = check_count("/parts", in.parts.size(), 1, kMaxParts)) return *bad;
  Solid solid;
  std::vector<VolumeProperties> properties;
  double reach = 0.0;
  for (std::size_t i = 0; i < in.parts.size(); ++i) {
    const std::string here = fmt::format("/parts/{}", i);
    if (auto bad = check_point(here + "/position", in.parts[i].pose.position)) return *bad;
    const ShapePtr& shape = in.parts[i].shape;
    const auto patches = shape ? patches_of(shape) : nullptr;
    if (!patches)
      return fault(here, shape ? name_of(shape->kind) : "", "this kind has no patches to unite",
                   "a ball, box, cylinder, ... or any kind made of patches");
    for (Part part : patches->parts) {
      for (Face& face : part.faces) face.patch = placed(face.patch, in.parts[i].pose);
      for (Edge& edge : part.edges) {
        // sewing lays every edge along a side of its left face
        const auto* side = dynamic_cast<const SideCurve*>(edge.curve.get());
        REPOSE_CHECK(side != nullptr);
        edge.curve = side->on(part.faces[edge.left_face].patch);
      }
      for (Vertex& vertex : part.vertices) vertex.point = in.parts[i].pose * vertex.point;
      solid.parts.push_back(std::move(part));
    }
    reach = std::max(reach, (in.parts[i].pose * shape->bounding_center -
                             in.parts[0].pose * in.parts[0].shape->bounding_center)
                                    .norm() +
                                shape->bounding_radius);
    properties.push_back(moved(shape->volume, in.parts[i].pose));
  }
  const BoundingBall ball = ball_about(solid, 2.0 * reach);
  if (auto bad = check_length("/parts", ball.radius)) return *bad;
  const VolumeProperties volume =
      in.parts.size() == 1 ? properties[0] : solid_properties(solid, ball);
  return finished(ShapeKind::union_of_solids, std::move(solid), ball, volume);
}

Result<ShapePtr> make_plane_region(const PlaneRegion& in) {
  constexpr std::size_t kMaxPieces = 10000;
  const WorkStage stage("looking at its loops");
  PlaneRegion region = in;
  if (auto bad = check_length("/thickness", in.thickness)) return *bad;
  if (auto bad = check_count("/polygons", in.polygons.size() + in.discs.size(), 1, kMaxPieces))
    return *bad;
  std::vector<Vec3> points;
  double widest = 0.0;
  for (std::size_t i = 0; i < region.polygons.size(); ++i) {
    Polygon& polygon = region.polygons[i];
    const std::string here = fmt::format("/polygons/{}", i);
    if (auto bad = check_loop(here + "/outer", polygon.outer)) return *bad;
    turn_to(&polygon.outer, 1.0);
    for (std::size_t k = 0; k < polygon.holes.size(); ++k) {
      const std::string hole = fmt::format("{}/holes/{}", here, k);
      if (auto bad = check_loop(hole, polygon.holes[k])) return *bad;
      if (auto bad = check_hole(hole, polygon.outer, polygon.holes[k])) return *bad;
      for (std::size_t l = 0; l < k; ++l)
        if (auto bad = check_holes_apart(hole, polygon.holes[l], polygon.holes[k])) return *bad;
      turn_to(&polygon.holes[k], -1.0);
    }
    for (const Vec2& p : polygon.outer)
      for (const double z : {-0.5, 0.5}) points.emplace_back(p.x(), p.y(), z * in.thickness);
  }
  for (std::size_t i = 0; i < region.discs.size(); ++i) {
    const Disc& disc = region.discs[i];
    if (auto bad = check_point(fmt::format("/discs/{}/center", i), disc.center)) return *bad;
    if (auto bad = check_length(fmt::format("/discs/{}/radius", i), disc.radius)) return *bad;
    // the corners of a regular polygon about the disc hold it
    constexpr int kSides = 64;
    const double around = disc.radius / std::cos(std::numbers::pi / kSides);
    for (int k = 0; k < kSides; ++k) {
      const double a = 2.0 * std::numbers::pi * k / kSides;
      for (const double z : {-0.5, 0.5})
        points.emplace_back(disc.center.x() + around * std::cos(a),
                            disc.center.y() + around * std::sin(a), z * in.thickness);
    }
    widest = std::max(widest, disc.radius);
  }
  BoundingBall ball = min_ball(points);
  if (region.polygons.empty() && region.discs.size() == 1) {
    ball.center << region.discs[0].center, 0.0;
    ball.radius = std::hypot(widest, 0.5 * in.thickness);
  }
  if (auto bad = check_length("/polygons", ball.radius)) return *bad;
  const VolumeProperties volume = slab_properties(region);
  return finished(ShapeKind::plane_region, std::move(region), ball, volume);
}

Result<ShapePtr> make_sphere_set(const SphereSet& in) {
  constexpr std::size_t kMaxBalls = 10000000;
  if (auto bad = check_count("/centers", in.centers.size(), 1, kMaxBalls)) return *bad;
  if (auto bad = check_count("/radii", in.radii.size(), in.centers.size(), in.centers.size()))
    return *bad;
  if (auto bad = check_links(in)) return *bad;
  std::vector<VolumeProperties> parts;
  double widest = 0.0;
  for (std::size_t i = 0; i < in.centers.size(); ++i) {
    if (auto bad = check_point(fmt::format("/centers/{}", i), in.centers[i])) return *bad;
    if (auto bad = check_length(fmt::format("/radii/{}", i), in.radii[i])) return *bad;
    const double r = in.radii[i];
    parts.push_back(symmetric_properties(4.0 / 3.0 * std::numbers::pi * r * r * r,
                                         4.0 * std::numbers::pi * r * r, in.centers[i],
                                         Vec3::Constant(r * r / 5.0)));
    widest = std::max(widest, r);
  }
  if (auto bad = check_places(in.centers)) return *bad;
  BoundingBall ball = min_ball(in.centers);
  ball.radius += widest;
  return finished(ShapeKind::sphere_set, in, ball, sum_of(parts));
}

Result<ShapePtr> make_point_set(const PointSet& in) {
  constexpr std::size_t kMaxPoints = 10000000;
  const std::size_t surfels = in.surfels.size(), phyxels = in.phyxels.size();
  if (auto bad = check_count("/surfels", surfels, 1, kMaxPoints)) return *bad;
  if (auto bad = check_count("/normals", in.normals.size(), surfels, surfels)) return *bad;
  if (auto bad = check_count("/surfel_radii", in.surfel_radii.size(), surfels, surfels))
    return *bad;
  if (auto bad = check_count("/phyxels", phyxels, 1, kMaxPoints)) return *bad;
  if (auto bad = check_count("/phyxel_volumes", in.phyxel_volumes.size(), phyxels, phyxels))
    return *bad;
  PointSet set = in;
  for (std::size_t i = 0; i < surfels; ++i) {
    if (auto bad = check_point(fmt::format("/surfels/{}", i), in.surfels[i])) return *bad;
    if (auto bad = check_length(fmt::format("/surfel_radii/{}", i), in.surfel_radii[i]))
      return *bad;
    const double length = in.normals[i].norm();
    if (!(length > 0.0 && std::isfinite(length)))
      return fault(fmt::format("/normals/{}", i), point_text(in.normals[i]),
                   "the normal has no direction", "a vector of any positive length");
    set.normals[i] /= length;
  }
  if (auto bad = check_places(cover_of(set).centers)) {
    bad->pointer.replace(0, std::string("/centers").size(), "/surfels");
    bad->wrong += " beneath the surface";
    return *bad;
  }
  std::vector<VolumeProperties> parts;
  for (std::size_t i = 0; i < phyxels; ++i) {
    if (auto bad = check_point(fmt::format("/phyxels/{}", i), in.phyxels[i])) return *bad;
    if (!(in.phyxel_volumes[i] > 0.0 && std::isfinite(in.phyxel_volumes[i])))
      return fault(fmt::format("/phyxel_volumes/{}", i), number_text(in.phyxel_volumes[i]),
                   "the volume is not positive", "cubic metres above 0");
    parts.push_back(symmetric_properties(in.phyxel_volumes[i], 0.0, in.phyxels[i], Vec3::Zero()));
  }
  std::vector<Vec3> points = in.surfels;
  points.insert(points.end(), in.phyxels.begin(), in.phyxels.end());
  BoundingBall ball = min_ball(points);
  ball.radius += *std::max_element(in.surfel_radii.begin(), in.surfel_radii.end());
  return finished(ShapeKind::point_set, std::move(set), ball, sum_of(parts));
}

}  // namespace repose::shape
