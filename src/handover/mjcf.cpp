// MuJoCo's own format: https://mujoco.readthedocs.io/en/stable/XMLreference.html
#include "mjcf.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include <fmt/format.h>

#include "repose/base/nearest.h"

#include "meshes.h"
#include "mjcf_pose.h"
#include "mjcf_terrain.h"
#include "mjcf_words.h"

namespace repose::handover {

namespace {

/// What a geom that says nothing of friction has.
constexpr double kFriction = 1.0;
/// Without them the elements say nothing to a scene at rest.
const std::set<std::string> kMjcfSilent{"size",   "visual", "statistic", "custom",  "light",
                                        "camera", "site",   "texture",   "material"};
/// They would make bodies or geoms of which nothing is known here.
const std::set<std::string> kMakers{"composite", "flexcomp",   "replicate",
                                    "attach",    "deformable", "plugin"};

/// A body on the way down the tree.
struct Above {
  Pose world;               // of the frame that children are placed in
  std::string child_class;  // of those that name none
  std::size_t group = 0;    // that they belong to if no joint parts them
  std::string body = "";    // the name of the body
};

struct Mask {
  long type = 1, affinity = 1;
  auto operator<=>(const Mask&) const = default;
  bool meets(const Mask& other) const {
    return (type & other.affinity) != 0 || (other.type & affinity) != 0;
  }
};

class Mjcf {
 public:
  Mjcf(const At& root, Model& model, const OpenOptions& options)
      : root_(root), model_(model), options_(options), meshes_(model, options) {}

  void run() {
    if (const auto name = attribute_of(root_, "model")) model_.about = name->text;
    sections();
    for (const At& at : all("compiler")) compiler(at);
    for (const At& at : all("default")) defaults(at, "main", true);
    for (const At& at : all("option")) option(at);
    for (const At& at : all("asset")) assets(at);
    for (const At& at : all("keyframe")) keys(at);
    choose_key();
    model_.groups.push_back(Group("world", root_));
    for (const At& at : all("worldbody")) body_content(at, Above{{}, "main", 0});
    if (key_ && key_at_ != key_->size())
      key_word_->refuse(fmt::format("{} numbers", key_->size()),
                        fmt::format("{}, as the joints of the model have", key_at_));
    if (no_length_) key_word_->refuse("a quaternion without length", "w x y z");
    for (const At& at : all("contact")) contact(at);
    note_masks();
  }

 private:
  // the tree, with <include> taken for what it holds

  const std::vector<At>& children(const At& at) {
    const auto [found, fresh] = children_.try_emplace(at.node.internal_object());
    if (!fresh) return found->second;
    std::vector<At> out;
    for (const At& child : elements(at)) {
      if (!child.is("include")) {
        check_mjcf_attributes(child);
        out.push_back(child);
        continue;
      }
      const auto& below = children(included(child));
      out.insert(out.end(), below.begin(), below.end());
    }
    return children_[at.node.internal_object()] = std::move(out);
  }
  At included(const At& at) {
    const Word file = needed(at, "file");
    auto path = model_.files.folder() / file.text;
    std::error_code failed;
    if (!std::filesystem::exists(path, failed))
      path = std::filesystem::path(at.document->file()).parent_path() / file.text;
    return model_.files.add(path, file);
  }
  std::vector<At> all(const char* section) {
    std::vector<At> out;
    for (const At& at : children(root_))
      if (at.is(section)) out.push_back(at);
    return out;
  }

  void sections() {
    static const std::set<std::string> kRead{"compiler", "default",   "option", "asset",
                                             "keyframe", "worldbody", "contact"};
    for (const At& at : children(root_)) {
      if (kMakers.contains(at.name())) refuse_maker(at);
      if (!kRead.contains(at.name()) && !kMjcfSilent.contains(at.name()))
        model_.notes.add(at, fmt::format("<{}>", at.name()));
    }
    if (all("worldbody").empty())
      refuse(root_, "<mujoco> holds no <worldbody>", "a model with a <worldbody>");
  }
  [[noreturn]] static void refuse_maker(const At& at) {
    refuse(at, fmt::format("<{}> is not read", at.name()),
           "the bodies it stands for (MuJoCo's own compiler writes them out)");
  }

