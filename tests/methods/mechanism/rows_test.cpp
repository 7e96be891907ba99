#include "src/methods/mechanism/rows.h"

#include <functional>

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose::mechanism {
namespace {

/// Checks a row's velocity and the rate of its Jacobian against differences of its value.
void expect_rates(const std::function<Row(const Motion&)>& row_at, const Motion& motion,
                  const std::function<double(const Row&)>& measured, bool value_too) {
  constexpr double kStep = 1e-5;
  const auto moved = [&](double h) {
    Motion out = motion;
    for (std::size_t i = 0; i < out.place.size(); ++i) out.place[i] += h * motion.rate[i];
    return row_at(out);
  };
  const Row here = row_at(motion), after = moved(kStep), before = moved(-kStep);
  if (value_too) {
    EXPECT_NEAR((measured(after) - measured(before)) / (2 * kStep), here.rate, 1e-7);
  }
  EXPECT_NEAR((after.rate - before.rate) / (2 * kStep), here.row.b, 1e-6);
  double along = 0.0;
  const auto part = [&](int body, const RowPart& p) {
    if (body < 0) return;
    const Plane3& v = motion.rate[static_cast<std::size_t>(body)];
    along += p[0] * v.x() + p[1] * v.y() + p[2] * v.z();
  };
  part(here.row.body_a, here.row.part_a);
  part(here.row.body_b, here.row.part_b);
  EXPECT_NEAR(along, here.rate, 1e-12);
}

Motion random_motion(Random& random) {
  Motion out;
  const auto draw = [&] {
    return Plane3(random.unit() - 0.5, random.unit() - 0.5, 4.0 * random.unit());
  };
  out.place = {draw(), draw() + Plane3(1.0, 2.0, 0.0)};
  out.rate = {draw(), draw()};
  return out;
}

TEST(Rows, rates_and_their_rates_agree_with_differences) {
  Random random(11);
  const auto value = [](const Row& row) { return row.value; };
  for (int round = 0; round < 50; ++round) {
    const Motion motion = random_motion(random);
    const Anchor a{0, Vec2(random.unit(), random.unit())}, b{1, Vec2(-0.3, 0.2)},
        w{-1, Vec2(3.0, 1.0)};
    for (const Anchor& other : {b, w}) {
      expect_rates([&](const Motion& m) { return difference_row(a, other, Vec2(0.6, 0.8), m); },
                   motion, value, true);
      expect_rates([&](const Motion& m) { return offset_row(a, other, Vec2(0.6, 0.8), m); }, motion,
                   value, true);
      expect_rates([&](const Motion& m) { return distance_row(a, other, 0.5, m); }, motion, value,
                   true);
    }
    expect_rates([&](const Motion& m) { return turn_row(0, 1.0, 1, -2.0, 0.1, m); }, motion, value,
                 true);
    Feature side;
    side.point_body = 0;
    side.side_body = 1;
    side.point = a.arm;
    side.point_radius = round % 2 == 0 ? 0.0 : 0.3;
    side.base = b.arm;
    side.side_normal = Vec2(0.8, -0.6);
    Feature round_feature = side;
    round_feature.curved = true;
    round_feature.base_radius = 0.2;
    for (const Feature& f : {side, round_feature}) {
      expect_rates(
          [&](const Motion& m) {
            const ContactFrame frame = frame_of(f, m);
            return contact_row(f, frame, frame.normal, m);
          },
          motion, value, true);
      expect_rates(
          [&](const Motion& m) {
            const ContactFrame frame = frame_of(f, m);
            return contact_row(f, frame, left_of(frame.normal), m);
          },
          motion, value, false);
    }
  }
}

}  // namespace
}  // namespace repose::mechanism
