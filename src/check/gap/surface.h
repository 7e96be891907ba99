#pragma once

#include <memory>
#include <vector>

#include "repose/shape/curve.h"
#include "repose/shape/shape.h"

#include "check/gap/piece.h"

namespace repose::check {

/// The boundary of a body as a binary tree of pieces in the body frame. Curved faces are split as
/// far as queries ask, and stay split. Not shared between threads.
class Surface {
 public:
  explicit Surface(const shape::Shape& shape);
  /// Faces as triangles, exact.
  explicit Surface(const shape::ConvexPolyhedron& body);
  /// A space curve; it bounds nothing.
  explicit Surface(const shape::CurvePtr& curve);
  /// A single point.
  explicit Surface(const Vec3& point);

  int root() const { return 0; }
  const Piece& piece(int i) const { return pieces_[static_cast<std::size_t>(i)]; }
  std::size_t count() const { return pieces_.size(); }
  std::size_t count_at_first() const { return first_count_; }
  /// The first of the two children of a piece that is no leaf.
  int children(int i);
  const shape::Face& face(int i) const { return faces_[static_cast<std::size_t>(i)].face; }
  int part_of_face(int i) const { return faces_[static_cast<std::size_t>(i)].part; }
  int faces() const { return static_cast<int>(faces_.size()); }
  int parts() const { return parts_; }
  /// One point of every connected component of the surface, body frame.
  const std::vector<Vec3>& part_points() const { return part_points_; }
  /// Outward unit normal of the piece at its middle.
  Vec3 outward(int i) const;
  /// No piece reaches farther from the origin, m.
  double reach() const { return reach_; }
  /// The surface bounds a volume.
  bool closed() const { return closed_; }
  /// The sides of all patches as curves, where faces meet but for `seam_gap` (m); nullptr where
  /// there are none.
  Surface* borders();
  double seam_gap() const { return seam_gap_; }

 private:
  struct PartFace {
    shape::Face face;
    int part;
  };
  Surface() = default;
  void add_solid(const shape::Solid& solid, std::vector<Piece>& leaves);
  void plant(std::vector<Piece>& leaves);
  void build(std::vector<Piece>& leaves, std::size_t first, std::size_t count, std::size_t self);

  std::vector<Piece> pieces_;
  std::vector<PartFace> faces_;
  std::vector<Vec3> part_points_;
  std::size_t first_count_ = 1;
  int parts_ = 1;
  double reach_ = 0.0, seam_gap_ = 0.0;
  bool closed_ = true;
  std::shared_ptr<Surface> borders_;
};

}  // namespace repose::check
