#include <gtest/gtest.h>

#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace repose {
namespace {

World world(const std::string& rest) {
  const auto scene =
      scene_from_text("{\"repose\": 1, " + rest + "}", "sample.json", method_catalogue());
  EXPECT_TRUE(scene) << scene.error().text();
  auto built = build_world(*scene);
  EXPECT_TRUE(built) << built.error().text();
  return std::move(*built);
}

constexpr const char* kRow =
    R"("bodies": [{"name": "row", "shape": {"kind": "lattice", "counts": [4, 1, 1], "pitch": 0.1,
       "radius": 0.04}},
       {"name": "ground", "shape": {"kind": "half_space"}, "fixed": true, "position": [0, 0, -1]}])";

std::string refusal(World start, const std::string& method) {
  const auto session =
      Session::start(std::move(start.problem), std::move(start.state), **find_method(method), {});
  return session ? "accepted" : session.error().text();
}

TEST(SoftSession, methods_that_take_rigid_bodies_alone_refuse_soft_ones_with_their_place) {
  for (const char* method : {"place", "pile", "mechanism"}) {
    const std::string text = refusal(world(kRow), method);
    EXPECT_NE(text.find("/bodies/0/shape"), std::string::npos) << text;
    EXPECT_NE(text.find(method), std::string::npos) << text;
  }
  EXPECT_EQ(refusal(world(kRow), "still"), "accepted");
}

TEST(SoftSession, paths_and_pulls_are_refused_where_a_method_does_not_know_them) {
  const std::string led = R"("bodies": [{"name": "a", "shape": {"kind": "ball", "radius": 1},
      "path": {"times": [0], "places": [{}]}}])";
  const auto pulled = [](const std::string& shape) {
    return R"("bodies": [{"name": "a", "shape": )" + shape +
           R"(}], "forces": [{"kind": "pull", "body": "a", "times": [0], "vectors": [[0, 1, 0]]}],
           "gravity": [0, -9.81, 0])";
  };
  const std::string ball = R"({"kind": "ball", "radius": 1})";
  const std::string disc =
      R"({"kind": "plane_region", "discs": [{"center": [0, 0], "radius": 1}]})";
  for (const std::string method : {"still", "place", "pile", "mechanism"}) {
    EXPECT_NE(refusal(world(led), method).find("/bodies/0/path"), std::string::npos) << method;
    const std::string text = refusal(world(pulled(method == "mechanism" ? disc : ball)), method);
    EXPECT_NE(text.find("/forces/0"), std::string::npos) << method << text;
  }
}

/// Breaks a row of four into two pairs in its second step.
class Breaking final : public Method {
 public:
  std::string name() const override { return "breaking"; }
  Result<Done> prepare(const Problem& problem, State&) override {
    prepared_ = problem.bodies.size();
    return Done{};
  }
  StepReport step(const Problem& problem, State& state) override {
    EXPECT_EQ(prepared_, problem.bodies.size()) << "prepare was not called again";
    state.step += 1;
    StepReport out;
    if (state.step != 2) return out;
    BodyChange change;
    change.body = 0;
    const SoftState whole = state.bodies[0].soft;
    for (int part = 0; part < 2; ++part) {
      const std::vector<int> points{2 * part, 2 * part + 1};
      Body body = problem.bodies[0];
      SoftBody soft = *body.soft;
      soft.masses.resize(2);
      soft.fixed.resize(2);
      soft.links = {{0, 1}};
      soft.lattice.resize(2);
      body.soft = std::make_shared<const SoftBody>(std::move(soft));
      body.name.clear();
      change.parts.push_back(body);
      change.points_before.push_back(points);
      BodyState moved = state.bodies[0];
      moved.soft = {};
      for (const int i : points) {
        moved.soft.positions.edit().push_back(whole.positions[static_cast<std::size_t>(i)]);
        moved.soft.velocities.edit().push_back(whole.velocities[static_cast<std::size_t>(i)]);
        moved.soft.radii.edit().push_back(whole.radii[static_cast<std::size_t>(i)]);
      }
      if (part == 0)
        state.bodies[0] = moved;
      else
        state.bodies.push_back(moved);
    }
    out.changes.push_back(std::move(change));
    return out;
  }
  Audit audit(const Problem&, const State&) override { return {}; }
  Result<Done> change_settings(const SettingValues&) override { return Done{}; }

