#include "document.h"

#include <algorithm>
#include <cctype>
#include <functional>

#include <BRepBuilderAPI_MakeSolid.hxx>
#include <BRepBuilderAPI_Sewing.hxx>
#include <BRepBuilderAPI_Transform.hxx>
#include <BRepLib.hxx>
#include <BRepTools.hxx>
#include <BRep_Builder.hxx>
#include <IGESCAFControl_Reader.hxx>
#include <IGESControl_Writer.hxx>
#include <Interface_Static.hxx>
#include <STEPCAFControl_Reader.hxx>
#include <STEPCAFControl_Writer.hxx>
#include <StepData_StepModel.hxx>
#include <TDF_LabelSequence.hxx>
#include <TDataStd_Name.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <TopoDS_Compound.hxx>
#include <TopoDS_Iterator.hxx>
#include <TransferBRep.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XCAFApp_Application.hxx>
#include <XCAFDoc_DocumentTool.hxx>
#include <XCAFDoc_ShapeTool.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

#include "faces.h"

namespace cad {
namespace {

constexpr int kDeepest = 64;
constexpr std::size_t kMostBodies = 20000;

enum class Kind { step, iges, brep };

Kind kind_of(const std::string& path) {
  std::string ending = path.substr(path.find_last_of('.') + 1);
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == "step" || ending == "stp") return Kind::step;
  if (ending == "iges" || ending == "igs") return Kind::iges;
  if (ending == "brep") return Kind::brep;
  throw Unusable{"the ending ." + ending + " is none of a CAD file",
                 ".step, .stp, .iges, .igs or .brep"};
}

/// UTF-8.
std::string name_of(const TDF_Label& label) {
  Handle(TDataStd_Name) name;
  if (!label.FindAttribute(TDataStd_Name::GetID(), name)) return {};
  const TCollection_AsciiString text(name->Get());
  return text.ToCString();
}
TCollection_ExtendedString from_utf8(const std::string& text) {
  return TCollection_ExtendedString(text.c_str(), true);
}

/// Names the entity of a STEP file that became a shape.
using PlaceOf = std::function<std::string(const TopoDS_Shape&)>;

bool is_rigid(const gp_Trsf& t) {
  constexpr double kRounding = 1e-12;
  return !t.IsNegative() && std::fabs(t.ScaleFactor() - 1.0) <= kRounding;
}

/// Walks assemblies down to their solids.
class Walk {
 public:
  Walk(Document& document, PlaceOf place_of)
      : document_(document), place_of_(std::move(place_of)) {}

  void run() {
    const auto tool = XCAFDoc_DocumentTool::ShapeTool(document_.xcaf->Main());
    TDF_LabelSequence free;
    tool->GetFreeShapes(free);
    for (const TDF_Label& label : free) descend(label, gp_Trsf(), name_of(label), 0);
    if (loose_ > 0)
      document_.notes.push_back(std::to_string(loose_) + " surfaces or curves that bound no solid");
  }

 private:
  void descend(const TDF_Label& label, const gp_Trsf& world, const std::string& name, int depth) {
    if (depth > kDeepest)
      throw Unusable{"assemblies lie more than 64 deep in one another", "fewer, and no circle"};
    if (!XCAFDoc_ShapeTool::IsAssembly(label)) {
      add_solids(XCAFDoc_ShapeTool::GetShape(label), world, name);
      return;
    }
    TDF_LabelSequence parts;
    XCAFDoc_ShapeTool::GetComponents(label, parts);
    for (const TDF_Label& part : parts) {
      TDF_Label referred;
      if (!XCAFDoc_ShapeTool::GetReferredShape(part, referred)) continue;
      const gp_Trsf here = world * XCAFDoc_ShapeTool::GetLocation(part).Transformation();
      std::string own = name_of(part);
      const std::string product = name_of(referred);
      // writers that name no instance put a number or an arrow here
      const bool number = own.find_first_not_of("0123456789") == std::string::npos;
      if (number || own.find("=>") == 0 || own.find("NAUO") == 0) own = product;
      if (own.empty()) own = "part";
      descend(referred, here, own, depth + 1);
    }
  }

