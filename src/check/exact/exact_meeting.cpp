#include "check/exact/exact_meeting.h"

#include <algorithm>
#include <map>

#include "check/exact/exact_triangles.h"
#include "check/gap/distance.h"
#include "check/gap/ray.h"

namespace repose::check {

namespace {

using Kind = ExactMeeting::Kind;
using Pairs = std::vector<UnclearPair>;

constexpr int kPairBudget = 100'000;       // pair tests of boxes and triangles
constexpr std::size_t kMostPairs = 4000;   // triangles compared exactly
constexpr std::size_t kMostPoints = 24;    // where one triangle is touched
constexpr std::size_t kMostFaces = 4;      // that lie on each other, tried as parting planes
constexpr std::size_t kMostTouched = 400;  // triangles cut into cells

enum class Place { inside, outside, on, unknown };

/// The sign of d.((a - p) x (b - p)).
int turn_about(const ExactPoint& p, const Vec3& d, const ExactPoint& a, const ExactPoint& b,
               Doubts& doubts) {
  const Vec3 u = a.rounded - p.rounded, v = b.rounded - p.rounded;
  const double longest = std::max(u.norm(), v.norm());
  const double e = p.error + std::max(a.error, b.error) + kSumError * longest;
  constexpr double kDifferences = 4.0;
  const double value = d.dot(u.cross(v)), off = kDifferences * d.norm() * e * (longest + e);
  if (std::fabs(value) > off) return value > 0.0 ? 1 : -1;
  const ExactVector along{Exact(d.x()), Exact(d.y()), Exact(d.z())};
  return doubts.sign(dot(along, cross(difference(a, p), difference(b, p))));
}

/// Triangles of `a` against the solid `b`, in the frame of b.
class OneSide {
 public:
  OneSide(Surface& a, Surface& b, const ExactFrame& a_in_b, Doubts& doubts)
      : a_(a), b_(b), frame_(a_in_b), doubts_(doubts) {}

  const ExactTriangle& of_a(int i) {
    return made(
        of_a_, i, [&](const Vec3& p) { return frame_ * p; }, a_);
  }
  const ExactTriangle& of_b(int i) {
    return made(
        of_b_, i, [](const Vec3& p) { return ExactPoint(p); }, b_);
  }

  /// Notes what two triangles share; true where it shows overlap.
  bool overlaps(int a, int b) {
    const ExactTriangle &ta = of_a(a), &tb = of_b(b);
    // triangles without area bound nothing that their neighbours do not
    if (ta.plane.none() || tb.plane.none()) return false;
    const TriangleContact c = meet(ta, tb, doubts_);
    using Contact = TriangleContact::Kind;
    if (c.kind == Contact::crossing || c.kind == Contact::same_area) return true;
    if (c.kind == Contact::apart) return false;
    if (c.kind == Contact::back_area && faces_.size() < kMostFaces) faces_.push_back(a);
    auto& points = touched_[a];
    for (const ExactPoint& p : c.points) {
      const bool known = std::any_of(points.begin(), points.end(), [&](const ExactPoint& q) {
        return compare(p, q, doubts_) == 0;
      });
      if (!known) points.push_back(p);
    }
    return false;
  }
  bool touches() const { return !touched_.empty(); }

  /// The plane of a face that lies on the other body has all of a behind and all of b before it.
  bool parted_by_a_face() {
    return std::any_of(faces_.begin(), faces_.end(), [&](int face) {
      const ExactPlane& plane = of_a(face).plane;
      return all_of(b_, [&](int i) { return all_sides(of_b(i), plane, 1); }) &&
             all_of(a_, [&](int i) { return all_sides(of_a(i), plane, -1); });
    });
  }

  /// A component of a's surface, or a cell of a touched triangle, inside b; `where` tells a point.
  Place any_inside(Vec3& where) {
    Place out = Place::outside;
    const auto test = [&](const ExactPoint& p) {
      const Place place = place_of(p);
      if (place == Place::unknown) out = Place::unknown;
      if (place == Place::inside) where = p.rounded;
      return place == Place::inside;
    };
    for (const Vec3& p : a_.part_points())
      if (test(frame_ * p)) return Place::inside;
    if (touched_.size() > kMostTouched) return Place::unknown;
    for (const auto& [i, points] : touched_) {
      std::vector<ExactPoint> all(of_a(i).corner.begin(), of_a(i).corner.end());
      all.insert(all.end(), points.begin(), points.end());
      if (all.size() > kMostPoints) return Place::unknown;
      // a cell holds the middle of three of its corners
      for (std::size_t k = 2; k < all.size(); ++k)
        for (std::size_t l = 1; l < k; ++l)
          for (std::size_t m = 0; m < l; ++m)
            if (test(centroid(all[k], all[l], all[m]))) return Place::inside;
    }
    return out;
  }

 private:
  bool all_sides(const ExactTriangle& t, const ExactPlane& plane, int side) {
    return std::all_of(t.corner.begin(), t.corner.end(),
                       [&](const ExactPoint& p) { return plane.side(p, doubts_) != -side; });
  }
  template <class Test>
  static bool all_of(const Surface& surface, const Test& test) {
    for (int i = 0; i < static_cast<int>(surface.count()); ++i)
      if (surface.piece(i).leaf() && !test(i)) return false;
    return true;
  }

