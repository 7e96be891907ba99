#pragma once

#include <functional>
#include <memory>

#include "scene.h"

namespace bench_pile {

/// Balls in a box as another engine holds them.
class BallWorld {
 public:
  virtual ~BallWorld() = default;
  virtual void step() = 0;
  virtual std::vector<Vec3> centers() const = 0;
  /// Sum of weight and contact forces on each ball in the last step, in weights; of a ball that
  /// was put to sleep kAsleep.
  virtual std::vector<double> unbalanced() const = 0;
};

/// Steps until no centre moves, or the limits of scene.h; measures what every engine is measured
/// by.
Row run_peer(const char* engine, int k, const PeerSetting& setting, int default_iterations,
             const std::function<std::unique_ptr<BallWorld>()>& make);

/// Steps after which an engine is stopped.
long most_steps(int k, const PeerSetting& setting, int default_iterations);

/// Each answers a row whose `end` says so where the engine is not there.
Row run_bullet(int k, std::uint64_t seed, const PeerSetting& setting);
Row run_ode(int k, std::uint64_t seed, const PeerSetting& setting);
Row run_rapier(int k, std::uint64_t seed, const PeerSetting& setting);

}  // namespace bench_pile
