// Scenes of USD: UsdGeom and UsdPhysics,
// https://openusd.org/release/api/usd_physics_page_front.html
#include "usda.h"

#include <cmath>

#include <fmt/format.h>

#include "usda_shapes.h"
#include "usda_xform.h"

namespace repose::handover {

namespace {

/// What USD takes where a file says nothing.
constexpr double kMetersPerUnit = 0.01;
constexpr const char* kUpAxis = "Y";
constexpr double kEarth = 9.81;                       // m/s^2
constexpr double kLeastUnit = 1e-9, kMostUnit = 1e9;  // m

/// Types that say nothing to a scene at rest.
bool is_silent(const std::string& type) {
  static const std::set<std::string> kSilent{"",
                                             "Scope",
                                             "Xform",
                                             "Material",
                                             "Shader",
                                             "NodeGraph",
                                             "Camera",
                                             "GeomSubset",
                                             "PhysicsScene",
                                             "PhysicsCollisionGroup",
                                             "RenderSettings",
                                             "RenderProduct",
                                             "RenderVar",
                                             "Backdrop"};
  return kSilent.contains(type) || type.ends_with("Light");
}
bool is_joint(const std::string& type) {
  return type.starts_with("Physics") && type.ends_with("Joint");
}

class UsdFile final : public GraphFile {
 public:
  UsdFile(std::string text, const std::string& file, Notes& notes)
      : stage(std::move(text), file, notes) {}
  std::string with_moves(const std::vector<NodeMove>& moves) const override {
    return usda_with_moves(stage, graph, prim_of, moves);
  }

  UsdStage stage;
  std::vector<int> prim_of;  // by node
};

class UsdReader {
 public:
  UsdReader(UsdFile& file, Model& model) : file_(file), stage_(file.stage), model_(model) {}

  void run() {
    units();
    find_physics();
    nodes();
    joints();
    gravity();
    file_.graph.place_nodes();
  }

 private:
  Graph& graph() { return file_.graph; }

  double number(const UsdPrim& prim, const std::string& name, double otherwise) const {
    const auto found = prim.value(name);
    return found ? usd_numbers(found->layer(), found->range, 1, 1).at(0) : otherwise;
  }
  std::string word(const UsdPrim& prim, const std::string& name,
                   const std::string& otherwise) const {
    const auto found = prim.value(name);
    if (!found) return otherwise;
    const auto texts = usd_texts(found->layer(), found->range);
    return texts.empty() ? otherwise : texts[0];
  }
  bool truth(const UsdPrim& prim, const std::string& name, bool otherwise) const {
    const auto found = prim.value(name);
    return found ? usd_truth(found->layer(), found->range) : otherwise;
  }

  // units and axes

  static double unit_of(const UsdLayer& layer, const UsdRange& value) {
    const auto numbers = usd_numbers(layer, value, 1, 1);
    if (numbers.size() == 1 && numbers[0] >= kLeastUnit && numbers[0] <= kMostUnit)
      return numbers[0];
    throw Refused{
        layer.error(value.begin, "", "no unit of length",
                    fmt::format("metersPerUnit from {:g} to {:g}", kLeastUnit, kMostUnit))};
  }
  void units() {
    unit_ = kMetersPerUnit;
    std::string up = kUpAxis;
    if (const auto said = stage_.meta("metersPerUnit"))
      unit_ = unit_of(*said->first, said->second);
    else
      model_.remarks.push_back(
          fmt::format("the file says no metersPerUnit: {:g}, as USD has it", kMetersPerUnit));
    if (const auto said = stage_.meta("upAxis")) {
      const auto texts = usd_texts(*said->first, said->second);
      up = texts.empty() ? "" : texts[0];
      if (up != "Y" && up != "Z")
        throw Refused{said->first->error(said->second.begin, "", "no axis that points up",
                                         "upAxis = \"Y\" or \"Z\"")};
    } else {
      model_.remarks.push_back("the file says no upAxis: Y, as USD has it");
    }
    Mat3 turn = Mat3::Identity();
    if (up == "Y") turn << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    graph().world_from_file.linear() = unit_ * turn;
    for (const UsdLayer* other : stage_.others())
      if (const UsdMeta* said = other->specs[0].meta("metersPerUnit"))
        if (unit_of(*other, said->value) != unit_)
          model_.notes.add(TextSpot{other, said->value.begin, ""},
                           "another metersPerUnit of a file that is referred to, as USD does not "
                           "use it either");
  }

  // physics

