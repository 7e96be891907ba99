// Bodies that fly and spin past each other, thin ones and of very unlike size: what is said of all
// moments holds at thousands of single ones, where plain formulas tell the gap.
#include <gtest/gtest.h>

#include "repose/check/moments.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "src/check/exact/rounding.h"

namespace repose::check {
namespace {

using prove::Answer;

/// A segment with a radius, or a box with none: what plain formulas know.
struct Plain {
  double radius = 0.0, half = 0.0;  // m; of a capsule about z
  Vec3 sides = Vec3::Zero();        // m, half; of a box
  bool box = false;

  shape::ShapePtr shape() const {
    if (box) return shape::make_box({2.0 * sides}).value();
    if (half == 0.0) return shape::make_ball({radius}).value();
    return shape::make_capsule({radius, 2.0 * half}).value();
  }
  /// Radius of the largest ball that fits where one comes near it.
  double thin() const { return box ? sides.minCoeff() : radius; }
};

/// The distance of two segments p +- u, q +- v.
double segments(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v) {
  // convex in both shares: each in turn, from the best of the corners
  const Vec3 w = p - q;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v);
  double best = std::numeric_limits<double>::infinity();
  const auto look = [&](double s, double t) { best = std::min(best, (w + s * u - t * v).norm()); };
  const auto nearest_t = [&](double s) {
    return vv > 0.0 ? std::clamp((w.dot(v) + s * uv) / vv, -1.0, 1.0) : 0.0;
  };
  const auto nearest_s = [&](double t) {
    return uu > 0.0 ? std::clamp((t * uv - w.dot(u)) / uu, -1.0, 1.0) : 0.0;
  };
  for (const double end : {-1.0, 1.0}) {
    look(end, nearest_t(end));
    look(nearest_s(end), end);
  }
  const double det = uu * vv - uv * uv;
  if (det > 0.0) {
    const double s = (uv * w.dot(v) - vv * w.dot(u)) / det;
    if (std::fabs(s) <= 1.0 && std::fabs(w.dot(v) + s * uv) <= vv) look(s, nearest_t(s));
  }
  return best;
}

/// The gap, or the distance of the axis from the box less the radius.
double plain_gap(const Plain& a, const Pose& at_a, const Plain& b, const Pose& at_b) {
  if (!a.box && !b.box)
    return segments(at_a.position, at_a.turn(Vec3(0, 0, a.half)), at_b.position,
                    at_b.turn(Vec3(0, 0, b.half))) -
           a.radius - b.radius;
  if (!a.box) return plain_gap(b, at_b, a, at_a);
  // a ball beside a box
  const Vec3 out = (at_a.inverse() * at_b.position).cwiseAbs() - a.sides;
  return out.cwiseMax(0.0).norm() + std::min(out.maxCoeff(), 0.0) - b.radius;
}

Pose pose_at(const Course& way, double share) {
  Pose out;
  out.rotation = way.from.rotation.slerp(share, way.to.rotation);
  out.position = (1.0 - share) * (way.from * way.point_body) + share * (way.to * way.point_body) -
                 out.turn(way.point_body);
  return out;
}

/// The least gap at many moments, and about the least of those at more.
double sampled(const Plain& a, const Course& way_a, const Plain& b, const Course& way_b) {
  constexpr int kMoments = 2000;
  double least = std::numeric_limits<double>::infinity(), when = 0.0, step = 1.0 / kMoments;
  const auto look = [&](double share) {
    if (share < 0.0 || share > 1.0) return;
    const double gap = plain_gap(a, pose_at(way_a, share), b, pose_at(way_b, share));
    if (gap < least) least = gap, when = share;
  };
  for (int k = 0; k <= kMoments; ++k) look(k * step);
  for (; step > 1e-14; step *= 0.2)
    for (int k = -6; k <= 6; ++k) look(when + k * step);
  return least;
}

TEST(MomentsWild, what_is_proven_is_free_at_every_moment_sampled) {
  Random random(2611);
  int proven = 0, missed = 0, open = 0;
  for (int k = 0; k < 1500; ++k) {
    const double scale = std::pow(10.0, random.between(-2.0, 3.0));
    const auto body = [&](bool ball) {
      Plain out;
      const double size = scale * std::pow(10.0, random.between(-1.5, 0.0));
      out.radius = std::max(1e-9, size * std::pow(10.0, random.between(-6.0, 0.0)));
      if (!ball) out.half = size;
      return out;
    };
    Plain a = body(false), b = body(k % 2 == 0);
    if (k % 2 == 0 && k % 4 == 0) {
      a.box = true;
      a.sides =
          a.half * Vec3(1.0, random.between(0.1, 1.0), std::pow(10.0, random.between(-6.0, 0.0)));
    }
    // on their ways they come about one place at one time, or nearly
    const auto course = [&](const Plain& p, const Vec3& off) {
      Course way;
      const double far = p.box ? p.sides.norm() : p.half + p.radius;
      way.point_body =
          random.unit() < 0.5 ? Vec3(Vec3::Zero()) : Vec3(0.7 * far * random_direction(random));
      const Quat middle = random_rotation(random);
      const Vec3 turn = random.between(0.0, 1.5) * random_direction(random);
      const Vec3 go = scale * std::pow(10.0, random.between(-3.0, 0.5)) * random_direction(random);
      way.from.rotation = middle * rotation_from_vector(Vec3(-turn));
      way.to.rotation = middle * rotation_from_vector(turn);
      way.from.position = off - go - way.from.turn(way.point_body);
      way.to.position = off + go - way.to.turn(way.point_body);
      return way;
    };
    const Course way_a = course(a, Vec3::Zero());
    const Course way_b = course(b, 0.3 * scale * random.unit() * random_direction(random));
    const double least = sampled(a, way_a, b, way_b);
    const std::vector<PlacedBody> bodies{at(a.shape(), Vec3::Zero()), at(b.shape(), Vec3::Zero())};
    const MomentVerdict v = judge_moments(bodies, {way_a, way_b});
    const double size = pair_size(bodies[0], bodies[1]);
    const double rounding = 1e-12 * scale;
    if (v.answer == Answer::proven) {
      EXPECT_GE(least, -v.depth_relative * size - rounding) << k;
      EXPECT_GE(least, -std::min(1e-3 * size, 0.25 * std::min(a.thin(), b.thin())) - rounding) << k;
    }
    if (v.answer == Answer::missed) {
      EXPECT_LT(plain_gap(a, pose_at(way_a, v.share), b, pose_at(way_b, v.share)), rounding) << k;
    }
    proven += v.answer == Answer::proven;
    missed += v.answer == Answer::missed;
    open += v.answer == Answer::undecided;
  }
  RecordProperty("open", open);
  EXPECT_GT(proven, 400);
  EXPECT_GT(missed, 100);
  EXPECT_LT(open, 400);
}

}  // namespace
}  // namespace repose::check
