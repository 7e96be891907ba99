#include "repose/render/draw.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "repose/base/work.h"

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
/// Paths of a quick picture: at edges, and elsewhere.
constexpr int kEdgePaths = 4, kQuickPaths = 1;
/// Of a quick picture: pixels from one to the next that are painted first in a tile. The tile is
/// calm if they tell its light this well, relative to unshadowed floor: less than the eye sees.
constexpr int kFirstStride = 2;
constexpr float kCalmError = 0.004F;
/// Neighbours that differ by more lie on both sides of an edge: cosine of normals, share of the
/// distance, albedo.
constexpr float kEdgeCosine = 0.9F, kEdgeDistance = 0.02F, kEdgeAlbedo = 0.05F;
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
        painter(stage, room, picture.items, s.quick),
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

/// A place of the picture: where it is and what is seen through it.
struct Sight {
  Vec3f direction;
  Rgb backdrop;
};

/// `at`: within the pixel, [0, 1).
Sight sight(const Atelier& atelier, int x, int y, const Eigen::Vector2f& at) {
  const RenderSettings& s = atelier.settings;
  const float px = 2.0F * (static_cast<float>(x) + at.x()) / static_cast<float>(s.width) - 1.0F;
  const float py = 1.0F - 2.0F * (static_cast<float>(y) + at.y()) / static_cast<float>(s.height);
  return {atelier.lens.direction(px, py), atelier.room.backdrop(px, py)};
}

/// Place in the square, so that every quarter of it holds a spread set: the bits of both places in
/// turn.
std::uint32_t place_in_square(int x, int y) {
  std::uint32_t place = 0;
  for (int bit = 1; bit < kSquare; bit *= 2) {
    const bool a = (x & bit) != 0, b = ((x ^ y) & bit) != 0;
    place = place << 2U | (b ? 2U : 0U) | (a ? 1U : 0U);
  }
  return place;
}

bool is_first(int x, int y) {
  return x % kFirstStride == 0 && y % kFirstStride == 0;
}

/// `stride`: pixels from one to the next of those that are painted together; they make squares of
/// their own.
Sampler sampler_of(const RenderSettings& s, int x, int y, int path, int stride) {
  const auto number = static_cast<std::uint32_t>(path);
  if (s.quick) {
    constexpr std::uint32_t kPlaces = kSquare * kSquare;
    const std::uint32_t place = place_in_square(x / stride, y / stride);
    return {0, place + kPlaces * number, kPlaces * kEdgePaths};
  }
  const auto width = static_cast<std::uint32_t>(s.width);
  return {static_cast<std::uint32_t>(y) * width + static_cast<std::uint32_t>(x), number,
          static_cast<std::uint32_t>(s.samples)};
}