  void compiler(const At& at) {
    MjcfCompiler& c = compiler_;
    if (const auto angle = attribute_of(at, "angle")) {
      if (angle->text != "degree" && angle->text != "radian")
        angle->refuse("no such unit of angles", "degree or radian");
      c.degrees = angle->text == "degree";
    }
    if (const auto frame = attribute_of(at, "coordinate"))
      if (frame->text != "local")
        frame->refuse("global coordinates are not read", "coordinate=\"local\"");
    if (const auto sequence = attribute_of(at, "eulerseq")) {
      const bool three = sequence->text.size() == 3;
      if (!three || sequence->text.find_first_not_of("xyzXYZ") != std::string::npos)
        sequence->refuse("not a sequence of axes", "three of x, y, z, X, Y, Z");
      c.sequence = sequence->text;
    }
    if (const auto folder = attribute_of(at, "assetdir")) c.mesh_folder = folder->text;
    if (const auto folder = attribute_of(at, "meshdir")) c.mesh_folder = folder->text;
    if (const auto strip = attribute_of(at, "strippath")) c.strip_path = truth(*strip);
    if (const auto from = attribute_of(at, "inertiafromgeom")) {
      using Inertia = MjcfCompiler::Inertia;
      c.inertia = from->text == "true"    ? Inertia::from_geoms
                  : from->text == "false" ? Inertia::as_given
                                          : Inertia::where_missing;
    }
    for (const char* other : {"settotalmass", "boundmass", "balanceinertia"})
      if (attribute_of(at, other)) model_.notes.add(at, fmt::format("<compiler {}>", other));
  }

  void defaults(const At& at, const std::string& parent, bool top) {
    const auto given = attribute_of(at, "class");
    if (!given && !top) refuse(at, "a class without a name", "class=\"...\"");
    const std::string name = top ? "main" : given->text;
    if (!classes_.contains(name)) classes_[name] = classes_[parent];
    for (const At& child : children(at)) {
      if (child.is("default")) continue;
      for (const auto& attribute : child.node.attributes())
        classes_[name][child.name()][attribute.name()] =
            Word{attribute.value(), child, attribute.name()};
    }
    if (top && given) classes_[given->text] = classes_["main"];
    for (const At& child : children(at))
      if (child.is("default")) defaults(child, name, false);
  }
  /// The element with what its class, or else that of the bodies around it, gives.
  MjcfElement element(const At& at, const std::string& around) {
    std::string name = around;
    if (const auto own = attribute_of(at, "class")) {
      name = own->text;
      if (!classes_.contains(name)) {
        std::vector<std::string> known;
        for (const auto& [known_name, values] : classes_) known.push_back(known_name);
        own->refuse("there is no such class", suggestion(name, known));
      }
    }
    const MjcfClass& found = classes_.at(name);
    const auto attributes = found.find(at.is("freejoint") ? "joint" : at.name());
    return {at, attributes == found.end() ? nullptr : &attributes->second};
  }

  void option(const At& at) {
    if (const auto gravity = attribute_of(at, "gravity")) model_.gravity = vector(*gravity);
  }

