// Table 1 of Baraff 1995: randomly moving boxes at constant density, time to find all changes of
// overlap in one step, beside Box2D's tree and Bullet's sweep and tree.
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>
#ifdef REPOSE_WITH_BULLET
#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#endif
#ifdef REPOSE_WITH_BOX2D
#include <box2d/b2_broad_phase.h>
#endif

#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/collide/grid_pairs.h"
#include "repose/collide/sweep_pairs.h"

#include "bench.h"

namespace repose::mechanism {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// 20 x 16 units for each 100 boxes of 0.1 to 0.4 units, moving up to 0.05 units in a step.
class MovingBoxes {
 public:
  MovingBoxes(int count, std::uint64_t seed) : random_(seed) {
    const double grow = std::sqrt(count / 100.0);
    room_ = Vec2(20.0 * grow, 16.0 * grow);
    for (int i = 0; i < count; ++i) {
      const Vec2 size(random_.between(0.1, 0.4), random_.between(0.1, 0.4));
      const Vec2 low(random_.unit() * (room_.x() - size.x()),
                     random_.unit() * (room_.y() - size.y()));
      boxes_.push_back({low, low + size});
      const double speed = 0.05 * random_.unit(), angle = 2.0 * M_PI * random_.unit();
      speeds_.push_back(speed * Vec2(std::cos(angle), std::sin(angle)));
    }
  }
  void move() {
    for (std::size_t i = 0; i < boxes_.size(); ++i)
      for (int k = 0; k < 2; ++k) {
        double& v = speeds_[i][k];
        if (boxes_[i].low[k] + v < 0.0 || boxes_[i].high[k] + v > room_[k]) v = -v;
        boxes_[i].low[k] += v;
        boxes_[i].high[k] += v;
      }
  }
  const std::vector<collide::Box2>& boxes() const { return boxes_; }
  const std::vector<Vec2>& speeds() const { return speeds_; }
  const Vec2& room() const { return room_; }

 private:
  Random random_;
  Vec2 room_;
  std::vector<collide::Box2> boxes_;
  std::vector<Vec2> speeds_;
};

struct Timed {
  double milliseconds = 0.0;
  std::size_t pairs = 0;
};

template <class Update>
Timed timed(int count, int steps, Update&& update) {
  MovingBoxes scene(count, 1);
  Timed out;
  update(scene);  // the first build is not counted
  for (int k = 0; k < steps; ++k) {
    scene.move();
    const double before = cpu_seconds();
    out.pairs = update(scene);
    out.milliseconds += 1e3 * (cpu_seconds() - before);
  }
  out.milliseconds /= steps;
  return out;
}

#ifdef REPOSE_WITH_BOX2D

struct Box2dTree {
  b2BroadPhase tree;
  std::vector<int> proxies;
  std::size_t found = 0;
  void AddPair(void*, void*) { ++found; }

  static b2AABB fat(const collide::Box2& box) {
    b2AABB out;
    out.lowerBound.Set(static_cast<float>(box.low.x()), static_cast<float>(box.low.y()));
    out.upperBound.Set(static_cast<float>(box.high.x()), static_cast<float>(box.high.y()));
    return out;
  }
  std::size_t update(const MovingBoxes& scene) {
    const auto& boxes = scene.boxes();
    found = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (proxies.size() <= i)
        proxies.push_back(tree.CreateProxy(fat(boxes[i]), nullptr));
      else
        tree.MoveProxy(proxies[i], fat(boxes[i]),
                       b2Vec2(static_cast<float>(scene.speeds()[i].x()),
                              static_cast<float>(scene.speeds()[i].y())));
    }
    tree.UpdatePairs(this);
    return found;
  }
};

double box2d_tree(int count, int steps) {
  Box2dTree tree;
  return timed(count, steps, [&](const MovingBoxes& s) { return tree.update(s); }).milliseconds;
}

#else

double box2d_tree(int, int) {
  return kUnknown;
}

#endif

#ifdef REPOSE_WITH_BULLET

struct BulletBoxes {
  std::unique_ptr<btBroadphaseInterface> broad;
  std::vector<btBroadphaseProxy*> proxies;

