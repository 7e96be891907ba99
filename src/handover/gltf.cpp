// Scenes of glTF 2.0 and of its extension KHR_physics_rigid_bodies.
#include "gltf.h"

#include <cstring>
#include <map>

#include <fmt/format.h>

#include "repose/shape/gltf_scene.h"

#include "json_patch.h"

namespace repose::handover {

namespace {

constexpr const char* kBodies = "KHR_physics_rigid_bodies";
constexpr const char* kShapes = "KHR_implicit_shapes";
// a GLB file: magic, version, length; then length, type and bytes of each chunk
constexpr std::size_t kHeader = 12, kChunkHeader = 8, kWord = 4;

std::optional<JsonView> below(const std::optional<JsonView>& object, const char* key) {
  if (!object || object->kind() != JsonKind::object) return std::nullopt;
  return object->find(key);
}
std::optional<JsonView> extension(JsonView at, const char* name) {
  return below(at.find("extensions"), name);
}
double number_in(const std::optional<JsonView>& object, const char* key, double otherwise) {
  const auto found = below(object, key);
  if (!found) return otherwise;
  if (found->kind() != JsonKind::number) refuse(*found, "not a number", "a number");
  return found->number();
}
bool truth_in(const std::optional<JsonView>& object, const char* key) {
  const auto found = below(object, key);
  return found && found->kind() == JsonKind::boolean && found->boolean();
}
std::optional<Vec3> vector_in(const std::optional<JsonView>& object, const char* key) {
  const auto found = below(object, key);
  if (!found) return std::nullopt;
  std::vector<double> out;
  if (found->kind() == JsonKind::array)
    found->each([&](JsonView n) {
      if (n.kind() == JsonKind::number) out.push_back(n.number());
      return out.size() < 4;
    });
  if (out.size() != 3 || found->size() != 3) refuse(*found, "not three numbers", "[x, y, z]");
  return Vec3(out[0], out[1], out[2]);
}
std::vector<JsonView> list_in(const std::optional<JsonView>& holder, const char* name) {
  std::vector<JsonView> out;
  if (const auto list = below(holder, name); list && list->kind() == JsonKind::array)
    list->each([&](JsonView element) {
      out.push_back(element);
      return true;
    });
  return out;
}
/// The place in a list that a member tells; nothing where there is no such member.
std::optional<std::size_t> index_in(const std::optional<JsonView>& by, const char* key,
                                    std::size_t count) {
  const auto index = below(by, key);
  if (!index) return std::nullopt;
  const auto number = index->integer();
  if (!number || *number < 0 || static_cast<std::size_t>(*number) >= count)
    refuse(*index, "there is no such one", "an index below " + std::to_string(count));
  return static_cast<std::size_t>(*number);
}

class GltfFile final : public GraphFile {
 public:
  GltfFile(std::string bytes_, const shape::GltfScene& scene)
      : bytes(std::move(bytes_)), json(scene.json) {
    for (const auto& node : scene.nodes) at.push_back(node.at);
  }
  std::string with_moves(const std::vector<NodeMove>& moves) const override {
    TextPatch patch;
    for (const NodeMove& move : moves) write(at[move.node], move, patch);
    return packed(patch.text(json->text()));
  }

  std::string bytes;
  std::shared_ptr<const JsonDocument> json;
  std::vector<JsonView> at;  // by node

