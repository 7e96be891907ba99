#include "shape/trim/cell_patch.h"

#include <algorithm>
#include <vector>

#include "shape/define/seams.h"
#include "shape/define/terms.h"

namespace repose::shape {
namespace {

double mixed(double a, double b, double t) {
  return (1.0 - t) * a + t * b;
}
/// Both ways to write it, each of which is sharp where the other is wide.
Interval mixed(Interval a, Interval b, Interval t) {
  return meet((Interval(1.0) - t) * a + t * b, a + t * (b - a));
}

template <class T>
FlatMap<T> ruled(const FlatJet<T>& low, const FlatJet<T>& high, T t) {
  FlatMap<T> out;
  for (std::size_t k = 0; k < 2; ++k) {
    out.f[k] = mixed(low.c[k], high.c[k], t);
    out.s[k] = mixed(low.d[k], high.d[k], t);
    out.t[k] = high.c[k] - low.c[k];
    out.ss[k] = mixed(low.dd[k], high.dd[k], t);
    out.st[k] = high.d[k] - low.d[k];
    out.tt[k] = T(0.0);
  }
  return out;
}

template <class T>
FlatMap<T> transposed(const FlatMap<T>& m) {
  return {m.f, m.t, m.s, m.tt, m.st, m.ss};
}

template <class T>
FlatMap<T> map_in(const FlatCell& cell, T s, T t) {
  if (cell.left.straight() && cell.right.straight())
    return ruled(cell.low.at(s), cell.high.at(s), t);
  if (cell.low.straight() && cell.high.straight())
    return transposed(ruled(cell.left.at(t), cell.right.at(t), s));
  const FlatMap<T> a = ruled(cell.low.at(s), cell.high.at(s), t);
  const FlatMap<T> b = transposed(ruled(cell.left.at(t), cell.right.at(t), s));
  const FlatMap<T> c = ruled(FlatCurve::line(cell.low.begin(), cell.low.end()).at(s),
                             FlatCurve::line(cell.high.begin(), cell.high.end()).at(s), t);
  FlatMap<T> out;
  for (std::size_t k = 0; k < 2; ++k) {
    out.f[k] = a.f[k] + b.f[k] - c.f[k];
    out.s[k] = a.s[k] + b.s[k] - c.s[k];
    out.t[k] = a.t[k] + b.t[k] - c.t[k];
    out.ss[k] = a.ss[k] + b.ss[k] - c.ss[k];
    out.st[k] = a.st[k] + b.st[k] - c.st[k];
    out.tt[k] = a.tt[k] + b.tt[k] - c.tt[k];
  }
  return out;
}

/// The chain rule: S(f(s, t)) from S's derivatives along u and v.
template <class T>
Terms<T> composed(const Terms<T>& b, const FlatMap<T>& m) {
  Terms<T> out;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto second = [&](const std::array<T, 2>& p, const std::array<T, 2>& q) {
      return b.suu[k] * p[0] * q[0] + b.suv[k] * (p[0] * q[1] + p[1] * q[0]) +
             b.svv[k] * p[1] * q[1];
    };
    const auto first = [&](const std::array<T, 2>& p) { return b.su[k] * p[0] + b.sv[k] * p[1]; };
    out.s[k] = b.s[k];
    out.su[k] = first(m.s);
    out.sv[k] = first(m.t);
    out.suu[k] = second(m.s, m.s) + first(m.ss);
    out.suv[k] = second(m.s, m.t) + first(m.st);
    out.svv[k] = second(m.t, m.t) + first(m.tt);
  }
  return out;
}

class CellPatch final : public AboutPatch {
 public:
  CellPatch(PatchPtr surface, FlatCell cell)
      : surface_(std::move(surface)),
        whole_(surface_->domain()),
        cell_(std::move(cell)),
        one_formula_(dynamic_cast<const AboutPatch*>(surface_.get()) != nullptr &&
                     !cell_.pieced()) {}

  UvBox domain() const override { return {}; }
  PatchJet jet(double s, double t) const override {
    const FlatMap<double> m = map_of(cell_, s, t);
    const PatchJet j = surface_->jet(along_u(m.f[0]), along_v(m.f[1]));
    const auto parts = [](const Vec3& a) { return std::array<double, 3>{a.x(), a.y(), a.z()}; };
    return to_jet(composed<double>(
        {parts(j.s), parts(j.su), parts(j.sv), parts(j.suu), parts(j.suv), parts(j.svv)}, m));
  }
  Vec3 point(double s, double t) const override {
    const FlatMap<double> m = map_of(cell_, s, t);
    return surface_->point(along_u(m.f[0]), along_v(m.f[1]));
  }
  PatchEnclosure enclose(const UvBox& box) const override {
    // the pieces of a spline meet only to rounding, which the mean value theorem does not forgive
    if (!one_formula_) return whole(box);
    const Vec2 c = box.center();
    return narrowed(whole(box), whole({c[0], c[0], c[1], c[1]}), box);
  }
  PatchEnclosure enclose_about(const UvBox& box, const PatchJet& middle) const override {
    return one_formula_ ? narrowed(whole(box), points_of(middle), box) : whole(box);
  }
  Vec3 normal(double s, double t) const override {
    const FlatMap<double> m = map_of(cell_, s, t);
    return surface_->normal(along_u(m.f[0]), along_v(m.f[1]));
  }
  bool closed_u() const override { return closed_u_; }
  bool closed_v() const override { return closed_v_; }
  bool planar() const override { return surface_->planar(); }

