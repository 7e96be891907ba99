// What moves and what stands in a scene graph, and the shapes of both.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "repose/base/disjoint_sets.h"

#include "graph.h"
#include "meshes.h"

namespace repose::handover {

namespace {

/// Scales that differ by less are the same, over their size: files hold single precision.
constexpr double kSameScale = 1e-7;
/// Stretches of one mesh that differ by less differ by rounding.
constexpr double kSameStretch = 1e-12;
constexpr std::size_t kMostNamed = 5;  // names in a remark

bool alike(double a, double b) {
  return std::abs(a - b) <= kSameScale * std::max(std::abs(a), std::abs(b));
}

class Bodies {
 public:
  Bodies(const Graph& graph, Model& model, const OpenOptions& options)
      : graph_(graph), model_(model), options_(options), meshes_(model, options) {
    children_.resize(graph.nodes.size());
    for (std::size_t n = 0; n < graph.nodes.size(); ++n)
      if (graph.nodes[n].parent >= 0)
        children_[static_cast<std::size_t>(graph.nodes[n].parent)].push_back(n);
    find_geometry();
  }

  void run() {
    model_.groups.push_back(Group("world", Where()));
    if (graph_.physics)
      by_physics();
    else
      by_objects();
    check_shapes();
    name_groups();
  }

 private:
  const GraphNode& node(std::size_t n) const { return graph_.nodes[n]; }

  void check_shapes() const {
    for (const Group& group : model_.groups)
      if (!group.pieces.empty()) return;
    InputError error;
    error.file = model_.files.main();
    error.wrong = "the file holds no shape that is read";
    error.right = "a mesh or a primitive";
    throw Refused{error};
  }

  // shapes

  std::size_t new_group(std::size_t n) {
    Group group(node(n).name, node(n).at);
    group.world_from_group = split(node(n).world_from_node).pose;
    group.nodes = {n};
    group.no_slot = node(n).no_slot;
    model_.groups.push_back(std::move(group));
    return model_.groups.size() - 1;
  }
  void add_shapes(std::size_t n, std::size_t g) {
    for (const GraphShape& shape : node(n).shapes) {
      const Affine world_from_shape =
          node(n).world_from_node * Affine(Eigen::Translation3d(shape.node_from_shape.position) *
                                           shape.node_from_shape.rotation);
      if (!(std::abs(world_from_shape.linear().determinant()) > 0.0))
        refuse(shape.at, "a scale of zero", "a scale that leaves volume");
      Split parts = split(world_from_shape);
      Piece piece;
      piece.name = node(n).name;
      piece.at = shape.at;
      piece.friction = node(n).friction;
      if (node(n).density) piece.density = *node(n).density;
      if (node(n).role == GraphNode::Role::plain) piece.mass = node(n).mass;
      piece.shape =
          std::visit([&](const auto& what) { return scaled(what, parts, shape.at); }, shape.what);
      check_place(parts.pose.position, shape.at);
      piece.group_from_piece = model_.groups[g].world_from_group.inverse() * parts.pose;
      model_.groups[g].pieces.push_back(std::move(piece));
    }
  }
  static void check_place(const Vec3& place, const Where& at) {
    if (!(place.cwiseAbs().maxCoeff() <= kFarthestPlace))
      refuse(at, "it stands too far away", fmt::format("within {:g} m", kFarthestPlace));
  }
  static double length(double value, const Where& at) {
    if (!(value >= kLeastLength && value <= kFarthestPlace))
      refuse(at, fmt::format("a length of {:g} m", value),
             fmt::format("{:g} to {:g} m", kLeastLength, kFarthestPlace));
    return value;
  }
  /// Stretches along the axes; refused: a shear.
  static Vec3 along_axes(const Split& parts, const Where& at) {
    const Vec3 out = parts.stretch.diagonal();
    Mat3 rest = parts.stretch;
    rest.diagonal().setZero();
    if (rest.cwiseAbs().maxCoeff() > kSameScale * out.cwiseAbs().maxCoeff())
      refuse(at, "a sheared shape is not read", "a scale along its own axes, or a mesh");
    return out.cwiseAbs();
  }
  /// The scale across z, which must be one.
  static double across(const Vec3& s, const Where& at) {
    if (!alike(s.x(), s.y()))
      refuse(at, "a round shape that is scaled to an oval is not read",
             "one scale across its axis, or a mesh");
    return s.x();
  }

