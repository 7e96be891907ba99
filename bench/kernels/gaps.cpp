// Certified gaps by kind, each pair near to touching: what the judge spends its time on.
#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "kernels.h"

namespace repose::bench {
namespace {

constexpr double kWidth = 1e-6;  // of size, of the bracket
constexpr double kAbove = 1e-3;  // m, gap of the pairs

const Quat kTurned = Quat(Eigen::AngleAxisd(0.7, Vec3(1.0, 2.0, 0.5).normalized()));

void add(std::vector<Kernel>& out, const char* name, const char* what, check::PlacedBody a,
         check::PlacedBody b) {
  out.push_back({std::string("gap/") + name, what, [a = std::move(a), b = std::move(b)] {
                   used(check::gap(a, b, {.width = kWidth}).lower);
                 }});
}

}  // namespace

void add_gap_kernels(std::vector<Kernel>& out) {
  using namespace check;
  const auto box = *shape::make_box({.size = Vec3(1.0, 1.0, 1.0)});
  const auto egg = *shape::make_ellipsoid({.radii = Vec3(0.6, 0.4, 0.3)});
  const auto can = *shape::make_cylinder({.radius = 0.5, .height = 1.0});
  const auto ring = *shape::make_torus({.ring_radius = 0.5, .tube_radius = 0.15});
  const auto tip = *shape::make_cone({.radius = 0.5, .height = 1.0});
  constexpr double kDiagonal = 0.8660254037844386;  // of half a box
  add(out, "ball-ball", "two balls", at(ball(0.5), Vec3::Zero()),
      at(ball(0.5), Vec3(0.0, 0.0, 1.0 + kAbove)));
  add(out, "box-ground", "a turned box above ground", at(ground(), Vec3::Zero()),
      at(box, Vec3(0.0, 0.0, kDiagonal), kTurned));
  add(out, "box-box", "two turned boxes", at(box, Vec3::Zero()),
      at(box, Vec3(0.2, 0.1, 0.5 + kDiagonal), kTurned));
  add(out, "ellipsoid-ellipsoid", "two ellipsoids", at(egg, Vec3::Zero()),
      at(egg, Vec3(0.1, 0.05, 0.62), kTurned));
  add(out, "cylinder-ellipsoid", "an ellipsoid above a cylinder", at(can, Vec3::Zero()),
      at(egg, Vec3(0.1, 0.0, 1.0), kTurned));
  add(out, "torus-ball", "a ball in the hole of a torus", at(ring, Vec3::Zero()),
      at(ball(0.34), Vec3(0.005, 0.0, 0.0)));
  add(out, "torus-cone", "a torus above a cone", at(tip, Vec3::Zero()),
      at(ring, Vec3(0.05, 0.0, 0.9), kTurned));
}

}  // namespace repose::bench