  void find_physics() {
    for (const UsdPrim& prim : stage_.prims()) {
      if (!prim.defined() || prim.abstract()) continue;
      const auto schemas = prim.schemas();
      if (schemas.contains("PhysicsRigidBodyAPI") || schemas.contains("PhysicsCollisionAPI"))
        graph().physics = true;
    }
  }
  void gravity() {
    model_.gravity = Vec3(0.0, 0.0, -kEarth);
    for (const UsdPrim& prim : stage_.prims()) {
      if (prim.type() != "PhysicsScene" || !prim.defined()) continue;
      Vec3 down = Vec3::Zero();
      if (const auto said = prim.value("physics:gravityDirection")) {
        const auto n = usd_numbers(said->layer(), said->range, 3, 1);
        if (n.size() == 3) down = graph().world_from_file.linear() * Vec3(n[0], n[1], n[2]) / unit_;
      }
      double strength = kEarth;
      // -inf: that of the earth
      if (const auto said = prim.value("physics:gravityMagnitude"))
        if (!said->layer().bytes(said->range).ends_with("inf")) {
          const auto n = usd_numbers(said->layer(), said->range, 1, 1);
          if (n.size() == 1 && n[0] >= 0.0) strength = n[0] * unit_;
        }
      if (down.norm() > 0.0) down.normalize();
      model_.gravity = strength * (down.norm() > 0.0 ? down : Vec3(0.0, 0.0, -1.0));
      return;
    }
  }

  // nodes

  void nodes() {
    const auto& prims = stage_.prims();
    node_of_.assign(prims.size(), -1);
    for (std::size_t i = 0; i < prims.size(); ++i) {
      const UsdPrim& prim = prims[i];
      const int parent = prim.parent;
      if (parent >= 0 && node_of_[static_cast<std::size_t>(parent)] < 0) continue;
      if (!prim.defined() || prim.abstract()) {
        if (!prim.abstract()) model_.notes.add(prim.spot(), "overs of what is nowhere defined");
        continue;
      }
      add_node(prim, parent < 0 ? -1 : node_of_[static_cast<std::size_t>(parent)]);
      node_of_[i] = static_cast<int>(graph().nodes.size()) - 1;
      file_.prim_of.push_back(static_cast<int>(i));
    }
  }
  void add_node(const UsdPrim& prim, int parent) {
    GraphNode node;
    node.name = prim.name;
    node.path = prim.path.substr(1);
    node.parent = parent;
    node.at = prim.spot();
    const std::string type = prim.type();
    const bool shape = is_usd_shape(type);
    if (shape || type == "Xform" || type == "SkelRoot" || type == "PointInstancer") {
      const UsdXform xform = xform_of(prim);
      node.parent_from_node = xform.map();
      node.in_world = xform.reset;
      for (const UsdOp& op : xform.ops)
        if (op.said->sampled) model_.notes.add(op.said->spot(prim.path), "motion in time");
    }
    if (const auto kind = prim.meta("kind")) {
      const auto texts = usd_texts(*kind->first->layer, kind->second->value);
      const std::string word = texts.empty() ? "" : texts[0];
      node.whole = word == "component";
      node.bundle = word == "group" || word == "assembly";
    }
    if (parent >= 0) {
      const GraphNode& above = graph().nodes[static_cast<std::size_t>(parent)];
      node.friction = above.friction;
      node.density = above.density;
    }
    const bool within = parent >= 0 && in_instance_[static_cast<std::size_t>(parent)];
    in_instance_.push_back(within || prim.flag("instanceable", false));
    if (within) node.no_slot = "it stands within an instance, which has no place for its pose";
    physics_of(prim, node);
    if (shape)
      add_shape(prim, type, node);
    else if (!is_silent(type) && !is_joint(type))
      model_.notes.add(prim.spot(), type);
    graph().nodes.push_back(std::move(node));
  }
  void add_shape(const UsdPrim& prim, const std::string& type, GraphNode& node) {
    if (!graph().physics) {
      const std::string purpose = word(prim, "purpose", "default");
      if (purpose == "guide" || purpose == "proxy") {
        model_.notes.add(prim.spot(), "shapes of purpose " + purpose);
        return;
      }
      if (is_hidden(prim)) {
        model_.notes.add(prim.spot(), "invisible shapes");
        return;
      }
    }
    GraphShape shape;
    shape.at = prim.spot();
    if (type == "Mesh") {
      const auto mesh = graph().meshes.size();
      graph().meshes.push_back(usd_mesh(prim, model_.notes));
      graph().mesh_names.push_back(prim.name);
      GraphShape::Triangles triangles{mesh, false};
      const std::string how = word(prim, "physics:approximation", "none");
      triangles.hull = how == "convexHull";
      if (how != "none" && how != "convexHull")
        model_.notes.add(prim.spot(), fmt::format("approximation {}: the triangles count", how));
      shape.what = triangles;
    } else {
      usd_shape(prim, type, shape);
    }
    node.shapes.push_back(std::move(shape));
  }
  bool is_hidden(const UsdPrim& prim) const {
    for (const UsdPrim* at = &prim;;) {
      if (word(*at, "visibility", "inherited") == "invisible") return true;
      if (at->parent < 0) return false;
      at = &stage_.prims()[static_cast<std::size_t>(at->parent)];
    }
  }

