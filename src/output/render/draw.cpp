#include "repose/render/draw.h"

#include <atomic>
#include <memory>
#include <mutex>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "canvas.h"
#include "lens.h"
#include "markers.h"
#include "tone.h"

namespace repose::render {
namespace {

constexpr int kTile = 16;  // pixels
/// Every pixel gets this many paths, or a quarter of all; a calm tile gets no more.
constexpr int kFewestPaths = 4;
/// Variance of the light between paths, relative to unshadowed floor, below which a tile is calm.
constexpr float kCalmVariance = 0.01F;
/// How much of a sign shows where a body hides it.
constexpr float kHiddenMarker = 0.5F;

/// Everything the tiles share.
struct Atelier {
  StageFrame frame;
  Stage stage;
  Room room;
  Painter painter;
  Lens lens;
  std::vector<Item> marker_items;
  std::unique_ptr<Stage> markers;
  const RenderSettings& settings;

  Atelier(const Picture& picture, const RenderSettings& s)
      : frame(StageFrame::around(picture.items)),
        stage(picture.items, frame),
        room(picture, frame),
        painter(stage, room, picture.items),
        lens(picture.camera, frame, s.width, s.height),
        marker_items(render::marker_items(picture.markers)),
        settings(s) {
    if (!marker_items.empty()) markers = std::make_unique<Stage>(marker_items, frame);
  }
};

void add_marker(const Atelier& atelier, const Vec3f& direction, float in_front_of, Pixel& pixel) {
  const Hit hit = atelier.markers->hit(atelier.lens.eye(), direction);
  if (!hit.found) return;
  const Look& look = atelier.marker_items[static_cast<std::size_t>(hit.item)].look;
  const float facing = std::max(0.0F, -hit.normal.dot(direction));
  const float cover = hit.distance < in_front_of ? 1.0F : kHiddenMarker;
  pixel.marker += cover * (0.55F + 0.65F * facing) * rgb(look.color) / atelier.room.exposure;
  pixel.cover += cover;
}

void paint_pixel(const Atelier& atelier, int x, int y, int from, int to, Pixel& pixel) {
  const RenderSettings& s = atelier.settings;
  const auto width = static_cast<std::uint32_t>(s.width);
  const auto number = static_cast<std::uint32_t>(y) * width + static_cast<std::uint32_t>(x);
  for (int path = from; path < to; ++path) {
    Sampler sampler(number, static_cast<std::uint32_t>(path),
                    static_cast<std::uint32_t>(s.samples));
    const Eigen::Vector2f at = sampler.next();
    const float px = 2.0F * (static_cast<float>(x) + at.x()) / static_cast<float>(s.width) - 1.0F;
    const float py = 1.0F - 2.0F * (static_cast<float>(y) + at.y()) / static_cast<float>(s.height);
    const Vec3f direction = atelier.lens.direction(px, py);
    const PathSample sample =
        atelier.painter.look(atelier.lens.eye(), direction, atelier.room.backdrop(px, py), sampler);
    pixel.add(sample);
    if (atelier.markers) add_marker(atelier, direction, sample.distance, pixel);
  }
}

/// One square of the picture.
struct Tile {
  int x0, y0, x1, y1;

  template <class Visit>
  void each(const Visit& visit) const {
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) visit(x, y);
  }
};

// nothing but floor or backdrop, and hardly a shadow on it
bool calm(const Tile& tile, const Canvas& canvas) {
  bool empty = true;
  float variance = 0.0F;
  tile.each([&](int x, int y) {
    const Pixel& p = canvas.pixels[canvas.index(x, y)];
    empty = empty && p.empty && p.cover == 0.0F;
    variance = std::max(variance, p.variance());
  });
  return empty && variance < kCalmVariance;
}

void paint_tile(const Atelier& atelier, const Tile& tile, Canvas& canvas) {
  const auto paint = [&](int from, int to) {
    tile.each([&](int x, int y) {
      paint_pixel(atelier, x, y, from, to, canvas.pixels[canvas.index(x, y)]);
    });
  };
  const int all = atelier.settings.samples;
  const int first = std::min(all, std::max(kFewestPaths, all / 4));
  paint(0, first);
  if (first < all && !calm(tile, canvas)) paint(first, all);
  tile.each([&](int x, int y) { canvas.pixels[canvas.index(x, y)].finish(); });
}

void paint(const Atelier& atelier, Canvas& canvas) {
  const int across = (canvas.width + kTile - 1) / kTile;
  const int down = (canvas.height + kTile - 1) / kTile;
  std::atomic<int> done = 0;
  std::mutex telling;
  tbb::parallel_for(0, across * down, [&](int tile) {
    const int x0 = tile % across * kTile, y0 = tile / across * kTile;
    paint_tile(atelier,
               {x0, y0, std::min(x0 + kTile, canvas.width), std::min(y0 + kTile, canvas.height)},
               canvas);
    const int finished = ++done;
    if (!atelier.settings.progress) return;
    const std::lock_guard lock(telling);
    atelier.settings.progress(static_cast<double>(finished) / (across * down));
  });
}

Image developed(const Canvas& canvas, const Room& room, const RenderSettings& s) {
  std::vector<Rgb> smooth;
  if (s.denoise) smooth = smoothed_illumination(canvas);
  Image image{s.width, s.height, std::vector<std::uint8_t>(3 * canvas.pixels.size())};
  for (std::size_t k = 0; k < canvas.pixels.size(); ++k) {
    const Pixel& p = canvas.pixels[k];
    Rgb light = p.other + (s.denoise ? Rgb(p.albedo * smooth[k]) : p.lit);
    light = light * (1.0F - p.cover) + p.marker;
    const auto bytes = developed_bytes(light * room.exposure, static_cast<int>(k) % s.width,
                                       static_cast<int>(k) / s.width);
    std::copy(bytes.begin(), bytes.end(), image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * k));
  }
  return image;
}

}  // namespace

Image draw(const Picture& picture, const RenderSettings& settings) {
  REPOSE_CHECK(settings.width > 0 && settings.height > 0 && settings.samples > 0);
  const int cores = tbb::info::default_concurrency();
  tbb::task_arena arena(settings.threads > 0 ? std::min(settings.threads, cores) : cores);
  return arena.execute([&] {
    const Atelier atelier(picture, settings);
    Canvas canvas(settings.width, settings.height);
    paint(atelier, canvas);
    return developed(canvas, atelier.room, settings);
  });
}

}  // namespace repose::render
