#include <algorithm>
#include <cmath>
#include <limits>

#include "corner.h"
#include "nearest.h"

namespace repose::pile {
namespace {

/// False position: rounds, and where it ends: angle in rad, slope over the circle's radius.
constexpr int kMaxRounds = 40;
constexpr double kSameAngle = 1e-15;
constexpr double kLevel = 1e-14;
/// Parts of an arc longer than this, rad, are split before a lowest place is looked for in them;
/// shorter than that have but one.
constexpr double kSplit = 0.07, kOneLowest = 1e-3;
/// A part that lies less than this below the lowest place known is not looked at, of the radius.
constexpr double kWorthALook = 1e-12;
/// Nearer than this share of its radius to the centre of another circle its distance may bend in
/// any way.
constexpr double kInner = 0.9;
constexpr double kWildBend = 10.0;

/// ... of the hull of two discs: in the half-plane of p through the axis it is a trapezoid.
Vec3 nearest_in_discs(const Convex& set, const Pose& pose, const Vec3& p) {
  Vec3 q = pose.inverse() * p;
  const bool upright = set.low.height <= set.high.height;
  const Convex::Disc &low = upright ? set.low : set.high, &high = upright ? set.high : set.low;
  const double wide = std::hypot(q.x(), q.y());
  const Vec2 foot(low.radius, low.height), side(high.radius - low.radius, high.height - low.height);
  const Vec2 from = Vec2(wide, q.z()) - foot;
  const bool beyond = side.y() * from.x() - side.x() * from.y() > 0.0;  // the side
  Vec2 to(wide, q.z());
  if (beyond) to = foot + std::clamp(from.dot(side) / side.squaredNorm(), 0.0, 1.0) * side;
  // above or below an end
  if (q.z() < low.height || q.z() > high.height) {
    const Convex::Disc& end = q.z() < low.height ? low : high;
    const Vec2 on_end(std::min(wide, end.radius), end.height);
    const Vec2 here(wide, q.z());
    if (!beyond || (here - on_end).squaredNorm() <= (here - to).squaredNorm()) to = on_end;
  }
  if (wide > 0.0) q.head<2>() *= to.x() / wide;
  q.z() = to.y();
  return pose * q;
}

/// nearest_point, whatever the core.
Vec3 nearest_in_core(const Convex& set, const Pose& pose, const Vec3& p) {
  if (set.core == Convex::Core::arc) return pose * set.nearest_on_arc(pose.inverse() * p);
  if (set.core == Convex::Core::discs) return nearest_in_discs(set, pose, p);
  Convex point;
  point.points = {Vec3::Zero()};
  const Nearest found = nearest_of(point, {p, Quat::Identity()}, set, pose);
  return found.apart ? found.point_b : p;
}

/// A place on the arc with the nearest point of the other set.
struct Place {
  double off = 0.0;       // rad from the arc's middle
  double distance = 0.0;  // m, of the cores
  double slope = 0.0;     // m per rad
  double outwards = 0.0;  // cosine between the way from the other set and that from the centre
  Vec3 on_arc, on_other;  // world
};

/// The place of an arc that is nearest to another set. With d(p) the distance of a convex set, a
/// convex function, and c(t) the arc, the second derivative of d(c(t)) is at least
/// -ring (n . e), n the direction from the set, e that from the arc's centre: the distance bends
/// down only where the arc lies around the set. Parts that bend up have one lowest place; others
/// are split until what they could hide is above the lowest place known.
class ArcSearch {
 public:
  ArcSearch(const Convex& arc, const Pose& pose, const Convex& other, const Pose& pose_other)
      : arc_(arc), pose_(pose), other_(other), pose_other_(pose_other) {
    const Place low = look(-arc.half), high = look(arc.half);
    best_ = low.distance <= high.distance ? low : high;
    search(low, high);
  }
  const Place& best() const { return best_; }

 private:
  Vec3 nearest_to(const Vec3& p) const { return nearest_in_core(other_, pose_other_, p); }
  Place look(double off) const;
  double most_bend_down(const Place& low, const Place& high) const;
  void take(const Place& p) {
    if (p.distance < best_.distance) best_ = p;
  }
  void false_position(Place low, Place high);
  void search(const Place& low, const Place& high);

