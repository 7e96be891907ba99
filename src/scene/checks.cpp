#include "checks.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "repose/base/setting_values.h"

#include "shape_library.h"
#include "tables.h"

namespace repose {

namespace {

/// The checks of one scene; the first that fails leaves its error.
class Checker {
 public:
  explicit Checker(const Scene& scene) : scene_(scene), library_(scene) {
    for (const auto& [name, material] : scene.materials) materials_.insert(name);
    for (const auto& [name, about] : scene.groups) groups_.insert(name);
  }

  bool run() {
    return check_names() && check_count() && check_bodies() && check_forces() && check_joints() &&
           check_events();
  }
  std::optional<InputError> error;

 private:
  bool fail(SourcePlace place, std::string pointer, const std::string& value, std::string wrong,
            std::string right) {
    error = located(scene_, place, std::move(pointer), value.empty() ? value : quoted(value),
                    std::move(wrong), std::move(right));
    return false;
  }

  bool check_names() {
    for (const Instances& set : scene_.instances)
      if (!instances_.emplace(set.name, instance_count(set.arrange).value_or(kMostBodies)).second)
        return fail(set.source, "/name", set.name, "a second set of instances of this name",
                    "a name of its own");
    for (const SceneBody& body : scene_.bodies) {
      if (body.name.empty()) return fail(body.source, "/name", "", "an empty name", "a name");
      if (is_instance(body.name))
        return fail(body.source, "/name", body.name, "an instance has this name already",
                    "a name of its own");
      if (!bodies_.insert(body.name).second)
        return fail(body.source, "/name", body.name, "a second body of this name",
                    "a name of its own");
    }
    return true;
  }

  bool check_count() {
    auto count = static_cast<std::int64_t>(scene_.bodies.size());
    for (const Instances& set : scene_.instances) {
      count += instance_count(set.arrange).value_or(0);
      if (count > kMostBodies)
        return fail(set.source, "/arrange", "", fmt::format("{} bodies", count),
                    fmt::format("at most {} bodies in a scene", kMostBodies));
    }
    return true;
  }

  bool check_body(const SceneBody& body, SourcePlace place, const std::string& base) {
    if (library_.find(body.shape, library_.scene_scope()).spec == nullptr)
      return fail(place, base + "/shape", body.shape.name, "there is no such shape",
                  suggestion(body.shape.name, library_.names(library_.scene_scope())));
    if (!body.material.empty() && materials_.count(body.material) == 0)
      return fail(place, base + "/material", body.material, "there is no such material",
                  suggestion(body.material, keys(scene_.materials)));
    if (body.soft)
      for (std::size_t i = 0; i < body.soft->materials.size(); ++i)
        if (materials_.count(body.soft->materials[i]) == 0)
          return fail(place, fmt::format("{}/soft/materials/{}", base, i), body.soft->materials[i],
                      "there is no such material",
                      suggestion(body.soft->materials[i], keys(scene_.materials)));
    for (std::size_t i = 0; i < body.groups.size(); ++i)
      if (groups_.count(body.groups[i]) == 0)
        return fail(place, fmt::format("{}/groups/{}", base, i), body.groups[i],
                    "there is no such group", suggestion(body.groups[i], keys(scene_.groups)));
    return true;
  }
  bool check_patterns(const Instances& set) {
    if (!check_body(set.body, set.source, "/body")) return false;
    for (std::size_t i = 0; i < set.mixed_with.size(); ++i)
      if (!check_body(set.mixed_with[i].body, set.source, fmt::format("/mixed_with/{}/body", i)))
        return false;
    return true;
  }
  bool check_bodies() {
    for (const SceneBody& body : scene_.bodies)
      if (!check_body(body, body.source, "")) return false;
    for (const Instances& set : scene_.instances)
      if (!check_patterns(set) || !check_containers(set)) return false;
    return true;
  }
  bool check_containers(const Instances& set) {
    const std::vector<std::string>& names = containers_of(set.arrange);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const SceneBody* found = nullptr;
      for (const SceneBody& body : scene_.bodies)
        if (body.name == names[i]) found = &body;
      const std::string pointer = fmt::format("/arrange/container/{}", i);
      if (found == nullptr)
        return fail(set.source, pointer, names[i], "there is no such body",
                    suggestion(names[i], {bodies_.begin(), bodies_.end()}));
      if (!found->fixed)
        return fail(set.source, pointer, names[i], "this body moves", "a fixed body");
    }
    return true;
  }