  std::size_t update(const MovingBoxes& scene) {
    const auto& boxes = scene.boxes();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const btVector3 low(btScalar(boxes[i].low.x()), btScalar(boxes[i].low.y()), 0),
          high(btScalar(boxes[i].high.x()), btScalar(boxes[i].high.y()), 1);
      if (proxies.size() <= i)
        proxies.push_back(broad->createProxy(low, high, 0, nullptr, 1, 1, nullptr));
      else
        broad->setAabb(proxies[i], low, high, nullptr);
    }
    broad->calculateOverlappingPairs(nullptr);
    return static_cast<std::size_t>(broad->getOverlappingPairCache()->getNumOverlappingPairs());
  }
};

double bullet_sweep(int count, int steps) {
  if (count > 20000) return kUnknown;  // it sorts every new box in from the end: minutes
  MovingBoxes probe(count, 1);
  BulletBoxes bullet;
  bullet.broad = std::make_unique<bt32BitAxisSweep3>(
      btVector3(0, 0, -1), btVector3(btScalar(probe.room().x()), btScalar(probe.room().y()), 2),
      static_cast<unsigned>(count + 10));
  return timed(count, steps, [&](const MovingBoxes& s) { return bullet.update(s); }).milliseconds;
}

double bullet_tree(int count, int steps) {
  BulletBoxes bullet;
  bullet.broad = std::make_unique<btDbvtBroadphase>();
  return timed(count, steps, [&](const MovingBoxes& s) { return bullet.update(s); }).milliseconds;
}

#else

double bullet_sweep(int, int) {
  return kUnknown;
}
double bullet_tree(int, int) {
  return kUnknown;
}

#endif

double paper_milliseconds(int count) {
  const std::pair<int, double> kTable[] = {{100, 0.96}, {200, 2.05},  {400, 4.41},
                                           {800, 9.83}, {1600, 22.3}, {3200, 53.3}};
  for (const auto& [n, ms] : kTable)
    if (n == count) return ms;
  return kUnknown;
}

}  // namespace

void bench_broad_phase(bench::Sheet& sheet) {
  using bench::Cell;
  using bench::Holds;
  auto& table = sheet.table("boxes", "Table 1 of Baraff 1995: pairs of moving boxes, ms a step",
                            {{"boxes", Holds::count},
                             {"pairs", Holds::count},
                             {"paper", Holds::measure},
                             {"sweep", Holds::time},
                             {"grid", Holds::time},
                             {"Box2D tree", Holds::time},
                             {"Bullet sweep", Holds::time},
                             {"Bullet tree", Holds::time},
                             {"note", Holds::word}});
  bench::Growth growth{"boxes-grid", "pairs of moving boxes by the grid, a step", {}, {}, {}};
  for (const int count : {100, 200, 400, 800, 1600, 3200, 12800, 51200, 204800}) {
    if (sheet.quick() && count > 3200) break;
    const int steps = count <= 3200 ? 400 : count <= 12800 ? 30 : 6;
    collide::SweepPairs sweep;
    const Timed s = timed(count, steps, [&](const MovingBoxes& m) {
      sweep.update(m.boxes());
      return sweep.pairs().size();
    });
    collide::GridPairs grid;
    const Timed g = timed(count, steps, [&](const MovingBoxes& m) {
      grid.update(m.boxes());
      return grid.pairs().size();
    });
    const double b = box2d_tree(count, steps), bs = bullet_sweep(count, steps),
                 bt = bullet_tree(count, steps), paper = paper_milliseconds(count);
    table.row({1.0 * count, static_cast<double>(g.pairs), paper, s.milliseconds, g.milliseconds, b,
               bs, bt, std::string(s.pairs == g.pairs ? "" : "sweep and grid disagree")});
    growth.sizes.push_back(count);
    growth.seconds.push_back(1e-3 * g.milliseconds);
    if (std::isnan(paper)) continue;
    sheet.figure({.id = fmt::format("boxes-{}", count),
                  .what = fmt::format("pairs of {} moving boxes, a step", count),
                  .unit = "ms",
                  .published = paper,
                  .source = "Baraff 1995, table 1, R4000",
                  .ours = g.milliseconds,
                  .peers = {{"Box2D", "tree", b, "", true},
                            {"Bullet", "sweep", bs, "", bs <= bt},
                            {"Bullet", "tree", bt, "", bt < bs}}});
  }
  sheet.growth(growth);
}

}  // namespace repose::mechanism
