#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace repose {

/// Order-dependent 64-bit hash of exact bit patterns: two states hash alike only if they agree to
/// the last bit (up to hash collisions). Minus zero counts as zero.
class Hash {
 public:
  void add(std::uint64_t word) {
    // splitmix64's finaliser over a running sum
    std::uint64_t z = (state_ += word + 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    state_ = z ^ (z >> 31);
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number == 0.0 ? 0.0 : number)); }
  void add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  std::uint64_t value() const { return state_; }
  /// Sixteen lower-case hexadecimal digits.
  std::string hex() const;

 private:
  std::uint64_t state_ = 0;
};

}  // namespace repose
