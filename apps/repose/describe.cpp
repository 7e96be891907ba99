// repose describe SCENE
#include <map>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/handover/handover.h"
#include "repose/run/catalogue.h"
#include "repose/shape/matter.h"
#include "repose/world/joined.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"
#include "opening.h"

namespace {

using repose::Json;
using repose::known;

Json vector_json(const repose::Vec3& v) {
  return Json::Array{v.x(), v.y(), v.z()};
}

/// What is to be said of each shape's matter, asked once of each; empty: it is simple.
class MatterNotes {
 public:
  const std::string& of(const repose::shape::ShapePtr& shape) {
    const auto [found, fresh] = notes_.emplace(shape.get(), "");
    if (fresh) found->second = repose::shape::matter_of(*shape).why;
    return found->second;
  }

 private:
  std::map<const repose::shape::Shape*, std::string> notes_;
};

Json body_json(const repose::Body& body, const repose::BodyState& state, MatterNotes& notes) {
  const auto& q = state.world_from_body.rotation;
  return Json::Object{{"name", body.name},
                      {"shape", repose::name_of(body.shape->kind)},
                      {"mass", known(body.mass)},
                      {"volume", known(body.shape->volume.volume)},
                      {"area", known(body.shape->volume.area)},
                      {"size", known(body.size())},
                      {"center_body", vector_json(body.center_body)},
                      {"position", vector_json(state.world_from_body.position)},
                      {"orientation_wxyz", Json::Array{q.w(), q.x(), q.y(), q.z()}},
                      {"fixed", body.fixed},
                      {"points", body.soft ? body.soft->size() : 0},
                      {"links", body.soft ? body.soft->links.size() : 0},
                      {"material", body.material.name},
                      {"matter", notes.of(body.shape).empty() ? "simple" : notes.of(body.shape)}};
}

/// Pairs of bodies that a joint holds, and that do not touch each other.
Json passing_json(const repose::Problem& problem) {
  Json::Array out;
  for (const auto& [a, b] : repose::passing_pairs(problem))
    out.push_back(Json::Array{problem.bodies[static_cast<std::size_t>(a)].name,
                              problem.bodies[static_cast<std::size_t>(b)].name});
  return out;
}

void tell_passing(const repose::Problem& problem, std::size_t most) {
  const auto pairs = repose::passing_pairs(problem);
  if (pairs.empty()) return;
  tell(
      "\nheld by a joint, so they do not touch each other (\"collides\": true on the joint: they "
      "do)\n");
  for (std::size_t i = 0; i < pairs.size() && i < most; ++i)
    tell("  {} - {}\n", problem.bodies[static_cast<std::size_t>(pairs[i].first)].name,
         problem.bodies[static_cast<std::size_t>(pairs[i].second)].name);
  if (pairs.size() > most) tell("  ... and {} more\n", pairs.size() - most);
}

int describe_json(const repose::Scene& scene, const repose::World& world) {
  Json::Array bodies;
  MatterNotes notes;
  for (std::size_t i = 0; i < world.problem.bodies.size(); ++i)
    bodies.push_back(body_json(world.problem.bodies[i], world.state.bodies[i], notes));
  const Json out = Json::Object{{"scene", scene.name},
                                {"about", scene.about},
                                {"method", scene.method.kind},
                                {"gravity", vector_json(world.problem.gravity)},
                                {"forces", world.problem.forces.size()},
                                {"joints", world.problem.joints.size()},
                                {"events", world.problem.events.size()},
                                {"passing", passing_json(world.problem)},
                                {"bodies", std::move(bodies)}};
  tell("{}", out.tall());
  return kDone;
}

int describe(const std::string& name, const OpeningWords& words, bool json, std::size_t most) {
  const auto handed = open_as(name, words);
  if (!handed) return bad_input(handed.error(), json);
  const repose::Scene* scene = &handed->scene;
  tell_notes(scene->notes);
  if (!json) tell_reading(*handed);
  const auto world = repose::handover::build_world(*handed);
  if (!world) return bad_input(world.error(), json);
  if (json) return describe_json(*scene, *world);
  const auto& bodies = world->problem.bodies;
  tell("{}: {}\nmethod {}, {} bodies, {} forces, {} joints, {} events\n\n", scene->name,
       scene->about, scene->method.kind, bodies.size(), world->problem.forces.size(),
       world->problem.joints.size(), world->problem.events.size());
  tell("{:<20} {:<14} {:>12} {:>12} {:>12}  {}\n", "body", "shape", "mass kg", "volume m3",
       "size m", "centre of mass, world");
  MatterNotes notes;
  for (std::size_t i = 0; i < bodies.size() && i < most; ++i) {
    const repose::Vec3 center = world->state.bodies[i].world_from_body * bodies[i].center_body;
    tell("{:<20} {:<14} {:>12.6g} {:>12.6g} {:>12.6g}  {:.5g} {:.5g} {:.5g}{}\n", bodies[i].name,
         repose::name_of(bodies[i].shape->kind), bodies[i].mass, bodies[i].shape->volume.volume,
         bodies[i].size(), center.x(), center.y(), center.z(), bodies[i].fixed ? "  fixed" : "");
    if (const std::string& note = notes.of(bodies[i].shape); !note.empty())
      tell("{:<20} matter: {}\n", "", note);
  }
  if (bodies.size() > most) tell("... and {} more\n", bodies.size() - most);
  tell_passing(world->problem, most);
  return kDone;
}

}  // namespace

void add_describe(CommandLine& program) {
  struct Options {
    std::string scene;
    OpeningWords open;
    bool json = false;
    int most = 50;
  };
  auto options = std::make_shared<Options>();
  Command& command =
      program.subcommand("describe", "Show a scene's bodies, masses and volumes", [options] {
        return describe(options->scene, options->open, options->json,
                        static_cast<std::size_t>(options->most));
      });
  command.text("SCENE", options->scene, "A path or a gallery name")
      .required()
      .flag("--json", options->json, "Everything as JSON")
      .whole("--most", options->most, {0, std::numeric_limits<int>::max()}, "Bodies to show")
      .shows_default(fmt::format("{}", options->most));
  add_opening(command, options->open);
}
