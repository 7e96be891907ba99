#include "repose/run/edits.h"

#include "methods/place/place_scene.h"

namespace repose::place {
namespace {

std::string refusal(const Problem& problem, State state) {
  auto method = method_info().make({});
  const auto prepared = (*method)->prepare(problem, state);
  return prepared ? "accepted" : prepared.error().text();
}

TEST(PlaceInput, a_ball_that_overlaps_at_the_start_is_refused_with_its_depth) {
  PlaceScene s;
  s.add(shape::make_box({Vec3(1, 1, 0.5)}), {Vec3(0, 0, 0.3), Quat::Identity()}, true);
  s.add(shape::make_ball({0.2}), {Vec3(0.1, 0, 0.7), Quat::Identity()}, false);
  const std::string text = refusal(s.problem, s.state);
  EXPECT_NE(text.find("overlaps"), std::string::npos) << text;
  EXPECT_NE(text.find("0.05"), std::string::npos) << text;
}

TEST(PlaceInput, what_lies_wholly_inside_is_refused_with_its_depth) {
  PlaceScene under;
  under.add_ground();
  under.add(shape::make_torus({1.0, 0.25}), {Vec3(0, 0, -3), Quat::Identity()}, false);
  const std::string deep = refusal(under.problem, under.state);
  EXPECT_NE(deep.find("by about 3.25 m"), std::string::npos) << deep;
  PlaceScene within;
  within.add(shape::make_box({Vec3(6, 6, 6)}), {}, true);
  within.add(shape::make_ellipsoid({Vec3(0.1, 0.1, 0.1)}), {Vec3(0, 0, 1), Quat::Identity()},
             false);
  const std::string held = refusal(within.problem, within.state);
  EXPECT_NE(held.find("overlaps"), std::string::npos) << held;
  // a point of it lies between 1.9 and 2.1 beneath the top
  EXPECT_TRUE(held.find("by about 1.9") != std::string::npos ||
              held.find("by about 2") != std::string::npos)
      << held;
}

/// A cone that leans on a can with a side of its own: a line of places 6e-9 m apart, of which no
/// proof of work that ends can be made, and faces that would meet beyond their ends.
TEST(PlaceInput, a_cone_that_rests_on_a_can_is_no_overlap) {
  PlaceScene s;
  s.add(shape::make_cylinder({0.0499329104276893, 0.07489936564153395}),
        {Vec3(0.0115225427924045, 0.15742685779690915, 0.03744969120500005),
         Quat(-3.0410119784428877e-09, -0.023364858351553032, -0.9997270044338163,
              7.580792930134367e-10)},
        false);
  s.add(shape::make_cone({0.03029149917622187, 0.05452469851719937}),
        {Vec3(-0.023893123500085163, 0.17928058780422967, 0.10137891840474735),
         Quat(0.15305065494189465, 0.3614927383893681, 0.7823966407675196, -0.48348112024081535)},
        false);
  EXPECT_EQ(refusal(s.problem, s.state), "accepted");
  // a hundredth of a millimetre deeper it overlaps
  s.state.bodies[1].world_from_body.position.z() -= 1e-5;
  EXPECT_NE(refusal(s.problem, s.state).find("overlaps"), std::string::npos);
}

TEST(PlaceInput, of_two_that_overlap_the_one_that_moves_is_named_first_with_the_remedy) {
  for (const bool moving_first : {true, false}) {
    PlaceScene s;
    const auto add = [&s](bool fixed) {
      s.add(shape::make_box({Vec3(1, 1, 1)}), {Vec3(fixed ? 0.0 : 0.8, 0, 0), Quat::Identity()},
            fixed);
    };
    add(!moving_first);
    add(moving_first);
    const std::string text = refusal(s.problem, s.state);
    const std::string moving = moving_first ? "/bodies/0" : "/bodies/1";
    EXPECT_NE(text.find(moving), std::string::npos) << text;
    EXPECT_NE(text.find("place.repair_start=true"), std::string::npos) << text;
  }
}

TEST(PlaceInput, what_lies_wholly_under_the_ground_is_lifted_out) {
  PlaceScene under;
  under.add_ground();
  const int ring =
      under.add(shape::make_torus({1.0, 0.25}), {Vec3(0, 0, -3), Quat::Identity()}, false);
  auto method = method_info().make({{"repair_start", true}});
  ASSERT_TRUE(static_cast<bool>(method));
  ASSERT_TRUE(static_cast<bool>((*method)->prepare(under.problem, under.state)));
  EXPECT_GT(under.where(ring).position.z(), 0.25);
}

TEST(PlaceInput, a_force_on_a_point_that_no_body_has_is_refused_with_its_place) {
  PlaceScene s;
  s.add_ground();
  s.add(shape::make_ball({0.2}), {Vec3(0, 0, 0.5), Quat::Identity()}, false);
  Force push;
  push.kind = ForceKind::push;
  push.body_a = "body 1";
  push.vector = Vec3(1, 0, 0);
  push.point_a = Vec3(0.2, 0, 0);
  s.problem.forces = {push};
  EXPECT_EQ(refusal(s.problem, s.state), "accepted");
  s.problem.forces[0].point_a = Vec3(0.3, 0, 0);
  const std::string text = refusal(s.problem, s.state);
  EXPECT_NE(text.find("/forces/0"), std::string::npos) << text;
  s.problem.forces[0].point_a = Vec3::Zero();
  s.problem.forces[0].body_a = "nobody";
  EXPECT_NE(refusal(s.problem, s.state).find("/forces/0"), std::string::npos);
}

TEST(PlaceInput, a_patch_whose_normal_vanishes_is_refused_with_its_place) {
  // an ellipsoid whose meridians stand still at its equator
  shape::FormulaInput in;
  in.patches.resize(1);
  const std::string turn = "1.5707963267948966*(1+(2*v-1)^3)";
  in.patches[0].x = "0.1*sin(" + turn + ")*cos(u)";
  in.patches[0].y = "0.13*sin(" + turn + ")*sin(u)";
  in.patches[0].z = "-0.1*cos(" + turn + ")";
  in.patches[0].u1 = 6.283185307179586;
  const auto made = shape::make_formula(in);
  ASSERT_FALSE(static_cast<bool>(made));
  EXPECT_NE(made.error().text().find("/patches/0"), std::string::npos) << made.error().text();
  EXPECT_NE(made.error().text().find("normal"), std::string::npos) << made.error().text();
}

TEST(PlaceInput, an_open_mesh_cannot_be_placed) {
  PlaceScene s;
  s.add_ground();
  shape::MeshInput in;
  in.mesh.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  in.mesh.triangles = {{0, 1, 2}};
  in.open = true;
  s.add(shape::make_mesh(in), {Vec3(0, 0, 0.5), Quat::Identity()}, false);
  s.problem.bodies[1].mass = 0.0;
  const std::string text = refusal(s.problem, s.state);
  EXPECT_NE(text.find("/bodies/1"), std::string::npos) << text;
}

}  // namespace
}  // namespace repose::place
