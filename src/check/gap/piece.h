#pragma once

#include <Eigen/Geometry>

#include "repose/shape/patch.h"

namespace repose::check {

enum class PieceKind : unsigned char { box, patch, triangle, point };

/// A bounded piece of a surface: all of it lies in
/// center + [-1,1] half_u + [-1,1] half_v + [-thickness,thickness] normal + ball(slack)
/// + [-1,1] sway_u + [-1,1] sway_v.
/// A small patch is a parallelogram with a lens along its normal; an inner node of the tree is a
/// box; a triangle is bounded by its three corners instead, exactly.
struct Piece {
  Vec3 center = Vec3::Zero(), half_u = Vec3::Zero(), half_v = Vec3::Zero();
  Vec3 normal = Vec3::UnitZ();  // unit; of a patch or triangle square to it, sign as Su x Sv
  Vec3 sway_u = Vec3::Zero(), sway_v = Vec3::Zero();  // square to the normal
  double thickness = 0.0, slack = 0.0;
  Vec3 corner[3];                  // triangle
  Vec3 on_surface = Vec3::Zero();  // a point within on_error of the surface (patch)
  double on_error = 0.0;
  double size = 0.0;  // half diameter at most
  shape::UvBox uv;    // patch
  int face = -1;      // patch: index into Surface's faces; triangle: its number
  int child = -1;     // first of two; -1: none made yet
  PieceKind kind = PieceKind::box;
  bool split_u = true;  // patch: which parameter to halve
  bool flat = false;    // lies in one plane, square to the normal

  bool line() const { return kind == PieceKind::patch && half_v.isZero(0.0); }
  /// A patch so gently curved that its extent along a direction is worth finding exactly.
  bool gentle() const {
    constexpr double kGentle = 0.25;
    return kind == PieceKind::patch && thickness <= kGentle * size;
  }
  bool leaf() const { return kind == PieceKind::triangle || kind == PieceKind::point; }
};

/// The piece of `patch` over `uv`, rounding included.
Piece patch_piece(const shape::Patch& patch, const shape::UvBox& uv);
Piece triangle_piece(const Vec3& a, const Vec3& b, const Vec3& c);
/// A point that stands for a ball's centre or a query point.
Piece point_piece(const Vec3& p);

/// Where a piece lies along a direction.
struct Span {
  double low, high;
};
inline Span span(const Piece& p, const Vec3& d) {
  if (p.kind == PieceKind::triangle) {
    const double a = d.dot(p.corner[0]), b = d.dot(p.corner[1]), c = d.dot(p.corner[2]);
    return {std::min(a, std::min(b, c)), std::max(a, std::max(b, c))};
  }
  const double at = d.dot(p.center);
  const double half = std::fabs(d.dot(p.half_u)) + std::fabs(d.dot(p.half_v)) +
                      std::fabs(d.dot(p.normal)) * p.thickness + std::fabs(d.dot(p.sway_u)) +
                      std::fabs(d.dot(p.sway_v)) + p.slack;
  return {at - half, at + half};
}

}  // namespace repose::check
