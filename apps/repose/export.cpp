// repose export DIR --gltf|--usda|--blender|--vtk|--csv OUT
#include <fmt/format.h>

#include "repose/exchange/blender.h"
#include "repose/exchange/csv.h"
#include "repose/exchange/gltf.h"
#include "repose/exchange/usda.h"
#include "repose/exchange/vtk.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"

namespace {

struct ExportOptions {
  std::filesystem::path from;
  std::filesystem::path gltf, usda, blender, vtk, csv;
  bool skin = false;
};

int export_recording(const ExportOptions& options) {
  const bool folder = std::filesystem::is_directory(options.from);
  const auto recording =
      repose::Recording::open(folder ? options.from / "recording.repose" : options.from);
  if (!recording) return bad_input(recording.error(), false);
  using Write =
      repose::Result<repose::Done> (*)(const repose::Recording&, const std::filesystem::path&);
  const Write plain_vtk = [](const repose::Recording& r, const std::filesystem::path& path) {
    return repose::exchange::write_vtk(r, path);
  };
  const Write skin_vtk = [](const repose::Recording& r, const std::filesystem::path& path) {
    return repose::exchange::write_vtk(r, path, true);
  };
  const std::pair<std::filesystem::path, Write> wanted[] = {
      {options.gltf, repose::exchange::write_gltf},
      {options.usda, repose::exchange::write_usda},
      {options.blender, repose::exchange::write_blender},
      {options.vtk, options.skin ? skin_vtk : plain_vtk},
      {options.csv, repose::exchange::write_csv}};
  for (const auto& [path, write] : wanted) {
    if (path.empty()) continue;
    const auto written = write(*recording, path);
    if (!written) return bad_input(written.error(), false);
    tell("written to {}\n", path.string());
  }
  return kDone;
}

}  // namespace

void add_export(CommandLine& program) {
  auto options = std::make_shared<ExportOptions>();
  program
      .subcommand("export", "Write a recording for other tools",
                  [options] { return export_recording(*options); })
      .path("DIR", options->from, "Folder of a run, or its recording.repose")
      .required()
      .file("--gltf", options->gltf, {".glb", ".gltf"}, "glTF 2.0: a .glb or .gltf file")
      .file("--usda", options->usda, {".usda"}, "USD as text, with samples in time: a .usda file")
      .file("--blender", options->blender, {".py"},
            "A script that makes the run in Blender: a .py file")
      .file("--vtk", options->vtk, {".pvd"}, "Series for ParaView: a .pvd file")
      .flag("--skin", options->skin, "With --vtk: soft bodies as the skin over their balls")
      .file("--csv", options->csv, {".csv"}, "Plotted series and poses: a .csv file")
      .needs_one_of({"--gltf", "--usda", "--blender", "--vtk", "--csv"});
}
