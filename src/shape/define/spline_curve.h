#pragma once

#include <utility>

#include "repose/math/spline.h"
#include "repose/shape/curve.h"

#include "shape/define/terms.h"

namespace repose::shape {

/// A cubic spline through points of space as a curve over the spline's own parameter.
class SplineCurve final : public Curve {
 public:
  SplineCurve(CubicSpline<3> spline, bool closed) : spline_(std::move(spline)), closed_(closed) {}
  Interval domain() const override { return {spline_.begin(), spline_.end()}; }
  CurveJet jet(double t) const override {
    const auto j = spline_.jet(t);
    return {vec3(j.f), vec3(j.d), vec3(j.dd)};
  }
  CurveEnclosure enclose(Interval t) const override {
    const auto e = spline_.enclose(t);
    return {e.f, e.d, e.dd};
  }
  bool closed() const override { return closed_; }

 private:
  CubicSpline<3> spline_;
  bool closed_;
};

}  // namespace repose::shape
