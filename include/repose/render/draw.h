#pragma once

#include <atomic>
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
  /// One path per pixel and four at edges, each scattered once, instead of `samples`: a tenth of
  /// the time of eight. Corners that only light of second hand reaches are a little off.
  bool quick = false;
  const std::atomic<bool>* interrupt = nullptr;  // looked at for every few hundred pixels

  /// Told the share done, [0, 1], now and then, from any one thread at a time. May be empty.
  std::function<void(double)> progress;
};

/// Draws the picture. The same pixels for any thread count. Throws Interrupted soon after
/// `settings.interrupt` is set.
Image draw(const Picture& picture, const RenderSettings& settings);

}  // namespace repose::render
