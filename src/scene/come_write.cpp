#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <pugixml.hpp>

#include "repose/base/fault.h"
#include "repose/base/setting_values.h"
#include "repose/scene/come.h"

#include "come_spring.h"

namespace repose {

namespace {

/// Shortest text that reads back to the same bits.
std::string text_of(double number) {
  return fmt::format("{}", number);
}

void add(pugi::xml_node at, const char* name, double number) {
  at.append_attribute(name).set_value(text_of(number).c_str());
}

/// What the document has no words for.
Result<Done> check_sayable(const World& world, const Scene& scene) {
  const auto cannot = [](const std::string& pointer, const std::string& value, const char* what) {
    return fault(pointer, value, fmt::format("the XML has no {}", what),
                 "soft bodies of balls, their materials, fixed points and pulls; or a JSON scene");
  };
  for (std::size_t i = 0; i < world.problem.bodies.size(); ++i) {
    const Body& body = world.problem.bodies[i];
    const bool balls = std::holds_alternative<shape::SphereSet>(body.shape->geometry);
    if (!balls) return cannot(fmt::format("/bodies/{}", i), body.name, "bodies of this kind");
    if (!scene.events.empty()) return cannot("/events", "", "events");
  }
  if (!scene.joints.empty()) return cannot("/joints", "", "joints");
  for (std::size_t i = 0; i < world.problem.forces.size(); ++i)
    if (world.problem.forces[i].kind != ForceKind::pull)
      return cannot(fmt::format("/forces/{}", i), name_of(world.problem.forces[i].kind),
                    "forces of this kind");
  if (!scene.limits.duration)
    return fault("/limits/duration", "", "the XML needs a duration",
                 "\"limits\": {\"duration\": s}");
  if (world.problem.bodies.empty()) return cannot("/bodies", "", "scenes without bodies");
  return Done{};
}

class ComeWriter {
 public:
  ComeWriter(const Scene& scene, const World& world) : scene_(scene), world_(world) {}

  std::string run() {
    auto declaration = document_.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    if (!scene_.about.empty() && scene_.about.find("--") == std::string::npos)
      document_.append_child(pugi::node_comment).set_value((" " + scene_.about + " ").c_str());
    auto come = document_.append_child("come");
    auto scene = come.append_child("scene");
    add(scene, "gX", scene_.gravity.x());
    add(scene, "gY", scene_.gravity.y());
    add(scene, "gZ", scene_.gravity.z());
    auto simulation = scene.append_child("simulation");
    add(simulation, "fps", number_or(scene_.method.settings, kIterations, kUsualRate));
    add(simulation, "duration", *scene_.limits.duration);
    auto patient = scene.append_child("patient");
    add_patient(patient);
    materials_ = patient.append_child("materials");
    for (std::size_t i = 0; i < world_.problem.bodies.size(); ++i) add_organ(patient, i);
    std::ostringstream out;
    document_.save(out, "  ", pugi::format_indent, pugi::encoding_utf8);
    return out.str();
  }

 private:
  /// Iterations a second where the scene's method does not say.
  static constexpr double kUsualRate = 1000.0;

  void add_patient(pugi::xml_node at) {
    const Patient who = scene_.patient.value_or(Patient{});
    at.append_attribute("name") = who.name.c_str();
    at.append_attribute("gender") = who.gender.c_str();
    add(at, "weight", who.weight);
    add(at, "height", who.height);
    add(at, "age", who.age);
  }

  void add_organ(pugi::xml_node patient, std::size_t index) {
    const Body& body = world_.problem.bodies[index];
    const SoftState& soft = world_.state.bodies[index].soft;
    auto organ = patient.append_child("molecule_organ");
    organ.append_attribute("type") = body.role.c_str();
    organ.append_attribute("description") = body.name.c_str();
    for (std::size_t i = 0; i < soft.size(); ++i) {
      auto molecule = organ.append_child("molecule");
      add(molecule, "x", soft.positions[i].x());
      add(molecule, "y", soft.positions[i].y());
      add(molecule, "z", soft.positions[i].z());
      const Material& material = body.soft->material(i);
      molecule.append_attribute("material") = material_name(material, body.soft->pitch).c_str();
      add(molecule, "friction_const", material.friction);
      add(molecule, "radius", soft.radii[i]);
      if (body.fixed || body.soft->fixed[i] != 0) molecule.append_attribute("fixed") = "true";
      add_forces(molecule, body.name, static_cast<int>(i));
    }
  }

  void add_forces(pugi::xml_node molecule, const std::string& body, int point) {
    for (const Force& force : world_.problem.forces) {
      if (force.body_a != body ||
          std::find(force.points.begin(), force.points.end(), point) == force.points.end())
        continue;
      for (std::size_t k = 0; k < force.times.size(); ++k) {
        auto row = molecule.append_child("force");
        add(row, "x", force.vectors[k].x());
        add(row, "y", force.vectors[k].y());
        add(row, "z", force.vectors[k].z());
        add(row, "time", force.times[k]);
      }
    }
  }

  /// Its name in the document, where it is written once; friction stands with the molecules.
  std::string material_name(const Material& material, double pitch) {
    const double damping = material.damping * spring_constant(material.young_modulus, pitch);
    const auto key = std::tuple(material.name, material.density, material.young_modulus, damping,
                                material.medium_density, material.color);
    if (const auto known = written_.find(key); known != written_.end()) return known->second;
    const std::string wanted = material.name.empty() ? "material" : material.name;
    std::string name = wanted;
    for (int k = 2; taken(name); ++k) name = fmt::format("{} {}", wanted, k);
    auto at = materials_.append_child("material");
    at.append_attribute("description") = name.c_str();
    add(at, "R", material.color[0]);
    add(at, "G", material.color[1]);
    add(at, "B", material.color[2]);
    add(at, "damping_const", damping);
    add(at, "density", material.density);
    add(at, "youngs_modulus", material.young_modulus);
    add(at, "medium_density", material.medium_density);
    written_.emplace(key, name);
    return name;
  }
  bool taken(const std::string& name) const {
    return std::any_of(written_.begin(), written_.end(),
                       [&](const auto& row) { return row.second == name; });
  }

  const Scene& scene_;
  const World& world_;
  pugi::xml_document document_;
  pugi::xml_node materials_;
  std::map<std::tuple<std::string, double, double, double, double, std::array<double, 3>>,
           std::string>
      written_;
};

}  // namespace

Result<std::string> write_come(const Scene& scene) {
  const auto world = build_world(scene);
  if (!world) return world.error();
  if (auto done = check_sayable(*world, scene); !done) {
    InputError error = done.error();
    error.file = scene.file;
    return error;
  }
  return ComeWriter(scene, *world).run();
}

}  // namespace repose
