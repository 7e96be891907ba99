// The robot description of ROS: http://wiki.ros.org/urdf/XML
#include "urdf.h"

#include <set>

#include <fmt/format.h>

#include "repose/base/nearest.h"

#include "find_file.h"
#include "meshes.h"

namespace repose::handover {

namespace {

struct UrdfJoint {
  std::string name, kind;
  std::string parent, child;
  Pose origin;
  Vec3 axis = Vec3::UnitX();
  At at;

  bool slides_or_turns() const {
    return kind == "revolute" || kind == "continuous" || kind == "prismatic";
  }
  /// What it adds to its origin where it stands at this value, rad or m.
  Pose moved(double value) const {
    if (kind == "prismatic") return {value * axis, Quat::Identity()};
    return {Vec3::Zero(), Quat(Eigen::AngleAxisd(value, axis))};
  }
};

Pose origin_of(const At& at) {
  Pose out;
  const At origin = at.child("origin");
  if (!origin) return out;
  if (const auto xyz = attribute_of(origin, "xyz")) out.position = vector(*xyz);
  if (const auto rpy = attribute_of(origin, "rpy")) out.rotation = rotation_from_rpy(vector(*rpy));
  if (const auto quat = attribute_of(origin, "quat_xyzw")) {
    const auto q = numbers(*quat, 4, 4);
    const Quat turn(q[3], q[0], q[1], q[2]);
    if (!(turn.norm() > 0.0)) quat->refuse("a quaternion without length", "x y z w");
    out.rotation = turn.normalized();
  }
  return out;
}

class Urdf {
 public:
  Urdf(const At& root, Model& model, const OpenOptions& options)
      : root_(root), model_(model), options_(options), meshes_(model, options) {}

  void run() {
    if (const auto name = attribute_of(root_, "name")) model_.about = name->text;
    for (const At& at : elements(root_)) {
      if (at.is("link"))
        link(at);
      else if (at.is("joint"))
        joint(at);
      else if (at.name().starts_with("xacro:"))
        refuse(at, fmt::format("<{}> is a macro of xacro", at.name()),
               "the file written out by xacro: xacro FILE > robot.urdf");
      else if (!at.is("material"))
        model_.notes.add(at, fmt::format("<{}>", at.name()));
    }
    if (links_.empty()) refuse(root_, "<robot> holds no <link>", "at least one link");
    const std::string base = base_link();
    model_.groups.push_back(Group(base, links_.at(base)));
    // a robot that is one rigid body is free itself, unless it is the world
    Group& group = model_.groups.back();
    group.free = base != "world" && !has_moving_joint();
    group.jointed = base != "world" && !group.free;
    if (base != "world") group.no_slot = "URDF has no place for the pose of its first link";
    tree(base, {}, 0);
    if (visited_.size() != links_.size())
      for (const auto& [name, at] : links_)
        if (!visited_.contains(name))
          refuse(at, "the link is part of a circle of joints", "joints that make a tree");
  }

