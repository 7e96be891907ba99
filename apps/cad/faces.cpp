#include "faces.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <BRepGProp.hxx>
#include <BRepTools.hxx>
#include <BRepTools_WireExplorer.hxx>
#include <BRep_Tool.hxx>
#include <ElCLib.hxx>
#include <ElSLib.hxx>
#include <GProp_GProps.hxx>
#include <Geom2dConvert.hxx>
#include <Geom2d_BSplineCurve.hxx>
#include <Geom2d_Circle.hxx>
#include <Geom2d_Ellipse.hxx>
#include <Geom2d_Line.hxx>
#include <Geom2d_TrimmedCurve.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierCurve.hxx>
#include <Geom_BezierSurface.hxx>
#include <Geom_Circle.hxx>
#include <Geom_ConicalSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_Ellipse.hxx>
#include <Geom_Line.hxx>
#include <Geom_Plane.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Geom_SphericalSurface.hxx>
#include <Geom_SurfaceOfLinearExtrusion.hxx>
#include <Geom_SurfaceOfRevolution.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TColgp_Array1OfPnt.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Iterator.hxx>
#include <TopoDS_Wire.hxx>
#include <gp_Circ.hxx>
#include <gp_Pln.hxx>
#include <gp_Sphere.hxx>

namespace cad {
namespace {

/// Places on the unit sphere nearer than this are one; so are angles, rad.
constexpr double kSame = 1e-9;
/// A middle nearer to the centre than this share of the radius names no direction.
constexpr double kNoMiddle = 1e-3;

/// Surfaces without end are written this much beyond what their face needs, as a share of it.
constexpr double kMargin = 0.01;

/// Parameters that a face needs of its surface.
struct Bounds {
  double u0 = 0.0, u1 = 0.0, v0 = 0.0, v1 = 0.0;
};

struct Point2 {
  double u, v;
};

void write(JsonText& out, const Point2& p) {
  out.open('[').value(p.u).value(p.v).close(']');
}
void write(JsonText& out, const gp_XYZ& p) {
  out.open('[').value(p.X()).value(p.Y()).value(p.Z()).close(']');
}

void write_line(JsonText& out, const Point2& from, const Point2& to) {
  out.open('{').key("kind").value("line").key("from");
  write(out, from);
  out.key("to");
  write(out, to);
  out.close('}');
}
void write_arc(JsonText& out, const Point2& center, const Point2& a, const Point2& b, double t0,
               double t1) {
  out.open('{').key("kind").value("arc").key("center");
  write(out, center);
  out.key("a");
  write(out, a);
  out.key("b");
  write(out, b);
  out.key("t0").value(t0).key("t1").value(t1).close('}');
}

/// Lengths of a surface's parameters: metres for one of u and of v as OpenCASCADE counts them.
struct Scale {
  double u = 1.0, v = 1.0;
  Point2 operator()(const gp_Pnt2d& p) const { return {u * p.X(), v * p.Y()}; }
  Point2 operator()(const gp_XY& p) const { return {u * p.X(), v * p.Y()}; }
};

/// One edge of a face's loop, in the direction in which the loop runs.
struct LoopEdge {
  TopoDS_Edge edge;
  bool backwards = false;
};

/// What lies under cuts to a part of the parameters.
template <class Cut, class Bare>
Bare uncut(Bare given, Bare (Cut::*basis)() const) {
  for (auto cut = opencascade::handle<Cut>::DownCast(given); !cut.IsNull();
       cut = opencascade::handle<Cut>::DownCast(given))
    given = ((*cut).*basis)();
  return given;
}
Handle(Geom_Surface) bare(const Handle(Geom_Surface) & surface) {
  return uncut(surface, &Geom_RectangularTrimmedSurface::BasisSurface);
}
Handle(Geom_Curve) bare(const Handle(Geom_Curve) & curve) {
  return uncut(curve, &Geom_TrimmedCurve::BasisCurve);
}
Handle(Geom2d_Curve) bare(const Handle(Geom2d_Curve) & curve) {
  return uncut(curve, &Geom2d_TrimmedCurve::BasisCurve);
}

std::vector<LoopEdge> edges_of(const TopoDS_Wire& wire, const TopoDS_Face& face) {
  std::vector<LoopEdge> out;
  int count = 0;
  for (TopoDS_Iterator it(wire); it.More(); it.Next()) ++count;
  for (BRepTools_WireExplorer it(wire, face); it.More(); it.Next())
    out.push_back({it.Current(), it.Current().Orientation() == TopAbs_REVERSED});
  if (static_cast<int>(out.size()) != count)
    throw Unusable{"a face's outline is not one closed way from edge to edge",
                   "a shape that its CAD system calls valid"};
  return out;
}

template <class Spline>
void write_spline(JsonText& out, const Spline& spline, double t0, double t1,
                  const std::vector<Point2>& points, bool kind = true) {
  out.open('{');
  if (kind) out.key("kind").value("spline");
  out.key("degree").value(spline.Degree());
  out.key("knots").open('[');
  for (const double k : spline.KnotSequence()) out.value(k);
  out.close(']').key("points").open('[');
  for (const Point2& p : points) write(out, p);
  out.close(']');
  if (spline.IsRational()) {
    out.key("weights").open('[');
    for (int i = 1; i <= spline.NbPoles(); ++i) out.value(spline.Weight(i));
    out.close(']');
  }
  out.key("t0").value(t0).key("t1").value(t1).close('}');
}

/// The curve that the file gives in the surface's parameters.
void write_given(JsonText& out, const TopoDS_Edge& edge, const TopoDS_Face& face, bool backwards,
                 const Scale& scale) {
  double first = 0.0, last = 0.0;
  Handle(Geom2d_Curve) curve = BRep_Tool::CurveOnSurface(edge, face, first, last);
  if (curve.IsNull())
    throw Unusable{"an edge has no curve on its face", "a shape that its CAD system calls valid"};
  curve = bare(curve);
  const double t0 = backwards ? last : first, t1 = backwards ? first : last;
  if (!Handle(Geom2d_Line)::DownCast(curve).IsNull()) {
    write_line(out, scale(curve->Value(t0)), scale(curve->Value(t1)));
    return;
  }
  const auto conic = [&](const gp_Pnt2d& c, const gp_XY& x, const gp_XY& y) {
    write_arc(out, scale(c), scale(x), scale(y), t0, t1);
  };
  if (const auto circle = Handle(Geom2d_Circle)::DownCast(curve); !circle.IsNull()) {
    const double r = circle->Radius();
    conic(circle->Location(), circle->XAxis().Direction().XY() * r,
          circle->YAxis().Direction().XY() * r);
    return;
  }
  if (const auto ellipse = Handle(Geom2d_Ellipse)::DownCast(curve); !ellipse.IsNull()) {
    conic(ellipse->Location(), ellipse->XAxis().Direction().XY() * ellipse->MajorRadius(),
          ellipse->YAxis().Direction().XY() * ellipse->MinorRadius());
    return;
  }
  Handle(Geom2d_BSplineCurve) spline = Handle(Geom2d_BSplineCurve)::DownCast(curve);
  if (spline.IsNull())
    spline = Geom2dConvert::CurveToBSplineCurve(new Geom2d_TrimmedCurve(curve, first, last));
  else
    spline = Handle(Geom2d_BSplineCurve)::DownCast(spline->Copy());
  spline->SetNotPeriodic();
  std::vector<Point2> points;
  for (int i = 1; i <= spline->NbPoles(); ++i) points.push_back(scale(spline->Pole(i)));
  const double low = spline->FirstParameter(), high = spline->LastParameter();
  write_spline(out, *spline, std::clamp(t0, low, high), std::clamp(t1, low, high), points);
}

/// On a plane the space curve itself tells, exactly; false where it is of no such kind.
bool write_on_plane(JsonText& out, const gp_Pln& plane, const LoopEdge& at, double unit) {
  double first = 0.0, last = 0.0;
  Handle(Geom_Curve) curve = BRep_Tool::Curve(at.edge, first, last);
  if (curve.IsNull()) return false;
  curve = bare(curve);
  const double t0 = at.backwards ? last : first, t1 = at.backwards ? first : last;
  const gp_Ax3 frame = plane.Position();
  const auto direction = [&](const gp_XYZ& d) {
    return Point2{unit * d.Dot(frame.XDirection().XYZ()), unit * d.Dot(frame.YDirection().XYZ())};
  };
  const auto point = [&](const gp_Pnt& p) { return direction(p.XYZ() - frame.Location().XYZ()); };
  if (!Handle(Geom_Line)::DownCast(curve).IsNull()) {
    write_line(out, point(curve->Value(t0)), point(curve->Value(t1)));
    return true;
  }
  const auto conic = [&](const gp_Ax2& ax, double a, double b) {
    write_arc(out, point(ax.Location()), direction(ax.XDirection().XYZ() * a),
              direction(ax.YDirection().XYZ() * b), t0, t1);
  };
  if (const auto circle = Handle(Geom_Circle)::DownCast(curve); !circle.IsNull()) {
    conic(circle->Position(), circle->Radius(), circle->Radius());
    return true;
  }
  if (const auto ellipse = Handle(Geom_Ellipse)::DownCast(curve); !ellipse.IsNull()) {
    conic(ellipse->Position(), ellipse->MajorRadius(), ellipse->MinorRadius());
    return true;
  }
  Handle(Geom_BSplineCurve) spline = Handle(Geom_BSplineCurve)::DownCast(curve);
  if (spline.IsNull() && !Handle(Geom_BezierCurve)::DownCast(curve).IsNull())
    spline = GeomConvert::CurveToBSplineCurve(curve);
  if (spline.IsNull()) return false;
  spline = Handle(Geom_BSplineCurve)::DownCast(spline->Copy());
  spline->SetNotPeriodic();
  std::vector<Point2> points;
  for (int i = 1; i <= spline->NbPoles(); ++i) points.push_back(point(spline->Pole(i)));
  const double low = spline->FirstParameter(), high = spline->LastParameter();
  write_spline(out, *spline, std::clamp(t0, low, high), std::clamp(t1, low, high), points);
  return true;
}

/// On cylinders, cones, spheres and tori: the parameters of a place, by formula.
bool parameters_of(const Handle(Geom_Surface) & surface, const gp_Pnt& p, double* u, double* v) {
  if (const auto s = Handle(Geom_CylindricalSurface)::DownCast(surface); !s.IsNull())
    ElSLib::Parameters(s->Cylinder(), p, *u, *v);
  else if (const auto s = Handle(Geom_ConicalSurface)::DownCast(surface); !s.IsNull())
    ElSLib::Parameters(s->Cone(), p, *u, *v);
  else if (const auto s = Handle(Geom_SphericalSurface)::DownCast(surface); !s.IsNull())
    ElSLib::Parameters(s->Sphere(), p, *u, *v);
  else if (const auto s = Handle(Geom_ToroidalSurface)::DownCast(surface); !s.IsNull())
    ElSLib::Parameters(s->Torus(), p, *u, *v);
  else
    return false;
  return true;
}

/// The turn of an angle that lies nearest to another.
double nearest_turn(double angle, double to) {
  return angle + 2.0 * M_PI * std::round((to - angle) / (2.0 * M_PI));
}

/// A line or circle in space that is a parameter line of its surface: exactly so, where the file
/// may have only a spline near it. False where it is none.
bool write_parameter_line(JsonText& out, const TopoDS_Face& face,
                          const Handle(Geom_Surface) & surface, const LoopEdge& at,
                          const Scale& scale) {
  double first = 0.0, last = 0.0, first2 = 0.0, last2 = 0.0;
  const Handle(Geom_Curve) curve = BRep_Tool::Curve(at.edge, first, last);
  const Handle(Geom2d_Curve) given = BRep_Tool::CurveOnSurface(at.edge, face, first2, last2);
  if (curve.IsNull() || given.IsNull()) return false;
  const Handle(Geom_Curve) plain = bare(curve);
  if (Handle(Geom_Line)::DownCast(plain).IsNull() && Handle(Geom_Circle)::DownCast(plain).IsNull())
    return false;
  const bool round_v = !Handle(Geom_ToroidalSurface)::DownCast(surface).IsNull();
  constexpr int kSteps = 8;
  double u[kSteps + 1], v[kSteps + 1];
  for (int i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    if (!parameters_of(surface, curve->Value(first + share * (last - first)), &u[i], &v[i]))
      return false;
    const gp_Pnt2d near = given->Value(first2 + share * (last2 - first2));
    u[i] = nearest_turn(u[i], near.X());
    if (round_v) v[i] = nearest_turn(v[i], near.Y());
  }
  // poles may lie at the ends, where one of the two tells nothing
  double low_u = u[1], high_u = u[1], low_v = v[1], high_v = v[1];
  for (int i = 2; i < kSteps; ++i) {
    low_u = std::min(low_u, u[i]), high_u = std::max(high_u, u[i]);
    low_v = std::min(low_v, v[i]), high_v = std::max(high_v, v[i]);
  }
  gp_XY from(u[0], v[0]), to(u[kSteps], v[kSteps]);
  const double reach = std::fabs(v[kSteps] - v[0]) + std::fabs(low_v) + 1.0;
  if (high_u - low_u <= kSame) {
    from.SetX(0.5 * (low_u + high_u));
    to.SetX(from.X());
  } else if (high_v - low_v <= kSame * reach) {
    from.SetY(0.5 * (low_v + high_v));
    to.SetY(from.Y());
  } else {
    return false;
  }
  if (at.backwards) std::swap(from, to);
  write_line(out, scale(from), scale(to));
  return true;
}

void write_frame(JsonText& out, const char* kind, const gp_Ax3& frame, double unit) {
  out.key("kind").value(kind).key("origin");
  write(out, frame.Location().XYZ() * unit);
  out.key("x");
  write(out, frame.XDirection().XYZ());
  out.key("y");
  write(out, frame.YDirection().XYZ());
  out.key("z");
  write(out, frame.Direction().XYZ());
}

void write_spline_surface(JsonText& out, const Handle(Geom_BSplineSurface) & given, double unit) {
  const auto s = Handle(Geom_BSplineSurface)::DownCast(given->Copy());
  if (s->IsUPeriodic()) s->SetUNotPeriodic();
  if (s->IsVPeriodic()) s->SetVNotPeriodic();
  out.key("kind").value("spline").key("degree_u").value(s->UDegree());
  out.key("degree_v").value(s->VDegree()).key("knots_u").open('[');
  for (const double k : s->UKnotSequence()) out.value(k);
  out.close(']').key("knots_v").open('[');
  for (const double k : s->VKnotSequence()) out.value(k);
  out.close(']').key("points").open('[');
  for (int i = 1; i <= s->NbUPoles(); ++i) {
    out.open('[');
    for (int j = 1; j <= s->NbVPoles(); ++j) write(out, s->Pole(i, j).XYZ() * unit);
    out.close(']');
  }
  out.close(']');
  if (!s->IsURational() && !s->IsVRational()) return;
  out.key("weights").open('[');
  for (int i = 1; i <= s->NbUPoles(); ++i) {
    out.open('[');
    for (int j = 1; j <= s->NbVPoles(); ++j) out.value(s->Weight(i, j));
    out.close(']');
  }
  out.close(']');
}

/// The curve as a spline of the same parameter; null where it is of another kind. A straight one is
/// made over [t0, t1].
Handle(Geom_BSplineCurve) spline_of(const Handle(Geom_Curve) & given, double t0, double t1) {
  const Handle(Geom_Curve) curve = bare(given);
  if (!Handle(Geom_Line)::DownCast(curve).IsNull()) {
    TColgp_Array1OfPnt poles(1, 2);
    TColStd_Array1OfReal knots(1, 2);
    TColStd_Array1OfInteger twice(1, 2);
    const double margin = kMargin * (t1 - t0);
    knots(1) = t0 - margin, knots(2) = t1 + margin;
    for (int i = 1; i <= 2; ++i) poles(i) = curve->Value(knots(i)), twice(i) = 2;
    return new Geom_BSplineCurve(poles, knots, twice, 1);
  }
  Handle(Geom_BSplineCurve) spline = Handle(Geom_BSplineCurve)::DownCast(curve);
  if (spline.IsNull() && !Handle(Geom_BezierCurve)::DownCast(curve).IsNull())
    spline = GeomConvert::CurveToBSplineCurve(curve);
  if (spline.IsNull()) return spline;
  spline = Handle(Geom_BSplineCurve)::DownCast(spline->Copy());
  spline->SetNotPeriodic();
  return spline;
}

/// A spline pushed along a line, over the stretch of v that the face needs.
bool write_extrusion(JsonText& out, const Geom_SurfaceOfLinearExtrusion& surface,
                     const Bounds& bounds, double unit) {
  const auto curve = spline_of(surface.BasisCurve(), bounds.u0, bounds.u1);
  if (curve.IsNull()) return false;
  const double margin = kMargin * (bounds.v1 - bounds.v0);
  const double v0 = bounds.v0 - margin, v1 = bounds.v1 + margin;
  const gp_XYZ way = surface.Direction().XYZ();
  out.key("kind").value("spline").key("degree_u").value(curve->Degree()).key("degree_v").value(1);
  out.key("knots_u").open('[');
  for (const double k : curve->KnotSequence()) out.value(k);
  out.close(']').key("knots_v").open('[');
  for (const double k : {v0, v0, v1, v1}) out.value(k);
  out.close(']').key("points").open('[');
  for (int i = 1; i <= curve->NbPoles(); ++i) {
    out.open('[');
    for (const double v : {v0, v1}) write(out, (curve->Pole(i).XYZ() + way * v) * unit);
    out.close(']');
  }
  out.close(']');
  if (!curve->IsRational()) return true;
  out.key("weights").open('[');
  for (int i = 1; i <= curve->NbPoles(); ++i)
    out.open('[').value(curve->Weight(i)).value(curve->Weight(i)).close(']');
  out.close(']');
  return true;
}

/// A spline turned about an axis in whose plane it lies.
bool write_turned(JsonText& out, const Geom_SurfaceOfRevolution& surface, const Bounds& bounds,
                  double unit) {
  const auto curve = spline_of(surface.BasisCurve(), bounds.v0, bounds.v1);
  if (curve.IsNull()) return false;
  const gp_XYZ origin = surface.Axis().Location().XYZ(), z = surface.Axis().Direction().XYZ();
  // away from the axis, by the pole that is farthest from it
  gp_XYZ x(0.0, 0.0, 0.0);
  for (int i = 1; i <= curve->NbPoles(); ++i) {
    const gp_XYZ d = curve->Pole(i).XYZ() - origin, off = d - z * d.Dot(z);
    if (off.Modulus() > x.Modulus()) x = off;
  }
  const double size = x.Modulus();
  if (!(size > 0.0)) return false;
  x /= size;
  const gp_XYZ y = z.Crossed(x);
  std::vector<Point2> points;
  for (int i = 1; i <= curve->NbPoles(); ++i) {
    const gp_XYZ d = curve->Pole(i).XYZ() - origin;
    if (std::fabs(d.Dot(y)) > kSame * size) return false;
    points.push_back({unit * d.Dot(x), unit * d.Dot(z)});
  }
  out.key("kind").value("turned").key("origin");
  write(out, origin * unit);
  out.key("x");
  write(out, x);
  out.key("y");
  write(out, y);
  out.key("z");
  write(out, z);
  out.key("profile");
  write_spline(out, *curve, curve->FirstParameter(), curve->LastParameter(), points, false);
  return true;
}

/// Writes the surface; answers what its parameters measure.
Scale write_surface(JsonText& out, const TopoDS_Face& face, const Handle(Geom_Surface) & surface,
                    double unit) {
  if (const auto s = Handle(Geom_Plane)::DownCast(surface); !s.IsNull()) {
    write_frame(out, "plane", s->Position(), unit);
    return {unit, unit};
  }
  if (const auto s = Handle(Geom_CylindricalSurface)::DownCast(surface); !s.IsNull()) {
    write_frame(out, "cylinder", s->Position(), unit);
    out.key("radius").value(unit * s->Radius());
    return {1.0, unit};
  }
  if (const auto s = Handle(Geom_ConicalSurface)::DownCast(surface); !s.IsNull()) {
    write_frame(out, "cone", s->Position(), unit);
    out.key("radius").value(unit * s->RefRadius()).key("half_angle").value(s->SemiAngle());
    return {1.0, unit};
  }
  if (const auto s = Handle(Geom_SphericalSurface)::DownCast(surface); !s.IsNull()) {
    write_frame(out, "sphere", s->Position(), unit);
    out.key("radius").value(unit * s->Radius());
    return {};
  }
  if (const auto s = Handle(Geom_ToroidalSurface)::DownCast(surface); !s.IsNull()) {
    write_frame(out, "torus", s->Position(), unit);
    out.key("ring_radius").value(unit * s->MajorRadius());
    out.key("tube_radius").value(unit * s->MinorRadius());
    return {};
  }
  Bounds bounds;
  BRepTools::UVBounds(face, bounds.u0, bounds.u1, bounds.v0, bounds.v1);
  if (const auto s = Handle(Geom_SurfaceOfLinearExtrusion)::DownCast(surface);
      !s.IsNull() && write_extrusion(out, *s, bounds, unit))
    return {};
  if (const auto s = Handle(Geom_SurfaceOfRevolution)::DownCast(surface);
      !s.IsNull() && write_turned(out, *s, bounds, unit))
    return {};
  Handle(Geom_BSplineSurface) spline = Handle(Geom_BSplineSurface)::DownCast(surface);
  if (spline.IsNull() && !Handle(Geom_BezierSurface)::DownCast(surface).IsNull())
    spline = GeomConvert::SurfaceToBSplineSurface(surface);
  if (spline.IsNull())
    throw Unusable{
        std::string("a face lies on a surface of the kind ") + surface->DynamicType()->Name(),
        "planes, cylinders, cones, spheres, tori, extrusions and splines"};
  write_spline_surface(out, spline, unit);
  return {};
}

/// A sphere seen from the point opposite to the middle of a face: circles become circles.
class Chart {
 public:
  Chart(const gp_Sphere& sphere, const gp_Dir& middle)
      : center_(sphere.Location()), radius_(sphere.Radius()), frame_(center_, middle) {}