  void add_solids(const TopoDS_Shape& shape, const gp_Trsf& world, const std::string& name) {
    std::vector<TopoDS_Shape> solids;
    for (TopExp_Explorer it(shape, TopAbs_SOLID); it.More(); it.Next())
      solids.push_back(it.Current());
    for (TopExp_Explorer it(shape, TopAbs_FACE, TopAbs_SOLID); it.More(); it.Next()) ++loose_;
    for (TopExp_Explorer it(shape, TopAbs_EDGE, TopAbs_FACE); it.More(); it.Next()) ++loose_;
    for (std::size_t i = 0; i < solids.size(); ++i) {
      if (document_.bodies.size() >= kMostBodies)
        throw Unusable{"more than 20000 solids", "fewer solids in one file"};
      Body body;
      body.name = solids.size() == 1 ? name : name + "-" + std::to_string(i + 1);
      if (body.name.empty()) body.name = "solid";
      body.world = world * solids[i].Location().Transformation();
      body.solid = solids[i].Located(TopLoc_Location());
      if (!is_rigid(body.world)) {
        body.solid = BRepBuilderAPI_Transform(body.solid, body.world, true).Shape();
        body.world = gp_Trsf();
      }
      if (place_of_) body.place = place_of_(solids[i]);
      document_.bodies.push_back(std::move(body));
    }
  }

