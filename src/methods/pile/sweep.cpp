#include "sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "nearest.h"
#include "touch_points.h"

namespace repose::pile {
namespace {

/// The way is halved at most this often; parts looked at, all in all, those of halved arcs as well.
constexpr int kMaxDepth = 12;
constexpr int kMaxParts = 400;
/// ... where cells are halved. Each halving of a way or of one of two cells is one level: this many
/// tell apart all that doubles do, and fit on any thread's stack.
constexpr int kMaxCellParts = 6000;
constexpr int kMaxCellDepth = 150;
/// A slab that shows less than this share of the gap known does so because an arc's hull is wider
/// than the arc.
constexpr double kHullLoss = 0.5;
/// Hulls that overlap by more than this many times their swell hold surfaces that are too near.
constexpr double kSwellLoss = 3.0;
/// What a function leaves its chord by, over its second derivative times the square of the way.
constexpr double kChord = 0.125;

/// The least value on the way of a function that is f0 and f1 at its ends and whose second
/// derivative is at most `bend` over the squared length of the way.
double lowest(double f0, double f1, double bend) {
  if (bend <= 0.0) return std::min(f0, f1);
  const double at = 0.5 - (f1 - f0) / bend;
  if (at <= 0.0 || at >= 1.0) return std::min(f0, f1);
  return f0 + at * (f1 - f0) - 0.5 * bend * at * (1.0 - at);
}

double farthest_point(const Convex& set) {
  return set.bound_center.norm() + set.bound_radius;
}

/// The half of an arc on the side of -1 or 1.
Convex half_arc(const Convex& arc, double side) {
  Convex out = arc;
  out.half *= 0.5;
  out.middle += side * out.half;
  return out;
}

/// The triangle of an arc's ends and of where its tangents there meet, grown by its radius.
Convex triangle_about(const Convex& arc) {
  Convex out;
  const auto at = [&](double angle, double far) {
    return Vec3(far * std::cos(angle), far * std::sin(angle), 0.0);
  };
  out.points = {at(arc.middle - arc.half, arc.ring), at(arc.middle + arc.half, arc.ring),
                at(arc.middle, arc.ring / std::cos(arc.half))};
  out.radius = arc.radius;
  out.bound_center = out.points[2];
  out.bound_radius = (out.points[2] - out.points[0]).norm() + out.radius;
  return out;
}

/// A plane between the two sets somewhere on their ways.
struct Plane {
  double at = 0.0;              // share of the way
  Vec3 normal = Vec3::UnitZ();  // unit, from a to b
  double slab = 0.0;            // m, between the sets (of arcs: their hulls) across it
  double gap = 0.0;             // m, of the sets themselves there; at least the slab
};

/// One pair of sets on their ways.
class Chain {
 public:
  Chain(const Way& way_a, const Way& way_b, double least)
      : way_a_(way_a), way_b_(way_b), least_(least) {
    turn_a_ = way_a.turn.norm();
    turn_b_ = way_b.turn.norm();
    slide_ = (way_b.shift - way_a.shift).norm();
  }

  bool proven(const Convex& a, const Convex& b, const Vec3& normal) {
    if (!a.cell && !b.cell)
      return between(a, b, plane_at(a, b, 0.0, normal), look(a, b, 1.0, normal), 0);
    const Side side_a = side_of(a), side_b = side_of(b);
    // mostly the plane that is known does
    return by_planes(side_a.set(), side_b.set(), 0.0, normal, 1.0, normal) ||
           by_wide_planes(side_a, side_b, 0.0, normal, 1.0, normal, 0);
  }

 private:
  /// A set, or what holds a cell or an arc.
  struct Side {
    const Convex* given = nullptr;
    std::optional<Convex> hull;
    std::optional<PatchCell> cell;
    std::optional<Convex> arc;

    const Convex& set() const { return hull ? *hull : *given; }
    /// What the hull holds beyond the set itself, m.
    double swell() const {
      if (cell) return cell->swell();
      return arc ? arc->ring * (1.0 / std::cos(arc->half) - std::cos(arc->half)) : 0.0;
    }
  };
  static Side side_of(const PatchCell& cell) { return {nullptr, cell.hull(), cell, {}}; }
  static Side side_of(const Convex& set) {
    if (set.cell) return side_of(*set.cell);
    if (set.core == Convex::Core::arc) return {nullptr, triangle_about(set), {}, set};
    return {&set, {}, {}, {}};
  }
  static std::array<Side, 2> halves_of(const Side& side) {
    if (side.cell) {
      const auto halves = side.cell->halves();
      return {side_of(halves[0]), side_of(halves[1])};
    }
    return {side_of(half_arc(*side.arc, -1.0)), side_of(half_arc(*side.arc, 1.0))};
  }

