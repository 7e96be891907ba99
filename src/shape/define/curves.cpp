#include "repose/shape/curves.h"

#include <numbers>

#include <fmt/format.h>

#include "repose/base/check.h"
#include "repose/math/spline.h"

#include "shape/define/spline_curve.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;
using Array3 = std::array<double, 3>;

Array3 array3(const Vec3& v) {
  return {v[0], v[1], v[2]};
}

/// base + x(t) a + y(t) b for scalar functions given with their derivatives.
IVec3 combined(const Array3& base, Interval x, const Array3& a, Interval y, const Array3& b) {
  IVec3 out;
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = Interval(base[k]) + x * Interval(a[k]) + y * Interval(b[k]);
  return out;
}

class Segment final : public Curve {
 public:
  Segment(const Vec3& a, const Vec3& b) : a_(a), edge_(b - a) {}
  Interval domain() const override { return {0.0, 1.0}; }
  CurveJet jet(double t) const override { return {a_ + t * edge_, edge_, Vec3::Zero()}; }
  CurveEnclosure enclose(Interval t) const override {
    const Array3 zero{}, edge = array3(edge_);
    return {combined(array3(a_), t, edge, 0.0, zero), combined(zero, 1.0, edge, 0.0, zero),
            IVec3{}};
  }

 private:
  Vec3 a_, edge_;
};

class Arc final : public Curve {
 public:
  Arc(const Vec3& center, const Vec3& x, const Vec3& y, Interval domain)
      : center_(center), x_(x), y_(y), domain_(domain) {}
  Interval domain() const override { return domain_; }
  CurveJet jet(double t) const override {
    const double c = std::cos(t), s = std::sin(t);
    const Vec3 offset = c * x_ + s * y_;
    return {center_ + offset, c * y_ - s * x_, -offset};
  }
  CurveEnclosure enclose(Interval t) const override {
    const Array3 zero{}, x = array3(x_), y = array3(y_);
    const Interval c = cos(t), s = sin(t);
    return {combined(array3(center_), c, x, s, y), combined(zero, -s, x, c, y),
            combined(zero, -c, x, -s, y)};
  }
  bool closed() const override { return domain_.width() == 2.0 * kPi; }

 private:
  Vec3 center_, x_, y_;
  Interval domain_;
};

class LineOfPatch final : public Curve {
 public:
  LineOfPatch(PatchPtr patch, PatchLine line, double at)
      : patch_(std::move(patch)), along_u_(line == PatchLine::v_fixed), at_(at) {}
  Interval domain() const override {
    const UvBox box = patch_->domain();
    return along_u_ ? Interval(box.u0, box.u1) : Interval(box.v0, box.v1);
  }
  CurveJet jet(double t) const override {
    const PatchJet j = along_u_ ? patch_->jet(t, at_) : patch_->jet(at_, t);
    return along_u_ ? CurveJet{j.s, j.su, j.suu} : CurveJet{j.s, j.sv, j.svv};
  }
  CurveEnclosure enclose(Interval t) const override {
    const PatchEnclosure e = along_u_ ? patch_->enclose({t.lo, t.hi, at_, at_})
                                      : patch_->enclose({at_, at_, t.lo, t.hi});
    return along_u_ ? CurveEnclosure{e.s, e.su, e.suu} : CurveEnclosure{e.s, e.sv, e.svv};
  }
  bool closed() const override { return along_u_ ? patch_->closed_u() : patch_->closed_v(); }

 private:
  PatchPtr patch_;
  bool along_u_;
  double at_;
};

class PlacedCurve final : public Curve {
 public:
  PlacedCurve(CurvePtr inner, const Pose& pose)
      : inner_(std::move(inner)),
        rotation_(pose.rotation.toRotationMatrix()),
        shift_(pose.position) {}
  Interval domain() const override { return inner_->domain(); }
  CurveJet jet(double t) const override {
    const CurveJet j = inner_->jet(t);
    return {rotation_ * j.c + shift_, rotation_ * j.ct, rotation_ * j.ctt};
  }
  CurveEnclosure enclose(Interval t) const override {
    const CurveEnclosure e = inner_->enclose(t);
    return {image(e.c, shift_), image(e.ct, Vec3::Zero()), image(e.ctt, Vec3::Zero())};
  }
  bool closed() const override { return inner_->closed(); }

 private:
  IVec3 image(const IVec3& a, const Vec3& shift) const {
    IVec3 out;
    for (int k = 0; k < 3; ++k)
      out[static_cast<std::size_t>(k)] = Interval(rotation_(k, 0)) * a[0] +
                                         Interval(rotation_(k, 1)) * a[1] +
                                         Interval(rotation_(k, 2)) * a[2] + Interval(shift[k]);
    return out;
  }

  CurvePtr inner_;
  Mat3 rotation_;
  Vec3 shift_;
};

}  // namespace

CurvePtr segment_curve(const Vec3& a, const Vec3& b) {
  return std::make_shared<Segment>(a, b);
}

CurvePtr arc_curve(const Vec3& center, const Vec3& radius_x, const Vec3& radius_y, double t0,
                   double t1) {
  REPOSE_CHECK(t0 < t1);
  return std::make_shared<Arc>(center, radius_x, radius_y, Interval(t0, t1));
}

CurvePtr circle_curve(double radius, double z) {
  return arc_curve(Vec3(0.0, 0.0, z), radius * Vec3::UnitX(), radius * Vec3::UnitY(), -kPi, kPi);
}

Result<CurvePtr> spline_curve(const std::vector<Vec3>& points, bool closed) {
  const std::size_t least = closed ? 3 : 2;
  if (points.size() < least)
    return fault("/points", fmt::format("{} points", points.size()), "too few points",
                 fmt::format("at least {}", least));
  std::vector<Array3> through;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (auto error = check_point("/points", points[i])) return *error;
    if (points[i] == points[(i + 1) % points.size()])
      return fault(fmt::format("/points/{}", i), "", "repeats its neighbour", "distinct points");
    through.push_back(array3(points[i]));
  }
  if (closed) through.push_back(through.front());
  const auto knots = chord_knots<3>(through);
  auto spline = closed ? CubicSpline<3>::through_closed(knots, through)
                       : CubicSpline<3>::through(knots, through);
  return CurvePtr(std::make_shared<SplineCurve>(std::move(spline), closed));
}

CurvePtr patch_line(PatchPtr patch, PatchLine line, double at) {
  return std::make_shared<LineOfPatch>(std::move(patch), line, at);
}

CurvePtr placed(CurvePtr curve, const Pose& pose) {
  return std::make_shared<PlacedCurve>(std::move(curve), pose);
}

}  // namespace repose::shape
