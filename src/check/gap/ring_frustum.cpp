#include "check/gap/ring_frustum.h"

#include <algorithm>
#include <cmath>

#include "repose/prove/placed.h"

#include "check/exact/rounding.h"

namespace repose::check {

namespace {

using shape::FrustumForm;

/// The circle C + U cos phi + V sin phi, seen from the frustum.
struct Ring {
  IVec3 center, u, v;
  Interval radius;
};

Ring seen_ring(const PlacedBody& frustum, const PlacedBody& torus, double radius) {
  const prove::Placing to(frustum.world_from_body);
  const prove::Placing from(torus.world_from_body, frustum.world_from_body.position);
  return {to.turn_back(from.enclose(Vec3::Zero())), to.turn_back(from.turn({radius, 0, 0})),
          to.turn_back(from.turn({0, radius, 0})), Interval(radius)};
}

Interval norm(Interval x, Interval y) {
  return sqrt(square(x) + square(y));
}

/// The point of the profile, a polygon of the half plane (distance from the axis, height), nearest
/// to p: on the side, or on the flat of one end.
Vec2 nearest_of_profile(const FrustumForm& f, const Vec2& p) {
  const Vec2 from(f.r0, f.z0), to(f.r1, f.z1), along = to - from;
  const double share = std::clamp((p - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  Vec2 best = from + share * along;
  for (const Vec2& end : {from, to}) {
    const Vec2 flat(std::clamp(p.x(), 0.0, end.x()), end.y());
    if ((flat - p).norm() < (best - p).norm()) best = flat;
  }
  return best;
}

/// No point of the ring is nearer to the frustum: with n = (n_r, n_z), n_r >= 0, the plane square
/// to n in the half plane of a point leaves all of the frustum below n_r r + n_z z = h, and with
/// A = U cos phi + V sin phi across the axis and c the centre's place there
///   r = |A + c| >= |A| + c.A / |A|,  |A|^2 >= R^2 - U_z^2 - V_z^2.
double lower_distance(const FrustumForm& f, const Ring& ring, const Vec2& n) {
  const Interval nr(n.x()), nz(n.y()), length = norm(nr, nz);
  const auto [cx, cy, cz] = ring.center;
  const Interval across = sqrt(square(ring.radius) - square(ring.u[2]) - square(ring.v[2]));
  const Interval turned = norm(cx, cy) * (Interval(1.0) - across / ring.radius);
  const auto wave = [&](const IVec3& w) {
    return nr * (cx * w[0] + cy * w[1]) / ring.radius + nz * w[2];
  };
  const Interval least = nr * (across - turned) + nz * cz - norm(wave(ring.u), wave(ring.v));
  const Interval h0 = nr * Interval(f.r0) + nz * Interval(f.z0);
  const Interval h1 = nr * Interval(f.r1) + nz * Interval(f.z1);
  return ((least - Interval(std::max(h0.hi, h1.hi))) / length).lo;
}

/// The distance of one point of the ring from one of the frustum.
double upper_distance(const FrustumForm& f, const Ring& ring, const Vec2& n, Vec3& point) {
  const auto wave = [&](const IVec3& w) {
    return n.x() * (ring.center[0].mid() * w[0].mid() + ring.center[1].mid() * w[1].mid()) /
               ring.radius.mid() +
           n.y() * w[2].mid();
  };
  const double p = wave(ring.u), q = wave(ring.v), hill = std::hypot(p, q);
  const double c = hill > 0.0 ? -p / hill : 1.0, s = hill > 0.0 ? -q / hill : 0.0;
  const Interval unit = norm(c, s);
  IVec3 at;
  for (std::size_t k = 0; k < 3; ++k)
    at[k] = ring.center[k] + (ring.u[k] * Interval(c) + ring.v[k] * Interval(s)) / unit;
  const Interval r = norm(at[0], at[1]);
  point = Vec3(at[0].mid(), at[1].mid(), at[2].mid());
  const Vec2 near = nearest_of_profile(f, {r.mid(), at[2].mid()});
  // the point computed may lie a rounding error off the frustum
  const double off =
      kSumError * (std::fabs(f.r0) + std::fabs(f.r1) + std::fabs(f.z0) + std::fabs(f.z1));
  return (norm(r - Interval(near.x()), at[2] - Interval(near.y())) + Interval(off)).hi;
}

}  // namespace

GapBracket ring_frustum(const PlacedBody& a, const ConvexBody& body, const PlacedBody& b,
                        const Swept& swept, const GapSettings& settings) {
  GapBracket g;
  const FrustumForm& f = *body.frustum();
  const Ring ring = seen_ring(a, b, swept.ring);
  const Vec2 middle(swept.ring, ring.center[2].mid());
  const Vec2 n = middle - nearest_of_profile(f, middle);
  if (!(n.x() >= 0.0) || !(n.norm() > 0.0)) return g;
  const double size = pair_size(a, b), error = body.error() + swept.error;
  const double low = lower_distance(f, ring, n) - error;
  Vec3 on_ring;
  const double high = upper_distance(f, ring, n, on_ring) + error;
  // the spine keeps out of the frustum: the gap is its distance less the tube, overlap included
  if (!(low > 0.0) || !(high >= low)) return g;
  g.lower = (Interval(low) - Interval(swept.radius)).lo;
  g.upper = (Interval(high) - Interval(swept.radius)).hi;
  g.tests = 1;
  g.status = prove::gap_status(
      g.bracket(), {settings.width * size, settings.width * size, settings.enough * size});
  const Frame wa = world_frame(a);
  const double r = std::hypot(on_ring.x(), on_ring.y());
  const Vec3 out = r > 0.0 ? Vec3(on_ring.x() / r, on_ring.y() / r, 0.0) : Vec3(Vec3::UnitX());
  const Vec3 normal = (n.x() * out + n.y() * Vec3::UnitZ()) / n.norm();
  g.normal_a_to_b = wa.turn * normal;
  g.point_b = wa * (on_ring - swept.radius * normal);
  g.point_a = wa * (on_ring - high * normal);
  return g;
}

}  // namespace repose::check
