#include "repose/measure/grains.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace repose::measure {
namespace {

/// Most cells of a free surface along one side.
constexpr int kMostCells = 2000;

/// m^3, from its triangles where it is no ball.
double volume_of(const DrawingShape& shape) {
  if (shape.form == DrawingForm::ball)
    return 4.0 / 3.0 * std::numbers::pi * shape.radius * shape.radius * shape.radius;
  double six_volumes = 0.0;
  for (const auto& t : shape.triangles)
    six_volumes += shape.points[static_cast<std::size_t>(t[0])].dot(
        shape.points[static_cast<std::size_t>(t[1])].cross(
            shape.points[static_cast<std::size_t>(t[2])]));
  return std::fabs(six_volumes) / 6.0;
}

}  // namespace

double Grains::mean_radius() const {
  double sum = 0.0;
  for (const double r : radii) sum += r;
  return radii.empty() ? 0.0 : sum / static_cast<double>(radii.size());
}

Grains grains_of(const Recording& recording, const RecordedFrame& frame) {
  Grains out;
  const Vec3& gravity = recording.head().gravity;
  out.weight = gravity.norm() > 0.0;
  const Quat up_from_world = rotation_between(
      out.weight ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitZ()), Vec3::UnitZ());
  std::vector<double> equal_radius;  // by shape: of the ball of its volume
  for (const DrawingShape& shape : recording.shapes())
    equal_radius.push_back(std::cbrt(0.75 / std::numbers::pi * volume_of(shape)));
  std::vector<int> number(recording.bodies().size(), -1);
  std::vector<int> fixed;
  out.on_plane = true;
  for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
    const auto index = static_cast<std::size_t>(frame.bodies[k]);
    const RecordedBody& body = recording.bodies()[index];
    const DrawingShape& shape = recording.shapes()[static_cast<std::size_t>(body.shape)];
    if (body.fixed) {
      fixed.push_back(frame.bodies[k]);
      out.on_plane = out.on_plane && (!body.collides || shape.form == DrawingForm::half_space);
      continue;
    }
    number[index] = static_cast<int>(out.centers.size());
    out.centers.push_back(up_from_world * (frame.poses[k] * body.center_body));
    out.radii.push_back(equal_radius[static_cast<std::size_t>(body.shape)]);
  }
  for (std::size_t k = 0; k < fixed.size(); ++k)
    number[static_cast<std::size_t>(fixed[k])] = static_cast<int>(out.size() + k);
  for (Contact contact : frame.contacts) {
    if (contact.body_a < 0 || contact.body_b < 0) continue;
    contact.body_a = number[static_cast<std::size_t>(contact.body_a)];
    contact.body_b = number[static_cast<std::size_t>(contact.body_b)];
    out.contacts.push_back(contact);
  }
  return out;
}

std::vector<Vec3> free_surface(const Grains& grains, double cell) {
  std::vector<Vec3> out;
  if (grains.size() == 0 || !(cell > 0.0)) return out;
  Vec3 low = grains.centers[0], high = low;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    low = low.cwiseMin(grains.centers[i] - Vec3::Constant(grains.radii[i]));
    high = high.cwiseMax(grains.centers[i] + Vec3::Constant(grains.radii[i]));
  }
  const double wide = std::max(cell, (high - low).head<2>().maxCoeff() / kMostCells);
  const int columns = 1 + static_cast<int>((high.x() - low.x()) / wide);
  const int rows = 1 + static_cast<int>((high.y() - low.y()) / wide);
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::vector<double> height(static_cast<std::size_t>(columns) * rows, kNone);
  const auto place = [&](int n, int axis) { return low[axis] + (n + 0.5) * wide; };
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const Vec3& c = grains.centers[i];
    const double r = grains.radii[i];
    const auto first = [&](int axis) {
      return std::max(0, static_cast<int>((c[axis] - r - low[axis]) / wide));
    };
    const auto last = [&](int axis, int count) {
      return std::min(count - 1, static_cast<int>((c[axis] + r - low[axis]) / wide));
    };
    for (int y = first(1); y <= last(1, rows); ++y)
      for (int x = first(0); x <= last(0, columns); ++x) {
        const double off = std::hypot(place(x, 0) - c.x(), place(y, 1) - c.y());
        if (off > r) continue;
        double& top = height[static_cast<std::size_t>(y) * columns + x];
        top = std::max(top, c.z() + std::sqrt(r * r - off * off));
      }
  }
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const double top = height[static_cast<std::size_t>(y) * columns + x];
      if (top > kNone) out.emplace_back(place(x, 0), place(y, 1), top);
    }
  return out;
}

}  // namespace repose::measure
