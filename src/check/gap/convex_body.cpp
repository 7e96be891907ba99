#include "check/gap/convex_body.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "check/exact/rounding.h"
#include "check/gap/convex_mesh.h"

namespace repose::check {

namespace {

using shape::CapsuleForm;
using shape::EllipsoidForm;
using shape::FrustumForm;
using shape::SuperellipsoidForm;

/// A support point's coordinates come from at most a dozen operations and powers with exponents
/// below one, each off by an ulp or two.
constexpr double kPointError = 64.0 * kUlp;
/// Keeps the rolling ball's radius below the true one by more than its rounding.
constexpr double kSkinShare = 1.0 - 1e-9;
/// Directions nearer to parallel than this (sine) are one.
constexpr double kParallel = 1e-9;

template <class Real>
using Vec = Eigen::Matrix<Real, 3, 1>;

/// x^e for 0 <= x with 0^e = 0.
template <class Real>
Real power(Real x, Real e) {
  return x > 0.0 ? std::pow(x, e) : Real(0.0);
}

template <class Real>
Vec<Real> on_ellipsoid(const EllipsoidForm& f, const Vec<Real>& d) {
  const Vec<Real> axes = f.semi_axes.cast<Real>(), scaled = axes.cwiseProduct(d);
  return axes.cwiseProduct(scaled / scaled.norm());
}

/// The gradient of the support function, which is the dual norm ((|ax|^p' + |by|^p')^(q'/p') +
/// |cz|^q')^(1/q') with 1/p + 1/p' = 1/q + 1/q' = 1.
template <class Real>
Vec<Real> on_superellipsoid(const SuperellipsoidForm& f, const Vec<Real>& d) {
  const Real p = Real(f.p) / (Real(f.p) - 1.0), q = Real(f.q) / (Real(f.q) - 1.0);
  const Vec<Real> y = f.semi_axes.cast<Real>().cwiseProduct(d).cwiseAbs();
  const Real largest = y.maxCoeff();
  const Real x0 = y.x() / largest, y0 = y.y() / largest, z0 = y.z() / largest;
  const Real s = power<Real>(power<Real>(x0, p) + power<Real>(y0, p), 1.0 / p);
  const Real n = power<Real>(power<Real>(s, q) + power<Real>(z0, q), 1.0 / q);
  const Real waist = power<Real>(s / n, q - 1.0);
  Vec<Real> out(s > 0.0 ? Real(waist * power<Real>(x0 / s, p - 1.0)) : Real(0.0),
                s > 0.0 ? Real(waist * power<Real>(y0 / s, p - 1.0)) : Real(0.0),
                power<Real>(z0 / n, q - 1.0));
  for (int k = 0; k < 3; ++k) out[k] *= std::copysign(Real(f.semi_axes[k]), d[k]);
  return out;
}

/// The norm whose unit ball the body is.
template <class Real>
Real norm_of(const SuperellipsoidForm& f, const Vec<Real>& x) {
  const Vec<Real> y = x.cwiseQuotient(f.semi_axes.cast<Real>()).cwiseAbs();
  const Real largest = y.maxCoeff();  // powers of the rest neither over- nor underflow
  if (!(largest > 0.0)) return largest;
  const Real p = f.p, q = f.q;
  const Real waist =
      power<Real>(power<Real>(y.x() / largest, p) + power<Real>(y.y() / largest, p), Real(1.0) / p);
  return largest *
         power<Real>(power<Real>(waist, q) + power<Real>(y.z() / largest, q), Real(1.0) / q);
}

template <class Real>
Vec<Real> on_frustum(const FrustumForm& f, const Vec<Real>& d) {
  const Real across = std::hypot(d.x(), d.y());
  const bool first = f.r0 * across + f.z0 * d.z() >= f.r1 * across + f.z1 * d.z();
  const Real r = first ? f.r0 : f.r1, z = first ? f.z0 : f.z1;
  if (!(across > 0.0)) return {r, Real(0.0), z};
  return {r * (d.x() / across), r * (d.y() / across), z};
}

template <class Real>
Vec<Real> farthest_corner(const FacedCore& f, const Vec<Real>& d) {
  const Vec3* best = f.points.data();
  Real most = d.dot(best->cast<Real>());
  for (const Vec3& p : f.points) {
    const Real at = d.dot(p.cast<Real>());
    if (at > most) {
      most = at;
      best = &p;
    }
  }
  return best->cast<Real>();
}

/// In the half plane (distance from the axis, height): least distance to base, top and side.
template <class Real>
Real frustum_depth(const FrustumForm& f, const Vec<Real>& p) {
  const Real low = std::min(f.z0, f.z1), high = std::max(f.z0, f.z1);
  const Real across = std::hypot(p.x(), p.y());
  const Real dr = Real(f.r1) - f.r0, dz = Real(f.z1) - f.z0, length = std::hypot(dr, dz);
  // the outward normal of the side is (|dz|, -dr sign(dz)) / length
  const Real side =
      ((f.r0 - across) * std::abs(dz) + std::copysign(dr, dr * dz) * (p.z() - f.z0)) / length;
  return std::min({Real(p.z() - low), Real(high - p.z()), side});
}

void add_edge(FacedCore& out, const Vec3& along) {
  const double length = along.norm();
  if (!(length > 0.0)) return;
  const Vec3 unit = along / length;
  for (const Vec3& e : out.edges)
    if (e.cross(unit).norm() <= kParallel) return;
  out.edges.push_back(unit);
}

Vec3 polygon_normal(const std::vector<Vec3>& points, const std::vector<int>& corners) {
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = points[static_cast<std::size_t>(corners[0])];
  for (std::size_t k = 2; k < corners.size(); ++k)
    sum += (points[static_cast<std::size_t>(corners[k - 1])] - origin)
               .cross(points[static_cast<std::size_t>(corners[k])] - origin);
  return sum.normalized();
}

}  // namespace

template <class Real>
Vec<Real> ConvexBody::farthest_of(const Vec<Real>& d) const {
  struct Visit {
    const Vec<Real>& d;
    double skin;
    /// The rolling ball taken off.
    Vec<Real> shrunk(const Vec<Real>& p) const { return p - d * (skin / d.norm()); }
    Vec<Real> operator()(const Point&) const { return Vec<Real>::Zero(); }
    Vec<Real> operator()(const FacedCore& f) const { return farthest_corner<Real>(f, d); }
    Vec<Real> operator()(const FrustumForm& f) const { return on_frustum<Real>(f, d); }
    Vec<Real> operator()(const CapsuleForm& f) const {
      return {Real(0.0), Real(0.0), Real((f.z1 > f.z0) == (d.z() > 0.0) ? f.z1 : f.z0)};
    }
    Vec<Real> operator()(const EllipsoidForm& f) const { return shrunk(on_ellipsoid<Real>(f, d)); }
    Vec<Real> operator()(const SuperellipsoidForm& f) const {
      return shrunk(on_superellipsoid<Real>(f, d));
    }
  };
  return std::visit(Visit{d, skin_}, core_);
}
template Vec<double> ConvexBody::farthest_of(const Vec<double>& d) const;
template Vec<long double> ConvexBody::farthest_of(const Vec<long double>& d) const;

template <class Real>
Real ConvexBody::depth_of(const Vec<Real>& p, Real error) const {
  const Real known = kFiner<Real> < Real(1.0) ? error_in(kFiner<Real>) + bulge_ : Real(error_);
  const Real slack = error + known + kFiner<Real> * kSumError * (p.norm() + reach_);
  if (const auto* f = std::get_if<FacedCore>(&core_)) {
    Real least = std::numeric_limits<Real>::infinity();
    for (const FacedCore::Face& face : f->faces)
      least = std::min(least, Real(face.offset) - face.normal.cast<Real>().dot(p));
    return least - slack;
  }
  if (const auto* f = std::get_if<FrustumForm>(&core_)) return frustum_depth<Real>(*f, p) - slack;
  if (const auto* f = std::get_if<CapsuleForm>(&core_)) {
    const Real z = std::clamp<Real>(p.z(), std::min(f->z0, f->z1), std::max(f->z0, f->z1));
    return skin_ - (p - Vec<Real>(0.0, 0.0, z)).norm() - slack;
  }
  if (std::holds_alternative<Point>(core_)) return skin_ - p.norm() - slack;
  if (const auto* f = std::get_if<EllipsoidForm>(&core_))
    return f->semi_axes.minCoeff() *
               (Real(1.0) - p.cwiseQuotient(f->semi_axes.cast<Real>()).norm()) -
           slack;
  // with powers of 2 or more it holds the ellipsoid of its half axes, and so the ball in that: a
  // step of a length d changes the norm by d over the ball's radius at most
  if (const auto* f = std::get_if<SuperellipsoidForm>(&core_))
    return f->semi_axes.minCoeff() * (Real(1.0) - norm_of<Real>(*f, p)) - slack;
  return 0.0;
}
template double ConvexBody::depth_of(const Vec<double>& p, double error) const;
template long double ConvexBody::depth_of(const Vec<long double>& p, long double error) const;

prove::Convex ConvexBody::proven() const {
  struct Visit {
    double skin;
    prove::Convex operator()(const Point&) const { return {prove::Segment{}, skin}; }
    prove::Convex operator()(const CapsuleForm& f) const {
      return {prove::Segment{f.z0, f.z1}, skin};
    }
    prove::Convex operator()(const FacedCore& f) const { return {prove::Hull{f.points}}; }
    // round bodies whole: no rolling ball is taken off
    prove::Convex operator()(const FrustumForm& f) const { return {f}; }
    prove::Convex operator()(const EllipsoidForm& f) const { return {f}; }
    prove::Convex operator()(const SuperellipsoidForm& f) const { return {f}; }
  };
  prove::Convex out = std::visit(Visit{skin_}, core_);
  out.error = form_error_;
  return out;
}

double ConvexBody::inner_radius() const {
  return std::max(0.0, depth(center_, 0.0));
}

std::shared_ptr<const ConvexBody> ConvexBody::eroded(double depth) const {
  const auto* f = std::get_if<FrustumForm>(&core_);
  if (!f) return nullptr;
  // ends move in along the axis, the side along its normal: its radii shrink by depth / cosine
  const double dr = f->r1 - f->r0, dz = f->z1 - f->z0, up = std::copysign(1.0, dz);
  const double slope = dr / dz, inward = depth * std::hypot(dr, dz) / std::fabs(dz);
  const auto radius = [&](double z) { return f->r0 + slope * (z - f->z0) - inward; };
  FrustumForm in{0.0, 0.0, f->z0 + up * depth, f->z1 - up * depth};
  in.r0 = radius(in.z0);
  in.r1 = radius(in.z1);
  if ((in.r0 <= 0.0 && in.r1 <= 0.0) || (in.z1 - in.z0) * up <= 0.0) return nullptr;
  // beyond its new tip the side is nothing
  const double tip = f->z0 - (f->r0 - inward) / slope;
  if (in.r0 < 0.0) in.z0 = tip;
  if (in.r1 < 0.0) in.z1 = tip;
  in.r0 = std::max(in.r0, 0.0);
  in.r1 = std::max(in.r1, 0.0);
  ConvexBody out{in};
  out.center_.z() = 0.5 * (in.z0 + in.z1);
  out.reach_ = reach_;
  // a tip's place is as uncertain as its side, times the slope
  const double steep = std::fabs(slope) > 0.0 ? 1.0 / std::fabs(slope) : 0.0;
  out.error_ = error_ + kPointError * reach_ * (1.0 + steep);
  out.form_error_ = out.error_;
  return std::make_shared<const ConvexBody>(std::move(out));
}

std::vector<Vec3> ConvexBody::outermost(const Vec3& d) const {
  constexpr double kAligned = 1.0 - 1e-12;  // cosine
  constexpr double kLevel = 1e-9;           // of reach: as far out as the farthest
  constexpr int kRimPoints = 24;
  const double level = d.dot(farthest(d)) - kLevel * reach_;
  std::vector<Vec3> out;
  if (const auto* f = std::get_if<FacedCore>(&core_)) {
    for (const FacedCore::Face& face : f->faces) {
      if (face.normal.dot(d) < kAligned) continue;
      for (const int c : face.corners) out.push_back(f->points[static_cast<std::size_t>(c)]);
      return out;
    }
    for (const Vec3& p : f->points)
      if (d.dot(p) >= level && out.size() < 2) out.push_back(p);
  } else if (const auto* t = std::get_if<FrustumForm>(&core_)) {
    const double across = std::hypot(d.x(), d.y());
    if (std::fabs(d.z()) >= kAligned) {
      const bool first = (t->z0 > t->z1) == (d.z() > 0.0);
      const double r = first ? t->r0 : t->r1, z = first ? t->z0 : t->z1;
      for (int k = 0; k < kRimPoints; ++k) {
        const double turn = 2.0 * std::numbers::pi * k / kRimPoints;
        out.emplace_back(r * std::cos(turn), r * std::sin(turn), z);
      }
      return out;
    }
    for (const auto& [r, z] : {std::pair(t->r0, t->z0), std::pair(t->r1, t->z1)})
      if (r * across + z * d.z() >= level)
        out.emplace_back(r * d.x() / across, r * d.y() / across, z);
  }
  return out;
}

std::vector<Vec3> ConvexBody::flat_normals() const {
  std::vector<Vec3> out;
  if (const auto* f = std::get_if<FacedCore>(&core_))
    for (const FacedCore::Face& face : f->faces) out.push_back(face.normal);
  if (std::holds_alternative<FrustumForm>(core_)) out = {Vec3::UnitZ(), -Vec3::UnitZ()};
  return out;
}

ConvexBody ConvexBody::faced_body(const shape::ConvexPolyhedron& body) {
  FacedCore core;
  core.points = body.points;
  ConvexBody out{Point{}};
  for (const Vec3& p : core.points) {
    out.reach_ = std::max(out.reach_, p.norm());
    out.center_ += p / static_cast<double>(core.points.size());
  }
  for (const auto& corners : body.faces) {
    FacedCore::Face face;
    face.normal = polygon_normal(core.points, corners);
    const Vec<long double> normal = face.normal.cast<long double>();
    face.offset = normal.dot(farthest_corner<long double>(core, normal));
    face.corners = corners;
    for (const int c : corners)
      // a face out of plane: depths to its plane are off by as much
      out.bulge_ =
          std::max(out.bulge_,
                   static_cast<double>(
                       face.offset -
                       normal.dot(core.points[static_cast<std::size_t>(c)].cast<long double>())));
    core.faces.push_back(face);
    for (std::size_t k = 0; k < corners.size(); ++k)
      add_edge(core, core.points[static_cast<std::size_t>(corners[(k + 1) % corners.size()])] -
                         core.points[static_cast<std::size_t>(corners[k])]);
  }
  out.rounding_error_ = kPointError * out.reach_;
  out.error_ = out.bulge_ + out.rounding_error_;
  out.core_ = std::move(core);
  return out;
}

void ConvexBody::set_form(const shape::Form& form) {
  if (const auto* f = std::get_if<EllipsoidForm>(&form.is)) {
    core_ = *f;
    reach_ = f->semi_axes.maxCoeff();
    const double least = f->semi_axes.minCoeff();
    skin_ = kSkinShare * least * least / reach_;
  } else if (const auto* s = std::get_if<SuperellipsoidForm>(&form.is)) {
    // half the squared dual norm is strongly convex, by (p' - 1)(q' - 1) = 1 / ((p-1)(q-1)) in the
    // axes' scale; over the largest support that bounds the curvature radius from below
    core_ = *s;
    reach_ = s->semi_axes.norm();
    const double least = s->semi_axes.minCoeff();
    skin_ = kSkinShare * least * least / (reach_ * (s->p - 1.0) * (s->q - 1.0));
  } else if (const auto* c = std::get_if<CapsuleForm>(&form.is)) {
    core_ = *c;
    skin_ = c->radius;
    center_.z() = 0.5 * (c->z0 + c->z1);
    reach_ = c->radius + std::max(std::fabs(c->z0), std::fabs(c->z1));
  } else if (const auto* t = std::get_if<FrustumForm>(&form.is)) {
    core_ = *t;
    center_.z() = 0.5 * (t->z0 + t->z1);
    reach_ = std::max(std::hypot(t->r0, t->z0), std::hypot(t->r1, t->z1));
  }
  form_error_ = form.error;
  rounding_error_ = kPointError * reach_;
  error_ = form_error_ + rounding_error_;
}

std::shared_ptr<const ConvexBody> ConvexBody::of(const shape::ShapePtr& shape) {
  if (const auto* ball = std::get_if<shape::Ball>(&shape->geometry)) {
    ConvexBody out{Point{}};
    out.skin_ = out.reach_ = ball->radius;
    return std::make_shared<const ConvexBody>(std::move(out));
  }
  if (const auto faced = shape::convex_of(shape))
    return std::make_shared<const ConvexBody>(faced_body(*faced));
  if (const auto* mesh = std::get_if<shape::TriangleMesh>(&shape->geometry)) {
    const auto body = convex_mesh(*mesh);
    return body ? std::make_shared<const ConvexBody>(faced_body(*body)) : nullptr;
  }
  return of(shape::form_of(*shape));
}

std::shared_ptr<const ConvexBody> ConvexBody::of(const shape::Form& form) {
  ConvexBody out{Point{}};
  out.set_form(form);
  if (std::holds_alternative<Point>(out.core_)) return nullptr;
  return std::make_shared<const ConvexBody>(std::move(out));
}

}  // namespace repose::check
