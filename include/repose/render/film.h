#pragma once

#include <filesystem>
#include <memory>

#include "repose/base/result.h"
#include "repose/render/image.h"

namespace repose::render {

struct FilmSettings {
  int frames_per_second = 30;  // [1, 240]
  int quality = 18;            // constant rate factor; [0, 51]. Larger: smaller files, coarser
};

/// A film written picture by picture; its ending says how: .mp4 (H.264), .webm (VP9) and .gif go
/// through ffmpeg, .apng (an animated PNG) needs nothing else.
class Film {
 public:
  /// Starts ffmpeg where it is needed. The error says when there is none on the PATH, or that the
  /// ending is unknown.
  static Result<Film> start(const std::filesystem::path& path, int width, int height,
                            const FilmSettings& settings = {});
  /// An unfinished film is dropped; nothing is left at its path.
  ~Film();
  Film(Film&&) noexcept;
  Film& operator=(Film&&) noexcept;

  /// Requires: the size the film was started with. Odd sizes lose their last row or column.
  Result<Done> add(const Image& image);
  /// Afterwards the film is whole at its path.
  Result<Done> finish();

 private:
  struct Inside;
  explicit Film(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace repose::render