  Plane plane_at(const Convex& a, const Convex& b, double at, const Vec3& normal) const {
    const double slab = slab_between(a, way_a_.at(at), b, way_b_.at(at), normal);
    return {at, normal, slab, slab};
  }
  /// The plane across the nearest points; where the sets meet, one that proves nothing.
  Plane look(const Convex& a, const Convex& b, double at, const Vec3& guess) {
    const Nearest nearest = nearest_of(a, way_a_.at(at), b, way_b_.at(at), &guess);
    const double gap = nearest.apart ? nearest.gap : -std::numeric_limits<double>::infinity();
    if (!nearest.apart) return {at, guess, gap, gap};
    Plane out = plane_at(a, b, at, nearest.normal);
    out.gap = std::max(out.gap, gap);
    return out;
  }
  /// A plane between convex sets that need not be the best.
  Plane wide_plane(const Convex& a, const Convex& b, double at, const Vec3& guess) {
    Vec3 normal = guess;
    const double slab = wide_slab(a, way_a_.at(at), b, way_b_.at(at), normal);
    return {at, normal, slab, slab};
  }
  /// The plane goes evenly from one to the other: a point's height above it has the
  /// second derivative 2 n' . z' + n . z''. Or the gaps at both ends are wider than the way.
  bool by_plane(const Convex& a, const Convex& b, const Plane& p, const Plane& q) const {
    return lowest(p.slab, q.slab, bend_of(a, b, p, q)) >= least_ ||
           p.gap + q.gap - speed_of(a, b) * (q.at - p.at) >= 2.0 * least_;
  }
  bool by_planes(const Convex& a, const Convex& b, double from, const Vec3& first, double to,
                 const Vec3& last) const {
    return by_plane(a, b, plane_at(a, b, from, first), plane_at(a, b, to, last));
  }
  double speed_of(const Convex& a, const Convex& b) const {
    return slide_ + farthest_point(a) * turn_a_ + farthest_point(b) * turn_b_;
  }
  double bend_of(const Convex& a, const Convex& b, const Plane& p, const Plane& q) const {
    const double length = q.at - p.at;
    const double swing =
        farthest_point(a) * turn_a_ * turn_a_ + farthest_point(b) * turn_b_ * turn_b_;
    return 2.0 * (q.normal - p.normal).norm() * speed_of(a, b) * length + swing * length * length;
  }
  bool between(const Convex& a, const Convex& b, const Plane& p, const Plane& q, int depth) {
    if (by_plane(a, b, p, q)) return true;
    if (depth >= kMaxDepth || ++parts_ > kMaxParts) return false;
    const Plane middle = look(a, b, 0.5 * (p.at + q.at), p.normal);
    if (middle.gap < least_) return false;
    const bool arcs = a.core == Convex::Core::arc || b.core == Convex::Core::arc;
    if (arcs && middle.slab < kHullLoss * middle.gap) return by_half_arcs(a, b, p, q, depth);
    return between(a, b, p, middle, depth + 1) && between(a, b, middle, q, depth + 1);
  }
  /// By a plane that was wide at the beginning, kept all along, or by planes wide at both ends, or
  /// by parts.
  bool by_wide_planes(const Side& a, const Side& b, double from, const Vec3& first, double to,
                      const Vec3& last, int depth) {
    const Plane p = wide_plane(a.set(), b.set(), from, first);
    if (by_plane(a.set(), b.set(), p, plane_at(a.set(), b.set(), to, p.normal))) return true;
    return between_cells(a, b, p, wide_plane(a.set(), b.set(), to, last), depth);
  }
  /// Between the hulls of cells: what they hold beyond the surface goes with the square of their
  /// width. Halved is what hides more of the gap, the way or the wider cell.
  bool between_cells(const Side& a, const Side& b, const Plane& p, const Plane& q, int depth) {
    if (by_plane(a.set(), b.set(), p, q)) return true;
    if (depth >= kMaxCellDepth || ++parts_ > kMaxCellParts) return false;
    const double swell = a.swell() + b.swell();
    const double slab = std::min(p.slab, q.slab);
    // hulls that meet may still hold surfaces that do not
    if (slab > 0.0 ? slab + kSwellLoss * swell < least_ : swell < least_) return false;
    if (bend_of(a.set(), b.set(), p, q) * kChord > swell) {
      const Plane middle = wide_plane(a.set(), b.set(), 0.5 * (p.at + q.at), p.normal);
      return between_cells(a, b, p, middle, depth + 1) && between_cells(a, b, middle, q, depth + 1);
    }
    const bool split_a = a.swell() >= b.swell();
    for (const Side& part : halves_of(split_a ? a : b)) {
      const Side &first = split_a ? part : a, &second = split_a ? b : part;
      // mostly the planes of the whole do for its parts
      if (by_planes(first.set(), second.set(), p.at, p.normal, q.at, q.normal)) continue;
      if (!by_wide_planes(first, second, p.at, p.normal, q.at, q.normal, depth + 1)) return false;
    }
    return true;
  }
  bool by_half_arcs(const Convex& a, const Convex& b, const Plane& p, const Plane& q, int depth) {
    const bool split_a = a.core == Convex::Core::arc &&
                         (b.core != Convex::Core::arc || a.ring * a.half >= b.ring * b.half);
    for (const double side : {-1.0, 1.0}) {
      const Convex half = half_arc(split_a ? a : b, side);
      const Convex &first = split_a ? half : a, &second = split_a ? b : half;
      if (!between(first, second, look(first, second, p.at, p.normal),
                   look(first, second, q.at, q.normal), depth))
        return false;
    }
    return true;
  }

