// repose render SCENE|DIR --out X.png|X.jpg|X.mp4|X.webm|X.gif|X.apng
#include <fmt/format.h>

#include "command_line.h"
#include "commands.h"
#include "messages.h"
#include "render_scene.h"

namespace {

constexpr int kMostSamples = 4096;
constexpr int kLargestSide = 16384;  // pixels
/// Azimuth and elevation, degrees.
constexpr std::array<repose::Range, 2> kViews = {
    {{.min = -360.0, .max = 360.0}, {.min = -90.0, .max = 90.0}}};
constexpr int kMostPictures = 240;  // a second

int render(const RenderOptions& options) {
  const auto done = render_scene(options);
  if (!done) return bad_input(done.error(), false);
  if (!options.quiet) tell("written to {}\n", options.out.string());
  return kDone;
}

}  // namespace

void add_render(CommandLine& program) {
  constexpr double kShortestFilm = 0.1, kLongestFilm = 3600.0;  // s
  constexpr double kSlowest = 1e-6, kFastest = 1e6;
  auto options = std::make_shared<RenderOptions>();
  Command& command = program.subcommand("render", "Draw a scene or a recording",
                                        [options] { return render(*options); });
  command.text("SCENE", options->what, "A scene, or the folder of a run")
      .required()
      .file("--out", options->out, {".png", ".jpg", ".jpeg", ".mp4", ".webm", ".gif", ".apng"},
            "The picture (.png, .jpg) or film (.mp4, .webm, .gif by ffmpeg; .apng without)")
      .required()
      .text("--frame", options->frame, "Frame of a recording: a number from 0, or last")
      .whole_pair("--size", options->size, 'x', {1, kLargestSide},
                  "WIDTHxHEIGHT in pixels; 1280x800")
      .whole("--samples", options->samples, {1, kMostSamples},
             "Light paths per pixel; 8, in films as few as show no noise")
      .flag("--quick", options->quick, "As still.png of a run is drawn: in a tenth of the time")
      .number_pair("--view", options->view, ',', kViews, "AZIMUTH,ELEVATION in degrees; -55,20")
      .whole("--fps", options->frames_per_second, {1, kMostPictures},
             "Pictures a second of a film; 30")
      .number("--even", options->even_seconds, {.min = kShortestFilm, .max = kLongestFilm},
              "A film of so many seconds in which the fastest body moves evenly; 5 where the run "
              "has no time")
      .number("--speed", options->speed, {.min = kSlowest, .max = kFastest},
              "Simulated seconds a second of the film; 1")
      .flag("--every-frame", options->every_frame,
            "One picture of the film for each recorded frame")
      .flag("--skin", options->skin, "Soft bodies as the skin over their balls")
      .text("--surfels", options->surfels,
            "Surfel bodies: surface, strain (by colour), balls or phyxels; surface")
      .flag("--contacts", options->contacts, "Dots where bodies touch")
      .flag("--forces", options->forces, "Arrows along contact forces")
      .texts("--highlight", options->highlight, "Name of a body to lift out; repeatable")
      .flag("--quiet", options->quiet, "No progress");
  add_opening(command, options->open);
}