  Point2 place(const gp_Pnt& p) const {
    const gp_XYZ d = local((p.XYZ() - center_.XYZ()) / radius_);
    return {2.0 * d.X() / (1.0 + d.Z()), 2.0 * d.Y() / (1.0 + d.Z())};
  }
  /// The circle's image from its point at t0 over half-way to t1; false where it is no circle here.
  bool write_circle(JsonText& out, const gp_Circ& circle, double t0, double t1) const {
    const gp_XYZ n = local(circle.Axis().Direction().XYZ());
    const double d =
        (circle.Location().XYZ() - center_.XYZ()).Dot(circle.Axis().Direction().XYZ()) / radius_;
    const double whole = n.Z() + d;
    const Point2 from = place(ElCLib::Value(t0, circle)), to = place(ElCLib::Value(t1, circle));
    const Point2 half = place(ElCLib::Value(0.5 * (t0 + t1), circle));
    if (std::fabs(whole) < kSame) {
      write_line(out, from, to);
      return true;
    }
    const Point2 c{2.0 * n.X() / whole, 2.0 * n.Y() / whole};
    const double square = 4.0 * (n.Z() - d) / whole + c.u * c.u + c.v * c.v;
    if (!(square > 0.0)) return false;
    const double r = std::sqrt(square);
    const auto angle = [&](const Point2& p) { return std::atan2(p.v - c.v, p.u - c.u); };
    const double begin = angle(from), turn = 2.0 * M_PI;
    const auto ahead = [&](double a) { return a < 0.0 ? a + turn : a; };
    const bool full = std::fabs(std::fabs(t1 - t0) - turn) < kSame;
    // counter-clockwise: the half-way point comes before the end
    const double middle = ahead(angle(half) - begin);
    const double end = full ? turn : ahead(angle(to) - begin);
    const bool ccw =
        full ? ahead(angle(place(ElCLib::Value(t0 + 0.25 * (t1 - t0), circle))) - begin) < middle
             : middle < end;
    write_arc(out, c, {r, 0.0}, {0.0, r}, begin,
              ccw ? begin + end : begin + end - turn - (full ? turn : 0.0));
    return true;
  }
  gp_Ax3 frame() const { return frame_; }

