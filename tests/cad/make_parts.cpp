// make_parts FOLDER: writes the CAD files of the tests, each made here with OpenCASCADE.
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakePolygon.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepFilletAPI_MakeFillet.hxx>
#include <BRepOffsetAPI_ThruSections.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCone.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRepPrimAPI_MakeRevol.hxx>
#include <BRepPrimAPI_MakeSphere.hxx>
#include <BRepPrimAPI_MakeTorus.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <GeomAPI_PointsToBSpline.hxx>
#include <Geom_BSplineCurve.hxx>
#include <IGESControl_Writer.hxx>
#include <TColgp_Array1OfPnt.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <gp_Circ.hxx>

#include "parts.h"

namespace {

using parts::cut;
using parts::cylinder;
using parts::fuse;
using parts::Placed;
using parts::shifted;
using parts::write_step;

/// A foot and a wall, a hole in each.
TopoDS_Shape bracket() {
  const TopoDS_Shape foot = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), gp_Pnt(60, 40, 8)).Shape();
  const TopoDS_Shape wall = BRepPrimAPI_MakeBox(gp_Pnt(0, 0, 0), gp_Pnt(8, 40, 50)).Shape();
  const TopoDS_Shape across =
      BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(-1, 20, 32), gp::DX()), 6.0, 10.0).Shape();
  return cut(cut(fuse(foot, wall), cylinder(40, 20, -1, 5.0, 10.0)), across);
}

/// A round head on a shank.
TopoDS_Shape bolt() {
  return fuse(cylinder(0, 0, -12, 4.9, 12.0), cylinder(0, 0, 0, 9.0, 6.0));
}

/// A plate with a slot with round ends, through and through.
TopoDS_Shape slotted() {
  const TopoDS_Shape plate = BRepPrimAPI_MakeBox(gp_Pnt(-40, -20, 0), gp_Pnt(40, 20, 10)).Shape();
  const TopoDS_Shape middle = BRepPrimAPI_MakeBox(gp_Pnt(-15, -6, -1), gp_Pnt(15, 6, 11)).Shape();
  const TopoDS_Shape slot =
      fuse(fuse(middle, cylinder(-15, 0, -1, 6.0, 12.0)), cylinder(15, 0, -1, 6.0, 12.0));
  return cut(plate, slot);
}

/// A block with half a ball taken out of its top.
TopoDS_Shape socket() {
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(gp_Pnt(-20, -20, -20), gp_Pnt(20, 20, 0)).Shape();
  return cut(block, BRepPrimAPI_MakeSphere(gp_Pnt(0, 0, 0), 12.0).Shape());
}

TopoDS_Shape ball(double radius) {
  return BRepPrimAPI_MakeSphere(radius).Shape();
}

TopoDS_Shape shell_without_a_face(const TopoDS_Shape& solid) {
  TopoDS_Compound out;
  BRep_Builder builder;
  TopoDS_Shell shell;
  TopoDS_Solid open;
  builder.MakeShell(shell);
  builder.MakeSolid(open);
  bool first = true;
  for (TopExp_Explorer it(solid, TopAbs_FACE); it.More(); it.Next()) {
    if (!first) builder.Add(shell, it.Current());
    first = false;
  }
  builder.Add(open, shell);
  return open;
}

/// A vase: a spline turned about z, closed by discs.
TopoDS_Shape vase() {
  TColgp_Array1OfPnt points(1, 5);
  points(1) = gp_Pnt(10, 0, 0);
  points(2) = gp_Pnt(16, 0, 10);
  points(3) = gp_Pnt(12, 0, 20);
  points(4) = gp_Pnt(9, 0, 30);
  points(5) = gp_Pnt(13, 0, 40);
  const Handle(Geom_BSplineCurve) profile = GeomAPI_PointsToBSpline(points, 3, 8, GeomAbs_C2, 1e-9);
  BRepBuilderAPI_MakeWire wire;
  wire.Add(BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 0), gp_Pnt(10, 0, 0)));
  wire.Add(BRepBuilderAPI_MakeEdge(profile));
  wire.Add(BRepBuilderAPI_MakeEdge(gp_Pnt(13, 0, 40), gp_Pnt(0, 0, 40)));
  wire.Add(BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 40), gp_Pnt(0, 0, 0)));
  return BRepPrimAPI_MakeRevol(BRepBuilderAPI_MakeFace(wire.Wire()).Face(), gp::OZ()).Shape();
}

