#include "sampling.h"

#include <bit>
#include <limits>

namespace repose::render {
namespace {

std::uint32_t reversed(std::uint32_t x) {
  x = ((x >> 1) & 0x55555555U) | ((x & 0x55555555U) << 1);
  x = ((x >> 2) & 0x33333333U) | ((x & 0x33333333U) << 2);
  x = ((x >> 4) & 0x0F0F0F0FU) | ((x & 0x0F0F0F0FU) << 4);
  x = ((x >> 8) & 0x00FF00FFU) | ((x & 0x00FF00FFU) << 8);
  return (x >> 16) | (x << 16);
}

std::uint32_t mixed(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7FEB352DU;
  x ^= x >> 15;
  x *= 0x846CA68BU;
  return x ^ (x >> 16);
}

// permutes so that each bit only hangs on the bits below it (Laine and Karras 2011)
std::uint32_t permuted_upwards(std::uint32_t x, std::uint32_t seed) {
  x += seed;
  x ^= x * 0x6C50B47CU;
  x ^= x * 0xB82F1E52U;
  x ^= x * 0xC7AFE638U;
  return x ^ (x * 0x8D22F6E6U);
}

std::uint32_t owen_scrambled(std::uint32_t x, std::uint32_t seed) {
  return reversed(permuted_upwards(reversed(x), seed));
}

// second Sobol dimension: direction numbers of the Pascal matrix modulo two
std::uint32_t sobol_second(std::uint32_t index) {
  std::uint32_t result = 0;
  for (std::uint32_t v = 1U << 31; index != 0; index >>= 1, v ^= v >> 1)
    if ((index & 1U) != 0) result ^= v;
  return result;
}

float unit(std::uint32_t bits) {
  return static_cast<float>(bits >> 8) * 0x1.0p-24F;
}

}  // namespace

Sampler::Sampler(std::uint32_t pixel, std::uint32_t path, std::uint32_t paths)
    : seed_(mixed(pixel + 0x9E3779B9U)), path_(path), mask_(std::bit_ceil(paths) - 1) {}

Eigen::Vector2f Sampler::next() {
  const std::uint32_t seed = mixed(seed_ ^ (0x85EBCA6BU * ++dimension_));
  const std::uint32_t index = owen_scrambled(path_, seed) & mask_;
  const std::uint32_t u = owen_scrambled(reversed(index), mixed(seed + 1));
  const std::uint32_t v = owen_scrambled(sobol_second(index), mixed(seed + 2));
  return {unit(u), unit(v)};
}

Frame::Frame(const Vec3f& n) : z(n) {
  // Duff et al. 2017
  const float sign = std::copysign(1.0F, n.z());
  const float a = -1.0F / (sign + n.z());
  const float b = n.x() * n.y() * a;
  x = Vec3f(1.0F + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  y = Vec3f(b, sign + n.y() * n.y() * a, -n.y());
}

Vec3f cosine_direction(const Vec3f& n, const Eigen::Vector2f& xi) {
  const float r = std::sqrt(xi.x());
  const float phi = 2.0F * kPi * xi.y();
  const float z = std::sqrt(std::max(0.0F, 1.0F - xi.x()));
  return Frame(n).world({r * std::cos(phi), r * std::sin(phi), z});
}

Vec3f cone_direction(const Vec3f& axis, float cos_half_angle, const Eigen::Vector2f& xi) {
  const float z = 1.0F - xi.x() * (1.0F - cos_half_angle);
  const float r = std::sqrt(std::max(0.0F, 1.0F - z * z));
  const float phi = 2.0F * kPi * xi.y();
  return Frame(axis).world({r * std::cos(phi), r * std::sin(phi), z});
}

Vec3f Ggx::visible_normal(const Vec3f& out, const Eigen::Vector2f& xi) const {
  const Vec3f stretched = Vec3f(alpha * out.x(), alpha * out.y(), out.z()).normalized();
  const float r = std::sqrt(xi.x());
  const float phi = 2.0F * kPi * xi.y();
  const float across = r * std::cos(phi);
  const float blend = 0.5F * (1.0F + stretched.z());
  // a frame whose y points up the slope, as the blend below needs it
  Vec3f side = Vec3f::UnitZ().cross(stretched);
  side = side.squaredNorm() > 0.0F ? side.normalized() : Vec3f(Vec3f::UnitX());
  const Vec3f up = stretched.cross(side);
  const float along = (1.0F - blend) * std::sqrt(std::max(0.0F, 1.0F - across * across)) +
                      blend * r * std::sin(phi);
  const float rest = std::sqrt(std::max(0.0F, 1.0F - across * across - along * along));
  const Vec3f n = side * across + up * along + stretched * rest;
  return Vec3f(alpha * n.x(), alpha * n.y(), std::max(0.0F, n.z())).normalized();
}

float Ggx::density(const Vec3f& half) const {
  const float a2 = alpha * alpha;
  const float d = half.z() * half.z() * (a2 - 1.0F) + 1.0F;
  return a2 / (kPi * d * d);
}

float Ggx::shadowing(const Vec3f& w) const {
  const float z2 = w.z() * w.z();
  const float tan2 = std::max(0.0F, 1.0F - z2) / std::max(z2, std::numeric_limits<float>::min());
  return 2.0F / (1.0F + std::sqrt(1.0F + alpha * alpha * tan2));
}

float dielectric_fresnel(float cos_in, float eta) {
  const float c = std::clamp(cos_in, 0.0F, 1.0F);
  const float g2 = eta * eta - 1.0F + c * c;
  if (g2 <= 0.0F) return 1.0F;
  const float g = std::sqrt(g2);
  const float a = (g - c) / (g + c);
  const float b = (c * (g + c) - 1.0F) / (c * (g - c) + 1.0F);
  return 0.5F * a * a * (1.0F + b * b);
}

}  // namespace repose::render
