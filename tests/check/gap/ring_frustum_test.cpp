// A torus about the axis of a cone or cylinder, against the ring walked around in long double.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/wild.h"

namespace repose::check {
namespace {

using wild::Long;
using wild::LongMat;
using wild::LongVec;

struct Ends {
  double r0, z0, r1, z1;
};

/// The distance of a point from the frustum, 0 inside.
Long distance(const Ends& f, const LongVec& p) {
  const Long r = std::hypot(p.x(), p.y()), z = p.z();
  const Long dr = Long(f.r1) - f.r0, dz = Long(f.z1) - f.z0;
  const Long low = std::min(f.z0, f.z1), high = std::max(f.z0, f.z1);
  const Long share =
      std::clamp<Long>(((r - f.r0) * dr + (z - f.z0) * dz) / (dr * dr + dz * dz), 0, 1);
  Long out = std::hypot(r - (f.r0 + share * dr), z - (f.z0 + share * dz));
  for (const auto& [end_r, end_z] : {std::pair(f.r0, f.z0), std::pair(f.r1, f.z1)})
    out = std::min(out, std::hypot(std::max<Long>(0, r - end_r), z - end_z));
  const bool within = z > low && z < high && r < f.r0 + (z - f.z0) / dz * dr;
  return within ? 0 : out;
}

/// The least over the ring; true to the square of the step.
Long walked(const Ends& f, const PlacedBody& frustum, const PlacedBody& torus, double ring) {
  constexpr int kSteps = 4000;
  const LongMat ra = wild::turn_of(frustum.world_from_body.rotation);
  const LongMat rb = wild::turn_of(torus.world_from_body.rotation);
  const LongVec between =
      torus.world_from_body.position.cast<Long>() - frustum.world_from_body.position.cast<Long>();
  Long least = std::numeric_limits<Long>::infinity();
  for (int k = 0; k < kSteps; ++k) {
    const Long turn = 2 * std::numbers::pi_v<Long> * k / kSteps;
    const LongVec on = rb * LongVec(ring * std::cos(turn), ring * std::sin(turn), 0) + between;
    least = std::min(least, distance(f, ra.transpose() * on));
  }
  return least;
}

TEST(RingFrustum, brackets_hold_what_a_walk_around_the_ring_sees) {
  Random random(77);
  int closed = 0, all = 0;
  for (const double s : {1e-3, 1.0, 1e3})
    for (int k = 0; k < 60; ++k) {
      const double r = s * random.between(0.4, 1.0), h = s * random.between(0.5, 2.0);
      const bool round = random.unit() < 0.5;
      const auto shape =
          round ? shape::make_cylinder({r, h}).value() : shape::make_cone({r, h, 0.0}).value();
      const Ends f = round ? Ends{r, -0.5 * h, r, 0.5 * h} : Ends{r, 0.0, 0.0, h};
      const double ring = s * random.between(0.2, 1.2), tube = 0.3 * ring;
      // from one axis to well off it
      const double off = std::pow(10.0, random.between(-13.0, -1.0));
      const Quat lean = rotation_from_vector(off * random_direction(random));
      const Vec3 place(off * s * random.normal(), off * s * random.normal(),
                       s * random.between(-1.0, 2.5));
      const Pose by{3.0 * s * random_direction(random), random_rotation(random)};
      const PlacedBody a = at(shape, by.position, by.rotation);
      PlacedBody b = at(shape::make_torus({ring, tube}).value(), by * place,
                        (by.rotation * lean).normalized());
      const Long seen = walked(f, a, b, ring);
      if (seen < Long(0.01) * s) continue;  // the spine runs into the frustum
      const GapBracket g = gap(a, b, {.width = 1e-9});
      const Long truth = seen - Long(tube);
      const double step = 2.0 * std::numbers::pi / 4000 * ring;
      ++all;
      closed += g.width() <= 1e-9 * std::min(a.size(), b.size());
      EXPECT_LE(g.lower, static_cast<double>(truth) + 1e-13 * s) << s << ' ' << off;
      EXPECT_GE(g.upper, static_cast<double>(truth) - step * step / ring - 1e-13 * s)
          << s << ' ' << off;
    }
  EXPECT_GT(all, 60);
  EXPECT_GT(closed, 9 * all / 10);
}

TEST(RingFrustum, contact_all_along_the_circle_closes_at_once) {
  for (const double s : {1e-3, 1.0, 1e3})
    for (const double pushed : {0.0, -1e-8, 1e-8}) {
      const double angle = std::numbers::pi / 6;  // half of the cone's
      const auto cone = shape::make_cone({2.0 * s * std::tan(angle), 2.0 * s, 0.0}).value();
      const double ring = 0.8 * s, tube = 0.2 * s;
      // above the side by the tube: along the axis by tube / sin(half angle)
      const double height =
          2.0 * s - ring / std::tan(angle) + (tube + pushed * s) / std::sin(angle);
      const GapBracket g =
          gap(at(cone, Vec3::Zero()), at(shape::make_torus({ring, tube}).value(), {0, 0, height}));
      EXPECT_EQ(g.status, GapStatus::closed);
      EXPECT_LE(g.lower, pushed * s + 1e-15 * s);
      EXPECT_GE(g.upper, pushed * s - 1e-15 * s);
      EXPECT_LE(g.width(), 1e-13 * s);
      EXPECT_LE(g.tests, 10);
    }
}

}  // namespace
}  // namespace repose::check
