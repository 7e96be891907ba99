#include <cmath>
#include <numbers>

#include <BRepAlgoAPI_Cut.hxx>
#include <BRepAlgoAPI_Fuse.hxx>
#include <BRepBuilderAPI_MakeEdge.hxx>
#include <BRepBuilderAPI_MakeFace.hxx>
#include <BRepBuilderAPI_MakeWire.hxx>
#include <BRepPrimAPI_MakeBox.hxx>
#include <BRepPrimAPI_MakeCylinder.hxx>
#include <BRepPrimAPI_MakePrism.hxx>
#include <BRep_Builder.hxx>
#include <Interface_Static.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <TDataStd_Name.hxx>
#include <TDocStd_Document.hxx>
#include <TopoDS_Compound.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>

#include "parts.h"

namespace parts {

gp_Trsf shifted(double x, double y, double z) {
  gp_Trsf out;
  out.SetTranslation(gp_Vec(x, y, z));
  return out;
}

TopoDS_Shape cylinder(double x, double y, double z, double radius, double height) {
  return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(x, y, z), gp::DZ()), radius, height).Shape();
}

TopoDS_Shape cut(const TopoDS_Shape& from, const TopoDS_Shape& what) {
  return BRepAlgoAPI_Cut(from, what).Shape();
}
TopoDS_Shape fuse(const TopoDS_Shape& a, const TopoDS_Shape& b) {
  return BRepAlgoAPI_Fuse(a, b).Shape();
}

void write_step(const std::string& path, const std::vector<Placed>& parts, const char* unit) {
  Handle(TDocStd_Document) document;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", document);
  const auto tool = XCAFDoc_DocumentTool::ShapeTool(document->Main());
  BRep_Builder builder;
  TopoDS_Compound none;
  builder.MakeCompound(none);
  const TDF_Label whole = tool->NewShape();
  TDataStd_Name::Set(whole, "assembly");
  for (const Placed& p : parts) {
    const TDF_Label part = tool->AddShape(p.shape, false);
    TDataStd_Name::Set(part, p.name);
    const TDF_Label at = tool->AddComponent(whole, part, TopLoc_Location(p.at));
    TDataStd_Name::Set(at, p.name);
  }
  tool->UpdateAssemblies();
  Interface_Static::SetCVal("write.step.unit", unit);
  STEPCAFControl_Writer writer;
  writer.SetNameMode(true);
  writer.Transfer(document);
  writer.Write(path.c_str());
}

namespace {

constexpr double kPi = std::numbers::pi;

gp_Trsf turned(double angle, double x, double y, double z) {
  gp_Trsf out;
  out.SetRotation(gp_Ax1(gp::Origin(), gp::DZ()), angle);
  out.SetTranslationPart(gp_Vec(x, y, z));
  return out;
}

/// With `count` holes on a circle about z.
TopoDS_Shape with_ring_of_holes(TopoDS_Shape solid, int count, double circle, double radius,
                                double height) {
  for (int k = 0; k < count; ++k) {
    const double turn = 2.0 * kPi * k / count;
    solid = cut(solid, cylinder(circle * std::cos(turn), circle * std::sin(turn), -1.0, radius,
                                height + 2.0));
  }
  return solid;
}

/// A disc with a bore and five holes, a neck above.
TopoDS_Shape flange() {
  const TopoDS_Shape body = fuse(cylinder(0, 0, 0, 50.0, 10.0), cylinder(0, 0, 10, 28.0, 20.0));
  const TopoDS_Shape bored = cut(body, cylinder(0, 0, -1, 20.0, 40.0));
  return with_ring_of_holes(bored, 5, 38.0, 5.0, 10.0);
}

/// Eight holes along the rim of a plate.
TopoDS_Shape cover() {
  TopoDS_Shape out = BRepPrimAPI_MakeBox(gp_Pnt(-60, -40, 0), gp_Pnt(60, 40, 6)).Shape();
  for (const double x : {-52.0, 0.0, 52.0})
    for (const double y : {-32.0, 0.0, 32.0})
      if (x != 0.0 || y != 0.0) out = cut(out, cylinder(x, y, -1, 3.3, 8.0));
  return out;
}

/// A trough with a wide rim that carries eight threaded holes.
TopoDS_Shape housing() {
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(gp_Pnt(-60, -40, 0), gp_Pnt(60, 40, 30)).Shape();
  const TopoDS_Shape room = BRepPrimAPI_MakeBox(gp_Pnt(-44, -24, 5), gp_Pnt(44, 24, 31)).Shape();
  TopoDS_Shape out = cut(block, room);
  for (const double x : {-52.0, 0.0, 52.0})
    for (const double y : {-32.0, 0.0, 32.0})
      if (x != 0.0 || y != 0.0) out = cut(out, cylinder(x, y, 18, 2.5, 14.0));
  return out;
}

/// A block with a bore along x and a foot with two holes.
TopoDS_Shape bearing() {
  const TopoDS_Shape foot = BRepPrimAPI_MakeBox(gp_Pnt(-15, -45, 0), gp_Pnt(15, 45, 10)).Shape();
  const TopoDS_Shape block = BRepPrimAPI_MakeBox(gp_Pnt(-15, -25, 0), gp_Pnt(15, 25, 30)).Shape();
  const TopoDS_Shape round =
      BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(-15, 0, 30), gp::DX()), 25.0, 30.0).Shape();
  const TopoDS_Shape bore =
      BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(-20, 0, 30), gp::DX()), 12.0, 40.0).Shape();
  TopoDS_Shape out = cut(fuse(fuse(foot, block), round), bore);
  for (const double y : {-36.0, 36.0}) out = cut(out, cylinder(0, y, -1, 4.5, 12.0));
  return out;
}

