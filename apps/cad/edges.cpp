#include "edges.h"

#include <algorithm>
#include <cmath>

#include <BRepTools_WireExplorer.hxx>
#include <BRep_Tool.hxx>
#include <ElSLib.hxx>
#include <Geom2dConvert.hxx>
#include <Geom2d_BSplineCurve.hxx>
#include <Geom2d_Circle.hxx>
#include <Geom2d_Ellipse.hxx>
#include <Geom2d_Line.hxx>
#include <Geom2d_TrimmedCurve.hxx>
#include <GeomConvert.hxx>
#include <Geom_BSplineCurve.hxx>
#include <Geom_BezierCurve.hxx>
#include <Geom_Circle.hxx>
#include <Geom_ConicalSurface.hxx>
#include <Geom_CylindricalSurface.hxx>
#include <Geom_Ellipse.hxx>
#include <Geom_Line.hxx>
#include <Geom_RectangularTrimmedSurface.hxx>
#include <Geom_SphericalSurface.hxx>
#include <Geom_ToroidalSurface.hxx>
#include <Geom_TrimmedCurve.hxx>
#include <TopoDS_Iterator.hxx>

namespace cad {
namespace {

template <class Cut, class Bare>
Bare uncut(Bare given, Bare (Cut::*basis)() const) {
  for (auto cut = opencascade::handle<Cut>::DownCast(given); !cut.IsNull();
       cut = opencascade::handle<Cut>::DownCast(given))
    given = ((*cut).*basis)();
  return given;
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

}  // namespace

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

}  // namespace cad
