// What a cone or cylinder has near a much smaller body, and how such pairs are judged.
#include "check/gap/frustum_near.h"

#include <gtest/gtest.h>

#include "check/gap/convex_gap.h"
#include "check/gap/prepared.h"
#include "check/sweep.h"
#include "check/wild.h"

namespace repose::check {
namespace {

using Fine = VecOf<long double>;
using shape::FrustumForm;

FrustumForm random_frustum(Random& random) {
  const double r = random.between(0.2, 2.0), h = random.between(0.2, 3.0);
  const double top = std::vector{0.0, r, r * random.unit()}[random.below(3)];
  const double low = random.between(-2.0, 1.0);
  return random.unit() < 0.5 ? FrustumForm{r, top, low, low + h}
                             : FrustumForm{top, r, low, low + h};
}

/// In the half plane, by the definition: between the ends and within the radius there.
bool holds(const FrustumForm& f, const Vec3& p, double slack) {
  const double share = (p.z() - f.z0) / (f.z1 - f.z0);
  return share >= -slack && share <= 1.0 + slack &&
         std::hypot(p.x(), p.y()) <= f.r0 + share * (f.r1 - f.r0) + slack;
}

/// A point on the border: on the side or an end.
Vec3 on_border(const FrustumForm& f, Random& random) {
  const double turn = random.between(0.0, 2.0 * EIGEN_PI), share = random.unit();
  const std::size_t which = random.below(3);
  const double z = which == 0 ? f.z0 : which == 1 ? f.z1 : f.z0 + share * (f.z1 - f.z0);
  const double most = f.r0 + (z - f.z0) / (f.z1 - f.z0) * (f.r1 - f.r0);
  const double r = which == 2 ? most : most * std::sqrt(share);
  return {r * std::cos(turn), r * std::sin(turn), z};
}

TEST(FrustumNear, the_nearest_point_is_in_it_and_no_other_is_nearer) {
  Random random(771);
  for (int k = 0; k < 200; ++k) {
    const FrustumForm f = random_frustum(random);
    const Vec3 p = 4.0 * random.unit() * random_direction(random);
    const Vec3 at = nearest_in(f, p.cast<long double>()).cast<double>();
    EXPECT_TRUE(holds(f, at, 1e-12));
    if (holds(f, p, 0.0)) {
      EXPECT_EQ(at, p);
    }
    for (int i = 0; i < 200; ++i)
      EXPECT_LE((at - p).norm(), (on_border(f, random) - p).norm() + 1e-12) << holds(f, p, 0.0);
  }
}

TEST(FrustumNear, the_part_holds_all_that_is_near_and_little_more) {
  Random random(772);
  for (int k = 0; k < 400; ++k) {
    const FrustumForm f = random_frustum(random);
    const double half = std::pow(10.0, random.between(-7.0, -0.5));
    const Vec3 border = on_border(f, random);
    const Fine at = (border + half * random.unit() * random_direction(random)).cast<long double>();
    const NearPart part = part_beside(f, at, half);
    if (!part.body) continue;
    const Vec3 origin = part.origin.cast<double>();
    // along any direction it reaches as far as the points of the body in the cube
    for (int i = 0; i < 100; ++i) {
      const Vec3 p = (i % 2 ? border : Vec3(at.cast<double>())) +
                     half * random.unit() * random_direction(random);
      if (!holds(f, p, 0.0) || (p - at.cast<double>()).cwiseAbs().maxCoeff() > half) continue;
      const Vec3 d = random_direction(random);
      EXPECT_GE(part.body->support(d), d.dot(p - origin) - 1e-14);
    }
    // at the border beside the place the two agree
    const Fine foot = nearest_in(f, at);
    if ((foot - at).norm() == 0.0) continue;
    const Vec3 out = (at - foot).normalized().cast<double>();
    const double bent = half * half / std::max(f.r0, f.r1);
    EXPECT_NEAR(part.body->support(out), out.dot((foot - part.origin).cast<double>()),
                4.0 * bent + 1e-13);
  }
}

TEST(FrustumNear, cones_and_cylinders_much_larger_than_the_other_body_are_decided) {
  Random random(773);
  long judged = 0, open = 0;
  constexpr long kPairs = 500;
  while (judged < kPairs) {
    const wild::Pair p = wild::draw_wild(wild::Wildness::ratio, sweep::draw_gap(random), random);
    const wild::Body& larger = p.a.size() > p.b.size() ? p.body_a : p.body_b;
    if (larger.kind != "cone" && larger.kind != "cylinder") continue;
    ++judged;
    const GapBracket g = convex_convex(p.a, *prepared(p.a.shape)->convex(), p.b,
                                       *prepared(p.b.shape)->convex(), {.width = 1e-6});
    EXPECT_EQ(wild::fault(p, g), "") << p.body_a.kind << ' ' << p.body_b.kind;
    // one point of both is an overlap, however open its depth
    open += g.status == GapStatus::undecided && !(g.upper < 0.0);
  }
  EXPECT_LE(open, kPairs / 250);
}

}  // namespace
}  // namespace repose::check
