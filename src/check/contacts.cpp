#include "repose/check/contacts.h"

#include <algorithm>

#include "rounding.h"

namespace repose::check {

namespace {

Mat3 ball_curvature(const Item& item, const Vec3& n) {
  const auto* ball = std::get_if<shape::Ball>(&item.shape->geometry);
  if (!ball) return Mat3::Zero();
  return (Mat3::Identity() - n * n.transpose()) / ball->radius;
}

}  // namespace

std::vector<ContactPoint> find_contacts(const Item& a, const Item& b, const ContactSettings& s) {
  const double size = pair_size(a, b);
  const GapBracket g = gap(a, b, {.width = s.touch, .budget = s.budget});
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
