#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/contacts.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "shape/trefoil.h"

namespace repose::check {
namespace {

double swept_height(const shape::ShapePtr& shape, const Pose& pose) {
  constexpr int kAround = 200, kAlong = 800;
  const auto& patch = *std::get<shape::Solid>(shape->geometry).parts[0].faces[0].patch;
  const shape::UvBox d = patch.domain();
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kAround; ++i)
    for (int j = 0; j <= kAlong; ++j)
      least = std::min(least, (pose * patch.point(d.u0 + (d.u1 - d.u0) * i / kAround,
                                                  d.v0 + (d.v1 - d.v0) * j / kAlong))
                                  .z());
  return least;
}

TEST(WidePatch, a_knot_over_the_ground_has_the_gap_that_a_dense_sweep_finds) {
  PlacedBody ground, body;
  ground.shape = shape::make_half_space().value();
  ground.fixed = true;
  body.shape = shape::make_tube(shape::trefoil()).value();
  Random random(11);
  for (int k = 0; k < 4; ++k) {
    body.world_from_body = {Vec3(0, 0, 5.0), random_rotation(random)};
    const GapBracket g = gap(ground, body);
    const double swept = swept_height(body.shape, body.world_from_body);
    EXPECT_LE(g.lower, swept) << k;
    EXPECT_GE(g.upper, swept - 1e-3) << k;
  }
}

TEST(WidePatch, a_knot_that_touches_the_ground_is_found_to_touch_it) {
  PlacedBody ground, body;
  ground.shape = shape::make_half_space().value();
  ground.fixed = true;
  body.shape = shape::make_tube(shape::trefoil()).value();
  Random random(12);
  for (int k = 0; k < 6; ++k) {
    body.world_from_body = {Vec3(0, 0, 5.0), random_rotation(random)};
    body.world_from_body.position.z() -= gap(ground, body).lower;
    EXPECT_FALSE(find_contacts(ground, body).empty()) << k;
  }
}

}  // namespace
}  // namespace repose::check
