// repose convert SCENE OUT
#include <fmt/format.h>

#include "repose/base/whole_file.h"
#include "repose/handover/handover.h"
#include "repose/run/catalogue.h"
#include "repose/scene/come.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"
#include "opening.h"

namespace {

struct ConvertOptions {
  std::string scene;
  std::filesystem::path out;
  OpeningWords open;
};

int convert_scene(const ConvertOptions& options) {
  const auto handed = open_as(options.scene, options.open);
  if (!handed) return bad_input(handed.error(), false);
  const repose::Scene* scene = &handed->scene;
  const auto text = options.out.extension() == ".xml"
                        ? repose::write_come(*scene)
                        : repose::Result<std::string>(repose::write_scene(*scene));
  if (!text) return bad_input(text.error(), false);
  const auto written = repose::write_whole(options.out, *text);
  if (!written) return bad_input(written.error(), false);
  tell("written to {}\n", options.out.string());
  return kDone;
}

}  // namespace

void add_convert(CommandLine& program) {
  auto options = std::make_shared<ConvertOptions>();
  Command& command = program.subcommand(
      "convert", "Write a scene as JSON (from MJCF, URDF or SDF too), or one of soft bodies as XML",
      [options] { return convert_scene(*options); });
  command.text("SCENE", options->scene, "A path (.json, .xml, .urdf, .sdf), or a gallery name")
      .required()
      .file("OUT", options->out, {".json", ".xml"}, "The file to write: .json or .xml")
      .required();
  add_opening(command, options->open);
}