 private:
  gp_XYZ local(const gp_XYZ& d) const {
    return {d.Dot(frame_.XDirection().XYZ()), d.Dot(frame_.YDirection().XYZ()),
            d.Dot(frame_.Direction().XYZ())};
  }
  gp_Pnt center_;
  double radius_;
  gp_Ax3 frame_;
};

/// A face of a sphere that circles bound, without poles; false where it is not such a face.
bool write_round_face(JsonText& out, const TopoDS_Face& face, const gp_Sphere& sphere,
                      double unit) {
  GProp_GProps area;
  BRepGProp::SurfaceProperties(face, area);
  const gp_XYZ middle = area.CentreOfMass().XYZ() - sphere.Location().XYZ();
  if (!(middle.Modulus() > kNoMiddle * sphere.Radius())) return false;
  const Chart chart(sphere, gp_Dir(middle));
  // the point opposite to the middle lies outside, unless the face is nearly all of the sphere;
  // were it inside, the volume would tell
  constexpr double kMostShare = 0.9;
  if (area.Mass() > kMostShare * sphere.Area()) return false;
  // seams and poles are no bounds of the face
  JsonText loops;
  loops.open('[');
  int count = 0;
  for (TopoDS_Iterator wires(face); wires.More(); wires.Next()) {
    std::vector<LoopEdge> bounds;
    for (const LoopEdge& at : edges_of(TopoDS::Wire(wires.Value()), face))
      if (!BRep_Tool::Degenerated(at.edge) && !BRep_Tool::IsClosed(at.edge, face))
        bounds.push_back(at);
    if (bounds.empty()) continue;
    ++count;
    loops.open('[');
    for (const LoopEdge& at : bounds) {
      double first = 0.0, last = 0.0;
      const auto circle =
          Handle(Geom_Circle)::DownCast(bare(BRep_Tool::Curve(at.edge, first, last)));
      if (circle.IsNull()) return false;
      if (!chart.write_circle(loops, circle->Circ(), at.backwards ? last : first,
                              at.backwards ? first : last))
        return false;
    }
    loops.close(']');
  }
  loops.close(']');
  if (count != 1) return false;
  out.open('{').key("surface").open('{');
  write_frame(out, "sphere_chart", chart.frame(), unit);
  out.key("radius").value(unit * sphere.Radius()).close('}');
  out.key("loops").raw(loops.text());
  out.close('}');
  return true;
}

void write_face(JsonText& out, const TopoDS_Face& given, double unit) {
  const TopoDS_Face face = TopoDS::Face(given.Oriented(TopAbs_FORWARD));
  const Handle(Geom_Surface) surface = bare(BRep_Tool::Surface(face));
  const auto sphere = Handle(Geom_SphericalSurface)::DownCast(surface);
  if (!sphere.IsNull() && write_round_face(out, face, sphere->Sphere(), unit)) return;
  const auto plane = Handle(Geom_Plane)::DownCast(surface);
  out.open('{').key("surface").open('{');
  const Scale scale = write_surface(out, face, surface, unit);
  out.close('}').key("loops").open('[');
  const TopoDS_Wire outer = BRepTools::OuterWire(face);
  const auto write_loop = [&](const TopoDS_Wire& wire) {
    out.open('[');
    for (const LoopEdge& at : edges_of(wire, face))
      if (!(plane.IsNull() ? write_parameter_line(out, face, surface, at, scale)
                           : write_on_plane(out, plane->Pln(), at, unit)))
        write_given(out, at.edge, face, at.backwards, scale);
    out.close(']');
  };
  write_loop(outer);
  for (TopoDS_Iterator wires(face); wires.More(); wires.Next())
    if (!wires.Value().IsSame(outer)) write_loop(TopoDS::Wire(wires.Value()));
  out.close(']').close('}');
}

}  // namespace

void write_faces(const TopoDS_Shape& solid, double unit, JsonText& out) {
  out.open('[');
  for (TopExp_Explorer it(solid, TopAbs_FACE); it.More(); it.Next())
    write_face(out, TopoDS::Face(it.Current()), unit);
  out.close(']');
}

}  // namespace cad
