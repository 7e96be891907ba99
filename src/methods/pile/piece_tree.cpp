#include "piece_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace repose::pile {
namespace {

/// Bodies of fewer pieces are looked at piece by piece.
constexpr std::size_t kFewPieces = 8;

Convex ball_about(const Convex& a, const Convex& b) {
  const Vec3 apart = b.bound_center - a.bound_center;
  const double distance = apart.norm();
  Convex out;
  out.radius = 0.5 * (distance + a.bound_radius + b.bound_radius);
  Vec3 center = a.bound_center;
  if (out.radius <= std::max(a.bound_radius, b.bound_radius)) {
    const Convex& larger = a.bound_radius >= b.bound_radius ? a : b;
    out.radius = larger.bound_radius;
    center = larger.bound_center;
  } else {
    center += (out.radius - a.bound_radius) / distance * apart;
  }
  out.points = {center};
  out.bound_center = center;
  out.bound_radius = out.radius;
  return out;
}

/// Halves the pieces at the middle of their longest extent; answers the ball about all.
int grow(std::vector<Convex>& pieces, std::vector<int> of, PieceTree& tree) {
  if (of.size() == 1) return of[0];
  Vec3 low = pieces[static_cast<std::size_t>(of[0])].bound_center, high = low;
  for (const int i : of) {
    low = low.cwiseMin(pieces[static_cast<std::size_t>(i)].bound_center);
    high = high.cwiseMax(pieces[static_cast<std::size_t>(i)].bound_center);
  }
  int axis = 0;
  (high - low).maxCoeff(&axis);
  std::sort(of.begin(), of.end(), [&](int a, int b) {
    const double at_a = pieces[static_cast<std::size_t>(a)].bound_center[axis];
    const double at_b = pieces[static_cast<std::size_t>(b)].bound_center[axis];
    return at_a != at_b ? at_a < at_b : a < b;
  });
  const auto half = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  const int first = grow(pieces, {of.begin(), half}, tree);
  const int second = grow(pieces, {half, of.end()}, tree);
  pieces.push_back(ball_about(pieces[static_cast<std::size_t>(first)],
                              pieces[static_cast<std::size_t>(second)]));
  tree.children.push_back({first, second});
  return static_cast<int>(pieces.size()) - 1;
}

}  // namespace

PieceTree grow_tree(std::vector<Convex>& pieces) {
  PieceTree out;
  if (pieces.size() < kFewPieces) return out;
  out.children.assign(pieces.size(), {-1, -1});
  std::vector<int> all(pieces.size());
  std::iota(all.begin(), all.end(), 0);
  out.root = grow(pieces, all, out);
  return out;
}

}  // namespace repose::pile
