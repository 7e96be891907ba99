#include "shape/trim/surfaces.h"

#include <cmath>
#include <numbers>

#include "repose/shape/patches.h"

#include "shape/define/terms.h"
#include "shape/define/validate.h"
#include "shape/trim/flat_spline.h"

namespace repose::shape {
namespace {

/// The formulas hold for any (u, v); cells stay far within this.
constexpr UvBox kEverywhere{-1e12, 1e12, -1e12, 1e12};
/// Axes of a frame may be off from unit length and square by this.
constexpr double kFrameError = 1e-9;

/// What all unbounded surfaces share, in the frame of the surface.
struct Unbounded {
  static constexpr bool kClosedU = false, kClosedV = false, kPlanar = false, kOneFormula = true;
  UvBox domain = kEverywhere;
};

struct EndlessPlane : Unbounded {
  static constexpr bool kPlanar = true;
  template <class T>
  Terms<T> terms(T u, T v) const {
    const T zero(0.0), one(1.0);
    const std::array<T, 3> none{zero, zero, zero};
    return {{u, v, zero}, {one, zero, zero}, {zero, one, zero}, none, none, none};
  }
  Vec3 normal(double, double) const { return Vec3::UnitZ(); }
};

/// (a + b v) (cos u, sin u) and height c v: cylinders and cones.
struct EndlessCone : Unbounded {
  double a, b, c;
  template <class T>
  Terms<T> terms(T u, T v) const {
    using std::cos;
    using std::sin;
    const T x = cos(u), y = sin(u), zero(0.0), slope(b), r = T(a) + slope * v;
    return {{r * x, r * y, T(c) * v}, {-r * y, r * x, zero},         {slope * x, slope * y, T(c)},
            {-r * x, -r * y, zero},   {-slope * y, slope * x, zero}, {zero, zero, zero}};
  }
  Vec3 normal(double u, double) const {
    return Vec3(c * std::cos(u), c * std::sin(u), -b).normalized();
  }
};

/// ring = 0: a sphere by longitude and latitude.
struct EndlessTorus : Unbounded {
  double ring, tube;
  template <class T>
  Terms<T> terms(T u, T v) const {
    using std::cos;
    using std::sin;
    const T c = cos(u), s = sin(u), rc = T(tube) * cos(v), rs = T(tube) * sin(v), zero(0.0);
    const T r = T(ring) + rc;
    return {{r * c, r * s, rs},     {-r * s, r * c, zero},   {-rs * c, -rs * s, rc},
            {-r * c, -r * s, zero}, {rs * s, -rs * c, zero}, {-rc * c, -rc * s, -rs}};
  }
  Vec3 normal(double u, double v) const {
    return {std::cos(v) * std::cos(u), std::cos(v) * std::sin(u), std::sin(v)};
  }
};

struct Stereographic : Unbounded {
  double radius;
  template <class T>
  Terms<T> terms(T u, T v) const {
    using Jet = Jet2<T>;
    const Jet x = Jet::variable_u(u), y = Jet::variable_v(v);
    const Jet q = Jet(T(4.0)) + square(x) + square(y);
    const T four = T(4.0) * T(radius);
    // z = (4 - p)/(4 + p) = 8/q - 1
    return terms_of(four * (x / q), four * (y / q), Jet(T(8.0) * T(radius)) / q - Jet(T(radius)));
  }
  Vec3 normal(double u, double v) const {
    const double p = u * u + v * v;
    return Vec3(4.0 * u, 4.0 * v, 4.0 - p) / (4.0 + p);
  }
};

/// A spline in the half plane (r, h) turned about z.
class Turned final : public Patch {
 public:
  Turned(std::shared_ptr<const FlatSpline> profile, double v0, double v1)
      : profile_(std::move(profile)), run_(profile_->run(v0, v1)), v0_(v0), v1_(v1) {}

  UvBox domain() const override { return {kEverywhere.u0, kEverywhere.u1, v0_, v1_}; }
  PatchJet jet(double u, double v) const override {
    return to_jet(terms(u, profile_->at(v, run_)));
  }
  PatchEnclosure enclose(const UvBox& box) const override {
    const Interval u(box.u0, box.u1), v(box.v0, box.v1);
    PatchEnclosure out = to_enclosure(terms(u, profile_->at(v, run_)));
    if (run_.first != run_.last) return out;
    const Vec2 c = box.center();
    const Interval at(c[1]);
    return narrowed(out, to_enclosure(terms(Interval(c[0]), profile_->at(at, run_))), box);
  }

