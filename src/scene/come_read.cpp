#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <unordered_set>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/base/nearest.h"
#include "repose/base/xml.h"
#include "repose/scene/come.h"

#include "checks.h"
#include "come_spring.h"
#include "shape_library.h"

namespace repose {

namespace {

constexpr Range kAcceleration{-1e6, 1e6};   // m/s^2
constexpr Range kPlace{-1e9, 1e9};          // m
constexpr Range kRadius{1e-9, 1e9};         // m
constexpr Range kDensity{0.0, 1e9, true};   // kg/m^3
constexpr Range kModulus{0.0, 1e15, true};  // Pa
constexpr Range kNotNegative{0.0, 1e9};
constexpr Range kColor{0.0, 1.0};
constexpr Range kFriction{0.0, 100.0};
constexpr Range kForce{-1e15, 1e15};         // N
constexpr Range kTime{-1e12, 1e12};          // s
constexpr Range kRate{0.0, 1e9, true};       // 1/s
constexpr Range kDuration{0.0, 1e12, true};  // s
constexpr std::size_t kMostMolecules = 1'000'000;
/// Farther than this, of the least distance, no two molecules are joined: sqrt(2) and some
/// rounding.
constexpr double kJoined = 1.4142135623730951 * (1.0 + 1e-6);

/// What <material> says.
struct ComeMaterial {
  std::string name;
  Material material;  // without friction and damping
  double damping_const = 0.0;
};

/// What <molecule> says.
struct Molecule {
  Vec3 center = Vec3::Zero();
  double radius = 0.0, friction = 0.0;
  std::size_t material = 0;
  bool fixed = false;
  std::vector<double> times;
  std::vector<Vec3> forces;
  pugi::xml_node at;
};

/// The least distance of two points and which; infinite if there is one alone.
struct Nearest {
  double distance = std::numeric_limits<double>::infinity();
  std::size_t a = 0, b = 0;
};
Nearest nearest_two(const std::vector<Molecule>& molecules) {
  std::vector<std::size_t> order(molecules.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Vec3 &p = molecules[a].center, &q = molecules[b].center;
    return std::tie(p.x(), p.y(), p.z()) < std::tie(q.x(), q.y(), q.z());
  });
  Nearest out;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const Vec3 &p = molecules[order[i]].center, &q = molecules[order[j]].center;
      if (q.x() - p.x() >= out.distance) break;
      // in one layer the points stand in order of y
      if (q.x() == p.x() && q.y() - p.y() >= out.distance) break;
      if ((q - p).norm() < out.distance)
        out = {(q - p).norm(), std::min(order[i], order[j]), std::max(order[i], order[j])};
    }
  return out;
}

/// Reads a whole document into a scene; the first error ends it.
class ComeScene {
 public:
  ComeScene(const XmlDocument& document, const Catalogue& catalogue)
      : read_(document), root_(document.root()), catalogue_(catalogue) {}

  Result<Scene> run() {
    if (scene()) return std::move(out_);
    return *read_.error;
  }

 private:
  bool scene() {
    if (!read_.holds(root_, {}, {"scene"})) return false;
    const auto at = read_.only(root_, "scene");
    return at && read_.holds(at, {"gX", "gY", "gZ"}, {"simulation", "patient"}) && gravity(at) &&
           simulation(at) && patient(at);
  }

  bool gravity(pugi::xml_node at) {
    out_.gravity = Vec3::Zero();
    return read_.optional_number(at, "gX", kAcceleration, out_.gravity.x()) &&
           read_.optional_number(at, "gY", kAcceleration, out_.gravity.y()) &&
           read_.optional_number(at, "gZ", kAcceleration, out_.gravity.z());
  }

  bool simulation(pugi::xml_node scene) {
    const auto at = read_.only(scene, "simulation");
    double rate = 0.0, duration = 0.0;
    if (!at || !read_.holds(at, {"fps", "duration"}, {}) || !read_.number(at, "fps", kRate, rate) ||
        !read_.number(at, "duration", kDuration, duration))
      return false;
    out_.limits.duration = duration;
    return method(at, rate);
  }
  bool method(pugi::xml_node at, double rate) {
    out_.method.kind = "molecule";
    for (const MethodInfo& method : catalogue_) {
      if (method.name != out_.method.kind) continue;
      for (const SettingInfo& row : method.settings) {
        if (row.name != kIterations) continue;
        auto value = checked_setting(row, rate);
        if (!value) return read_.fail(at, "fps", value.error().wrong, value.error().right);
        out_.method.settings[row.name] = *value;
      }
      return true;
    }
    return read_.fail(at, "", "there is no method for molecules here", "a program that has it");
  }

