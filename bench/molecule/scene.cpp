#include "scene.h"

#include <algorithm>
#include <set>

#include "repose/run/catalogue.h"
#include "repose/scene/gallery.h"

namespace repose::bench_molecule {

Result<World> open_world(const std::string& name) {
  auto scene = open_scene(name, method_catalogue());
  if (!scene) return scene.error();
  return build_world(*scene);
}

double deepest_overlap(const Problem& problem, const State& state) {
  struct Ball {
    Vec3 at;
    double radius;
    int body, point;
  };
  std::vector<Ball> balls;
  std::vector<std::set<std::array<int, 2>>> joined(problem.bodies.size());
  double largest = 0.0;
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (!problem.bodies[b].soft) continue;
    for (const auto& link : problem.bodies[b].soft->links) joined[b].insert(link);
    const SoftState& soft = state.bodies[b].soft;
    for (std::size_t i = 0; i < soft.size(); ++i) {
      balls.push_back({soft.positions[i], soft.radii[i], static_cast<int>(b), static_cast<int>(i)});
      largest = std::max(largest, soft.radii[i]);
    }
  }
  std::sort(balls.begin(), balls.end(),
            [](const Ball& p, const Ball& q) { return p.at.x() < q.at.x(); });
  double out = 0.0;
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1;
         j < balls.size() && balls[j].at.x() - balls[i].at.x() < 2.0 * largest; ++j) {
      const double apart = balls[i].radius + balls[j].radius;
      const double depth = 1.0 - (balls[i].at - balls[j].at).norm() / apart;
      if (depth <= out) continue;
      const auto& [first, second] = std::minmax(balls[i].point, balls[j].point);
      if (balls[i].body == balls[j].body &&
          joined[static_cast<std::size_t>(balls[i].body)].count({first, second}) > 0)
        continue;
      out = depth;
    }
  return out;
}

}  // namespace repose::bench_molecule
