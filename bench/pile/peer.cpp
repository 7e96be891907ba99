#include "peer.h"

#include <algorithm>
#include <cmath>

namespace bench_pile {

long most_steps(int k, const PeerSetting& setting, int default_iterations) {
  const int iterations = setting.iterations > 0 ? setting.iterations : default_iterations;
  const double by_work = kMostWork / (1.0 * k * k * k * iterations);
  return std::lround(std::min(by_work, kMostTime / setting.step));
}

Row run_peer(const char* engine, int k, const PeerSetting& setting, int default_iterations,
             const std::function<std::unique_ptr<BallWorld>()>& make) {
  Row row{engine, setting.name, 0, 0.0, 0.0, 0.0, 0.0, "moving"};
  const double start = cpu_now();
  const auto world = make();
  std::vector<Vec3> last = world->centers();
  const long window = std::lround(kRestWindow / setting.step);
  const long most = most_steps(k, setting, default_iterations);
  double looking = 0.0;
  while (row.steps < most && row.end == "moving") {
    world->step();
    if (++row.steps % window != 0) continue;
    const double before = cpu_now();
    const std::vector<Vec3> now = world->centers();
    double fastest = 0.0;
    for (std::size_t i = 0; i < now.size(); ++i)
      fastest = std::max(fastest, (now[i] - last[i]).norm() / kRestWindow);
    last = now;
    row.overlap = std::max(row.overlap, overlap_of(now, k));
    if (fastest <= kRestSpeed) row.end = "rest";
    looking += cpu_now() - before;
  }
  row.seconds = cpu_now() - start - looking;
  row.height = mean_height(last);
  for (const double u : world->unbalanced()) row.unbalanced = std::max(row.unbalanced, u);
  return row;
}

}  // namespace bench_pile
