#include "repose/render/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace repose::render {
namespace {

// sRGB: dark blue to yellow, even to the eye (after viridis); the page's kScale
constexpr std::array<std::uint32_t, 7> kScale{0x46327E, 0x365C8D, 0x277F8E, 0x1FA187,
                                              0x4AC16D, 0xA0DA39, 0xFDE725};

float linear(std::uint32_t byte) {
  constexpr float kLinearPart = 0.04045F;
  const float x = static_cast<float>(byte) / 255.0F;
  return x <= kLinearPart ? x / 12.92F : std::pow((x + 0.055F) / 1.055F, 2.4F);
}

Color color_of(std::uint32_t c) {
  return {linear(c >> 16), linear((c >> 8) & 0xFFU), linear(c & 0xFFU)};
}

}  // namespace

Color scale_color(double share) {
  const double place = std::clamp(share, 0.0, 1.0) * (kScale.size() - 1);
  const auto below = std::min(kScale.size() - 2, static_cast<std::size_t>(place));
  const Color low = color_of(kScale[below]), high = color_of(kScale[below + 1]);
  const auto rest = static_cast<float>(place - static_cast<double>(below));
  Color out{};
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = low[k] + rest * (high[k] - low[k]);
  return out;
}

}  // namespace repose::render
