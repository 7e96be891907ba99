#include "src/methods/mechanism/advance.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"

#include "mechanism_scene.h"

namespace repose::mechanism {
namespace {

Part box_part(double width, double height) {
  MechanismScene scene;
  scene.add_box(width, height, Vec2::Zero());
  auto bodies = prepare_bodies(scene.problem, scene.state);
  return bodies->front().parts.front();
}

TEST(Advance, the_first_touch_of_turning_boxes_is_never_after_an_overlap) {
  Random random(3);
  const Part a = box_part(1.0, 0.2), b = box_part(0.5, 0.7);
  int met = 0;
  for (int round = 0; round < 300; ++round) {
    const auto draw = [&](double scale) {
      return Plane3(scale * (random.unit() - 0.5), scale * (random.unit() - 0.5),
                    scale * (random.unit() - 0.5));
    };
    Motion start;
    start.place = {Plane3(-1.5, 0.0, 0.0) + draw(0.4), Plane3(1.5, 0.0, 0.0) + draw(0.4)};
    start.rate = {Plane3::Zero(), Plane3::Zero()};
    const std::vector<Plane3> first{Plane3(4, 0, 0) + draw(10.0), Plane3(-4, 0, 0) + draw(10.0)};
    const std::vector<Plane3> mean{first[0] + draw(3.0), first[1] + draw(3.0)};
    const Path path{&start, &first, &mean, 1.0};
    constexpr double kLevel = 1e-6;
    PlacedPart pa, pb;
    pa.place(a, start.place[0]);
    pb.place(b, start.place[1]);
    const double time = first_touch(path, 0, pa, 1, pb, kLevel, path.time);
    // plain search in small steps
    double overlap_at = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= 5000; ++k) {
      pa.place(a, path.place(0, k / 5000.0));
      pb.place(b, path.place(1, k / 5000.0));
      if (gap_between(pa, pb).gap >= 0.0) continue;
      overlap_at = k / 5000.0;
      break;
    }
    EXPECT_LE(time, overlap_at) << "round " << round;
    if (!std::isfinite(time)) continue;
    ++met;
    pa.place(a, path.place(0, time));
    pb.place(b, path.place(1, time));
    EXPECT_LE(gap_between(pa, pb).gap, 2.0 * kLevel);
    EXPECT_GE(gap_between(pa, pb).gap, 0.5 * kLevel);
  }
  EXPECT_GT(met, 100);
}

TEST(Advance, the_gap_of_polygons_is_positive_exactly_when_they_are_apart) {
  Random random(5);
  const Part a = box_part(1.0, 0.3), b = box_part(0.6, 0.6);
  for (int round = 0; round < 500; ++round) {
    const Plane3 qa(random.unit(), random.unit(), 6.0 * random.unit());
    const Plane3 qb(random.unit(), random.unit(), 6.0 * random.unit());
    PlacedPart pa, pb;
    pa.place(a, qa);
    pb.place(b, qb);
    // plain: points of a fine grid of one inside the other
    bool overlap = false;
    for (int i = 0; i <= 40 && !overlap; ++i)
      for (int j = 0; j <= 40 && !overlap; ++j) {
        const Vec2 p = qa.head<2>() + Turn(qa.z()) * Vec2(i / 40.0 - 0.5, 0.3 * (j / 40.0 - 0.5));
        double out = -1.0;
        for (std::size_t k = 0; k < 4; ++k)
          out = std::max(out, pb.normals[k].dot(p - pb.points[k]));
        overlap = out < -1e-9;
      }
    const double gap = gap_between(pa, pb).gap;
    if (overlap) {
      EXPECT_LT(gap, 0.0);
    } else {
      EXPECT_GE(gap, -0.03);
    }
  }
}

}  // namespace
}  // namespace repose::mechanism
