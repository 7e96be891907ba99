#include "tone.h"

namespace repose::render {
namespace {

// rational fit of the ACES reference rendering (Narkowicz 2016)
float film(float x) {
  return std::clamp(x * (2.51F * x + 0.03F) / (x * (2.43F * x + 0.59F) + 0.14F), 0.0F, 1.0F);
}

float srgb(float x) {
  constexpr float kLinearPart = 0.0031308F;
  return x <= kLinearPart ? 12.92F * x : 1.055F * std::pow(x, 1.0F / 2.4F) - 0.055F;
}

// ordered dither of 8 by 8 pixels (Bayer 1973), in (-0.5, 0.5)
float dither(int x, int y) {
  int rank = 0;
  for (int bit = 0; bit < 3; ++bit) {
    const int a = x >> bit & 1, b = (x ^ y) >> bit & 1;
    rank = rank << 2 | b << 1 | a;
  }
  return (static_cast<float>(rank) + 0.5F) / 64.0F - 0.5F;
}

/// Light too strong for one channel spills into the others, so that highlights turn white.
constexpr float kSpill = 0.06F;

}  // namespace

std::array<std::uint8_t, 3> developed_bytes(const Rgb& light, int x, int y) {
  const float spread = dither(x, y);
  const Rgb safe = light.max(0.0F);
  const Rgb spilled = mix(safe, Rgb::Constant(luminance(safe)), kSpill);
  std::array<std::uint8_t, 3> bytes{};
  for (int k = 0; k < 3; ++k)
    bytes[static_cast<std::size_t>(k)] = static_cast<std::uint8_t>(
        std::clamp(std::lround(255.0F * srgb(film(spilled[k])) + spread), 0L, 255L));
  return bytes;
}

}  // namespace repose::render
