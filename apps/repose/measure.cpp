// repose measure DIR
#include <fmt/format.h>

#include "repose/exchange/measures.h"
#include "repose/measure/measures.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"

namespace {

namespace fs = std::filesystem;

struct MeasureOptions {
  fs::path folder, out;
  int frame = -1;
  double layer = repose::measure::MeasureSettings{}.layer;
  std::vector<double> region;
};

/// x, y, z of the low corner, then of the high one.
repose::measure::Region region_of(const std::vector<double>& numbers) {
  repose::measure::Region out;
  out.low = repose::Vec3(numbers[0], numbers[1], numbers[2]);
  out.high = repose::Vec3(numbers[3], numbers[4], numbers[5]);
  return out;
}

repose::InputError no_region(const std::vector<double>& numbers) {
  repose::InputError error;
  error.pointer = "--region";
  error.value = fmt::format("{}", fmt::join(numbers, " "));
  error.wrong = "it holds nothing";
  error.right = "x y z of the low corner, then larger ones of the high corner, m";
  return error;
}

int measure(const MeasureOptions& options) {
  const auto recording = repose::Recording::open(options.folder / "recording.repose");
  if (!recording) return bad_input(recording.error(), false);
  if (const auto done = recording->require_frames(); !done) return bad_input(done.error(), false);
  const int count = recording->frame_count();
  const int index = options.frame < 0 ? count - 1 : options.frame;
  if (index < 0 || index >= count) {
    repose::InputError error;
    error.pointer = "--frame";
    error.value = fmt::format("{}", index);
    error.wrong = fmt::format("the recording has {} frames", count);
    error.right = "a frame counted from 0";
    return bad_input(error, false);
  }
  const auto frame = recording->frame(index);
  if (!frame) return bad_input(frame.error(), false);
  const repose::measure::Grains grains = repose::measure::grains_of(*recording, *frame);
  repose::measure::MeasureSettings settings;
  settings.layer = options.layer;
  if (!options.region.empty()) settings.region = region_of(options.region);
  if (settings.region && settings.region->empty())
    return bad_input(no_region(options.region), false);
  const repose::measure::Measures found = repose::measure::measure(grains, settings);
  const fs::path out = options.out.empty() ? options.folder / "measure" : options.out;
  std::error_code failed;
  fs::create_directories(out, failed);
  if (const auto done = repose::exchange::write_measures(found, out); !done)
    return bad_input(done.error(), false);
  tell("{:<24} {}\n{:<24} {:.4g} m\n", "bodies", found.bodies, "mean radius", found.mean_radius);
  for (const auto& [name, value] : repose::measure::in_words(found))
    tell("{:<24} {}\n", name, value);
  if (found.inner.empty())
    tell(
        "without boundary layer   nothing is left inside a layer of {:.3g} mean diameters "
        "(--layer)\n",
        settings.layer);
  tell("all figures and curves: {}\n", (out / "*.csv").string());
  return kDone;
}

}  // namespace

void add_measure(CommandLine& program) {
  constexpr double kMostLayer = 100.0;
  constexpr int kRegionNumbers = 6;
  auto options = std::make_shared<MeasureOptions>();
  program
      .subcommand("measure",
                  "Packing, contacts, radial distribution, heap angle and forces of a run, as CSV",
                  [options] { return measure(*options); })
      .path("DIR", options->folder, "Folder of a run")
      .required()
      .path("--out", options->out, "Folder for the CSV files; DIR/measure if not given")
      .whole("--frame", options->frame, {0, std::numeric_limits<int>::max()},
             "Frame, counted from 0; the last if not given")
      .number("--layer", options->layer, {.min = 0.0, .max = kMostLayer},
              "Boundary layer left out, in mean diameters")
      .numbers("--region", options->region, kRegionNumbers, {},
               "Box to measure in instead: x y z of the low corner, then of the high one, m");
}
