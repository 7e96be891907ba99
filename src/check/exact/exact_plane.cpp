#include "check/exact/exact_plane.h"

#include <algorithm>
#include <cmath>

#include "check/exact/exact_point.h"

namespace repose::check {

namespace {

using Kind = ExactMeeting::Kind;

constexpr std::size_t kMostSidePairs = 250'000;  // compared exactly
constexpr std::size_t kMostInside = 64;          // points told

/// One side of a loop; the region lies to the left.
struct Side {
  ExactPoint from, to;
  bool beside(const Side& t) const {
    for (int k = 0; k < 2; ++k) {
      const double slack = from.error + to.error + t.from.error + t.to.error;
      const auto [low, high] = std::minmax(from.rounded[k], to.rounded[k]);
      const auto [other_low, other_high] = std::minmax(t.from.rounded[k], t.to.rounded[k]);
      if (low > other_high + slack || other_low > high + slack) return true;
    }
    return false;
  }
};
using Loops = std::vector<Side>;  // all loops of one polygon

/// c to the left (1) or right (-1) of the line from a to b, or on it.
int turn(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, Doubts& doubts) {
  const Vec2 u = (a.rounded - c.rounded).head<2>(), v = (b.rounded - c.rounded).head<2>();
  const double value = u.x() * v.y() - u.y() * v.x(), longest = std::max(u.norm(), v.norm());
  const double e = c.error + std::max(a.error, b.error) + kSumError * longest;
  constexpr double kDifferences = 4.0;
  if (std::fabs(value) > kDifferences * e * (longest + e)) return value > 0.0 ? 1 : -1;
  const ExactVector p = difference(a, c), q = difference(b, c);
  return doubts.sign(p[0] * q[1] - p[1] * q[0]);
}

/// p, a point of the side's line, lies on the side itself.
bool within(const Side& s, const ExactPoint& p, Doubts& doubts) {
  return compare(s.from, p, doubts) * compare(p, s.to, doubts) >= 0;
}

int compare_y(const ExactPoint& p, const ExactPoint& q, Doubts& doubts) {
  const double d = p.rounded.y() - q.rounded.y();
  if (std::fabs(d) > p.error + q.error + kUlp * std::fabs(d)) return d > 0.0 ? 1 : -1;
  return doubts.sign(p.at[1] * q.at[3] - q.at[1] * p.at[3]);
}

class PolygonPair {
 public:
  PolygonPair(const Loops& a, const Loops& b, Doubts& doubts, ExactMeeting& out)
      : a_(a), b_(b), doubts_(doubts), out_(out) {}

  void judge() {
    for (const Side& s : a_) look_at(s, b_);
    for (const Side& s : b_) look_at(s, a_);
    if (out_.kind == Kind::apart && touch_) out_.kind = Kind::touching;
  }

 private:
  /// Cuts the side where the other polygon's sides meet it; the parts between lie wholly in, out of
  /// or on the other.
  void look_at(const Side& s, const Loops& other) {
    std::vector<ExactPoint> cuts{s.from, s.to};
    for (const Side& t : other) {
      if (s.beside(t)) continue;
      const int t0 = turn(s.from, s.to, t.from, doubts_), t1 = turn(s.from, s.to, t.to, doubts_);
      const int s0 = turn(t.from, t.to, s.from, doubts_), s1 = turn(t.from, t.to, s.to, doubts_);
      if (t0 == 0 && within(s, t.from, doubts_)) cuts.push_back(t.from);
      if (s0 == 0 && within(t, s.from, doubts_)) touch_ = true;
      if (t0 * t1 < 0 && s0 * s1 < 0) cuts.push_back(crossing(s, t));
    }
    touch_ = touch_ || cuts.size() > 2;
    const int way = compare(s.to, s.from, doubts_);
    std::stable_sort(cuts.begin(), cuts.end(), [&](const ExactPoint& p, const ExactPoint& q) {
      return compare(q, p, doubts_) == way;
    });
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      if (compare(cuts[k - 1], cuts[k], doubts_) == 0) continue;
      const ExactPoint middle = between(cuts[k - 1], cuts[k].at[3], cuts[k], cuts[k - 1].at[3]);
      if (!overlaps(s, middle, other)) continue;
      out_.kind = Kind::overlap;
      if (out_.inside.size() < kMostInside)
        out_.inside.emplace_back(middle.rounded.x(), middle.rounded.y(), 0.0);
    }
  }