  template <class Make>
  const ExactTriangle& made(std::map<int, ExactTriangle>& store, int i, const Make& place,
                            const Surface& surface) {
    const auto found = store.find(i);
    if (found != store.end()) return found->second;
    const Piece& p = surface.piece(i);
    return store
        .emplace(i,
                 ExactTriangle(place(p.corner[0]), place(p.corner[1]), place(p.corner[2]), doubts_))
        .first->second;
  }

  /// How a ray meets a triangle.
  enum class Cross { none, leaves, enters, on_side, on_point };
  Cross crossing(int i, const ExactPoint& p, const Vec3& along) {
    const ExactTriangle& t = of_b(i);
    if (t.plane.none()) return Cross::none;
    int positive = 0, negative = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const int sign = turn_about(p, along, t.corner[k], t.corner[(k + 1) % 3], doubts_);
      positive += sign > 0;
      negative += sign < 0;
    }
    if (positive && negative) return Cross::none;
    const int side = t.plane.side(p, doubts_);
    if (positive + negative == 0) return Cross::on_side;
    if (side == 0) return Cross::on_point;
    if (positive + negative < 3) return Cross::on_side;
    if ((side > 0) != (negative > 0)) return Cross::none;
    return negative > 0 ? Cross::enters : Cross::leaves;
  }

  Place place_of(const ExactPoint& p) {
    const double slack = kProductError * (b_.reach() + p.rounded.norm()) + p.error;
    if (p.rounded.norm() > b_.reach() + slack) return Place::outside;
    Random random(1);
    for (int k = 0; k < kRays; ++k) {
      const Ray ray(p.rounded, random);
      const Place place = place_by(p, ray, slack);
      if (place != Place::unknown) return place;
    }
    return Place::unknown;
  }

  /// By how often the surface winds about p; unknown where the ray meets a side.
  Place place_by(const ExactPoint& p, const Ray& ray, double slack) {
    int winding = 0;
    std::vector<int> stack{b_.root()};
    while (!stack.empty()) {
      const int i = stack.back();
      stack.pop_back();
      const Piece& piece = b_.piece(i);
      if (ray.misses(piece, slack)) continue;
      if (!piece.leaf()) {
        stack.push_back(piece.child + 1);
        stack.push_back(piece.child);
        continue;
      }
      const Cross here = crossing(i, p, ray.along);
      if (here == Cross::on_side) return Place::unknown;
      if (here == Cross::on_point) return Place::on;
      winding += (here == Cross::leaves) - (here == Cross::enters);
    }
    if (winding < 0) return Place::unknown;
    return winding > 0 ? Place::inside : Place::outside;
  }

  Surface& a_;
  Surface& b_;
  const ExactFrame& frame_;
  Doubts& doubts_;
  std::map<int, ExactTriangle> of_a_, of_b_;
  std::map<int, std::vector<ExactPoint>> touched_;
  std::vector<int> faces_;  // of a that lie on faces of b
};

/// Triangles that rounding does not tell apart; false where there are too many.
bool find_pairs(const PlacedBody& a, Surface& surface_a, const PlacedBody& b, Surface& surface_b,
                Pairs& out) {
  PairSearch search(surface_a, surface_b, relative_frame(a, b));
  out = search.pairs_within(0.0, 0.0, kPairBudget);
  return out.size() <= kMostPairs && std::all_of(out.begin(), out.end(), [&](const UnclearPair& u) {
           return surface_a.piece(u.a).leaf() && surface_b.piece(u.b).leaf();
         });
}

}  // namespace

bool has_exact_meeting(const Surface& a, const Surface& b) {
  return a.faces() == 0 && b.faces() == 0 && a.closed() && b.closed();
}

ExactMeeting exact_meeting(const PlacedBody& a, Surface& surface_a, const PlacedBody& b,
                           Surface& surface_b) {
  ExactMeeting out;
  Pairs pairs;
  if (!find_pairs(a, surface_a, b, surface_b, pairs)) return out;
  Doubts doubts;
  const ExactFrame a_in_b(b, a), b_in_a(a, b);
  OneSide a_against_b(surface_a, surface_b, a_in_b, doubts);
  OneSide b_against_a(surface_b, surface_a, b_in_a, doubts);
  bool overlap = false;
  for (const UnclearPair& u : pairs) {
    overlap = a_against_b.overlaps(u.a, u.b);
    if (doubts.any) return out;
    if (overlap) {
      out.kind = Kind::overlap;
      return out;
    }
  }
  if (a_against_b.parted_by_a_face() && !doubts.any) {
    out.kind = Kind::touching;
    return out;
  }
  if (a_against_b.touches())
    for (const UnclearPair& u : pairs) b_against_a.overlaps(u.b, u.a);
  Vec3 where = Vec3::Zero();
  const Place in_b = a_against_b.any_inside(where);
  if (in_b == Place::inside) where = relative_frame(a, b) * where;
  const Place in_a = in_b == Place::inside ? Place::outside : b_against_a.any_inside(where);
  if (doubts.any) return out;
  if (in_b == Place::inside || in_a == Place::inside) {
    out.kind = Kind::overlap;
    out.inside = {where};
  } else if (in_a != Place::unknown && in_b != Place::unknown) {
    out.kind = a_against_b.touches() ? Kind::touching : Kind::apart;
  }
  return out;
}

}  // namespace repose::check
