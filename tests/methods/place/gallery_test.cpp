#include "repose/scene/gallery.h"

#include "repose/run/catalogue.h"
#include "repose/run/judge.h"
#include "repose/run/loop.h"

#include "methods/place/place_scene.h"

namespace repose::place {
namespace {

struct Ended {
  RunStatus status = RunStatus::moving;
  std::string why;
  Problem problem;
  State state;
};

Ended settle(const std::string& name) {
  Ended out;
  auto scene = open_scene("place/" + name, method_catalogue());
  if (!scene) {
    ADD_FAILURE() << scene.error().text();
    return out;
  }
  auto world = build_world(*scene);
  auto session = Session::start(std::move(world->problem), std::move(world->state), method_info(),
                                scene->method.settings);
  if (!session) {
    ADD_FAILURE() << session.error().text();
    return out;
  }
  RunObserver nobody;
  auto run = run_to_end(*session, {}, nobody);
  if (!run) {
    ADD_FAILURE() << run.error().text();
    return out;
  }
  return {run->status, run->why, session->problem(), session->state()};
}

TEST(PlaceGallery, forty_four_balls_fill_the_bowl_and_none_overlaps) {
  const Ended end = settle("44-balls-in-bowl");
  EXPECT_EQ(end.status, RunStatus::rest) << end.why;
  ASSERT_EQ(end.problem.bodies.size(), 46U);
  const double radius = 0.0168;
  for (std::size_t i = 2; i < end.problem.bodies.size(); ++i) {
    const Vec3 at = end.state.bodies[i].world_from_body.position;
    // inside the bowl, whose rim is at a radius of 0.112
    EXPECT_LT(at.head<2>().norm(), 0.112);
    EXPECT_GT(at.z(), 0.011 + radius);
    for (std::size_t j = 2; j < i; ++j)
      EXPECT_GE((at - end.state.bodies[j].world_from_body.position).norm(),
                2.0 * radius * (1.0 - 1e-12));
  }
  EXPECT_EQ(judge(end.problem, end.state).overlap, check::Answer::proven);
}

// the first straw is balanced at the settling gap and loses it where its gaps close
TEST(PlaceGallery, balance_that_closing_the_gaps_costs_is_found_again) {
  const Ended end = settle("straws-in-glass");
  EXPECT_EQ(end.status, RunStatus::rest) << end.why;
  const Judgement verdict = judge(end.problem, end.state);
  EXPECT_EQ(verdict.overlap, check::Answer::proven);
  EXPECT_EQ(verdict.balanced, check::Answer::proven);
}

TEST(PlaceGallery, the_knot_comes_to_the_same_rest_whatever_mesh_guides_it) {
  const Ended fine = settle("knot-9600");
  EXPECT_EQ(fine.status, RunStatus::rest) << fine.why;
  const Pose& exact = fine.state.bodies[1].world_from_body;
  for (const char* name : {"knot-600", "knot-56"}) {
    const Ended end = settle(name);
    EXPECT_EQ(end.status, RunStatus::rest) << name << ": " << end.why;
    const Pose& pose = end.state.bodies[1].world_from_body;
    const double size = fine.problem.bodies[1].size();
    // the ground leaves it free to slide and to turn about the vertical
    EXPECT_NEAR(pose.position.z(), exact.position.z(), 1e-8 * size) << name;
    EXPECT_LT(
        (pose.rotation.conjugate() * Vec3::UnitZ() - exact.rotation.conjugate() * Vec3::UnitZ())
            .norm(),
        1e-8)
        << name;
  }
}

}  // namespace
}  // namespace repose::place
