#include "repose/measure/region.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "repose/math/quadrature.h"

namespace repose::measure {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kSlices = 64;  // of a ball that the border cuts

/// Integral of the height sqrt(1 - x^2) of the unit circle from 0 to x.
double half_circle(double x) {
  const double t = std::clamp(x, -1.0, 1.0);
  return 0.5 * (t * std::sqrt(1.0 - t * t) + std::asin(t));
}

/// Area of the unit disc where x <= a and y <= b.
double disc_corner(double a, double b) {
  const double right = std::min(a, 1.0);
  if (right <= -1.0 || b <= -1.0) return 0.0;
  if (b >= 1.0) return 2.0 * (half_circle(right) - half_circle(-1.0));
  const double turn = std::sqrt(1.0 - b * b);  // |x| where the circle has height |b|
  double area = 0.0;
  if (right > -turn) {
    const double to = std::min(right, turn);
    area += b * (to + turn) + half_circle(to) - half_circle(-turn);
  }
  if (b <= 0.0) return area;
  // beside the cut the whole height of the disc lies below it
  area += 2.0 * (half_circle(std::min(right, -turn)) - half_circle(-1.0));
  if (right > turn) area += 2.0 * (half_circle(right) - half_circle(turn));
  return area;
}

/// Area of the disc about (x, y) in the rectangle.
double disc_in_rectangle(double x, double y, double radius, const Region& region) {
  const double x0 = (region.low.x() - x) / radius, x1 = (region.high.x() - x) / radius;
  const double y0 = (region.low.y() - y) / radius, y1 = (region.high.y() - y) / radius;
  return radius * radius *
         (disc_corner(x1, y1) - disc_corner(x0, y1) - disc_corner(x1, y0) + disc_corner(x0, y0));
}

/// Common area of two discs at distance d.
double lens(double d, double r, double s) {
  if (d >= r + s) return 0.0;
  const double small = std::min(r, s);
  if (d <= std::fabs(r - s)) return kPi * small * small;
  const double a = std::acos(std::clamp((d * d + r * r - s * s) / (2.0 * d * r), -1.0, 1.0));
  const double b = std::acos(std::clamp((d * d + s * s - r * r) / (2.0 * d * s), -1.0, 1.0));
  return r * r * (a - std::sin(a) * std::cos(a)) + s * s * (b - std::sin(b) * std::cos(b));
}

double cylinder_radius(const Region& region) {
  return 0.5 * std::min(region.high.x() - region.low.x(), region.high.y() - region.low.y());
}
Vec3 middle(const Region& region) {
  return 0.5 * (region.low + region.high);
}

double slice_within(const Region& region, const Vec3& center, double radius) {
  if (!region.cylinder) return disc_in_rectangle(center.x(), center.y(), radius, region);
  const Vec3 apart = center - middle(region);
  return lens(std::hypot(apart.x(), apart.y()), radius, cylinder_radius(region));
}

}  // namespace

Region Region::everywhere() {
  Region out;
  out.high = Vec3::Constant(std::numeric_limits<double>::infinity());
  out.low = -out.high;
  return out;
}

double Region::volume() const {
  if (empty()) return 0.0;
  const Vec3 size = high - low;
  const double radius = cylinder_radius(*this);
  return size.z() * (cylinder ? kPi * radius * radius : size.x() * size.y());
}

bool Region::holds(const Vec3& point) const {
  if ((point.array() < low.array()).any() || (point.array() > high.array()).any()) return false;
  if (!cylinder) return true;
  const Vec3 apart = point - middle(*this);
  return std::hypot(apart.x(), apart.y()) <= cylinder_radius(*this);
}

double Region::common_with_moved(const Vec3& u) const {
  const Vec3 left = (high - low - u.cwiseAbs()).cwiseMax(0.0);
  const double radius = cylinder_radius(*this);
  return left.z() *
         (cylinder ? lens(std::hypot(u.x(), u.y()), radius, radius) : left.x() * left.y());
}

Region Region::without_layer(double layer) const {
  Region out = *this;
  out.low.array() += layer;
  out.high.array() -= layer;
  return out;
}

double volume_within(const Region& region, const Vec3& center, double radius) {
  const double whole = 4.0 / 3.0 * kPi * radius * radius * radius;
  const Region deep = region.without_layer(radius);
  if (!deep.empty() && deep.holds(center)) return whole;
  // slices at height radius * sin t
  const double low = std::clamp((region.low.z() - center.z()) / radius, -1.0, 1.0);
  const double high = std::clamp((region.high.z() - center.z()) / radius, -1.0, 1.0);
  if (!(low < high)) return 0.0;
  static const QuadratureRule rule = gauss_legendre(kSlices);
  const double from = std::asin(low), to = std::asin(high);
  double sum = 0.0;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
    const double t = 0.5 * (from + to) + 0.5 * (to - from) * rule.nodes[k];
    const double wide = radius * std::cos(t);
    if (wide > 0.0) sum += rule.weights[k] * wide * slice_within(region, center, wide);
  }
  return 0.5 * (to - from) * sum;
}

double packing_fraction(const Grains& grains, const Region& region) {
  if (region.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0;
  for (std::size_t i = 0; i < grains.size(); ++i)
    sum += volume_within(region, grains.centers[i], grains.radii[i]);
  return sum / region.volume();
}

Region region_of(const Grains& grains) {
  Region box;
  if (grains.size() == 0) return box;
  box.low = Vec3::Constant(std::numeric_limits<double>::infinity());
  box.high = -box.low;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    box.low = box.low.cwiseMin(grains.centers[i] - Vec3::Constant(grains.radii[i]));
    box.high = box.high.cwiseMax(grains.centers[i] + Vec3::Constant(grains.radii[i]));
  }
  // the least circle about the middle that holds all grains
  const Vec3 at = middle(box);
  double radius = 0.0;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const Vec3 apart = grains.centers[i] - at;
    radius = std::max(radius, std::hypot(apart.x(), apart.y()) + grains.radii[i]);
  }
  const Vec3 size = box.high - box.low;
  if (kPi * radius * radius < size.x() * size.y()) {
    box.cylinder = true;
    for (int k = 0; k < 2; ++k) {
      box.low[k] = at[k] - radius;
      box.high[k] = at[k] + radius;
    }
  }
  const std::vector<Vec3> surface = free_surface(grains, grains.mean_radius());
  double height = 0.0;
  for (const Vec3& p : surface) height += p.z();
  if (!surface.empty()) box.high.z() = height / static_cast<double>(surface.size());
  return box;
}

}  // namespace repose::measure
