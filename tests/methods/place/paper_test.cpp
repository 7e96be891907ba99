#include "methods/place/place_scene.h"
#include "src/methods/place/guide.h"
#include "src/methods/place/interface_point.h"

namespace repose::place {
namespace {

Posed posed(Surface& surface, const Pose& pose) {
  Posed out;
  out.surface = &surface;
  out.rotation = pose.rotation.toRotationMatrix();
  out.position = out.center = pose.position;
  return out;
}

int patch_near(const Guide& guide, const Vec3& point, Vec2& uv) {
  const GuideTriangle& t = guide.triangles()[static_cast<std::size_t>(guide.nearest(point, -1))];
  uv = (t.uv[0] + t.uv[1] + t.uv[2]) / 3.0;
  return t.feature;
}

TEST(PaperEngine, guides_find_every_crossing_that_all_pairs_find) {
  const auto shape = shape::make_torus({1.0, 0.3}).value();
  Surface surface(*shape);
  const Guide guide(surface, 600);
  EXPECT_GT(guide.triangles().size(), 400U);
  Random random(5);
  int crossings = 0;
  for (int k = 0; k < 60; ++k) {
    const Posed a = posed(surface, {Vec3::Zero(), random_rotation(random)});
    const Posed b = posed(surface, {Vec3(random.between(0.5, 3.0), 0, 0), random_rotation(random)});
    const auto hit = find_collision(guide, a, guide, b, {});
    // a point of both surfaces, as far as the guides follow them
    if (hit) {
      ++crossings;
      for (const Posed& body : {a, b}) {
        const Vec3 p = body.to_body(hit->point_world);
        EXPECT_LT(std::fabs(std::hypot(p.head<2>().norm() - 1.0, p.z()) - 0.3), 0.03);
      }
      const NeglectSphere all{hit->point_world, 10.0};
      EXPECT_FALSE(find_collision(guide, a, guide, b, {&all, 1}).has_value());
    }
    // the reverse question has the same answer
    EXPECT_EQ(hit.has_value(), find_collision(guide, b, guide, a, {}).has_value());
  }
  EXPECT_GT(crossings, 10);
  EXPECT_LT(crossings, 60);
}

TEST(PaperEngine, newton_finds_the_extremal_pair_of_two_ellipsoids) {
  const auto shape = shape::make_ellipsoid({Vec3(1.0, 0.8, 0.6)}).value();
  Surface surface(*shape);
  const Guide guide(surface, 800);
  const Posed a = posed(surface, {Vec3(0, 0, 1.3), Quat::Identity()});
  const Posed b = posed(surface, {Vec3::Zero(), Quat::Identity()});
  InterfacePoint p;
  p.body_b = 1;
  p.feature_a = patch_near(guide, Vec3(0.1, 0.1, -0.6), p.uv_a);
  p.feature_b = patch_near(guide, Vec3(0.1, 0.1, 0.6), p.uv_b);
  NewtonSettings s;
  ASSERT_EQ(onto_extremal(a, b, s, p), Newton::converged);
  EXPECT_NEAR(view_of(a, b, p).separation, 0.1, 1e-8);
  EXPECT_LT((view_of(a, b, p).point - Vec3(0, 0, 0.7)).norm(), 1e-7);
}

void expect_paper_rest(PlaceScene& s) {
  auto method = method_info().make({{"engine", std::string("paper")}});
  ASSERT_TRUE(static_cast<bool>((*method)->prepare(s.problem, s.state)));
  StepReport report;
  for (int k = 0; k < 300 && report.status == RunStatus::moving; ++k)
    report = (*method)->step(s.problem, s.state);
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
}

TEST(PaperEngine, a_ball_comes_to_rest_between_three) {
  PlaceScene s;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0944 * k, ring = 2.0 / std::sqrt(3.0);
    s.add(shape::make_ball({1.0}),
          {Vec3(ring * std::cos(angle), ring * std::sin(angle), 1.0), Quat::Identity()}, true);
  }
  const int ball = s.add(shape::make_ball({1.0}), {Vec3(0.05, 0.02, 3.4), Quat::Identity()}, false);
  expect_paper_rest(s);
  EXPECT_NEAR(s.where(ball).position.z(), 2.6329931619, 1e-4);
}

TEST(PaperEngine, a_torus_lies_down) {
  PlaceScene s;
  s.add_ground();
  const int torus = s.add(shape::make_torus({1.0, 0.25}),
                          {Vec3(0, 0, 1.4), rotation_from_vector(Vec3(0.8, 0.2, 0.0))}, false);
  expect_paper_rest(s);
  EXPECT_NEAR(s.where(torus).position.z(), 0.25, 1e-2);
}

TEST(PaperEngine, two_bodies_that_may_move_are_refused) {
  PlaceScene s;
  s.add_ground();
  s.add(shape::make_ball({1.0}), {Vec3(0, 0, 2.0), Quat::Identity()}, false);
  s.add(shape::make_ball({1.0}), {Vec3(3, 0, 2.0), Quat::Identity()}, false);
  auto method = method_info().make({{"engine", std::string("paper")}});
  EXPECT_FALSE(static_cast<bool>((*method)->prepare(s.problem, s.state)));
}

}  // namespace
}  // namespace repose::place