  static ShapeUse scaled(const shape::BallInput& in, Split& parts, const Where& at) {
    const Vec3 s = in.radius * along_axes(parts, at);
    for (int k = 0; k < 3; ++k) length(s[k], at);
    if (alike(s.x(), s.y()) && alike(s.x(), s.z())) return use_of(shape::BallInput{s.x()});
    return use_of(shape::EllipsoidInput{s});
  }
  static ShapeUse scaled(const shape::BoxInput& in, Split& parts, const Where& at) {
    const Vec3 s = in.size.cwiseProduct(along_axes(parts, at));
    for (int k = 0; k < 3; ++k) length(s[k], at);
    return use_of(shape::BoxInput{s});
  }
  static ShapeUse scaled(const shape::CylinderInput& in, Split& parts, const Where& at) {
    const Vec3 s = along_axes(parts, at);
    return use_of(
        shape::CylinderInput{length(in.radius * across(s, at), at), length(in.height * s.z(), at)});
  }
  static ShapeUse scaled(const shape::CapsuleInput& in, Split& parts, const Where& at) {
    const Vec3 s = along_axes(parts, at);
    if (!alike(s.z(), across(s, at)))
      refuse(at, "a capsule whose ends are scaled to ovals is not read", "one scale for all axes");
    return use_of(
        shape::CapsuleInput{length(in.radius * s.x(), at), length(in.height * s.z(), at)});
  }
  static ShapeUse scaled(const shape::ConeInput& in, Split& parts, const Where& at) {
    const Vec3 s = along_axes(parts, at);
    const double height = length(in.height * s.z(), at);
    // a mirror has turned all axes round: the tip points the other way
    if (parts.stretch(2, 2) < 0.0)
      parts.pose.rotation = parts.pose.rotation * Quat(0.0, 1.0, 0.0, 0.0);
    // ours stands on its base, theirs is centred
    parts.pose = parts.pose * Pose{{0.0, 0.0, -height / 2.0}, Quat::Identity()};
    return use_of(shape::ConeInput{length(in.radius * across(s, at), at), height, 0.0});
  }
  static ShapeUse scaled(const HalfSpaceSpec& in, Split&, const Where&) { return use_of(in); }
  ShapeUse scaled(const GraphShape::Triangles& in, Split& parts, const Where& at) {
    auto& known = stretches_[in.mesh];
    const auto same = [&](const Mat3& other) {
      return (other - parts.stretch).norm() <= kSameStretch * other.norm();
    };
    auto found = std::find_if(known.begin(), known.end(), same);
    if (found == known.end()) found = known.insert(known.end(), parts.stretch);
    const std::string key = fmt::format("{}\n{} {} {}", graph_.mesh_names[in.mesh], in.mesh,
                                        found - known.begin(), in.hull);
    shape::TriangleMesh mesh = graph_.meshes[in.mesh];
    for (Vec3& p : mesh.points) {
      p = *found * p;
      check_place(p, at);
    }
    if (found->determinant() < 0.0)
      for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    return meshes_.triangles(std::move(mesh), key, in.hull, at);
  }

  // files that say what moves

  void by_physics() {
    const std::size_t count = graph_.nodes.size();
    std::vector<int> body(count, -1);  // the node that carries each
    std::vector<char> collides(count, 0);
    bool any = false;
    for (std::size_t n = 0; n < count; ++n) {
      const int parent = node(n).parent;
      if (node(n).role != GraphNode::Role::plain)
        body[n] = static_cast<int>(n);
      else if (parent >= 0)
        body[n] = body[static_cast<std::size_t>(parent)];
      collides[n] = static_cast<char>(
          node(n).collides || (parent >= 0 && collides[static_cast<std::size_t>(parent)] != 0));
      any = any || (collides[n] != 0 && !node(n).shapes.empty());
    }
    if (!any) model_.remarks.emplace_back("nothing in the file collides: every shape counts");
    join_bodies(body);
    for (std::size_t n = 0; n < count; ++n) {
      if (node(n).shapes.empty()) continue;
      if (any && collides[n] == 0) {
        model_.notes.add(node(n).at, "shapes that do not collide");
        continue;
      }
      add_shapes(n, body[n] < 0 ? 0 : group_of_.at(static_cast<std::size_t>(body[n])));
    }
  }
  /// 0 is the world, node n is n + 1.
  void join_bodies(const std::vector<int>& body) {
    const auto set_of = [&](int n) { return n < 0 ? 0 : body[static_cast<std::size_t>(n)] + 1; };
    DisjointSets sets(static_cast<int>(graph_.nodes.size()) + 1);
    for (const GraphJoint& joint : graph_.joints)
      if (joint.rigid) sets.join(set_of(joint.node_a), set_of(joint.node_b));
    std::set<int> jointed;
    for (const GraphJoint& joint : graph_.joints)
      if (!joint.rigid)
        for (const int end : {joint.node_a, joint.node_b})
          jointed.insert(sets.name_of(set_of(end)));
    std::map<int, std::size_t> groups;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (node(n).role == GraphNode::Role::plain) continue;
      const int set = sets.name_of(static_cast<int>(n) + 1);
      const bool held = node(n).role == GraphNode::Role::held || set == sets.name_of(0);
      const auto known = groups.find(set);
      const std::size_t g = known == groups.end() ? new_group(n) : known->second;
      groups[set] = group_of_[n] = g;
      Group& group = model_.groups[g];
      if (known != groups.end())
        group.nodes.push_back(n);
      else
        group.free = true;
      group.free = group.free && !held && !jointed.contains(set);
      group.jointed = group.jointed || (jointed.contains(set) && !held);
      weigh(n, group);
    }
  }
  void weigh(std::size_t n, Group& group) const {
    if (!node(n).mass || !(*node(n).mass > 0.0)) return;
    const double before = group.mass.value_or(0.0), mass = *node(n).mass;
    group.mass = before + mass;
    if (!node(n).center) return;
    const Vec3 center =
        group.world_from_group.inverse() * Vec3(node(n).world_from_node * *node(n).center);
    group.center = (before * group.center.value_or(Vec3::Zero()) + mass * center) / *group.mass;
  }