  void assets(const At& at) {
    for (const At& child : children(at)) {
      if (kMakers.contains(child.name())) refuse_maker(child);
      if (child.is("mesh"))
        mesh_assets_[asset_name(child)] = child;
      else if (child.is("hfield"))
        field_assets_[asset_name(child)] = child;
      else if (!kMjcfSilent.contains(child.name()))
        model_.notes.add(child, fmt::format("<asset> <{}>", child.name()));
    }
  }
  static std::string asset_name(const At& at) {
    if (const auto name = attribute_of(at, "name")) return name->text;
    const auto file = attribute_of(at, "file");
    if (!file) refuse(at, "an asset without a name", "name=\"...\" or file=\"...\"");
    return std::filesystem::path(file->text).stem().string();
  }
  static const At& asset_of(const std::map<std::string, At>& assets, const Word& by) {
    const auto found = assets.find(by.text);
    if (found != assets.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [name, at] : assets) known.push_back(name);
    by.refuse(fmt::format("there is no such {}", by.attribute), suggestion(by.text, known));
  }
  std::filesystem::path asset_folder() const {
    return model_.files.folder() / compiler_.mesh_folder;
  }
  ShapeUse terrain(const Word& by) {
    const MjcfElement asset = element(asset_of(field_assets_, by), "main");
    return meshes_.solid(mjcf_terrain(asset, asset_folder()), by.text + "\nhfield", by);
  }
  /// MuJoCo's contacts are those of the convex hull, and so are ours.
  ShapeUse mesh(const Word& by) {
    const MjcfElement asset = element(asset_of(mesh_assets_, by), "main");
    const auto scale_word = asset.find("scale");
    const Vec3 scale = scale_word ? vector(*scale_word) : Vec3::Ones();
    Pose place;  // of the mesh's own frame
    if (const auto pos = asset.find("refpos")) place.position = vector(*pos);
    if (const auto quat = asset.find("refquat")) {
      const auto q = numbers(*quat, 4, 4);
      const Quat turn(q[0], q[1], q[2], q[3]);
      if (!(turn.norm() > 0.0)) quat->refuse("a quaternion without length", "w x y z");
      place.rotation = turn.normalized();
    }
    if (const auto points = asset.find("vertex")) return inline_mesh(*points, scale, place);
    const auto file = asset.find("file");
    if (!file) refuse(asset.at(), "a mesh without file and vertex", "one of them");
    std::filesystem::path path = file->text;
    if (compiler_.strip_path) path = path.filename();
    return meshes_.file(asset_folder() / path, scale, place.inverse(), true, *file);
  }
  ShapeUse inline_mesh(const Word& word, const Vec3& scale, const Pose& place) {
    const auto values = numbers(word, 12, std::size_t{3} << 20U);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i + 2 < values.size(); i += 3)
      points.push_back(place.inverse() *
                       Vec3(scale.cwiseProduct(Vec3(values[i], values[i + 1], values[i + 2]))));
    return meshes_.hull(points, asset_name(word.at), word);
  }

  void keys(const At& at) {
    for (const At& child : children(at)) {
      if (!child.is("key")) continue;
      const auto name = attribute_of(child, "name");
      keys_.emplace_back(name ? name->text : "", child);
    }
  }
  void choose_key() {
    const auto named = [&](const std::string& name) {
      for (const auto& [other, at] : keys_)
        if (other == name) return at;
      return At{};
    };
    At key = named(options_.key.empty() ? "settled" : options_.key);
    if (!key && !options_.key.empty()) {
      std::vector<std::string> known;
      for (const auto& [name, at] : keys_) known.push_back(name);
      refuse(root_, fmt::format("there is no key \"{}\"", options_.key),
             suggestion(options_.key, known));
    }
    if (!key && !keys_.empty()) key = keys_.front().second;
    if (!key) return;
    key_word_ = attribute_of(key, "qpos");
    if (key_word_) key_ = numbers(*key_word_, 0, std::size_t{1} << 20U);
  }
  /// The next numbers of qpos: the key's, or the model's own where there is none.
  std::vector<double> joint_place(const std::vector<double>& own) {
    std::vector<double> out = own;
    if (key_)
      for (std::size_t i = 0; i < own.size() && key_at_ + i < key_->size(); ++i)
        out[i] = (*key_)[key_at_ + i];
    key_at_ += own.size();
    model_.qpos.insert(model_.qpos.end(), out.begin(), out.end());
    return out;
  }

  // bodies

