#pragma once

#include <limits>
#include <vector>

#include "arena.h"

namespace repose::surfel {

/// A box along the axes (section 5 of Keiser 2004).
struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());

  void take(const Vec3& p, double about) {
    low = low.cwiseMin(p - Vec3::Constant(about));
    high = high.cwiseMax(p + Vec3::Constant(about));
  }
  bool empty() const { return !(low.array() <= high.array()).all(); }
  bool holds(const Vec3& p, double about = 0.0) const {
    return (p.array() + about >= low.array()).all() && (p.array() - about <= high.array()).all();
  }
  /// Wider on all sides.
  Box grown(double by) const { return {low - Vec3::Constant(by), high + Vec3::Constant(by)}; }
};
Box intersection(const Box& p, const Box& q);

/// Its balls meet those of others.
bool meets(const Arena& arena, std::size_t body);
/// m; how far the balls of each body reach from its phyxels at rest.
std::vector<double> reaches_of(const Arena& arena);
/// Pa, Young's modulus; and m, how far apart phyxels are.
double modulus_of(const Matter& matter);
double pitch_of(const Matter& matter);

/// m; how much nearer than when phyxels were at `from` bodies may have come to each other: as the
/// phyxels went that lie in the boxes that both share.
double come_nearer(const Arena& arena, const std::vector<Vec3>& from, const Motion& motion);
/// m; how much nearer than then phyxels of one body may have come to each other.
double come_nearer_within(const Arena& arena, const std::vector<Vec3>& from, const Motion& motion);
/// m; how far phyxels went at most.
double gone_farthest(const std::vector<Vec3>& from, const Motion& motion);
/// m/s; how fast solids go at most.
double fastest_solid(const Arena& arena, const Motion& motion);

}  // namespace repose::surfel