  ExactPoint crossing(const Side& s, const Side& t) {
    const ExactVector along = difference(t.to, t.from);
    const auto value = [&](const ExactPoint& p) {
      return (along[0] * p.at[1] - along[1] * p.at[0]) * t.from.at[3] -
             (along[0] * t.from.at[1] - along[1] * t.from.at[0]) * p.at[3];
    };
    const Exact from = value(s.from), to = value(s.to);
    return from.sign() > 0 ? between(s.from, -to, s.to, from) : between(s.from, to, s.to, -from);
  }

  /// The region beside p, a point of s, lies in the other polygon as well.
  bool overlaps(const Side& s, const ExactPoint& p, const Loops& other) {
    bool odd = false;
    for (const Side& t : other) {
      const int from = compare_y(t.from, p, doubts_), to = compare_y(t.to, p, doubts_);
      if ((from > 0 && to > 0) || (from < 0 && to < 0)) continue;
      const int side = turn(t.from, t.to, p, doubts_);
      if (side == 0 && within(t, p, doubts_)) return same_way(s, t);
      // the ray towards +x; a corner at its height counts as below
      if ((from > 0) != (to > 0) && side == (to > 0 ? 1 : -1)) odd = !odd;
    }
    return odd;
  }
  bool same_way(const Side& s, const Side& t) {
    return compare(s.to, s.from, doubts_) == compare(t.to, t.from, doubts_);
  }

  const Loops &a_, &b_;
  Doubts& doubts_;
  ExactMeeting& out_;
  bool touch_ = false;
};

void add_loop(const std::vector<Vec2>& loop, const ExactFrame& frame, Loops& out) {
  std::vector<ExactPoint> points;
  points.reserve(loop.size());
  for (const Vec2& p : loop) {
    points.push_back(frame * Vec3(p.x(), p.y(), 0.0));
    // at what height it is drawn does not count
    points.back().at[2] = Exact();
    points.back().rounded.z() = 0.0;
  }
  for (std::size_t k = 0; k < points.size(); ++k)
    out.push_back({points[k], points[(k + 1) % points.size()]});
}

std::vector<Loops> loops_of(const PlacedBody& item, const Vec3& origin) {
  PlacedBody here;
  here.world_from_body.position = origin;
  const ExactFrame frame(here, item);
  std::vector<Loops> out;
  for (const shape::Polygon& polygon :
       std::get<shape::PlaneRegion>(item.shape->geometry).polygons) {
    out.emplace_back();
    add_loop(polygon.outer, frame, out.back());
    for (const auto& hole : polygon.holes) add_loop(hole, frame, out.back());
  }
  return out;
}

bool in_plane(const PlacedBody& item) {
  const Quat& q = item.world_from_body.rotation;
  return q.x() == 0.0 && q.y() == 0.0 &&
         std::get<shape::PlaneRegion>(item.shape->geometry).discs.empty();
}

}  // namespace

ExactMeeting exact_plane_meeting(const PlacedBody& a, const PlacedBody& b, const Vec3& origin) {
  ExactMeeting out;
  if (!in_plane(a) || !in_plane(b)) return out;
  const std::vector<Loops> loops_a = loops_of(a, origin), loops_b = loops_of(b, origin);
  std::size_t pairs = 0;
  for (const Loops& p : loops_a)
    for (const Loops& q : loops_b) pairs += p.size() * q.size();
  if (pairs > kMostSidePairs) return out;
  Doubts doubts;
  out.kind = Kind::apart;
  for (const Loops& p : loops_a)
    for (const Loops& q : loops_b) PolygonPair(p, q, doubts, out).judge();
  if (doubts.any) out = {};
  return out;
}

}  // namespace repose::check
