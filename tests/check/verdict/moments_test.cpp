// Every moment between two: against closed forms of balls that fly, and walls that are passed.
#include "repose/check/moments.h"

#include <gtest/gtest.h>

#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

using prove::Answer;

struct Scene {
  std::vector<PlacedBody> bodies;
  std::vector<Course> ways;

  void add(const shape::ShapePtr& shape, const Pose& from, const Pose& to) {
    bodies.push_back(at(shape, from.position, from.rotation));
    ways.push_back({from, to, Vec3::Zero()});
  }
  MomentVerdict judged(const MomentSettings& settings = {}) const {
    return judge_moments(bodies, ways, settings);
  }
};

Pose place(const Vec3& position, const Quat& rotation = Quat::Identity()) {
  return {position, rotation};
}

/// At several scales and places of the world.
template <class Try>
void everywhere(const Try& body) {
  Random random(51);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (int k = 0; k < 4; ++k) {
      const Pose by{3.0 * scale * random_direction(random), random_rotation(random)};
      body(scale, by);
    }
}

TEST(Moments, a_body_that_passes_a_wall_between_two_frames_is_seen) {
  everywhere([](double s, const Pose& by) {
    const auto wall = shape::make_box({s * Vec3(0.02, 2, 2)}).value();
    for (const auto& body : {ball(0.1 * s), box_mesh(s * Vec3(0.2, 0.2, 0.2)),
                             shape::make_torus({0.1 * s, 0.03 * s}).value()}) {
      Scene scene;
      scene.add(wall, by, by);
      scene.add(body, by * place(s * Vec3(-1, 0.1, 0.2)), by * place(s * Vec3(1.3, 0.1, 0.1)));
      const MomentVerdict v = scene.judged();
      EXPECT_EQ(v.answer, Answer::missed) << s;
      EXPECT_GT(v.depth, 0.0);
      EXPECT_NEAR(v.share, 1.0 / 2.3, 0.1);
      // past its edge it is free
      Scene beside;
      beside.add(wall, by, by);
      beside.add(body, by * place(s * Vec3(-1, 1.2, 0.2)), by * place(s * Vec3(1.3, 1.2, 0.1)));
      EXPECT_EQ(beside.judged().answer, Answer::proven) << s;
      EXPECT_EQ(beside.judged().depth_relative, 0.0);
    }
  });
}

TEST(Moments, a_thin_body_that_swings_through_a_thin_one_is_seen) {
  everywhere([](double s, const Pose& by) {
    const auto needle = shape::make_capsule({1e-5 * s, s}).value();
    Scene scene;
    scene.add(needle, by * place(s * Vec3(0.3, 0, 0)), by * place(s * Vec3(0.3, 0, 0)));
    const Quat lying = rotation_from_vector(Vec3(0, 1.2, 0)),
               turned = rotation_from_vector(Vec3(0, 0, 1.0)) * lying;
    scene.add(needle, by * place(s * Vec3(0, -0.1, 0), lying),
              by * place(s * Vec3(0, 0.1, 0), turned));
    EXPECT_NE(scene.judged().answer, Answer::proven) << s;
    // it is given up where ways are short against what thin bodies may overlap
    EXPECT_LT(scene.judged().moments, 40) << s;
  });
}

TEST(Moments, sheets_that_pass_close_by_one_another_are_told_apart_in_few_moments) {
  everywhere([](double s, const Pose& by) {
    // a thousandth as thick as wide
    const auto sheet = shape::make_box({s * Vec3(1, 1, 1e-3)}).value();
    for (const double apart : {5e-3, -5e-4}) {
      Scene scene;
      scene.add(sheet, by, by);
      scene.add(sheet, by * place(s * Vec3(-0.3, 0, 1e-3 + apart)),
                by * place(s * Vec3(0.3, 0.1, 1e-3 + apart)));
      const MomentVerdict v = scene.judged();
      EXPECT_EQ(v.answer, apart > 0.0 ? Answer::proven : Answer::missed) << s;
      EXPECT_LT(v.moments, 600) << s;
    }
  });
}

TEST(Moments, of_sheets_too_thin_to_be_followed_it_is_soon_known_that_nothing_is) {
  everywhere([](double s, const Pose& by) {
    const auto sheet = shape::make_box({s * Vec3(1, 1, 1e-5)}).value();
    Scene scene;
    scene.add(sheet, by, by);
    scene.add(sheet, by * place(s * Vec3(-0.3, 0, 1e-5)), by * place(s * Vec3(0.3, 0.1, 1e-5)));
    const MomentVerdict v = scene.judged();
    EXPECT_EQ(v.answer, Answer::undecided) << s;
    EXPECT_LT(v.moments, 23) << s;
  });
}

TEST(Moments, what_slides_and_rolls_on_the_ground_is_free_to_the_tolerance) {
  everywhere([](double s, const Pose& by) {
    Scene scene;
    scene.add(ground(), by, by);
    scene.add(ball(0.1 * s), by * place(s * Vec3(0, 0, 0.1)),
              by * place(s * Vec3(0.05, 0, 0.1), rotation_from_vector(Vec3(0, 0.5, 0))));
    scene.add(shape::make_box({s * Vec3(0.2, 0.2, 0.1)}).value(), by * place(s * Vec3(1, 0, 0.05)),
              by * place(s * Vec3(1.03, 0.02, 0.05)));
    const MomentVerdict v = scene.judged();
    EXPECT_EQ(v.answer, Answer::proven) << s;
    EXPECT_LE(v.depth_relative, MomentSettings{}.tolerance);
    EXPECT_GT(v.moments, 0);
  });
}

