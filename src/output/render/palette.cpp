#include "repose/render/palette.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace repose::render {
namespace {

// sRGB: terracotta, deep teal, mustard, ink blue, cream, sage, brick rose, sky
constexpr std::array<std::uint32_t, 8> kPalette{0xC8553D, 0x1F7A78, 0xE3A72F, 0x2F4B8F,
                                                0xEADBC0, 0x7C9A5E, 0xA63D57, 0x6FA8CF};

float linear(std::uint32_t byte) {
  constexpr float kLinearPart = 0.04045F;
  const float x = static_cast<float>(byte) / 255.0F;
  return x <= kLinearPart ? x / 12.92F : std::pow((x + 0.055F) / 1.055F, 2.4F);
}

}  // namespace

Color palette_color(int index) {
  const std::uint32_t c = kPalette[static_cast<std::size_t>(index) % kPalette.size()];
  return {linear(c >> 16), linear((c >> 8) & 0xFFU), linear(c & 0xFFU)};
}

}  // namespace repose::render
