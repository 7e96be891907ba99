#pragma once

#include <functional>

#include "repose/render/image.h"
#include "repose/render/picture.h"

namespace repose::render {

struct RenderSettings {
  int width = 1280;     // pixels; [1, 16384]
  int height = 800;     // pixels; [1, 16384]
  int samples = 8;      // light paths per pixel; [1, 4096]. More: less noise, in proportion slower
  bool denoise = true;  // smooths what noise the samples leave, without crossing edges
  int threads = 0;      // 0: all cores. The pixels do not depend on it

  /// Told the share done, [0, 1], now and then, from any one thread at a time. May be empty.
  std::function<void(double)> progress;
};

/// Draws the picture. The same pixels for any thread count.
Image draw(const Picture& picture, const RenderSettings& settings);

}  // namespace repose::render
