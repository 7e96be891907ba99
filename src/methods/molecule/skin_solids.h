#pragma once

#include "rows.h"

namespace repose::molecule {

/// The plane between a triangle of a skin and a piece of a solid, fixed at a step's start; it goes
/// with the solid. Other pieces behind it need none of their own.
struct SkinPlane {
  int body = 0, triangle = 0, rigid = 0, piece = 0;
  Vec3 normal = Vec3::UnitZ();     // unit, from the triangle to the solid, world
  std::array<double, 3> height{};  // m; of the plane before the triangle's corners
  std::array<double, 3> weight{};  // of the corners, at the triangle's point nearest to the piece
  double thick = 0.0;              // m; of the triangle
  double lift = 0.0;  // m; how far other pieces of the solid that it parts from the triangle stand
                      // out of it
  bool by_corners = false;  // the rows of its molecules keep it away: its nearest point is a
                            // corner, or the corners at it stand before the same plane
};

/// What keeps solids out of skins. A triangle and a solid stay apart while the triangle's corners
/// stay before the plane between them: they go straight, so that they do so throughout a step if
/// they do at its end. One row, at the triangle's point nearest to the solid, holds the solid as
/// far away as the triangle is thick, so that contact is smooth; where a corner comes to the plane
/// all the same, it gets a row of its own.
class SolidSkins {
 public:
  void clear();
  /// Planes for the pairs that may meet in this step and have none yet.
  void look(const Arena& arena, const Motion& motion, const Near& near);
  /// Rows of the nearest points, of what may meet with the velocities of `motion`.
  std::vector<Row> rows(const Arena& arena, const Motion& motion, const RowSettings& s) const;
  /// Rows that `rows` does not hold but that would be broken with the velocities of `motion`.
  void add_missed(const Arena& arena, const Motion& motion, const RowSettings& s,
                  const std::vector<Row>& rows, std::vector<Row>& missed) const;
  const std::vector<SkinPlane>& planes() const { return planes_; }

 private:
  using Key = std::array<int, 4>;  // body, rigid, triangle, piece

  void look(const Arena& arena, const Motion& motion, const FacetList& list,
            const std::vector<FacetPair>& pairs);
  bool is_covered(const Arena& arena, const Motion& motion, const Key& key);

  std::vector<SkinPlane> planes_;
  std::vector<Key> seen_;  // pairs that a plane parts, sorted
};

SkinPlane skin_plane(const Arena& arena, const Motion& motion, const FacetList& list,
                     const FacetPair& pair);

/// m; how far a triangle and a solid of the list go against each other in a step, the farthest of
/// those that it could bring together.
double facet_way(const Arena& arena, const Motion& motion, const FacetList& list, double h);

}  // namespace repose::molecule
