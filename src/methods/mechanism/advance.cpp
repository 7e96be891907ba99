#include "advance.h"

#include <algorithm>
#include <limits>

namespace repose::mechanism {
namespace {

/// A stop has at least this share of its reach left to pass before it is met.
constexpr double kStopLeft = 0.5;
/// And is met within this share of its reach: less than what is left, or no time would pass.
constexpr double kStopFound = 0.25;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Parts nearer than this many levels have met.
constexpr double kMet = 1.5;
constexpr int kMaxAdvances = 200;
constexpr int kMaxSearch = 60;
/// A contact whose bodies move less than this share of the thinner part cannot pass through it.
constexpr double kShortWay = 0.25;
/// Longer paths of contacts are searched by conservative advancement.
constexpr double kMostWays = 1000.0;
/// Bounds grow by this to cover rounding.
constexpr double kRounding = 1e-12;

struct Mover {
  std::size_t body;
  const Part& part;
  const PlacedPart* placed;
  PlacedPart moved;  // where it has gone; most are never moved
  Plane3 rate = Plane3::Zero();
  Vec2 center = Vec2::Zero();

  Mover(std::size_t which, const Part& what) : body(which), part(what), placed(&moved) {}
  /// At the path's start.
  Mover(const Path& path, std::size_t which, const PlacedPart& start)
      : body(which), part(*start.part), placed(&start) {
    rate = path.rate(which, 0.0);
    center = path.place(which, 0.0).head<2>();
  }
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  void go(const Path& path, double at) {
    const Plane3 where = path.place(body, at);
    moved.place(part, where);
    placed = &moved;
    center = where.head<2>();
    rate = path.rate(body, at);
  }
  /// Least of d . p after a time, as if every point kept its velocity.
  double lowest(const Vec2& d, double after) const {
    double low = kInfinity;
    for (const Vec2& p : placed->points)
      low = std::min(low, d.dot(p) + after * d.dot(velocity_at(rate, p - center)));
    return low - part.radius;
  }
};

/// Where two parts are separated along d by at least `level` for a time: the largest such time that
/// the chord of the concave bound shows, up to `left`.
double safe_time(const Mover& a, const Mover& b, const Vec2& d, double acceleration, double level,
                 double left) {
  const auto room = [&](double t) {
    return a.lowest(d, t) + b.lowest(-d, t) - 0.5 * acceleration * t * t - level;
  };
  const double end = room(left);
  if (end >= 0.0) return left;
  double t = 0.0, here = room(0.0);
  for (int chord = 0; chord < 3 && here > 0.0; ++chord) {
    t += (left - t) * here / (here - end);
    here = room(t);
  }
  return t;
}

/// Gap of two parts at a time of the path.
double gap_at(const Path& path, Mover& a, Mover& b, double at) {
  a.go(path, at);
  b.go(path, at);
  return gap_between(*a.placed, *b.placed).gap;
}

/// Between a time when f >= 0 and one when f < 0: a time with 0 <= f <= tolerance, by secants with
/// bisection guards.
template <class Function>
double last_clear(double low, double f_low, double high, double f_high, double tolerance,
                  Function&& f) {
  for (int i = 0; i < kMaxSearch && f_low > tolerance; ++i) {
    const double width = high - low;
    double at = low + width * (f_low - 0.5 * tolerance) / (f_low - f_high);
    constexpr double kGuard = 0.05;
    if (!(at > low + kGuard * width) || !(at < high - kGuard * width) || i % 3 == 2)
      at = i % 3 == 2 ? low + 0.5 * width : std::clamp(at, low, high);
    const double value = f(at);
    if (value >= 0.0) {
      low = at;
      f_low = value;
    } else {
      high = at;
      f_high = value;
    }
  }
  return low;
}

void keep_first(Event& first, const Event& other) {
  if (first.kind == Event::Kind::none || other.time < first.time) first = other;
}

/// A gap that a contact may not go below on its way.
double floor_of(double gap, double touch) {
  const double least = kTouchLeast * touch;
  if (gap > least) return least;
  return gap > 0.0 ? 0.5 * gap : gap - touch;
}

/// Into how many ways a path must be cut so that on each the two parts move by less than the share
/// of the thinner one in which nothing can pass through it.
double short_ways(const Path& path, const Mover& a, const Mover& b) {
  const auto rate = [&](const Mover& m) {
    const Plane3 v0 = path.rate(m.body, 0.0), v1 = path.rate(m.body, path.time);
    return std::max(v0.head<2>().norm(), v1.head<2>().norm()) +
           std::max(std::fabs(v0.z()), std::fabs(v1.z())) * m.part.reach;
  };
  const double way = path.time * (rate(a) + rate(b));
  return std::ceil(way / (kShortWay * std::min(a.part.width, b.part.width)));
}

/// When two parts that touch or nearly do come too near; infinite: they do not.
double contact_time(const Path& path, std::size_t ia, const PlacedPart& a0, const PlacedPart& a1,
                    std::size_t ib, const PlacedPart& b0, const PlacedPart& b1, double gap,
                    double touch) {
  Mover a(ia, *a0.part), b(ib, *b0.part);
  const double floor = floor_of(gap, touch);
  const double ways = short_ways(path, a, b);
  if (ways > kMostWays) return first_touch(path, ia, a0, ib, b0, floor, path.time);
  const auto room = [&](double t) { return gap_at(path, a, b, t) - floor; };
  double before = 0.0, room_before = gap - floor;
  for (int k = 1; k <= ways; ++k) {
    const bool last = k >= static_cast<int>(ways);
    const double at = last ? path.time : path.time * k / ways;
    const double here = last ? gap_between(a1, b1).gap - floor : room(at);
    if (here < 0.0)
      return last_clear(before, room_before, at, here, 0.5 * kTouchLeast * touch, room);
    before = at;
    room_before = here;
  }
  return kInfinity;
}

void part_events(const Machine& machine, const Path& path, const PlacedBodies& start,
                 const PlacedBodies& end, const collide::IndexPair& pair, PairMemory& memory,
                 Event& first) {
  const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
  const double touch = machine.touch(pair.first, pair.second);
  const double ka = path.acceleration(a, machine.bodies[a].reach),
               kb = path.acceleration(b, machine.bodies[b].reach);
  const auto way = [&](std::size_t body, const Part& part, double k) {
    const Plane3 v = path.rate(body, 0.0);
    return path.time * (v.head<2>().norm() + std::fabs(v.z()) * part.reach + k * path.time);
  };
  for (std::size_t i = 0; i < start.parts[a].size(); ++i) {
    const PlacedPart& pa = start.parts[a][i];
    const double way_a = way(a, *pa.part, ka);
    for (std::size_t j = 0; j < start.parts[b].size(); ++j) {
      const PlacedPart& pb = start.parts[b][j];
      const double within = way_a + way(b, *pb.part, kb) + kTouchReach * touch;
      if (pa.box.low.x() - pb.box.high.x() > within || pb.box.low.x() - pa.box.high.x() > within ||
          pa.box.low.y() - pb.box.high.y() > within || pb.box.low.y() - pa.box.high.y() > within)
        continue;
      if (memory.apart(pair.first, static_cast<int>(i), pa, pair.second, static_cast<int>(j), pb,
                       within))
        continue;
      const PartGap apart = gap_between(pa, pb);
      const double gap = apart.gap;
      if (gap > within) continue;
      const double time =
          gap > kTouchReach * touch
              ? first_touch(path, a, pa, b, pb, apart, touch,
                            first.kind == Event::Kind::none ? path.time : first.time)
              : contact_time(path, a, pa, end.parts[a][i], b, pb, end.parts[b][j], gap, touch);
      if (time < path.time) keep_first(first, {Event::Kind::collision, time, pair});
    }
  }
}

void stop_events(const Machine& machine, const Group& group, const Path& path,
                 const Motion& end_motion, Event& first) {
  static thread_local std::vector<Row> rows;
  static thread_local Motion middle;
  for (const int j : group.joints) {
    const PlaneJoint& joint = machine.joints[static_cast<std::size_t>(j)];
    rows.clear();
    stop_rows(joint, end_motion, rows);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      double within = kStopReach * joint.scale;
      if (rows[k].value >= -within) continue;
      const auto value = [&](double t) {
        middle.place.resize(end_motion.place.size());
        middle.rate.resize(end_motion.rate.size(), Plane3::Zero());
        for (const int body : {joint.a.body, joint.b.body})
          if (body >= 0)
            middle.place[static_cast<std::size_t>(body)] =
                path.place(static_cast<std::size_t>(body), t);
        std::vector<Row> at;
        stop_rows(joint, middle, at);
        return at[k].value + within;
      };
      // one that is passed already and parts is met again when it comes back, not at once
      if (const double left = value(0.0); left < kStopLeft * within)
        within += kStopLeft * within - left;
      const double end = rows[k].value + within;
      if (end >= 0.0) continue;
      const double time = last_clear(0.0, value(0.0), path.time, end, kStopFound * within, value);
      keep_first(first, {Event::Kind::stop, time});
    }
  }
}

/// Sliding that has turned round by the end came to an end on the way.
void stick_events(const Machine& machine, const Path& path, const Motion& end_motion,
                  const Contacts& contacts, Event& first) {
  for (std::size_t c = 0; c < contacts.touching.size(); ++c) {
    const Touching& t = contacts.touching[c];
    if (t.slip == 0 || t.parting || !(t.normal > 0.0)) continue;
    const auto slide = [&](const Motion& motion) {
      const ContactFrame frame = frame_of(t.feature, motion);
      return t.slip * left_of(frame.normal).dot(frame.slide_rate);
    };
    const double end = slide(end_motion);
    if (end >= -machine.still_speed(t.touch)) continue;
    const double begin = std::max(slide(*path.start), 0.0);
    Event stick{Event::Kind::stick, path.time * begin / (begin - end)};
    stick.contact = static_cast<int>(c);
    keep_first(first, stick);
  }
}

}  // namespace

