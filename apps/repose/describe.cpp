// repose describe SCENE
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/run/catalogue.h"
#include "repose/scene/gallery.h"

#include "commands.h"
#include "messages.h"

namespace {

using Json = nlohmann::ordered_json;

Json vector_json(const repose::Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Json body_json(const repose::Body& body, const repose::BodyState& state) {
  const auto& q = state.world_from_body.rotation;
  return {{"name", body.name},
          {"shape", body.shape->kind},
          {"mass", body.mass},
          {"volume", body.shape->volume.volume},
          {"area", body.shape->volume.area},
          {"size", body.size()},
          {"center_body", vector_json(body.center_body)},
          {"position", vector_json(state.world_from_body.position)},
          {"orientation_wxyz", {q.w(), q.x(), q.y(), q.z()}},
          {"fixed", body.fixed},
          {"material", body.material.name}};
}

int describe_json(const repose::Scene& scene, const repose::World& world) {
  Json out = {{"scene", scene.name},
              {"about", scene.about},
              {"method", scene.method.kind},
              {"gravity", vector_json(world.problem.gravity)},
              {"forces", world.problem.forces.size()},
              {"joints", world.problem.joints.size()},
              {"events", world.problem.events.size()},
              {"bodies", Json::array()}};
  for (std::size_t i = 0; i < world.problem.bodies.size(); ++i)
    out["bodies"].push_back(body_json(world.problem.bodies[i], world.state.bodies[i]));
  fmt::print("{}\n", out.dump(2));
  return kDone;
}

int describe(const std::string& name, bool json, std::size_t most) {
  auto scene = repose::open_scene(name, repose::method_catalogue());
  if (!scene) return bad_input(scene.error(), json);
  auto world = repose::build_world(*scene);
  if (!world) return bad_input(world.error(), json);
  if (json) return describe_json(*scene, *world);
  const auto& bodies = world->problem.bodies;
  fmt::print("{}: {}\nmethod {}, {} bodies, {} forces, {} joints, {} events\n\n", scene->name,
             scene->about, scene->method.kind, bodies.size(), world->problem.forces.size(),
             world->problem.joints.size(), world->problem.events.size());
  fmt::print("{:<20} {:<14} {:>12} {:>12} {:>12}  {}\n", "body", "shape", "mass kg", "volume m3",
             "size m", "centre of mass, world");
  for (std::size_t i = 0; i < bodies.size() && i < most; ++i) {
    const repose::Vec3 center = world->state.bodies[i].world_from_body * bodies[i].center_body;
    fmt::print("{:<20} {:<14} {:>12.6g} {:>12.6g} {:>12.6g}  {:.5g} {:.5g} {:.5g}{}\n",
               bodies[i].name, bodies[i].shape->kind, bodies[i].mass,
               bodies[i].shape->volume.volume, bodies[i].size(), center.x(), center.y(), center.z(),
               bodies[i].fixed ? "  fixed" : "");
  }
  if (bodies.size() > most) fmt::print("... and {} more\n", bodies.size() - most);
  return kDone;
}

}  // namespace

void add_describe(CLI::App& program, Action& action) {
  struct Options {
    std::string scene;
    bool json = false;
    std::size_t most = 50;
  };
  auto options = std::make_shared<Options>();
  auto* command = program.add_subcommand("describe", "Show a scene's bodies, masses and volumes");
  command->add_option("SCENE", options->scene, "A path or a gallery name")->required();
  command->add_flag("--json", options->json, "Everything as JSON");
  command->add_option("--most", options->most, "Bodies to show")->capture_default_str();
  command->callback([&action, options] {
    action = [options] { return describe(options->scene, options->json, options->most); };
  });
}
