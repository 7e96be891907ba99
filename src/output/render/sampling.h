#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "vec3f.h"

namespace repose::render {

/// Well-spread numbers for one light path: an Owen-scrambled Sobol sequence, two dimensions at a
/// time (Burley 2020). A path depends on its pixel and number alone.
class Sampler {
 public:
  /// Of `paths` paths, number `path`.
  Sampler(std::uint32_t pixel, std::uint32_t path, std::uint32_t paths);
  /// Two numbers in [0, 1).
  Eigen::Vector2f next();

 private:
  std::uint32_t seed_;
  std::uint32_t path_;
  std::uint32_t mask_;  // the bits that tell the paths apart
  std::uint32_t dimension_ = 0;
};

/// Two unit vectors that make a right-handed frame with unit `n`.
struct Frame {
  Vec3f x, y, z;
  explicit Frame(const Vec3f& n);
  Vec3f world(const Vec3f& local) const { return x * local.x() + y * local.y() + z * local.z(); }
  Vec3f local(const Vec3f& world) const { return {x.dot(world), y.dot(world), z.dot(world)}; }
};

/// A direction about `n` with density cos / pi.
Vec3f cosine_direction(const Vec3f& n, const Eigen::Vector2f& xi);
/// A direction within `half_angle` of `axis`, uniform over the cap.
Vec3f cone_direction(const Vec3f& axis, float cos_half_angle, const Eigen::Vector2f& xi);

/// The microfacet model of Walter et al. 2007 (GGX), frame with z along the normal.
struct Ggx {
  float alpha;  // roughness squared
  /// A facet normal among those visible from `out` (Heitz 2018).
  Vec3f visible_normal(const Vec3f& out, const Eigen::Vector2f& xi) const;
  float density(const Vec3f& half) const;
  float shadowing(const Vec3f& w) const;  // G1
};

/// Share of light that a smooth border between two clear materials reflects. `eta` is the ratio of
/// indices, inside the far side over the near; 1 where no light gets through.
float dielectric_fresnel(float cos_in, float eta);

}  // namespace repose::render
