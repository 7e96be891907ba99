#include "check/gap/convex_search.h"

#include <algorithm>
#include <cmath>
#include <queue>

#include "check/gap/bracket.h"
#include "check/gap/gjk_loop.h"
#include "check/gap/inside.h"
#include "check/gap/least_along.h"

namespace repose::check {

namespace {

constexpr double kTestError = 128.0 * kUlp;
/// Pieces smaller than this fraction of the body cannot be told from points and are not split.
constexpr double kSmallest = 64.0 * kUlp;
constexpr double kNothing = 1e-14;  // of the reach: no distance

/// The point of the set that bounds a piece farthest along d (unit).
Vec3 farthest_of(const Piece& p, const Vec3& d) {
  if (p.kind == PieceKind::triangle) {
    const double x = d.dot(p.corner[0]), y = d.dot(p.corner[1]), z = d.dot(p.corner[2]);
    return x >= y && x >= z ? p.corner[0] : y >= z ? p.corner[1] : p.corner[2];
  }
  Vec3 out = p.center + std::copysign(1.0, d.dot(p.half_u)) * p.half_u +
             std::copysign(1.0, d.dot(p.half_v)) * p.half_v + p.slack * d;
  out += std::copysign(p.thickness, d.dot(p.normal)) * p.normal;
  out += std::copysign(1.0, d.dot(p.sway_u)) * p.sway_u +
         std::copysign(1.0, d.dot(p.sway_v)) * p.sway_v;
  return out;
}

struct Entry {
  double lower;
  long order;
  int piece;
  Vec3 direction;
  int pause;  // splits before its exact extent is looked at (again)
};
struct Later {
  bool operator()(const Entry& x, const Entry& y) const {
    return x.lower != y.lower ? x.lower > y.lower : x.order > y.order;
  }
};

/// One search: best piece first.
class CoreSearch {
 public:
  CoreSearch(Surface& surface, const ConvexBody& body, const Frame& frame, const DistanceGoal& goal)
      : surface_(surface), body_(body), frame_(frame), goal_(goal) {
    const double reach = surface.reach() + body.reach() + frame.shift.norm();
    slack_ = frame.error(body.reach()) + body.error() + kTestError * reach;
    nothing_ = kNothing * reach;
    tiny_ = kSmallest * surface.reach();
    for (const Vec3& n : body.flat_normals()) likely_.push_back(-(frame.turn * n));
    d_.upper = goal.known_upper;
    d_.point_a = goal.known_a;
    d_.point_b = goal.known_b;
    const Vec3 known = goal.known_b - goal.known_a;
    if (known.norm() > kSureDirection * slack_) likely_.push_back(known.normalized());
  }

  Distance run() {
    const Vec3 start = frame_ * body_.center() - surface_.piece(surface_.root()).center;
    offer(surface_.root(), start.norm() > 0.0 ? start : Vec3(Vec3::UnitZ()), 0);
    while (!queue_.empty()) {
      const Entry top = queue_.top();
      d_.lower = std::min(top.lower, settled_);
      if (d_.upper - std::max(d_.lower, 0.0) <= goal_.width || d_.upper <= goal_.touch ||
          settled_ <= 0.0)
        break;
      if (goal_.spent(d_.tests)) {
        d_.spent = true;
        break;
      }
      queue_.pop();
      const bool look = top.pause == 0 && surface_.piece(top.piece).gentle();
      if (look && look_exactly(top)) continue;
      const int pause = look ? kPause : std::max(0, top.pause - 1);
      const int child = surface_.children(top.piece);
      offer(child, top.direction, pause);
      offer(child + 1, top.direction, pause);
    }
    if (queue_.empty()) d_.lower = std::min(settled_, d_.upper);
    d_.clear = d_.lower > 0.0;
    return d_;
  }

 private:
  Vec3 farthest_core(const Vec3& d) const {
    return frame_ * body_.farthest(-(frame_.turn.transpose() * d));
  }

