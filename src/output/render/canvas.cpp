#include "canvas.h"

#include <tbb/parallel_for.h>

namespace repose::render {
namespace {

/// Darker albedos than this count as black when light is told from colour.
constexpr float kBlack = 1e-3F;
/// Passes of the filter; each doubles the reach, the last reaches 2^kPasses pixels. Fewer are
/// needed where sets have been gathered.
constexpr int kPasses = 4, kPassesAfterGathering = 2;
/// Neighbours this many standard deviations brighter or darker count for a third.
constexpr float kNoiseTolerance = 2.5F;
/// Neighbours off the pixel's plane by this share of their distance count for a third.
constexpr float kPlaneTolerance = 0.02F;
/// Power of the cosine between neighbouring normals.
constexpr int kNormalDoublings = 6;
constexpr float kLeastDeviation = 2e-3F;
/// Less is not noise, but the slope of light that is told well.
constexpr float kLeastVariance = kLeastDeviation * kLeastDeviation;
constexpr float kKernel[3] = {0.375F, 0.25F, 0.0625F};

struct Light {
  Rgb value;
  float variance;
};

// how far two pixels lie on one smooth surface
struct Agreement {
  float factor;
  float exponent;
};

Agreement agreement(const Pixel& p, const Pixel& q, float pixel_distance) {
  float cosine = std::max(0.0F, p.normal.dot(q.normal));
  for (int i = 0; i < kNormalDoublings; ++i) cosine *= cosine;
  const float spread = kPlaneTolerance * std::min(p.distance, q.distance) * pixel_distance;
  return {cosine, -std::abs(p.distance - q.distance) / std::max(spread, kBlack * kBlack)};
}

/// Neighbours looked at for the variance of the light, paths of their own to each side (a whole
/// square of kSquare lies within), and the cosine between
/// normals from which on they lie on one surface.
constexpr int kVarianceReach = 2;
constexpr float kSameSurface = 0.9F;

// between the paths of a pixel and of its neighbours, because few paths tell little
float variance_of_mean(const Canvas& canvas, int x, int y) {
  const Pixel& p = canvas.pixels[canvas.index(x, y)];
  float light = 0.0F, squared = 0.0F, count = 0.0F, paths = 0.0F;
  for (int b = -kVarianceReach; b <= kVarianceReach; ++b)
    for (int a = -kVarianceReach; a <= kVarianceReach; ++a) {
      const int i = x + a * p.stride, j = y + b * p.stride;
      if (i < 0 || j < 0 || i >= canvas.width || j >= canvas.height) continue;
      const Pixel& q = canvas.pixels[canvas.index(i, j)];
      if (q.empty != p.empty || q.normal.dot(p.normal) < kSameSurface) continue;
      light += q.light;
      squared += q.light_squared;
      paths += static_cast<float>(q.paths);
      count += 1.0F;
    }
  if (count == 0.0F) return 0.0F;
  const float mean = light / count;
  return std::max(0.0F, squared / count - mean * mean) * count / paths;
}

std::vector<Light> first_lights(const Canvas& canvas) {
  std::vector<Light> lights(canvas.pixels.size());
  tbb::parallel_for(0, canvas.height, [&](int y) {
    for (int x = 0; x < canvas.width; ++x) {
      const std::size_t k = canvas.index(x, y);
      lights[k] = {canvas.pixels[k].illumination(), variance_of_mean(canvas, x, y)};
    }
  });
  return lights;
}

// exp(-x) for x >= 0, near enough for a weight
float fading(float x) {
  return 1.0F / (1.0F + x * (1.0F + x * (0.5F + x / 6.0F)));
}

/// The mean over a square about the pixel, whose border counts for half: of a pattern that repeats
/// every kSquare pixels nothing is left.
Light gathered(const Canvas& canvas, const std::vector<Light>& from, int x, int y) {
  constexpr int kReach = kSquare / 2;
  const std::size_t k = canvas.index(x, y);
  const Pixel& p = canvas.pixels[k];
  if (from[k].variance < kLeastVariance) return from[k];
  Rgb sum = Rgb::Zero();
  float weights = 0.0F, squares = 0.0F;
  for (int b = -kReach; b <= kReach; ++b)
    for (int a = -kReach; a <= kReach; ++a) {
      const int i = x + a * p.stride, j = y + b * p.stride;
      if (i < 0 || j < 0 || i >= canvas.width || j >= canvas.height) continue;
      const std::size_t n = canvas.index(i, j);
      const auto apart = static_cast<float>(p.stride * (std::abs(a) + std::abs(b)));
      const Agreement same = n == k ? Agreement{1.0F, 0.0F} : agreement(p, canvas.pixels[n], apart);
      const float border =
          (std::abs(a) == kReach ? 0.5F : 1.0F) * (std::abs(b) == kReach ? 0.5F : 1.0F);
      const float w = border * same.factor * fading(-same.exponent);
      sum += w * from[n].value;
      weights += w;
      squares += w * w;
    }
  return {sum / weights, from[k].variance * squares / (weights * weights)};
}

/// `step`: pixels to the neighbours.
Light filtered(const Canvas& canvas, const std::vector<Light>& from, int x, int y, int step) {
  const std::size_t k = canvas.index(x, y);
  if (from[k].variance < kLeastVariance) return from[k];
  const Pixel& p = canvas.pixels[k];
  const float deviation = std::sqrt(from[k].variance);
  const float tolerance = kNoiseTolerance * deviation + kLeastDeviation;
  const float bright = luminance(from[k].value);
  Rgb sum = Rgb::Zero();
  float weights = 0.0F, variance = 0.0F;
  for (int b = -2; b <= 2; ++b)
    for (int a = -2; a <= 2; ++a) {
      const int i = x + a * step, j = y + b * step;
      if (i < 0 || j < 0 || i >= canvas.width || j >= canvas.height) continue;
      const std::size_t n = canvas.index(i, j);
      const Pixel& q = canvas.pixels[n];
      const float apart = static_cast<float>(step * (std::abs(a) + std::abs(b)));
      float w = kKernel[std::abs(a)] * kKernel[std::abs(b)];
      if (n != k) {
        const Agreement same = agreement(p, q, apart);
        if (same.factor < kBlack) continue;
        const float off = std::abs(luminance(from[n].value) - bright) / tolerance;
        w *= same.factor * fading(off - same.exponent);
      }
      sum += w * from[n].value;
      variance += w * w * from[n].variance;
      weights += w;
    }
  return {sum / weights, variance / (weights * weights)};
}

/// Where paths stand every other pixel, the light between them is a mean of theirs and tells a
/// little less: a tent over the nearest pixels leaves nothing of a pattern that repeats every two.
Rgb evened(const Canvas& canvas, const std::vector<Light>& from, int x, int y) {
  constexpr float kTent[2] = {0.5F, 0.25F};
  const Pixel& p = canvas.pixels[canvas.index(x, y)];
  Rgb sum = Rgb::Zero();
  float weights = 0.0F;
  for (int b = -1; b <= 1; ++b)
    for (int a = -1; a <= 1; ++a) {
      const int i = std::clamp(x + a, 0, canvas.width - 1);
      const int j = std::clamp(y + b, 0, canvas.height - 1);
      const std::size_t n = canvas.index(i, j);
      // nor across the horizon: the backdrop takes no light
      if (canvas.pixels[n].empty != p.empty || canvas.pixels[n].normal.dot(p.normal) < kSameSurface)
        continue;
      const float w = kTent[std::abs(a)] * kTent[std::abs(b)];
      sum += w * from[n].value;
      weights += w;
    }
  return weights > 0.0F ? Rgb(sum / weights) : from[canvas.index(x, y)].value;
}

}  // namespace

void Pixel::add(const PathSample& path) {
  albedo += path.albedo;
  lit += path.lit;
  other += path.other;
  normal += path.normal;
  distance += path.distance;
  const float scale = luminance(path.albedo);
  const float l = scale > kBlack ? luminance(path.lit) / scale : 0.0F;
  light += l;
  light_squared += l * l;
  empty = empty && path.empty;
  ++paths;
}

float Pixel::variance() const {
  const float share = 1.0F / static_cast<float>(paths), mean = share * light;
  return std::max(0.0F, share * light_squared - mean * mean);
}

void Pixel::finish() {
  const float share = 1.0F / static_cast<float>(paths);
  albedo *= share;
  lit *= share;
  other *= share;
  marker *= share;
  cover *= share;
  distance *= share;
  light *= share;
  light_squared *= share;
  normal *= share;
}

Rgb Pixel::illumination() const {
  return lit / albedo.max(kBlack);
}

std::vector<Rgb> smoothed_illumination(const Canvas& canvas, bool shared) {
  std::vector<Light> lights = first_lights(canvas), next(lights.size());
  const auto pass_over = [&](const auto& pixel) {
    tbb::parallel_for(0, canvas.height, [&](int y) {
      for (int x = 0; x < canvas.width; ++x) next[canvas.index(x, y)] = pixel(x, y);
    });
    lights.swap(next);
  };
  if (shared) pass_over([&](int x, int y) { return gathered(canvas, lights, x, y); });
  const int passes = shared ? kPassesAfterGathering : kPasses;
  for (int pass = 0; pass < passes; ++pass)
    pass_over([&](int x, int y) { return filtered(canvas, lights, x, y, 1 << pass); });
  // where paths stand farther apart
  if (shared)
    pass_over([&](int x, int y) {
      const std::size_t k = canvas.index(x, y);
      return canvas.pixels[k].stride > 1 ? filtered(canvas, lights, x, y, 1 << passes) : lights[k];
    });
  if (shared)
    pass_over([&](int x, int y) {
      const std::size_t k = canvas.index(x, y);
      if (canvas.pixels[k].stride == 1) return lights[k];
      return Light{evened(canvas, lights, x, y), lights[k].variance};
    });
  std::vector<Rgb> out;
  out.reserve(lights.size());
  for (const Light& l : lights) out.push_back(l.value);
  return out;
}

}  // namespace repose::render
