// Surfaces that touch or cross: is one body in the other, and how deep.
#include "check/gap/crossing.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "check/gap/surface_gap.h"
#include "check/gap/triangle.h"

namespace repose::check {

namespace {

constexpr double kNearPiece = 2e-2;   // of size: pieces looked at where the surfaces cross
constexpr int kNearBudget = 6000;     // pair tests for it
constexpr int kWholeBudget = 60'000;  // the same where plane pieces stay whole
constexpr std::size_t kMostWays = 6;  // directions tried to lead out
constexpr std::size_t kMostFlat = 3;  // of flat faces among them
constexpr double kSameWay = 1.0 - 1e-4;
constexpr std::size_t kWitnesses = 12;  // points tried as proof of overlap
constexpr int kWitnessBudget = 3000;    // pair tests for the depth of one
constexpr double kAcross = 0.2;         // length of the sum of two unit normals: faces cross
constexpr std::size_t kMostAcross = 6;  // places where faces cross that are looked at
constexpr int kStepsIn = 3;             // points tried at each, each nearer than the one before
constexpr double kNearer = 0.125;       // of the way before
constexpr double kLeastLift = 8.0;      // of the width
constexpr double kLiftGrowth = 8.0;     // from one lift tried to the next
constexpr double kLargestLift = 0.1;    // of size
constexpr double kRoughly = 0.05;       // of the lift: first look at the distance after it
constexpr double kFinely = 0.25;        // of the width: last look
constexpr int kRefinements = 4;         // lifts along the direction that nearest points show
constexpr double kShorter = 0.25;       // of the lift before, where that lost too much
constexpr double kNothingLeft = 1e-3;   // of the lift: nearer counts as still touching

/// A point that may lie in the other body.
struct Candidate {
  double depth;  // least that any piece near it tells
  Vec3 point;    // frame of a
  bool of_a;
  int piece, corner;
};

/// What the pieces near the crossing tell.
struct Crossing {
  std::vector<Vec3> ways;             // that may lead a out of b, unit
  std::vector<Candidate> candidates;  // deepest first
  /// A point on or near both surfaces where they cross, and the way into both, unit. Frame of a.
  struct Place {
    Vec3 point, inward;
  };
  std::vector<Place> across;
};

void keep_way(std::vector<Vec3>& ways, const Vec3& d) {
  if (d.norm() == 0.0 || ways.size() >= kMostWays) return;
  for (const Vec3& w : ways)
    if (w.dot(d) > kSameWay) return;
  ways.push_back(d);
}

/// How far p lies behind the piece, whose outward normal is n.
double behind(const Piece& piece, const Vec3& n, const Vec3& p) {
  const Vec3 q =
      piece.kind == PieceKind::triangle ? closest_on_triangle(p, piece.corner) : piece.on_surface;
  return n.dot(q - p);
}

void add_candidates(const Piece& of, int number, const Piece& in, const Vec3& n, bool of_a,
                    std::vector<Candidate>& out) {
  const auto add = [&](const Vec3& p, int corner) {
    out.push_back({behind(in, n, p), p, of_a, number, corner});
  };
  if (of.kind == PieceKind::triangle)
    for (int k = 0; k < 3; ++k) add(of.corner[k], k);
  add(of.on_surface, -1);
}

/// Each point once, with the least depth told of it; the deepest first.
std::vector<Candidate> deepest(std::vector<Candidate> all) {
  const auto key = [](const Candidate& c) { return std::tuple(c.of_a, c.piece, c.corner); };
  std::sort(all.begin(), all.end(), [&](const Candidate& x, const Candidate& y) {
    return std::tuple(key(x), x.depth) < std::tuple(key(y), y.depth);
  });
  all.erase(std::unique(all.begin(), all.end(),
                        [&](const Candidate& x, const Candidate& y) { return key(x) == key(y); }),
            all.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& x, const Candidate& y) { return x.depth > y.depth; });
  if (all.size() > kWitnesses) all.resize(kWitnesses);
  return all;
}

/// Normals of the faces that meet: of a turned about, and of b as they are. Frame of a.
struct Normals {
  std::vector<Vec3> of_a, of_b, flat, opposed;  // opposed: of plane faces that lie on each other

