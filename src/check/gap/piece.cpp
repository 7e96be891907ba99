#include "check/gap/piece.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

#include "check/exact/rounding.h"
#include "check/statics/wrenches.h"

namespace repose::check {

namespace {

using shape::PatchEnclosure;
using shape::UvBox;

Vec3 mid(const IVec3& b) {
  return {b[0].mid(), b[1].mid(), b[2].mid()};
}
/// Largest distance of a point of the box from its middle, generously.
double spread(const IVec3& b) {
  const Vec3 w(b[0].width(), b[1].width(), b[2].width());
  return w.norm() * (1.0 + kSumError) + kSumError * mid(b).norm();
}
Interval dot(const Vec3& d, const IVec3& b) {
  return Interval(d.x()) * b[0] + Interval(d.y()) * b[1] + Interval(d.z()) * b[2];
}

/// The second-order remainder of Taylor's formula along d, over half widths du, dv.
struct Remainder {
  Interval uu, uv, vv;
  Interval sum() const { return uu + uv + vv; }
};
Remainder remainder(const PatchEnclosure& e, const Vec3& d, double du, double dv) {
  const Interval half(0.5);
  return {half * dot(d, e.suu) * Interval(0.0, du * du),
          dot(d, e.suv) * Interval(-du * dv, du * dv),
          half * dot(d, e.svv) * Interval(0.0, dv * dv)};
}

/// Halve the longest direction among those that make the piece thick; keep pieces from becoming
/// slivers.
bool choose_split_u(const Piece& p, double thick_u, double thick_v) {
  constexpr double kContributes = 1e-3, kLongest = 16.0;
  const double long_u = p.half_u.norm(), long_v = p.half_v.norm();
  if (long_u > kLongest * long_v) return true;
  if (long_v > kLongest * long_u) return false;
  const double most = std::max(thick_u, thick_v);
  if (thick_u < kContributes * most) return false;
  if (thick_v < kContributes * most) return true;
  return long_u >= long_v;
}

Piece box_piece(const PatchEnclosure& e) {
  Piece p;
  p.kind = PieceKind::patch;
  p.center = mid(e.s);
  const double margin = 2.0 * kSumError * (p.center.norm() + spread(e.s));
  p.half_u = Vec3(0.5 * e.s[0].width() + margin, 0, 0);
  p.half_v = Vec3(0, 0.5 * e.s[1].width() + margin, 0);
  p.thickness = 0.5 * e.s[2].width() + margin;
  p.size = Vec3(p.half_u.x(), p.half_v.y(), p.thickness).norm();
  return p;
}

/// Two unit vectors square to n and to each other, the first as near to `along` as can be.
std::pair<Vec3, Vec3> across(const Vec3& n, const Vec3& along) {
  constexpr double kAlong = 0.5;  // sine; below it the product is not square to n to rounding
  Vec3 t1, t2 = n.cross(along);
  const double length = t2.norm();
  if (length <= kAlong * along.norm()) {
    tangents(n, t1, t2);
    return {t1, t2};
  }
  t2 /= length;
  return {t2.cross(n), t2};
}

Piece lens_piece(const PatchEnclosure& all, const PatchEnclosure& here, double du, double dv) {
  Piece p;
  p.kind = PieceKind::patch;
  const Vec3 su = mid(here.su), sv = mid(here.sv);
  p.half_u = su * du;
  p.half_v = sv * dv;
  const Vec3 product = p.half_u.cross(p.half_v);
  const double area = product.norm();
  p.normal = area > 0.0 ? Vec3(product / area) : Vec3(Vec3::UnitZ());
  const auto [t1, t2] = across(p.normal, p.half_u);
  const Remainder rn = remainder(all, p.normal, du, dv);
  const Interval n = rn.sum();
  const Interval a = remainder(all, t1, du, dv).sum(), b = remainder(all, t2, du, dv).sum();
  p.center = mid(here.s) + p.normal * n.mid() + t1 * a.mid() + t2 * b.mid();
  p.thickness = n.width() * 0.5 * (1.0 + kSumError);
  const double reach = p.center.norm() + p.half_u.norm() + p.half_v.norm() + n.mag();
  p.sway_u = t1 * (0.5 * a.width() * (1.0 + kSumError));
  p.sway_v = t2 * (0.5 * b.width() * (1.0 + kSumError));
  p.slack = spread(here.s) + spread(here.su) * du + spread(here.sv) * dv +
            2.0 * kSumError * (reach + a.mag() + b.mag());
  p.size =
      p.half_u.norm() + p.half_v.norm() + p.thickness + p.slack + p.sway_u.norm() + p.sway_v.norm();
  p.split_u = choose_split_u(p, rn.uu.mag() + 0.5 * rn.uv.mag(), rn.vv.mag() + 0.5 * rn.uv.mag());
  return p;
}

}  // namespace

Piece patch_piece(const shape::Patch& patch, const UvBox& uv) {
  const Vec2 m = uv.center();
  const double du = std::max(uv.u1 - m.x(), m.x() - uv.u0) * (1.0 + kSumError);
  const double dv = std::max(uv.v1 - m.y(), m.y() - uv.v0) * (1.0 + kSumError);
  // a lens thicker than this fraction of the box about the piece is worse than the box
  constexpr double kLensBelow = 0.5;
  const PatchEnclosure all = patch.enclose(uv);
  const PatchEnclosure here = patch.enclose({m.x(), m.x(), m.y(), m.y()});
  Piece p = lens_piece(all, here, du, dv);
  const Piece box = box_piece(all);
  if (!std::isfinite(box.size)) {
    // nothing is known of so wide a piece: it may be anywhere
    p = Piece{};
    p.kind = PieceKind::patch;
    p.slack = p.size = std::numeric_limits<double>::infinity();
    p.split_u = uv.u1 - uv.u0 >= uv.v1 - uv.v0;
  } else if (!(p.thickness + p.slack + p.sway_u.norm() + p.sway_v.norm() <=
               kLensBelow * box.size)) {
    const bool split = p.half_u.norm() >= p.half_v.norm();
    p = box;
    p.split_u = split;
  }
  p.on_surface = mid(here.s);
  p.on_error = spread(here.s);
  p.uv = uv;
  p.flat = patch.planar();
  return p;
}

Piece triangle_piece(const Vec3& a, const Vec3& b, const Vec3& c) {
  Piece p;
  p.kind = PieceKind::triangle;
  p.flat = true;
  p.corner[0] = a;
  p.corner[1] = b;
  p.corner[2] = c;
  p.center = (a + b + c) / 3.0;
  const Vec3 product = (b - a).cross(c - a);
  const double area = product.norm();
  p.normal = area > 0.0 ? Vec3(product / area) : Vec3(Vec3::UnitZ());
  p.size = std::max({(a - p.center).norm(), (b - p.center).norm(), (c - p.center).norm()});
  p.on_surface = p.center;
  return p;
}

Piece point_piece(const Vec3& p) {
  Piece out;
  out.kind = PieceKind::point;
  out.center = out.on_surface = p;
  return out;
}

}  // namespace repose::check
