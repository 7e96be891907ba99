#include "repose/shape/curves.h"

#include <numbers>

#include "repose/shape/patches.h"

#include "shape/patch_checks.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

void expect_sound_curve(const Curve& curve, double size, const std::string& name) {
  const Interval domain = curve.domain();
  const double extent = domain.width(), h = 1e-3 * extent;
  Random random(41);
  for (int i = 0; i < 40; ++i) {
    const double t = random.between(domain.lo + 4 * h, domain.hi - 4 * h);
    const CurveJet j = curve.jet(t);
    const auto c = slopes([&](double s) { return Vec3(curve.jet(t + s).c); }, h);
    const auto ct = slopes([&](double s) { return Vec3(curve.jet(t + s).ct); }, h);
    EXPECT_LE(mismatch(j.ct, c, true, true) * extent, 1e-7 * size) << name;
    EXPECT_LE(mismatch(j.ctt, ct, true, true) * extent * extent, 1e-6 * size) << name;
    const double w = extent * std::pow(10.0, random.between(-6, 0));
    const Interval range{std::max(domain.lo, t - w * random.unit()), std::min(domain.hi, t + w)};
    const CurveEnclosure e = curve.enclose(range);
    const double slack = 1e-13 * size;
    EXPECT_TRUE(holds(e.c, j.c, slack) && holds(e.ct, j.ct, slack) &&
                holds(e.ctt, j.ctt, 10 * slack))
        << name;
  }
  if (!curve.closed()) return;
  const CurveJet a = curve.jet(domain.lo), b = curve.jet(domain.hi);
  EXPECT_NEAR((a.c - b.c).norm() / size, 0.0, 1e-13) << name;
  EXPECT_NEAR((a.ct - b.ct).norm() / size, 0.0, 1e-12) << name;
  EXPECT_NEAR((a.ctt - b.ctt).norm() / size, 0.0, 1e-10) << name;
}

TEST(Curves, have_exact_derivatives_and_enclosures_at_three_scales) {
  Random random(8);
  for (const double a : {1e-3, 1.0, 1e3}) {
    expect_sound_curve(*segment_curve(a * Vec3(1, 2, 3), a * Vec3(0, 1, 5)), a, "segment");
    const auto arc = arc_curve(a * Vec3(1, 0, 0), a * Vec3(0, 1, 0), a * Vec3(0, 0, 1), 0.5, 2.0);
    expect_sound_curve(*arc, a, "arc");
    EXPECT_FALSE(arc->closed());
    const std::vector<Vec3> points{a * Vec3(0, 0, 0), a * Vec3(1, 0, 0), a * Vec3(1, 1, 1),
                                   a * Vec3(0, 1, 0)};
    expect_sound_curve(**spline_curve(points), a, "spline");
    expect_sound_curve(**spline_curve(points, true), a, "closed spline");
    const auto circle = circle_curve(a, 2 * a);
    EXPECT_TRUE(circle->closed());
    expect_sound_curve(*placed(circle, {a * Vec3::Ones(), random_rotation(random)}), a, "circle");
    const auto line = patch_line(*torus_patch(2 * a, a), PatchLine::u_fixed, 0.7);
    EXPECT_TRUE(line->closed());
    expect_sound_curve(*line, a, "line of a torus");
  }
}

TEST(Curves, rim_of_a_cylinder_is_its_circle) {
  const auto line = patch_line(*cylinder_side(0.5, 0.0, 2.0), PatchLine::v_fixed, 1.0);
  const auto circle = circle_curve(0.5, 2.0);
  for (double t = -kPi; t < kPi; t += 0.3)
    EXPECT_NEAR((line->jet(t).c - circle->jet(t).c).norm(), 0.0, 1e-15);
}

TEST(Curves, splines_with_repeated_points_are_refused) {
  EXPECT_FALSE(spline_curve({Vec3::Zero(), Vec3::Zero(), Vec3::Ones()}));
  EXPECT_FALSE(spline_curve({Vec3::Zero()}));
}

}  // namespace
}  // namespace repose::shape
