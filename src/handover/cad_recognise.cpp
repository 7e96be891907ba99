#include "cad_recognise.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace repose::handover {

namespace {

using namespace shape;

constexpr double kPi = std::numbers::pi;
/// Directions and lengths of one file that differ by less are the same, relative.
constexpr double kSame = 1e-9;
/// Volumes of a formula and of its solid differ by less, relative.
constexpr double kSameVolume = 1e-8;

bool same(double a, double b, double size) {
  return std::fabs(a - b) <= kSame * size;
}
bool same_volume(double a, double b) {
  return std::fabs(a - b) <= kSameVolume * std::fabs(b);
}
bool along(const Vec3& a, const Vec3& b) {
  return a.cross(b).norm() <= kSame;
}

/// All faces by the kind of their surface.
struct Sorted {
  std::vector<PlaneSurface> planes;
  std::vector<CylinderSurface> cylinders;
  std::vector<ConeSurface> cones;
  std::vector<SphereSurface> spheres;
  std::vector<TorusSurface> tori;
  bool others = false;
  bool straight = true;  // every outline is a polygon
  std::vector<Vec3> corners;

  explicit Sorted(const TrimmedInput& in) {
    for (const TrimFace& face : in.faces) {
      std::visit([this](const auto& s) { add(s); }, face.surface);
      for (const auto& loop : face.loops)
        for (const TrimCurve& curve : loop) {
          const auto* line = std::get_if<TrimLine>(&curve);
          straight = straight && line != nullptr;
          if (line != nullptr && !planes.empty()) add_corner(line->from);
        }
    }
  }
  bool only(std::size_t p, bool cylinder, bool cone, bool sphere, bool torus) const {
    return !others && planes.size() == p && cylinders.empty() != cylinder &&
           cones.empty() != cone && spheres.empty() != sphere && tori.empty() != torus;
  }

 private:
  void add(const PlaneSurface& s) { planes.push_back(s); }
  void add(const CylinderSurface& s) { cylinders.push_back(s); }
  void add(const ConeSurface& s) { cones.push_back(s); }
  void add(const SphereSurface& s) { spheres.push_back(s); }
  void add(const SphereChart& s) {
    SphereSurface plain;
    static_cast<SurfaceFrame&>(plain) = s;
    plain.radius = s.radius;
    spheres.push_back(plain);
  }
  void add(const TorusSurface& s) { tori.push_back(s); }
  void add(const TurnedSurface&) { others = true; }
  void add(const SplineSurface&) { others = true; }
  void add_corner(const Vec2& at) {
    const PlaneSurface& p = planes.back();
    corners.push_back(p.origin + at[0] * p.x + at[1] * p.y);
  }
};

Pose frame_of(const Vec3& origin, const Vec3& x, const Vec3& z) {
  Mat3 axes;
  axes.col(2) = z.normalized();
  axes.col(0) = (x - x.dot(axes.col(2)) * axes.col(2)).normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return {origin, Quat(axes).normalized()};
}

/// The line that a turned surface goes about.
struct Axis {
  Vec3 origin, x, z;
  explicit Axis(const SurfaceFrame& f) : origin(f.origin), x(f.x), z(f.z) {}