 private:
  void link(const At& at) {
    const Word name = needed(at, "name");
    if (!links_.emplace(name.text, at).second)
      name.refuse("another link has this name", "a name of its own");
  }
  void joint(const At& at) {
    UrdfJoint out;
    out.name = needed(at, "name").text;
    const Word kind = needed(at, "type");
    out.kind = kind.text;
    static const std::set<std::string> kKinds{"revolute", "continuous", "prismatic",
                                              "fixed",    "floating",   "planar"};
    if (!kKinds.contains(out.kind))
      kind.refuse("there is no such joint",
                  "revolute, continuous, prismatic, fixed, floating or planar");
    const At parent = at.child("parent"), child = at.child("child");
    if (!parent || !child) refuse(at, "a joint without parent and child", "both of them");
    out.parent = needed(parent, "link").text;
    out.child = needed(child, "link").text;
    out.origin = origin_of(at);
    out.at = at;
    if (const At axis = at.child("axis"); axis && out.slides_or_turns()) {
      const Word word = needed(axis, "xyz");
      const Vec3 along = vector(word);
      if (!(along.norm() > 0.0)) word.refuse("an axis without direction", "not all zero");
      out.axis = along.normalized();
    }
    if (out.slides_or_turns()) model_.joints.push_back(out.name);
    for (const char* part : {"dynamics", "safety_controller", "calibration"})
      if (at.child(part)) model_.notes.add(at.child(part), fmt::format("<{}>", part));
    joints_.push_back(std::move(out));
  }
  /// Where a joint stands: as it was told, as the one that it mimics asks, else at zero.
  double value_of(const UrdfJoint& joint, std::size_t followed = 0) const {
    const auto told = options_.joints.find(joint.name);
    if (told != options_.joints.end()) return told->second;
    const At mimic = joint.at.child("mimic");
    if (!mimic || !joint.slides_or_turns()) return 0.0;
    const Word leader = needed(mimic, "joint");
    if (followed > joints_.size())
      leader.refuse("joints mimic one another in a circle", "a joint that mimics none");
    const auto factor = attribute_of(mimic, "multiplier"), offset = attribute_of(mimic, "offset");
    for (const UrdfJoint& other : joints_)
      if (other.name == leader.text)
        return (factor ? number(*factor) : 1.0) * value_of(other, followed + 1) +
               (offset ? number(*offset) : 0.0);
    std::vector<std::string> known;
    for (const UrdfJoint& other : joints_) known.push_back(other.name);
    leader.refuse("there is no such joint", suggestion(leader.text, known));
  }
  /// Zero may lie outside of what a joint can do.
  void note_limits(const UrdfJoint& joint, double value) {
    const At limit = joint.at.child("limit");
    if (!limit || joint.kind == "continuous" || !joint.slides_or_turns()) return;
    const auto lower = attribute_of(limit, "lower"), upper = attribute_of(limit, "upper");
    if ((lower && value < number(*lower)) || (upper && value > number(*upper)))
      model_.notes.add(limit, fmt::format("<limit>: joints such as {} stand beyond theirs (--joint "
                                          "NAME=VALUE puts one elsewhere)",
                                          joint.name));
  }
  bool has_moving_joint() const {
    for (const UrdfJoint& joint : joints_)
      if (joint.kind != "fixed" && joint.kind != "floating") return true;
    return false;
  }

  /// The link that is no joint's child.
  std::string base_link() {
    std::set<std::string> children;
    for (const UrdfJoint& joint : joints_) {
      for (const std::string& end : {joint.parent, joint.child})
        if (!links_.contains(end))
          refuse(joint.at, fmt::format("there is no link \"{}\"", end), "a link of this robot");
      if (!children.insert(joint.child).second)
        refuse(joint.at, fmt::format("\"{}\" has two parents", joint.child), "one for each link");
    }
    std::string found;
    for (const auto& [name, at] : links_) {
      if (children.contains(name)) continue;
      if (!found.empty())
        refuse(at, fmt::format("\"{}\" and \"{}\" have no parent", found, name),
               "one first link, and joints to all others");
      found = name;
    }
    if (found.empty()) refuse(root_, "every link has a parent", "one first link");
    return found;
  }

  void tree(const std::string& base, const Pose& base_pose, std::size_t base_group) {
    struct Step {
      std::string link;
      Pose world;
      std::size_t group;
    };
    std::vector<Step> todo{{base, base_pose, base_group}};
    std::multimap<std::string, const UrdfJoint*> below;
    for (const UrdfJoint& joint : joints_) below.emplace(joint.parent, &joint);
    while (!todo.empty()) {
      const Step at = todo.back();
      todo.pop_back();
      visited_.insert(at.link);
      content(links_.at(at.link), at.world, at.group);
      const auto [begin, end] = below.equal_range(at.link);
      for (auto it = begin; it != end; ++it) {
        const UrdfJoint& joint = *it->second;
        const double value = value_of(joint);
        note_limits(joint, value);
        const Pose by = joint.moved(value);
        const Pose world = at.world * joint.origin * by;
        todo.push_back({joint.child, world, group_below(joint, at.world, world, by, at.group)});
      }
    }
  }
  std::size_t group_below(const UrdfJoint& joint, const Pose& parent, const Pose& world,
                          const Pose& by, std::size_t above) {
    if (joint.kind == "fixed") return above;
    Group group;
    group.name = joint.child;
    group.world_from_group = world;
    group.at = links_.at(joint.child);
    group.free = joint.kind == "floating";
    group.jointed = !group.free;
    group.slots.push_back(
        {SlotKind::urdf_origin, joint.at, parent.inverse(), by.inverse(), static_cast<int>(above)});
    // what has a moving joint of its own is no single body any more
    if (!group.free && above != 0) {
      model_.groups[above].free = false;
      model_.groups[above].jointed = true;
    }
    model_.groups.push_back(std::move(group));
    return model_.groups.size() - 1;
  }