  bool check_body_name(const std::string& name, SourcePlace place, std::string pointer) {
    if (bodies_.count(name) > 0 || is_instance(name) || added_.count(name) > 0) return true;
    return fail(place, std::move(pointer), name, "there is no such body",
                suggestion(name, {bodies_.begin(), bodies_.end()}));
  }

  /// Of a force that an event adds.
  bool check_added_force(const SceneEdit& edit) {
    const Force& force = edit.force->force;
    const std::vector<std::string> kinds = {"push", "connect", "spring"};
    if (std::ranges::count(kinds, name_of(force.kind)) == 0)
      return fail(edit.source, "/force/kind", name_of(force.kind), "no force that can be added",
                  suggestion(name_of(force.kind), kinds));
    joined_.insert(force.name);
    const char* first = force.kind == ForceKind::push ? "/force/body" : "/force/body_a";
    return check_body_name(force.body_a, edit.source, first) &&
           (force.body_b.empty() || check_body_name(force.body_b, edit.source, "/force/body_b"));
  }
  bool check_forces() {
    for (const SceneForce& item : scene_.forces) {
      const Force& force = item.force;
      if (force.kind == ForceKind::attract) {
        if (!force.body_a.empty() && groups_.count(force.body_a) == 0)
          return fail(item.source, "/group", force.body_a, "there is no such group",
                      suggestion(force.body_a, keys(scene_.groups)));
        if (!force.body_b.empty() && force.body_b != "world" &&
            !check_body_name(force.body_b, item.source, "/to"))
          return false;
        continue;
      }
      const bool alone = force.kind == ForceKind::push || force.kind == ForceKind::pull;
      const char* first = alone ? "/body" : "/body_a";
      if (!check_body_name(force.body_a, item.source, first)) return false;
      if (!force.body_b.empty() && !check_body_name(force.body_b, item.source, "/body_b"))
        return false;
    }
    return true;
  }

  bool check_joints() {
    std::unordered_set<std::string> names;
    for (const SceneJoint& item : scene_.joints) {
      const Joint& joint = item.joint;
      if (!check_body_name(joint.body_a, item.source, "/body_a")) return false;
      if (!joint.body_b.empty() && !check_body_name(joint.body_b, item.source, "/body_b"))
        return false;
      if (joint.body_a == joint.body_b)
        return fail(item.source, "/body_b", joint.body_b, "a joint between a body and itself",
                    "two different bodies");
      if (!joint.name.empty() && !names.insert(joint.name).second)
        return fail(item.source, "/name", joint.name, "a second joint of this name",
                    "a name of its own");
      if (joint.axis.isZero(0.0))
        return fail(item.source, "/axis", "", "an axis without direction", "not all zero");
    }
    return true;
  }

  bool check_events() {
    for (const SceneEvent& event : scene_.events) {
      for (const SceneEdit& edit : event.edits) {
        if (edit.force) {
          if (!check_added_force(edit)) return false;
        } else if (edit.kind == EditKind::add) {
          if (bodies_.count(edit.body->name) > 0 || is_instance(edit.body->name))
            return fail(edit.source, "/body/name", edit.body->name, "a second body of this name",
                        "a name of its own");
          if (!check_body(*edit.body, edit.source, "/body")) return false;
          added_.insert(edit.body->name);
        } else if (!check_edit(edit)) {
          return false;
        }
      }
    }
    return true;
  }
  bool check_edit(const SceneEdit& edit) {
    if (!check_edit_target(edit)) return false;
    if (edit.kind == EditKind::replicate) return check_copy(edit);
    if (edit.kind == EditKind::attach) return check_attach(edit);
    if (edit.kind == EditKind::join) return check_join(edit);
    return edit.kind != EditKind::remove || check_removed(edit);
  }
  /// The target of most kinds is a body.
  bool check_edit_target(const SceneEdit& edit) {
    constexpr std::array kOther = {EditKind::set, EditKind::stop, EditKind::join, EditKind::remove};
    return std::ranges::count(kOther, edit.kind) > 0 ||
           check_body_name(edit.target, edit.source, "/target");
  }