  bool patient(pugi::xml_node scene) {
    const auto at = read_.only(scene, "patient");
    if (!at || !read_.holds(at, {"name", "gender", "weight", "height", "age"},
                            {"materials", "molecule_organ"}))
      return false;
    Patient who;
    who.name = at.attribute("name").value();
    who.gender = at.attribute("gender").value();
    if (!read_.optional_number(at, "weight", kNotNegative, who.weight) ||
        !read_.optional_number(at, "height", kNotNegative, who.height) ||
        !read_.optional_number(at, "age", kNotNegative, who.age))
      return false;
    out_.patient = who;
    const auto list = read_.only(at, "materials");
    if (!list || !materials(list)) return false;
    for (const auto organ : at.children("molecule_organ"))
      if (!add_organ(organ)) return false;
    return !out_.bodies.empty() || read_.fail(at, "", "no organ", "at least one <molecule_organ>");
  }

  bool materials(pugi::xml_node at) {
    if (!read_.holds(at, {}, {"material"})) return false;
    for (const auto item : at.children("material")) {
      ComeMaterial m;
      Material& of = m.material;
      const bool good =
          read_.holds(item,
                      {"description", "R", "G", "B", "damping_const", "density", "youngs_modulus",
                       "medium_density"},
                      {}) &&
          read_.text(item, "description", m.name) &&
          read_.optional_number(item, "R", kColor, of.color[0]) &&
          read_.optional_number(item, "G", kColor, of.color[1]) &&
          read_.optional_number(item, "B", kColor, of.color[2]) &&
          read_.optional_number(item, "damping_const", kNotNegative, m.damping_const) &&
          read_.number(item, "density", kDensity, of.density) &&
          read_.number(item, "youngs_modulus", kModulus, of.young_modulus) &&
          read_.optional_number(item, "medium_density", kNotNegative, of.medium_density);
      if (!good) return false;
      for (const ComeMaterial& other : materials_)
        if (other.name == m.name)
          return read_.fail(item, "description", "a second material of this name",
                            "a name of its own");
      materials_.push_back(std::move(m));
    }
    return true;
  }

  bool molecule(pugi::xml_node at, Molecule& out) {
    std::string material;
    out.at = at;
    const bool good =
        read_.holds(at, {"x", "y", "z", "material", "friction_const", "radius", "fixed"},
                    {"force"}) &&
        read_.number(at, "x", kPlace, out.center.x()) &&
        read_.number(at, "y", kPlace, out.center.y()) &&
        read_.number(at, "z", kPlace, out.center.z()) && read_.text(at, "material", material) &&
        read_.optional_number(at, "friction_const", kFriction, out.friction) &&
        read_.number(at, "radius", kRadius, out.radius) && read_.flag(at, "fixed", out.fixed);
    if (!good) return false;
    std::vector<std::string> names;
    for (const ComeMaterial& m : materials_) names.push_back(m.name);
    const auto found = std::find(names.begin(), names.end(), material);
    if (found == names.end())
      return read_.fail(at, "material", "there is no such material", suggestion(material, names));
    out.material = static_cast<std::size_t>(found - names.begin());
    for (const auto force : at.children("force"))
      if (!add_force(force, out)) return false;
    return true;
  }
  bool add_force(pugi::xml_node at, Molecule& out) {
    Vec3 force = Vec3::Zero();
    double time = 0.0;
    const bool good =
        read_.holds(at, {"x", "y", "z", "time"}, {}) && read_.number(at, "x", kForce, force.x()) &&
        read_.number(at, "y", kForce, force.y()) && read_.number(at, "z", kForce, force.z()) &&
        read_.number(at, "time", kTime, time);
    if (!good) return false;
    if (!out.times.empty() && !(time > out.times.back()))
      return read_.fail(at, "time", "not after the force before it", "times that increase");
    out.times.push_back(time);
    out.forces.push_back(force);
    return true;
  }

