#pragma once

#include <cstdint>

namespace repose {

/// A small random source (splitmix64) with the same numbers on every platform and library.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1), 53 bits.
  double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// Uniform in [0, count).
  std::uint64_t below(std::uint64_t count) {
    return static_cast<std::uint64_t>(unit() * static_cast<double>(count));
  }
  /// Normal with mean 0 and deviation 1.
  double normal();

 private:
  std::uint64_t state_;
};

}  // namespace repose
