#pragma once

#include <array>
#include <vector>

#include "repose/math/pose.h"
#include "repose/shape/shape.h"

namespace repose::pile {

struct Convex;

/// The surface S(u,v) of a patch over a rectangle of its parameters, with what bounds it there: no
/// point of it is farther than `swell` from the hull of its four corners (linear interpolation in u
/// and v leaves at most du^2 |Suu| / 8 + dv^2 |Svv| / 8).
struct PatchCell {
  shape::PatchPtr patch;
  shape::UvBox box;
  double most_uu = 0.0, most_vv = 0.0;  // m; bounds of |Suu| and |Svv| over the cell
  Vec3 flat = Vec3::Zero();  // unit normal of the plane it lies in; zero: it lies in none
  /// Sides (u0, u1, v0, v1) at which the surface ends in an edge or a tip; beyond the others it
  /// goes on smoothly, in another cell.
  std::array<bool, 4> sharp{};
  std::array<Vec3, 4> corner{};  // S at (u0, v0), (u1, v0), (u0, v1), (u1, v1)

  /// True if (u, v) lies on a side beyond which the surface goes on.
  bool passes(const Vec2& uv) const;
  /// True if (u, v) lies on a side at which the surface ends.
  bool ends(const Vec2& uv) const;

  double swell_u() const;
  double swell_v() const;
  double swell() const { return swell_u() + swell_v(); }  // m
  /// A convex set that holds the cell: its corners grown by the swell, within its plane where it
  /// has one.
  Convex hull() const;
  /// Both halves across the parameter that swells more.
  std::array<PatchCell, 2> halves() const;
};

/// A point of a cell near another point.
struct CellFoot {
  Vec2 uv = Vec2::Zero();
  Vec3 point = Vec3::Zero();    // of the surface, body frame, m
  Vec3 normal = Vec3::UnitZ();  // unit, of the surface there, on the side of the point asked for
};

/// The foot of p (body frame) on the cell, found by Newton's method from `start`.
CellFoot foot_on_cell(const PatchCell& cell, const Vec3& p, const Vec2& start);

/// Radii of curvature of the surface at the cell's point nearest to p, as those of a convex set on
/// whose far side p lies: below zero where the surface lies around p. In flat directions
/// `flat_radius`. Zero where the normal to p is not that of the surface: at a sharp rim.
Mat3 cell_bend(const PatchCell& cell, const Vec3& p, const Vec3& normal, double flat_radius);

/// True if a foot or a nearest place is none of the surface, but of the cell alone: it lies at a
/// side beyond which the surface goes on, and the way from it, `normal` (unit), is not along the
/// surface's own.
bool passes_on(const PatchCell& cell, const Vec2& uv, const Vec3& normal);

/// The least of `along` . S over the cell and where it is, by Newton's method.
CellFoot lowest_on_cell(const PatchCell& cell, const Vec3& along);

/// Every patch of a solid as cells, none wider than `width` (m) nor with more swell than `swell`
/// (m), as far as the number of cells allows; empty where nothing bounds them.
std::vector<PatchCell> cells_of(const shape::Solid& solid, double width, double swell);

/// A cell as a piece.
Convex cell_piece(const PatchCell& cell);

}  // namespace repose::pile
