#pragma once

#include <functional>

#include <Eigen/Dense>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/items.h"

// Convex bodies of all sizes and proportions, far from their own origin and the world's, with what
// is true of a pair in long double.
namespace repose::check::wild {

using Long = long double;
using LongVec = Eigen::Matrix<Long, 3, 1>;
using LongMat = Eigen::Matrix<Long, 3, 3>;

struct Body {
  std::string kind;
  shape::ShapePtr shape;
  std::function<LongVec(const LongVec&)> farthest;  // along a direction, body frame
  bool smooth = false;                              // has one normal everywhere
  double thick = 0.0;                               // m: half of it
  double bend = 0.0;                                // m: radius where it is bent most
};

/// How a body is drawn: lengths in (0, size], the least of them `thin` times that, points up to
/// `far` sizes from its own origin where it has points.
struct Draw {
  double size = 1.0, thin = 1.0, far = 0.0;
};

/// A length of about `size`, metres; no shape is made smaller.
inline double draw_length(double size, Random& random) {
  constexpr double kLeast = 4e-9;
  return std::max(size * random.between(0.3, 1.0), kLeast);
}

/// Half the lengths of a body, thin along z.
inline Vec3 draw_half(const Draw& d, Random& random) {
  const double x = draw_length(0.5 * d.size, random), y = draw_length(0.5 * d.size, random);
  return {x, y, draw_length(0.5 * d.size * d.thin, random)};
}

inline Body ball_body(const Draw& d, Random& random) {
  const double r = draw_length(0.5 * d.size, random);
  return {"ball",
          shape::make_ball({r}).value(),
          [r](const LongVec& n) -> LongVec { return Long(r) * n.normalized(); },
          true,
          r,
          r};
}

inline Body ellipsoid_body(const Draw& d, Random& random) {
  const Vec3 a = draw_half(d, random);
  return {"ellipsoid",
          shape::make_ellipsoid({a}).value(),
          [a](const LongVec& n) -> LongVec {
            const LongVec b = a.cast<Long>(), s = b.cwiseProduct(n);
            return b.cwiseProduct(s) / s.norm();
          },
          true,
          a.minCoeff(),
          a.minCoeff() * a.minCoeff() / a.maxCoeff()};
}

/// Radius r at both ends, or at the lower one alone; between z0 and z1.
inline LongVec rim_point(const LongVec& n, double r0, double z0, double r1, double z1) {
  const Long across = std::hypot(n.x(), n.y());
  const auto at = [&](double r, double z) {
    return across > 0 ? LongVec(Long(r) * n.x() / across, Long(r) * n.y() / across, Long(z))
                      : LongVec(Long(r), Long(0), Long(z));
  };
  const LongVec low = at(r0, z0), high = at(r1, z1);
  return n.dot(high - low) > 0 ? high : low;
}

inline Body cylinder_body(const Draw& d, Random& random) {
  const bool disc = random.unit() < 0.5;
  const double r = draw_length(0.5 * d.size * (disc ? 1.0 : d.thin), random);
  const double h = draw_length(d.size * (disc ? d.thin : 1.0), random);
  return {"cylinder",
          shape::make_cylinder({r, h}).value(),
          [r, h](const LongVec& n) { return rim_point(n, r, -0.5 * h, r, 0.5 * h); },
          false,
          std::min(r, 0.5 * h),
          std::min(r, 0.5 * h)};
}

inline Body cone_body(const Draw& d, Random& random) {
  const double r = draw_length(0.5 * d.size * d.thin, random), h = draw_length(d.size, random);
  return {"cone",
          shape::make_cone({r, h, 0.0}).value(),
          [r, h](const LongVec& n) { return rim_point(n, r, 0.0, 0.0, h); },
          false,
          0.5 * r,
          0.5 * r};
}

inline Body capsule_body(const Draw& d, Random& random) {
  const double r = draw_length(0.5 * d.size * d.thin, random), h = draw_length(d.size, random);
  return {"capsule",
          shape::make_capsule({r, h}).value(),
          [r, h](const LongVec& n) -> LongVec {
            const Long end = Long(0.5) * Long(h);
            return Long(r) * n.normalized() + LongVec(0, 0, n.z() > 0 ? end : -end);
          },
          true,
          r,
          r};
}

inline Body points_body(const char* kind, shape::ShapePtr shape, std::vector<Vec3> points,
                        double thick) {
  return {kind,
          std::move(shape),
          [points = std::move(points)](const LongVec& n) {
            std::size_t best = 0;
            for (std::size_t k = 1; k < points.size(); ++k)
              if (n.dot((points[k] - points[best]).cast<Long>()) > 0) best = k;
            return LongVec(points[best].cast<Long>());
          },
          false,
          thick,
          thick};
}

inline std::vector<Vec3> box_points(const Vec3& half, const Vec3& middle) {
  std::vector<Vec3> out;
  for (int i = 0; i < 8; ++i)
    out.push_back(middle + Vec3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(),
                                i & 4 ? half.z() : -half.z()));
  return out;
}