void paint_pixel(const Atelier& atelier, int x, int y, int from, int to, Pixel& pixel,
                 int stride = 1) {
  for (int path = from; path < to; ++path) {
    Sampler sampler = sampler_of(atelier.settings, x, y, path, stride);
    const Sight seen = sight(atelier, x, y, sampler.next());
    const PathSample sample =
        atelier.painter.look(atelier.lens.eye(), seen.direction, seen.backdrop, sampler);
    pixel.add(sample);
    if (atelier.markers) add_marker(atelier, seen.direction, sample.distance, pixel);
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

/// Light on a tile of nothing but floor and backdrop as the pixels painted first tell it: a plane
/// through them, so that a soft shadow shows no steps from tile to tile.
struct BareLight {
  Rgb mean = Rgb::Zero(), along_x = Rgb::Zero(), along_y = Rgb::Zero();  // per pixel
  float middle_x = 0.0F, middle_y = 0.0F;
  bool even = false;  // the plane is all there is to tell

  Rgb at(int x, int y) const {
    const float dx = static_cast<float>(x) - middle_x, dy = static_cast<float>(y) - middle_y;
    return (mean + dx * along_x + dy * along_y).max(0.0F);
  }
};

/// Nothing where bodies or signs are seen.
std::optional<BareLight> bare_light(const Tile& tile, const Canvas& canvas) {
  BareLight out;
  float count = 0.0F;
  bool empty = true;
  const auto each_first = [&](const auto& visit) {
    tile.each([&](int x, int y) {
      if (is_first(x, y))
        visit(static_cast<float>(x), static_cast<float>(y), canvas.pixels[canvas.index(x, y)]);
    });
  };
  each_first([&](float x, float y, const Pixel& p) {
    empty = empty && p.empty && p.cover == 0.0F;
    out.mean += p.illumination();
    out.middle_x += x;
    out.middle_y += y;
    count += 1.0F;
  });
  if (!empty) return std::nullopt;
  out.mean /= count;
  out.middle_x /= count;
  out.middle_y /= count;
  // the places are a grid: both slopes by themselves are the plane of least squares
  float xx = 0.0F, yy = 0.0F;
  each_first([&](float x, float y, const Pixel& p) {
    const float dx = x - out.middle_x, dy = y - out.middle_y;
    out.along_x += dx * p.illumination();
    out.along_y += dy * p.illumination();
    xx += dx * dx;
    yy += dy * dy;
  });
  out.along_x /= std::max(1.0F, xx);
  out.along_y /= std::max(1.0F, yy);
  float squares = 0.0F;
  each_first([&](float x, float y, const Pixel& p) {
    const float off =
        luminance(p.illumination() - out.at(static_cast<int>(x), static_cast<int>(y)));
    squares += off * off;
  });
  out.even = std::sqrt(squares) / count < kCalmError;
  return out;
}

/// The mean of the pixels painted first that stand around this one in its tile.
Rgb light_between(const Tile& tile, const Canvas& canvas, int x, int y) {
  const int left = x - x % kFirstStride, above = y - y % kFirstStride;
  const int right = x > left && left + kFirstStride < tile.x1 ? left + kFirstStride : left;
  const int below = y > above && above + kFirstStride < tile.y1 ? above + kFirstStride : above;
  Rgb sum = Rgb::Zero();
  for (const int i : {left, right})
    for (const int j : {above, below}) sum += canvas.pixels[canvas.index(i, j)].illumination();
  constexpr float kAround = 4.0F;
  return sum / kAround;
}

/// Every pixel gets its light of the plane where that is even, else that of its neighbours painted
/// first. False where a body or a sign is seen after all.
bool fill(const Atelier& atelier, const Tile& tile, const BareLight& light, Canvas& canvas) {
  bool bare = true;
  const auto fill_one = [&](int x, int y) {
    if (!bare) return;
    if (is_first(x, y) && !light.even) {
      canvas.pixels[canvas.index(x, y)].stride = kFirstStride;
      return;
    }
    const Rgb share = light.even ? light.at(x, y) : light_between(tile, canvas, x, y);
    const Sight seen = sight(atelier, x, y, Eigen::Vector2f::Constant(0.5F));
    const auto past =
        atelier.painter.look_past_bodies(atelier.lens.eye(), seen.direction, seen.backdrop, share);
    Pixel pixel;
    pixel.stride = kFirstStride;
    if (past) pixel.add(*past);
    if (past && atelier.markers) add_marker(atelier, seen.direction, past->distance, pixel);
    bare = past && pixel.cover == 0.0F;
    canvas.pixels[canvas.index(x, y)] = pixel;
  };
  tile.each(fill_one);
  return bare;
}

void sketch_tile(const Atelier& atelier, const Tile& tile, Canvas& canvas) {
  const auto paint = [&](int x, int y, int stride) {
    Pixel& pixel = canvas.pixels[canvas.index(x, y)];
    pixel = {};
    paint_pixel(atelier, x, y, 0, kQuickPaths, pixel, stride);
  };
  tile.each([&](int x, int y) {
    if (is_first(x, y)) paint(x, y, kFirstStride);
  });
  const auto light = bare_light(tile, canvas);
  if (light && fill(atelier, tile, *light, canvas)) return;
  tile.each([&](int x, int y) { paint(x, y, 1); });
}

bool differ(const Pixel& p, const Pixel& q) {
  if (p.empty && q.empty) return p.cover != q.cover;
  const float nearer = std::min(p.distance, q.distance);
  return p.empty != q.empty || p.cover != q.cover || p.normal.dot(q.normal) < kEdgeCosine ||
         std::abs(p.distance - q.distance) > kEdgeDistance * nearer ||
         ((p.albedo - q.albedo).abs() > kEdgeAlbedo).any();
}

bool at_edge(const Canvas& canvas, int x, int y) {
  const Pixel& p = canvas.pixels[canvas.index(x, y)];
  return (x > 0 && differ(p, canvas.pixels[canvas.index(x - 1, y)])) ||
         (y > 0 && differ(p, canvas.pixels[canvas.index(x, y - 1)])) ||
         (x + 1 < canvas.width && differ(p, canvas.pixels[canvas.index(x + 1, y)])) ||
         (y + 1 < canvas.height && differ(p, canvas.pixels[canvas.index(x, y + 1)]));
}

/// Calls `work` for every tile, from many threads, and tells how far it is: from `start` on, for
/// this share of the whole.
template <class Work>
void each_tile(const Atelier& atelier, const Canvas& canvas, double start, double share,
               const Work& work) {
  const int across = (canvas.width + kTile - 1) / kTile;
  const int down = (canvas.height + kTile - 1) / kTile;
  std::atomic<int> done = 0;
  std::mutex telling;
  tbb::parallel_for(0, across * down, [&](int tile) {
    const auto* interrupt = atelier.settings.interrupt;
    if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) throw Interrupted();
    const int x0 = tile % across * kTile, y0 = tile / across * kTile;
    work(Tile{x0, y0, std::min(x0 + kTile, canvas.width), std::min(y0 + kTile, canvas.height)});
    const int finished = ++done;
    if (!atelier.settings.progress) return;
    const std::lock_guard lock(telling);
    atelier.settings.progress(start + share * finished / (across * down));
  });
}

/// Share of the time of a quick picture that its first pass takes.
constexpr double kFirstPass = 0.7;

void sketch(const Atelier& atelier, Canvas& canvas) {
  each_tile(atelier, canvas, 0.0, kFirstPass,
            [&](const Tile& tile) { sketch_tile(atelier, tile, canvas); });
  std::vector<char> edges(canvas.pixels.size());
  tbb::parallel_for(0, canvas.height, [&](int y) {
    for (int x = 0; x < canvas.width; ++x)
      edges[canvas.index(x, y)] = at_edge(canvas, x, y) ? 1 : 0;
  });
  each_tile(atelier, canvas, kFirstPass, 1.0 - kFirstPass, [&](const Tile& tile) {
    tile.each([&](int x, int y) {
      const std::size_t k = canvas.index(x, y);
      if (edges[k] != 0) paint_pixel(atelier, x, y, kQuickPaths, kEdgePaths, canvas.pixels[k]);
      canvas.pixels[k].finish();
    });
  });
}

void paint(const Atelier& atelier, Canvas& canvas) {
  if (atelier.settings.quick)
    sketch(atelier, canvas);
  else
    each_tile(atelier, canvas, 0.0, 1.0,
              [&](const Tile& tile) { paint_tile(atelier, tile, canvas); });
}

Image developed(const Canvas& canvas, const Room& room, const RenderSettings& s) {
  std::vector<Rgb> smooth;
  if (s.denoise) smooth = smoothed_illumination(canvas, s.quick);
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
