#include "check/gap/distance.h"

#include <algorithm>
#include <queue>

#include "check/gap/coaxial.h"
#include "check/gap/least_along.h"
#include "check/gap/polish.h"
#include "check/gap/triangle.h"

namespace repose::check {

DistanceGoal core_goal(const GapSettings& settings, double size, double radii) {
  DistanceGoal goal;
  goal.width = 0.5 * settings.width * size;
  goal.enough = radii + settings.enough * size;
  goal.budget = settings.budget;
  goal.interrupt = settings.interrupt;
  return goal;
}

namespace {

/// One separation test sums about forty products of lengths no larger than the two surfaces reach;
/// directions are unit to four ulp.
constexpr double kTestError = 128.0 * kUlp;
/// Pieces smaller than this fraction of the body cannot be told from points and are not split.
constexpr double kSmallest = 64.0 * kUlp;
/// Nearest points farther apart than so many rounding errors have a direction.
constexpr double kSureDirection = 1e3;
/// Splits of a pair whose exact extents told little before they are looked at again.
constexpr int kPause = 4;
/// Of what is still open: so much of it closed makes an exact look worth while.
constexpr double kWorthWhile = 0.5;

struct Entry {
  double lower;
  long order;
  int a, b;
  int pause = 0;  // splits before its exact extents are looked at (again)
};
struct Later {
  bool operator()(const Entry& x, const Entry& y) const {
    return x.lower != y.lower ? x.lower > y.lower : x.order > y.order;
  }
};

double separation_along(const Piece& a, const Piece& b, const Vec3& d) {
  const Span sa = span(a, d), sb = span(b, d);
  return std::max(sb.low - sa.high, sa.low - sb.high);
}

double along_box_axes(const Piece& box, const Piece& a, const Piece& b) {
  double best = -std::numeric_limits<double>::infinity();
  for (const Vec3& axis : {box.half_u, box.half_v}) {
    const double length = axis.norm();
    if (length > 0.0) best = std::max(best, separation_along(a, b, axis / length));
  }
  return best;
}

/// Both pieces, at least one of them curved, are small enough for their exact extents to be worth
/// finding.
bool exact_is_near(const Piece& a, const Piece& b) {
  const auto straight = [](const Piece& p) {
    return p.kind == PieceKind::triangle || p.kind == PieceKind::point;
  };
  return (a.gentle() || straight(a)) && (b.gentle() || straight(b)) &&
         !(straight(a) && straight(b));
}

Piece moved(const Piece& p, const Frame& f) {
  Piece out = p;
  out.center = f * p.center;
  out.half_u = f.turn * p.half_u;
  out.half_v = f.turn * p.half_v;
  out.normal = f.turn * p.normal;
  out.sway_u = f.turn * p.sway_u;
  out.sway_v = f.turn * p.sway_v;
  out.on_surface = f * p.on_surface;
  if (p.kind == PieceKind::triangle)
    for (Vec3& c : out.corner) c = f * c;
  return out;
}

}  // namespace

PairSearch::PairSearch(Surface& a, Surface& b, const Frame& b_in_a) : a_(a), b_(b), frame_(b_in_a) {
  slack_ = frame_.error(b.reach()) + kTestError * (a.reach() + b.reach() + frame_.shift.norm());
}

const Piece& PairSearch::placed(int b) {
  const auto i = static_cast<std::size_t>(b);
  if (i >= slot_.size()) slot_.resize(std::max(b_.count(), i + 1), -1);
  if (slot_[i] < 0) {
    slot_[i] = static_cast<int>(placed_.size());
    placed_.push_back(moved(b_.piece(b), frame_));
  }
  return placed_[static_cast<std::size_t>(slot_[i])];
}

double PairSearch::separation(const Piece& a, const Piece& b) const {
  Vec3 from = a.center, to = b.center;
  if (a.kind == PieceKind::triangle && b.kind == PieceKind::triangle) {
    const ClosePoints c = closest_of_triangles(a.corner, b.corner);
    from = c.a;
    to = c.b;
  } else if (a.kind == PieceKind::triangle) {
    from = closest_on_triangle(to, a.corner);
  } else if (b.kind == PieceKind::triangle) {
    to = closest_on_triangle(from, b.corner);
  } else if (a.line() && b.line()) {
    const ClosePoints c = closest_of_segments(a.center - a.half_u, a.center + a.half_u,
                                              b.center - b.half_u, b.center + b.half_u);
    from = c.a;
    to = c.b;
  }
  double best = -std::numeric_limits<double>::infinity();
  const Vec3 between = to - from;
  const double length = between.norm();
  if (length > 0.0) best = separation_along(a, b, between / length);
  if (a.kind != PieceKind::point) best = std::max(best, separation_along(a, b, a.normal));
  if (b.kind != PieceKind::point) best = std::max(best, separation_along(a, b, b.normal));
  if (a.kind == PieceKind::box) best = std::max(best, along_box_axes(a, a, b));
  if (b.kind == PieceKind::box) best = std::max(best, along_box_axes(b, a, b));
  return best;
}

double PairSearch::lower_bound(int a, int b) {
  return separation(a_.piece(a), placed(b)) - slack_;
}

namespace {

/// How far a piece reaches down along d, exactly or as near as can be.
double low_along(const Surface& surface, const Piece& p, const Vec3& d) {
  const double low = span(p, d).low;
  if (!p.gentle()) return low;
  return std::max(low, least_along(*surface.face(p.face).patch, p.uv, d).lower);
}

}  // namespace

double PairSearch::exact_separation(int a, int b, const Vec3& d) {
  const Piece &pa = a_.piece(a), &pb = b_.piece(b);
  const Vec3 in_b = frame_.turn.transpose() * d;
  return low_along(b_, pb, in_b) + d.dot(frame_.shift) + low_along(a_, pa, -d) - 2.0 * slack_;
}

double PairSearch::exact_bound(int a, int b, const Distance& d) {
  const Piece &pa = a_.piece(a), &pb = placed(b);
  const auto sided = [&](const Vec3& n) {
    return Vec3(span(pb, n).low - span(pa, n).high >= span(pa, n).low - span(pb, n).high ? n : -n);
  };
  double best = -std::numeric_limits<double>::infinity();
  if (pa.flat) best = exact_separation(a, b, sided(pa.normal));
  if (pb.flat) best = std::max(best, exact_separation(a, b, sided(pb.normal)));
  const Vec3 between = d.point_b - d.point_a;
  const double length = between.norm();
  if (length > kSureDirection * slack_)
    best = std::max(best, exact_separation(a, b, between / length));
  return best;
}

void PairSearch::improve_upper(int a, int b, Distance& d) {
  const Piece &pa = a_.piece(a), &pb = placed(b);
  if (pa.kind == PieceKind::box || pb.kind == PieceKind::box) return;
  ClosePoints c{pa.on_surface, pb.on_surface};
  if (pa.kind == PieceKind::triangle && pb.kind == PieceKind::triangle)
    c = closest_of_triangles(pa.corner, pb.corner);
  else if (pa.kind == PieceKind::triangle)
    c.a = closest_on_triangle(c.b, pa.corner);
  else if (pb.kind == PieceKind::triangle)
    c.b = closest_on_triangle(c.a, pb.corner);
  const double raw = (c.b - c.a).norm();
  if (raw < raw_) {
    raw_ = raw;
    raw_a_ = a;
    raw_b_ = b;
    raw_new_ = !(pa.leaf() && pb.leaf());
  }
  const double upper = raw + pa.on_error + pb.on_error + slack_;
  if (upper >= d.upper) return;
  d.upper = upper;
  d.point_a = c.a;
  d.point_b = c.b;
  d.piece_a = a;
  d.piece_b = b;
}

void PairSearch::polish_upper(Distance& d) {
  if (!raw_new_) return;
  raw_new_ = false;
  const Polished p = polish(a_, raw_a_, b_, raw_b_, frame_);
  const double upper = p.distance + p.error + slack_;
  if (!(upper < d.upper)) return;
  d.upper = upper;
  d.point_a = p.point_a;
  d.point_b = p.point_b;
  d.piece_a = raw_a_;
  d.piece_b = raw_b_;
}

namespace {

/// Measures the faces that are turned about one axis; false where they are not told apart so.
bool measure_turned(const Coaxial& turned, const DistanceGoal& goal, Distance& d) {
  d = turned.distance(goal);
  const bool told = d.clear;
  d.clear = false;
  if (!told) d.lower = 0.0;
  return told;
}

bool both_turned(const Coaxial& turned, const Piece& a, const Piece& b) {
  return a.kind == PieceKind::patch && b.kind == PieceKind::patch && turned.covers(a.face, b.face);
}

}  // namespace

Distance PairSearch::distance(const DistanceGoal& goal) {
  constexpr long kFirstPolish = 48;
  Distance d;
  std::priority_queue<Entry, std::vector<Entry>, Later> queue;
  long order = 0, next_polish = kFirstPolish;
  double settled = std::numeric_limits<double>::infinity();  // lower bound of what is not in queue
  const double tiny_a = kSmallest * a_.reach(), tiny_b = kSmallest * b_.reach();
  const Coaxial turned(a_, b_, frame_);
  const bool in_half_plane = turned.applies(goal.width) && measure_turned(turned, goal, d);
  if (in_half_plane) settled = d.lower;
  const auto offer = [&](int a, int b, int pause) {
    if (in_half_plane && both_turned(turned, a_.piece(a), b_.piece(b))) return;
    const double lower = lower_bound(a, b);
    ++d.tests;
    improve_upper(a, b, d);
    const Piece &pa = a_.piece(a), &pb = b_.piece(b);
    const bool whole = (pa.leaf() || pa.size < tiny_a) && (pb.leaf() || pb.size < tiny_b);
    if (whole || lower >= goal.enough)
      settled = std::min(settled, lower);
    else if (lower <= d.upper)
      queue.push({lower, order++, a, b, pause});
  };
  offer(a_.root(), b_.root(), 0);
  while (!queue.empty()) {
    const Entry top = queue.top();
    d.lower = std::min(top.lower, settled);
    if (d.tests >= next_polish) {
      polish_upper(d);
      next_polish = 2 * d.tests;
    }
    if (d.upper - std::max(d.lower, 0.0) <= goal.width || d.upper <= goal.touch || settled <= 0.0)
      break;
    if (goal.spent(d.tests)) {
      d.spent = true;
      break;
    }
    queue.pop();
    const Piece &pa = a_.piece(top.a), &pb = b_.piece(top.b);
    int pause = std::max(0, top.pause - 1);
    if (top.pause == 0 && exact_is_near(pa, pb)) {
      const double lower = exact_bound(top.a, top.b, d);
      ++d.tests;
      pause = kPause;
      if (lower - top.lower >= kWorthWhile * (d.upper - top.lower)) {
        if (lower >= goal.enough)
          settled = std::min(settled, lower);
        else if (lower <= d.upper)
          queue.push({lower, order++, top.a, top.b, kPause});
        continue;
      }
    }
    const bool split_b =
        pa.leaf() || pa.size < tiny_a || (!pb.leaf() && pb.size >= tiny_b && pb.size > pa.size);
    if (split_b) {
      const int child = b_.children(top.b);
      offer(top.a, child, pause);
      offer(top.a, child + 1, pause);
    } else {
      const int child = a_.children(top.a);
      offer(child, top.b, pause);
      offer(child + 1, top.b, pause);
    }
  }
  if (queue.empty()) d.lower = std::min(settled, d.upper);
  polish_upper(d);
  d.clear = d.lower > 0.0;
  return d;
}

std::vector<UnclearPair> PairSearch::pairs_within(double within, double size, int budget,
                                                  PlaneParts planes) {
  const auto is_small = [&](const Piece& p) {
    return p.leaf() || (p.kind == PieceKind::patch &&
                        (p.size <= size || (p.flat && planes == PlaneParts::whole)));
  };
  std::vector<UnclearPair> open{{a_.root(), b_.root(), 0.0}}, done, next;
  long tests = 0;
  while (!open.empty() && tests < budget) {
    next.clear();
    for (const UnclearPair& u : open) {
      const Piece &pa = a_.piece(u.a), &pb = b_.piece(u.b);
      const bool small_a = is_small(pa), small_b = is_small(pb);
      if (small_a && small_b) {
        done.push_back(u);
        continue;
      }
      const bool split_b = small_a || (!small_b && pb.size > pa.size);
      const int child = split_b ? b_.children(u.b) : a_.children(u.a);
      for (int k = 0; k < 2; ++k) {
        const int a = split_b ? u.a : child + k, b = split_b ? child + k : u.b;
        const double lower = lower_bound(a, b);
        ++tests;
        if (lower <= within) next.push_back({a, b, lower});
      }
    }
    open.swap(next);
  }
  done.insert(done.end(), open.begin(), open.end());
  return done;
}

}  // namespace repose::check
