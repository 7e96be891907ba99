#include "shape/define/seams.h"

#include <algorithm>
#include <array>

namespace repose::shape {
namespace {

/// Jets nearer than this fraction of the patch's own scale are one.
constexpr double kSame = 1e-11;
constexpr int kSamples = 17;

/// The jet with each derivative scaled to lengths by the domain's extent.
std::array<Vec3, 6> scaled(const Patch& patch, double u, double v) {
  const UvBox d = patch.domain();
  const double du = d.u1 - d.u0, dv = d.v1 - d.v0;
  const PatchJet j = patch.jet(u, v);
  return {j.s, j.su * du, j.sv * dv, j.suu * (du * du), j.suv * (du * dv), j.svv * (dv * dv)};
}

bool same(const std::array<Vec3, 6>& a, const std::array<Vec3, 6>& b) {
  double scale = 0.0, apart = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    scale = std::max({scale, a[k].norm(), b[k].norm()});
    apart = std::max(apart, (a[k] - b[k]).norm());
  }
  return apart <= kSame * scale;
}

}  // namespace

bool meets_itself_along_u(const Patch& patch) {
  const UvBox d = patch.domain();
  for (int i = 0; i < kSamples; ++i) {
    const double v = std::min(d.v1, d.v0 + (d.v1 - d.v0) * i / (kSamples - 1.0));
    if (!same(scaled(patch, d.u0, v), scaled(patch, d.u1, v))) return false;
  }
  return true;
}

bool meets_itself_along_v(const Patch& patch) {
  const UvBox d = patch.domain();
  for (int i = 0; i < kSamples; ++i) {
    const double u = std::min(d.u1, d.u0 + (d.u1 - d.u0) * i / (kSamples - 1.0));
    if (!same(scaled(patch, u, d.v0), scaled(patch, u, d.v1))) return false;
  }
  return true;
}

}  // namespace repose::shape
