#pragma once

#include <vector>

#include "repose/shape/shape.h"

namespace repose::poses {

/// The sphere of directions cut up by a convex polyhedron: a cell for each vertex (directions along
/// which that vertex is the farthest), an arc for each edge, a corner for each face. On it lives
/// h(u), the largest u.p over the vertices p, seen from the centre of mass at the origin.
///
/// Steepest descent of h follows, in the cell of p, great circles away from p's direction (the body
/// turns on that vertex); an arc either lets it through or, where the centre's foot lies on the
/// edge, catches it (the body turns on the edge) and leads to a corner; there the descent ends if
/// the centre's foot lies in the face, and else goes on from the point of the face nearest to it.
class NormalFan {
 public:
  /// Requires: the origin of `points - center` lies inside.
  NormalFan(const shape::ConvexPolyhedron& hull, const Vec3& center);

  struct Face {
    Vec3 normal;  // unit, outward
    double height;
    std::vector<int> corners;
    std::vector<int> across;  // the face beyond corners k, k+1
  };
  /// One side of a cell: the arc between the normals of two faces, beyond which `vertex` is
  /// farther.
  struct Arc {
    int vertex;    // whose cell is beyond
    int from, to;  // faces; counter-clockwise about the cell
    Vec3 way;      // from this vertex to that one: the cell lies in way.u <= 0
    double foot;   // where along `way` the centre's foot lies, in [0, 1] on the edge
    bool through;  // the descent passes on into the cell beyond
  };
  struct Cell {
    Vec3 point;
    std::vector<Arc> arcs;
  };

  const std::vector<Face>& faces() const { return faces_; }
  const std::vector<Cell>& cells() const { return cells_; }
  bool inside() const { return inside_; }  // the centre lies inside the hull

  /// The centre's foot lies in the face.
  bool stable(int face) const { return stable_[static_cast<std::size_t>(face)]; }
  /// Inward distance of the centre's foot from the face's side k, m.
  double inward(int face, std::size_t k) const;

  /// The stable face where the descent from a corner of the sphere ends.
  int end_of_face(int face) const;
  /// Where the descent from direction u of a cell ends.
  int end(int cell, const Vec3& u) const;

  /// The descent from u leaves the cell here.
  struct Exit {
    std::size_t arc;
    Vec3 at;  // unit
  };
  Exit leave(int cell, const Vec3& u) const;
  /// The corner to which a descent caught at `at` on an arc slides.
  int slide(int cell, std::size_t arc, const Vec3& at) const;

  /// An edge on which the centre balances: between two ends a lowest pass.
  struct Saddle {
    double height;
    int end_a, end_b;  // stable faces
  };
  std::vector<Saddle> saddles() const;

 private:
  void find_faces(const shape::ConvexPolyhedron& hull, const Vec3& center);
  void find_cells();
  /// One move from an unstable corner: to another corner, or into a cell.
  int step_from(int face, int& cell) const;

  std::vector<Vec3> points_;
  std::vector<Face> faces_;
  std::vector<Cell> cells_;
  std::vector<bool> stable_;
  mutable std::vector<int> end_;  // of faces; -1: not yet known
  bool inside_ = true;
};

}  // namespace repose::poses
