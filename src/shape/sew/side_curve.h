#pragma once

#include "repose/shape/solid.h"

namespace repose::shape {

/// A side of a patch, or a stretch of it, as a space curve over that side's parameter.
class SideCurve final : public Curve {
 public:
  SideCurve(PatchPtr patch, Side side, Interval range);

  Interval domain() const override { return range_; }
  CurveJet jet(double t) const override;
  CurveEnclosure enclose(Interval t) const override;
  bool closed() const override { return closed_; }

  Vec3 point(double t) const;
  /// Derivative towards the inside of the patch's parameter rectangle.
  Vec3 inward(double t) const;
  /// The same side of another patch over the same domain (the patch, moved).
  CurvePtr on(PatchPtr patch) const {
    return std::make_shared<SideCurve>(std::move(patch), side_, range_);
  }
  Vec2 uv(double t) const { return SideStretch{-1, side_, 0.0, 0.0}.uv(box_, t); }

 private:
  bool along_v() const { return side_ == Side::u_low || side_ == Side::u_high; }

  PatchPtr patch_;
  UvBox box_;
  Side side_;
  Interval range_;
  bool closed_;
};

/// Whole range of the side's parameter.
Interval side_range(const UvBox& domain, Side side);

/// The parameter in `range` whose point is nearest to `target`, found from even samples and then by
/// Newton and halving; *distance says how near.
double nearest_parameter(const SideCurve& curve, Interval range, const Vec3& target,
                         double* distance);

}  // namespace repose::shape