/// A wavy outline pushed upwards.
TopoDS_Shape cookie() {
  TColgp_Array1OfPnt points(1, 6);
  points(1) = gp_Pnt(-20, 0, 0);
  points(2) = gp_Pnt(-10, 8, 0);
  points(3) = gp_Pnt(0, 5, 0);
  points(4) = gp_Pnt(8, 9, 0);
  points(5) = gp_Pnt(15, 6, 0);
  points(6) = gp_Pnt(20, 0, 0);
  const Handle(Geom_BSplineCurve) top = GeomAPI_PointsToBSpline(points, 3, 8, GeomAbs_C2, 1e-9);
  BRepBuilderAPI_MakeWire wire;
  wire.Add(BRepBuilderAPI_MakeEdge(top));
  wire.Add(BRepBuilderAPI_MakeEdge(gp_Pnt(20, 0, 0), gp_Pnt(0, -15, 0)));
  wire.Add(BRepBuilderAPI_MakeEdge(gp_Pnt(0, -15, 0), gp_Pnt(-20, 0, 0)));
  return BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(wire.Wire()).Face(), gp_Vec(0, 0, 7))
      .Shape();
}

TopoDS_Shape filleted() {
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(30.0, 20.0, 10.0).Shape();
  BRepFilletAPI_MakeFillet fillet(block);
  for (TopExp_Explorer it(block, TopAbs_EDGE); it.More(); it.Next())
    fillet.Add(2.0, TopoDS::Edge(it.Current()));
  return fillet.Shape();
}

/// Two cylinders that pierce each other square: their seam is no simple curve.
TopoDS_Shape tee() {
  const TopoDS_Shape across =
      BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(0, 0, 20), gp::DX()), 6.0, 25.0).Shape();
  return fuse(cylinder(0, 0, 0, 10.0, 40.0), across);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  const gp_Trsf here;
  const std::vector<Placed> primitives{
      {"ball", ball(7.0), shifted(0, 0, 7)},
      {"box", BRepPrimAPI_MakeBox(10.0, 20.0, 30.0).Shape(), shifted(20, 0, 0)},
      {"cylinder", cylinder(0, 0, 0, 5.0, 12.0), shifted(50, 0, 0)},
      {"cone", BRepPrimAPI_MakeCone(8.0, 0.0, 15.0).Shape(), shifted(70, 0, 0)},
      {"frustum", BRepPrimAPI_MakeCone(8.0, 3.0, 10.0).Shape(), shifted(90, 0, 0)},
      {"torus", BRepPrimAPI_MakeTorus(10.0, 3.0).Shape(), shifted(120, 0, 3)},
      {"wedge",
       BRepPrimAPI_MakePrism(
           BRepBuilderAPI_MakeFace(
               BRepBuilderAPI_MakePolygon(gp_Pnt(0, 0, 0), gp_Pnt(10, 0, 0), gp_Pnt(0, 0, 8), true)
                   .Wire())
               .Face(),
           gp_Vec(0, 12, 0))
           .Shape(),
       shifted(150, 0, 0)}};
  write_step(folder + "primitives.step", primitives, "MM");
  write_step(folder + "primitives-inch.stp", primitives, "INCH");
  write_step(folder + "bracket.step",
             {{"bracket", bracket(), here}, {"bolt", bolt(), shifted(40, 20, 8.5)}}, "MM");
  write_step(folder + "slot.step",
             {{"plate", slotted(), here}, {"pin", cylinder(0, 0, 0, 5.0, 30.0), shifted(3, 0, 0)}},
             "MM");
  write_step(folder + "socket.step",
             {{"socket", socket(), here}, {"ball", ball(10.0), shifted(1, 0.5, -1)}}, "M");
  write_step(folder + "filleted.step", {{"block", filleted(), here}}, "MM");
  write_step(folder + "cookie.step", {{"cookie", cookie(), here}}, "MM");
  write_step(folder + "vase.step", {{"vase", vase(), here}}, "MM");
  write_step(folder + "tee.step", {{"tee", tee(), here}}, "MM");
  write_step(folder + "hollow.step", {{"hollow", cut(ball(10.0), ball(8.0)), here}}, "MM");
  write_step(
      folder + "open.step",
      {{"lidless", shell_without_a_face(BRepPrimAPI_MakeBox(10.0, 20.0, 30.0).Shape()), here}},
      "MM");
  BRepTools::Write(socket(), (folder + "socket.brep").c_str());
  IGESControl_Writer iges("MM", 1);
  iges.AddShape(bolt());
  iges.Write((folder + "bolt.igs").c_str());
  parts::write_machines(folder);
  return 0;
}