 private:
  void write(JsonView node, const NodeMove& move, TextPatch& patch) const {
    const GraphNode& old = graph.nodes[move.node];
    const bool matrix = node.find("matrix").has_value();
    if (!matrix && move.rigid()) {
      const Vec3 place = move.by * Vec3(old.parent_from_node.translation());
      const Quat before = rotation_of(node);
      const Quat turn = (Quat(Mat3(move.by.linear())) * before).normalized();
      set_member(node, "translation", list_text({place.x(), place.y(), place.z()}), {}, patch);
      if (turn.vec() != Vec3::Zero() || node.find("rotation"))
        set_member(node, "rotation", list_text({turn.x(), turn.y(), turn.z(), turn.w()}), {},
                   patch);
      return;
    }
    const Eigen::Matrix4d now = (move.by * old.parent_from_node).matrix();
    const std::vector<std::string> instead{"translation", "rotation", "scale"};
    set_member(node, "matrix", list_text({now.data(), now.data() + now.size()}), instead, patch);
    std::vector<std::string> rest;
    for (const std::string& name : instead)
      if (node.find(name) && (matrix || !rest.empty() || name != first_of(node, instead)))
        rest.push_back(name);
    drop_members(node, rest, patch);
  }
  static std::string first_of(JsonView node, const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (node.find(name)) return name;
    return "";
  }
  static Quat rotation_of(JsonView node) {
    std::vector<double> r;
    if (const auto said = node.find("rotation"))
      said->each([&](JsonView n) {
        r.push_back(n.number());
        return true;
      });
    return r.size() == 4 ? Quat(r[3], r[0], r[1], r[2]).normalized() : Quat::Identity();
  }
  /// The JSON alone, or in the place of the old one in a GLB file.
  std::string packed(std::string text) const {
    if (!bytes.starts_with("glTF")) return text;
    while (text.size() % kWord != 0) text += ' ';
    const auto old = static_cast<std::size_t>(word_at(kHeader));
    std::string out =
        bytes.substr(0, kHeader + kChunkHeader) + text + bytes.substr(kHeader + kChunkHeader + old);
    put_word(out, 2 * kWord, out.size());
    put_word(out, kHeader, text.size());
    return out;
  }
  std::uint32_t word_at(std::size_t byte) const {
    std::uint32_t out = 0;
    std::memcpy(&out, bytes.data() + byte, sizeof out);
    return out;
  }
  static void put_word(std::string& out, std::size_t byte, std::size_t value) {
    const auto word = static_cast<std::uint32_t>(value);
    std::memcpy(out.data() + byte, &word, sizeof word);
  }
};

class GltfReader {
 public:
  GltfReader(GltfFile& file, shape::GltfScene& scene, Model& model)
      : graph_(file.graph), scene_(scene), root_(scene.json->root()), model_(model) {}

  void run() {
    // y up, metres
    graph_.world_from_file.linear() << 1, 0, 0, 0, 0, -1, 0, 1, 0;
    graph_.physics = has_bodies();
    const auto meshes = list_in(root_, "meshes");
    for (std::size_t i = 0; i < scene_.meshes.size(); ++i) {
      graph_.mesh_names.push_back(name_of(meshes[i], "mesh", i));
      graph_.meshes.push_back(std::move(scene_.meshes[i]));
    }
    nodes_ = list_in(root_, "nodes");
    shapes_ = list_in(extension(root_, kShapes), "shapes");
    materials_ = list_in(extension(root_, kBodies), "physicsMaterials");
    for (std::size_t i = 0; i < scene_.nodes.size(); ++i) add_node(i);
    add_joints();
    graph_.place_nodes();
    list_unused();
  }

 private:
  bool has_bodies() const {
    for (const auto& node : scene_.nodes)
      if (extension(node.at, kBodies)) return true;
    return false;
  }
  static std::string name_of(JsonView at, const char* otherwise, std::size_t number) {
    const auto name = at.find("name");
    const bool given = name && name->kind() == JsonKind::text && !name->text().empty();
    return given ? name->text() : fmt::format("{}-{}", otherwise, number);
  }
  void add_node(std::size_t i) {
    const auto& from = scene_.nodes[i];
    GraphNode node;
    node.name = name_of(from.at, "node", from.number);
    node.parent = from.parent;
    node.path = from.parent < 0
                    ? node.name
                    : graph_.nodes[static_cast<std::size_t>(from.parent)].path + "/" + node.name;
    node.parent_from_node = from.parent_from_node;
    node.at = from.at;
    if (from.at.find("skin")) model_.notes.add(from.at, "skins: meshes stand as they are modelled");
    if (extension(from.at, "EXT_mesh_gpu_instancing"))
      model_.notes.add(from.at, "EXT_mesh_gpu_instancing");
    const bool has_triangles = from.mesh && !graph_.meshes[*from.mesh].triangles.empty();
    if (graph_.physics)
      physics_of(from.at, node);
    else if (has_triangles)
      node.shapes.push_back({GraphShape::Triangles{*from.mesh, false}, {}, from.at});
    if (from.mesh && !has_triangles) model_.notes.add(from.at, "points and lines");
    graph_.nodes.push_back(std::move(node));
  }

  // physics

