#include "canvas.h"

#include <tbb/parallel_for.h>

namespace repose::render {
namespace {

/// Darker albedos than this count as black when light is told from colour.
constexpr float kBlack = 1e-3F;
/// Passes of the filter; each doubles the reach, the last reaches 2^kPasses pixels.
constexpr int kPasses = 4;
/// Neighbours this many standard deviations brighter or darker count for a third.
constexpr float kNoiseTolerance = 2.5F;
/// Neighbours off the pixel's plane by this share of their distance count for a third.
constexpr float kPlaneTolerance = 0.02F;
/// Power of the cosine between neighbouring normals.
constexpr int kNormalDoublings = 6;
constexpr float kLeastDeviation = 2e-3F;
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

// variance of the mean of a pixel, blurred over its neighbours because few paths tell little
std::vector<Light> first_lights(const Canvas& canvas) {
  std::vector<Light> lights(canvas.pixels.size());
  tbb::parallel_for(0, canvas.height, [&](int y) {
    for (int x = 0; x < canvas.width; ++x) {
      float sum = 0.0F, weight = 0.0F;
      for (int j = std::max(0, y - 1); j <= std::min(canvas.height - 1, y + 1); ++j)
        for (int i = std::max(0, x - 1); i <= std::min(canvas.width - 1, x + 1); ++i) {
          const Pixel& q = canvas.pixels[canvas.index(i, j)];
          sum += std::max(0.0F, q.light_squared - q.light * q.light) / static_cast<float>(q.paths);
          weight += 1.0F;
        }
      const std::size_t k = canvas.index(x, y);
      lights[k] = {canvas.pixels[k].illumination(), sum / weight};
    }
  });
  return lights;
}

Light filtered(const Canvas& canvas, const std::vector<Light>& from, int x, int y, int step) {
  const std::size_t k = canvas.index(x, y);
  if (from[k].variance == 0.0F) return from[k];
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
        w *= same.factor * std::exp(same.exponent - off);
      }
      sum += w * from[n].value;
      variance += w * w * from[n].variance;
      weights += w;
    }
  return {sum / weights, variance / (weights * weights)};
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

std::vector<Rgb> smoothed_illumination(const Canvas& canvas) {
  std::vector<Light> lights = first_lights(canvas), next(lights.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    tbb::parallel_for(0, canvas.height, [&](int y) {
      for (int x = 0; x < canvas.width; ++x)
        next[canvas.index(x, y)] = filtered(canvas, lights, x, y, 1 << pass);
    });
    lights.swap(next);
  }
  std::vector<Rgb> out;
  out.reserve(lights.size());
  for (const Light& l : lights) out.push_back(l.value);
  return out;
}

}  // namespace repose::render
