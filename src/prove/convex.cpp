#include "repose/prove/convex.h"

#include <algorithm>
#include <cmath>

#include "repose/math/exact.h"
#include "repose/prove/fine.h"

#include "prove/turn.h"

namespace repose::prove {

namespace {

using shape::EllipsoidForm;
using shape::FrustumForm;
using shape::SuperellipsoidForm;

template <class Number>
Number larger(const Number& a, const Number& b) {
  return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

/// The p'-norm of (x, y) with 1/p + 1/p' = 1, p >= 2, for x, y >= 0: it falls as p' grows.
template <class Number>
Number dual_norm(const Number& x, const Number& y, double p) {
  const Interval dual = Interval(p) / (Interval(p) - Interval(1.0));
  const auto norm = [&](auto a, auto b, double e, double inverse) {
    const auto most = std::max(a, b), least = std::min(a, b);
    if (!(most > 0.0)) return Number(0.0);
    const Number share = Number(least, least) / Number(most, most);
    return Number(most, most) * pow_abs(Number(1.0) + pow_abs(share, e), inverse);
  };
  // of sums between 1 and 2 a larger power is more
  const double most = (Interval(1.0) / Interval(dual.lo)).hi;
  const double least = (Interval(1.0) / Interval(dual.hi)).lo;
  return {norm(x.lo, y.lo, dual.hi, least).lo, norm(x.hi, y.hi, dual.lo, most).hi};
}

/// The largest d.x of the core.
template <class Number>
struct Farthest {
  const Triple<Number>& d;

  Number operator()(const Segment& s) const {
    return larger(d[2] * Number(s.z0), d[2] * Number(s.z1));
  }
  Number operator()(const Hull& h) const {
    Number most = dot(d, triple<Number>(h.points.front()));
    for (const Vec3& p : h.points.subspan(1)) most = larger(most, dot(d, triple<Number>(p)));
    return most;
  }
  Number operator()(const EllipsoidForm& f) const {
    const auto a = triple<Number>(f.semi_axes);
    return length(Triple<Number>{a[0] * d[0], a[1] * d[1], a[2] * d[2]});
  }
  Number operator()(const SuperellipsoidForm& f) const {
    const auto a = triple<Number>(f.semi_axes);
    const Number waist = dual_norm(abs(a[0] * d[0]), abs(a[1] * d[1]), f.p);
    return dual_norm(Number(std::max(waist.lo, decltype(waist.lo)(0.0)), waist.hi),
                     abs(a[2] * d[2]), f.q);
  }
  Number operator()(const FrustumForm& f) const {
    const Number across = sqrt(square(d[0]) + square(d[1]));
    return larger(Number(f.r0) * across + Number(f.z0) * d[2],
                  Number(f.r1) * across + Number(f.z1) * d[2]);
  }
};

/// The largest d.x of the whole body, and its error.
template <class Number>
Number reach_along(const Convex& body, const Triple<Number>& d) {
  const Number core = std::visit(Farthest<Number>{d}, body.core);
  return core + Number(body.skin) * length(d);
}

/// A direction in three frames.
template <class Number>
struct Across {
  Triple<Number> in_a, in_world, in_b;
};

template <class Number>
Across<Number> across(const Pose& world_from_a, const Pose& world_from_b, const Vec3& normal) {
  const auto n = triple<Number>(normal);
  const auto world = turned(turn_of<Number>(world_from_a.rotation), n);
  return {n, world, turned_back(turn_of<Number>(world_from_b.rotation), world)};
}

/// How far the plane parts the two, in doubles.
double room_in(const Convex& a, const Pose& world_from_a, const Convex& b, const Pose& world_from_b,
               const Vec3& normal) {
  const auto [n, world, in_b] = across<Interval>(world_from_a, world_from_b, normal);
  const auto between =
      triple<Interval>(world_from_b.position) - triple<Interval>(world_from_a.position);
  const Interval room = dot(world, between) - reach_along<Interval>(a, n) -
                        reach_along<Interval>(b, {-in_b[0], -in_b[1], -in_b[2]});
  return (room / length(n) - Interval(a.error) - Interval(b.error)).lo;
}

/// An exact number between long doubles; all numbers where it left their range.
Fine enclosed(const Exact& value) {
  constexpr double kFewUlp = 8.0 * detail::kEps;  // `rounded` is nearer than that
  if (!value.sure()) return {-Fine::kInf, Fine::kInf};
  const double head = value.rounded();
  const Exact rest = value - Exact(head);
  if (!rest.sure()) return {-Fine::kInf, Fine::kInf};
  return Fine(head) + Fine(rest.rounded()) * Fine(1.0L - kFewUlp, 1.0L + kFewUlp);
}

/// A point of the core that lies far along d; its origin where it has no corners.
Vec3 pivot_of(const Convex& body, const Triple<Fine>& d) {
  const auto* hull = std::get_if<Hull>(&body.core);
  if (!hull) return Vec3::Zero();
  const auto at = [&](const Vec3& p) {
    return d[0].lo * p.x() + d[1].lo * p.y() + d[2].lo * p.z();
  };
  return *std::max_element(hull->points.begin(), hull->points.end(),
                           [&](const Vec3& p, const Vec3& q) { return at(p) < at(q); });
}

/// The largest d.(x - pivot) of the whole body.
Fine reach_beyond(const Convex& body, const Vec3& pivot, const Triple<Fine>& d) {
  const auto* hull = std::get_if<Hull>(&body.core);
  if (!hull) return reach_along<Fine>(body, d);
  const auto from = triple<Fine>(pivot);
  Fine most = 0.0;  // the pivot is one of them
  for (const Vec3& p : hull->points) most = larger(most, dot(d, triple<Fine>(p) - from));
  return most + Fine(body.skin) * length(d);
}

/// n.(q - p) of a point p of a and q of b, n and its result in a's frame: all products and sums
/// exact up to one division, for coordinates may be 1e15 times larger than what they differ by.
Fine beyond(const Pose& world_from_a, const Vec3& p, const Pose& world_from_b, const Vec3& q,
            const Vec3& normal) {
  const auto [rows_a, weight_a] = turn_of<Exact>(world_from_a.rotation);
  const auto [rows_b, weight_b] = turn_of<Exact>(world_from_b.rotation);
  const auto n = triple<Exact>(normal), at_p = triple<Exact>(p), at_q = triple<Exact>(q);
  const auto from = triple<Exact>(world_from_a.position), to = triple<Exact>(world_from_b.position);
  Exact sum = -(weight_a * weight_b * dot(n, at_p));
  for (std::size_t k = 0; k < 3; ++k)
    sum = sum + dot(rows_a[k], n) * (weight_b * (to[k] - from[k]) + dot(rows_b[k], at_q));
  return enclosed(sum) / enclosed(weight_a * weight_b);
}

/// The same in finer numbers, seen from a point of each body.
double fine_room_in(const Convex& a, const Pose& world_from_a, const Convex& b,
                    const Pose& world_from_b, const Vec3& normal) {
  const auto [n, world, in_b] = across<Fine>(world_from_a, world_from_b, normal);
  const Triple<Fine> back = {-in_b[0], -in_b[1], -in_b[2]};
  const Vec3 p = pivot_of(a, n), q = pivot_of(b, back);
  const Fine room = beyond(world_from_a, p, world_from_b, q, normal) - reach_beyond(a, p, n) -
                    reach_beyond(b, q, back);
  return lower_double(room / length(n) - Fine(a.error) - Fine(b.error));
}

/// A double as an interval of none but it.
Interval only(double x) {
  return Interval(x);
}

/// The signed gap of balls whose centres are `apart`: it grows with that.
double gap_of_balls(double apart, double radius_a, double radius_b, bool upper) {
  const auto end = [upper](const Interval& x) { return upper ? x.hi : x.lo; };
  const Interval d(apart), a(radius_a), b(radius_b);
  if (apart >= std::max(radius_a, radius_b)) return end(d - a - b);
  // the point of one nearest to the other's centre is the deepest in it
  const Interval none(0.0);
  const Interval in_a = a - larger(none, d - b), in_b = b - larger(none, d - a);
  return end(-larger(in_a, in_b));
}

Bracket gap_of_balls(const Interval& apart, double radius_a, double radius_b) {
  return {gap_of_balls(std::max(0.0, apart.lo), radius_a, radius_b, false),
          gap_of_balls(apart.hi, radius_a, radius_b, true)};
}

}  // namespace

double apart_along(const Convex& a, const Pose& world_from_a, const Convex& b,
                   const Pose& world_from_b, const Vec3& normal, Numbers numbers) {
  return numbers == Numbers::fine ? fine_room_in(a, world_from_a, b, world_from_b, normal)
                                  : room_in(a, world_from_a, b, world_from_b, normal);
}

Ground::Ground(const Pose& world_from_ground)
    : up_(turned(turn_of<Interval>(world_from_ground.rotation), triple<Interval>(Vec3::UnitZ()))),
      origin_(world_from_ground.position) {}

Bracket Ground::gap(const Convex& body, const Pose& world_from_body) const {
  const auto in_body = turned_back(turn_of<Interval>(world_from_body.rotation), up_);
  const auto from = triple<Interval>(world_from_body.position) - triple<Interval>(origin_);
  const Interval gap = dot(up_, from) -
                       reach_along<Interval>(body, {-in_body[0], -in_body[1], -in_body[2]}) +
                       Interval(-body.error, body.error);
  return {gap.lo, gap.hi};
}

Bracket Ground::gap_of_ball(const Vec3& center_world, double radius) const {
  const auto from = triple<Interval>(center_world) - triple<Interval>(origin_);
  const Interval gap = dot(up_, from) - Interval(radius);
  return {gap.lo, gap.hi};
}

std::optional<FrustumForm> drawn_in(const FrustumForm& f, double depth) {
  const Interval z0 = f.z0, z1 = f.z1, r0 = f.r0, dr = Interval(f.r1) - r0, dz = z1 - z0;
  const Interval slope = dr / dz, inward = only(depth) * sqrt(square(dr) + square(dz)) / abs(dz);
  const bool up = f.z1 > f.z0;
  const auto outer = [](const Interval& z, bool above) { return above ? z.hi : z.lo; };
  FrustumForm in{0.0, 0.0, outer(up ? z0 + only(depth) : z0 - only(depth), !up),
                 outer(up ? z1 - only(depth) : z1 + only(depth), up)};
  if (up ? in.z0 > in.z1 : in.z0 < in.z1) return std::nullopt;
  const auto radius = [&](double z) { return (r0 + slope * (only(z) - z0) - inward).hi; };
  in.r0 = radius(in.z0);
  in.r1 = radius(in.z1);
  if (!(in.r0 >= 0.0) && !(in.r1 >= 0.0)) return std::nullopt;
  // beyond its new tip the side is nothing
  const Interval tip = z0 - (r0 - inward) / slope;
  const auto cut = [&](double& z, double& r, bool above) {
    if (r >= 0.0) return;
    r = 0.0;
    if (std::isfinite(tip.lo) && std::isfinite(tip.hi))
      z = above ? std::min(z, tip.hi) : std::max(z, tip.lo);
  };
  cut(in.z0, in.r0, !up);
  cut(in.z1, in.r1, up);
  return in;
}

Bracket ball_ball(const Vec3& center_a, double radius_a, const Vec3& center_b, double radius_b) {
  const auto between = triple<Interval>(center_b) - triple<Interval>(center_a);
  return gap_of_balls(length(between), radius_a, radius_b);
}

Bracket ball_torus(const Vec3& center, double radius, const Pose& world_from_torus, double ring,
                   double tube, double error) {
  const auto p =
      turned_back(turn_of<Interval>(world_from_torus.rotation),
                  triple<Interval>(center) - triple<Interval>(world_from_torus.position));
  const Interval across = sqrt(square(p[0]) + square(p[1]));
  // the nearest point of the circle tells all: no point of either is deeper in the other
  const Interval apart = sqrt(square(across - Interval(ring)) + square(p[2]));
  const Bracket gap = gap_of_balls(apart, radius, tube);
  return {(Interval(gap.lower()) - Interval(error)).lo,
          (Interval(gap.upper()) + Interval(error)).hi};
}

}  // namespace repose::prove