  void add(const Vec3& a, bool flat_a, const Vec3& b, bool flat_b) {
    of_a.push_back(a);
    of_b.push_back(b);
    if (flat_b) flat.push_back(b);
    if (flat_a) flat.push_back(a);
    if (flat_a && flat_b && a.dot(b) > kSameWay) opposed.push_back(b);
  }
};

void keep_ways(const Normals& normals, const std::optional<Vec3>& touching,
               std::vector<Vec3>& ways) {
  // faces that lie on each other, however the sides beside them run on in one plane
  keep_way(ways, escape_direction(normals.opposed));
  // flat faces first: planes along them are exact
  for (const Vec3& n : normals.flat)
    if (ways.size() < kMostFlat) keep_way(ways, n);
  keep_way(ways, escape_direction(normals.of_b));
  keep_way(ways, escape_direction(normals.of_a));
  if (touching) keep_way(ways, *touching);
  for (std::size_t i = 0; i < normals.of_b.size(); ++i) {
    keep_way(ways, normals.of_b[i]);
    keep_way(ways, normals.of_a[i]);
  }
}

/// The same of pairs that stay whole where they are plane: many faces that lie on each other would
/// take the budget before any of their pieces is small.
std::vector<Vec3> ways_of_whole_planes(Case& c, PairSearch& search) {
  Normals normals;
  for (const UnclearPair& u :
       search.pairs_within(c.width, kNearPiece * c.size, kWholeBudget, PlaneParts::whole)) {
    const Piece &pa = c.a.piece(u.a), &pb = search.placed(u.b);
    if (pa.kind != PieceKind::box && pb.kind != PieceKind::box)
      normals.add(-c.a.outward(u.a), pa.flat, c.frame.turn * c.b.outward(u.b), pb.flat);
  }
  std::vector<Vec3> ways;
  keep_way(ways, escape_direction(normals.opposed));
  return ways;
}

Crossing look_at_crossing(Case& c, const Distance& touching) {
  PairSearch search(c.a, c.b, c.frame);
  Crossing out;
  std::vector<Candidate> candidates;
  Normals normals;
  bool all = true;
  for (const UnclearPair& u : search.pairs_within(c.width, kNearPiece * c.size, kNearBudget)) {
    const Piece &pa = c.a.piece(u.a), &pb = search.placed(u.b);
    if (pa.kind == PieceKind::box || pb.kind == PieceKind::box) {
      all = false;
      continue;
    }
    const Vec3 of_a = -c.a.outward(u.a), of_b = c.frame.turn * c.b.outward(u.b);
    normals.add(of_a, pa.flat, of_b, pb.flat);
    const Vec3 inward = of_a - of_b;
    if (inward.norm() > kAcross && out.across.size() < kMostAcross)
      out.across.push_back({0.5 * (pa.on_surface + pb.on_surface), inward.normalized()});
    add_candidates(pa, u.a, pb, of_b, true, candidates);
    add_candidates(pb, u.b, pa, -of_a, false, candidates);
  }
  out.candidates = deepest(std::move(candidates));
  if (!all) out.ways = ways_of_whole_planes(c, search);
  std::optional<Vec3> nearest;
  if (c.b.piece(touching.piece_b).kind != PieceKind::box)
    nearest = c.frame.turn * c.b.outward(touching.piece_b);
  keep_ways(normals, nearest, out.ways);
  return out;
}

/// A proven depth of p (frame of the solid) in the solid, m; 0 where it does not lie in it.
double depth_in(Surface& solid, const Vec3& p, double width, double error, int& splits) {
  if (side_of(solid, p, splits) != Side::inside) return 0.0;
  Surface point(p);
  DistanceGoal goal;
  goal.width = width;
  goal.budget = kWitnessBudget;
  const Distance d = PairSearch(point, solid, Frame{}).distance(goal);
  return std::max(0.0, d.lower - error);
}

}  // namespace

void try_witness(Case& c, const Vec3& p, bool of_a, GapBracket& g) {
  const double error = c.point_error() + (of_a ? c.a.reach() : c.b.reach()) * kSumError;
  const double width = 0.1 * c.width;
  const double depth = of_a ? depth_in(c.b, c.to_b(p), width, error, c.splits)
                            : depth_in(c.a, p, width, error, c.splits);
  if (depth <= 0.0 || -depth >= g.upper) return;
  g.upper = -depth;
  g.point_a = g.point_b = p;
}