 private:
  std::size_t prepared_ = 0;
};

MethodInfo breaking() {
  MethodInfo out{"breaking", "Breaks.", {}, [](const SettingValues&) {
                   return Result<std::unique_ptr<Method>>(std::make_unique<Breaking>());
                 }};
  out.support.soft = true;
  return out;
}

TEST(SoftSession, a_body_that_parts_is_two_bodies_from_then_on_and_one_again_after_undo) {
  World start = world(std::string(kRow) +
                      R"(, "forces": [{"kind": "pull", "body": "row", "points": [1, 3],
                         "times": [0], "vectors": [[0, 0, 1]]}])");
  auto session = Session::start(std::move(start.problem), std::move(start.state), breaking(), {});
  ASSERT_TRUE(session) << session.error().text();
  session->keep_states(10);
  ASSERT_TRUE(session->step());
  const std::string before = state_hash(session->state());
  const long version = session->problem_version();
  ASSERT_TRUE(session->step());
  ASSERT_TRUE(session->step());
  const Problem& problem = session->problem();
  ASSERT_EQ(problem.bodies.size(), 3U);
  EXPECT_EQ(problem.bodies[0].name, "row");
  EXPECT_EQ(problem.bodies[2].name, "row-part-2");
  EXPECT_EQ(problem.bodies[2].id.index, 2U);
  EXPECT_NE(problem.bodies[2].id.generation, problem.bodies[0].id.generation);
  EXPECT_NE(session->problem_version(), version);
  // the pull on points 1 and 3 goes with them
  ASSERT_EQ(problem.forces.size(), 2U);
  EXPECT_EQ(problem.forces[0].body_a, "row");
  EXPECT_EQ(problem.forces[1].body_a, "row-part-2");
  EXPECT_EQ(problem.forces[1].points, (std::vector<int>{1}));
  auto branch = session->branch();
  ASSERT_TRUE(branch);
  EXPECT_EQ(branch->state().bodies.size(), 3U);
  EXPECT_EQ(session->undo(2), 2);
  EXPECT_EQ(session->problem().bodies.size(), 2U);
  EXPECT_EQ(state_hash(session->state()), before);
  ASSERT_TRUE(session->step());
  EXPECT_EQ(session->problem().bodies.size(), 3U);
}

TEST(SoftSession, a_pose_edit_takes_the_points_and_their_velocities_along) {
  World start = world(kRow);
  start.state.bodies[0].soft.velocities.edit()[3] = Vec3::UnitX();
  const Vec3 point = start.state.bodies[0].soft.positions[3];
  auto session =
      Session::start(std::move(start.problem), std::move(start.state), **find_method("still"), {});
  ASSERT_TRUE(session);
  Edit edit;
  edit.kind = EditKind::pose;
  edit.target = "row";
  edit.body_state.world_from_body = {Vec3(0, 0, 5), rotation_from_vector(Vec3(0, 0, M_PI_2))};
  ASSERT_TRUE(session->apply(edit));
  const SoftState& soft = session->state().bodies[0].soft;
  EXPECT_LT((soft.positions[3] - Vec3(0, point.x(), 5)).norm(), 1e-15);
  EXPECT_LT((soft.velocities[3] - Vec3::UnitY()).norm(), 1e-15);
}

TEST(SoftSession, a_denser_material_makes_every_point_heavier) {
  World start = world(kRow);
  const double mass = start.problem.bodies[0].mass;
  auto session =
      Session::start(std::move(start.problem), std::move(start.state), **find_method("still"), {});
  ASSERT_TRUE(session);
  Edit edit;
  edit.kind = EditKind::material;
  edit.target = "row";
  edit.values = {{"density", 3000.0}, {"young_modulus", 2e4}};
  ASSERT_TRUE(session->apply(edit));
  const Body& body = session->problem().bodies[0];
  EXPECT_NEAR(body.mass, 3.0 * mass, 1e-15);
  EXPECT_NEAR(body.soft->masses[1], 3.0 * mass / 3.0, 1e-15);
  EXPECT_EQ(body.soft->material(2).young_modulus, 2e4);
}

}  // namespace
}  // namespace repose