  bool check_copy(const SceneEdit& edit) {
    const std::string name = text_or(edit.values, "name", "");
    if (name.empty()) return fail(edit.source, "/name", "", "an empty name", "a name");
    if (bodies_.count(name) > 0 || is_instance(name) || !added_.insert(name).second)
      return fail(edit.source, "/name", name, "a second body of this name", "a name of its own");
    return true;
  }
  bool check_attach(const SceneEdit& edit) {
    const std::string to = text_or(edit.values, "to", "");
    if (to == edit.target)
      return fail(edit.source, "/to", to, "a body cannot move with itself", "another body");
    added_.insert(edit.target + "-" + to);  // the weld's name
    return check_body_name(to, edit.source, "/to");
  }
  /// A body, a joint or a force; welds that edits make are called BODY-OTHER.
  bool check_removed(const SceneEdit& edit) {
    const std::string& name = edit.target;
    const auto named = [&](const auto& part) { return part == name; };
    const auto joint = [&](const SceneJoint& item) { return named(item.joint.name); };
    const auto force = [&](const SceneForce& item) { return named(item.force.name); };
    const auto welded = [&](const std::string& body) { return name.starts_with(body + "-"); };
    if (!name.empty() &&
        (std::any_of(scene_.joints.begin(), scene_.joints.end(), joint) ||
         std::any_of(scene_.forces.begin(), scene_.forces.end(), force) ||
         std::any_of(bodies_.begin(), bodies_.end(), welded) || joined_.count(name) > 0))
      return true;
    return check_body_name(name, edit.source, "/target");
  }
  /// As a joint of the scene: its kind is known, and every value belongs to it.
  bool check_join(const SceneEdit& edit) {
    joined_.insert(edit.target);
    const std::string kind = text_or(edit.values, "joint", "");
    const ObjectInfo* known = joint_kind(kind);
    if (known == nullptr)
      return fail(edit.source, "/joint", kind, "there is no such joint",
                  suggestion(kind, joint_names()));
    for (const char* key : {"body_a", "body_b"})
      if (const std::string body = text_or(edit.values, key, "");
          !body.empty() && !check_body_name(body, edit.source, std::string("/") + key))
        return false;
    for (const auto& [name, value] : edit.values)
      if (name != "joint" && !check_joint_value(edit, *known, name, value)) return false;
    for (const FieldInfo& field : known->fields)
      if (field.required && edit.values.count(field.name) == 0)
        return fail(edit.source, "", "", fmt::format("a {} needs `{}`", kind, field.name),
                    field.meaning);
    return true;
  }
  bool check_joint_value(const SceneEdit& edit, const ObjectInfo& kind, const std::string& name,
                         const SettingValue& value) {
    const FieldInfo* field = nullptr;
    std::vector<std::string> names;
    for (const FieldInfo& row : kind.fields) {
      if (row.name == name) field = &row;
      if (row.name != "name") names.push_back(row.name);
    }
    if (field == nullptr)
      return fail(edit.source, "/" + name, "", fmt::format("a {} has no such field", kind.name),
                  fmt::format("one of {}", fmt::join(names, ", ")));
    const double* number = std::get_if<double>(&value);
    if (number != nullptr && !field->range.contains(*number))
      return fail(edit.source, "/" + name, "", "out of range",
                  fmt::format("a number in {}", field->range.text()));
    return true;
  }
  static const std::vector<ObjectInfo>& joint_infos() {
    for (const ObjectInfo& info : scene_format())
      if (info.name == "joint") return info.kinds;
    REPOSE_CHECK(false, "the format has no joints");
  }
  static const ObjectInfo* joint_kind(const std::string& name) {
    for (const ObjectInfo& kind : joint_infos())
      if (kind.name == name) return &kind;
    return nullptr;
  }
  static std::vector<std::string> joint_names() {
    std::vector<std::string> out;
    for (const ObjectInfo& kind : joint_infos()) out.push_back(kind.name);
    return out;
  }