  /// The distance along d by the exact extents of piece and core; the piece's outermost point is
  /// tried as the nearest.
  double exact_along(const Piece& p, int i, const Vec3& d, Vec3& next) {
    const LeastAlong least = least_along(*surface_.face(p.face).patch, p.uv, -d);
    ++d_.tests;
    const CoreDistance c = gjk([&](const Vec3&) { return least.point; },
                               [&](const Vec3& n) { return farthest_core(n); }, d,
                               kOfWidth * goal_.width, d_.upper, nothing_);
    keep(c, least.error, i);
    next = c.meet ? Vec3(Vec3::Zero()) : c.direction;
    return d.dot(farthest_core(d)) + least.lower - slack_;
  }

  /// Takes the piece as done with, or puts it back with a bound by exact extents, if that is worth
  /// while. Directions: of flat faces, and from the outermost point to the core, again and again.
  bool look_exactly(const Entry& top) {
    const Piece p = surface_.piece(top.piece);
    double lower = top.lower;
    Vec3 d = top.direction, next = d;
    const auto look = [&](const Vec3& along) {
      lower = std::max(lower, exact_along(p, top.piece, along, next));
    };
    if (p.flat && std::fabs(p.normal.dot(d)) > kNearlyAlong)
      look(p.normal.dot(d) > 0.0 ? p.normal : Vec3(-p.normal));
    for (const Vec3& n : likely_)
      if (n.dot(d) > kNearlyAlong) look(n);
    for (int k = 0; k < kMostDirections; ++k) {
      const double before = lower;
      look(d);
      const bool closed = d_.upper - lower <= goal_.width;
      if (closed || next.isZero(0.0) || (k > 0 && !(lower > before))) break;
      d = next;
    }
    if (!(lower - top.lower >= kWorthWhile * (d_.upper - top.lower))) return false;
    if (lower >= goal_.enough)
      settled_ = std::min(settled_, lower);
    else if (lower <= d_.upper)
      queue_.push({lower, order_++, top.piece, d, kPause});
    return true;
  }

  void offer(int i, const Vec3& start, int pause) {
    const Piece& p = surface_.piece(i);
    const double enough = std::min(d_.upper, goal_.enough) + slack_;
    const CoreDistance c = gjk([&](const Vec3& d) { return farthest_of(p, d); },
                               [&](const Vec3& d) { return farthest_core(d); }, start,
                               kOfWidth * goal_.width, enough, nothing_);
    ++d_.tests;
    const double lower = c.meet ? -slack_ : c.lower - slack_;
    const bool whole = p.leaf() || p.size < tiny_;
    if (whole || lower >= goal_.enough)
      settled_ = std::min(settled_, lower);
    else if (lower <= d_.upper)
      queue_.push({lower, order_++, i, c.direction, pause});
    if (lower <= d_.upper) improve_upper(p, i, c);
  }

  void improve_upper(const Piece& p, int i, const CoreDistance& c) {
    if (p.kind == PieceKind::box) return;
    if (p.kind == PieceKind::triangle) {
      keep(c, 0.0, i);
      return;
    }
    const CoreDistance from_point = gjk([&](const Vec3&) { return p.on_surface; },
                                        [&](const Vec3& d) { return farthest_core(d); },
                                        c.direction, kOfWidth * goal_.width, d_.upper, nothing_);
    keep(from_point, p.on_error, i);
  }
  void keep(const CoreDistance& c, double error, int i) {
    const double upper = c.upper + error + slack_;
    if (!(upper < d_.upper)) return;
    d_.upper = upper;
    d_.point_a = c.point_a;
    d_.point_b = c.point_b;
    d_.piece_a = i;
  }

