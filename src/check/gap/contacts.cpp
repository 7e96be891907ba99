#include "repose/check/contacts.h"

#include <algorithm>

#include "repose/check/soft.h"

#include "check/exact/rounding.h"
#include "check/gap/plane_gap.h"
#include "check/gap/surface_contacts.h"

namespace repose::check {

namespace {

Mat3 ball_curvature(const PlacedBody& item, const Vec3& n) {
  const auto* ball = std::get_if<shape::Ball>(&item.shape->geometry);
  if (!ball) return Mat3::Zero();
  return (Mat3::Identity() - n * n.transpose()) / ball->radius;
}

bool closed_form(const PlacedBody& item) {
  return std::holds_alternative<shape::Ball>(item.shape->geometry) ||
         std::holds_alternative<shape::HalfSpace>(item.shape->geometry);
}

}  // namespace

std::vector<ContactPoint> find_contacts(const PlacedBody& a, const PlacedBody& b,
                                        const ContactSettings& s, std::span<const Vec3> told) {
  if (never_meet(a, b) || is_soft(a) || is_soft(b)) return {};
  const double size = pair_size(a, b);
  const bool plane_a = std::holds_alternative<shape::PlaneRegion>(a.shape->geometry);
  const bool plane_b = std::holds_alternative<shape::PlaneRegion>(b.shape->geometry);
  if (plane_a && plane_b) return plane_contacts(a, b, s.touch * size);
  if (plane_a || plane_b) return {};
  if (!closed_form(a) || !closed_form(b)) return surface_contacts(a, b, s, told);
  const GapBracket g = gap(a, b);
  if (g.status == GapStatus::unjudged || g.upper > s.touch * size) return {};
  ContactPoint c;
  c.point = 0.5 * (g.point_a + g.point_b);
  c.normal_a_to_b = g.normal_a_to_b;
  c.gap = g.upper;
  c.friction = std::min(a.friction, b.friction);
  c.curvature_a = ball_curvature(a, c.normal_a_to_b);
  c.curvature_b = ball_curvature(b, c.normal_a_to_b);
  return {c};
}

}  // namespace repose::check