inline Body box_body(const Draw& d, Random& random) {
  const Vec3 half = draw_half(d, random);
  return points_body("box", shape::make_box({2.0 * half}).value(), box_points(half, Vec3::Zero()),
                     half.minCoeff());
}

inline Body mesh_body(const Draw& d, Random& random) {
  const Vec3 half = draw_half(d, random);
  const auto points = box_points(half, d.far * d.size * random_direction(random));
  shape::MeshInput in;
  in.mesh.points = points;
  in.mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return points_body("mesh", shape::make_mesh(in).value(), points, half.minCoeff());
}

inline Body hull_body(const Draw& d, Random& random) {
  const Vec3 half = draw_half(d, random), middle = d.far * d.size * random_direction(random);
  std::vector<Vec3> points;
  constexpr int kPoints = 14;
  for (int k = 0; k < kPoints; ++k)
    points.push_back(middle + random_direction(random).cwiseProduct(half));
  return points_body("hull", shape::make_convex({points, {}}).value(), points,
                     0.2 * half.minCoeff());
}

using Maker = Body (*)(const Draw&, Random&);
inline constexpr Maker kMakers[] = {ball_body,    ellipsoid_body, cylinder_body, cone_body,
                                    capsule_body, box_body,       mesh_body,     hull_body};
inline Body draw_body(const Draw& d, Random& random) {
  return kMakers[random.below(std::size(kMakers))](d, random);
}

/// The rotation that q stands for.
inline LongMat turn_of(const Quat& q) {
  const Long w = q.w(), x = q.x(), y = q.y(), z = q.z();
  const Long n = w * w + x * x + y * y + z * z;
  LongMat m;
  m << w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
      w * w - x * x + y * y - z * z, 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
      w * w - x * x - y * y + z * z;
  return m / n;
}

/// Two bodies, the second `meant` of the smaller size from the first along a direction, but for the
/// rounding of its pose; and what is then true of them.
struct Pair {
  Body body_a, body_b;
  PlacedBody a, b;
  double size = 0.0, thick = 0.0;  // m: the smaller one's; half of the thinner one
  Long apart = 0;                  // m: a plane lies so far from both, or so deep in both
  Long reach = 0;                  // m: of two points, one of each
  Long error = 0;                  // m: of these two
  /// Two points that passed each other along the plane prove nothing, but where one lies in a ball
  /// that rolls within the other body: at a depth t below the plane and l beside the ball's own
  /// point that is where l^2 < t (2 r - t). Half of that is asked for.
  bool sure() const {
    const double bend =
        std::max(body_a.smooth ? body_a.bend : 0.0, body_b.smooth ? body_b.bend : 0.0);
    const Long beside = reach * reach - apart * apart;
    return bend > 0.0 && apart > -Long(bend) && beside < -apart * Long(bend);
  }
  /// So deep in one another that nothing may call them free.
  bool at_fault() const {
    constexpr double kOfSize = 2e-9, kOfThick = 0.05;
    return sure() && apart < -Long(std::min(kOfSize * size, kOfThick * thick)) - error;
  }
};

