// From one state to the next: what goes is judged at every moment, what is put is not.
#include <gtest/gtest.h>

#include "repose/check/way.h"
#include "repose/shape/make.h"

#include "check/items.h"

namespace repose::check {
namespace {

PlacedBody named(PlacedBody body, const char* name) {
  body.name = name;
  return body;
}

struct Step {
  Input from, to;

  explicit Step(double s) {
    PlacedBody wall =
        named(at(shape::make_box({s * Vec3(0.02, 2, 2)}).value(), Vec3::Zero()), "wall");
    wall.fixed = true;
    from.bodies = {wall, named(at(ball(0.3 * s), s * Vec3(-1, 0, 0)), "ball"),
                   named(at(ball(0.3 * s), s * Vec3(-1, 1, 1)), "other")};
    to = from;
    to.bodies[1].world_from_body.position = s * Vec3(1, 0, 0);
  }
};

TEST(WayTaken, a_body_that_goes_through_a_wall_is_seen_and_one_that_is_put_beyond_it_is_told) {
  for (const double s : {1e-3, 1.0, 1e3}) {
    const Step step(s);
    const WayVerdict went = judge_way(step.from, step.to, {});
    EXPECT_EQ(went.answer, Answer::missed) << went.why;
    EXPECT_NE(went.why.find("wall and ball"), std::string::npos) << went.why;
    EXPECT_EQ(went.left_out, 0);
    const WayVerdict put = judge_way(step.from, step.to, {false, {"ball"}});
    EXPECT_EQ(put.answer, Answer::proven) << put.why;
    EXPECT_EQ(put.left_out, 1);
    // another one that is put excuses nothing
    const WayVerdict other = judge_way(step.from, step.to, {false, {"other"}});
    EXPECT_EQ(other.answer, Answer::missed);
    EXPECT_EQ(other.left_out, 1);
  }
}

TEST(WayTaken, rigid_bodies_beside_soft_ones_are_judged_as_among_themselves) {
  PlacedBody ground = named(at(shape::make_half_space().value(), Vec3::Zero()), "ground");
  ground.fixed = true;
  const PlacedBody box = named(at(shape::make_box({Vec3(1, 1, 1)}).value(), Vec3::Zero()), "box");
  PlacedBody soft;
  soft.name = "soft";
  soft.mass = 1.0;
  soft.points_world = {Vec3(5, 0, 1), Vec3(5.1, 0, 1)};
  soft.shape = shape::make_sphere_set({soft.points_world, {0.05, 0.05}, {{0, 1}}}).value();
  const auto scene = [&](const Vec3& box_at) {
    Input out;
    out.bodies = {ground, box, soft};
    out.bodies[1].world_from_body.position = box_at;
    return out;
  };
  const Input standing = scene(Vec3(0, 0, 0.5)), slid = scene(Vec3(0.3, 0, 0.5)),
              above = scene(Vec3(0, 0, 2)), below = scene(Vec3(0, 0, 0.2));
  EXPECT_EQ(judge_way(standing, standing, {}).left_out, 0);
  EXPECT_EQ(judge_way(standing, standing, {}).answer, Answer::proven);
  EXPECT_EQ(judge_way(standing, slid, {}).answer, Answer::proven);
  EXPECT_EQ(judge_way(above, standing, {}).answer, Answer::proven);
  EXPECT_EQ(judge_way(above, below, {}).answer, Answer::missed);
}

TEST(WayTaken, bodies_that_come_go_or_become_others_went_no_way) {
  Step step(1.0);
  step.to.bodies[1].shape = ball(0.31);
  EXPECT_EQ(judge_way(step.from, step.to, {}).left_out, 1);
  EXPECT_EQ(judge_way(step.from, step.to, {}).answer, Answer::proven);
  step.to.bodies.erase(step.to.bodies.begin() + 1);
  EXPECT_EQ(judge_way(step.from, step.to, {}).left_out, 1);
  // one that comes stands in nobody's way before
  EXPECT_EQ(judge_way(step.to, step.from, {}).left_out, 0);
  EXPECT_EQ(judge_way(step.to, step.from, {}).answer, Answer::proven);
}

TEST(WayTaken, the_point_that_goes_straight_decides) {
  // a rod whose origin is at its end turns half about: its middle or its end stays
  for (const bool centers : {false, true}) {
    PlacedBody rod = named(at(shape::make_box({Vec3(2, 0.1, 0.1)}).value(), Vec3::Zero()), "rod");
    rod.center_body = Vec3(1, 0, 0);
    PlacedBody post = named(at(ball(0.2), Vec3(0, 1.1, 0)), "post");
    post.fixed = true;
    Input from, to;
    from.bodies = to.bodies = {rod, post};
    const Quat turned = rotation_from_vector(Vec3(0, 0, 3.0));
    to.bodies[0].world_from_body.rotation = turned;
    to.bodies[0].world_from_body.position =
        centers ? Vec3(rod.center_body - turned * rod.center_body) : Vec3(Vec3::Zero());
    const WayVerdict v = judge_way(from, to, {centers, {}});
    EXPECT_EQ(v.answer, centers ? Answer::proven : Answer::missed) << v.why;
  }
}

}  // namespace
}  // namespace repose::check
