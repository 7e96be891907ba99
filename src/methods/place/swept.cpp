#include "swept.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/shape/curves.h"
#include "repose/shape/form.h"

namespace repose::place {
namespace {

/// Rounding of an arc's own numbers, over its largest coordinate.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

}  // namespace

Swept::Swept(shape::CurvePtr spine, double radius) : spine_(std::move(spine)), radius_(radius) {
  const Interval t = spine_->domain();
  arcs_.push_back(arc_over(t.lo, t.hi));
}

Arc Swept::arc_over(double t0, double t1) const {
  Arc out;
  out.t0 = t0;
  out.t1 = t1;
  const double half = 0.5 * (t1 - t0);
  const shape::CurveJet jet = spine_->jet(t0 + half);
  const IVec3 second = spine_->enclose(Interval(t0, t1)).ctt;
  out.middle = jet.c;
  out.along = half * jet.ct;
  const double scale = 0.5 * half * half;
  for (int i = 0; i < 3; ++i) {
    const Interval& w = second[static_cast<std::size_t>(i)];
    out.bend[i] = scale * w.mid();
    out.rad[i] = 0.5 * scale * w.width() + kRounding * jet.c.norm();
  }
  return out;
}

int Swept::split(int i) {
  if (arc(i).kids < 0) {
    const double t0 = arc(i).t0, t1 = arc(i).t1, middle = t0 + 0.5 * (t1 - t0);
    arcs_[static_cast<std::size_t>(i)].kids = static_cast<int>(arcs_.size());
    arcs_.push_back(arc_over(t0, middle));
    arcs_.push_back(arc_over(middle, t1));
  }
  return arc(i).kids;
}

Turned::Nearest Turned::nearest(const Vec2& at) const {
  Nearest out;
  double beyond = -std::numeric_limits<double>::infinity();  // a side's line
  double least = std::numeric_limits<double>::infinity();
  Vec2 way = Vec2::Zero();
  for (std::size_t i = 0; i + 1 < corners.size(); ++i) {
    const Vec2 side = corners[i + 1] - corners[i], from = at - corners[i];
    const double length = side.norm();
    // z grows along the outline, so outward is to its right
    if (length > 0.0 && (side.y() * from.x() - side.x() * from.y()) / length > beyond) {
      beyond = (side.y() * from.x() - side.x() * from.y()) / length;
      out.direction = Vec2(side.y(), -side.x()) / length;
    }
    const double share =
        length > 0.0 ? std::clamp(from.dot(side) / (length * length), 0.0, 1.0) : 0.0;
    const Vec2 here = from - share * side;
    if (here.squaredNorm() < least) {
      least = here.squaredNorm();
      way = here;
    }
  }
  const bool hollow = corners.size() < 3;  // a segment of the axis has no inside
  if ((hollow || beyond > 0.0) && least > 0.0 && way.x() >= 0.0) out.direction = way.normalized();
  // so that the distance holds whatever rounding has made of the direction
  double support = -std::numeric_limits<double>::infinity();
  for (const Vec2& corner : corners) support = std::max(support, out.direction.dot(corner));
  out.distance = out.direction.dot(at) - support;
  return out;
}

std::optional<Swept> swept_of(const shape::Shape& shape) {
  const shape::Form form = shape::form_of(shape);
  if (const auto* torus = std::get_if<shape::TorusForm>(&form.is))
    return Swept(shape::circle_curve(torus->ring, 0.0), torus->tube + form.error);
  if (const auto* capsule = std::get_if<shape::CapsuleForm>(&form.is))
    return Swept(shape::segment_curve(Vec3(0.0, 0.0, capsule->z0), Vec3(0.0, 0.0, capsule->z1)),
                 capsule->radius + form.error);
  if (const auto* tube = std::get_if<shape::TubeForm>(&form.is))
    return Swept(tube->spine, tube->radius + form.error);
  return std::nullopt;
}

std::optional<Turned> turned_of(const shape::Shape& shape) {
  if (const auto* ball = std::get_if<shape::Ball>(&shape.geometry))
    return Turned{{Vec2::Zero(), Vec2::Zero()}, ball->radius};
  const shape::Form form = shape::form_of(shape);
  if (const auto* capsule = std::get_if<shape::CapsuleForm>(&form.is))
    return Turned{{Vec2(0.0, capsule->z0), Vec2(0.0, capsule->z1)}, capsule->radius + form.error};
  const auto* frustum = std::get_if<shape::FrustumForm>(&form.is);
  if (frustum == nullptr) return std::nullopt;
  Turned out{{Vec2(0.0, frustum->z0), Vec2(frustum->r0, frustum->z0),
              Vec2(frustum->r1, frustum->z1), Vec2(0.0, frustum->z1)},
             form.error};
  if (frustum->z0 > frustum->z1) std::reverse(out.corners.begin(), out.corners.end());
  return out;
}

}  // namespace repose::place
