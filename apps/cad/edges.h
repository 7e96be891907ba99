#pragma once

#include <vector>

#include <Geom2d_Curve.hxx>
#include <Geom_Curve.hxx>
#include <Geom_Surface.hxx>
#include <TopoDS_Edge.hxx>
#include <TopoDS_Face.hxx>
#include <TopoDS_Wire.hxx>
#include <gp_Pln.hxx>

#include "json.h"
#include "unusable.h"

namespace cad {

/// Places on the unit sphere nearer than this are one; so are angles, rad.
inline constexpr double kSame = 1e-9;

struct Point2 {
  double u, v;
};

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

void write(JsonText& out, const Point2& p);
void write(JsonText& out, const gp_XYZ& p);
void write_line(JsonText& out, const Point2& from, const Point2& to);
/// center + a cos t + b sin t, t from t0 to t1.
void write_arc(JsonText& out, const Point2& center, const Point2& a, const Point2& b, double t0,
               double t1);
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

/// What lies under cuts to a part of the parameters.
Handle(Geom_Surface) bare(const Handle(Geom_Surface) & surface);
Handle(Geom_Curve) bare(const Handle(Geom_Curve) & curve);
Handle(Geom2d_Curve) bare(const Handle(Geom2d_Curve) & curve);

/// The edges of a loop, one after the other. Throws Unusable where they are not one closed way.
std::vector<LoopEdge> edges_of(const TopoDS_Wire& wire, const TopoDS_Face& face);

/// The curve that the file gives in the surface's parameters.
void write_given(JsonText& out, const TopoDS_Edge& edge, const TopoDS_Face& face, bool backwards,
                 const Scale& scale);
/// On a plane the space curve itself tells, exactly; false where it is of no such kind.
bool write_on_plane(JsonText& out, const gp_Pln& plane, const LoopEdge& at, double unit);
/// A line or circle in space that is a parameter line of its surface: exactly so, where the file
/// may have only a spline near it. False where it is none.
bool write_parameter_line(JsonText& out, const TopoDS_Face& face,
                          const Handle(Geom_Surface) & surface, const LoopEdge& at,
                          const Scale& scale);

}  // namespace cad