  // files that do not

  void find_geometry() {
    shapes_below_.assign(graph_.nodes.size(), 0);
    for (std::size_t n = graph_.nodes.size(); n-- > 0;) {
      shapes_below_[n] += node(n).shapes.size();
      if (node(n).parent >= 0)
        shapes_below_[static_cast<std::size_t>(node(n).parent)] += shapes_below_[n];
    }
  }
  std::vector<std::size_t> with_shapes(const std::vector<std::size_t>& nodes) const {
    std::vector<std::size_t> out;
    for (const std::size_t n : nodes)
      if (shapes_below_[n] > 0) out.push_back(n);
    return out;
  }
  /// A frame that holds others, and is no object itself.
  bool holds_objects(std::size_t n, bool alone) const {
    if (node(n).whole || !node(n).shapes.empty()) return false;
    if (node(n).bundle) return true;
    const auto below = with_shapes(children_[n]);
    const bool pair =
        below.size() == 1 && children_[below[0]].empty() && !node(below[0]).shapes.empty();
    return alone && !pair;
  }
  /// The outermost nodes that are one object each: below frames that hold everything, and below
  /// those that the file calls bundles.
  std::vector<std::size_t> objects() const {
    std::vector<std::size_t> at;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n)
      if (node(n).parent < 0) at.push_back(n);
    at = with_shapes(at);
    while (true) {
      std::vector<std::size_t> next;
      bool changed = false;
      for (const std::size_t n : at) {
        if (!holds_objects(n, at.size() == 1)) {
          next.push_back(n);
          continue;
        }
        const auto below = with_shapes(children_[n]);
        next.insert(next.end(), below.begin(), below.end());
        changed = true;
      }
      if (!changed) return at;
      at = std::move(next);
    }
  }
  /// Nodes that --bodies names, wherever they stand: each is an object.
  std::vector<std::size_t> named() const {
    std::vector<std::size_t> out;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      const auto& wanted = options_.bodies;
      const bool asked = std::find(wanted.begin(), wanted.end(), node(n).name) != wanted.end() ||
                         std::find(wanted.begin(), wanted.end(), node(n).path) != wanted.end();
      // a frame and its shape often have one name: the frame is meant
      if (asked && shapes_below_[n] > 0 && !is_below(n, out)) out.push_back(n);
    }
    return out;
  }
  bool is_below(std::size_t n, const std::vector<std::size_t>& nodes) const {
    for (int at = static_cast<int>(n); at >= 0; at = node(static_cast<std::size_t>(at)).parent)
      if (std::find(nodes.begin(), nodes.end(), static_cast<std::size_t>(at)) != nodes.end())
        return true;
    return false;
  }
  void by_objects() {
    std::vector<std::size_t> roots = named();
    const auto asked = roots;
    for (const std::size_t n : objects())
      if (!is_below(n, asked)) roots.push_back(n);
    std::sort(roots.begin(), roots.end());
    root_of_.assign(graph_.nodes.size(), -1);
    for (const std::size_t n : roots) {
      root_of_[n] = static_cast<int>(new_group(n));
      model_.groups.back().free = true;
    }
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (root_of_[n] < 0 && node(n).parent >= 0)
        root_of_[n] = root_of_[static_cast<std::size_t>(node(n).parent)];
      if (!node(n).shapes.empty())
        add_shapes(n, root_of_[n] < 0 ? 0 : static_cast<std::size_t>(root_of_[n]));
    }
    if (asked.empty()) choose_standing();
  }
  bool is_open(const Piece& piece) const {
    if (piece.shape.spec) return std::holds_alternative<HalfSpaceSpec>(piece.shape.spec->what);
    const ShapeSpec* spec = model_.find_shape(piece.shape.name);
    const auto* mesh = spec == nullptr ? nullptr : std::get_if<MeshSpec>(&spec->what);
    return mesh != nullptr && mesh->open;
  }
  void choose_standing() {
    std::vector<std::string> standing;
    for (Group& group : model_.groups) {
      if (!group.free) continue;
      const bool open = std::any_of(group.pieces.begin(), group.pieces.end(),
                                    [&](const Piece& piece) { return is_open(piece); });
      if (!open) continue;
      group.free = false;
      standing.push_back(group.name);
    }
    if (!standing.empty()) {
      tell("open surfaces stand", standing);
      return;
    }
    if (options_.ground || model_.groups.size() <= 2) return;
    const auto areas = footprints();
    const auto widest = std::max_element(areas.begin() + 1, areas.end()) - areas.begin();
    Group& group = model_.groups[static_cast<std::size_t>(widest)];
    group.free = false;
    tell("the widest stands", {group.name});
  }
  void tell(const std::string& what, const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < kMostNamed; ++i)
      list += (i > 0 ? ", " : "") + names[i];
    if (names.size() > kMostNamed) list += fmt::format(" and {} more", names.size() - kMostNamed);
    model_.remarks.push_back(
        fmt::format("the file does not say what moves: {} ({}), the other {} move; --bodies NAME "
                    "says otherwise",
                    what, list, model_.groups.size() - 1 - names.size()));
  }
  /// Areas of the level boxes around the groups, m^2.
  std::vector<double> footprints() const {
    const Vec3 far = Vec3::Constant(kFarthestPlace);
    std::vector<Vec3> low(model_.groups.size(), far), high(model_.groups.size(), -far);
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n)
      for (const GraphShape& shape : node(n).shapes)
        for (const Vec3& p : corners(shape)) {
          const auto g = static_cast<std::size_t>(std::max(root_of_[n], 0));
          const Vec3 at = node(n).world_from_node * (shape.node_from_shape * p);
          low[g] = low[g].cwiseMin(at);
          high[g] = high[g].cwiseMax(at);
        }
    std::vector<double> out;
    for (std::size_t g = 0; g < low.size(); ++g)
      out.push_back((high[g].x() - low[g].x()) * (high[g].y() - low[g].y()));
    return out;
  }
  std::vector<Vec3> corners(const GraphShape& shape) const {
    if (const auto* mesh = std::get_if<GraphShape::Triangles>(&shape.what))
      return graph_.meshes[mesh->mesh].points;
    Vec3 half = Vec3::Zero();
    if (const auto* ball = std::get_if<shape::BallInput>(&shape.what))
      half.setConstant(ball->radius);
    if (const auto* box = std::get_if<shape::BoxInput>(&shape.what)) half = box->size / 2.0;
    if (const auto* can = std::get_if<shape::CylinderInput>(&shape.what))
      half = {can->radius, can->radius, can->height / 2.0};
    if (const auto* cone = std::get_if<shape::ConeInput>(&shape.what))
      half = {cone->radius, cone->radius, cone->height / 2.0};
    if (const auto* pill = std::get_if<shape::CapsuleInput>(&shape.what))
      half = {pill->radius, pill->radius, pill->height / 2.0 + pill->radius};
    std::vector<Vec3> out;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0})
        for (const double z : {-1.0, 1.0}) out.push_back(half.cwiseProduct(Vec3(x, y, z)));
    return out;
  }

  /// Names that stand twice are told apart by their paths.
  void name_groups() {
    std::map<std::string, int> count;
    for (const Group& group : model_.groups) ++count[group.name];
    const auto& wanted = options_.bodies;
    for (Group& group : model_.groups) {
      if (group.nodes.empty()) continue;
      const std::string& path = node(group.nodes[0]).path;
      const bool asked = std::find(wanted.begin(), wanted.end(), path) != wanted.end();
      if (count[group.name] > 1 || asked) group.name = path;
      // one shape is the object itself
      if (group.pieces.size() == 1) group.pieces[0].name.clear();
    }
  }

  const Graph& graph_;
  Model& model_;
  const OpenOptions& options_;
  Meshes meshes_;
  std::vector<std::vector<std::size_t>> children_;
  std::vector<std::size_t> shapes_below_;
  std::vector<int> root_of_;                            // by node, its group; -1: none
  std::map<std::size_t, std::vector<Mat3>> stretches_;  // by mesh
  std::map<std::size_t, std::size_t> group_of_;         // by node that carries a body
};

}  // namespace

void make_bodies(const Graph& graph, Model& model, const OpenOptions& options) {
  Bodies(graph, model, options).run();
}

}  // namespace repose::handover
