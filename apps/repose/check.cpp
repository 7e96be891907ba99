// repose check SCENE
#include <fmt/format.h>

#include "repose/check/verdict.h"
#include "repose/run/catalogue.h"
#include "repose/run/judge_input.h"
#include "repose/scene/gallery.h"

#include "commands.h"
#include "messages.h"

namespace {

struct Options {
  std::string scene;
  double tolerance = repose::check::Settings{}.tolerance;
  double friction = -1.0;  // negative: the materials' own
  bool json = false;
};

int check_scene(const Options& options) {
  auto scene = repose::open_scene(options.scene, repose::method_catalogue());
  if (!scene) return bad_input(scene.error(), options.json);
  auto world = repose::build_world(*scene);
  if (!world) return bad_input(world.error(), options.json);
  repose::check::Input input = repose::judge_input(world->problem, world->state);
  if (options.friction >= 0.0)
    for (auto& item : input.items) item.friction = options.friction;
  repose::check::Settings settings;
  settings.tolerance = options.tolerance;
  const repose::check::Verdict verdict = repose::check::check(input, settings);
  fmt::print("{}\n", options.json ? repose::check::to_json(verdict, input)
                                  : repose::check::to_summary(verdict, input));
  switch (verdict.answer) {
    case repose::check::Answer::proven:
      return kDone;
    case repose::check::Answer::missed:
      return kPromiseMissed;
    case repose::check::Answer::undecided:
      return kPromiseMissed;
  }
  return kOurFault;
}

}  // namespace

void add_check(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add_subcommand(
      "check", "Prove the poses of a scene: no overlap, balance, stability; or say why not");
  command->add_option("scene", options->scene, "Path or gallery name")->required();
  command
      ->add_option("--tolerance", options->tolerance,
                   "Overlap up to this fraction of the smaller body's size is no fault")
      ->check(CLI::Range(0.0, 0.1))
      ->capture_default_str();
  command->add_option("--friction", options->friction, "For all bodies, instead of their own")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--json", options->json, "The verdict as JSON");
  command->callback([options, &action] { action = [options] { return check_scene(*options); }; });
}
