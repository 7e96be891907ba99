#pragma once

#include <filesystem>
#include <memory>

#include "repose/base/result.h"
#include "repose/render/image.h"

namespace repose::render {

struct MovingPngSettings {
  int frames_per_second = 30;  // [1, 240]
  double hold_seconds = 2.0;   // the last picture stays so long before it begins anew; [0, 60]
};

/// An animated PNG (PNG of the W3C, third edition), which browsers play by themselves, over and
/// over. Programs that do not know it show the first picture. Of every further picture only the
/// rectangle that changed is stored.
class MovingPng {
 public:
  static MovingPng start(const std::filesystem::path& path, int width, int height,
                         const MovingPngSettings& settings = {});
  ~MovingPng();
  MovingPng(MovingPng&&) noexcept;
  MovingPng& operator=(MovingPng&&) noexcept;

  /// Requires: the size it was started with.
  void add(const Image& image);
  /// Afterwards it is whole at its path. Requires: at least one picture.
  Result<Done> finish();

 private:
  struct Inside;
  explicit MovingPng(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace repose::render
