#include <Eigen/LU>

#include "repose/base/check.h"
#include "repose/shape/patches.h"

#include "shape/define/patches.h"
#include "shape/define/terms.h"

namespace repose::shape {
namespace {

/// linear * S + shift. The nine numbers of `linear` as they are define the patch, so that jet() and
/// enclose() speak of the same surface.
class Mapped final : public AboutPatch {
 public:
  Mapped(PatchPtr inner, const Mat3& linear, const Vec3& shift)
      : inner_(std::move(inner)), linear_(linear), shift_(shift) {
    // A a x A b = det(A) A^-T (a x b)
    cofactors_ = linear.determinant() * linear.inverse().transpose();
  }

  UvBox domain() const override { return inner_->domain(); }
  PatchJet jet(double u, double v) const override {
    const PatchJet j = inner_->jet(u, v);
    return {linear_ * j.s + shift_, linear_ * j.su,  linear_ * j.sv,
            linear_ * j.suu,        linear_ * j.suv, linear_ * j.svv};
  }
  Vec3 point(double u, double v) const override { return linear_ * inner_->point(u, v) + shift_; }
  PatchEnclosure enclose(const UvBox& box) const override { return image(inner_->enclose(box)); }
  PatchEnclosure enclose_about(const UvBox& box, const PatchJet&) const override {
    const Vec2 c = box.center();
    return image(shape::enclose_about(*inner_, box, inner_->jet(c[0], c[1])));
  }
  Vec3 normal(double u, double v) const override {
    return (cofactors_ * inner_->normal(u, v)).normalized();
  }
  bool closed_u() const override { return inner_->closed_u(); }
  bool closed_v() const override { return inner_->closed_v(); }
  bool planar() const override { return inner_->planar(); }
  MapNumbers numbers() const { return {inner_.get(), linear_, shift_}; }

 private:
  PatchEnclosure image(const PatchEnclosure& e) const {
    PatchEnclosure out{image(e.s),   image(e.su),  image(e.sv),
                       image(e.suu), image(e.suv), image(e.svv)};
    for (std::size_t k = 0; k < 3; ++k) out.s[k] += shift_[static_cast<int>(k)];
    return out;
  }
  IVec3 image(const IVec3& a) const {
    IVec3 out;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto row = linear_.row(static_cast<int>(k));
      // zeros are left out: an axis-parallel map costs no width
      Interval sum(0.0);
      for (std::size_t c = 0; c < 3; ++c) {
        const double m = row[static_cast<int>(c)];
        if (m != 0.0) sum += Interval(m) * a[c];
      }
      out[k] = sum;
    }
    return out;
  }

  PatchPtr inner_;
  Mat3 linear_, cofactors_;
  Vec3 shift_;
};

class Restricted final : public AboutPatch {
 public:
  Restricted(PatchPtr inner, const UvBox& box) : inner_(std::move(inner)), box_(box) {}

  UvBox domain() const override { return box_; }
  PatchJet jet(double u, double v) const override { return inner_->jet(u, v); }
  Vec3 point(double u, double v) const override { return inner_->point(u, v); }
  PatchEnclosure enclose(const UvBox& box) const override { return inner_->enclose(box); }
  PatchEnclosure enclose_about(const UvBox& box, const PatchJet& middle) const override {
    return shape::enclose_about(*inner_, box, middle);
  }
  Vec3 normal(double u, double v) const override { return inner_->normal(u, v); }
  bool closed_u() const override {
    const UvBox whole = inner_->domain();
    return inner_->closed_u() && box_.u0 == whole.u0 && box_.u1 == whole.u1;
  }
  bool closed_v() const override {
    const UvBox whole = inner_->domain();
    return inner_->closed_v() && box_.v0 == whole.v0 && box_.v1 == whole.v1;
  }
  bool planar() const override { return inner_->planar(); }

 private:
  PatchPtr inner_;
  UvBox box_;
};

}  // namespace

PatchPtr mapped(PatchPtr patch, const Mat3& linear, const Vec3& shift) {
  REPOSE_CHECK(patch != nullptr && linear.determinant() != 0.0);
  return std::make_shared<Mapped>(std::move(patch), linear, shift);
}

PatchPtr placed(PatchPtr patch, const Pose& pose) {
  return mapped(std::move(patch), pose.rotation.toRotationMatrix(), pose.position);
}

PatchPtr restricted(PatchPtr patch, const UvBox& box) {
  REPOSE_CHECK(patch != nullptr);
  const UvBox whole = patch->domain();
  REPOSE_CHECK(whole.contains(box.u0, box.v0) && whole.contains(box.u1, box.v1));
  return std::make_shared<Restricted>(std::move(patch), box);
}

MapNumbers map_numbers(const Patch& patch) {
  if (const auto* map = dynamic_cast<const Mapped*>(&patch)) return map->numbers();
  return {&patch, Mat3::Identity(), Vec3::Zero()};
}

}  // namespace repose::shape