/// Two journals and a shoulder, along x.
TopoDS_Shape shaft() {
  const auto along_x = [](double from, double radius, double length) {
    return BRepPrimAPI_MakeCylinder(gp_Ax2(gp_Pnt(from, 0, 0), gp::DX()), radius, length).Shape();
  };
  return fuse(fuse(along_x(-30, 11.9, 50), along_x(20, 16.0, 12)), along_x(32, 11.9, 20));
}

/// A wheel of straight teeth with a bore and six holes.
TopoDS_Shape gear(int teeth) {
  BRepBuilderAPI_MakeWire wire;
  std::vector<gp_Pnt> outline;
  for (int k = 0; k < teeth; ++k)
    for (const auto& [share, radius] :
         {std::pair{-0.30, 36.0}, {-0.14, 42.0}, {0.14, 42.0}, {0.30, 36.0}}) {
      const double turn = 2.0 * kPi * (k + share) / teeth;
      outline.emplace_back(radius * std::cos(turn), radius * std::sin(turn), 0.0);
    }
  for (std::size_t i = 0; i < outline.size(); ++i)
    wire.Add(BRepBuilderAPI_MakeEdge(outline[i], outline[(i + 1) % outline.size()]));
  const TopoDS_Shape disc =
      BRepPrimAPI_MakePrism(BRepBuilderAPI_MakeFace(wire.Wire()).Face(), gp_Vec(0, 0, 8)).Shape();
  return with_ring_of_holes(cut(disc, cylinder(0, 0, -1, 8.0, 10.0)), 6, 22.0, 5.0, 8.0);
}

/// A head with a shank below, its seat at z = 0.
TopoDS_Shape screw(double shank, double length, double head) {
  return fuse(cylinder(0, 0, -length, shank, length), cylinder(0, 0, 0, head, 0.6 * head));
}

TopoDS_Shape bracket_with_two_holes() {
  const TopoDS_Shape foot = BRepPrimAPI_MakeBox(gp_Pnt(0, -30, 0), gp_Pnt(60, 30, 8)).Shape();
  const TopoDS_Shape wall = BRepPrimAPI_MakeBox(gp_Pnt(0, -30, 0), gp_Pnt(8, 30, 50)).Shape();
  TopoDS_Shape out = fuse(foot, wall);
  for (const double y : {-18.0, 18.0}) out = cut(out, cylinder(40, y, -1, 5.0, 10.0));
  return out;
}

}  // namespace

void write_machines(const std::string& folder) {
  const gp_Trsf here;
  gp_Trsf over;
  over.SetRotation(gp_Ax1(gp::Origin(), gp::DX()), kPi);
  write_step(folder + "flanges.step",
             {{"lower", flange(), over}, {"upper", flange(), turned(0.2, 0.3, 0.2, 0.4)}}, "MM");
  write_step(folder + "flange-on-flange.step",
             {{"lower", flange(), over}, {"upper", flange(), here}}, "MM");
  write_step(folder + "bolted.step",
             {{"bracket", bracket_with_two_holes(), here},
              {"left", screw(4.5, 12.0, 9.0), shifted(40.1, 18, 8.3)},
              {"right", screw(4.5, 12.0, 9.0), shifted(40, -17.9, 8.4)}},
             "MM");
  write_step(folder + "cover.step",
             {{"housing", housing(), here}, {"cover", cover(), shifted(0.1, 0.2, 30.3)}}, "MM");
  write_step(folder + "shaft.step",
             {{"bearing", bearing(), here}, {"shaft", shaft(), shifted(-4, 0, 30)}}, "MM");
  write_step(folder + "gears.step",
             {{"lower", gear(20), here}, {"upper", gear(20), turned(0.1, 3, 2, 8.3)}}, "MM");
}

}  // namespace parts