TEST(Moments, balls_that_fly_are_told_as_the_closed_form_tells) {
  Random random(52);
  int proven = 0, missed = 0;
  for (int k = 0; k < 400; ++k) {
    const double ra = random.between(0.2, 1.0), rb = random.between(0.2, 1.0);
    const auto draw = [&] { return Vec3(2.0 * random_direction(random)); };
    const Vec3 a0 = draw(), a1 = draw(), b0 = draw(), b1 = draw();
    Scene scene;
    scene.add(ball(ra), place(a0), place(a1, random_rotation(random)));
    scene.add(ball(rb), place(b0, random_rotation(random)), place(b1));
    // the relative way is straight
    const Vec3 from = b0 - a0, way = b1 - a1 - from;
    const double t = std::clamp(-from.dot(way) / way.squaredNorm(), 0.0, 1.0);
    const double gap = (from + t * way).norm() - ra - rb, size = 2.0 * std::min(ra, rb);
    const MomentVerdict v = scene.judged();
    if (gap > 0.0) {
      EXPECT_EQ(v.answer, Answer::proven) << k << ' ' << gap;
    }
    if (gap < -2e-3 * size) {
      EXPECT_EQ(v.answer, Answer::missed) << k << ' ' << gap;
    }
    if (v.answer == Answer::proven) {
      EXPECT_LE(-gap / size, v.depth_relative + 1e-12) << k;
    }
    proven += v.answer == Answer::proven;
    missed += v.answer == Answer::missed;
  }
  EXPECT_GT(proven, 50);
  EXPECT_GT(missed, 50);
}

TEST(Moments, the_point_that_goes_straight_is_what_the_caller_says) {
  // a long rod whose end goes straight while it turns half round sweeps what its origin would not
  const auto rod = shape::make_capsule({0.05, 2.0}).value();
  const Quat half = rotation_from_vector(Vec3(0, 3.1, 0));
  Scene scene;
  scene.add(rod, place(Vec3::Zero()), place(half * Vec3(0, 0, -1) + Vec3(0, 0, 1), half));
  scene.add(ball(0.1), place(Vec3(-1.2, 0, 1.0)), place(Vec3(-1.2, 0, 1.0)));
  EXPECT_EQ(scene.judged().answer, Answer::proven);
  scene.ways[0].point_body = Vec3(0, 0, 1);
  EXPECT_EQ(scene.judged().answer, Answer::missed);
}

TEST(Moments, fixed_pairs_and_other_layers_are_left_out_and_what_has_no_gap_is_undecided) {
  Scene scene;
  scene.add(ball(1.0), place(Vec3::Zero()), place(Vec3::Zero()));
  scene.add(ball(1.0), place(Vec3(0.5, 0, 0)), place(Vec3(0.6, 0, 0)));
  EXPECT_EQ(scene.judged().answer, Answer::missed);
  scene.bodies[0].fixed = scene.bodies[1].fixed = true;
  EXPECT_EQ(scene.judged().answer, Answer::proven);
  scene.bodies[0].fixed = scene.bodies[1].fixed = false;
  scene.bodies[1].collides = false;
  EXPECT_EQ(scene.judged().answer, Answer::proven);
  scene.bodies[1].collides = true;
  const std::atomic<bool> stop = true;
  EXPECT_EQ(scene.judged({.interrupt = &stop}).answer, Answer::undecided);
  // a flat body beside one of space has no gap
  Scene flat;
  flat.add(ball(1.0), place(Vec3::Zero()), place(Vec3(0.1, 0, 0)));
  flat.add(
      shape::make_plane_region({{{{Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)}, {}}}, {}, 1.0}).value(),
      place(Vec3::Zero()), place(Vec3::Zero()));
  EXPECT_EQ(flat.judged().answer, Answer::undecided);
}

TEST(Moments, balls_that_slide_far_along_one_another_are_told_at_once) {
  everywhere([](double s, const Pose& by) {
    // a small ball rolls over a large one's top on a straight line, and a little too low
    for (const double low : {0.0, 1e-4, 4e-3}) {
      Scene scene;
      scene.add(ball(1.0 * s), by, by);
      const double height = 1.01 * s - low * 0.02 * s;
      scene.add(ball(0.01 * s), by * place({-3.0 * s, 0, height}),
                by * place({3.0 * s, 0, height}));
      const MomentVerdict v = scene.judged();
      EXPECT_EQ(v.answer, low < 1e-3 ? Answer::proven : Answer::missed) << s << ' ' << low;
      if (low < 1e-3) {
        EXPECT_EQ(v.moments, 1);
        EXPECT_NEAR(v.depth_relative, low, 1e-11);
      }
    }
  });
}

}  // namespace
}  // namespace repose::check
