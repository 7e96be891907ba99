#include "room.h"

#include <limits>

#include "sampling.h"

namespace repose::render {
namespace {

/// Brightness of the dome at the horizon and overhead, relative to its mean.
constexpr float kHorizon = 0.72F, kZenith = 1.28F;
/// Soft boxes that only polished surfaces see: cosines between which they fade, and brightness.
constexpr float kBoxOuter = 0.80F, kBoxInner = 0.88F, kBoxLight = 2.6F;
/// A mirror shows a lamp no brighter than this; keeps sparkle from spoiling whole pixels.
constexpr float kBrightestLamp = 14.0F;
/// Cards beside the picture: cosines to the line of sight between which they begin, and how dark.
constexpr float kCardsBegin = 0.90F, kCardsFull = 0.62F, kCardLight = 0.12F;
/// Share of the light it receives that the floor sends back to the bodies.
constexpr float kFloorReflects = 0.42F;

Vec3f lamp_axis(const Camera& camera, const Vec3f& up, double azimuth, double elevation) {
  Vec3f towards = (camera.eye - camera.target).cast<float>().normalized();
  towards -= up * up.dot(towards);
  Vec3f right = up.cross(towards);
  // from straight above, as on paper: the lamp stands beyond the picture's upper edge
  if (towards.squaredNorm() < std::numeric_limits<float>::epsilon()) {
    towards = camera.up.cast<float>();
    right = (camera.target - camera.eye).cast<float>().cross(towards);
  }
  towards.normalize();
  right.normalize();
  const auto a = static_cast<float>(azimuth), e = static_cast<float>(elevation);
  return std::cos(e) * (std::cos(a) * towards + std::sin(a) * right) + std::sin(e) * up;
}

Lamp lamp(const Vec3f& axis, double half_angle, const Color& light) {
  return {axis, static_cast<float>(std::cos(half_angle)), rgb(light)};
}

}  // namespace

Rgb Lamp::radiance() const {
  const float solid_angle = 2.0F * kPi * (1.0F - cos_half_angle);
  return (light * (kPi / solid_angle)).min(kBrightestLamp);
}

Room::Room(const Picture& picture, const StageFrame& frame) {
  const Studio& studio = picture.studio;
  up = Vec3f::UnitZ();
  if (picture.floor) {
    has_floor = true;
    floor_point = frame.point(picture.floor->point);
    floor_normal = up = picture.floor->normal.cast<float>().normalized();
  }
  key = lamp(lamp_axis(picture.camera, up, studio.key_azimuth, studio.key_elevation),
             studio.key_softness, studio.key);
  rim = lamp(lamp_axis(picture.camera, up, studio.rim_azimuth, studio.rim_elevation),
             studio.rim_softness, studio.rim);
  ahead = (picture.camera.target - picture.camera.eye).cast<float>().normalized();
  sky = rgb(studio.sky);
  center = rgb(studio.center);
  edge = rgb(studio.edge);
  exposure = studio.exposure;
}

Rgb Room::dome(const Vec3f& direction, bool mirrored) const {
  const float height = direction.dot(up);
  if (height < 0.0F) return floor_light();
  Rgb light = sky * (kHorizon + (kZenith - kHorizon) * height);
  if (!mirrored) return light;
  light += kBoxLight * smoothstep(kBoxOuter, kBoxInner, direction.dot(key.axis));
  if (direction.dot(key.axis) > key.cos_half_angle) light += key.radiance();
  if (direction.dot(rim.axis) > rim.cos_half_angle) light += rim.radiance();
  return light;
}

float Room::past_cards(const Vec3f& direction) const {
  const float beside = 1.0F - smoothstep(kCardsFull, kCardsBegin, direction.dot(ahead));
  return 1.0F - (1.0F - kCardLight) * beside;
}

Rgb Room::backdrop(float x, float y) const {
  // brightest a little below the middle, where the bodies stand
  const float dy = y + 0.15F;
  const float r2 = 0.5F * (x * x + dy * dy);
  return mix(center, edge, smoothstep(0.0F, 1.15F, r2));
}

std::optional<float> Room::floor_distance(const Vec3f& origin, const Vec3f& direction) const {
  const float down = direction.dot(floor_normal);
  const float height = (origin - floor_point).dot(floor_normal);
  if (!has_floor || down >= 0.0F || height <= 0.0F) return std::nullopt;
  return -height / down;
}

Rgb Room::floor_light() const {
  return kFloorReflects * (key.light * key.axis.dot(up) + rim.light * rim.axis.dot(up) + sky);
}

}  // namespace repose::render