 private:
  template <class T>
  static Terms<T> terms(T u, const FlatJet<T>& p) {
    using std::cos;
    using std::sin;
    const T c = cos(u), s = sin(u), zero(0.0);
    const T r = p.c[0], dr = p.d[0], ddr = p.dd[0];
    return {{r * c, r * s, p.c[1]}, {-r * s, r * c, zero},   {dr * c, dr * s, p.d[1]},
            {-r * c, -r * s, zero}, {-dr * s, dr * c, zero}, {ddr * c, ddr * s, p.dd[1]}};
  }

  std::shared_ptr<const FlatSpline> profile_;
  FlatSpline::Run run_;
  double v0_, v1_;
};

Fault check_frame(const SurfaceFrame& f) {
  if (auto bad = check_point("/origin", f.origin)) return bad;
  const Mat3 axes = (Mat3() << f.x, f.y, f.z).finished();
  if (axes.allFinite() && (axes.transpose() * axes - Mat3::Identity()).norm() <= kFrameError)
    return {};
  return fault("/x", point_text(f.x), "x, y and z are no frame",
               "three unit vectors square to each other");
}

template <class Kind>
Result<SurfacePieces> endless(Kind kind, const SurfaceFrame& f) {
  const Mat3 axes = (Mat3() << f.x, f.y, f.z).finished();
  return SurfacePieces{{mapped(make_patch(kind), axes, f.origin)}, {}, {}};
}

struct Maker {
  using Answer = Result<SurfacePieces>;

  Answer operator()(const PlaneSurface& in) const {
    if (auto bad = check_frame(in)) return *bad;
    return endless(EndlessPlane{}, in);
  }
  Answer operator()(const CylinderSurface& in) const {
    if (auto bad = first_fault(check_frame(in), check_length("/radius", in.radius))) return *bad;
    return endless(EndlessCone{{}, in.radius, 0.0, 1.0}, in);
  }
  Answer operator()(const ConeSurface& in) const {
    if (auto bad = first_fault(check_frame(in), check_length_or_zero("/radius", in.radius)))
      return *bad;
    if (!(std::fabs(in.half_angle) < 0.5 * std::numbers::pi) || in.half_angle == 0.0)
      return fault("/half_angle", number_text(in.half_angle), "not the angle of a cone",
                   "an angle between -pi/2 and pi/2, not 0");
    return endless(EndlessCone{{}, in.radius, std::sin(in.half_angle), std::cos(in.half_angle)},
                   in);
  }
  Answer operator()(const SphereSurface& in) const {
    if (auto bad = first_fault(check_frame(in), check_length("/radius", in.radius))) return *bad;
    return endless(EndlessTorus{{}, 0.0, in.radius}, in);
  }
  Answer operator()(const SphereChart& in) const {
    if (auto bad = first_fault(check_frame(in), check_length("/radius", in.radius))) return *bad;
    return endless(Stereographic{{}, in.radius}, in);
  }
  Answer operator()(const TorusSurface& in) const {
    if (auto bad = first_fault(check_frame(in), check_length("/ring_radius", in.ring_radius),
                               check_length("/tube_radius", in.tube_radius)))
      return *bad;
    return endless(EndlessTorus{{}, in.ring_radius, in.tube_radius}, in);
  }
  Answer operator()(const TurnedSurface& in) const {
    if (auto bad = check_frame(in)) return *bad;
    auto profile = FlatSpline::make(in.profile);
    if (!profile) {
      InputError error = profile.error();
      error.pointer = "/profile" + error.pointer;
      return error;
    }
    if (!(in.profile.t0 < in.profile.t1))
      return fault("/profile/t1", number_text(in.profile.t1), "not above t0", "t1 above t0");
    const Mat3 axes = (Mat3() << in.x, in.y, in.z).finished();
    SurfacePieces out;
    out.lines_v = (*profile)->kinks(in.profile.t0, in.profile.t1);
    std::vector<double> ends = out.lines_v;
    ends.push_back(in.profile.t1);
    double from = in.profile.t0;
    for (const double to : ends) {
      out.pieces.push_back(mapped(std::make_shared<Turned>(*profile, from, to), axes, in.origin));
      from = to;
    }
    return out;
  }
  Answer operator()(const SplineSurface& in) const {
    auto cells =
        bspline_patches({in.degree_u, in.degree_v, in.knots_u, in.knots_v, in.points, in.weights});
    if (!cells) return cells.error();
    SurfacePieces out{std::move(*cells), {}, {}};
    for (const PatchPtr& piece : out.pieces) {
      const UvBox box = piece->domain(), first = out.pieces.front()->domain();
      if (box.v0 == first.v0 && box.u0 != first.u0) out.lines_u.push_back(box.u0);
      if (box.u0 == first.u0 && box.v0 != first.v0) out.lines_v.push_back(box.v0);
    }
    return out;
  }
};

}  // namespace

Result<SurfacePieces> surface_pieces(const TrimSurface& surface) {
  return std::visit(Maker{}, surface);
}

}  // namespace repose::shape
