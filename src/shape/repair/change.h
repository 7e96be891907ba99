#pragma once

#include "repose/shape/repair.h"

namespace repose::shape {

/// Writes down what a step of mending does.
class ChangeNote {
 public:
  explicit ChangeNote(const char* what) { change_.what = what; }

  /// The triangle came, went or was turned.
  void add(const TriangleMesh& mesh, const std::array<int, 3>& corners);
  /// A point went from one place to another.
  void move(const Vec3& from, const Vec3& to);
  void count(std::size_t more = 1) { change_.count += more; }

  bool any() const { return change_.count > 0; }
  const MeshChange& change() const { return change_; }

 private:
  void reach(const Vec3& p);

  MeshChange change_;
  bool empty_ = true;  // the region
};

}  // namespace repose::shape
