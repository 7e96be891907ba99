// repose export DIR --gltf|--vtk|--csv OUT
#include <fmt/format.h>

#include "repose/exchange/csv.h"
#include "repose/exchange/gltf.h"
#include "repose/exchange/vtk.h"

#include "commands.h"
#include "messages.h"

namespace {

struct ExportOptions {
  std::filesystem::path from;
  std::filesystem::path gltf, vtk, csv;
};

int export_recording(const ExportOptions& options) {
  const bool folder = std::filesystem::is_directory(options.from);
  const auto recording =
      repose::Recording::open(folder ? options.from / "recording.repose" : options.from);
  if (!recording) return bad_input(recording.error(), false);
  using Write =
      repose::Result<repose::Done> (*)(const repose::Recording&, const std::filesystem::path&);
  const std::pair<std::filesystem::path, Write> wanted[] = {
      {options.gltf, repose::exchange::write_gltf},
      {options.vtk, repose::exchange::write_vtk},
      {options.csv, repose::exchange::write_csv}};
  for (const auto& [path, write] : wanted) {
    if (path.empty()) continue;
    const auto written = write(*recording, path);
    if (!written) return bad_input(written.error(), false);
    fmt::print("written to {}\n", path.string());
  }
  return kDone;
}

// a name with one of the endings that the format knows
CLI::Validator ending(const std::vector<std::string>& endings) {
  return CLI::Validator(
      [endings](const std::string& text) -> std::string {
        const std::string has = std::filesystem::path(text).extension().string();
        for (const std::string& e : endings)
          if (e == has) return {};
        return fmt::format("the name must end in {}", fmt::join(endings, " or "));
      },
      "FILE");
}

}  // namespace

void add_export(CLI::App& program, Action& action) {
  auto options = std::make_shared<ExportOptions>();
  auto* command = program.add_subcommand("export", "Write a recording for other tools");
  command->add_option("DIR", options->from, "Folder of a run, or its recording.repose")->required();
  auto* formats = command->add_option_group("formats", "At least one of");
  formats->add_option("--gltf", options->gltf, "glTF 2.0: a .glb or .gltf file")
      ->check(ending({".glb", ".gltf"}));
  formats->add_option("--vtk", options->vtk, "Series for ParaView: a .pvd file")
      ->check(ending({".pvd"}));
  formats->add_option("--csv", options->csv, "Plotted series and poses: a .csv file")
      ->check(ending({".csv"}));
  formats->require_option(1, 3);
  command->callback(
      [&action, options] { action = [options] { return export_recording(*options); }; });
}
