#pragma once

#include <vector>

#include "painter.h"

namespace repose::render {

/// Sums of all light paths of one pixel.
struct Pixel {
  Rgb albedo = Rgb::Zero();
  Rgb lit = Rgb::Zero();
  Rgb other = Rgb::Zero();
  Rgb marker = Rgb::Zero();  // signs over the picture, by their cover
  float cover = 0.0F;
  Vec3f normal = Vec3f::Zero();
  float distance = 0.0F;
  float light = 0.0F;          // of each path: luminance of the light on the surface
  float light_squared = 0.0F;  // and its square

  int paths = 0;
  int stride = 1;     // pixels to the next one with a path of its own
  bool empty = true;  // no path met a body

  void add(const PathSample& path);
  /// Makes the sums means over the paths.
  void finish();
  /// Variance of `light` between paths. Before finish().
  float variance() const;
  /// Light on the surface: lit over albedo.
  Rgb illumination() const;
};

struct Canvas {
  int width = 0, height = 0;
  std::vector<Pixel> pixels;

  Canvas(int w, int h)
      : width(w), height(h), pixels(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
           static_cast<std::size_t>(x);
  }
};

/// The light's variance between neighbours on one surface counts as that between a pixel's paths,
/// so that pixels of a single path are smoothed as well.
///
/// Smooths the light on surfaces where neighbours agree in normal, plane and, within their noise,
/// brightness (edge-avoiding wavelets, Dammertz 2010, with the variance of Schied 2017). Requires:
/// finished pixels. `shared`: the paths of a whole set are shared out among the pixels of every
/// square of kSquare (interleaved sampling, Keller and Heidrich 2001), and gathered first. Answers
/// the illumination of each.
std::vector<Rgb> smoothed_illumination(const Canvas& canvas, bool shared);
inline constexpr int kSquare = 4;

}  // namespace repose::render