Plane3 Path::place(std::size_t body, double at) const {
  const double share = time > 0.0 ? at / time : 0.0;
  return start->place[body] + at * ((1.0 - share) * (*first)[body] + share * (*mean)[body]);
}

Plane3 Path::rate(std::size_t body, double at) const {
  const double share = time > 0.0 ? at / time : 0.0;
  return (*first)[body] + 2.0 * share * ((*mean)[body] - (*first)[body]);
}

double Path::acceleration(std::size_t body, double reach) const {
  if (!(time > 0.0)) return 0.0;
  const Plane3 a = 2.0 / time * ((*mean)[body] - (*first)[body]);
  const double spin = std::max(std::fabs((*first)[body].z()), std::fabs(rate(body, time).z()));
  return a.head<2>().norm() + (std::fabs(a.z()) + spin * spin) * reach;
}

double first_touch(const Path& path, std::size_t body_a, const PlacedPart& part_a,
                   std::size_t body_b, const PlacedPart& part_b, PartGap gap, double level,
                   double before) {
  Mover a(path, body_a, part_a), b(path, body_b, part_b);
  const double acceleration = (1.0 + kRounding) * (path.acceleration(body_a, part_a.part->reach) +
                                                   path.acceleration(body_b, part_b.part->reach));
  double at = 0.0;
  for (int i = 0; i < kMaxAdvances; ++i) {
    if (i > 0) {
      a.go(path, at);
      b.go(path, at);
      gap = gap_between(*a.placed, *b.placed);
    }
    if (gap.gap <= kMet * level) return at;
    const double left = before - at;
    const double safe = safe_time(a, b, gap.normal, acceleration, level, left);
    if (safe >= left) return kInfinity;
    at += safe;
  }
  return at;
}

