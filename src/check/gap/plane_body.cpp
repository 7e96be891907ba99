#include "check/gap/plane_body.h"

#include <algorithm>
#include <cmath>

#include "repose/prove/placed.h"

#include "check/exact/rounding.h"
#include "check/verdict/tally.h"

namespace repose::check {

PlaneBody::PlaneBody(const PlacedBody& item, const Vec3& origin) {
  const auto& region = std::get<shape::PlaneRegion>(item.shape->geometry);
  const Frame f = world_frame(item);
  constexpr double kTipped = 1e-12;  // sine of the angle out of the plane
  flat = f.turn.col(2).head<2>().norm() <= kTipped && f.turn(2, 2) > 0.0;
  const prove::Placing in_world(item.world_from_body, origin);
  const auto place = [&](const Vec2& p) {
    const prove::Placed w = in_world * Vec3(p.x(), p.y(), 0.0);
    reach = std::max(reach, w.at.head<2>().cwiseAbs().maxCoeff());
    error = std::max(error, w.error);
    return Vec2(w.at.head<2>());
  };
  const auto add_loop = [&](const std::vector<Vec2>& loop) {
    for (std::size_t k = 0; k < loop.size(); ++k)
      sides.push_back({place(loop[k]), place(loop[(k + 1) % loop.size()])});
  };
  for (const shape::Polygon& polygon : region.polygons) {
    add_loop(polygon.outer);
    starts.push_back(place(polygon.outer.front()));
    for (const auto& hole : polygon.holes) add_loop(hole);
    loop_end.push_back(sides.size());
  }
  for (const shape::Disc& disc : region.discs) {
    discs.push_back({place(disc.center), disc.radius});
    reach = std::max(reach, discs.back().center.cwiseAbs().maxCoeff() + disc.radius);
  }
}

void PlaneBody::move(const Vec2& by) {
  for (Side& s : sides) {
    s.from += by;
    s.to += by;
  }
  for (Vec2& p : starts) p += by;
  for (PlacedDisc& r : discs) r.center += by;
}

Vec2 closest_on_side(const PlaneBody::Side& s, const Vec2& p) {
  const Vec2 d = s.to - s.from;
  const double length = d.squaredNorm();
  const double t = length > 0.0 ? std::clamp(d.dot(p - s.from) / length, 0.0, 1.0) : 0.0;
  return s.from + t * d;
}

namespace {

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

bool sides_cross(const PlaneBody::Side& s, const PlaneBody::Side& t) {
  const Vec2 d = s.to - s.from, e = t.to - t.from;
  const double t0 = cross(d, t.from - s.from), t1 = cross(d, t.to - s.from);
  const double s0 = cross(e, s.from - t.from), s1 = cross(e, s.to - t.from);
  return (t0 > 0.0) != (t1 > 0.0) && (s0 > 0.0) != (s1 > 0.0);
}

/// A box about two sides shows them to be farther apart than `limit`.
bool far_apart(const PlaneBody::Side& s, const PlaneBody::Side& t, double limit) {
  for (int k = 0; k < 2; ++k) {
    if (std::min(s.from[k], s.to[k]) - std::max(t.from[k], t.to[k]) > limit) return true;
    if (std::min(t.from[k], t.to[k]) - std::max(s.from[k], s.to[k]) > limit) return true;
  }
  return false;
}

void keep(PlaneClose& best, const Vec2& a, const Vec2& b, const Vec2& fallback) {
  const double d = (b - a).norm();
  if (d >= best.distance) return;
  best = {d, a, b, d > 0.0 ? Vec2((b - a) / d) : fallback};
}

void keep_round(PlaneClose& best, const Vec2& a, double ra, const Vec2& b, double rb,
                const Vec2& fallback) {
  const double d = (b - a).norm();
  // of discs that overlap: the point of one nearest to the other's centre is the deepest in it
  const double gap = d >= ra + rb
                         ? d - ra - rb
                         : -std::max(rb - std::max(0.0, d - ra), ra - std::max(0.0, d - rb));
  if (gap >= best.distance) return;
  const Vec2 n = d > 0.0 ? Vec2((b - a) / d) : fallback;
  best = {gap, a + ra * n, b - rb * n, n};
}

}  // namespace

PlaneClose closest(const PlaneBody& a, const PlaneBody& b) {
  PlaneClose best;
  for (const auto& s : a.sides) {
    for (const auto& t : b.sides) {
      if (far_apart(s, t, best.distance)) continue;
      ++tally.pairs;
      const Vec2 n = s.normal();
      for (const Vec2& p : {t.from, t.to}) keep(best, closest_on_side(s, p), p, n);
      for (const Vec2& p : {s.from, s.to}) keep(best, p, closest_on_side(t, p), n);
      if (sides_cross(s, t) && best.distance > 0.0) best = {0.0, s.from, s.from, n};
    }
    for (const auto& r : b.discs)
      keep_round(best, closest_on_side(s, r.center), 0.0, r.center, r.radius, s.normal());
  }
  for (const auto& r : a.discs) {
    for (const auto& t : b.sides)
      keep_round(best, r.center, r.radius, closest_on_side(t, r.center), 0.0, -t.normal());
    for (const auto& q : b.discs)
      keep_round(best, r.center, r.radius, q.center, q.radius, Vec2::UnitX());
  }
  return best;
}

double depth_in(const PlaneBody& body, const Vec2& p) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& s : body.sides) least = std::min(least, (closest_on_side(s, p) - p).norm());
  bool inside = false;
  std::size_t first = 0;
  for (const std::size_t end : body.loop_end) {
    bool odd = false;
    for (std::size_t k = first; k < end; ++k) {
      const auto& s = body.sides[k];
      if ((s.from.y() > p.y()) == (s.to.y() > p.y())) continue;
      const double x =
          s.from.x() + (p.y() - s.from.y()) / (s.to.y() - s.from.y()) * (s.to.x() - s.from.x());
      if (x > p.x()) odd = !odd;
    }
    inside = inside || odd;
    first = end;
  }
  double out = inside ? -least : least;
  for (const auto& r : body.discs) out = std::min(out, (p - r.center).norm() - r.radius);
  return out;
}

}  // namespace repose::check