  void body_content(const At& at, const Above& above) {
    for (const At& child : children(at)) {
      if (child.is("geom"))
        geom(child, above);
      else if (child.is("body"))
        body(child, above);
      else if (child.is("frame"))
        frame(child, above);
      else if (kMakers.contains(child.name()))
        refuse_maker(child);
      else if (!kMjcfSilent.contains(child.name()) && !child.is("joint") &&
               !child.is("freejoint") && !child.is("inertial"))
        model_.notes.add(child, fmt::format("<{}>", child.name()));
    }
  }
  std::string child_class(const At& at, const Above& above) {
    const auto own = attribute_of(at, "childclass");
    if (!own) return above.child_class;
    if (!classes_.contains(own->text))
      own->refuse("there is no such class", "a class of <default>");
    return own->text;
  }
  void frame(const At& at, const Above& above) {
    Above below = above;
    below.child_class = child_class(at, above);
    below.world = above.world * mjcf_pose({at, nullptr}, compiler_);
    body_content(at, below);
  }

  void body(const At& at, const Above& above) {
    const std::string around = child_class(at, above);
    const Pose placed = mjcf_pose({at, nullptr}, compiler_);
    const auto name = attribute_of(at, "name");
    Above below{above.world * placed, around, above.group, name ? name->text : above.body};
    std::vector<At> joints;
    for (const At& child : children(at))
      if (child.is("joint") || child.is("freejoint")) joints.push_back(child);
    const auto mocap = attribute_of(at, "mocap");
    if (!joints.empty() || (mocap && truth(*mocap))) {
      Group group;
      group.name = name ? name->text : fmt::format("body-{}", model_.groups.size());
      group.at = at;
      group.jointed = true;
      model_.groups.push_back(group);
      below.group = model_.groups.size() - 1;
      // all above of it has a joint of its own and so is no single body any more
      if (above.group != 0) hold(above.group);
    }
    Pose moved = below.world;
    for (const At& joint : joints) moved = place_joint(joint, moved, below);
    below.world = moved;
    if (below.group != above.group) {
      Group& group = model_.groups[below.group];
      group.world_from_group = moved;
      group.slots.push_back(
          {SlotKind::mjcf_body, at, above.world.inverse(), moved.inverse() * above.world * placed});
      if (group.free) group.slots.back().after = Pose{};
    }
    inertial(at, below);
    body_content(at, below);
  }
  void hold(std::size_t group) {
    model_.groups[group].free = false;
    model_.groups[group].jointed = true;
  }

  Pose place_joint(const At& at, const Pose& world, const Above& below) {
    const MjcfElement joint = element(at, below.child_class);
    const auto kind_word = joint.find("type");
    const std::string kind = at.is("freejoint") ? "free" : kind_word ? kind_word->text : "hinge";
    if (kind == "free") return free_joint(at, world, below);
    const auto pos = joint.find("pos");
    const Vec3 anchor = pos ? vector(*pos) : Vec3::Zero();
    if (kind == "ball") {
      const auto q = joint_place({1.0, 0.0, 0.0, 0.0});
      return turned(world, anchor, unit(Quat(q[0], q[1], q[2], q[3])));
    }
    if (kind != "hinge" && kind != "slide")
      kind_word->refuse("there is no such joint", "free, ball, slide or hinge");
    const auto axis_word = joint.find("axis");
    const Vec3 axis = axis_word ? vector(*axis_word) : Vec3::UnitZ();
    if (!(axis.norm() > 0.0)) axis_word->refuse("an axis without direction", "not all zero");
    const auto ref_word = joint.find("ref");
    double ref = ref_word ? number(*ref_word) : 0.0;
    if (kind == "hinge" && compiler_.degrees) ref *= std::numbers::pi / 180.0;
    const double by = told_place(at, joint_place({ref})[0]) - ref;
    if (kind == "slide") return world * Pose{by * axis.normalized(), Quat::Identity()};
    return turned(world, anchor, Quat(Eigen::AngleAxisd(by, axis.normalized())));
  }
  /// Where the hinge or slide that was placed last stands, unless it was told otherwise.
  double told_place(const At& at, double value) {
    const auto name = attribute_of(at, "name");
    if (!name) return value;
    model_.joints.push_back(name->text);
    const auto told = options_.joints.find(name->text);
    if (told == options_.joints.end()) return value;
    return model_.qpos.back() = told->second;
  }
  Pose free_joint(const At& at, const Pose& world, const Above& below) {
    const auto& q = world.rotation;
    const auto& p = world.position;
    Group& group = model_.groups[below.group];
    if (group.key_at >= 0) refuse(at, "a second free joint", "one for each body");
    group.key_at = static_cast<int>(model_.qpos.size());
    group.free = true;
    group.jointed = false;
    const auto n = joint_place({p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()});
    return {{n[0], n[1], n[2]}, unit(Quat(n[3], n[4], n[5], n[6]))};
  }
  Quat unit(const Quat& q) {
    if (q.norm() > 0.0) return q.normalized();
    // numbers of another count are told first: these may not be the quaternion's
    no_length_ = true;
    return Quat::Identity();
  }
  static Pose turned(const Pose& world, const Vec3& anchor, const Quat& turn) {
    Pose out{world.position, (world.rotation * turn).normalized()};
    out.position = world * anchor - out.rotation * anchor;
    return out;
  }