inline Pair draw_pair(const Draw& da, const Draw& db, double meant, double place, Random& random) {
  Pair out{draw_body(da, random), draw_body(db, random), {}, {}};
  out.a = at(out.body_a.shape, place * random_direction(random), random_rotation(random));
  out.b = at(out.body_b.shape, Vec3::Zero(), random_rotation(random));
  out.size = std::min(out.a.size(), out.b.size());
  const LongVec n = random_direction(random).cast<Long>().normalized();
  const LongMat ra = turn_of(out.a.world_from_body.rotation);
  const LongMat rb = turn_of(out.b.world_from_body.rotation);
  const LongVec p = ra * out.body_a.farthest(ra.transpose() * n);
  const LongVec q = rb * out.body_b.farthest(-(rb.transpose() * n));
  const LongVec xa = out.a.world_from_body.position.cast<Long>();
  // pushed farther than it is bent one may have passed the other
  constexpr double kOfBend = 0.1;
  out.thick = std::min(out.body_a.thick, out.body_b.thick);
  const double deepest = kOfBend * std::min(out.body_a.bend, out.body_b.bend);
  const LongVec target = xa + p + Long(std::max(meant * out.size, -deepest)) * n - q;
  out.b.world_from_body.position = target.cast<double>();
  const LongVec between = out.b.world_from_body.position.cast<Long>() - xa + q - p;
  out.apart = n.dot(between);
  out.reach = between.norm();
  out.error = 64 * std::numeric_limits<Long>::epsilon() * (xa.norm() + p.norm() + q.norm());
  return out;
}

/// What is wrong with a bracket; empty where nothing is.
inline std::string fault(const Pair& p, const GapBracket& g) {
  if (!(g.lower <= g.upper)) return "the bracket is empty";
  if (p.apart >= 0 && Long(g.lower) > p.reach + p.error)
    return "the lower bound exceeds the distance of two points";
  if (p.apart > p.error && Long(g.upper) < p.apart - p.error)
    return "the upper bound is below the distance of a plane";
  if (p.apart < -p.error && p.sure() && g.lower > 0.0) return "an overlap was missed";
  return {};
}

/// Thin bodies, bodies far from where their numbers begin, and bodies beside much larger ones.
enum class Wildness { plain, thin, far, ratio, all };
inline constexpr Wildness kWild[] = {Wildness::plain, Wildness::thin, Wildness::far,
                                     Wildness::ratio, Wildness::all};
inline const char* name(Wildness w) {
  const char* const names[] = {"plain", "thin", "far", "ratio", "all"};
  return names[static_cast<int>(w)];
}

inline double power(Random& random, double least, double most) {
  return std::pow(10.0, random.between(least, most));
}

inline Pair draw_wild(Wildness wild, double meant, Random& random) {
  const auto is = [&](Wildness w) { return wild == w || wild == Wildness::all; };
  Draw a, b;
  a.size = is(Wildness::ratio) ? power(random, 2.0, 5.0) : power(random, -3.0, 3.0);
  b.size = is(Wildness::ratio) ? a.size * power(random, -9.0, 0.0) : a.size;
  for (Draw* d : {&a, &b}) {
    if (is(Wildness::thin)) d->thin = power(random, -8.0, 0.0);
    // no point farther than shapes take them
    constexpr double kFarthest = 1e8;
    if (is(Wildness::far)) d->far = std::min(power(random, 0.0, 6.0), kFarthest / d->size);
  }
  const double place = is(Wildness::far) ? b.size * power(random, 0.0, 6.0) : b.size;
  if (random.unit() < 0.5) std::swap(a, b);
  return draw_pair(a, b, meant, place, random);
}

}  // namespace repose::check::wild
