#include "check/statics/blocking.h"

#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "repose/check/soft.h"
#include "repose/shape/form.h"

#include "check/exact/rounding.h"
#include "check/gap/inside.h"
#include "check/gap/plane_body.h"
#include "check/gap/prepared.h"
#include "check/statics/wrenches.h"

namespace repose::check {

namespace {

constexpr double kLoaded = 1e-9;     // of the largest contact force: carries load
constexpr double kAside = 1e-4;      // of size: how far from the contact one looks
constexpr int kHeadings = 16;        // all round
constexpr double kSameNormal = 0.9;  // cosine
/// How steeply one looks into a body, over the way aside: bodies leave their contact planes at
/// angles above the least of these.
constexpr double kSlopes[] = {1.0, 0.2, 0.04};

/// No edges and no corners: its normal is the only one.
bool is_smooth(const PlacedBody& body) {
  const auto& geometry = body.shape->geometry;
  if (std::holds_alternative<shape::Ball>(geometry) ||
      std::holds_alternative<shape::HalfSpace>(geometry))
    return true;
  const shape::Form form = shape::form_of(*body.shape);
  return !std::holds_alternative<std::monostate>(form.is) &&
         !std::holds_alternative<shape::FrustumForm>(form.is);
}

/// Tells whether points of the world lie in a body.
class Matter {
 public:
  explicit Matter(const PlacedBody& body) : frame_(world_frame(body)) {
    if (is_plane(body)) {
      origin_ = bounding_ball_world(body).center;
      plane_.emplace(body, origin_);
      return;
    }
    made_ = prepared(body.shape);
    known_ = made_->surface() && made_->surface()->closed();
  }
  /// A sheet has no inside to look into.
  bool known() const { return known_; }
  bool holds(const Vec3& point) const {
    if (plane_) return depth_in(*plane_, (point - origin_).head<2>()) < 0.0;
    const Vec3 p = frame_.turn.transpose() * (point - frame_.shift);
    if (const ConvexBody* convex = made_->convex()) {
      if (convex->depth(p, 0.0) > 0.0) return true;
      if (convex->faced() || convex->frustum()) return false;
    }
    return side_of(*made_->surface(), p) == Side::inside;
  }

 private:
  Frame frame_;
  Vec3 origin_ = Vec3::Zero();
  std::optional<PlaneBody> plane_;
  std::shared_ptr<Prepared> made_;
  bool known_ = true;
};

class Pair {
 public:
  Pair(const PlacedBody& a, const PlacedBody& b)
      : a_(a), b_(b), aside_(kAside * pair_size(a, b)), plane_(is_plane(a)) {}

  /// Matter of both stands on the two sides of the contact plane at one place of it, as near to the
  /// contact as one likes: b cannot move against the normal. `middle`: of all contacts of the pair
  /// along this normal.
  bool blocks(const ContactPoint& c, const Vec3& middle) const {
    if (!a_.known() || !b_.known()) return true;
    if (both_at(c, Vec3::Zero())) return true;
    const Vec3& n = c.normal_a_to_b;
    const Vec3 across = middle - c.point, flat = across - n * n.dot(across);
    if (flat.norm() > aside_ && both_at(c, flat.normalized())) return true;
    const std::vector<Vec3> headings = all_round(n);
    if (all_of(a_, c, headings, -1.0) || all_of(b_, c, headings, 1.0)) return true;
    for (const Vec3& heading : headings)
      if (both_at(c, heading)) return true;
    return false;
  }

 private:
  std::vector<Vec3> all_round(const Vec3& n) const {
    if (plane_) return {Vec3(-n.y(), n.x(), 0.0), Vec3(n.y(), -n.x(), 0.0)};
    Vec3 t1, t2;
    tangents(n, t1, t2);
    std::vector<Vec3> out;
    for (int k = 0; k < kHeadings; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kHeadings;
      out.push_back(std::cos(angle) * t1 + std::sin(angle) * t2);
    }
    return out;
  }
  static bool in_at(const Matter& body, const ContactPoint& c, const Vec3& place, double into) {
    return body.holds(place + into * c.normal_a_to_b);
  }
  bool both_at(const ContactPoint& c, const Vec3& heading) const {
    const Vec3 place = c.point + aside_ * heading;
    const auto any = [&](const Matter& body, double side) {
      for (const double slope : kSlopes)
        if (in_at(body, c, place, side * slope * aside_)) return true;
      return false;
    };
    return any(a_, -1.0) && any(b_, 1.0);
  }
  /// Within a face of the body: whatever touches it there stands before it.
  bool all_of(const Matter& body, const ContactPoint& c, const std::vector<Vec3>& headings,
              double side) const {
    for (const Vec3& heading : headings)
      if (!in_at(body, c, c.point + aside_ * heading, side * kSlopes[1] * aside_)) return false;
    return true;
  }

  Matter a_, b_;
  double aside_;
  bool plane_;
};

/// The middle of the contacts of one pair along one normal.
Vec3 middle_of(const std::vector<ContactPoint>& contacts, const std::vector<std::size_t>& of_pair,
               const Vec3& normal) {
  Vec3 sum = Vec3::Zero();
  int count = 0;
  for (const std::size_t c : of_pair) {
    if (contacts[c].normal_a_to_b.dot(normal) < kSameNormal) continue;
    sum += contacts[c].point;
    ++count;
  }
  return sum / std::max(1, count);
}

}  // namespace

std::vector<bool> that_may_let_go(const Input& input, const std::vector<ContactPoint>& contacts,
                                  const Balance& balance) {
  std::vector<bool> out(contacts.size(), false);
  double largest = 0.0;
  for (const Vec3& f : balance.forces_on_b) largest = std::max(largest, f.norm());
  std::map<std::array<int, 2>, std::vector<std::size_t>> pairs;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    pairs[{contacts[c].body_a, contacts[c].body_b}].push_back(c);
  for (const auto& [bodies, of_pair] : pairs) {
    const PlacedBody& a = input.bodies[static_cast<std::size_t>(bodies[0])];
    const PlacedBody& b = input.bodies[static_cast<std::size_t>(bodies[1])];
    if (is_soft(a) || is_soft(b) || is_smooth(a) || is_smooth(b)) continue;
    const Pair pair(a, b);
    for (const std::size_t c : of_pair)
      if (balance.forces_on_b[c].norm() > kLoaded * largest)
        out[c] = !pair.blocks(contacts[c], middle_of(contacts, of_pair, contacts[c].normal_a_to_b));
  }
  return out;
}

}  // namespace repose::check