double first_touch(const Path& path, std::size_t body_a, const PlacedPart& part_a,
                   std::size_t body_b, const PlacedPart& part_b, double level, double before) {
  return first_touch(path, body_a, part_a, body_b, part_b, gap_between(part_a, part_b), level,
                     before);
}

Event first_event(const Machine& machine, const Group& group, const Path& path,
                  const PlacedBodies& start, const Motion& end_motion, const PlacedBodies& end,
                  const Contacts& contacts, PairMemory& memory) {
  Event first;
  for (const collide::IndexPair& pair : group.pairs)
    part_events(machine, path, start, end, pair, memory, first);
  stop_events(machine, group, path, end_motion, first);
  if (machine.settings.order == Order::second)
    stick_events(machine, path, end_motion, contacts, first);
  return first;
}

double farthest_way(const PlaneBody& body, const Plane3& from, const Path& path,
                    std::size_t index) {
  const auto off = [&](double time) {
    const Plane3 d = path.place(index, time) - from;
    return d.head<2>().norm() + std::fabs(d.z()) * body.reach;
  };
  // places lie off the chord of their way by no more than this
  const double bulge = 0.125 * path.time * path.time * path.acceleration(index, body.reach);
  return (1.0 + kRounding) * (std::max(off(0.0), off(path.time)) + bulge);
}

}  // namespace repose::mechanism