  const Convex& arc_;
  const Pose& pose_;
  const Convex& other_;
  const Pose& pose_other_;
  Place best_;
};

Place ArcSearch::look(double off) const {
  const double c = std::cos(arc_.middle + off), s = std::sin(arc_.middle + off);
  Place out;
  out.off = off;
  out.on_arc = pose_ * Vec3(arc_.ring * c, arc_.ring * s, 0.0);
  out.on_other = nearest_to(out.on_arc);
  const Vec3 between = out.on_arc - out.on_other;
  out.distance = between.norm();
  if (!(out.distance > 0.0)) return out;
  const Vec3 n = between / out.distance;
  out.slope = arc_.ring * n.dot(pose_.turn(Vec3(-s, c, 0.0)));
  out.outwards = n.dot(pose_.turn(Vec3(c, s, 0.0)));
  return out;
}

/// The second derivative of the distance between two places is nowhere below minus this, m per
/// rad^2. The direction from a convex set turns by at most the way over the distance.
double ArcSearch::most_bend_down(const Place& low, const Place& high) const {
  const double half = 0.5 * (high.off - low.off), ring = arc_.ring;
  const double nearest = std::min(low.distance, high.distance) - ring * half;
  double outwards = 1.0;
  if (nearest > 0.0)
    outwards = std::min(1.0, std::max(low.outwards, high.outwards) + (ring / nearest + 1.0) * half);
  double out = ring * std::max(0.0, outwards);
  if (other_.core == Convex::Core::arc) {
    const double farthest = std::min(low.distance, high.distance) + ring * half;
    out +=
        farthest < kInner * other_.ring ? ring * ring / (other_.ring - farthest) : kWildBend * ring;
  }
  return out;
}

/// Where the slope changes from falling to rising (Illinois).
void ArcSearch::false_position(Place low, Place high) {
  double at_low = low.slope, at_high = high.slope;
  int kept = 0;  // which end stayed last: -1 low, 1 high
  for (int round = 0; round < kMaxRounds && high.off - low.off > kSameAngle; ++round) {
    const Place here = look(low.off + (high.off - low.off) * (at_low / (at_low - at_high)));
    take(here);
    if (std::fabs(here.slope) <= kLevel * arc_.ring) return;
    if (here.slope < 0.0) {
      low = here;
      at_low = here.slope;
      if (kept == 1) at_high *= 0.5;
      kept = 1;
    } else {
      high = here;
      at_high = here.slope;
      if (kept == -1) at_low *= 0.5;
      kept = -1;
    }
  }
}

/// The least that a function can be between two places whose second derivative is nowhere below
/// -bend: tangents that bend down as fast meet there, or at an end.
double least_between(const Place& low, const Place& high, double bend) {
  const double width = high.off - low.off;
  const auto from_low = [&](double t) { return low.distance + low.slope * t - 0.5 * bend * t * t; };
  const auto from_high = [&](double t) {
    return high.distance - high.slope * (width - t) - 0.5 * bend * (width - t) * (width - t);
  };
  const double first = from_low(0.0) - from_high(0.0), last = from_low(width) - from_high(width);
  double out = std::min(std::max(from_low(0.0), from_high(0.0)),
                        std::max(from_low(width), from_high(width)));
  if (first * last < 0.0) out = std::min(out, from_low(width * first / (first - last)));
  return out;
}

void ArcSearch::search(const Place& low, const Place& high) {
  const double width = high.off - low.off, bend = most_bend_down(low, high);
  if (bend > 0.0 && least_between(low, high, bend) >= best_.distance - kWorthALook * arc_.ring)
    return;
  const bool valley = low.slope < 0.0 && high.slope > 0.0;
  if (bend <= 0.0 || width <= kOneLowest) {
    if (valley) false_position(low, high);
    return;
  }
  if (valley && width <= kSplit) false_position(low, high);
  const Place middle = look(0.5 * (low.off + high.off));
  take(middle);
  search(low, middle);
  search(middle, high);
}

}  // namespace

Nearest nearest_on_arcs(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b) {
  const bool on_a = a.core == Convex::Core::arc;
  const ArcSearch search(on_a ? a : b, on_a ? pose_a : pose_b, on_a ? b : a,
                         on_a ? pose_b : pose_a);
  const Place& place = search.best();
  Nearest out;
  out.point_a = on_a ? place.on_arc : place.on_other;
  out.point_b = on_a ? place.on_other : place.on_arc;
  out.apart = place.distance > 0.0;
  if (!out.apart) return out;
  out.normal = (out.point_b - out.point_a) / place.distance;
  out.gap = place.distance - a.radius - b.radius;
  return out;
}

Vec3 nearest_point(const Convex& set, const Pose& pose, const Vec3& p) {
  if (set.core != Convex::Core::points || set.points.size() > 2)
    return nearest_in_core(set, pose, p);
  const Vec3 from = pose * set.points.front(), along = pose * set.points.back() - from;
  const double square = along.squaredNorm();
  return square > 0.0 ? Vec3(from + std::clamp((p - from).dot(along) / square, 0.0, 1.0) * along)
                      : from;
}

}  // namespace repose::pile
