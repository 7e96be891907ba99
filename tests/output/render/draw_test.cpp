#include "repose/render/draw.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/work.h"

#include "output/render/scenes.h"

namespace repose::render {
namespace {

TEST(Draw, pixels_do_not_depend_on_the_thread_count) {
  RenderSettings settings = small(96, 60, 8);
  settings.threads = 1;
  const Image one = draw(still_life(), settings);
  for (const int threads : {2, 4}) {
    settings.threads = threads;
    EXPECT_EQ(draw(still_life(), settings), one) << threads << " threads";
  }
}

TEST(Draw, more_samples_change_the_picture_little) {
  const Image few = draw(still_life(), small(96, 60, 16));
  const Image many = draw(still_life(), small(96, 60, 128));
  double sum = 0.0;
  for (std::size_t i = 0; i < few.rgb.size(); ++i) sum += std::abs(few.rgb[i] - many.rgb[i]);
  EXPECT_LT(sum / static_cast<double>(few.rgb.size()), 2.5);
}

TEST(Draw, a_quick_picture_is_near_the_fine_one_and_does_not_depend_on_threads) {
  RenderSettings settings = small(320, 200, 1);
  settings.quick = true;
  settings.threads = 1;
  const Image quick = draw(still_life(), settings);
  settings.threads = 3;
  EXPECT_EQ(draw(still_life(), settings), quick);
  const Image fine = draw(still_life(), small(320, 200, 32));
  double sum = 0.0;
  for (std::size_t i = 0; i < fine.rgb.size(); ++i) sum += std::abs(fine.rgb[i] - quick.rgb[i]);
  EXPECT_LT(sum / static_cast<double>(fine.rgb.size()), 4.0);
}

/// Pixels that are darker than all their neighbours by so much, of 255.
int lone_dark_pixels(const Image& image, int by) {
  int out = 0;
  for (int y = 1; y + 1 < image.height; ++y)
    for (int x = 1; x + 1 < image.width; ++x) {
      int least = 255;
      for (int b = -1; b <= 1; ++b)
        for (int a = -1; a <= 1; ++a)
          if (a != 0 || b != 0) least = std::min(least, brightness(image, x + a, y + b));
      if (brightness(image, x, y) < least - by) ++out;
    }
  return out;
}

TEST(Draw, a_quick_picture_shows_none_of_the_few_paths_it_is_made_of) {
  Picture picture;
  // near the floor, so that much of it lies in half shadow
  for (const double x : {-1.2, 0.0, 1.2}) {
    Item ball;
    ball.radius = 0.5;
    ball.world_from_item.position = Vec3(x, 0.0, 0.5);
    ball.look.roughness = 0.3F;
    picture.items.push_back(ball);
  }
  picture.floor = Floor{};
  RenderSettings settings = small(800, 500, 1);
  settings.quick = true;
  // from all around, low and high, near and far
  for (int k = 0; k < 24; k += 5) {
    const double azimuth = 0.9 + 0.61 * k, elevation = 0.15 + 0.05 * (k % 8);
    const double away = 3.5 + 0.4 * (k % 5);
    picture.camera.target = Vec3(0.1 * (k % 3), 0.0, 0.4);
    picture.camera.eye = picture.camera.target +
                         away * Vec3(std::cos(elevation) * std::cos(azimuth),
                                     std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
    EXPECT_LT(lone_dark_pixels(draw(picture, settings), 4), 10) << "camera " << k;
  }
}

TEST(Draw, a_quick_picture_shows_no_horizon) {
  Picture picture = one_ball();
  picture.items[0].world_from_item.position.z() = 1.0;
  picture.floor = Floor{};
  picture.camera.eye = Vec3(0.0, -6.0, 1.5);
  picture.camera.target = Vec3(0.0, 0.0, 1.0);
  RenderSettings settings = small(320, 200, 1);
  settings.quick = true;
  const Image image = draw(picture, settings);
  for (int y = 1; y + 1 < image.height; ++y) {
    const int around = std::min(brightness(image, 4, y - 1), brightness(image, 4, y + 1));
    EXPECT_GT(brightness(image, 4, y), around - 20) << "row " << y;
  }
}

TEST(Draw, an_interrupted_picture_is_left) {
  const std::atomic<bool> interrupt = true;
  RenderSettings settings = small(96, 60, 8);
  settings.interrupt = &interrupt;
  EXPECT_THROW(draw(still_life(), settings), Interrupted);
}

TEST(Draw, a_ball_covers_the_area_its_cone_of_sight_cuts_from_the_picture) {
  Picture picture = one_ball();
  picture.studio.center = picture.studio.edge = {4.0F, 4.0F, 4.0F};
  RenderSettings settings = small(200, 200, 16);
  settings.denoise = false;
  const Image image = draw(picture, settings);
  double covered = 0.0;
  for (int y = 0; y < 200; ++y)
    for (int x = 0; x < 200; ++x) covered += brightness(image, x, y) < 600 ? 1.0 : 0.0;
  // tangent cone of a unit ball seen from distance d: half angle asin(1 / d)
  const double radius = std::tan(std::asin(1.0 / 6.0)) / std::tan(0.5 * picture.camera.view_angle);
  const double expected = std::numbers::pi * 100.0 * 100.0 * radius * radius;
  EXPECT_NEAR(covered / expected, 1.0, 0.01);
}

TEST(Draw, the_picture_is_the_same_at_every_scale_and_place) {
  const auto at = [](double scale, const Vec3& shift) {
    Picture picture = still_life();
    for (Item& item : picture.items) {
      item.radius *= scale;
      item.world_from_item.position = scale * item.world_from_item.position + shift;
      if (!item.mesh) continue;
      auto grown = std::make_shared<Mesh>(*item.mesh);
      for (auto& p : grown->points) p *= static_cast<float>(scale);
      item.mesh = grown;
    }
    for (Marker& m : picture.markers) {
      m.from = scale * m.from + shift;
      m.to = scale * m.to + shift;
      m.radius *= scale;
    }
    picture.floor->point = shift;
    picture.camera = framed_camera(picture, 1.6, {});
    return draw(picture, small(96, 60, 8));
  };
  const Image here = at(1.0, Vec3::Zero());
  for (const double scale : {1.0 / 1024.0, 1024.0}) {
    const Image there = at(scale, Vec3(5.0, -3.0, 2.0) * scale);
    double sum = 0.0;
    for (std::size_t i = 0; i < here.rgb.size(); ++i) sum += std::abs(here.rgb[i] - there.rgb[i]);
    EXPECT_LT(sum / static_cast<double>(here.rgb.size()), 1.0) << scale;
  }
}

TEST(Draw, a_ball_throws_a_shadow_on_the_floor) {
  Picture picture = one_ball();
  picture.floor = Floor{Vec3(0.0, 0.0, -1.0), Vec3::UnitZ()};
  picture.camera.eye = Vec3(0.0, -6.0, 3.0);
  const Image image = draw(picture, small(160, 100, 16));
  picture.items[0].radius = 1e-3;
  picture.items[0].world_from_item.position.z() = -1.0;
  const Image empty = draw(picture, small(160, 100, 16));
  int darker = 0;
  for (int y = 0; y < 100; ++y)
    for (int x = 0; x < 160; ++x)
      darker += brightness(image, x, y) < brightness(empty, x, y) - 60 ? 1 : 0;
  // the ball alone covers about 1100 pixels of this picture
  const double ball = std::numbers::pi * 2500.0 *
                      std::pow(std::tan(std::asin(1.0 / std::sqrt(45.0))) /
                                   std::tan(0.5 * picture.camera.view_angle),
                               2.0);
  EXPECT_GT(darker, 1.15 * ball);
}

TEST(Draw, an_arrow_shows_even_behind_a_body) {
  Picture picture = one_ball();
  picture.markers.push_back({Vec3(0.0, 0.0, -0.8), Vec3(0.0, 0.0, 0.8), 0.05, {0.9F, 0.0F, 0.0F}});
  const Image with = draw(picture, small(160, 160, 8));
  picture.markers.clear();
  const Image without = draw(picture, small(160, 160, 8));
  int redder = 0;
  for (int y = 0; y < 160; ++y)
    for (int x = 0; x < 160; ++x) redder += with.at(x, y)[0] > without.at(x, y)[0] + 40 ? 1 : 0;
  // the shaft alone is 0.1 by 1.6 at distance 6
  const double pixel = 6.0 * 2.0 * std::tan(0.5 * picture.camera.view_angle) / 160.0;
  EXPECT_GT(redder, 0.9 * 0.1 * 1.3 / (pixel * pixel));
}

TEST(Draw, glass_lets_the_backdrop_through_and_clay_does_not) {
  Picture picture = one_ball();
  const Image clay = draw(picture, small(64, 64, 16));
  picture.items[0].look.opacity = 0.0F;
  picture.items[0].look.color = {1.0F, 1.0F, 1.0F};
  const Image glass = draw(picture, small(64, 64, 16));
  EXPECT_GT(brightness(glass, 32, 36), brightness(clay, 32, 36) + 150);
}

TEST(Draw, no_pixel_of_glass_before_the_bare_backdrop_is_black) {
  Picture picture = one_ball();
  picture.items[0].look.opacity = 0.1F;
  picture.items[0].look.color = {1.0F, 1.0F, 1.0F};
  const Image image = draw(picture, small(96, 60, 8));
  for (int y = 0; y < 60; ++y)
    for (int x = 0; x < 96; ++x) ASSERT_GT(brightness(image, x, y), 30) << x << ' ' << y;
}

TEST(Draw, a_clear_body_is_told_from_a_pale_backdrop_by_its_dark_rim) {
  Picture picture = one_ball();
  picture.items[0].look.opacity = 0.0F;
  picture.items[0].look.color = {1.0F, 1.0F, 1.0F};
  picture.camera.view_angle = 0.5;
  const Image image = draw(picture, small(64, 64, 16));
  const int pale = brightness(image, 1, 32);
  double light = 0.0;
  int all = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      const double from_middle = std::hypot(x - 31.5, y - 31.5) / 32.0 * std::tan(0.25) * 6.0;
      if (from_middle > 0.98 || from_middle < 0.9) continue;
      ++all;
      light += brightness(image, x, y);
    }
  EXPECT_LT(light / all, 0.8 * pale);
}

TEST(Draw, a_body_that_touches_glass_is_not_black_behind_it) {
  Picture picture;
  Item body;
  body.mesh = cube();
  body.look.color = {0.2F, 0.3F, 0.8F};
  Item pane = body;
  pane.look.color = {1.0F, 1.0F, 1.0F};
  pane.look.opacity = 0.1F;
  pane.world_from_item.position = Vec3(0.0, -1.0, 0.0);
  picture.items = {body, pane};
  picture.camera.eye = Vec3(0.0, -6.0, 0.0);
  for (const bool quick : {false, true}) {
    RenderSettings settings = small(64, 64, 16);
    settings.quick = quick;
    picture.items[1].world_from_item.position.y() = -1.0;
    const Image touching = draw(picture, settings);
    picture.items[1].world_from_item.position.y() = -1.05;
    const Image apart = draw(picture, settings);
    EXPECT_GT(brightness(touching, 32, 32), 0.7 * brightness(apart, 32, 32)) << quick;
  }
}

TEST(Draw, progress_ends_at_one) {
  double last = 0.0;
  RenderSettings settings = small(40, 40, 1);
  settings.progress = [&](double share) { last = std::max(last, share); };
  draw(one_ball(), settings);
  EXPECT_EQ(last, 1.0);
}

TEST(Draw, an_empty_picture_is_all_backdrop) {
  const Image image = draw(Picture{}, small(8, 8, 4));
  EXPECT_GT(brightness(image, 4, 4), 300);
}

}  // namespace
}  // namespace repose::render
