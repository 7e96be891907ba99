// Pairs, supports, exact signs: what looks for contacts.
#include <memory>

#include "repose/base/random.h"
#include "repose/check/near_pairs.h"
#include "repose/collide/grid_pairs.h"
#include "repose/collide/part.h"
#include "repose/collide/sweep_pairs.h"
#include "repose/math/exact.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "kernels.h"

namespace repose::bench {
namespace {

constexpr std::uint64_t kSeed = 1;

/// Boxes of the plane at constant density, and the same a little later.
std::array<std::vector<collide::Box2>, 2> moving_boxes(int count) {
  Random random(kSeed);
  const double room = 2.0 * std::sqrt(static_cast<double>(count));
  std::array<std::vector<collide::Box2>, 2> out;
  for (int i = 0; i < count; ++i) {
    const Vec2 low(random.between(0.0, room), random.between(0.0, room));
    const Vec2 size(random.between(0.1, 0.4), random.between(0.1, 0.4));
    const Vec2 way(random.between(-0.05, 0.05), random.between(-0.05, 0.05));
    out[0].push_back({low, low + size});
    out[1].push_back({low + way, low + way + size});
  }
  return out;
}

template <class Pairs>
Kernel pair_kernel(const char* name, const char* what, int count) {
  auto boxes = std::make_shared<std::array<std::vector<collide::Box2>, 2>>(moving_boxes(count));
  auto pairs = std::make_shared<Pairs>();
  auto turn = std::make_shared<int>(0);
  return {name, what, [=] {
            pairs->update((*boxes)[static_cast<std::size_t>(*turn)]);
            *turn = 1 - *turn;
            used(static_cast<double>(pairs->pairs().size()));
          }};
}

Kernel judge_pairs(int count) {
  Random random(kSeed);
  auto bodies = std::make_shared<std::vector<check::PlacedBody>>();
  const double room = 2.0 * std::cbrt(static_cast<double>(count));
  for (int i = 0; i < count; ++i) {
    const double x = random.between(0.0, room), y = random.between(0.0, room);
    bodies->push_back(check::at(check::ball(1.0), Vec3(x, y, random.between(0.0, room))));
  }
  return {"pairs/balls-1000", "near pairs of 1000 balls as the judge finds them", [bodies] {
            constexpr double kWithin = 1e-3;
            used(static_cast<double>(check::near_pairs(*bodies, kWithin).size()));
          }};
}

/// GJK between turned bodies, near to touching.
Kernel support(const char* name, const char* what, const shape::ShapePtr& shape) {
  const auto obstacle = collide::obstacle_of(shape);
  Random random(kSeed);
  auto turns = std::make_shared<std::vector<Pose>>();
  constexpr int kPairs = 100;
  for (int i = 0; i < kPairs; ++i) {
    const double x = random.between(-1.0, 1.0), y = random.between(-1.0, 1.0);
    const Vec3 axis(x, y, random.between(-1.0, 1.0));
    const Quat turn(Eigen::AngleAxisd(random.between(0.0, 3.0), axis.normalized()));
    turns->push_back({Vec3(0.1 * x, 0.1 * y, 1.8), turn});
  }
  return {name, what, [obstacle, turns] {
            double sum = 0.0;
            for (const Pose& pose : *turns)
              sum += collide::part({obstacle.get(), 0, pose}, {obstacle.get(), 0, Pose{}}).gap;
            used(sum);
          }};
}

Kernel signs(const char* name, const char* what, double off) {
  Random random(kSeed);
  auto points = std::make_shared<std::vector<Vec3>>();
  constexpr int kTests = 1000;
  for (int i = 0; i < kTests; ++i) {
    const auto point = [&] {
      const double x = random.between(-1.0, 1.0), y = random.between(-1.0, 1.0);
      return Vec3(x, y, random.between(-1.0, 1.0));
    };
    const Vec3 a = point(), b = point(), c = point();
    const double u = random.unit(), v = random.unit();
    for (const Vec3& p : {a, b, c, Vec3(a + u * (b - a) + v * (c - a) + off * point())})
      points->push_back(p);
  }
  return {name, what, [points] {
            int sum = 0;
            for (std::size_t k = 0; k + 3 < points->size(); k += 4)
              sum += orient3d((*points)[k], (*points)[k + 1], (*points)[k + 2], (*points)[k + 3]);
            used(sum);
          }};
}

}  // namespace

void add_search_kernels(std::vector<Kernel>& out) {
  out.push_back(pair_kernel<collide::SweepPairs>(
      "pairs/sweep-3200", "3200 moving boxes, sort and sweep, a step", 3200));
  out.push_back(
      pair_kernel<collide::GridPairs>("pairs/grid-3200", "3200 moving boxes, grid, a step", 3200));
  out.push_back(judge_pairs(1000));
  out.push_back(support("support/box", "100 pairs of boxes parted by supports",
                        *shape::make_box({.size = Vec3(1.0, 1.0, 1.0)})));
  out.push_back(support("support/ellipsoid", "100 pairs of ellipsoids parted by supports",
                        *shape::make_ellipsoid({.radii = Vec3(0.6, 0.5, 0.4)})));
  out.push_back(signs("sign/clear", "1000 exact signs, points apart from the plane", 1.0));
  out.push_back(signs("sign/near", "1000 exact signs, points within rounding of the plane", 1e-17));
}

}  // namespace repose::bench
