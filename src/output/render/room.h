#pragma once

#include <optional>

#include "repose/render/picture.h"

#include "stage.h"
#include "vec3f.h"

namespace repose::render {

/// A lamp at infinity: a round cap of directions, equally bright all over.
struct Lamp {
  Vec3f axis;            // unit, towards the lamp
  float cos_half_angle;  // of the cap
  Rgb light;             // diffuse light on a white surface that faces it
  /// What a mirror sees of it: `light` gathered into the cap.
  Rgb radiance() const;
};

/// The studio in stage coordinates.
struct Room {
  Lamp key, rim;
  Rgb sky;           // mean light of the dome
  Rgb center, edge;  // backdrop
  bool has_floor = false;
  Vec3f floor_point, floor_normal;
  Vec3f up;     // away from the floor
  Vec3f ahead;  // from the eye
  float exposure;

  Room(const Picture& picture, const StageFrame& frame);

  /// What the dome sends along a ray coming from `direction`; `mirrored` adds the lamps and soft
  /// boxes, which diffuse surfaces get by sampling instead.
  Rgb dome(const Vec3f& direction, bool mirrored) const;
  /// Share of the backdrop's light that clear bodies let through from `direction`: dark cards stand
  /// at the sides, out of the picture, so that rims of glass are dark before a pale backdrop.
  float past_cards(const Vec3f& direction) const;
  /// Backdrop at a place of the picture, x and y in [-1, 1].
  Rgb backdrop(float x, float y) const;
  /// Distance along the ray to the floor, or nothing.
  std::optional<float> floor_distance(const Vec3f& origin, const Vec3f& direction) const;
  /// How an unshadowed floor looks to the bodies above it.
  Rgb floor_light() const;
};

}  // namespace repose::render
