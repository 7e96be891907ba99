#pragma once

#include <algorithm>

#include "repose/check/gap.h"

#include "check/sweep_bodies.h"

// A dense sweep of two surfaces: slow, plain, and made of shapes and formulas alone.
namespace repose::check::sweep {

/// Two bodies placed so that one chosen pair of surface points is `meant` apart along their common
/// normal. The gap does not exceed it (unless two sharp places miss each other); of convex bodies
/// apart it is the gap.
struct Pair {
  const Body *body_a, *body_b;
  PlacedBody a, b;
  double size = 0.0, meant = 0.0;
  bool sure() const { return meant >= 0.0 || body_a->smooth() || body_b->smooth(); }
  bool convex() const { return body_a->convex && body_b->convex; }
};

inline double draw_gap(Random& random) {
  const double sign = random.unit() < 0.5 ? -1.0 : 1.0;
  const double kind = random.unit();
  if (kind < 0.1) return 0.0;
  if (kind < 0.55) return sign * random.between(0.0, 1e-6);
  return sign * std::pow(10.0, random.between(-6.0, -2.0));
}

inline Pair draw_pair(const Body& a, const Body& b, Random& random) {
  Pair out{&a, &b, {}, {}, 0.0, 0.0};
  const Quat turn_a = random_rotation(random);
  Quat turn_b = random_rotation(random);
  Vec3 p, q, n;  // world axes, from each body's origin
  if (a.support && b.support) {
    n = random_direction(random);
    p = turn_a * a.support(turn_a.conjugate() * n);
    q = turn_b * b.support(turn_b.conjugate() * -n);
  } else {
    const Sample& sa = a.samples[random.below(a.samples.size())];
    const Sample& sb = b.samples[random.below(b.samples.size())];
    n = turn_a * sa.normal;
    // of nearly opposite directions the turn comes out not quite unit
    turn_b = (rotation_between(turn_b * sb.normal, -n) * turn_b).normalized();
    p = turn_a * sa.point;
    q = turn_b * sb.point;
  }
  out.a = at(a.shape, random_direction(random), turn_a);
  out.size = 2.0 * std::min(a.shape->bounding_radius, b.shape->bounding_radius);
  out.meant = draw_gap(random) * out.size;
  out.b = at(b.shape, out.a.world_from_body.position + p + out.meant * n - q, turn_b);
  return out;
}

/// A body in its place, with those of its samples that are near the other one.
struct World {
  const Body& body;
  Pose pose;
  std::vector<Vec3> points;
  std::vector<std::size_t> sample;  // parallel to points

  World(const Body& b, const PlacedBody& item, const PlacedBody& other, double margin)
      : body(b), pose(item.world_from_body) {
    const Vec3 center = other.world_from_body * other.shape->bounding_center;
    for (std::size_t k = 0; k < b.samples.size(); ++k) {
      const Vec3 p = pose * b.samples[k].point;
      if ((p - center).norm() > other.shape->bounding_radius + margin) continue;
      points.push_back(p);
      sample.push_back(k);
    }
  }
  bool inside(const Vec3& p) const { return body.inside(pose.inverse() * p); }
};

/// Slides two points of smooth surfaces together: damped Gauss-Newton on their difference.
inline double slide(const World& a, std::size_t i, const World& b, std::size_t j) {
  const Sample &sa = a.body.samples[a.sample[i]], &sb = b.body.samples[b.sample[j]];
  double best = (a.points[i] - b.points[j]).norm();
  if (!sa.patch || !sb.patch) return best;
  Vec4 x;
  x << sa.uv, sb.uv;
  const auto clamp = [](const shape::Patch& p, Vec2 uv) {
    const shape::UvBox d = p.domain();
    return Vec2(std::clamp(uv.x(), d.u0, d.u1), std::clamp(uv.y(), d.v0, d.v1));
  };
  double damping = 1e-3;
  for (int k = 0; k < 40; ++k) {
    const auto ja = sa.patch->jet(x[0], x[1]), jb = sb.patch->jet(x[2], x[3]);
    const Vec3 r = b.pose * jb.s - a.pose * ja.s;
    Eigen::Matrix<double, 3, 4> m;
    m << -a.pose.turn(ja.su), -a.pose.turn(ja.sv), b.pose.turn(jb.su), b.pose.turn(jb.sv);
    Eigen::Matrix4d h = m.transpose() * m;
    h.diagonal() *= 1.0 + damping;
    h.diagonal().array() += 1e-14;
    const Vec4 step = h.ldlt().solve(m.transpose() * r);
    Vec4 y;
    y << clamp(*sa.patch, x.head<2>() - step.head<2>()),
        clamp(*sb.patch, x.tail<2>() - step.tail<2>());
    const double d =
        (b.pose * sb.patch->point(y[2], y[3]) - a.pose * sa.patch->point(y[0], y[1])).norm();
    if (d < best) {
      best = d;
      x = y;
      damping = std::max(damping * 0.2, 1e-12);
    } else {
      damping = std::min(damping * 10.0, 1e6);
    }
  }
  return best;
}

/// What the sweep saw.
struct Seen {
  double distance = 0.0;      // some two surface points are no farther apart
  bool overlap = false;       // some surface point of one lies in the other
  Vec3 point = Vec3::Zero();  // that point, world
  bool of_a = false;          // it is a's
};

inline Seen look(const Pair& pair) {
  const double margin = 0.05 * pair.size;
  const World a(*pair.body_a, pair.a, pair.b, margin), b(*pair.body_b, pair.b, pair.a, margin);
  struct Near {
    double d;
    std::size_t i, j;
  };
  std::vector<Near> near;
  for (std::size_t i = 0; i < a.points.size() && !b.points.empty(); ++i) {
    Near best{std::numeric_limits<double>::infinity(), i, 0};
    for (std::size_t j = 0; j < b.points.size(); ++j) {
      const double d = (a.points[i] - b.points[j]).squaredNorm();
      if (d < best.d) best = {d, i, j};
    }
    near.push_back(best);
  }
  constexpr std::size_t kStarts = 8;
  const std::size_t starts = std::min(kStarts, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(starts), near.end(),
                    [](const Near& x, const Near& y) { return x.d < y.d; });
  Seen out;
  out.distance = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < starts; ++k)
    out.distance = std::min(out.distance, slide(a, near[k].i, b, near[k].j));
  const auto look_inside = [&out](const World& of, const World& in, bool of_a) {
    for (const Vec3& p : of.points) {
      if (out.overlap) return;
      if (!in.inside(p)) continue;
      out.overlap = true;
      out.point = p;
      out.of_a = of_a;
    }
  };
  look_inside(a, b, true);
  look_inside(b, a, false);
  return out;
}

/// What is wrong with an answer; empty where nothing is.
inline std::string fault(const Pair& pair, const GapBracket& g, const Seen& seen) {
  const double rounding = 1e-11 * (pair.size + 1.0);
  if (!(g.lower <= g.upper + rounding)) return "the bracket is empty";
  if (pair.sure() && g.lower > pair.meant + rounding) return "the lower bound exceeds a known gap";
  if (g.lower > seen.distance + rounding) return "the lower bound exceeds a distance seen";
  if (seen.overlap && g.lower > rounding) return "an overlap was missed";
  if (pair.convex() && g.upper < pair.meant - rounding && pair.meant >= 0.0)
    return "the upper bound is below the gap";
  return {};
}

}  // namespace repose::check::sweep
