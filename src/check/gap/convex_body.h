#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "repose/prove/convex.h"
#include "repose/shape/form.h"
#include "repose/shape/shape.h"

namespace repose::check {

/// A convex body with plane faces, prepared for separating planes and clipping.
struct FacedCore {
  struct Face {
    Vec3 normal;               // unit to rounding, outward
    long double offset;        // largest normal.x of all corners
    std::vector<int> corners;  // counter-clockwise seen from outside
  };
  std::vector<Vec3> points;
  std::vector<Face> faces;
  std::vector<Vec3> edges;  // unit; parallel ones once
};

/// A convex body as core + ball: all points within `skin` of the core. Curved bodies whose
/// curvature radius is nowhere less than `skin` can be had so (Blaschke's rolling theorem), and
/// two bodies whose cores are apart have the signed gap distance - skin - skin, overlap included.
class ConvexBody {
 public:
  /// nullptr where the shape is not convex or not known to be.
  static std::shared_ptr<const ConvexBody> of(const shape::ShapePtr& shape);
  /// nullptr where the form is not convex.
  static std::shared_ptr<const ConvexBody> of(const shape::Form& form);
  /// Requires: at least one point, faces as its points have them to rounding.
  static std::shared_ptr<const ConvexBody> of(FacedCore core);

  /// m
  double skin() const { return skin_; }
  /// No point lies farther from the origin, m.
  double reach() const { return reach_; }
  /// The shape lies within this of the formula, and support points within this of the best, m.
  double error() const { return error_; }
  /// The same where support points are computed in numbers whose rounding is `finer` of that of
  /// doubles.
  template <class Real>
  Real error_in(Real finer) const {
    return finer < Real(1.0) ? Real(form_error_) + finer * Real(rounding_error_) : Real(error_);
  }
  /// A point inside, body frame.
  const Vec3& center() const { return center_; }
  /// The point of the core farthest along d; d need not be unit, but not zero.
  Vec3 farthest(const Vec3& d) const { return farthest_of<double>(d); }
  /// The same in doubles or long doubles.
  template <class Real>
  Eigen::Matrix<Real, 3, 1> farthest_of(const Eigen::Matrix<Real, 3, 1>& d) const;
  /// max d.x over the whole body, d unit.
  double support(const Vec3& d) const { return d.dot(farthest(d)) + skin_ * d.norm(); }
  /// A proven lower bound of the distance from p to the surface where p is inside; else negative or
  /// 0. `error`: p's own, m.
  double depth(const Vec3& p, double error) const { return depth_of<double>(p, error); }
  template <class Real>
  Real depth_of(const Eigen::Matrix<Real, 3, 1>& p, Real error) const;
  /// A ball of this radius fits into it; proven, and of the right order.
  double inner_radius() const;
  /// All points at least `depth` inside, where there is a formula for them (cones and cylinders,
  /// cut off or not): nullptr where there is none or nothing lies so deep.
  std::shared_ptr<const ConvexBody> eroded(double depth) const;
  /// The part of a body with plane faces within a cube of half width `half` about `middle`, seen
  /// from there: its numbers are those of the part, not of the whole. nullptr where it has other
  /// faces or nothing of it lies there.
  std::shared_ptr<const ConvexBody> cut_out(const Vec3& middle, double half) const;
  /// A body with plane faces seen from a point near it, where its own origin is far: its numbers
  /// are those of its size, not of its place. nullptr where it has other faces.
  std::shared_ptr<const ConvexBody> seen_from(const Vec3& origin) const;
  /// Corners of the face, edge or corner that lies farthest along d, in order; a round rim as many
  /// points; nothing for round bodies.
  std::vector<Vec3> outermost(const Vec3& d) const;
  /// Unit normals of flat faces.
  std::vector<Vec3> flat_normals() const;
  /// The body as it was given, for proofs; lives as long as this.
  prove::Convex proven() const;
  const FacedCore* faced() const { return std::get_if<FacedCore>(&core_); }
  const shape::FrustumForm* frustum() const { return std::get_if<shape::FrustumForm>(&core_); }

 private:
  struct Point {};
  using Core = std::variant<Point, FacedCore, shape::FrustumForm, shape::CapsuleForm,
                            shape::EllipsoidForm, shape::SuperellipsoidForm>;
  explicit ConvexBody(Core core) : core_(std::move(core)) {}
  static ConvexBody faced_body(const shape::ConvexPolyhedron& body);
  void set_form(const shape::Form& form);

  Core core_;
  Vec3 center_ = Vec3::Zero();
  double skin_ = 0.0, reach_ = 0.0, error_ = 0.0;
  // of error_: what no finer numbers mend, and what they do; how far faces are from plane
  double form_error_ = 0.0, rounding_error_ = 0.0, bulge_ = 0.0;
};

}  // namespace repose::check
