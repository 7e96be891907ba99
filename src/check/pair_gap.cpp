#include <algorithm>
#include <cmath>

#include "distance.h"
#include "inside.h"
#include "support.h"
#include "surface_gap.h"

namespace repose::check {

namespace {

constexpr double kCoarse = 2e-2;       // of size: first look, before the support planes
constexpr int kCoarseBudget = 3000;    // pair tests for it
constexpr double kLiftGrowth = 32.0;   // from one lift tried to the next
constexpr double kLargestLift = 0.05;  // of size
constexpr double kClearOfLift = 1e-3;  // a lifted pair counts as clear at this fraction of the lift
constexpr double kNearPiece = 5e-3;    // of size: pieces whose normals guide the lift
constexpr int kNearBudget = 20'000;
constexpr std::size_t kLiftWays = 3;  // directions lifted along
constexpr int kPlaneBudget = 2000;    // pieces of one body for one plane
constexpr int kDeepTrials = 24;       // points tried as witness of deep overlap

/// All that one judgement of a pair needs; lengths in metres, frame of a.
struct Case {
  Surface& a;
  Surface& b;
  Frame frame;
  double size, width;
  const GapSettings& settings;
  long tests = 0;

  Vec3 to_b(const Vec3& p) const { return frame.turn.transpose() * (p - frame.shift); }
  double point_error() const {
    return 2.0 * frame.error(b.reach()) + kSumError * (a.reach() + b.reach());
  }
};

/// Signed separation by the best plane square to d (from a to b): valid for any two bodies, since a
/// point of one inside the other leaves it along d within the overlap of their spans.
double plane_bound(Case& c, const Vec3& d) {
  const double fine = 0.1 * c.width;
  const Support sa = support(c.a, d, fine, kPlaneBudget);
  const Support sb = support(c.b, -(c.frame.turn.transpose() * d), fine, kPlaneBudget);
  c.tests += sa.tests + sb.tests;
  const double error = c.frame.error(c.b.reach()) + kSumError * (c.a.reach() + c.b.reach()) +
                       c.frame.turn_error * c.b.reach();
  return d.dot(c.frame.shift) - sa.upper - sb.upper - error;
}

/// One closed surface lies in the other's solid, though they do not touch.
Side nested(Case& c) {
  bool sure = true;
  const auto test = [&](Surface& solid, const std::vector<Vec3>& points, bool into_b) {
    if (!solid.closed()) return false;
    for (const Vec3& p : points) {
      const Side side = side_of(solid, into_b ? c.to_b(p) : Vec3(c.frame * p));
      if (side == Side::inside) return true;
      if (side == Side::unknown) sure = false;
    }
    return false;
  };
  if (test(c.b, c.a.part_points(), true) || test(c.a, c.b.part_points(), false))
    return Side::inside;
  return sure ? Side::outside : Side::unknown;
}

/// A proven depth of the point p of a (frame of a) in b, m; 0 where it does not lie in b.
double depth_in(Surface& solid, const Vec3& p, double width, int budget, double error) {
  if (side_of(solid, p) != Side::inside) return 0.0;
  Surface point(p);
  DistanceGoal goal;
  goal.width = width;
  goal.budget = budget;
  const Distance d = PairSearch(point, solid, Frame{}).distance(goal);
  return std::max(0.0, d.lower - error);
}

double depth_of_witness(Case& c, const Vec3& p, bool of_a) {
  const double error = c.point_error() + (of_a ? c.a.reach() : c.b.reach()) * kSumError;
  const double width = 0.1 * c.width;
  return of_a ? depth_in(c.b, c.to_b(p), width, kCoarseBudget, error)
              : depth_in(c.a, c.frame * p, width, kCoarseBudget, error);
}

/// Raises g.upper's proof of overlap by the witness p of a, if it is one.
void try_witness(Case& c, const Vec3& p, GapBracket& g) {
  const double depth = depth_of_witness(c, p, true);
  if (depth <= 0.0 || -depth >= g.upper) return;
  g.upper = -depth;
  g.point_a = p;
}

/// A way to push a out of b, with what one plane square to it proves.
struct WayOut {
  Vec3 direction;
  double bound;
};

/// Keeps directions that differ from one another, the first kMostWays of them.
void keep_way(std::vector<Vec3>& ways, const Vec3& d) {
  constexpr std::size_t kMostWays = 12;
  constexpr double kSame = 1.0 - 1e-4;
  if (d.norm() == 0.0 || ways.size() >= kMostWays) return;
  for (const Vec3& w : ways)
    if (w.dot(d) > kSame) return;
  ways.push_back(d);
}

/// Where to push a so that it leaves b, from the pieces that are not clear; best plane first.
std::vector<WayOut> ways_out(Case& c, const Distance& touching) {
  PairSearch search(c.a, c.b, c.frame);
  std::vector<Vec3> of_b, of_a, ways;
  for (const UnclearPair& u : search.near(c.width, kNearPiece * c.size, kNearBudget)) {
    if (c.b.piece(u.b).kind == PieceKind::box || c.a.piece(u.a).kind == PieceKind::box) continue;
    of_b.push_back(c.frame.turn * c.b.outward(u.b));
    of_a.push_back(-c.a.outward(u.a));
  }
  keep_way(ways, escape_direction(of_b));
  keep_way(ways, escape_direction(of_a));
  if (c.b.piece(touching.piece_b).kind != PieceKind::box)
    keep_way(ways, c.frame.turn * c.b.outward(touching.piece_b));
  for (std::size_t i = 0; i < of_b.size(); ++i) {
    keep_way(ways, of_b[i]);
    keep_way(ways, of_a[i]);
  }
  std::vector<WayOut> out;
  for (const Vec3& d : ways) {
    out.push_back({d, plane_bound(c, -d)});
    if (out.back().bound >= -c.width) break;
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const WayOut& x, const WayOut& y) { return x.bound > y.bound; });
  return out;
}

/// Moves a by `lift` along d: clear and not nested proves gap >= -lift.
struct Lifted {
  bool clear = false;
  Distance distance;
};
Lifted try_lift(Case& c, const Vec3& d, double lift) {
  Case moved = c;
  moved.frame.shift -= lift * d;
  moved.frame.shift_error += kSumError * (moved.frame.shift.norm() + lift);
  DistanceGoal goal;
  goal.enough = kClearOfLift * lift;
  goal.touch = goal.enough;
  goal.budget = static_cast<int>(std::max<long>(1, c.settings.budget - c.tests) / 2);
  Lifted out;
  out.distance = PairSearch(c.a, c.b, moved.frame).distance(goal);
  c.tests += out.distance.tests;
  out.clear = out.distance.clear && !out.distance.spent && nested(moved) == Side::outside;
  return out;
}

/// The signed bracket of surfaces that touch or cross.
void judge_touching(Case& c, const Distance& touching, GapBracket& g) {
  g.lower = -std::numeric_limits<double>::infinity();
  std::vector<WayOut> ways = ways_out(c, touching);
  if (!ways.empty()) g.lower = std::max(g.lower, ways.front().bound);
  if (g.lower >= -c.width && g.upper <= c.width) return;
  if (ways.size() > kLiftWays) ways.resize(kLiftWays);
  for (double lift = c.width; lift <= kLargestLift * c.size; lift *= kLiftGrowth) {
    if (-lift <= g.lower) break;
    for (const WayOut& way : ways) {
      if (c.tests >= c.settings.budget) return;
      const Lifted lifted = try_lift(c, way.direction, lift);
      if (!lifted.clear) continue;
      g.lower = std::max(g.lower, -lift * (1.0 + kSumError));
      if (lift > c.width) try_witness(c, lifted.distance.point_a, g);
      return;
    }
  }
  // deep, or wedged: look for any point of one well inside the other
  PairSearch search(c.a, c.b, c.frame);
  const auto unclear = search.near(0.0, 4.0 * kNearPiece * c.size, kNearBudget);
  const std::size_t stride = std::max<std::size_t>(1, unclear.size() / kDeepTrials);
  for (std::size_t i = 0; i < unclear.size(); i += stride) {
    const Piece pa = c.a.piece(unclear[i].a), pb = c.b.piece(unclear[i].b);  // trees grow below
    if (pa.kind != PieceKind::box)
      for (const Vec3& p : {pa.on_surface, pa.corner[0]})
        if (pa.kind == PieceKind::triangle || p == pa.on_surface) try_witness(c, p, g);
    if (pb.kind == PieceKind::box) continue;
    const double depth = depth_of_witness(c, pb.on_surface, false);
    if (depth > 0.0 && -depth < g.upper) {
      g.upper = -depth;
      g.point_a = g.point_b = c.frame * pb.on_surface;
    }
  }
}

void judge_nested(Case& c, const Distance& d, GapBracket& g) {
  g.lower = -2.0 * (c.a.reach() + c.b.reach() + c.frame.shift.norm());
  g.upper = std::min(g.upper, -d.lower);
}

GapStatus status_of(const GapBracket& g, double width, double enough) {
  if (g.lower >= enough) return GapStatus::apart;
  if (g.width() <= 2.0 * width) return GapStatus::closed;
  if (g.upper < -width) return GapStatus::overlap;
  return GapStatus::undecided;
}

/// The distance first roughly, then by one plane if that closes the bracket, then in full.
void measure(Case& c, GapBracket& g) {
  const double enough = c.settings.enough * c.size;
  PairSearch search(c.a, c.b, c.frame);
  DistanceGoal goal;
  goal.width = kCoarse * c.size;
  goal.enough = enough;
  goal.touch = 0.25 * c.width;
  goal.budget = std::min(kCoarseBudget, c.settings.budget);
  Distance d = search.distance(goal);
  const auto take = [&] {
    c.tests += d.tests;
    g.lower = d.lower;
    g.upper = d.upper;
    g.point_a = d.point_a;
    g.point_b = d.point_b;
  };
  take();
  Vec3 between = d.point_b - d.point_a;
  if (between.norm() > c.width) {
    const double plane = plane_bound(c, between.normalized());
    if (plane > 0.0 && (g.upper - plane <= c.width || plane >= enough)) {
      g.lower = plane;
      return;
    }
  }
  goal.width = c.width;
  goal.budget = c.settings.budget;
  d = search.distance(goal);
  take();
  if (!d.clear) {
    judge_touching(c, d, g);
    return;
  }
  const Side inner = nested(c);
  if (inner == Side::inside) judge_nested(c, d, g);
  if (inner == Side::unknown) g.lower = -std::numeric_limits<double>::infinity();
}

}  // namespace

GapBracket surface_surface(const Item& a, Surface& surface_a, const Item& b, Surface& surface_b,
                           const GapSettings& settings) {
  const double size = pair_size(a, b);
  // a quarter is left for rounding and for the two sides of a touching pair
  Case c{surface_a, surface_b, relative_frame(a, b), size, 0.5 * settings.width * size, settings};
  GapBracket g;
  measure(c, g);
  g.tests = c.tests;
  g.status = status_of(g, c.width, settings.enough * size);
  const Frame wa = world_frame(a);
  const Vec3 between = g.point_b - g.point_a;
  const double length = between.norm();
  g.normal_a_to_b = length > c.width ? Vec3(wa.turn * between / length) : Vec3(Vec3::UnitZ());
  g.point_a = wa * g.point_a;
  g.point_b = wa * g.point_b;
  return g;
}

}  // namespace repose::check