  void inertial(const At& at, const Above& below) {
    const At found = at.child("inertial");
    if (!found || compiler_.inertia == MjcfCompiler::Inertia::from_geoms || below.group == 0)
      return;
    Group& group = model_.groups[below.group];
    const Word mass_word = needed(found, "mass");
    const double mass = number(mass_word);
    if (!(mass > 0.0)) mass_word.refuse("not above zero", "a mass, kg");
    const auto pos = attribute_of(found, "pos");
    const Pose group_from_body = group.world_from_group.inverse() * below.world;
    const Vec3 center = group_from_body * (pos ? vector(*pos) : Vec3(Vec3::Zero()));
    // several bodies without a joint between them weigh together
    const double before = group.mass.value_or(0.0);
    group.center = (before * group.center.value_or(Vec3::Zero()) + mass * center) / (before + mass);
    group.mass = before + mass;
  }

  // geoms

  void geom(const At& at, const Above& above) {
    const MjcfElement geom = element(at, above.child_class);
    Mask mask;
    if (const auto type = geom.find("contype")) mask.type = std::lround(number(*type));
    if (const auto affinity = geom.find("conaffinity"))
      mask.affinity = std::lround(number(*affinity));
    if (mask.type == 0 && mask.affinity == 0) {
      model_.notes.add(at, "geoms that touch nothing");
      return;
    }
    Piece piece;
    const auto name = attribute_of(at, "name");
    piece.name = name ? name->text : above.body;
    piece.at = at;
    Pose place = mjcf_pose(geom, compiler_);
    piece.shape = shape(geom, place);
    Group& group = model_.groups[above.group];
    piece.group_from_piece = group.world_from_group.inverse() * above.world * place;
    if (above.group == 0) piece.group_from_piece = above.world * place;
    if (const auto mass = geom.find("mass")) piece.mass = std::max(0.0, number(*mass));
    if (const auto density = geom.find("density")) piece.density = number(*density);
    const auto friction = geom.find("friction");
    piece.friction = friction ? numbers(*friction, 1, 3)[0] : kFriction;
    if (const auto condim = geom.find("condim"); condim && condim->text == "1")
      piece.friction = 0.0;
    if (above.group == 0)
      standing_masks_.insert(mask);
    else
      masks_.insert(mask);
    group.pieces.push_back(std::move(piece));
  }