  Document& document_;
  PlaceOf place_of_;
  int loose_ = 0;
};

Handle(TDocStd_Document) fresh() {
  Handle(TDocStd_Document) out;
  XCAFApp_Application::GetApplication()->NewDocument("MDTV-XCAF", out);
  return out;
}

/// Faces that are sewn nowhere become solids where they close.
TopoDS_Shape with_solids(const TopoDS_Shape& shape) {
  if (TopExp_Explorer(shape, TopAbs_SOLID).More()) return shape;
  BRepBuilderAPI_Sewing sewing;
  sewing.Add(shape);
  sewing.Perform();
  TopoDS_Compound out;
  BRep_Builder builder;
  builder.MakeCompound(out);
  bool any = false;
  for (TopExp_Explorer it(sewing.SewedShape(), TopAbs_SHELL); it.More(); it.Next()) {
    if (!it.Current().Closed() && !BRep_Tool::IsClosed(it.Current())) continue;
    TopoDS_Solid solid = BRepBuilderAPI_MakeSolid(TopoDS::Shell(it.Current())).Solid();
    BRepLib::OrientClosedSolid(solid);
    builder.Add(out, solid);
    any = true;
  }
  if (any) return out;
  return shape;
}

Document from_shape(const TopoDS_Shape& shape, const std::string& name) {
  Document out;
  out.xcaf = fresh();
  const auto tool = XCAFDoc_DocumentTool::ShapeTool(out.xcaf->Main());
  const TDF_Label label = tool->AddShape(with_solids(shape), false);
  TDataStd_Name::Set(label, from_utf8(name));
  Walk(out, {}).run();
  return out;
}

std::string stem(const std::string& path) {
  const std::string file = path.substr(path.find_last_of('/') + 1);
  return file.substr(0, file.find_last_of('.'));
}

Document read_step(const std::string& path) {
  Document out;
  out.xcaf = fresh();
  STEPCAFControl_Reader reader;
  reader.SetNameMode(true);
  reader.SetColorMode(false);
  reader.SetLayerMode(false);
  if (reader.ReadFile(path.c_str()) != IFSelect_RetDone)
    throw Unusable{"this is no STEP file that can be read", "an ISO 10303-21 file, whole"};
  if (!reader.Transfer(out.xcaf))
    throw Unusable{"the STEP file holds no shape", "a product with solids"};
  const auto session = reader.ChangeReader().WS();
  const auto model = Handle(StepData_StepModel)::DownCast(session->Model());
  const auto transfers = session->TransferReader();
  Walk(out, [&](const TopoDS_Shape& shape) -> std::string {
    const auto entity = transfers->EntityFromShapeResult(shape, 1);
    if (entity.IsNull() || model.IsNull()) return {};
    return "#" + std::to_string(model->IdentLabel(entity));
  }).run();
  return out;
}

Document read_iges(const std::string& path) {
  IGESControl_Reader reader;
  if (reader.ReadFile(path.c_str()) != IFSelect_RetDone)
    throw Unusable{"this is no IGES file that can be read", "an IGES 5.3 file, whole"};
  reader.TransferRoots();
  const TopoDS_Shape shape = reader.OneShape();
  if (shape.IsNull()) throw Unusable{"the IGES file holds no shape", "solids or closed surfaces"};
  return from_shape(shape, stem(path));
}

Document read_brep(const std::string& path) {
  TopoDS_Shape shape;
  BRep_Builder builder;
  if (!BRepTools::Read(shape, path.c_str(), builder) || shape.IsNull())
    throw Unusable{"this is no BREP file that can be read", "a shape written by OpenCASCADE"};
  return from_shape(shape, stem(path));
}

/// All solids, each moved by its own motion.
TopoDS_Shape rebuilt(const Document& document, const std::vector<const gp_Trsf*>& motions) {
  TopoDS_Compound out;
  BRep_Builder builder;
  builder.MakeCompound(out);
  for (std::size_t i = 0; i < document.bodies.size(); ++i) {
    const Body& body = document.bodies[i];
    const gp_Trsf motion = motions[i] != nullptr ? *motions[i] : gp_Trsf();
    builder.Add(out, body.solid.Located(TopLoc_Location(motion * body.world)));
  }
  return out;
}

/// One assembly of all bodies, each by its name and in its new place; equal solids are one part.
Handle(TDocStd_Document)
    assembly_of(const Document& document, const std::vector<const gp_Trsf*>& motions) {
  const Handle(TDocStd_Document) out = fresh();
  const auto tool = XCAFDoc_DocumentTool::ShapeTool(out->Main());
  const TDF_Label whole = tool->NewShape();
  TDataStd_Name::Set(whole, "assembly");
  for (std::size_t i = 0; i < document.bodies.size(); ++i) {
    const Body& body = document.bodies[i];
    const TCollection_ExtendedString name = from_utf8(body.name);
    const TDF_Label part = tool->AddShape(body.solid, false);
    TDataStd_Name::Set(part, name);
    const gp_Trsf motion = motions[i] != nullptr ? *motions[i] : gp_Trsf();
    TDataStd_Name::Set(tool->AddComponent(whole, part, TopLoc_Location(motion * body.world)), name);
  }
  tool->UpdateAssemblies();
  return out;
}

}  // namespace

Document read_document(const std::string& path) {
  switch (kind_of(path)) {
    case Kind::step:
      return read_step(path);
    case Kind::iges:
      return read_iges(path);
    case Kind::brep:
      break;
  }
  return read_brep(path);
}

void write_document(const Document& document, const std::vector<Moved>& moved,
                    const std::string& path) {
  std::vector<const gp_Trsf*> motions(document.bodies.size(), nullptr);
  for (const Moved& m : moved) motions.at(m.body) = &m.motion;
  const Kind kind = kind_of(path);
  if (kind == Kind::brep) {
    if (!BRepTools::Write(rebuilt(document, motions), path.c_str()))
      throw Unusable{"the file could not be written", "a place that can be written to"};
    return;
  }
  if (kind == Kind::iges) {
    IGESControl_Writer writer("MM", 1);
    writer.AddShape(rebuilt(document, motions));
    if (!writer.Write(path.c_str()))
      throw Unusable{"the file could not be written", "a place that can be written to"};
    return;
  }
  STEPCAFControl_Writer writer;
  writer.SetNameMode(true);
  if (!writer.Transfer(assembly_of(document, motions)) ||
      writer.Write(path.c_str()) != IFSelect_RetDone)
    throw Unusable{"the file could not be written", "a place that can be written to"};
}

}  // namespace cad
