#include "check/gap/thickness.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "repose/check/soft.h"

#include "check/gap/distance.h"
#include "check/gap/inside.h"
#include "check/gap/plane_body.h"
#include "check/gap/prepared.h"
#include "check/gap/triangle.h"

namespace repose::check {

namespace {

constexpr double kNearPiece = 2e-2;       // of size: pieces looked at where the bodies meet
constexpr int kNearBudget = 200'000;      // pair tests for it
constexpr double kEasy[] = {1e-3, 1e-6};  // of size: radii of the balls that are tried first
constexpr int kFitBudget = 3000;          // pair tests for one ball
constexpr double kFirstStep = 2.0;    // radii inward from the surface: where a ball is tried first
constexpr double kStepGrowth = 4.0;   // from there to the next
constexpr double kFarthest = 1024.0;  // radii: in a narrow wedge it fits far from the edge only

/// A place where a body comes near the other, body frame.
struct Place {
  Vec3 on_surface, outward, middle;  // middle: of its piece
};

Place place_on(const Surface& surface, int piece, const Vec3& towards) {
  const Piece& p = surface.piece(piece);
  const bool flat = p.kind == PieceKind::triangle;
  return {flat ? closest_on_triangle(towards, p.corner) : p.on_surface, surface.outward(piece),
          p.center};
}

/// A ball of the radius about q lies in the solid.
bool fits(Surface& solid, const Vec3& q, double radius) {
  Surface point(q);
  DistanceGoal goal;
  goal.width = radius;
  goal.enough = radius;
  goal.budget = kFitBudget;
  return PairSearch(point, solid, Frame{}).distance(goal).lower >= radius &&
         side_of(solid, q) == Side::inside;
}

/// Points further and further in, straight and towards the middle of the place's piece.
template <class Fits>
bool fits_near(const Place& at, double radius, const Fits& fits_at) {
  const Vec3 across = at.middle - at.on_surface;
  const Vec3 aside = across.norm() > 0.0 ? Vec3(across.normalized()) : Vec3(Vec3::Zero());
  for (double step = kFirstStep * radius; step <= kFarthest * radius; step *= kStepGrowth) {
    const Vec3 in = at.on_surface - step * at.outward;
    if (fits_at(in) || fits_at(Vec3(in + kFirstStep * step * aside))) return true;
  }
  return false;
}

/// The places of `item` within `reach` of the other body; nothing where too many pieces are near.
std::optional<std::vector<Place>> places_near(const PlacedBody& item, Surface& surface,
                                              const PlacedBody& other, double reach) {
  std::vector<Place> out;
  const double size = kNearPiece * pair_size(item, other);
  Surface* against = nullptr;
  std::shared_ptr<Surface> held;
  Frame frame = relative_frame(item, other);
  if (const auto* ball = std::get_if<shape::Ball>(&other.shape->geometry)) {
    held = std::make_shared<Surface>(Vec3(Vec3::Zero()));
    reach += ball->radius;
  } else if (std::holds_alternative<shape::HalfSpace>(other.shape->geometry)) {
    // a triangle under the body, large beside it
    const BoundingBall about = bounding_ball_world(item);
    const Frame ground = world_frame(other);
    const Vec3 below = ground.turn.transpose() * (about.center - ground.shift);
    const double w = kFarthest * about.radius;
    const Vec3 foot(below.x(), below.y(), 0.0);
    auto plate = std::make_shared<shape::Shape>();
    plate->geometry = shape::TriangleMesh{
        {foot + Vec3(-w, -w, 0), foot + Vec3(w, -w, 0), foot + Vec3(0, w, 0)}, {{0, 1, 2}}};
    held = std::make_shared<Surface>(*plate);
  } else {
    held = surface_of(other.shape);
  }
  against = held.get();
  if (!against) return std::nullopt;
  PairSearch search(surface, *against, frame);
  for (const UnclearPair& u : search.pairs_within(reach, size, kNearBudget)) {
    const Piece &p = surface.piece(u.a), &q = search.placed(u.b);
    if (p.kind == PieceKind::box || q.kind == PieceKind::box) return std::nullopt;
    const Vec3 towards =
        q.kind == PieceKind::triangle ? closest_on_triangle(p.center, q.corner) : q.on_surface;
    out.push_back(place_on(surface, u.a, towards));
  }
  return out;
}

/// Wherever the body comes within `reach` of the other a ball of the radius fits into it. A sheet
/// has no thickness to run through: what the other body has tells.
bool thick_where_met(const PlacedBody& item, const PlacedBody& other, double reach, double radius) {
  const auto surface = surface_of(item.shape);
  if (!surface) return false;
  if (!surface->closed()) return true;
  const auto places = places_near(item, *surface, other, reach);
  if (!places) return false;
  // most bodies are much thicker than that, and larger balls are told inside sooner
  std::vector<double> radii;
  for (const double share : kEasy)
    if (const double easy = share * pair_size(item, other); radius < easy) radii.push_back(easy);
  radii.push_back(radius);
  return std::all_of(places->begin(), places->end(), [&](const Place& at) {
    return std::any_of(radii.begin(), radii.end(), [&](double r) {
      return fits_near(at, r, [&](const Vec3& q) { return fits(*surface, q, r); });
    });
  });
}

/// The same of bodies of the plane.
bool thick_in_plane(const PlaneBody& body, const PlaneBody& other, double reach, double radius) {
  const double slack = kPlaneError * body.reach + body.error;
  const auto thick_at = [&](const PlaneBody::Side& s, const Vec2& p) {
    const Vec2 n = s.normal(), middle = 0.5 * (s.from + s.to);
    const Place at{Vec3(p.x(), p.y(), 0.0), Vec3(n.x(), n.y(), 0.0),
                   Vec3(middle.x(), middle.y(), 0.0)};
    return fits_near(at, radius,
                     [&](const Vec3& q) { return depth_in(body, q.head<2>()) <= -radius - slack; });
  };
  for (const auto& s : body.sides) {
    for (const auto& t : other.sides)
      for (const Vec2& end : {t.from, t.to, closest_on_side(t, s.from), closest_on_side(t, s.to)}) {
        const Vec2 p = closest_on_side(s, end);
        if ((p - end).norm() <= reach && !thick_at(s, p)) return false;
      }
    for (const auto& r : other.discs) {
      const Vec2 p = closest_on_side(s, r.center);
      if ((p - r.center).norm() <= reach + r.radius && !thick_at(s, p)) return false;
    }
  }
  return std::all_of(body.discs.begin(), body.discs.end(),
                     [&](const PlaneBody::PlacedDisc& r) { return r.radius >= radius; });
}

}  // namespace

std::optional<double> radius_by_formula(const PlacedBody& item) {
  const auto& geometry = item.shape->geometry;
  if (std::holds_alternative<shape::HalfSpace>(geometry))
    return std::numeric_limits<double>::infinity();
  if (const auto* ball = std::get_if<shape::Ball>(&geometry)) return ball->radius;
  if (const auto* set = std::get_if<shape::SphereSet>(&geometry))
    return set->radii.empty() ? 0.0 : *std::min_element(set->radii.begin(), set->radii.end());
  const auto made = prepared(item.shape);
  if (const ConvexBody* body = made->convex()) return body->inner_radius();
  if (const Swept* swept = made->swept()) return swept->exact ? swept->radius : 0.5 * swept->radius;
  return std::nullopt;
}

bool thick_near(const PlacedBody& item, const PlacedBody& other, double reach, double radius) {
  if (const auto by_formula = radius_by_formula(item)) return *by_formula >= radius;
  return thick_where_met(item, other, reach, radius);
}

double allowed_overlap(const PlacedBody& a, const PlacedBody& b, const GapBracket& g,
                       double tolerance, double share) {
  double allowed = tolerance * pair_size(a, b);
  // what does not overlap, or overlaps too deep anyway, need not be looked at
  if (!(g.lower < 0.0) || g.upper < -allowed) return allowed;
  const double depth = std::min(-g.lower, allowed), radius = depth / share;
  if (std::holds_alternative<shape::PlaneRegion>(a.shape->geometry) &&
      std::holds_alternative<shape::PlaneRegion>(b.shape->geometry)) {
    const Vec3 origin = bounding_ball_world(a).center;
    const PlaneBody of_a(a, origin), of_b(b, origin);
    const double reach = depth + of_a.error + of_b.error + kPlaneError * (of_a.reach + of_b.reach);
    const bool thick =
        thick_in_plane(of_a, of_b, reach, radius) && thick_in_plane(of_b, of_a, reach, radius);
    return thick ? allowed : 0.0;
  }
  for (const auto& [item, other] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    if (const auto by_formula = radius_by_formula(*item))
      allowed = std::min(allowed, share * *by_formula);
    // a ball that runs through a thin body is deep in it or has it deep within
    else if (!is_soft(*other) && !thick_where_met(*item, *other, depth, radius))
      allowed = 0.0;
  }
  return allowed;
}

}  // namespace repose::check