  double height(const Vec3& p) const { return (p - origin).dot(z); }
  double off(const Vec3& p) const { return (p - origin).cross(z).norm(); }
  bool holds(const SurfaceFrame& f, double size) const {
    return along(z, f.z) && off(f.origin) <= kSame * size;
  }
  Vec3 at(double height_on) const { return origin + height_on * z; }
};

/// Heights of planes that are all square to the axis, growing; empty where one is not.
std::vector<double> heights(const Axis& axis, const std::vector<PlaneSurface>& planes) {
  std::vector<double> out;
  for (const PlaneSurface& p : planes) {
    if (!along(axis.z, p.z)) return {};
    out.push_back(axis.height(p.origin));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<Recognised> ball(const Sorted& s, double volume) {
  if (!s.only(0, false, false, true, false)) return {};
  const SphereSurface& first = s.spheres[0];
  for (const SphereSurface& other : s.spheres)
    if (!same(other.radius, first.radius, first.radius) ||
        (other.origin - first.origin).norm() > kSame * first.radius)
      return {};
  const double r = first.radius;
  if (!same_volume(4.0 / 3.0 * kPi * r * r * r, volume)) return {};
  return Recognised{BallInput{r}, frame_of(first.origin, first.x, first.z)};
}

std::optional<Recognised> torus(const Sorted& s, double volume) {
  if (!s.only(0, false, false, false, true)) return {};
  const TorusSurface& t = s.tori[0];
  const Axis axis(t);
  for (const TorusSurface& other : s.tori)
    if (!axis.holds(other, t.ring_radius) ||
        !same(other.ring_radius, t.ring_radius, t.ring_radius) ||
        !same(other.tube_radius, t.tube_radius, t.ring_radius) ||
        (other.origin - t.origin).norm() > kSame * t.ring_radius)
      return {};
  if (!(t.tube_radius < t.ring_radius)) return {};
  if (!same_volume(2.0 * kPi * kPi * t.ring_radius * t.tube_radius * t.tube_radius, volume))
    return {};
  return Recognised{TorusInput{t.ring_radius, t.tube_radius}, frame_of(t.origin, t.x, t.z)};
}

bool one_cylinder(const Sorted& s) {
  const CylinderSurface& c = s.cylinders[0];
  const Axis axis(c);
  return std::all_of(s.cylinders.begin(), s.cylinders.end(), [&](const CylinderSurface& other) {
    return axis.holds(other, c.radius) && same(other.radius, c.radius, c.radius);
  });
}

std::optional<Recognised> cylinder(const Sorted& s, double volume) {
  if (!s.only(2, true, false, false, false) || !one_cylinder(s)) return {};
  const CylinderSurface& c = s.cylinders[0];
  const Axis axis(c);
  const auto ends = heights(axis, s.planes);
  if (ends.size() != 2) return {};
  const double length = ends[1] - ends[0];
  if (!same_volume(kPi * c.radius * c.radius * length, volume)) return {};
  return Recognised{CylinderInput{c.radius, length},
                    frame_of(axis.at(0.5 * (ends[0] + ends[1])), c.x, c.z)};
}

std::optional<Recognised> capsule(const Sorted& s, double volume) {
  if (!s.only(0, true, false, true, false) || !one_cylinder(s)) return {};
  const CylinderSurface& c = s.cylinders[0];
  const Axis axis(c);
  double low = axis.height(s.spheres[0].origin), high = low;
  for (const SphereSurface& end : s.spheres) {
    if (!same(end.radius, c.radius, c.radius) || axis.off(end.origin) > kSame * c.radius) return {};
    low = std::min(low, axis.height(end.origin));
    high = std::max(high, axis.height(end.origin));
  }
  const double r = c.radius, length = high - low;
  if (!same_volume(kPi * r * r * length + 4.0 / 3.0 * kPi * r * r * r, volume)) return {};
  return Recognised{CapsuleInput{r, length}, frame_of(axis.at(0.5 * (low + high)), c.x, c.z)};
}

std::optional<Recognised> cone(const Sorted& s, double volume) {
  if (s.planes.size() > 2 || !s.only(s.planes.size(), false, true, false, false)) return {};
  const ConeSurface& c = s.cones[0];
  const Axis axis(c);
  const double slope = std::tan(c.half_angle);
  for (const ConeSurface& other : s.cones) {
    if (!axis.holds(other, c.radius + 1.0) ||
        !same(std::fabs(std::tan(other.half_angle)), std::fabs(slope), 1.0))
      return {};
  }
  auto ends = heights(axis, s.planes);
  const double apex = -c.radius / slope;
  if (ends.size() == 1) {
    ends.push_back(apex);
    std::sort(ends.begin(), ends.end());
  }
  if (ends.size() != 2) return {};
  const double size = ends[1] - ends[0];
  double low = c.radius + ends[0] * slope, high = c.radius + ends[1] * slope;
  if (same(ends[0], apex, size)) low = 0.0;
  if (same(ends[1], apex, size)) high = 0.0;
  if (low < 0.0 || high < 0.0 || !(size > 0.0)) return {};
  if (!same_volume(kPi / 3.0 * size * (low * low + low * high + high * high), volume)) return {};
  // the wide end below
  const bool upright = low > high;
  const Vec3 foot = axis.at(upright ? ends[0] : ends[1]);
  return Recognised{ConeInput{upright ? low : high, size, upright ? high : low},
                    frame_of(foot, c.x, upright ? c.z : Vec3(-c.z))};
}

/// Corners of several faces that are one.
std::vector<Vec3> welded(const std::vector<Vec3>& corners) {
  double size = 0.0;
  for (const Vec3& p : corners) size = std::max(size, (p - corners[0]).norm());
  std::vector<Vec3> out;
  for (const Vec3& p : corners)
    if (std::none_of(out.begin(), out.end(),
                     [&](const Vec3& q) { return (p - q).norm() <= kSame * size; }))
      out.push_back(p);
  return out;
}

std::optional<Recognised> box(const std::vector<Vec3>& corners, const Sorted& s, double volume) {
  if (corners.size() != 8) return {};
  const Vec3 x = s.planes[0].z.normalized();
  Vec3 y = Vec3::Zero();
  for (const PlaneSurface& p : s.planes)
    if (!along(p.z, x)) y = p.z.normalized();
  if (y == Vec3::Zero() || std::fabs(x.dot(y)) > kSame) return {};
  const Vec3 z = x.cross(y).normalized();
  for (const PlaneSurface& p : s.planes)
    if (!along(p.z, x) && !along(p.z, y) && !along(p.z, z)) return {};
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& p : corners) {
    const Vec3 local(p.dot(x), p.dot(y), p.dot(z));
    low = low.cwiseMin(local);
    high = high.cwiseMax(local);
  }
  const Vec3 size = high - low, middle = 0.5 * (low + high);
  if (!same_volume(size.prod(), volume)) return {};
  // axes as near to those of the faces' frame as they can be named
  Mat3 axes;
  axes << x, y, z;
  Vec3 ordered;
  Mat3 named;
  for (int k = 0; k < 3; ++k) {
    Eigen::Index at = 0;
    axes.row(k).cwiseAbs().maxCoeff(&at);
    named.col(k) = axes(k, at) < 0.0 ? Vec3(-axes.col(at)) : Vec3(axes.col(at));
    ordered[k] = size[at];
  }
  const bool proper = std::fabs(named.determinant() - 1.0) <= kSame;
  const Vec3 center = middle[0] * x + middle[1] * y + middle[2] * z;
  if (proper) return Recognised{BoxInput{ordered}, {center, Quat(named).normalized()}};
  return Recognised{BoxInput{size}, {center, Quat(axes).normalized()}};
}

std::optional<Recognised> polyhedron(const Sorted& s, double volume) {
  constexpr std::size_t kMostCorners = 500;
  if (s.others || s.planes.size() < 4 || !s.straight ||
      s.cylinders.size() + s.cones.size() + s.spheres.size() + s.tori.size() > 0)
    return {};
  const std::vector<Vec3> corners = welded(s.corners);
  if (corners.size() < 4 || corners.size() > kMostCorners) return {};
  if (auto found = box(corners, s, volume)) return found;
  const ConvexInput hull{corners, {}};
  const auto made = make_convex(hull);
  if (!made || !same_volume((*made)->volume.volume, volume)) return {};
  return Recognised{hull, {}};
}

}  // namespace

std::optional<Recognised> recognise(const TrimmedInput& faces, double volume) {
  const Sorted sorted(faces);
  for (const auto& sort : {ball, torus, cylinder, capsule, cone, polyhedron})
    if (auto found = sort(sorted, volume)) return found;
  return {};
}

}  // namespace repose::handover
