#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "feature.h"
#include "swept.h"

namespace repose::place {

/// Second order of a piece of a curved feature: it lies in
///   middle + a g0 + b g1 + a^2 second[0] + a b second[1] + b^2 second[2],  |a|, |b| <= 1,
/// each second derivative (scaled by the piece's half lengths) anywhere within `rad` of it.
struct Curving {
  Vec3 middle = Vec3::Zero();
  std::array<Vec3, 3> second{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 3> rad{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  double most = 0.0;            // m; length of the second-order terms together
  Mat3 bending = Mat3::Zero();  // of the signed distance at the middle, 1/m; positive where convex
};

/// A box, a triangle or a piece of a curved feature that lies wholly in
///   center + [-1,1] g0 + [-1,1] g1 + [-rad, rad] (body axes) + a ball;
/// for curved pieces g0, g1 span the tangent plane and rad bounds Taylor's remainder, from interval
/// enclosures of the second derivatives. A triangle is center, center + g0, center + g1, exactly.
struct Cell {
  static constexpr int kUnknown = -1, kNone = -2;

  Vec3 center = Vec3::Zero();
  Vec3 g0 = Vec3::Zero(), g1 = Vec3::Zero();
  Vec3 rad = Vec3::Zero();
  Vec3 normal = Vec3::Zero();  // outward at the middle; zero for boxes and points
  Vec3 bulge_u = Vec3::Zero(), bulge_v = Vec3::Zero();  // shares of rad by parameter
  double long_u = 0.0, long_v = 0.0;                    // m, by parameter
  double ball = 0.0;
  double bulge = 0.0;   // off the tangent plane at most, m
  double chord = 0.0;   // the same by the second derivatives at the middle alone, m
  double radius = 0.0;  // of a ball about center that holds the cell
  double bent = 0.0;    // 1/m; size of the bending at the middle, where it has a second order
  int feature = -1;     // -1: a box of the hierarchy
  shape::UvBox box;
  bool triangle = false;
  bool boxed = false;            // held by a box, not by its tangent plane
  bool whole = false;            // cannot be halved
  int tight = kUnknown;          // index of its tighter bound; kNone: it has none
  int curving = -1;              // index of its second order; -1: it has none
  int jet = -1;                  // index of the patch's derivatives at its middle; -1: it has none
  int origin = -1;               // the cell that this is a copy of, in another hierarchy
  int kids = -1;                 // box: two cells from here on
  int kids_u = -1, kids_v = -1;  // halves along u, along v; made when first asked for
};

/// Farthest of the cell along n (body frame), from its centre. Always in line: a direction just
/// made stays in registers.
[[gnu::always_inline]] inline double reach_along(const Cell& c, const Vec3& n) {
  if (c.triangle) return std::max({0.0, n.dot(c.g0), n.dot(c.g1)});
  return std::fabs(n.dot(c.g0)) + std::fabs(n.dot(c.g1)) + n.cwiseAbs().dot(c.rad) + c.ball;
}

/// A shape prepared for placing: its features, and hierarchies of cells over them. Cells of curved
/// features are halved when a question needs it and kept for the next.
class Surface {
 public:
  explicit Surface(const shape::Shape& shape);

  const std::vector<Feature>& features() const { return features_; }
  const Feature& feature(int i) const { return features_[static_cast<std::size_t>(i)]; }
  const Curving* curving(const Cell& c) const {
    return c.curving < 0 ? nullptr : &curvings_[static_cast<std::size_t>(c.curving)];
  }
  /// At the middle of its box; nullptr where it is no piece of a patch.
  const shape::PatchJet* jet(const Cell& c) const {
    return c.jet < 0 ? nullptr : &jets_[static_cast<std::size_t>(c.jet)];
  }
  const Cell& cell(int i) const { return cells_[static_cast<std::size_t>(i)]; }
  /// The cell by the tightest bound that tighten() has found.
  const Cell& tight(int i) const {
    const Cell& c = cell(i);
    return c.tight < 0 ? c : tights_[static_cast<std::size_t>(c.tight)];
  }
  bool half_space() const { return half_space_; }
  /// The shape in one formula, where it is of that kind; nullptr otherwise.
  Swept* swept() { return swept_ ? &*swept_ : nullptr; }
  const Turned* turned() const { return turned_ ? &*turned_ : nullptr; }
  /// Over what takes feet; over what gives points; over sharp edges; over corners. -1: there is
  /// none.
  int faces() const { return faces_; }
  int points() const { return points_; }
  int edges() const { return edges_; }
  int corners() const { return corners_; }
  double bounding_radius() const { return radius_; }
  const Vec3& bounding_center() const { return center_; }
  std::size_t cell_count() const { return cells_.size(); }

  bool can_split(int i) const { return !cell(i).whole; }
  /// First of the two cells that together hold cell i. `n` (body frame) says along which direction
  /// the cell is too thick; cells longer than `aspect` times their width are halved along their
  /// length. Requires: can_split(i).
  int split(int i, const Vec3& n, double aspect);

  /// Seeks a tighter bound of a piece that is held by a box: its tangent parallelogram and what its
  /// halves leave beside that. What it finds depends on the piece alone, not on earlier questions.
  void tighten(int i) {
    if (cell(i).boxed && cell(i).tight == Cell::kUnknown) find_tight(i);
  }

 private:
  void find_tight(int i);
  std::optional<Cell> held_by_halves(int i);
  int add_tree(std::vector<int> items);
  int build(std::vector<int>& items);
  Cell patch_cell(int feature, const shape::UvBox& box);
  Cell curve_cell(int feature, const shape::UvBox& box) const;
  static bool too_narrow(const Feature& f, const shape::UvBox& box);

  std::vector<Feature> features_;
  std::vector<Cell> cells_;
  std::vector<Cell> tights_;
  std::vector<Curving> curvings_;
  std::vector<shape::PatchJet> jets_;
  int faces_ = -1, points_ = -1, edges_ = -1, corners_ = -1;
  bool half_space_ = false;
  std::optional<Swept> swept_;
  std::optional<Turned> turned_;
  double radius_ = 0.0;
  Vec3 center_ = Vec3::Zero();
};

}  // namespace repose::place
