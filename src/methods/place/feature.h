#pragma once

#include <array>
#include <optional>
#include <vector>

#include "repose/shape/curves.h"
#include "repose/shape/shape.h"

namespace repose::place {

/// What a body's surface is made of: smooth patches and plane triangles with the sharp edges and
/// corners between them; a ball is a point with a radius.
enum class FeatureKind { point, curve, patch, triangle, half_space };

struct Feature {
  FeatureKind kind = FeatureKind::point;
  Vec3 point = Vec3::Zero();  // point: where; body frame
  double radius = 0.0;        // point: of the ball about it, m
  shape::CurvePtr curve;
  std::vector<Vec3> normals_left, normals_right;  // curve: of its two faces, at even parameters
  shape::Face face;
  bool planar = false;  // patch: lies in one plane
  /// Sides of the patch (in the order of shape::Side) beyond which the surface goes on smoothly.
  std::array<bool, 4> smooth_side{};
  std::array<Vec3, 3> corners{};  // triangle
  /// Triangle: beyond side k, from corner k on, the third corner of the next triangle where that
  /// bends up. Down to its plane there, too, everything is within the body.
  std::array<std::optional<Vec3>, 3> rising{};
  Vec3 normal = Vec3::UnitZ();  // triangle, half_space: outward
  shape::UvBox domain;          // curve: (u0, u1) is its parameter range
  bool wrap_u = false, wrap_v = false;

  /// How many parameters a point of it has.
  int freedoms() const {
    if (kind == FeatureKind::curve) return 1;
    return kind == FeatureKind::patch ? 2 : 0;
  }
  /// Points of it are searched against the other body's faces.
  bool gives_points() const {
    return kind == FeatureKind::point || kind == FeatureKind::curve ||
           (kind == FeatureKind::patch && !planar);
  }
  /// Other points have their foot on it.
  bool takes_feet() const {
    return kind != FeatureKind::curve && (kind != FeatureKind::point || radius > 0.0);
  }
};

/// A feature's point with derivatives by its parameters, body frame.
struct PointJet {
  Vec3 s = Vec3::Zero();
  std::array<Vec3, 2> si{};   // first derivatives
  std::array<Vec3, 3> sij{};  // uu, uv, vv
};
PointJet point_jet(const Feature& feature, const Vec2& uv);
PointJet point_jet(const shape::PatchJet& jet);

/// Outward normal of a smooth feature at (u, v), body frame.
Vec3 normal_at(const Feature& feature, const Vec2& uv);

/// Parameters brought into the domain: round where the patch closes on itself, else clamped.
Vec2 into_domain(const Feature& feature, const Vec2& uv);

/// All features of a shape; empty for kinds that this method does not place.
std::vector<Feature> features_of(const shape::Shape& shape);

}  // namespace repose::place