  void content(const At& link, const Pose& world, std::size_t to) {
    Group& group = model_.groups[to];
    const Pose group_from_link = group.world_from_group.inverse() * world;
    double friction = Piece{}.friction;
    if (const At contact = link.child("contact"))
      if (const At lateral = contact.child("lateral_friction"))
        friction = number(needed(lateral, "value"));
    for (const At& at : elements(link)) {
      if (at.is("inertial"))
        inertial(at, group_from_link, group);
      else if (at.is("collision"))
        collision(at, group_from_link, needed(link, "name").text, friction, group);
      else if (!at.is("contact"))
        model_.notes.add(at, fmt::format("<{}>", at.name()));
    }
  }
  static void inertial(const At& at, const Pose& group_from_link, Group& group) {
    const At mass_at = at.child("mass");
    if (!mass_at) refuse(at, "<inertial> holds no <mass>", "<mass value=\"...\"/>");
    const Word word = needed(mass_at, "value");
    const double mass = number(word);
    if (mass < 0.0) word.refuse("a mass below zero", "a mass, kg");
    if (mass == 0.0) return;
    const Vec3 center = group_from_link * origin_of(at).position;
    const double before = group.mass.value_or(0.0);
    group.center = (before * group.center.value_or(Vec3::Zero()) + mass * center) / (before + mass);
    group.mass = before + mass;
  }
  void collision(const At& at, const Pose& group_from_link, const std::string& link,
                 double friction, Group& group) {
    const At geometry = at.child("geometry");
    if (!geometry) refuse(at, "<collision> holds no <geometry>", "one <geometry>");
    Piece piece;
    const auto name = attribute_of(at, "name");
    piece.name = name ? link + "/" + name->text : link;
    piece.at = at;
    piece.group_from_piece = group_from_link * origin_of(at);
    piece.friction = friction;
    piece.shape = shape(geometry);
    group.pieces.push_back(std::move(piece));
  }
  ShapeUse shape(const At& geometry) {
    const auto found = elements(geometry);
    if (found.size() != 1) refuse(geometry, "not one shape", "one of box, cylinder, sphere, mesh");
    const At& at = found[0];
    const auto positive = [](const Word& word) { return length(word); };
    if (at.is("sphere")) return use_of(shape::BallInput{positive(needed(at, "radius"))});
    if (at.is("cylinder"))
      return use_of(
          shape::CylinderInput{positive(needed(at, "radius")), positive(needed(at, "length"))});
    if (at.is("capsule"))
      return use_of(
          shape::CapsuleInput{positive(needed(at, "radius")), positive(needed(at, "length"))});
    if (at.is("box")) {
      const Word word = needed(at, "size");
      const Vec3 size = vector(word);
      if (!(size.minCoeff() >= kLeastLength))
        word.refuse("not a length", fmt::format("three, at least {:g} m", kLeastLength));
      return use_of(shape::BoxInput{size});
    }
    if (!at.is("mesh")) refuse(at, "a shape that is not read", "box, cylinder, sphere or mesh");
    const auto scale_word = attribute_of(at, "scale");
    Vec3 scale = Vec3::Ones();
    if (scale_word) {
      const auto n = numbers(*scale_word, 1, 3);
      if (n.size() == 2) scale_word->refuse("two numbers", "one, or three");
      scale = n.size() == 1 ? Vec3(Vec3::Constant(n[0])) : Vec3(n[0], n[1], n[2]);
    }
    const Word file = needed(at, "filename");
    return meshes_.file(find_file(file), scale, {}, false, file);
  }

  At root_;
  Model& model_;
  const OpenOptions& options_;
  Meshes meshes_;
  std::map<std::string, At> links_;
  std::vector<UrdfJoint> joints_;
  std::set<std::string> visited_;
};

}  // namespace

void read_urdf(const At& root, Model& model, const OpenOptions& options) {
  model.format = Format::urdf;
  Urdf(root, model, options).run();
}

}  // namespace repose::handover
