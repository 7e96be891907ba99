#pragma once

#include "repose/scene/scene.h"

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

/// The places of a set of instances, in order. `bounding` is the bounding ball of the pattern in
/// the instance's frame; `taken` are the bodies before it, used by scatters alone. The error says
/// how many bodies found room.
Result<std::vector<InstancePlace>> instance_places(const Arrangement& arrange,
                                                   const TakenBall& bounding,
                                                   const std::vector<TakenBall>& taken);

}  // namespace repose
