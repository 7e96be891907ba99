#pragma once

#include <optional>

#include "repose/shape/patch.h"

namespace repose::shape {

/// The curve in the half plane (r, z) that makes a patch when it is turned all the way about the
/// body's z axis.
struct Meridian {
  const Patch* curve = nullptr;  // (r, z) are x and z of S(0, v); nullptr where it is straight
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();  // ends of a straight one, m
};

/// The meridian of a patch that is turned about z as a whole; none for any other, nor where the
/// patch was moved off the axis. The patch outlives the meridian.
std::optional<Meridian> meridian_of(const Patch& patch);

}  // namespace repose::shape
