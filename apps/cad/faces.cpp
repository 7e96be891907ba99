#include "faces.h"

#include <cmath>
#include <vector>

#include <BRepGProp.hxx>
#include <BRepTools.hxx>
#include <BRep_Tool.hxx>
#include <ElCLib.hxx>
#include <GProp_GProps.hxx>
#include <Geom_Circle.hxx>
#include <Geom_Plane.hxx>
#include <Geom_SphericalSurface.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Iterator.hxx>
#include <TopoDS_Wire.hxx>
#include <gp_Circ.hxx>
#include <gp_Sphere.hxx>

#include "surfaces.h"

namespace cad {
namespace {

/// A middle nearer to the centre than this share of the radius names no direction.
constexpr double kNoMiddle = 1e-3;

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
