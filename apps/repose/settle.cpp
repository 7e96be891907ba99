// repose settle FILE
#include "repose/handover/settle.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include "repose/base/json_write.h"
#include "repose/base/whole_file.h"
#include "repose/run/catalogue.h"

#include "command_line.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "opening.h"

namespace {

namespace fs = std::filesystem;
using repose::Json;
using repose::handover::Handed;
using repose::handover::Settled;

struct SettleOptions {
  std::string file;
  OpeningWords open;
  fs::path out, poses;
  bool json = false, quiet = false;
};

/// table.xml becomes table-settled.xml.
fs::path beside(const fs::path& file) {
  return file.parent_path() / (file.stem().string() + "-settled" + file.extension().string());
}

Json pose_json(const repose::handover::BodyPose& pose) {
  const repose::Vec3& p = pose.world_from_body.position;
  const repose::Quat& q = pose.world_from_body.rotation;
  return Json::Object{{"body", pose.body},
                      {"position", Json::Array{p.x(), p.y(), p.z()}},
                      {"orientation_wxyz", Json::Array{q.w(), q.x(), q.y(), q.z()}}};
}

std::string poses_text(const Settled& settled, const std::string& scene, bool csv) {
  if (!csv) {
    Json::Array poses;
    for (const auto& pose : settled.poses) poses.push_back(pose_json(pose));
    return Json(Json::Object{{"scene", scene}, {"poses", std::move(poses)}}).tall();
  }
  std::string out = "body,x,y,z,qw,qx,qy,qz\n";
  for (const auto& pose : settled.poses) {
    const repose::Vec3& p = pose.world_from_body.position;
    const repose::Quat& q = pose.world_from_body.rotation;
    out += fmt::format("{},{},{},{},{},{},{},{}\n", pose.body, p.x(), p.y(), p.z(), q.w(), q.x(),
                       q.y(), q.z());
  }
  return out;
}

std::string summary(const Settled& settled, const Handed& handed) {
  std::string out = fmt::format("{}: {} by {}, {} free", handed.scene.name, to_text(settled.status),
                                settled.how, settled.moving);
  if (!settled.why.empty()) out += " (" + settled.why + ")";
  out += "\n";
  if (!settled.parted.empty()) {
    const auto most = std::max_element(settled.parted.begin(), settled.parted.end(),
                                       [](const auto& a, const auto& b) { return a.way < b.way; });
    const bool one = settled.parted.size() == 1;
    out +=
        one ? fmt::format("parted: {} overlapped and was moved by {:.3g} m\n", most->body,
                          most->way)
            : fmt::format("parted: {} bodies overlapped and were moved, {} farthest, by {:.3g} m\n",
                          settled.parted.size(), most->body, most->way);
  }
  out += fmt::format("farthest from its start: {}, {:.3g} m\n", settled.farthest.body,
                     settled.farthest.way);
  return out +
         fmt::format("no overlap: {}; balance: {}. {}\n{:.3g} s CPU, {:.3g} s of it judging\n",
                     to_text(settled.verdict.overlap), to_text(settled.verdict.balanced),
                     settled.verdict.why, settled.solve_seconds + settled.check_seconds,
                     settled.check_seconds);
}

Json shifts_json(const std::vector<repose::handover::Shift>& shifts) {
  Json::Array out;
  for (const auto& shift : shifts)
    out.push_back(Json::Object{{"body", shift.body}, {"way", shift.way}});
  return out;
}

std::string json_text(const Settled& settled, const Handed& handed, int code) {
  Json::Array unused, poses;
  for (const auto& row : handed.unused) unused.push_back(row.text());
  for (const auto& pose : settled.poses) poses.push_back(pose_json(pose));
  return Json(Json::Object{{"scene", handed.scene.name},
                           {"format", repose::name_of(handed.format)},
                           {"status", to_text(settled.status)},
                           {"why", settled.why},
                           {"how", settled.how},
                           {"overlap", to_text(settled.verdict.overlap)},
                           {"balance", to_text(settled.verdict.balanced)},
                           {"parted", shifts_json(settled.parted)},
                           {"farthest", shifts_json({settled.farthest})},
                           {"seconds", Json::Object{{"solve", settled.solve_seconds},
                                                    {"check", settled.check_seconds}}},
                           {"unused", std::move(unused)},
                           {"poses", std::move(poses)},
                           {"exit_code", code}})
      .tall();
}

void tell_missed(const Settled& settled, const Handed& handed) {
  show(stderr, fmt::format("repose: promise missed: {}; no overlap: {}; balance: {}\n",
                           to_text(settled.status), to_text(settled.verdict.overlap),
                           to_text(settled.verdict.balanced)));
  const auto fixed = [](const repose::SceneBody& body) { return body.fixed; };
  if (std::ranges::none_of(handed.scene.bodies, fixed))
    show(stderr, "  try: --ground, a floor at height 0: nothing in the file stands fast\n");
}

int settle_file(const SettleOptions& options) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  auto handed = open_as(options.file, options.open);
  if (!handed) return bad_input(handed.error(), options.json);
  if (!options.quiet && !options.json) tell_reading(*handed);
  repose::handover::SettleSettings settings;
  settings.interrupt = &catch_interrupts();
  const auto settled = repose::handover::settle(*handed, repose::method_catalogue(), settings);
  if (!settled) return bad_input(settled.error(), options.json);
  const int code = settled->proven() ? kDone : kPromiseMissed;
  if (options.json)
    tell("{}", json_text(*settled, *handed, code));
  else if (!options.quiet)
    tell("{}", summary(*settled, *handed));

  const auto write = [&](const fs::path& place, const std::string& text) {
    const auto written = repose::write_whole(place, text);
    if (!written) return bad_input(written.error(), false);
    if (!options.quiet && !options.json) tell("written to {}\n", place.string());
    return int{kDone};
  };
  if (code != kDone) tell_missed(*settled, *handed);
  if (!options.poses.empty()) {
    const bool csv = options.poses.extension() == ".csv";
    if (const int failed = write(options.poses, poses_text(*settled, options.file, csv)))
      return failed;
  }
  // what is no rest is written only where it was asked for
  if (settled->text && (code == kDone || !options.out.empty())) {
    const fs::path out = options.out.empty() ? beside(handed->scene.file) : options.out;
    if (const int failed = write(out, *settled->text)) return failed;
  } else if (!settled->text && (!options.out.empty() || options.poses.empty())) {
    return bad_input(settled->text.error(), false);
  }
  return code;
}

}  // namespace

void add_settle(CommandLine& program) {
  auto options = std::make_shared<SettleOptions>();
  Command& command =
      program
          .subcommand("settle",
                      "Bring the free bodies of a scene to rest near where they are, and write the "
                      "same file back (MJCF, URDF, SDF, USDA, glTF, OBJ, STEP, IGES, BREP, or a "
                      "scene of ours)",
                      [options] { return settle_file(*options); })
          .text("FILE", options->file,
                "A path (.xml, .urdf, .sdf, .world, .usda, .gltf, .glb, .obj, .step, .iges, .brep, "
                ".json), "
                "or a "
                "gallery name")
          .required()
          .path("--out", options->out, "The file to write; else NAME-settled beside FILE")
          .file("--poses", options->poses, {".json", ".csv"},
                "Also the poses alone, as repose check --poses takes them");
  add_opening(command, options->open);
  command.flag("--json", options->json, "Print the verdict and the poses as JSON")
      .flag("--quiet", options->quiet, "No summary");
}
