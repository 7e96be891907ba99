#include "repose/shape/patches.h"

#include "shape/patch_checks.h"

namespace repose::shape {
namespace {

/// A grid with bumps; `jitter` from a fixed source.
std::vector<std::vector<Vec3>> grid(double a, int m, int n) {
  Random random(77);
  std::vector<std::vector<Vec3>> out(static_cast<std::size_t>(m));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      out[static_cast<std::size_t>(i)].push_back(
          a * Vec3(i + 0.3 * random.unit(), j + 0.3 * random.unit(), random.unit()));
  return out;
}

/// First and last knot repeated degree + 1 times, the others at 1, 2, 3, ...
std::vector<double> clamped_knots(int degree, int points) {
  std::vector<double> out(static_cast<std::size_t>(degree) + 1, 0.0);
  const int spans = points - degree;
  for (int i = 1; i < spans; ++i) out.push_back(i);
  for (int i = 0; i <= degree; ++i) out.push_back(spans);
  return out;
}

Bspline bumps(double a, int p, int q, int m, int n) {
  return {p, q, clamped_knots(p, m), clamped_knots(q, n), grid(a, m, n), {}};
}

void expect_sound_spline(const Patch& patch, double size, const std::string& name) {
  // one-sided differences at the borders of high degrees need short steps
  expect_exact_derivatives(patch, {.size = size, .tolerance = 1e-6, .step = 1e-4, .name = name});
  expect_enclosures_hold(patch, name, 1e-13);
  expect_first_order_shrinking(patch, name);
  expect_exact_normals(patch, name);
}

TEST(Bezier, has_exact_derivatives_and_enclosures) {
  for (const double a : {1e-3, 1.0, 1e3}) {
    const auto points = grid(a, 4, 4);
    BezierNet net;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) net[i][j] = points[i][j];
    const auto patch = *bezier_patch(net);
    expect_sound_spline(*patch, 3 * a, "bezier");
    EXPECT_EQ(patch->point(0, 0), net[0][0]);
    EXPECT_EQ(patch->point(1, 0), net[3][0]);
    EXPECT_EQ(patch->point(0, 1), net[0][3]);
  }
}

TEST(Bezier, a_side_drawn_to_a_point_has_a_normal_there) {
  BezierNet net;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      const double s = static_cast<double>(i) / 3, t = static_cast<double>(j) / 3;
      net[i][j] = Vec3(t * (s - 0.5), t, -t * t);
    }
  const auto patch = *bezier_patch(net);
  EXPECT_EQ(patch->jet(0.4, 0.0).su, Vec3::Zero());
  expect_exact_normals(*patch, "drawn to a point");
  EXPECT_NEAR((patch->normal(0.5, 0.0) - Vec3(0, 1, 3).normalized()).norm(), 0.0, 1e-12);
}

TEST(Bspline, of_every_degree_has_exact_derivatives_and_enclosures) {
  for (int p = 1; p <= 7; ++p) {
    const int q = 1 + p % 5;
    const double a = p % 3 == 0 ? 1.0 : p % 3 == 1 ? 1e-3 : 1e3;
    const auto patches = *bspline_patches(bumps(a, p, q, p + 3, q + 2));
    const std::size_t cells_u = p < 3 ? 3 : 1, cells_v = q < 3 ? 2 : 1;
    ASSERT_EQ(patches.size(), cells_u * cells_v) << p << " " << q;
    expect_sound_spline(*patches[0], 3 * a, "degree " + std::to_string(p) + std::to_string(q));
  }
}

TEST(Bspline, weights_give_exact_derivatives_and_enclosures) {
  Random random(5);
  for (const double a : {1e-3, 1.0, 1e3}) {
    Bspline spline = bumps(a, 3, 4, 6, 7);
    spline.weights.assign(6, std::vector<double>(7));
    for (auto& row : spline.weights)
      for (double& w : row) w = random.between(0.7, 1.5);
    const auto patches = *bspline_patches(spline);
    ASSERT_EQ(patches.size(), 1u);
    expect_sound_spline(*patches[0], 5 * a, "rational");
  }
}