namespace {

/// b seen from a that was moved by `lift` along d.
struct Lifted {
  Vec3 direction = Vec3::UnitZ();  // unit
  double lift = 0.0;               // m
  bool clear = false;
  Distance distance;
  /// a moved so and then back by less than the distance is still clear: so deep, at most.
  double lower() const { return distance.lower - lift * (1.0 + kSumError); }
};
Lifted lifted(Case& c, const Vec3& d, double lift, double width) {
  Case moved = c;
  moved.frame.shift -= lift * d;
  moved.frame.shift_error += kSumError * (moved.frame.shift.norm() + lift);
  DistanceGoal goal;
  goal.width = width;
  goal.touch = kNothingLeft * lift;
  goal.interrupt = c.settings.interrupt;
  goal.budget = static_cast<int>(std::max<long>(1, c.settings.budget - c.tests) / 2);
  Lifted out{d, lift, false, {}};
  out.distance = distance_of(moved, goal);
  c.tests = moved.tests;
  c.splits = moved.splits;
  out.clear = out.distance.clear && nested(moved) == Side::outside;
  return out;
}

/// From a first clear lift: again along the direction of the nearest points, by not much more than
/// the depth, until the depth is known; the nearest points then witness it.
void refine(Case& c, Lifted l, GapBracket& g) {
  for (int k = 0; k < kRefinements && !c.spent(); ++k) {
    const double before = g.lower;
    g.lower = std::max(g.lower, l.lower());
    if (k > 1 && g.lower - before < kFinely * c.width) break;
    const Vec3 away = l.distance.point_a - l.distance.point_b;
    if (!(away.norm() > 0.0)) break;
    const double depth = std::max(0.0, l.lift - away.norm());
    const Lifted next = lifted(c, away.normalized(), std::max(kLeastLift * c.width, 2.0 * depth),
                               kFinely * c.width);
    if (!next.clear) break;
    l = next;
  }
  g.lower = std::max(g.lower, l.lower());
  // along a curve of contact no direction is the nearest points': shorter lifts lose less
  while (g.lower < -c.width && g.upper >= -c.width && l.lift > c.width && !c.spent()) {
    const Lifted next = lifted(c, l.direction, kShorter * l.lift, kFinely * c.width);
    if (!next.clear) break;
    l = next;
    g.lower = std::max(g.lower, l.lower());
  }
  // a search that ended before it measured any two points has none to show
  if (g.lower >= -c.width || !std::isfinite(l.distance.upper)) return;
  try_witness(c, l.distance.point_a, true, g);
  try_witness(c, l.distance.point_b + l.lift * l.direction, false, g);
}

}  // namespace

namespace {

/// Where faces cross both bodies lie on the inner side of both: points there, farther from and
/// nearer to the crossing. No way out need be known, as there is none from a wall that is pierced.
void look_between_faces(Case& c, const Crossing& crossing, GapBracket& g) {
  const double error = c.point_error() + (c.a.reach() + c.b.reach()) * kSumError;
  for (const Crossing::Place& at : crossing.across) {
    double step = kNearPiece * c.size;
    for (int k = 0; k < kStepsIn; ++k, step *= kNearer) {
      const Vec3 p = at.point + step * at.inward;
      const double in_a = depth_in(c.a, p, 0.1 * step, error, c.splits);
      const double in_b = in_a > 0.0 ? depth_in(c.b, c.to_b(p), 0.1 * step, error, c.splits) : 0.0;
      if (in_b <= 0.0) continue;
      g.upper = std::min(g.upper, -std::max(in_a, in_b));
      g.point_a = g.point_b = p;
      return;
    }
  }
}

void judge_crossing(Case& c, const Crossing& crossing, GapBracket& g) {
  // flat contacts end here
  std::vector<std::pair<double, Vec3>> ways;
  for (const Vec3& d : crossing.ways) {
    ways.emplace_back(plane_bound(c, -d), d);
    g.lower = std::max(g.lower, ways.back().first);
    if (g.lower >= -c.width && g.upper <= c.width) return;
  }
  for (const Candidate& w : crossing.candidates) {
    if (w.depth <= c.width || g.upper < -c.width) break;
    try_witness(c, w.point, w.of_a, g);
  }
  if (g.upper < -kNearPiece * kNearPiece * c.size) return;
  std::stable_sort(ways.begin(), ways.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  for (double lift = kLeastLift * c.width; lift <= kLargestLift * c.size; lift *= kLiftGrowth)
    for (const auto& [bound, d] : ways) {
      if (c.spent()) return;
      const Lifted l = lifted(c, d, lift, kRoughly * lift);
      if (!l.clear) continue;
      refine(c, l, g);
      return;
    }
}

}  // namespace

void judge_touching(Case& c, const Distance& touching, GapBracket& g) {
  g.lower = -2.0 * (c.a.reach() + c.b.reach() + c.frame.shift.norm());
  const Crossing crossing = look_at_crossing(c, touching);
  judge_crossing(c, crossing, g);
  if (g.lower < -c.width && g.upper >= -c.width) look_between_faces(c, crossing, g);
}

}  // namespace repose::check
