#include "repose/shape/form.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "shape/define/patches.h"

namespace repose::shape {
namespace {

constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();

/// Six whole charts of one formula, one for each face of the cube.
template <class Numbers>
std::optional<ChartNumbers> six_charts(const Part& part, Numbers numbers) {
  if (part.faces.size() != 6) return std::nullopt;
  std::optional<ChartNumbers> first;
  std::array<bool, 6> seen{};
  for (const Face& face : part.faces) {
    const std::optional<ChartNumbers> n = numbers(*face.patch);
    if (!n || n->domain.u0 != -1.0 || n->domain.u1 != 1.0 || n->domain.v0 != -1.0 ||
        n->domain.v1 != 1.0)
      return std::nullopt;
    if (!first) first = n;
    if (n->semi_axes != first->semi_axes || n->p != first->p || n->q != first->q)
      return std::nullopt;
    seen[static_cast<std::size_t>(2 * n->fixed + (n->sign > 0.0))] = true;
  }
  for (const bool s : seen)
    if (!s) return std::nullopt;
  return first;
}

/// The map keeps the z axis (perhaps turned over) to rounding, and moves along it alone.
bool about_axis(const MapNumbers& map, double size, double& error) {
  const Mat3 gram = map.linear.transpose() * map.linear;
  const double skew = (gram - Mat3::Identity()).norm() + map.linear.col(2).head<2>().norm() +
                      map.linear.row(2).head<2>().norm();
  if (skew > kRounding || map.shift.head<2>().norm() > 0.0) return false;
  error = std::max(error, skew * size);
  return true;
}

Form frustum(const Part& part) {
  const auto side = cone_numbers(*part.faces[0].patch);
  if (!side || part.faces.size() < 2) return {};
  const double size = std::max({side->r0, side->r1, std::fabs(side->z0), std::fabs(side->z1)});
  Form out{*side, 0.0};
  bool capped0 = side->r0 == 0.0, capped1 = side->r1 == 0.0;
  for (std::size_t i = 1; i < part.faces.size(); ++i) {
    const MapNumbers map = map_numbers(*part.faces[i].patch);
    const auto radius = disc_radius(*map.inner);
    if (!radius || !about_axis(map, size, out.error)) return {};
    const double z = map.shift.z();
    if (!capped0 && *radius == side->r0 && z == side->z0)
      capped0 = true;
    else if (!capped1 && *radius == side->r1 && z == side->z1)
      capped1 = true;
    else
      return {};
  }
  return capped0 && capped1 ? out : Form{};
}

/// A cylinder's side with two hemispheres of five charts each.
Form capsule(const Part& part) {
  constexpr int kCapCharts = 5;
  const auto side = cone_numbers(*part.faces[0].patch);
  if (!side || side->r0 != side->r1 || part.faces.size() != 1 + 2 * kCapCharts) return {};
  const double size = std::max({side->r0, std::fabs(side->z0), std::fabs(side->z1)});
  Form out{CapsuleForm{side->r0, side->z0, side->z1}, 0.0};
  int low = 0, high = 0;
  for (std::size_t i = 1; i < part.faces.size(); ++i) {
    const MapNumbers map = map_numbers(*part.faces[i].patch);
    const auto chart = ellipsoid_numbers(*map.inner);
    if (!chart || chart->semi_axes != Vec3::Constant(side->r0)) return {};
    if (!about_axis(map, size, out.error)) return {};
    low += map.shift.z() == side->z0;
    high += map.shift.z() == side->z1;
  }
  return low == kCapCharts && high == kCapCharts ? out : Form{};
}

/// Closed, or with hemispheres at both ends.
Form tube(const Part& part) {
  constexpr std::size_t kWithRoundEnds = 11;
  const auto numbers = tube_numbers(*part.faces[0].patch);
  if (!numbers) return {};
  if (part.faces.size() != (numbers->spine->closed() ? 1 : kWithRoundEnds)) return {};
  for (std::size_t i = 1; i < part.faces.size(); ++i)
    if (!ellipsoid_numbers(*map_numbers(*part.faces[i].patch).inner)) return {};
  return {*numbers, kRounding * numbers->radius};
}

}  // namespace

namespace {

Form form_of_part(const Part& part) {
  if (part.faces.empty()) return {};
  if (const auto n = six_charts(part, ellipsoid_numbers)) return {EllipsoidForm{n->semi_axes}, 0.0};
  if (const auto n = six_charts(part, superellipsoid_numbers))
    return {SuperellipsoidForm{n->semi_axes, n->p, n->q}, 0.0};
  if (part.faces.size() == 1)
    if (const auto n = torus_numbers(*part.faces[0].patch)) return {*n, 0.0};
  if (Form f = capsule(part); f.is.index() != 0) return f;
  if (Form f = frustum(part); f.is.index() != 0) return f;
  return tube(part);
}

/// Sides and ends that were not sewn, for a rim so narrow beside the length counts as a point.
Form form_of_narrow(const Solid& solid) {
  constexpr std::size_t kMostFaces = 11;  // of a capsule
  Part all;
  for (const Part& part : solid.parts) {
    if (all.faces.size() + part.faces.size() > kMostFaces) return {};
    all.faces.insert(all.faces.end(), part.faces.begin(), part.faces.end());
  }
  return form_of_part(all);
}

}  // namespace

Form form_of(const Shape& shape) {
  const auto* solid = std::get_if<Solid>(&shape.geometry);
  if (!solid || solid->parts.empty()) return {};
  return solid->parts.size() == 1 ? form_of_part(solid->parts[0]) : form_of_narrow(*solid);
}

namespace {

/// All patches of the part went through one map, a rotation and a shift.
bool placed_as_one(const Part& part, const MapNumbers& map, double off) {
  constexpr double kRotation = 8.0;  // roundings: a map that is farther off is no rotation
  return off <= kRotation * kRounding &&
         std::all_of(part.faces.begin(), part.faces.end(), [&](const Face& face) {
           const MapNumbers own = map_numbers(*face.patch);
           return own.linear == map.linear && own.shift == map.shift;
         });
}

/// Six parallelograms that are the sides of one box along the axes, without rounding.
bool is_box(const Part& part) {
  constexpr std::size_t kSides = 6;
  if (part.faces.size() != kSides) return false;
  std::array<std::set<double>, 3> levels;
  std::set<std::pair<int, double>> sides;
  for (const Face& face : part.faces) {
    if (!parallelogram(*face.patch)) return false;
    const UvBox d = face.patch->domain();
    std::array<std::set<double>, 3> own;
    std::set<std::array<double, 3>> corners;
    for (const double u : {d.u0, d.u1})
      for (const double v : {d.v0, d.v1}) {
        const Vec3 p = face.patch->point(u, v);
        corners.insert({p.x(), p.y(), p.z()});
        for (int axis = 0; axis < 3; ++axis) {
          const auto k = static_cast<std::size_t>(axis);
          own[k].insert(p[axis]);
          levels[k].insert(p[axis]);
        }
      }
    // a rectangle: one level along an axis, and each pair of the two along the others
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      if (own[k].size() == 1) sides.insert({axis, *own[k].begin()});
    }
    if (corners.size() != 4 || own[0].size() * own[1].size() * own[2].size() != 4) return false;
  }
  return sides.size() == kSides &&
         std::all_of(levels.begin(), levels.end(), [](const auto& l) { return l.size() == 2; });
}

/// The part before the map that all its patches share; as it stands where they share none.
PlacedPart unplaced(const Part& part, const Shape& whole) {
  const MapNumbers map = map_numbers(*part.faces.front().patch);
  const Quat turn = Quat(map.linear).normalized();
  const double off = (map.linear - turn.toRotationMatrix()).norm();
  PlacedPart out;
  Part inner = part;
  const bool placed = placed_as_one(part, map, off);
  if (placed) {
    out.pose = {map.shift, turn};
    for (Face& face : inner.faces)
      face.patch = PatchPtr(face.patch, map_numbers(*face.patch).inner);
    // they lie where they were put; no formula asks for them
    inner.edges.clear();
    inner.vertices.clear();
  }
  auto shape = std::make_shared<Shape>();
  shape->kind = is_box(inner) ? ShapeKind::box : whole.kind;
  shape->geometry = Solid{{std::move(inner)}};
  shape->bounding_center = out.pose.inverse() * whole.bounding_center;
  shape->bounding_radius = whole.bounding_radius;
  if (placed)
    out.error = (off + kRounding) * (shape->bounding_center.norm() + shape->bounding_radius);
  out.shape = std::move(shape);
  return out;
}

}  // namespace

std::vector<PlacedPart> parts_of_union(const Shape& shape) {
  const auto* solid = std::get_if<Solid>(&shape.geometry);
  std::vector<PlacedPart> out;
  if (!solid || solid->parts.size() < 2) return out;
  for (const Part& part : solid->parts) {
    if (part.faces.empty()) return {};
    out.push_back(unplaced(part, shape));
  }
  return out;
}

}  // namespace repose::shape
