#pragma once

#include <algorithm>
#include <memory>

#include "repose/scene/scene.h"
#include "repose/shape/mesh_gap.h"

#include "hollow.h"

namespace repose {

/// Where one instance stands, and its radius where that is drawn (balls only).
struct InstancePlace {
  Pose world_from_instance;
  double radius = 0.0;  // m; 0: the pattern's own
};

/// A ball that new bodies must keep clear of.
struct TakenBall {
  Vec3 center;
  double radius;
};

/// A fixed body that new bodies must keep clear of.
struct FixedObstacle {
  Pose body_from_world;
  std::shared_ptr<const shape::MeshGap> surface;

  /// m; proven: the ball is at least this far off.
  double gap(const TakenBall& ball) const {
    return surface->at_least(body_from_world * ball.center) - ball.radius;
  }
};

/// What room a pattern needs.
struct PatternRoom {
  TakenBall bounding;   // in the instance's frame
  double volume = 0.0;  // m^3
};

/// The patterns of a set of instances and what stands around them.
struct Site {
  std::vector<PatternRoom> patterns;  // at least one
  std::vector<std::size_t> turns;     // see pattern_turns
  std::vector<TakenBall> taken;       // movable bodies before it
  std::vector<FixedObstacle> fixed;
  std::optional<Hollow> hollow;  // of the arrangement's container
  std::int64_t seed = 1;         // of the scene

  /// Of the instance of this number, counted from 0.
  const PatternRoom& room(std::size_t number) const {
    return patterns[turns[number % turns.size()]];
  }
  double largest() const {
    double out = 0.0;
    for (const PatternRoom& pattern : patterns) out = std::max(out, pattern.bounding.radius);
    return out;
  }
};

/// The places of a set of instances, in order. The error says how many bodies found room; its
/// pointer is below the arrangement.
Result<std::vector<InstancePlace>> instance_places(const Arrangement& arrange, const Site& site);

/// Places of a scatter or a pour.
Result<std::vector<InstancePlace>> scatter_places(const ScatterArrangement& scatter,
                                                  const Site& site);
Result<std::vector<InstancePlace>> pour_places(const PourArrangement& pour, const Site& site);

}  // namespace repose
