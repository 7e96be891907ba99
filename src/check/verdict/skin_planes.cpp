#include "check/verdict/skin_planes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "repose/prove/convex.h"
#include "repose/shape/form.h"
#include "repose/shape/tessellate.h"

#include "check/exact/rounding.h"
#include "check/gap/gjk_loop.h"

namespace repose::check {

namespace {

/// The sine and cosine behind an angle are off by a few units in the last place.
constexpr double kAngleError = 1e-14;
/// Operations that bring a point into a part's frame, each of which rounds.
constexpr double kOperations = 16.0;

const Vec3& farthest(const std::array<Vec3, 6>& hull, const Vec3& way) {
  std::size_t best = 0;
  for (std::size_t k = 1; k < hull.size(); ++k)
    if (way.dot(hull[k]) > way.dot(hull[best])) best = k;
  return hull[best];
}

/// The points of a tessellation, thick by how far the surface leaves them.
ConvexCover hull_of(const shape::PlacedPart& part) {
  constexpr double kChord = 5e-3;
  constexpr int kMostTriangles = 2000;
  ConvexCover out;
  shape::Tessellation surface =
      shape::tessellate(*part.shape, {.chord_fraction = kChord, .max_triangles = kMostTriangles});
  out.points = std::move(surface.points);
  const double reach = part.shape->bounding_center.norm() + part.shape->bounding_radius;
  out.skin = surface.chord_error + kSumError * reach;
  return out;
}

std::vector<ConvexCover> make_covers(const shape::ShapePtr& shape) {
  constexpr std::size_t kMostPoints = 20'000;
  std::vector<ConvexCover> out;
  // ground has no end; sets of points and regions of the plane have no surface
  const auto& kind = shape->geometry;
  if (std::holds_alternative<shape::HalfSpace>(kind) ||
      std::holds_alternative<shape::SphereSet>(kind) ||
      std::holds_alternative<shape::PointSet>(kind) ||
      std::holds_alternative<shape::PlaneRegion>(kind))
    return out;
  std::vector<shape::PlacedPart> all = shape::parts_of_union(*shape);
  if (all.empty()) all.push_back({shape, Pose(), 0.0});
  for (const shape::PlacedPart& part : all) {
    ConvexCover cover;
    if (auto convex = ConvexBody::of(part.shape))
      cover.body = std::move(convex);
    else
      cover = hull_of(part);
    if (!cover.body && (cover.points.empty() || cover.points.size() > kMostPoints)) return {};
    cover.body_from_part = part.pose;
    cover.error = part.error;
    out.push_back(std::move(cover));
  }
  return out;
}

/// From this thread's store where it is there.
std::shared_ptr<const std::vector<ConvexCover>> covers_of(const shape::ShapePtr& shape) {
  struct Known {
    std::weak_ptr<const shape::Shape> shape;
    std::shared_ptr<const std::vector<ConvexCover>> covers;
  };
  constexpr std::size_t kStored = 4096;
  thread_local std::map<const shape::Shape*, Known> store;
  Known& known = store[shape.get()];
  if (known.covers && !known.shape.expired()) return known.covers;
  if (store.size() > kStored)
    std::erase_if(store, [](const auto& entry) { return entry.second.shape.expired(); });
  auto made = std::make_shared<const std::vector<ConvexCover>>(make_covers(shape));
  store[shape.get()] = {shape, made};
  return made;
}

}  // namespace

ConvexParts::ConvexParts(const PlacedBody& from, const PlacedBody& to)
    : from_(from), to_(to), start_(from.center_world()), end_(to.center_world()) {
  const Quat &a = from.world_from_body.rotation, &b = to.world_from_body.rotation;
  if (a.coeffs() != b.coeffs()) turn_ = a.angularDistance(b) + kAngleError;
  if (from.points_world.empty()) parts_ = covers_of(from.shape);
}

double ConvexParts::length() const {
  const double reach =
      (from_.shape->bounding_center - from_.center_body).norm() + from_.shape->bounding_radius;
  return ((end_ - start_).norm() + turn_ * reach) * (1.0 + kSumError);
}

Pose ConvexParts::pose_at(double share) const {
  Pose out;
  out.rotation = from_.world_from_body.rotation.normalized().slerp(
      share, to_.world_from_body.rotation.normalized());
  out.position = (1.0 - share) * start_ + share * end_ - out.turn(from_.center_body);
  return out;
}

/// Seen from the solid the corners go straight up to how its turn bends their ways; their hull is
/// thick by that.
bool ConvexParts::are_apart(const FacetWay& facet, double low, double high, int halvings) const {
  const Pose at_low = pose_at(low).inverse(), at_high = pose_at(high).inverse();
  std::array<Vec3, 6> hull;
  double bend = 0.0, far = start_.norm() + end_.norm() + from_.center_body.norm();
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 &a = facet.from[k], &b = facet.to[k];
    const double apart = std::max((a - start_).norm(), (b - end_).norm());
    const double way = ((b - a) - (end_ - start_)).norm();
    const double part = high - low;
    bend = std::max(bend, part * part * (turn_ * turn_ * apart + 2.0 * turn_ * way) / 8.0);
    far = std::max(far, a.norm() + b.norm() + apart + start_.norm() + end_.norm());
    hull[k] = at_low * ((1.0 - low) * a + low * b);
    hull[k + 3] = at_high * ((1.0 - high) * a + high * b);
  }
  const double error = bend * (1.0 + kSumError) + kOperations * (kTurnError + kSumError) * far;
  const bool parted = std::all_of(parts_->begin(), parts_->end(), [&](const ConvexCover& part) {
    return are_parted(hull, error + part.error, part);
  });
  if (parted || halvings == 0) return parted;
  const double middle = 0.5 * (low + high);
  return are_apart(facet, low, middle, halvings - 1) &&
         are_apart(facet, middle, high, halvings - 1);
}

/// The plane is sought as the shortest way between the two; finding is not trusted.
bool ConvexParts::are_parted(const std::array<Vec3, 6>& hull, double error,
                             const ConvexCover& part) const {
  const Pose part_from_body = part.body_from_part.inverse();
  std::array<Vec3, 6> seen;
  double far = 0.0;
  for (std::size_t k = 0; k < hull.size(); ++k) {
    seen[k] = part_from_body * hull[k];
    far = std::max(far, hull[k].norm() + seen[k].norm());
  }
  error += kOperations * (kTurnError + kSumError) * far;
  const prove::Convex triangle{prove::Hull{seen}, error, 0.0};
  const prove::Convex other =
      part.body ? part.body->proven() : prove::Convex{prove::Hull{part.points}, part.skin, 0.0};
  const auto core = [&](const Vec3& d) -> Vec3 {
    if (part.body) return part.body->farthest(d);
    return *std::max_element(part.points.begin(), part.points.end(),
                             [&](const Vec3& p, const Vec3& q) { return d.dot(p) < d.dot(q); });
  };
  const double thick = part.body ? part.body->skin() + part.body->error() : part.skin;
  const double enough = (1.0 + kSumError) * (thick + 2.0 * error);
  Vec3 start = core(Vec3::UnitX()) - (seen[0] + seen[1] + seen[2]) / 3.0;
  if (!(start.squaredNorm() > 0.0)) start = Vec3::UnitZ();
  const CoreDistance c =
      gjk([&](const Vec3& d) -> Vec3 { return farthest(seen, d); },
          [&](const Vec3& d) -> Vec3 { return core(-d); }, start, 0.0, enough, error);
  return !c.meet && prove::apart_along(triangle, Pose(), other, Pose(), c.direction) >= 0.0;
}

}  // namespace repose::check
