#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "repose/check/input.h"

namespace repose::check {

/// What a lattice's skin is made of, wherever its points are.
struct SkinShape {
  std::vector<std::array<int, 3>> triangles;  // outward on cells
  std::vector<std::array<int, 2>> parts;      // of each connected part a triangle and a point
  std::vector<bool> in_closed;                // per triangle: its part bounds a volume
};

/// Axis-parallel box.
struct SkinBox {
  Vec3 low, high;
  bool meets(const SkinBox& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
  void hold(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
};

/// The skin of one body in a state, or on its way to the next: then boxes hold both ends.
struct SkinMesh {
  int body = -1;
  std::shared_ptr<const SkinShape> shape;
  std::vector<Vec3> points;  // world
  std::vector<Vec3> later;   // where they are at the way's end; empty in a state
  std::vector<SkinBox> boxes;
  SkinBox box;

  const std::vector<std::array<int, 3>>& triangles() const { return shape->triangles; }
  /// Triangles whose boxes meet a box, sorted as they are.
  std::vector<int> triangles_in(const SkinBox& where) const;
};

/// The bodies of a state that have skins. With `after`: the same bodies in the next state.
std::vector<SkinMesh> skins_of(const Input& input, const Input* after = nullptr);

/// Calls look(i, j) for the triangles of a and b whose boxes meet, until it answers false.
template <class Look>
void for_near_triangles(const SkinMesh& a, const SkinMesh& b, const Look& look) {
  const auto box = [](const SkinMesh& mesh, int t) -> const SkinBox& {
    return mesh.boxes[static_cast<std::size_t>(t)];
  };
  const std::vector<int> near_a = a.triangles_in(b.box);
  std::vector<int> near_b = b.triangles_in(a.box);
  std::sort(near_b.begin(), near_b.end(),
            [&](int s, int t) { return box(b, s).low.x() < box(b, t).low.x(); });
  for (const int i : near_a)
    for (const int j : near_b) {
      if (box(b, j).low.x() > box(a, i).high.x()) break;
      if (box(a, i).meets(box(b, j)) && !look(i, j)) return;
    }
}

}  // namespace repose::check
