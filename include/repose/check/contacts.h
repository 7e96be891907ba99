#pragma once

#include <span>
#include <vector>

#include "repose/check/gap.h"

namespace repose::check {

/// A point where two bodies may press on each other.
struct ContactPoint {
  int body_a = -1, body_b = -1;
  Vec3 point = Vec3::Zero();           // world
  Vec3 normal_a_to_b = Vec3::UnitZ();  // unit, world
  double gap = 0.0;                    // m
  double friction = 0.0;
  /// How each surface bends away from the common tangent plane, 1/m, world axes, zero along the
  /// normal: a ball of radius r has (1 - n n^T)/r, a plane 0, a corner very large numbers.
  Mat3 curvature_a = Mat3::Zero(), curvature_b = Mat3::Zero();
};

struct ContactSettings {
  /// Surfaces nearer than this touch. Fraction of the smaller body's size; (0, 1e-2].
  double touch = 1e-6;
  /// Contact points nearer than this to each other are one. Fraction of size; (0, 1e-1].
  double merge = 2e-2;
  /// Sample the whole of what touches, not only its nearest points: nearly flat areas carry load
  /// away from where they come closest.
  bool areas = false;
  /// Pair tests for one pair of bodies before the search ends. [1, 1e9]
  int budget = 100'000;
};

/// Points, and curves and areas sampled, where the two touch. Places where someone says that they
/// do
/// (`told`, world) are looked at as well, and count where it is so.
std::vector<ContactPoint> find_contacts(const PlacedBody& a, const PlacedBody& b,
                                        const ContactSettings& s = {},
                                        std::span<const Vec3> told = {});

}  // namespace repose::check
