#include <cmath>

#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/judge.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace repose {
namespace {

Result<Session> session_of(const std::string& bodies,
                           const std::string& gravity = "[0, 0, -9.81]") {
  const std::string text = R"({"repose": 1, "method": {"kind": "molecule"}, "gravity": )" +
                           gravity + R"(,
          "materials": {"jelly": {"young_modulus": 6e4, "damping": 0.01, "friction": 0.5},
                        "steel": {"density": 2000, "friction": 0.5}},
          "bodies": [{"name": "ground", "shape": {"kind": "half_space"}, "fixed": true,
                      "material": "steel"}, )" +
                           bodies + "]}";
  const auto scene = scene_from_text(text, "sample.json", method_catalogue());
  EXPECT_TRUE(scene) << scene.error().text();
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << world.error().text();
  return Session::start(std::move(world->problem), std::move(world->state),
                        **find_method("molecule"), {});
}

std::string solid(const std::string& name, const std::string& shape, const std::string& place) {
  return R"({"name": ")" + name + R"(", "material": "steel", "shape": )" + shape + ", " + place +
         "}";
}

constexpr const char* kBox = R"({"kind": "box", "size": [0.06, 0.05, 0.04]})";

/// Every state and the way of every step, by the judge.
void expect_proven(Session& session, int steps) {
  State before = session.state();
  for (int k = 0; k < steps; ++k) {
    const auto report = session.step();
    ASSERT_TRUE(report) << report.error().text();
    ASSERT_NE(report->status, RunStatus::stuck) << k;
    const Judgement way = judge_way(session.problem(), before, session.state());
    ASSERT_EQ(way.overlap, check::Answer::proven) << k << ": " << way.why;
    before = session.state();
  }
  const Judgement last = judge(session.problem(), session.state(), {.judge_balance = false});
  EXPECT_EQ(last.overlap, check::Answer::proven) << last.why;
}

TEST(molecule_rigid, solids_of_every_convex_kind_fall_on_a_soft_bed_over_a_ground) {
  auto session = session_of(
      R"({"name": "bed", "material": "jelly", "position": [0, 0, 0.0201],
          "shape": {"kind": "lattice", "counts": [7, 7, 2], "pitch": 0.02, "radius": 0.01}}, )" +
      solid(
          "box", kBox,
          R"("position": [0.01, 0, 0.1], "axis_angle_deg": [1, 2, 0.5, 25], "velocity": [0, 0, -1])") +
      ", " +
      solid("drum", R"({"kind": "cylinder", "radius": 0.02, "height": 0.05})",
            R"("position": [0.1, 0.0, 0.05], "axis_angle_deg": [0, 1, 0, 20])") +
      ", " +
      solid("pill", R"({"kind": "capsule", "radius": 0.012, "height": 0.04})",
            R"("position": [0.1, 0.08, 0.04], "axis_angle_deg": [0, 1, 0, 70])") +
      ", " +
      solid("egg", R"({"kind": "ellipsoid", "radii": [0.02, 0.015, 0.012]})",
            R"("position": [-0.12, 0, 0.03])"));
  ASSERT_TRUE(session) << session.error().text();
  expect_proven(*session, 200);
}

TEST(molecule_rigid, a_box_rests_on_a_box_on_the_ground) {
  auto session = session_of(solid("lower", kBox, R"("position": [0, 0, 0.02])") + ", " +
                            solid("upper", kBox, R"("position": [0.005, 0.004, 0.0601])"));
  ASSERT_TRUE(session) << session.error().text();
  expect_proven(*session, 300);
  for (std::size_t b = 1; b < 3; ++b) {
    EXPECT_LT(session->state().bodies[b].velocity.norm(), 1e-6);
    EXPECT_LT(session->state().bodies[b].angular_velocity.norm(), 1e-4);
  }
  double force = 0.0;
  for (const Contact& contact : session->state().contacts)
    if (contact.body_a == 0) force += contact.force_on_b.z();
  const double weight =
      9.81 * (session->problem().bodies[1].mass + session->problem().bodies[2].mass);
  EXPECT_NEAR(force, weight, 1e-3 * weight);
}

TEST(molecule_rigid, a_box_slides_as_the_closed_form_says_and_holds_below_its_coefficient) {
  for (const double slope : {0.495, 0.7}) {
    const double size = std::hypot(1.0, slope);
    auto session = session_of(
        solid("box", kBox, R"("position": [0, 0, 0.020001])"),
        "[" + std::to_string(9.81 * slope / size) + ", 0, " + std::to_string(-9.81 / size) + "]");
    ASSERT_TRUE(session) << session.error().text();
    const auto speed = [&] { return session->state().bodies[1].velocity.x(); };
    for (int k = 0; k < 100; ++k) ASSERT_TRUE(session->step());
    const double before = speed(), start = session->state().time;
    for (int k = 0; k < 200; ++k) ASSERT_TRUE(session->step());
    const double gained =
        (session->state().time - start) * 9.81 * std::max(0.0, slope - 0.5) / size;
    EXPECT_NEAR(speed() - before, gained, 2e-3 * gained + 1e-6) << slope;
    if (gained == 0.0) {
      EXPECT_LT(std::abs(speed()), 1e-5);
    }
  }
}

TEST(molecule_rigid, a_box_that_starts_in_another_is_refused) {
  const auto session = session_of(solid("lower", kBox, R"("position": [0, 0, 0.02])") + ", " +
                                  solid("upper", kBox, R"("position": [0.005, 0.004, 0.05])"));
  ASSERT_FALSE(session);
  EXPECT_NE(session.error().text().find("overlaps"), std::string::npos);
}

}  // namespace
}  // namespace repose
