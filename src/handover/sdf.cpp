// The format of Gazebo: http://sdformat.org/spec
#include "sdf.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "repose/base/disjoint_sets.h"

#include "find_file.h"
#include "meshes.h"
#include "sdf_frames.h"

namespace repose::handover {

namespace {

/// Without them the elements say nothing to a scene at rest.
const std::set<std::string> kSdfSilent{"light",
                                       "gui",
                                       "scene",
                                       "atmosphere",
                                       "pose",
                                       "static",
                                       "self_collide",
                                       "enable_wind",
                                       "allow_auto_disable",
                                       "magnetic_field",
                                       "spherical_coordinates",
                                       "audio",
                                       "wind"};

/// Gazebo's own model of a floor.
constexpr const char* kFloor =
    R"(<sdf version="1.7"><model name="ground_plane"><static>true</static>
<link name="link"><collision name="collision"><geometry><plane><normal>0 0 1</normal></plane></geometry>
</collision></link></model></sdf>)";

/// The last part of an address in small letters: "ground_plane" of ".../models/Ground Plane".
std::string last_part(const std::string& uri) {
  std::string out = uri.substr(uri.find_last_not_of(" \t\r\n/") == std::string::npos
                                   ? 0
                                   : uri.find_last_of('/', uri.find_last_not_of(" \t\r\n/")) + 1);
  while (!out.empty() && std::string_view(" \t\r\n/").find(out.back()) != std::string_view::npos)
    out.pop_back();
  for (char& c : out)
    c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}
bool is_floor(const std::string& uri) {
  return last_part(uri) == "ground_plane";
}
bool is_sun(const std::string& uri) {
  return last_part(uri) == "sun";
}

struct FoundJoint {
  std::string parent, child;  // full names of links; empty: the world
  bool rigid = false;
  At at;
};

/// A model and where its pose is written.
struct FoundModel {
  std::string path;
  At at;  // <model>, or the <include> that brought it
  Pose base_from_world, placement;
  Pose world_from_model;
  std::string base_link;  // that the base goes with; empty: the world
  bool within_include = false;
};

class Sdf {
 public:
  Sdf(const At& root, Model& model, const OpenOptions& options)
      : root_(root), model_(model), meshes_(model, options) {}

  void run() {
    const At world = root_.child("world");
    auto top = std::make_shared<SdfScope>(world ? world : root_, "");
    if (world) {
      if (const auto name = attribute_of(world, "name")) model_.about = name->text;
      for (const At& at : elements(root_))
        if (at.node != world.node)
          model_.notes.add(at, fmt::format("<{}> beside the world", at.name()));
      if (const auto gravity = text_of(world, "gravity")) model_.gravity = vector(*gravity);
    }
    read_scope(*top);
    model_.groups.push_back(Group("world", top->at));
    walk(*top, {}, false, false);
    if (links_.empty()) refuse(root_, "there is no <link>", "a <world> or <model> with links");
    make_groups();
  }

 private:
  // what names mean

