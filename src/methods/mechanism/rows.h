#pragma once

#include "bodies.h"
#include "narrow.h"

namespace repose::mechanism {

/// A constraint where it stands: what it wants to be 0 (or not below), the rate of that, and the
/// row of the contact equations. `row.b` holds the rate of the Jacobian times the velocity alone;
/// forces are added by those who know them.
struct Row {
  ForceRow row;
  double value = 0.0;  // m or rad
  double rate = 0.0;   // per second
};

/// A contact's geometry at a moment; the normal leads to the point's body.
struct ContactFrame {
  double gap = 0.0;                // m
  Vec2 normal = Vec2::UnitY();     // unit, world
  Vec2 point = Vec2::Zero();       // on the point's body, world
  Vec2 point_rate = Vec2::Zero();  // of the touching point, not of the material there
  double spin = 0.0;               // of the normal, rad/s
  Vec2 slide_rate = Vec2::Zero();  // velocity of the point's body over the other there
};
ContactFrame frame_of(const Feature& feature, const Motion& motion);

/// The row of a contact along a direction that turns with the normal.
Row contact_row(const Feature& feature, const ContactFrame& frame, const Vec2& direction,
                const Motion& motion);

/// The point `arm` off the centre of body i; the world's own where i is -1.
struct Anchor {
  int body = -1;
  Vec2 arm = Vec2::Zero();  // body axes; a world point where there is no body
};
struct PlacedAnchor {
  Vec2 at = Vec2::Zero(), arm = Vec2::Zero(), rate = Vec2::Zero();
  Plane3 body_rate = Plane3::Zero();
  Vec2 center = Vec2::Zero();
};
PlacedAnchor placed(const Anchor& anchor, const Motion& motion);
/// The anchor at a point of a body's frame, or of the world's where there is no body.
Anchor anchor_at(int body, const Vec3& point, const std::vector<PlaneBody>& bodies);

/// a - b along a direction fixed in the world.
Row difference_row(const Anchor& a, const Anchor& b, const Vec2& direction, const Motion& motion);
/// b - a along a direction that turns with body a (`direction_a` in its axes).
Row offset_row(const Anchor& a, const Anchor& b, const Vec2& direction_a, const Motion& motion);
/// The distance of the two points less `length`.
Row distance_row(const Anchor& a, const Anchor& b, double length, const Motion& motion);
/// factor_a turn_a + factor_b turn_b - offset.
Row turn_row(int a, double factor_a, int b, double factor_b, double offset, const Motion& motion);

/// The same constraint looked at from the other side.
void flip(Row& row);

}  // namespace repose::mechanism
