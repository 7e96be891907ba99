#include "shape/enclose/min_ball.h"

#include <cmath>

#include "repose/base/work.h"
#include "repose/math/dense.h"

namespace repose::shape {
namespace {

/// Points this much farther than the radius, relatively, still count as covered while growing.
constexpr double kCoverSlack = 1e-13;
/// Rounding of one distance computation, relatively, with room to spare.
constexpr double kDistanceSlack = 8.0 * 2.3e-16;
/// Each pivot enlarges the ball; far more than ever seen.
constexpr int kMaxPivots = 1000;
/// Distances that cost about one unit of work.
constexpr std::size_t kPointsPerUnit = 32;

double radius_squared_about(const std::vector<Vec3>& points, const Vec3& center) {
  double most = 0.0;
  for (const Vec3& p : points) most = std::max(most, (p - center).squaredNorm());
  return most;
}

/// Centre of the smallest ball through all of `on` (affinely independent), or false.
bool circumcenter(const std::vector<Vec3>& on, Vec3* center) {
  const int n = static_cast<int>(on.size()) - 1;
  if (n == 0) {
    *center = on[0];
    return true;
  }
  Eigen::MatrixXd edges(3, n);
  for (int i = 0; i < n; ++i) edges.col(i) = on[i + 1] - on[0];
  const Eigen::MatrixXd gram = transposed_product(edges, edges);
  const Eigen::VectorXd along = solve_or_nothing(gram, 0.5 * gram.diagonal());
  if (along.size() == 0) return false;
  *center = on[0] + edges * along;
  return center->allFinite();
}

/// The smallest ball about at most five points, the last of which lies on it; shrinks `support` to
/// the points that hold it.
BoundingBall small_ball(std::vector<Vec3>* support) {
  const std::vector<Vec3> all = *support;
  const unsigned last = 1u << (all.size() - 1);
  BoundingBall best{Vec3::Zero(), std::numeric_limits<double>::infinity()};
  for (unsigned set = last; set < 2 * last; ++set) {
    std::vector<Vec3> on;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (set >> i & 1u) on.push_back(all[i]);
    Vec3 center;
    if (on.size() > 4 || !circumcenter(on, &center)) continue;
    const double radius = std::sqrt(radius_squared_about(all, center));
    if (radius >= best.radius) continue;
    best = {center, radius};
    *support = on;
  }
  return best;
}

}  // namespace

BoundingBall min_ball(const std::vector<Vec3>& points) {
  if (points.empty()) return {};
  std::vector<Vec3> support{points[0]};
  BoundingBall ball{points[0], 0.0};
  for (int pivot = 0; pivot < kMaxPivots; ++pivot) {
    std::size_t farthest = 0;
    double most = -1.0;
    spend_work(1 + points.size() / kPointsPerUnit);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double d = (points[i] - ball.center).squaredNorm();
      if (d > most) most = d, farthest = i;
    }
    if (std::sqrt(most) <= ball.radius * (1.0 + kCoverSlack)) break;
    std::vector<Vec3> trial = support;
    trial.push_back(points[farthest]);
    const BoundingBall grown = small_ball(&trial);
    if (!(grown.radius > ball.radius)) break;
    ball = grown;
    support = trial;
  }
  ball.radius = std::sqrt(radius_squared_about(points, ball.center)) * (1.0 + kDistanceSlack);
  return ball;
}

}  // namespace repose::shape