  void read_scope(SdfScope& scope) {
    if (const auto frame = attribute_of(scope.at, "placement_frame")) scope.placement = frame->text;
    if (const auto fixed = text_of(scope.at, "static")) scope.fixed = truth(*fixed);
    for (const At& at : elements(scope.at)) {
      if (at.is("link"))
        scope.add(needed(at, "name").text, {SdfScope::Kind::link, at, sdf_pose(at), "", nullptr});
      else if (at.is("frame"))
        add_frame(at, scope);
      else if (at.is("joint"))
        add_joint(at, scope);
      else if (at.is("model"))
        add_model(at, needed(at, "name").text, at, scope);
      else if (at.is("include"))
        add_include(at, scope);
      else if (!kSdfSilent.contains(at.name()) && !at.is("gravity"))
        model_.notes.add(at, fmt::format("<{}>", at.name()));
    }
  }
  static void add_frame(const At& at, SdfScope& scope) {
    const auto to = attribute_of(at, "attached_to");
    scope.add(needed(at, "name").text,
              {SdfScope::Kind::frame, at, sdf_pose(at), to ? to->text : "", nullptr});
  }
  static void add_joint(const At& at, SdfScope& scope) {
    const auto child = text_of(at, "child"), parent = text_of(at, "parent");
    if (!child || !parent) refuse(at, "a joint without <parent> and <child>", "both of them");
    static_cast<void>(needed(at, "type"));
    scope.add(needed(at, "name").text,
              {SdfScope::Kind::joint, at, sdf_pose(at), child->text, nullptr});
  }
  /// `at` holds the model, `placed` says where it stands.
  std::shared_ptr<SdfScope> add_model(const At& at, const std::string& name, const At& placed,
                                      SdfScope& scope) {
    auto model =
        std::make_shared<SdfScope>(at, scope.path.empty() ? name : scope.path + "::" + name);
    read_scope(*model);
    scope.add(name, {SdfScope::Kind::model, placed, sdf_pose(placed), "", model});
    return model;
  }
  void add_include(const At& at, SdfScope& scope) {
    const At uri = at.child("uri");
    if (!uri) refuse(at, "<include> without <uri>", "<uri>model://NAME</uri>");
    const Word word = text_of(uri);
    if (is_sun(word.text)) return;  // a lamp alone
    const At file = included(word);
    const At model = file.child("model");
    if (!file.is("sdf") || !model) word.refuse("the file holds no <model>", "the SDF of a model");
    const auto own_name = text_of(at, "name");
    const std::string name = own_name ? own_name->text : needed(model, "name").text;
    // the pose of the include is instead of the model's own
    const bool posed = static_cast<bool>(at.child("pose"));
    const auto added = add_model(model, name, posed ? at : model, scope);
    scope.entries.at(name).at = at;
    if (const auto fixed = text_of(at, "static")) added->fixed = truth(*fixed);
    if (const auto frame = text_of(at, "placement_frame")) added->placement = frame->text;
    if (at.child("plugin")) model_.notes.add(at.child("plugin"), "<plugin>");
  }
  /// The model's file. The floor that nearly every world includes is known where the machine has
  /// none.
  At included(const Word& uri) {
    try {
      return model_.files.add(model_file(find_file(uri), uri), uri);
    } catch (const Refused&) {
      if (!is_floor(uri.text)) throw;
      model_.remarks.push_back(
          fmt::format("{}: {} is not on this machine: an endless floor stands for it",
                      uri.at.place(), uri.text));
      return model_.files.add_text(kFloor, uri);
    }
  }
  static std::filesystem::path model_file(const std::filesystem::path& found, const Word& uri) {
    std::error_code failed;
    if (!std::filesystem::is_directory(found, failed)) return found;
    const auto config = found / "model.config";
    pugi::xml_document document;
    if (std::filesystem::is_regular_file(config, failed) &&
        document.load_file(config.c_str(), pugi::parse_default)) {
      std::string name;
      for (const auto sdf : document.document_element().children("sdf")) name = sdf.text().get();
      if (!name.empty() && name.find('/') == std::string::npos) return found / name;
    }
    if (!std::filesystem::is_regular_file(found / "model.sdf", failed))
      uri.refuse("the folder holds no model", "a folder with model.config or model.sdf");
    return found / "model.sdf";
  }

  // links and joints of all models

  void walk(const SdfScope& scope, const Pose& world_from_scope, bool fixed, bool included) {
    for (const std::string& name : scope.order) {
      const SdfScope::Entry& entry = scope.entries.at(name);
      const std::string path = scope.path.empty() ? name : scope.path + "::" + name;
      if (entry.kind == SdfScope::Kind::frame) continue;
      if (entry.kind == SdfScope::Kind::joint) {
        joint(scope, entry);
        continue;
      }
      const Pose world = world_from_scope * scope.frame(name, entry.at);
      if (entry.kind == SdfScope::Kind::link) {
        link_index_[path] = links_.size();
        links_.push_back({path, entry.at, world, fixed || scope.fixed});
        link_base_.push_back(
            {path,
             entry.at,
             (world_from_scope * scope.base_of(name)).inverse(),
             {},
             world,
             entry.pose.relative_to.empty() ? "" : scope.link_of(entry.pose.relative_to, entry.at),
             included});
        continue;
      }
      const SdfScope& model = *entry.model;
      const Pose placement =
          model.placement.empty() ? Pose{} : model.frame(model.placement, entry.at);
      const std::string base = scope.base_name(name);
      models_[path] = {path,      entry.at, (world_from_scope * scope.base_of(name)).inverse(),
                       placement, world,    base.empty() ? "" : scope.link_of(base, entry.at),
                       included};
      walk(model, world, fixed || scope.fixed, included || model.at.document != scope.at.document);
    }
  }
  void joint(const SdfScope& scope, const SdfScope::Entry& entry) {
    FoundJoint out;
    out.at = entry.at;
    out.parent = scope.link_of(text_of(entry.at, "parent")->text, entry.at);
    out.child = scope.link_of(text_of(entry.at, "child")->text, entry.at);
    out.rigid = needed(entry.at, "type").text == "fixed";
    joints_.push_back(std::move(out));
  }

  // links that are one body