  void physics_of(const UsdPrim& prim, GraphNode& node) {
    const auto schemas = prim.schemas();
    if (schemas.contains("PhysicsRigidBodyAPI") && truth(prim, "physics:rigidBodyEnabled", true))
      node.role = truth(prim, "physics:kinematicEnabled", false) ? GraphNode::Role::held
                                                                 : GraphNode::Role::moving;
    node.collides =
        schemas.contains("PhysicsCollisionAPI") && truth(prim, "physics:collisionEnabled", true);
    if (schemas.contains("PhysicsMassAPI")) masses(prim, node);
    friction_of(prim, node);
    for (const std::string& schema : schemas) {
      static const std::set<std::string> kUsed{
          "PhysicsRigidBodyAPI",       "PhysicsCollisionAPI", "PhysicsMassAPI",
          "PhysicsMeshCollisionAPI",   "PhysicsMaterialAPI",  "MaterialBindingAPI",
          "PhysicsArticulationRootAPI"};
      const bool moves = schema.starts_with("Physics") || schema.starts_with("Physx");
      if (moves && !kUsed.contains(schema)) model_.notes.add(prim.spot(), schema);
    }
  }
  void masses(const UsdPrim& prim, GraphNode& node) const {
    const double kilograms = kilograms_per_unit();
    if (const double mass = number(prim, "physics:mass", 0.0); mass > 0.0)
      node.mass = mass * kilograms;
    if (const double density = number(prim, "physics:density", 0.0); density > 0.0)
      node.density = density * kilograms / std::pow(unit_, 3);
    const auto said = prim.value("physics:centerOfMass");
    if (!said || said->layer().bytes(said->range).find("inf") != std::string_view::npos) return;
    const auto n = usd_numbers(said->layer(), said->range, 3, 1);
    if (n.size() == 3) node.center = Vec3(n[0], n[1], n[2]);
  }
  double kilograms_per_unit() const {
    const auto said = stage_.meta("kilogramsPerUnit");
    if (!said) return 1.0;
    const auto n = usd_numbers(*said->first, said->second, 1, 1);
    return n.size() == 1 && n[0] > 0.0 ? n[0] : 1.0;
  }
  void friction_of(const UsdPrim& prim, GraphNode& node) const {
    for (const char* binding : {"material:binding:physics", "material:binding"})
      for (const std::string& target : prim.targets(binding)) {
        const int found = stage_.find(target);
        if (found < 0) continue;
        const UsdPrim& material = stage_.prims()[static_cast<std::size_t>(found)];
        if (!material.schemas().contains("PhysicsMaterialAPI")) continue;
        const double friction = number(material, "physics:staticFriction",
                                       number(material, "physics:dynamicFriction", 0.0));
        if (friction >= 0.0) node.friction = friction;
        return;
      }
  }

  void joints() {
    const auto& prims = stage_.prims();
    for (std::size_t i = 0; i < prims.size(); ++i) {
      const UsdPrim& prim = prims[i];
      if (node_of_[i] < 0 || !is_joint(prim.type())) continue;
      if (!truth(prim, "physics:jointEnabled", true)) {
        model_.notes.add(prim.spot(), "joints that are not enabled");
        continue;
      }
      GraphJoint joint;
      joint.rigid = prim.type() == "PhysicsFixedJoint";
      joint.node_a = end_of(prim, "physics:body0");
      joint.node_b = end_of(prim, "physics:body1");
      graph().joints.push_back(joint);
    }
  }
  int end_of(const UsdPrim& joint, const std::string& name) const {
    for (const std::string& target : joint.targets(name)) {
      const int found = stage_.find(target);
      if (found < 0 || node_of_[static_cast<std::size_t>(found)] < 0)
        Where(joint.spot())
            .refuse(fmt::format("{} names <{}>, which is not there", name, target),
                    "the path of a prim");
      return node_of_[static_cast<std::size_t>(found)];
    }
    return -1;
  }

  UsdFile& file_;
  const UsdStage& stage_;
  Model& model_;
  double unit_ = 1.0;              // m
  std::vector<int> node_of_;       // by prim; -1: none
  std::vector<bool> in_instance_;  // by node: an instance, or below one
};

}  // namespace

void read_usd(std::string text, const std::string& file, Model& model, const OpenOptions& options) {
  model.format = Format::usda;
  auto made = std::make_shared<UsdFile>(std::move(text), file, model.notes);
  UsdReader(*made, model).run();
  make_bodies(made->graph, model, options);
  model.graph = made;
}

}  // namespace repose::handover
