#include "repose/render/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace repose::render {
namespace {

/// Halvings of the angle in which the middle of the bodies is sought.
constexpr int kHalvings = 30;

/// How far the items reach along one slanted plane normal: max of x - slope * z and -x - slope * z,
/// where z grows away from the eye.
struct Reach {
  double right = -std::numeric_limits<double>::infinity();
  double left = -std::numeric_limits<double>::infinity();

  void add(double x, double z, double radius, double slope) {
    const double grow = radius * std::sqrt(1.0 + slope * slope);
    right = std::max(right, x - slope * z + grow);
    left = std::max(left, -x - slope * z + grow);
  }
  double center() const { return 0.5 * (right - left); }
  double depth(double slope) const { return -(right + left) / (2.0 * slope); }
};

/// A ball to be seen: where it is across the picture, how far ahead, and its radius.
struct Seen {
  double x, y, z, radius;
};

/// How far the bodies reach to one side and the other of an eye at `at`, as tangents.
struct Sides {
  double right = -std::numeric_limits<double>::infinity();
  double left = -std::numeric_limits<double>::infinity();
};
Sides sides_of(const std::vector<Seen>& seen, double Seen::*across, double at, double eye_z) {
  Sides out;
  for (const Seen& ball : seen) {
    const double ahead = ball.z - eye_z;
    if (!(ahead > 0.0)) continue;
    out.right = std::max(out.right, (ball.*across + ball.radius - at) / ahead);
    out.left = std::max(out.left, (at - ball.*across + ball.radius) / ahead);
  }
  return out;
}

/// Where the eye stands across the picture so that as much is left free on one side as on the
/// other. Near bodies look larger: it is not the middle of them.
double centered(const std::vector<Seen>& seen, double Seen::*across, double eye_z) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Seen& ball : seen) {
    low = std::min(low, ball.*across - ball.radius);
    high = std::max(high, ball.*across + ball.radius);
  }
  for (int k = 0; k < kHalvings; ++k) {
    const double at = 0.5 * (low + high);
    const Sides sides = sides_of(seen, across, at, eye_z);
    (sides.right > sides.left ? low : high) = at;
  }
  return 0.5 * (low + high);
}

struct Extent {
  Reach x, y;
  std::vector<Seen> seen;
  double nearest = std::numeric_limits<double>::infinity();
  bool any = false;
};

constexpr double kAlong = 0.9;      // cosine beyond which a direction counts as up itself
constexpr double kSteepest = 1.55;  // rad; looks down on the bodies but keeps an upright

}  // namespace

Camera framed_camera(const Picture& picture, double aspect, const View& view) {
  Camera camera;
  camera.view_angle = view.view_angle;
  const double e = std::clamp(view.elevation, -kSteepest, kSteepest);
  // headings count from x, or from y where x itself is up
  const Vec3 above = view.up.normalized();
  const Vec3 first = std::abs(above.x()) < kAlong ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 ahead = (first - above.dot(first) * above).normalized();
  const Vec3 aside = above.cross(ahead);
  const Vec3 back =
      std::cos(e) * (std::cos(view.azimuth) * ahead + std::sin(view.azimuth) * aside) +
      std::sin(e) * above;
  const Vec3 right = above.cross(back).normalized();
  const Vec3 up = back.cross(right);
  const double free = 1.0 - 2.0 * std::clamp(view.margin, 0.0, 0.45);
  const double tall = free * std::tan(0.5 * camera.view_angle), wide = tall * aspect;

  Extent extent;
  const auto add = [&](const Vec3& p, double radius) {
    const double z = -back.dot(p);
    extent.x.add(right.dot(p), z, radius, wide);
    extent.y.add(up.dot(p), z, radius, tall);
    extent.nearest = std::min(extent.nearest, z - radius);
    extent.seen.push_back({right.dot(p), up.dot(p), z, radius});
    extent.any = true;
  };
  for (const Item& item : picture.items) {
    if (!item.frames) continue;
    if (!item.mesh) {
      add(item.world_from_item.position, item.radius);
      continue;
    }
    for (const auto& p : item.mesh->points) add(item.world_from_item * p.cast<double>(), 0.0);
  }
  if (!extent.any) return camera;

  const double z = std::min({extent.x.depth(wide), extent.y.depth(tall)});
  // the direction that leaves room is centred; the other one is by what bounds it
  const bool wide_is_full = extent.x.depth(wide) <= extent.y.depth(tall);
  const double x = wide_is_full ? extent.x.center() : centered(extent.seen, &Seen::x, z);
  const double y = wide_is_full ? centered(extent.seen, &Seen::y, z) : extent.y.center();
  camera.eye = x * right + y * up - z * back;
  // any point ahead will do for the target; the nearest of the bodies keeps it at their scale
  camera.target = camera.eye - std::max(extent.nearest - z, std::abs(z) * 0x1.0p-20) * back;
  camera.up = up;
  return camera;
}

}  // namespace repose::render
