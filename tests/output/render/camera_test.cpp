#include <cmath>

#include <gtest/gtest.h>

#include "output/render/scenes.h"

namespace repose::render {
namespace {

struct Seen {
  double left = 1e9, right = -1e9, bottom = 1e9, top = -1e9;
};

// bounds of a ball's outline in the picture, in half widths and half heights
Seen outline(const Camera& camera, const Item& ball, double aspect) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized(), up = right.cross(forward);
  const double tall = std::tan(0.5 * camera.view_angle);
  Seen seen;
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j) {
      const double a = 2.0 * M_PI * i / 40, b = M_PI * j / 39;
      const Vec3 p =
          ball.world_from_item.position +
          ball.radius * Vec3(std::cos(a) * std::sin(b), std::sin(a) * std::sin(b), std::cos(b)) -
          camera.eye;
      const double x = right.dot(p) / (forward.dot(p) * tall * aspect);
      const double y = up.dot(p) / (forward.dot(p) * tall);
      seen.left = std::min(seen.left, x), seen.right = std::max(seen.right, x);
      seen.bottom = std::min(seen.bottom, y), seen.top = std::max(seen.top, y);
    }
  return seen;
}

TEST(Camera, every_body_stays_inside_the_margin_and_one_touches_it) {
  Picture picture;
  for (int i = 0; i < 7; ++i) {
    Item ball;
    ball.radius = 0.2 + 0.3 * (i % 3);
    ball.world_from_item.position = Vec3(2.0 * i, 1.0 - 0.7 * i, 0.4 * (i % 4));
    picture.items.push_back(ball);
  }
  for (const double azimuth : {-0.96, 0.0, 2.0, 4.0})
    for (const double elevation : {-0.2, 0.36, 1.2, 1.57}) {
      const Camera camera = framed_camera(picture, 1.6, {azimuth, elevation, Vec3::UnitZ(), 0.1});
      double reach = 0.0;
      for (const Item& ball : picture.items) {
        const Seen s = outline(camera, ball, 1.6);
        reach = std::max({reach, -s.left, s.right, -s.bottom, s.top});
      }
      EXPECT_LE(reach, 0.8 + 1e-6) << azimuth << " " << elevation;
      EXPECT_GT(reach, 0.78) << azimuth << " " << elevation;
    }
}

TEST(Camera, as_much_is_left_free_on_one_side_of_the_bodies_as_on_the_other) {
  for (const Vec3& step : {Vec3(1.0, 0.0, 0.0), Vec3(0.6, -0.3, 0.1), Vec3(0.0, 0.2, 1.0)}) {
    Picture picture;
    for (int i = 0; i < 6; ++i) {
      Item ball;
      ball.radius = 0.2 + 0.05 * i;
      ball.world_from_item.position = i * step;
      picture.items.push_back(ball);
    }
    const Camera camera = framed_camera(picture, 1.6, {});
    Seen all;
    for (const Item& ball : picture.items) {
      const Seen s = outline(camera, ball, 1.6);
      all.left = std::min(all.left, s.left), all.right = std::max(all.right, s.right);
      all.bottom = std::min(all.bottom, s.bottom), all.top = std::max(all.top, s.top);
    }
    // balls reach a little farther than the planes through their centres tell
    EXPECT_NEAR(all.left, -all.right, 0.03);
    EXPECT_NEAR(all.bottom, -all.top, 0.03);
  }
}

TEST(Camera, bodies_that_do_not_frame_are_left_out_of_the_view) {
  Picture picture = one_ball();
  const Camera near = framed_camera(picture, 1.0, {});
  Item far = picture.items[0];
  far.world_from_item.position = Vec3(100.0, 0.0, 0.0);
  far.frames = false;
  picture.items.push_back(far);
  EXPECT_EQ(framed_camera(picture, 1.0, {}).eye, near.eye);
}

}  // namespace
}  // namespace repose::render
