#pragma once

#include <array>
#include <utility>

#include "repose/math/jet.h"
#include "repose/shape/enclose_about.h"

namespace repose::shape {

/// S and its derivatives in the scalar T (double or Interval).
template <class T>
struct Terms {
  std::array<T, 3> s, su, sv, suu, suv, svv;
};

/// Gathers three coordinate jets.
template <class T>
Terms<T> terms_of(const Jet2<T>& x, const Jet2<T>& y, const Jet2<T>& z) {
  return {{x.f, y.f, z.f},    {x.u, y.u, z.u},    {x.v, y.v, z.v},
          {x.uu, y.uu, z.uu}, {x.uv, y.uv, z.uv}, {x.vv, y.vv, z.vv}};
}

inline Vec3 vec3(const std::array<double, 3>& a) {
  return {a[0], a[1], a[2]};
}
inline PatchJet to_jet(const Terms<double>& t) {
  return {vec3(t.s), vec3(t.su), vec3(t.sv), vec3(t.suu), vec3(t.suv), vec3(t.svv)};
}
inline PatchEnclosure to_enclosure(const Terms<Interval>& t) {
  return {t.s, t.su, t.sv, t.suu, t.suv, t.svv};
}

/// Narrows first derivatives and values by the mean value theorem about the box's centre, whose
/// enclosure is `center`. Valid where S is truly C2 over the box.
PatchEnclosure narrowed(const PatchEnclosure& over_box, const PatchEnclosure& center,
                        const UvBox& box);

/// A patch with an answer of its own to enclose_about().
class AboutPatch : public Patch {
 public:
  virtual PatchEnclosure enclose_about(const UvBox& box, const PatchJet& middle) const = 0;
};

/// The numbers of a jet as boxes of no width.
inline PatchEnclosure points_of(const PatchJet& jet) {
  const auto box = [](const Vec3& a) { return IVec3{a.x(), a.y(), a.z()}; };
  return {box(jet.s), box(jet.su), box(jet.sv), box(jet.suu), box(jet.suv), box(jet.svv)};
}

/// A patch written once: Kind has `UvBox domain`, `template <class T> Terms<T> terms(T u, T v)`,
/// which serves points (T = double) and boxes (T = Interval) alike, `Vec3 normal(u, v)`, and
/// constants kClosedU, kClosedV, kPlanar, and kOneFormula where the patch is not pieced together.
template <class Kind>
class KindPatch final : public AboutPatch {
 public:
  explicit KindPatch(Kind kind) : kind_(std::move(kind)) {}

  UvBox domain() const override { return kind_.domain; }
  PatchJet jet(double u, double v) const override { return to_jet(kind_.terms(u, v)); }
  PatchEnclosure enclose(const UvBox& box) const override {
    // the pieces of a spline meet only to rounding, which the mean value theorem does not forgive
    if constexpr (!Kind::kOneFormula) return whole(box);
    const Vec2 c = box.center();
    return narrowed(whole(box), to_enclosure(kind_.terms(Interval(c[0]), Interval(c[1]))), box);
  }
  PatchEnclosure enclose_about(const UvBox& box, const PatchJet& middle) const override {
    if constexpr (!Kind::kOneFormula) return whole(box);
    return narrowed(whole(box), points_of(middle), box);
  }
  Vec3 normal(double u, double v) const override { return kind_.normal(u, v); }
  bool closed_u() const override { return Kind::kClosedU; }
  bool closed_v() const override { return Kind::kClosedV; }
  bool planar() const override { return Kind::kPlanar; }
  const Kind& kind() const { return kind_; }

 private:
  PatchEnclosure whole(const UvBox& box) const {
    return to_enclosure(kind_.terms(Interval(box.u0, box.u1), Interval(box.v0, box.v1)));
  }

  Kind kind_;
};

template <class Kind>
PatchPtr make_patch(Kind kind) {
  return std::make_shared<KindPatch<Kind>>(std::move(kind));
}

/// The formula of a patch of that kind; nullptr for any other patch.
template <class Kind>
const Kind* kind_of(const Patch& patch) {
  const auto* same = dynamic_cast<const KindPatch<Kind>*>(&patch);
  return same ? &same->kind() : nullptr;
}

}  // namespace repose::shape
