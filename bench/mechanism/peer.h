#pragma once

#include <memory>
#include <vector>

#include "models.h"

namespace repose::mechanism {

/// How Box2D is set.
struct Box2dSetting {
  const char* name;
  const char* words;
  double step;  // s
  int velocity_iterations, position_iterations;
  bool sleeps;
};
/// As it comes, as its users set it for speed, and at its most accurate.
inline constexpr Box2dSetting kBox2dSettings[] = {
    {"default", "60 Hz, 8 and 3 iterations, sleeping", 1.0 / 60.0, 8, 3, true},
    {"speed", "30 Hz, 6 and 2 iterations, sleeping", 1.0 / 30.0, 6, 2, true},
    {"accuracy", "1 kHz, 20 and 10 iterations", 1e-3, 20, 10, false},
};

/// A machine as another engine holds it.
class PeerMachine {
 public:
  virtual ~PeerMachine() = default;
  /// One step; its hand is led to where it is at this time (s).
  virtual void step(double time) = 0;
  virtual std::vector<Place> places() const = 0;
};

/// Null where Box2D is not there.
std::unique_ptr<PeerMachine> make_box2d(const Model& model, const Box2dSetting& setting);

}  // namespace repose::mechanism
