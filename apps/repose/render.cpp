// repose render SCENE|DIR --out X.png|X.mp4|X.webm
#include <fmt/format.h>

#include "commands.h"
#include "messages.h"
#include "render_scene.h"

void add_render(CLI::App& program, Action& action) {
  auto options = std::make_shared<RenderOptions>();
  auto* command = program.add_subcommand("render", "Draw a scene or a recording");
  command->add_option("SCENE", options->what, "A scene, or the folder of a run")->required();
  command->add_option("--out", options->out, "The picture (.png) or film (.mp4, .webm)")
      ->required();
  command->add_option("--frame", options->frame, "Frame of a recording: a number from 0, or last");
  command->add_option("--size", options->size, "WIDTHxHEIGHT in pixels; 1280x800");
  command->add_option("--samples", options->samples, "Light paths per pixel; 8")
      ->check(CLI::Range(1, 4096));
  command->add_option("--view", options->view, "AZIMUTH,ELEVATION in degrees; -55,20");
  command->add_option("--fps", options->frames_per_second, "Pictures a second of a film; 30")
      ->check(CLI::Range(1, 240));
  command
      ->add_option("--even", options->even_seconds,
                   "A film of so many seconds in which the fastest body moves evenly")
      ->check(CLI::Range(0.1, 3600.0));
  command->add_flag("--contacts", options->contacts, "Dots where bodies touch");
  command->add_flag("--forces", options->forces, "Arrows along contact forces");
  command->add_option("--highlight", options->highlight, "Name of a body to lift out; repeatable")
      ->take_all();
  command->add_flag("--quiet", options->quiet, "No progress");
  command->callback([&action, options] {
    action = [options] {
      const auto done = render_scene(*options);
      if (!done) return bad_input(done.error(), false);
      if (!options->quiet) fmt::print("written to {}\n", options->out.string());
      return static_cast<int>(kDone);
    };
  });
}
