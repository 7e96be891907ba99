// Unions judged part by part, against the same parts as bodies of their own.
#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

std::vector<shape::UnionPart> stand(double s, Random& random) {
  return {{shape::make_cylinder({0.5 * s, 0.3 * s}).value(), {s * Vec3(0, 0, 0.15)}},
          {shape::make_torus({0.4 * s, 0.12 * s}).value(),
           {s * Vec3(0.01, 0.02, 0.32), random_rotation(random)}},
          {shape::make_ball({0.15 * s}).value(), {s * Vec3(0, 0, 0.25)}}};
}

TEST(UnionGap, a_union_is_apart_where_its_parts_are_and_overlaps_where_one_does) {
  Random random(7);
  const double scale = 1e-3;
  int asked = 0, shown = 0;
  for (int k = 0; k < 12; ++k) {
    shape::UnionInput in;
    in.parts = stand(scale, random);
    const auto united = shape::make_union(in).value();
    const Quat turn = random_rotation(random);
    const Vec3 place = 3.0 * scale * random_direction(random);
    const PlacedBody whole = at(united, place, turn);
    PlacedBody other = at(shape::make_box({scale * Vec3(0.5, 0.4, 0.3)}).value(),
                          place + turn * (scale * Vec3(0.1, 0.2, 1.0)), random_rotation(random));
    // down onto the parts, to a gap or an overlap of that share of the size
    const double wanted = (k % 2 == 0 ? 1e-9 : -1e-8) * scale;
    double low = -1.2 * scale, high = 0.0;
    const auto least = [&](double move) {
      PlacedBody moved = other;
      moved.world_from_body.position += turn * Vec3(0, 0, move);
      double out = std::numeric_limits<double>::infinity();
      for (const auto& part : in.parts) {
        const GapBracket g = gap(at(part.shape, place + turn * part.pose.position,
                                    (turn * part.pose.rotation).normalized()),
                                 moved);
        out = std::min(out, 0.5 * (g.lower + g.upper));
      }
      return out;
    };
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (low + high);
      (least(middle) > wanted ? high : low) = middle;
    }
    other.world_from_body.position += turn * Vec3(0, 0, high);
    const GapBracket g = gap(whole, other);
    if (wanted > 0.0) {
      ++asked;
      shown += g.lower >= -1e-9 * scale;
    } else {
      EXPECT_LT(g.lower, 0.0) << k;
    }
  }
  EXPECT_GE(4 * shown, 3 * asked);
}

TEST(UnionGap, a_needle_in_a_face_or_an_edge_that_parts_share_lies_in_matter) {
  Random random(8);
  constexpr double kShortest = 1e-9;  // m: of lengths that shapes take
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const bool edge : {false, true}) {
      // two cubes that share the face x = 0, or the edge x = y = 0
      const auto cube = shape::make_box({scale * Vec3(1, 1, 1)}).value();
      const double aside = edge ? 0.5 : 0.0;
      const auto united = shape::make_union({{{cube, {scale * Vec3(-0.5, -aside, 0)}},
                                              {cube, {scale * Vec3(0.5, aside, 0)}}}})
                              .value();
      for (const double thin : {1e-5, 1e-7}) {
        const double r = thin * scale, length = 0.5 * scale;
        if (r < kShortest) continue;
        const shape::ShapePtr needles[] = {
            shape::make_cylinder({r, length}).value(), shape::make_capsule({r, length}).value(),
            shape::make_box({Vec3(2.0 * r, 2.0 * r, length)}).value()};
        const auto& needle = needles[random.below(std::size(needles))];
        const Quat turn = random_rotation(random);
        const Vec3 place = scale * random_direction(random);
        const PlacedBody whole = at(united, place, turn);
        // within the face or along the edge
        const Vec3 in = edge ? Vec3(0, 0, 0.1) : Vec3(0, 0.1, 0.05);
        Input input;
        input.gravity.setZero();
        input.bodies = {whole, at(needle, place + turn * (scale * in), turn)};
        EXPECT_EQ(check(input).overlap, Answer::missed) << scale << ' ' << edge << ' ' << thin;
        // beyond the end of both
        input.bodies[1].world_from_body.position =
            place + turn * (scale * Vec3(0, 0, 0.5 + 1e-6) + Vec3(0, 0, 0.5 * length + r));
        EXPECT_EQ(check(input).overlap, Answer::proven) << scale << ' ' << edge << ' ' << thin;
      }
    }
}

}  // namespace
}  // namespace repose::check