  /// 0 is the world, link i is i + 1.
  int node(const std::string& link) const {
    return link.empty() ? 0 : static_cast<int>(link_index_.at(link)) + 1;
  }
  void make_groups() {
    const int count = static_cast<int>(links_.size());
    DisjointSets sets(count + 1);
    for (int i = 0; i < count; ++i)
      if (links_[static_cast<std::size_t>(i)].fixed) sets.join(0, i + 1);
    for (const FoundJoint& joint : joints_)
      if (joint.rigid) sets.join(node(joint.parent), node(joint.child));
    std::set<int> jointed;
    for (const FoundJoint& joint : joints_)
      if (!joint.rigid)
        for (const std::string& end : {joint.parent, joint.child})
          jointed.insert(sets.name_of(node(end)));
    std::map<int, std::size_t> group_of{{sets.name_of(0), 0}};  // by set
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const int set = sets.name_of(static_cast<int>(i) + 1);
      const auto [found, fresh] = group_of.emplace(set, model_.groups.size());
      if (fresh) {
        Group group;
        group.name = links_[i].name;
        group.at = links_[i].at;
        group.world_from_group = links_[i].world_from_link;
        group.jointed = jointed.contains(set);
        group.free = !group.jointed;
        model_.groups.push_back(std::move(group));
      }
      group_of_link_[links_[i].name] = found->second;
      content(links_[i], model_.groups[found->second]);
    }
    add_slots();
  }
  int base_group(const std::string& link) const {
    return link.empty() ? -1 : static_cast<int>(group_of_link_.at(link));
  }
  /// The models around a link, the outermost first.
  std::vector<const FoundModel*> around(const std::string& link) const {
    std::vector<const FoundModel*> out;
    for (auto end = link.find("::"); end != std::string::npos; end = link.find("::", end + 2))
      if (const auto found = models_.find(link.substr(0, end)); found != models_.end())
        out.push_back(&found->second);
    return out;
  }
  /// Of each group: the outermost model that holds just its links, or the links one by one.
  void add_slots() {
    std::map<std::string, std::size_t> held;  // links by model
    std::vector<std::vector<std::size_t>> links(model_.groups.size());
    for (std::size_t i = 0; i < links_.size(); ++i) {
      for (const FoundModel* model : around(links_[i].name)) ++held[model->path];
      links[group_of_link_.at(links_[i].name)].push_back(i);
    }
    for (std::size_t g = 1; g < links.size(); ++g) {
      const auto& mine = links[g];
      if (mine.empty()) continue;
      const auto holds_all = [&](const FoundModel* model) {
        if (held.at(model->path) != mine.size()) return false;
        for (const std::size_t i : mine)
          if (!links_[i].name.starts_with(model->path + "::")) return false;
        return true;
      };
      const auto models = around(links_[mine[0]].name);
      const auto whole = std::find_if(models.begin(), models.end(), holds_all);
      Group& group = model_.groups[g];
      const Pose group_from_world = group.world_from_group.inverse();
      if (whole != models.end()) {
        group.name = (*whole)->path;
        put_slot(**whole, g, group_from_world * (*whole)->world_from_model * (*whole)->placement);
        continue;
      }
      for (const std::size_t i : mine)
        put_slot(link_base_[i], g, group_from_world * links_[i].world_from_link);
    }
  }
  void put_slot(const FoundModel& place, std::size_t g, const Pose& after) {
    Group& group = model_.groups[g];
    if (place.within_include)
      group.no_slot = "it stands in a model that other files include";
    else
      group.slots.push_back({SlotKind::sdf_pose, place.at, place.base_from_world, after,
                             base_group(place.base_link)});
  }

  // what links hold

