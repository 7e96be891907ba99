#include "surfaces.h"

#include <cmath>

#include <BRepTools.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BSplineSurface.hxx>
#include <Geom_BezierCurve.hxx>
#include <Geom_BezierSurface.hxx>
#include <Geom_ConicalSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_Line.hxx>
#include <Geom_Plane.hxx>
#include <Geom_SphericalSurface.hxx>
#include <Geom_SurfaceOfLinearExtrusion.hxx>
#include <Geom_SurfaceOfRevolution.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <TColStd_Array1OfInteger.hxx>
#include <TColStd_Array1OfReal.hxx>
#include <TColgp_Array1OfPnt.hxx>

namespace cad {
namespace {

/// Surfaces without end are written this much beyond what their face needs, as a share of it.
constexpr double kMargin = 0.01;

/// Parameters that a face needs of its surface.
struct Bounds {
  double u0 = 0.0, u1 = 0.0, v0 = 0.0, v1 = 0.0;
};

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

}  // namespace

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

}  // namespace cad
