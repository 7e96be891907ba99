#include "src/methods/place/row.h"

#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"

#include "src/methods/place/search.h"

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

TEST(Row, followed_from_a_row_it_has_the_bits_that_a_search_from_its_place_has) {
  Surface torus(*shape::make_torus({0.3, 0.1}).value());
  Surface egg(*shape::make_ellipsoid({Vec3(0.3, 0.2, 0.25)}).value());
  ValleySettings s;
  s.stiff = s.soft = s.firm = 1e-6;
  s.longest = 0.1;
  s.converged = 1e-15;
  Random random(41);
  for (int k = 0; k < 40; ++k) {
    const Posed p = posed(torus, Vec3(0.0, 0.0, 0.55), random.between(0.0, 2.0) * Vec3::UnitX());
    const Posed q = posed(egg, Vec3::Zero(), random.between(0.0, 2.0) * Vec3::UnitY());
    Seed seed{0, 1, 0, 0, torus.feature(0).domain.center(), egg.feature(0).domain.center()};
    seed.uv_p.x() += random.between(-1.0, 1.0);
    const auto row = descend(p, q, seed, s);
    if (!row) continue;
    const Posed later = moved(p, Vec3(0.003, -0.002, -0.004), Vec3(0.01, 0.02, -0.01));
    const auto searched = descend(later, q, row->at, s), followed = follow(later, q, *row, s);
    ASSERT_EQ(searched.has_value(), followed.has_value());
    if (!searched) continue;
    EXPECT_EQ(searched->gap, followed->gap);
    EXPECT_EQ(searched->point, followed->point);
    EXPECT_EQ(searched->normal, followed->normal);
    EXPECT_EQ(row_hessian(later, q, *searched, s), row_hessian(later, q, *followed, s));
  }
}

/// Least distance of p's patches to a ball, from a dense sweep.
double swept_gap(const Posed& p, const Vec3& center, double radius) {
  double least = std::numeric_limits<double>::infinity();
  constexpr int kSamples = 300;
  for (const Feature& f : p.surface->features()) {
    if (f.kind != FeatureKind::patch) continue;
    const shape::UvBox& d = f.domain;
    for (int i = 0; i <= kSamples; ++i)
      for (int j = 0; j <= kSamples; ++j) {
        const Vec3 x = f.face.patch->point(d.u0 + (d.u1 - d.u0) * i / kSamples,
                                           d.v0 + (d.v1 - d.v0) * j / kSamples);
        least = std::min(least, (p.to_world(x) - center).norm() - radius);
      }
  }
  return least;
}

TEST(Row, the_least_gap_of_bodies_whose_pieces_are_held_by_boxes_is_found_near_and_far) {
  shape::FormulaInput in;
  in.patches.push_back(
      {"(1+0.1*sin(4*u)*sin(3*v))*cos(u)*sin(v)", "(1+0.1*sin(4*u)*sin(3*v))*sin(u)*sin(v)",
       "(1+0.1*sin(4*u)*sin(3*v))*cos(v)", 0.0, 2.0 * std::numbers::pi, 0.0, std::numbers::pi});
  Surface bumpy(*shape::make_formula(in).value());
  Surface ball(*shape::make_ellipsoid({Vec3(0.7, 0.7, 0.7)}).value());
  SearchSettings s;
  s.valley.stiff = s.valley.soft = s.valley.firm = 1e-6;
  s.valley.longest = s.longest = 0.35;
  s.valley.converged = 1e-14;
  s.length = 0.7;
  s.chord = 0.04;
  s.merge = 0.03;
  s.duplicate = 1e-6;
  s.within = 0.25;
  Random random(42);
  int asked = 0;
  for (int k = 0; k < 12; ++k) {
    const Posed p = posed(bumpy, Vec3::Zero(), Vec3(random.normal(), random.normal(), 0.0));
    const double apart = random.between(1.8, 2.0);
    const Posed q = posed(ball, apart * Vec3::UnitZ(), Vec3(random.normal(), 0.5, 0.0));
    const double gap = swept_gap(p, q.position, 0.7);
    std::vector<Row> rows;
    find_rows(0, p, 1, q, s, rows);
    double least = std::numeric_limits<double>::infinity();
    for (const Row& row : rows) least = std::min(least, row.gap);
    if (gap > s.within) continue;
    ++asked;
    EXPECT_NEAR(least, gap, 1e-3) << k;
    EXPECT_LE(least, gap + 1e-12) << k;
  }
  EXPECT_GT(asked, 5);
}

}  // namespace
}  // namespace repose::place