  /// `place` is where the geom says; fromto puts it elsewhere.
  ShapeUse shape(const MjcfElement& geom, Pose& place) {
    const auto type_word = geom.find("type");
    const std::string type = type_word           ? type_word->text
                             : geom.find("mesh") ? std::string("mesh")
                                                 : std::string("sphere");
    if (type == "mesh") {
      const auto name = geom.find("mesh");
      if (!name) refuse(geom.at(), "a geom of type mesh without a mesh", "mesh=\"...\"");
      return mesh(*name);
    }
    if (type == "hfield") {
      const auto name = geom.find("hfield");
      if (!name) refuse(geom.at(), "a geom of type hfield without a field", "hfield=\"...\"");
      return terrain(*name);
    }
    if (const auto name = geom.find("mesh"))
      name->refuse("a primitive fitted to a mesh is not read", "type=\"mesh\", or its size");
    if (type == "plane") return use_of(HalfSpaceSpec{});
    const std::vector<double> size = sizes(geom, type, place);
    if (type == "sphere") return use_of(shape::BallInput{size[0]});
    if (type == "capsule") return use_of(shape::CapsuleInput{size[0], 2.0 * size[1]});
    if (type == "cylinder") return use_of(shape::CylinderInput{size[0], 2.0 * size[1]});
    const Vec3 half(size[0], size[1], size[2]);
    if (type == "ellipsoid") return use_of(shape::EllipsoidInput{half});
    return use_of(shape::BoxInput{2.0 * half});
  }
  std::vector<double> sizes(const MjcfElement& geom, const std::string& type, Pose& place) {
    static const std::map<std::string, std::size_t> kCounts{
        {"sphere", 1}, {"capsule", 2}, {"cylinder", 2}, {"ellipsoid", 3}, {"box", 3}};
    const auto known = kCounts.find(type);
    if (known == kCounts.end()) {
      const auto word = geom.find("type");
      word->refuse("geoms of this type are not read",
                   "plane, hfield, sphere, capsule, ellipsoid, cylinder, box or mesh");
    }
    const auto size_word = geom.find("size");
    if (!size_word) refuse(geom.at(), fmt::format("a {} without size", type), "size=\"...\"");
    const auto fromto = geom.find("fromto");
    const std::size_t needs = fromto ? 1 : known->second;
    std::vector<double> out = numbers(*size_word, needs, 3);
    out.resize(3, out[0]);
    if (fromto && type != "sphere") {
      const auto ends = numbers(*fromto, 6, 6);
      const Vec3 a(ends[0], ends[1], ends[2]), b(ends[3], ends[4], ends[5]);
      if (!((b - a).norm() >= kLeastLength)) fromto->refuse("both ends in one place", "two points");
      place.position = (a + b) / 2.0;
      place.rotation = rotation_between(Vec3::UnitZ(), a - b);
      out[known->second - 1] = (b - a).norm() / 2.0;
    }
    for (std::size_t i = 0; i < known->second; ++i)
      if (!(out[i] >= kLeastLength))
        size_word->refuse("not a length", fmt::format("at least {:g} m", kLeastLength));
    return out;
  }

  // contacts

  void contact(const At& at) {
    for (const At& child : children(at))
      model_.notes.add(child, child.is("exclude") ? "<exclude>: the two are kept apart all the same"
                                                  : fmt::format("<contact> <{}>", child.name()));
  }
  void note_masks() {
    for (const Mask& a : masks_)
      for (const std::set<Mask>* others : {&masks_, &standing_masks_})
        for (const Mask& b : *others)
          if (!a.meets(b)) {
            model_.notes.add(root_,
                             "contype and conaffinity by which some geoms pass one another: they "
                             "are kept apart all the same");
            return;
          }
  }

  At root_;
  Model& model_;
  const OpenOptions& options_;
  Meshes meshes_;
  MjcfCompiler compiler_;
  std::map<std::string, MjcfClass> classes_{{"main", {}}};
  std::map<std::string, At> mesh_assets_, field_assets_;
  std::map<const void*, std::vector<At>> children_;
  std::vector<std::pair<std::string, At>> keys_;
  std::optional<Word> key_word_;
  std::optional<std::vector<double>> key_;
  std::size_t key_at_ = 0;
  bool no_length_ = false;                 // of a quaternion of the key
  std::set<Mask> masks_, standing_masks_;  // of what moves or could, and of the world
};

}  // namespace

void read_mjcf(const At& root, Model& model, const OpenOptions& options) {
  model.format = Format::mjcf;
  Mjcf(root, model, options).run();
}

}  // namespace repose::handover
