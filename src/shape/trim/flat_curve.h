#pragma once

#include <memory>
#include <vector>

#include "repose/base/result.h"
#include "repose/math/interval.h"
#include "repose/shape/trim.h"

#include "shape/trim/flat_spline.h"

namespace repose::shape {

/// A stretch of a trimming curve, run over s in [0, 1] and twice continuously differentiable there.
class FlatCurve {
 public:
  static FlatCurve line(const Vec2& from, const Vec2& to);

  FlatJet<double> at(double s) const;
  FlatJet<Interval> at(Interval s) const;
  Vec2 point(double s) const;
  Vec2 tangent(double s) const;
  Vec2 begin() const { return point(0.0); }
  Vec2 end() const { return point(1.0); }
  bool straight() const { return kind_ == Kind::line; }

  /// A spline of more than one polynomial.
  bool pieced() const { return kind_ == Kind::spline && run_.first != run_.last; }

  /// The part from s0 to s1; backwards where s1 < s0.
  FlatCurve part(double s0, double s1) const;
  FlatCurve reversed() const { return part(1.0, 0.0); }

 private:
  friend Result<std::vector<FlatCurve>> smooth_pieces(const TrimCurve& curve);
  enum class Kind { line, arc, spline };

  template <class T>
  FlatJet<T> jet(T s) const;

  Kind kind_ = Kind::line;
  Vec2 a_ = Vec2::Zero(), b_ = Vec2::Zero(), c_ = Vec2::Zero();  // ends; or centre, a, b
  double t0_ = 0.0, t1_ = 1.0;
  std::shared_ptr<const FlatSpline> spline_;
  FlatSpline::Run run_;
};

/// The curve in stretches that are smooth: cut where a spline is less than twice continuously
/// differentiable. An error's pointer is the field of the curve.
Result<std::vector<FlatCurve>> smooth_pieces(const TrimCurve& curve);

}  // namespace repose::shape