  void physics_of(JsonView at, GraphNode& node) {
    const auto body = extension(at, kBodies);
    if (!body) return;
    if (const auto motion = below(body, "motion")) {
      node.role = truth_in(motion, "isKinematic") ? GraphNode::Role::held : GraphNode::Role::moving;
      const double mass = number_in(motion, "mass", 0.0);
      if (mass > 0.0) node.mass = mass;
      node.center = vector_in(motion, "centerOfMass");
    }
    if (const auto collider = below(body, "collider")) {
      node.collides = true;
      if (const auto material = index_in(collider, "physicsMaterial", materials_.size()))
        node.friction = number_in(materials_[*material], "staticFriction", node.friction);
      collider_of(*collider, node);
    }
    if (const auto found = below(body, "trigger")) model_.notes.add(*found, "triggers");
    if (const auto joint = below(body, "joint")) {
      const auto other = index_in(joint, "connectedNode", nodes_.size());
      joints_.emplace_back(graph_.nodes.size(), other);
    }
  }
  void collider_of(JsonView collider, GraphNode& node) {
    const auto geometry = below(collider, "geometry");
    if (!geometry) refuse(collider, "a collider without geometry", "\"geometry\": {...}");
    GraphShape shape;
    shape.at = *geometry;
    if (const auto number = index_in(geometry, "shape", shapes_.size())) {
      implicit(shapes_[*number], shape);
      node.shapes.push_back(std::move(shape));
      return;
    }
    // the mesh of a node, as a rule of the same one
    const auto other = index_in(geometry, "node", nodes_.size());
    const auto index = index_in(other ? nodes_[*other] : geometry, "mesh", graph_.meshes.size());
    if (!index || graph_.meshes[*index].triangles.empty())
      refuse(*geometry, "a collider without a shape or a mesh of the scene",
             "\"shape\": its index, or \"node\": that of a node with a mesh");
    shape.what = GraphShape::Triangles{*index, truth_in(geometry, "convexHull")};
    node.shapes.push_back(std::move(shape));
  }
  static void implicit(JsonView at, GraphShape& shape) {
    const auto type = at.find("type");
    const std::string kind = type && type->kind() == JsonKind::text ? type->text() : "";
    const auto fields = at.find(kind);
    // theirs stand along y
    shape.node_from_shape.rotation = Quat(0.5, -0.5, -0.5, -0.5);
    if (kind == "sphere") {
      shape.what = shape::BallInput{number_in(fields, "radius", 0.5)};
    } else if (kind == "box") {
      shape.node_from_shape = {};
      shape.what = shape::BoxInput{vector_in(fields, "size").value_or(Vec3::Ones())};
    } else if (kind == "capsule" || kind == "cylinder") {
      const double height = number_in(fields, "height", 0.5);
      const double top = number_in(fields, "radiusTop", 0.25);
      if (top != number_in(fields, "radiusBottom", 0.25))
        refuse(at, "two radii of one shape are not read", "radiusTop as radiusBottom");
      if (kind == "capsule")
        shape.what = shape::CapsuleInput{top, height};
      else
        shape.what = shape::CylinderInput{top, height};
    } else if (kind == "plane") {
      shape.what = HalfSpaceSpec{};
    } else {
      refuse(at, "a shape that is not read", "sphere, box, capsule, cylinder or plane");
    }
  }

  /// None of them is known to be rigid: both ends are held.
  void add_joints() {
    std::map<std::size_t, int> place;  // by number in the file
    for (std::size_t i = 0; i < scene_.nodes.size(); ++i)
      place[scene_.nodes[i].number] = static_cast<int>(i);
    for (const auto& [node, other] : joints_) {
      GraphJoint joint;
      joint.node_a = static_cast<int>(node);
      if (other && place.contains(*other)) joint.node_b = place.at(*other);
      graph_.joints.push_back(joint);
    }
  }

  void list_unused() {
    for (const char* what : {"animations", "skins"})
      if (const auto found = root_.find(what); found && found->size() > 0)
        model_.notes.add(*found, what);
    if (const auto scenes = root_.find("scenes"); scenes && scenes->size() > 1)
      model_.notes.add(*scenes, "scenes beside the one that is shown");
    for (std::size_t i = 0; i < scene_.nodes.size(); ++i)
      if (graph_.physics && scene_.nodes[i].mesh && graph_.nodes[i].shapes.empty())
        model_.notes.add(scene_.nodes[i].at, "shapes that do not collide");
  }

  Graph& graph_;
  shape::GltfScene& scene_;
  JsonView root_;
  Model& model_;
  std::vector<JsonView> nodes_, shapes_, materials_;
  std::vector<std::pair<std::size_t, std::optional<std::size_t>>> joints_;  // a node and another
};

}  // namespace

void read_gltf(std::string bytes, const std::string& file, Model& model,
               const OpenOptions& options) {
  model.format = Format::gltf;
  auto scene = shape::read_gltf_scene(file, bytes);
  if (!scene) throw Refused{scene.error()};
  if (scene->nodes.empty()) refuse(scene->json->root(), "the file holds no nodes", "a scene");
  auto made = std::make_shared<GltfFile>(std::move(bytes), *scene);
  GltfReader(*made, *scene, model).run();
  make_bodies(made->graph, model, options);
  model.graph = made;
}

}  // namespace repose::handover