  bool add_organ(pugi::xml_node at) {
    if (!read_.holds(at, {"type", "description"}, {"molecule"})) return false;
    std::vector<Molecule> molecules;
    for (const auto item : at.children("molecule")) {
      if (++count_ > kMostMolecules)
        return read_.fail(item, "", "too many molecules",
                          fmt::format("at most {} in a scene", kMostMolecules));
      if (!molecule(item, molecules.emplace_back())) return false;
    }
    if (molecules.empty()) return read_.fail(at, "", "an empty organ", "at least one <molecule>");
    const Nearest least = nearest_two(molecules);
    if (least.distance == 0.0)
      return read_.fail(molecules[least.b].at, "x",
                        fmt::format("molecule {} is in the same place", least.a + 1),
                        "a place of its own for every molecule");
    SceneBody body;
    body.name = free_name(at);
    body.role = at.attribute("type").value();
    add_shape(molecules, least.distance, body);
    add_points(molecules, least.distance, body);
    for (std::size_t i = 0; i < molecules.size(); ++i) add_pull(molecules[i], i, body.name);
    out_.bodies.push_back(std::move(body));
    return true;
  }

  std::string free_name(pugi::xml_node at) {
    const std::string wanted = at.attribute("description").value();
    std::string name = wanted.empty() ? "organ" : wanted;
    for (int k = 2; !names_.insert(name).second; ++k) name = fmt::format("{} {}", wanted, k);
    return name;
  }

  static void add_shape(const std::vector<Molecule>& molecules, double pitch, SceneBody& body) {
    SphereSetSpec set;
    for (const Molecule& m : molecules) {
      set.centers.push_back(m.center);
      set.radii.push_back(m.radius);
    }
    if (molecules.size() > 1) set.link_within = kJoined * pitch;
    auto spec = std::make_shared<ShapeSpec>();
    spec->what = std::move(set);
    body.shape.spec = std::move(spec);
  }

  /// A material for each mixture of material, friction and, of damping, pitch.
  void add_points(const std::vector<Molecule>& molecules, double pitch, SceneBody& body) {
    SoftSpec soft;
    soft.mass = "balls";
    for (std::size_t i = 0; i < molecules.size(); ++i) {
      const Molecule& m = molecules[i];
      if (m.fixed) soft.fixed_points.push_back(static_cast<int>(i));
      const std::string name = material_of(m, pitch);
      auto place = std::find(soft.materials.begin(), soft.materials.end(), name);
      if (place == soft.materials.end()) place = soft.materials.insert(place, name);
      soft.material_of.push_back(static_cast<int>(place - soft.materials.begin()));
    }
    body.material = soft.materials.front();
    body.soft = std::move(soft);
  }

  std::string material_of(const Molecule& m, double pitch) {
    const ComeMaterial& come = materials_[m.material];
    Material made = come.material;
    made.friction = m.friction;
    made.damping = std::isfinite(pitch)
                       ? come.damping_const / spring_constant(made.young_modulus, pitch)
                       : 0.0;
    for (int k = 1;; ++k) {
      made.name = k == 1 ? come.name : fmt::format("{} {}", come.name, k);
      const auto known = std::find_if(out_.materials.begin(), out_.materials.end(),
                                      [&](const auto& row) { return row.first == made.name; });
      if (known == out_.materials.end()) {
        out_.materials.emplace_back(made.name, made);
        return made.name;
      }
      if (known->second == made) return made.name;
    }
  }

  void add_pull(const Molecule& m, std::size_t point, const std::string& body) {
    if (m.times.empty()) return;
    SceneForce force;
    force.force.kind = ForceKind::pull;
    force.force.body_a = body;
    force.force.points = {static_cast<int>(point)};
    force.force.times = m.times;
    force.force.vectors = m.forces;
    out_.forces.push_back(std::move(force));
  }

  XmlReader read_;
  pugi::xml_node root_;
  const Catalogue& catalogue_;
  Scene out_;
  std::vector<ComeMaterial> materials_;
  std::unordered_set<std::string> names_;
  std::size_t count_ = 0;
};

Result<XmlDocument> come_document(std::string text, const std::string& file) {
  auto document = XmlDocument::parse(std::move(text), file);
  if (!document || document->root().name() == std::string("come")) return document;
  return document->error(document->root(), "", document->root().name(), "not a scene of molecules",
                         "a document whose root is <come>");
}

}  // namespace

Result<std::string> come_about(std::string text, const std::string& file) {
  const auto document = come_document(std::move(text), file);
  if (!document) return document.error();
  return document->about();
}

Result<Scene> scene_from_come(std::string text, const std::string& file,
                              const Catalogue& catalogue) {
  const auto document = come_document(std::move(text), file);
  if (!document) return document.error();
  auto scene = ComeScene(*document, catalogue).run();
  if (!scene) return scene;
  scene->file = file;
  scene->about = document->about();
  scene->name = std::filesystem::path(file).stem().string();
  if (const auto shapes = check_shapes(*scene); !shapes) return shapes.error();
  if (const auto names = check_references(*scene); !names) return names.error();
  return scene;
}

}  // namespace repose