  void content(const SdfLink& link, Group& group) {
    const Pose group_from_link = group.world_from_group.inverse() * link.world_from_link;
    for (const At& at : elements(link.at)) {
      if (at.is("inertial"))
        inertial(at, group_from_link, group);
      else if (at.is("collision"))
        collision(at, group_from_link, link.name, group);
      else if (!kSdfSilent.contains(at.name()))
        model_.notes.add(at, fmt::format("<{}>", at.name()));
    }
  }
  static void inertial(const At& at, const Pose& group_from_link, Group& group) {
    const auto word = text_of(at, "mass");
    if (!word) return;
    const double mass = number(*word);
    if (!(mass > 0.0)) word->refuse("not above zero", "a mass, kg");
    const Vec3 center = group_from_link * sdf_pose(at).pose.position;
    const double before = group.mass.value_or(0.0);
    group.center = (before * group.center.value_or(Vec3::Zero()) + mass * center) / (before + mass);
    group.mass = before + mass;
  }
  void collision(const At& at, const Pose& group_from_link, const std::string& link, Group& group) {
    Piece piece;
    const auto name = attribute_of(at, "name");
    piece.name = name ? link + "::" + name->text : link;
    piece.at = at;
    piece.group_from_piece = group_from_link * sdf_pose(at).pose;
    if (const auto density = text_of(at, "density")) piece.density = length(*density);
    piece.friction = friction(at);
    const At geometry = at.child("geometry");
    if (!geometry) refuse(at, "<collision> holds no <geometry>", "one <geometry>");
    auto shape = shape_of(geometry, piece.group_from_piece);
    if (!shape) return;
    piece.shape = std::move(*shape);
    group.pieces.push_back(std::move(piece));
  }
  static double friction(const At& collision) {
    const At friction = collision.child("surface").child("friction");
    if (!friction) return 1.0;
    if (const auto mu = text_of(friction.child("ode"), "mu")) return std::max(0.0, number(*mu));
    if (const auto mu = text_of(friction.child("bullet"), "friction"))
      return std::max(0.0, number(*mu));
    return 1.0;
  }
  static double positive(const At& at, const char* child) {
    const auto word = text_of(at, child);
    if (!word) refuse(at, fmt::format("<{}> holds no <{}>", at.name(), child), "a length, m");
    return length(*word);
  }
  static Vec3 positives(const At& at, const char* child) {
    const auto word = text_of(at, child);
    if (!word) refuse(at, fmt::format("<{}> holds no <{}>", at.name(), child), "three lengths, m");
    const Vec3 out = vector(*word);
    if (!(out.minCoeff() >= kLeastLength))
      word->refuse("not a length", fmt::format("three, at least {:g} m", kLeastLength));
    return out;
  }
  /// Nothing where the geometry is empty.
  std::optional<ShapeUse> shape_of(const At& geometry, Pose& place) {
    const auto found = elements(geometry);
    if (found.empty() || found[0].is("empty")) return std::nullopt;
    const At& at = found[0];
    if (at.is("sphere")) return use_of(shape::BallInput{positive(at, "radius")});
    if (at.is("box")) return use_of(shape::BoxInput{positives(at, "size")});
    if (at.is("ellipsoid")) return use_of(shape::EllipsoidInput{positives(at, "radii")});
    if (at.is("cylinder"))
      return use_of(shape::CylinderInput{positive(at, "radius"), positive(at, "length")});
    if (at.is("capsule"))
      return use_of(shape::CapsuleInput{positive(at, "radius"), positive(at, "length")});
    if (at.is("cone")) return cone(at, place);
    if (at.is("plane")) return plane(at, place);
    if (at.is("mesh")) return mesh(at);
    refuse(at, "a shape that is not read",
           "box, sphere, cylinder, capsule, cone, ellipsoid, plane or mesh");
  }
  static ShapeUse cone(const At& at, Pose& place) {
    const double height = positive(at, "length");
    // ours stands on its base
    place = place * Pose{{0.0, 0.0, -height / 2.0}, Quat::Identity()};
    return use_of(shape::ConeInput{positive(at, "radius"), height, 0.0});
  }
  static ShapeUse plane(const At& at, Pose& place) {
    if (const auto word = text_of(at, "normal")) {
      const Vec3 normal = vector(*word);
      if (!(normal.norm() > 0.0)) word->refuse("a normal without direction", "not all zero");
      place.rotation = (place.rotation * rotation_between(Vec3::UnitZ(), normal)).normalized();
    }
    return use_of(HalfSpaceSpec{});
  }
  ShapeUse mesh(const At& at) {
    const auto uri = text_of(at, "uri");
    if (!uri) refuse(at, "<mesh> holds no <uri>", "<uri>model://NAME/...</uri>");
    if (const At part = at.child("submesh"))
      refuse(part, "parts of a mesh are not read", "whole meshes");
    const auto scale = text_of(at, "scale");
    return meshes_.file(find_file(*uri), scale ? vector(*scale) : Vec3(Vec3::Ones()), {}, false,
                        *uri);
  }

  At root_;
  Model& model_;
  Meshes meshes_;
  std::vector<SdfLink> links_;
  std::vector<FoundModel> link_base_;  // of each link, where its own pose is written
  std::map<std::string, std::size_t> link_index_, group_of_link_;
  std::vector<FoundJoint> joints_;
  std::map<std::string, FoundModel> models_;  // by path
};

}  // namespace

void read_sdf(const At& root, Model& model, const OpenOptions& options) {
  model.format = Format::sdf;
  Sdf(root, model, options).run();
}

}  // namespace repose::handover