  const Way &way_a_, &way_b_;
  double least_, turn_a_, turn_b_, slide_;
  int parts_ = 0;
};

}  // namespace

Pose Way::at(double share) const {
  if (turn.squaredNorm() == 0.0) return {from.position + share * shift, from.rotation};
  return {from.position + share * shift,
          (rotation_from_vector(share * turn) * from.rotation).normalized()};
}

Way way_between(const Pose& from, const Pose& to) {
  Way out;
  out.from = from;
  out.shift = to.position - from.position;
  out.turn = vector_from_rotation((to.rotation * from.rotation.conjugate()).normalized());
  return out;
}

bool stay_apart(const Convex& a, const Way& way_a, const Convex& b, const Way& way_b,
                const Vec3& normal, double least) {
  return Chain(way_a, way_b, least).proven(a, b, normal);
}

namespace {

/// A cell above a plane on its way: what its hull holds beyond it and how it turns, halved until
/// neither hides the gap.
class Rise {
 public:
  Rise(const Vec3& origin, const Vec3& normal, const Way& way, double least)
      : origin_(origin), normal_(normal), way_(way), least_(least), turn_(way.turn.norm()) {}

  bool proven(const PatchCell& cell) {
    return above(cell, 0.0, height(cell.hull(), 0.0), 1.0, height(cell.hull(), 1.0), 0);
  }

 private:
  double height(const Convex& hull, double at) const {
    return height_above(origin_, normal_, hull, way_.at(at));
  }
  bool above(const PatchCell& cell, double from, double h0, double to, double h1, int depth) {
    const Convex hull = cell.hull();
    const double bend = farthest_point(hull) * turn_ * turn_ * (to - from) * (to - from);
    if (lowest(h0, h1, bend) >= least_) return true;
    if (depth >= kMaxCellDepth || ++parts_ > kMaxCellParts) return false;
    const double swell = cell.flat.isZero() ? cell.swell() : 0.0;
    if (std::min(h0, h1) + kSwellLoss * swell < least_) return false;
    if (kChord * bend > swell) {
      const double middle = 0.5 * (from + to), h = height(hull, middle);
      return above(cell, from, h0, middle, h, depth + 1) &&
             above(cell, middle, h, to, h1, depth + 1);
    }
    for (const PatchCell& half : cell.halves()) {
      const Convex part = half.hull();
      if (!above(half, from, height(part, from), to, height(part, to), depth + 1)) return false;
    }
    return true;
  }

  const Vec3 &origin_, &normal_;
  const Way& way_;
  double least_, turn_;
  int parts_ = 0;
};

}  // namespace

bool stays_above(const Vec3& origin, const Vec3& normal, const Convex& b, const Way& way_b,
                 double least) {
  if (b.cell) return Rise(origin, normal, way_b, least).proven(*b.cell);
  const double turn = way_b.turn.norm(), far = farthest_point(b);
  for (int parts = 1; parts <= 1 << kMaxDepth / 2; parts *= 2) {
    const double part = 1.0 / parts;
    bool above = true;
    double before = height_above(origin, normal, b, way_b.at(0.0));
    for (int i = 1; i <= parts && above; ++i) {
      const double here = height_above(origin, normal, b, way_b.at(i * part));
      if (here < least) return false;
      above = lowest(before, here, far * turn * turn * part * part) >= least;
      before = here;
    }
    if (above) return true;
  }
  return false;
}

}  // namespace repose::pile
