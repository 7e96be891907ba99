#include "repose/world/palette.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace repose {
namespace {

// sRGB: terracotta, deep teal, mustard, ink blue, cream, sage, brick rose, sky
constexpr std::array<std::uint32_t, 8> kPalette{0xC8553D, 0x1F7A78, 0xE3A72F, 0x2F4B8F,
                                                0xEADBC0, 0x7C9A5E, 0xA63D57, 0x6FA8CF};

/// Of the curve that IEC 61966-2-1 gives for sRGB.
double linear(std::uint32_t byte) {
  constexpr double kLinearPart = 0.04045;
  const double x = byte / 255.0;
  return x <= kLinearPart ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
}

}  // namespace

std::array<double, 3> drawn_color(const Material& material, bool fixed, int body) {
  if (fixed || material.color != Material{}.color) return material.color;
  constexpr std::uint32_t kByte = 0xFF;
  const std::uint32_t rgb = kPalette[static_cast<std::size_t>(body) % kPalette.size()];
  return {linear(rgb >> 16U), linear(rgb >> 8U & kByte), linear(rgb & kByte)};
}

}  // namespace repose
