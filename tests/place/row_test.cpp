#include "../../src/place/row.h"

#include <gtest/gtest.h>

#include "repose/shape/make.h"

namespace repose::place {
namespace {

Posed posed(Surface& surface, const Vec3& position, const Vec3& turn) {
  Posed out;
  out.surface = &surface;
  out.rotation = rotation_from_vector(turn).toRotationMatrix();
  out.position = position;
  out.center = position + out.rotation * Vec3(0.05, -0.02, 0.03);
  return out;
}

Posed moved(const Posed& p, const Vec3& move, const Vec3& turn) {
  Posed out = p;
  const Mat3 r = rotation_from_vector(turn).toRotationMatrix();
  out.rotation = r * p.rotation;
  out.center = p.center + move;
  out.position = out.center + r * (p.position - p.center);
  return out;
}

int first_of(const Surface& s, FeatureKind kind) {
  for (std::size_t i = 0; i < s.features().size(); ++i)
    if (s.features()[i].kind == kind && !(kind == FeatureKind::patch && s.features()[i].planar))
      return static_cast<int>(i);
  return -1;
}

/// The row's gap bends along random motions of both bodies as its second derivative says.
void expect_bending(const Posed& p, const Posed& q, const Seed& seed) {
  ValleySettings s;
  s.stiff = s.soft = s.firm = 1e-6;
  s.longest = 0.5;
  s.converged = 1e-15;
  const auto row = descend(p, q, seed, s);
  ASSERT_TRUE(row);
  const auto h = row_hessian(p, q, *row, s);
  Random random(3);
  for (int k = 0; k < 6; ++k) {
    Eigen::Matrix<double, 12, 1> x;
    for (int i = 0; i < 12; ++i) x[i] = random.normal();
    x *= 1e-4 / x.norm();
    const auto gap = [&](double t) {
      const Eigen::Matrix<double, 12, 1> y = t * x;
      const auto r = descend(moved(p, y.segment<3>(0), y.segment<3>(3)),
                             moved(q, y.segment<3>(6), y.segment<3>(9)), row->at, s);
      EXPECT_TRUE(r);
      return r ? r->gap : 0.0;
    };
    const double measured = gap(1.0) - 2.0 * gap(0.0) + gap(-1.0);
    EXPECT_NEAR(measured, x.dot(h * x), 2e-2 * std::fabs(x.dot(h * x)) + 2e-11) << k;
  }
}

TEST(Row, its_gap_bends_as_the_second_derivative_says_for_two_ellipsoids) {
  const auto upper = shape::make_ellipsoid({Vec3(1.0, 0.7, 0.5)});
  const auto lower = shape::make_ellipsoid({Vec3(0.8, 1.1, 0.6)});
  Surface a(**upper), b(**lower);
  // the charts about -z and +z
  const Seed seed{0, 1, 5, 4, Vec2(0.0, 0.0), Vec2(0.0, 0.0), false};
  expect_bending(posed(a, Vec3(0.1, 0.05, 1.3), Vec3(0.15, 0.1, 0.2)),
                 posed(b, Vec3::Zero(), Vec3(0.1, -0.1, 0.0)), seed);
}

TEST(Row, its_gap_bends_as_the_second_derivative_says_for_a_rim_over_a_plane) {
  const auto cylinder = shape::make_cylinder({0.4, 1.0});
  const auto box = shape::make_box({Vec3(4, 4, 1)});
  Surface a(**cylinder), b(**box);
  const Posed p = posed(a, Vec3(0, 0, 1.35), Vec3(0.4, 0.1, 0.0));
  const Posed q = posed(b, Vec3::Zero(), Vec3::Zero());
  int rims = 0;
  for (std::size_t e = 0; e < a.features().size(); ++e) {
    if (a.features()[e].kind != FeatureKind::curve) continue;
    for (std::size_t f = 0; f < b.features().size(); ++f) {
      const Feature& face = b.features()[f];
      if (face.kind != FeatureKind::patch || normal_at(face, face.domain.center()).z() < 0.9)
        continue;
      Seed seed{
          0,    1, static_cast<int>(e), static_cast<int>(f), Vec2(-1.5, 0.0), face.domain.center(),
          false};
      ValleySettings s;
      s.longest = 0.5;
      s.converged = 1e-15;
      if (!descend(p, q, seed, s)) continue;
      expect_bending(p, q, seed);
      ++rims;
    }
  }
  EXPECT_GE(rims, 1);
}

TEST(Row, its_gap_bends_as_the_second_derivative_says_for_a_rim_over_a_torus) {
  const auto cylinder = shape::make_cylinder({0.4, 1.0});
  const auto torus = shape::make_torus({1.0, 0.3});
  Surface a(**cylinder), b(**torus);
  const int rim = first_of(a, FeatureKind::curve);
  Seed seed{0, 1, rim, 0, Vec2(-1.5, 0.0), Vec2(0.0, 1.5), false};
  expect_bending(posed(a, Vec3(1.0, 0.2, 1.1), Vec3(0.5, 0.2, 0.0)),
                 posed(b, Vec3::Zero(), Vec3(0.1, 0.0, 0.0)), seed);
}

TEST(Row, rims_that_nearly_kiss_still_cross) {
  Surface a(*shape::make_cylinder({1.0, 1.0}).value()),
      b(*shape::make_cylinder({1.5, 1.0}).value());
  const auto rim = [](const Surface& s, double side) {
    for (std::size_t i = 0; i < s.features().size(); ++i) {
      const Feature& f = s.features()[i];
      if (f.kind == FeatureKind::curve && side * f.curve->jet(f.domain.u0).c.z() > 0.0)
        return static_cast<int>(i);
    }
    return -1;
  };
  // the smaller stands out over the larger's rim by 1e-8: they cross at y = +-2.4e-4, at a sine of
  // 8e-5
  const double out = 1e-8, gap = 1e-7;
  const Posed p = posed(a, Vec3(0.5 + out, 0.0, 1.0 + gap), Vec3::Zero());
  const Posed q = posed(b, Vec3::Zero(), Vec3::Zero());
  ValleySettings s;
  s.longest = 0.5;
  s.converged = 1e-15;
  Seed seed;
  seed.p = 0;
  seed.q = 1;
  seed.feature_p = rim(a, -1.0);
  seed.feature_q = rim(b, 1.0);
  const Feature &fp = a.feature(seed.feature_p), &fq = b.feature(seed.feature_q);
  const auto near_x = [](const Feature& f, double y) {
    double best = f.domain.u0, least = 1e9;
    for (int i = 0; i <= 200'000; ++i) {
      const double u = f.domain.u0 + (f.domain.u1 - f.domain.u0) * i / 200'000;
      const Vec3 c = f.curve->jet(u).c;
      if (c.x() > 0.0 && std::fabs(c.y() - y) < least) {
        least = std::fabs(c.y() - y);
        best = u;
      }
    }
    return best;
  };
  seed.uv_p.x() = near_x(fp, 3e-4);
  seed.uv_q.x() = near_x(fq, 3e-4);
  const auto row = descend(p, q, seed, s);
  ASSERT_TRUE(row);
  EXPECT_NEAR(row->point.y(), std::sqrt(6.0 * out), 1e-7);
  EXPECT_NEAR(row->gap, gap, 1e-15);
  EXPECT_LT((row->normal - Vec3::UnitZ()).norm(), 1e-9);
}

TEST(Row, a_corner_beside_a_rim_keeps_its_distance_to_it) {
  const auto box = shape::make_box({Vec3(1, 1, 1)});
  const auto cylinder = shape::make_cylinder({0.4, 1.0});
  Surface a(**box), b(**cylinder);
  const Posed q = posed(b, Vec3::Zero(), Vec3::Zero());
  int rims = 0;
  for (std::size_t e = 0; e < b.features().size(); ++e) {
    const Feature& rim = b.features()[e];
    if (rim.kind != FeatureKind::curve) continue;
    const Vec3 top = rim.curve->jet(rim.domain.u0).c;
    if (top.z() <= 0.0) continue;
    for (std::size_t c = 0; c < a.features().size(); ++c) {
      const Feature& corner = a.features()[c];
      if (corner.kind != FeatureKind::point) continue;
      // out of the rim's plane and its cylinder, by 0.1 and 0.05
      const Vec3 place = 1.25 * Vec3(top.x(), top.y(), 0.0) + Vec3(0.0, 0.0, top.z() + 0.05);
      const Vec3 turn(0.1, 0.2, -0.1);
      const Posed p = posed(a, place - rotation_from_vector(turn) * corner.point, turn);
      const Seed seed{0,
                      1,
                      static_cast<int>(c),
                      static_cast<int>(e),
                      Vec2::Zero(),
                      Vec2(rim.domain.u0 + 0.1, 0.0),
                      false};
      ValleySettings s;
      s.longest = 0.5;
      s.converged = 1e-15;
      const auto row = descend(p, q, seed, s);
      ASSERT_TRUE(row);
      EXPECT_NEAR(row->gap, std::hypot(0.1, 0.05), 1e-12);
      EXPECT_LT((row->foot - top).norm(), 1e-9);
      expect_bending(p, q, seed);
      ++rims;
    }
  }
  EXPECT_GE(rims, 8);
}

}  // namespace
}  // namespace repose::place