  /// Looks for seams; after that the patch does not change.
  void find_seams() {
    closed_u_ = meets_itself_along_u(*this);
    closed_v_ = meets_itself_along_v(*this);
  }

 private:
  double along_u(double u) const { return std::clamp(u, whole_.u0, whole_.u1); }
  double along_v(double v) const { return std::clamp(v, whole_.v0, whole_.v1); }

  PatchEnclosure whole(const UvBox& box) const {
    const auto m = map_of(cell_, Interval(box.u0, box.u1), Interval(box.v0, box.v1));
    const PatchEnclosure e = surface_->enclose(
        {along_u(m.f[0].lo), along_u(m.f[0].hi), along_v(m.f[1].lo), along_v(m.f[1].hi)});
    return to_enclosure(composed<Interval>({e.s, e.su, e.sv, e.suu, e.suv, e.svv}, m));
  }

  PatchPtr surface_;
  UvBox whole_;
  FlatCell cell_;
  bool one_formula_;
  bool closed_u_ = false, closed_v_ = false;
};

}  // namespace

FlatMap<double> map_of(const FlatCell& cell, double s, double t) {
  return map_in(cell, s, t);
}

FlatMap<Interval> map_of(const FlatCell& cell, Interval s, Interval t) {
  FlatMap<Interval> out = map_in(cell, s, t);
  // a mixture of four curves is wide where it stands; about the middle of one formula it is not
  if (cell.pieced() || (s.width() == 0.0 && t.width() == 0.0)) return out;
  const FlatMap<Interval> middle = map_in(cell, Interval(s.mid()), Interval(t.mid()));
  const Interval ds = s - Interval(s.mid()), dt = t - Interval(t.mid());
  for (std::size_t k = 0; k < 2; ++k) {
    out.s[k] = meet(out.s[k], middle.s[k] + out.ss[k] * ds + out.st[k] * dt);
    out.t[k] = meet(out.t[k], middle.t[k] + out.st[k] * ds + out.tt[k] * dt);
    out.f[k] = meet(out.f[k], middle.f[k] + out.s[k] * ds + out.t[k] * dt);
  }
  return out;
}

bool FlatCell::pieced() const {
  return low.pieced() || right.pieced() || high.pieced() || left.pieced();
}

bool FlatCell::regular(int budget) const {
  std::vector<UvBox> open{UvBox{}};
  while (!open.empty()) {
    const UvBox box = open.back();
    open.pop_back();
    const auto m = map_of(*this, Interval(box.u0, box.u1), Interval(box.v0, box.v1));
    const Vec2 c = box.center();
    const auto at = map_of(*this, Interval(c[0]), Interval(c[1]));
    const Interval ds = Interval(box.u0, box.u1) - Interval(c[0]);
    const Interval dt = Interval(box.v0, box.v1) - Interval(c[1]);
    // the determinant about the middle, by its own derivatives
    const auto det = [](const std::array<Interval, 2>& a, const std::array<Interval, 2>& b) {
      return a[0] * b[1] - a[1] * b[0];
    };
    const Interval here = det(at.s, at.t);
    if (here.hi <= 0.0) return false;
    const Interval along_s = det(m.ss, m.t) + det(m.s, m.st);
    const Interval along_t = det(m.st, m.t) + det(m.s, m.tt);
    const Interval all = here + along_s * ds + along_t * dt;
    if (std::max(all.lo, det(m.s, m.t).lo) > 0.0) continue;
    if (budget-- <= 0) return false;
    const bool by_s = (along_s * ds).width() >= (along_t * dt).width();
    UvBox a = box, b = box;
    if (by_s)
      a.u1 = b.u0 = c[0];
    else
      a.v1 = b.v0 = c[1];
    open.push_back(a);
    open.push_back(b);
  }
  return true;
}

PatchPtr cell_patch(PatchPtr surface, FlatCell cell) {
  auto out = std::make_shared<CellPatch>(std::move(surface), std::move(cell));
  out->find_seams();
  return out;
}

}  // namespace repose::shape
