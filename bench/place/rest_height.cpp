#include "rest_height.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/shape/tessellate.h"

namespace repose {
namespace {

constexpr double kChord = 1e-5;  // of size
constexpr int kMostTriangles = 400000;
constexpr int kRing = 24;                      // turns tried around the best so far
constexpr double kFirst = 0.05, kLast = 1e-9;  // rad: how far, first and last
constexpr double kShrink = 0.6;

double height(const std::vector<Vec3>& points, const Quat& turn) {
  const Vec3 up_body = turn.conjugate() * Vec3::UnitZ();
  double lowest = std::numeric_limits<double>::infinity();
  for (const Vec3& p : points) lowest = std::min(lowest, p.dot(up_body));
  return -lowest;
}

}  // namespace

double least_height_near(const Body& body, const Quat& turn) {
  shape::TessellateSettings settings;
  settings.chord_fraction = kChord;
  settings.max_triangles = kMostTriangles;
  std::vector<Vec3> points = shape::tessellate(*body.shape, settings).points;
  for (Vec3& p : points) p -= body.center_body;
  Quat best = turn;
  double least = height(points, best);
  for (double far = kFirst; far > kLast;) {
    bool better = false;
    for (int k = 0; k < kRing; ++k) {
      const double angle = 2.0 * M_PI * k / kRing;
      const Vec3 axis(std::cos(angle), std::sin(angle), 0.0);
      const Quat tried = (Quat(Eigen::AngleAxisd(far, axis)) * best).normalized();
      const double h = height(points, tried);
      if (h >= least) continue;
      least = h;
      best = tried;
      better = true;
      break;
    }
    if (!better) far *= kShrink;
  }
  return least;
}

}  // namespace repose