TEST(Bspline, quarter_circle_by_weights_is_round) {
  const double w = std::sqrt(0.5);
  Bspline spline;
  spline.degree_u = 2;
  spline.degree_v = 1;
  spline.knots_u = {0, 0, 0, 1, 1, 1};
  spline.knots_v = {0, 0, 1, 1};
  for (const Vec3& p : {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0)})
    spline.points.push_back({p, p + Vec3::UnitZ()});
  spline.weights = {{1, 1}, {w, w}, {1, 1}};
  const auto patches = *bspline_patches(spline);
  ASSERT_EQ(patches.size(), 1u);
  for (double u = 0; u <= 1; u += 0.125) {
    const Vec3 p = patches[0]->point(u, 0.4);
    EXPECT_NEAR(p.head<2>().norm(), 1.0, 1e-15);
    EXPECT_NEAR((patches[0]->normal(u, 0.4) - Vec3(p[0], p[1], 0)).norm(), 0.0, 1e-14);
  }
}

TEST(Bspline, is_cut_where_a_repeated_knot_breaks_its_curvature) {
  Bspline spline = bumps(1.0, 3, 3, 7, 4);
  spline.knots_u = {0, 0, 0, 0, 1, 2, 2, 3, 3, 3, 3};
  const auto patches = *bspline_patches(spline);
  ASSERT_EQ(patches.size(), 2u);
  EXPECT_EQ(patches[0]->domain().u1, 2.0);
  EXPECT_EQ(patches[1]->domain().u0, 2.0);
  const PatchJet left = patches[0]->jet(2.0, 0.3), right = patches[1]->jet(2.0, 0.3);
  EXPECT_NEAR((left.s - right.s).norm(), 0.0, 1e-14);
  EXPECT_NEAR((left.su - right.su).norm(), 0.0, 1e-13);
  EXPECT_GT((left.suu - right.suu).norm(), 1e-3);
}

TEST(Bspline, unclamped_periodic_net_closes_on_itself) {
  // the uniform cubic spline over a ring of eight points, three repeated
  Bspline spline;
  for (int i = 0; i < 11; ++i) {
    const double t = 0.25 * 3.14159265358979 * (i % 8);
    spline.points.push_back({});
    for (int j = 0; j < 4; ++j)
      spline.points.back().emplace_back(std::cos(t), std::sin(t), 0.5 * j);
    spline.knots_u.push_back(i);
  }
  for (int i = 11; i < 15; ++i) spline.knots_u.push_back(i);
  spline.knots_v = {0, 0, 0, 0, 1, 1, 1, 1};
  const auto patches = *bspline_patches(spline);
  ASSERT_EQ(patches.size(), 1u);
  EXPECT_TRUE(patches[0]->closed_u());
  EXPECT_FALSE(patches[0]->closed_v());
  expect_seams_meet(*patches[0], 1.0, "ring");
  expect_sound_spline(*patches[0], 1.0, "ring");
}

TEST(Bspline, bad_splines_are_refused_by_name) {
  const auto pointer = [](const Bspline& s) { return bspline_patches(s).error().pointer; };
  Bspline s = bumps(1.0, 3, 3, 5, 5);
  s.degree_u = 0;
  EXPECT_EQ(pointer(s), "/degree_u");
  s = bumps(1.0, 3, 3, 5, 5);
  std::swap(s.knots_v[4], s.knots_v[6]);
  EXPECT_EQ(pointer(s), "/knots_v");
  s = bumps(1.0, 3, 3, 5, 5);
  s.knots_u.pop_back();
  EXPECT_EQ(pointer(s), "/knots_u");
  s = bumps(1.0, 3, 3, 5, 5);
  s.knots_u[5] = std::nan("");
  EXPECT_EQ(pointer(s), "/knots_u");
  s = bumps(1.0, 3, 3, 5, 5);
  s.weights.assign(5, std::vector<double>(5, 1.0));
  s.weights[2][3] = -1.0;
  EXPECT_EQ(pointer(s), "/weights/2/3");
  s = bumps(1.0, 3, 3, 5, 5);
  s.points[1].pop_back();
  EXPECT_EQ(pointer(s), "/points/1");
  s = bumps(1.0, 1, 3, 4, 5);
  s.knots_u = {0, 0, 1, 1, 2, 2};
  EXPECT_TRUE(bspline_patches(s).error().wrong.find("tear") != std::string::npos);
  s.points.clear();
  EXPECT_EQ(pointer(s), "/points");
}

}  // namespace
}  // namespace repose::shape