  // NAME-k of some set of instances
  bool is_instance(const std::string& name) const {
    const auto dash = name.rfind('-');
    if (dash == std::string::npos || dash + 1 >= name.size() || name[dash + 1] == '0') return false;
    const auto set = instances_.find(name.substr(0, dash));
    if (set == instances_.end()) return false;
    std::int64_t index = 0;
    const char* end = name.data() + name.size();
    const auto [stop, failed] = std::from_chars(name.data() + dash + 1, end, index);
    return failed == std::errc{} && stop == end && index >= 1 && index <= set->second;
  }

  template <class T>
  static std::vector<std::string> keys(const Named<T>& items) {
    std::vector<std::string> out;
    for (const auto& [name, item] : items) out.push_back(name);
    return out;
  }

  const Scene& scene_;
  ShapeLibrary library_;
  std::unordered_set<std::string> bodies_, added_, joined_, materials_, groups_;
  std::unordered_map<std::string, std::int64_t> instances_;
};

}  // namespace

std::optional<std::int64_t> instance_count(const Arrangement& arrange) {
  using Known = std::optional<std::int64_t>;
  struct Count {
    Known operator()(const GridArrangement& a) const {
      // each factor is at most kMostBodies, so that no product overflows
      const std::int64_t layer = std::int64_t{a.counts[0]} * a.counts[1];
      return layer > kMostBodies ? layer : layer * a.counts[2];
    }
    Known operator()(const LineArrangement& a) const { return a.count; }
    Known operator()(const RingArrangement& a) const { return a.count; }
    Known operator()(const DrawnBodies& a) const {
      return a.count ? Known(*a.count) : std::nullopt;
    }
    Known operator()(const ListArrangement& a) const {
      return static_cast<std::int64_t>(a.places.size());
    }
  };
  return std::visit(Count{}, arrange);
}

const std::vector<std::string>& containers_of(const Arrangement& arrange) {
  static const std::vector<std::string> none;
  if (const auto* grid = std::get_if<GridArrangement>(&arrange)) return grid->container;
  if (const auto* pour = std::get_if<PourArrangement>(&arrange)) return pour->container;
  return none;
}

std::string instance_name(const std::string& name, std::int64_t index) {
  return fmt::format("{}-{}", name, index);
}

Result<Done> check_references(const Scene& scene) {
  Checker checker(scene);
  if (!checker.run()) return *checker.error;
  return Done{};
}

namespace {

Result<GivenSetting> given_by(const Scene& scene, const SceneEdit& edit, const MethodInfo& method) {
  if (find_setting(method.settings, edit.target) == nullptr) {
    std::vector<std::string> names;
    for (const SettingInfo& row : method.settings) names.push_back(row.name);
    return located(scene, edit.source, "/target", "",
                   "the method " + method.name + " has no such setting",
                   suggestion(edit.target, names));
  }
  auto given = given_setting(method.settings, edit.target, edit.value);
  if (!given)
    return located(scene, edit.source, "/value", "", given.error().wrong, given.error().right);
  return given;
}

}  // namespace

Result<Done> check_set_edits(Scene& scene, const Catalogue& catalogue) {
  const MethodInfo* method = nullptr;
  for (const MethodInfo& info : catalogue)
    if (info.name == scene.method.kind) method = &info;
  for (SceneEvent& event : scene.events) {
    std::vector<SceneEdit> edits;
    for (SceneEdit& edit : event.edits) {
      if (edit.kind != EditKind::set) {
        edits.push_back(std::move(edit));
        continue;
      }
      auto given = given_by(scene, edit, *method);
      if (!given) return given.error();
      if (!given->note.empty())
        scene.notes.push_back(located(scene, edit.source, "/target", "", given->note, "").text());
      for (auto& [name, value] : given->values) {
        edits.push_back(edit);
        edits.back().target = name;
        edits.back().value = std::move(value);
      }
    }
    event.edits = std::move(edits);
  }
  return Done{};
}

}  // namespace repose