  static constexpr int kPause = 4;               // splits
  static constexpr int kMostDirections = 5;      // tried on one piece
  static constexpr double kSureDirection = 1e3;  // rounding errors
  static constexpr double kNearlyAlong = 0.9;    // cosine
  static constexpr double kWorthWhile = 0.5;     // of what is still open
  static constexpr double kOfWidth = 0.125;      // of the goal: how sharply one piece is measured
  Surface& surface_;
  const ConvexBody& body_;
  Frame frame_;
  DistanceGoal goal_;
  double slack_, nothing_, tiny_;
  std::vector<Vec3> likely_;  // directions: towards the body's flat faces, of the known points
  Distance d_;
  std::priority_queue<Entry, std::vector<Entry>, Later> queue_;
  long order_ = 0;
  double settled_ = std::numeric_limits<double>::infinity();
};

/// The gap of two bodies that are all points within `skin_a` of a core and `skin_b` of a surface
/// or spine, from the distance of these. `a` is the convex one. A core that meets the other's spine
/// tells no lower bound.
void set_bracket(GapBracket& g, const Distance& d, double skin_a, double skin_b, bool exact_b,
                 double rounding) {
  const double skins = skin_a + skin_b;
  const double lower = d.lower - skins - rounding;
  // the spine keeps out of the convex body, or there is no spine
  const bool out = lower > 0.0 || (exact_b && (skin_b == 0.0 || d.lower > skin_a));
  if (d.clear && out) g.lower = lower;
  if (!exact_b || !std::isfinite(d.upper)) return;
  const double apart = d.upper + rounding;
  g.upper = apart >= skins ? apart - skins
                           : -std::max(skin_b - std::max(0.0, apart - skin_a),
                                       skin_a - std::max(0.0, apart - skin_b));
}

GapBracket judge(const PlacedBody& a, const ConvexBody& body, const PlacedBody& b, Surface& surface,
                 double skin_b, bool exact_b, double error_b, const GapSettings& settings) {
  const double size = pair_size(a, b);
  const Frame frame = relative_frame(b, a);
  const Distance d =
      distance_to_core(surface, body, frame, core_goal(settings, size, body.skin() + skin_b));
  GapBracket g;
  g.tests = d.tests;
  const Frame wb = world_frame(b);
  const Vec3 between = d.point_a - d.point_b;  // from the core to the surface
  const double length = between.norm();
  const Vec3 n = length > 0.0 ? Vec3(between / length) : Vec3(Vec3::UnitZ());
  g.normal_a_to_b = wb.turn * n;
  g.point_a = wb * (d.point_b + body.skin() * n);
  g.point_b = wb * (d.point_a - skin_b * n);
  const double rounding = error_b + kSumError * (body.skin() + skin_b + std::max(0.0, d.lower));
  if (d.clear && skin_b == 0.0 && surface.closed()) {
    // the core meets no surface: it lies in or out of the body whole
    const Side side = side_of(surface, frame * body.center());
    if (side == Side::unknown) return g;
    if (side == Side::inside) {
      g.upper = -d.lower + rounding;
      g.status = status_of(g, settings, size);
      return g;
    }
  }
  set_bracket(g, d, body.skin(), skin_b, exact_b, rounding);
  g.status = status_of(g, settings, size);
  return g;
}

}  // namespace

Distance distance_to_core(Surface& surface, const ConvexBody& body, const Frame& body_in_surface,
                          const DistanceGoal& goal) {
  return CoreSearch(surface, body, body_in_surface, goal).run();
}

GapBracket convex_surface(const PlacedBody& a, const ConvexBody& body, const PlacedBody& b,
                          Surface& surface, const GapSettings& settings) {
  return judge(a, body, b, surface, 0.0, true, 0.0, settings);
}

GapBracket convex_swept(const PlacedBody& a, const ConvexBody& body, const PlacedBody& b,
                        Swept& swept, const GapSettings& settings) {
  return judge(a, body, b, swept.spine, swept.radius, swept.exact, swept.error, settings);
}

}  // namespace repose::check
