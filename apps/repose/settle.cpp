// repose settle FILE
#include "repose/handover/settle.h"

#include <algorithm>
#include <cmath>
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

namespace {

namespace fs = std::filesystem;
using repose::Json;
using repose::handover::Handed;
using repose::handover::Settled;

struct SettleOptions {
  std::string file;
  repose::handover::OpenOptions open;
  fs::path out, poses;
  std::vector<std::string> joints;  // NAME=VALUE
  std::string unit, up;
  bool json = false, quiet = false;
};

/// Lists longer than this are cut.
constexpr std::size_t kMostLines = 10;

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

void tell_reading(const Handed& handed) {
  for (const std::string& remark : handed.remarks) show(stderr, remark + "\n");
  const auto& unused = handed.unused;
  for (std::size_t i = 0; i < unused.size() && i < kMostLines; ++i)
    show(stderr, unused[i].text() + "\n");
  if (unused.size() > kMostLines)
    show(stderr,
         fmt::format("... and {} more sorts of what is not used\n", unused.size() - kMostLines));
  if (!handed.standing.empty())
    show(stderr, fmt::format("held as their joints are: {}{}\n", handed.standing.front(),
                             handed.standing.size() > 1
                                 ? fmt::format(" and {} more", handed.standing.size() - 1)
                                 : ""));
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

repose::InputError wrong_option(const char* name, const std::string& value, const char* wrong,
                                const char* right) {
  repose::InputError error;
  error.pointer = name;
  error.value = value;
  error.wrong = wrong;
  error.right = right;
  return error;
}

/// Metres of a unit by its name; 0: there is no such unit.
double unit_named(const std::string& name) {
  constexpr std::pair<const char*, double> kUnits[] = {
      {"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
  for (const auto& [known, metres] : kUnits)
    if (name == known) return metres;
  return 0.0;
}

/// What the command line says of reading, with its words understood.
repose::Result<repose::handover::OpenOptions> opening(const SettleOptions& options) {
  repose::handover::OpenOptions out = options.open;
  if (!options.unit.empty() && !((out.unit = unit_named(options.unit)) > 0.0))
    return wrong_option("--unit", options.unit, "no such unit", "m, cm, mm, in or ft");
  if (!options.up.empty() && options.up != "y" && options.up != "z")
    return wrong_option("--up", options.up, "no such axis", "y or z");
  if (!options.up.empty()) out.up = options.up[0];
  for (const std::string& told : options.joints) {
    const std::size_t sign = told.rfind('=');
    char* end = nullptr;
    const char* number = sign == std::string::npos ? "" : told.c_str() + sign + 1;
    const double value = std::strtod(number, &end);
    if (sign == 0 || end == number || *end != '\0' || !std::isfinite(value))
      return wrong_option("--joint", told, "not a joint and where it stands",
                          "NAME=VALUE, in radians or metres");
    out.joints[told.substr(0, sign)] = value;
  }
  return out;
}

int settle_file(const SettleOptions& options) {
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  const auto open = opening(options);
  if (!open) return bad_input(open.error(), options.json);
  auto handed = repose::handover::open_any(options.file, repose::method_catalogue(), *open);
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
  program
      .subcommand(
          "settle",
          "Bring the free bodies of a scene to rest near where they are, and write the "
          "same file back (MJCF, URDF, SDF, USDA, glTF, OBJ, STEP, IGES, BREP, or a scene of ours)",
          [options] { return settle_file(*options); })
      .text("FILE", options->file,
            "A path (.xml, .urdf, .sdf, .world, .usda, .gltf, .glb, .obj, .step, .iges, .brep, "
            ".json), "
            "or a "
            "gallery name")
      .required()
      .path("--out", options->out, "The file to write; else NAME-settled beside FILE")
      .file("--poses", options->poses, {".json", ".csv"},
            "Also the poses alone, as repose check --poses takes them")
      .texts("--bodies", options->open.bodies, "Only these bodies move; may be repeated")
      .text("--key", options->open.key, "MJCF: the key that holds the joints")
      .texts("--joint", options->joints,
             "NAME=VALUE: a hinge or slide of URDF or MJCF stands there (rad, m); may be repeated")
      .flag("--hulls", options->open.hulls, "Meshes count as their convex hulls (MJCF: always)")
      .flag("--ground", options->open.ground, "A floor at height 0 beside what the file holds")
      .text("--unit", options->unit, ".obj, .stl, .ply: m, cm, mm, in or ft (else m)")
      .text("--up", options->up, ".obj, .stl, .ply: the axis that points up, y or z (else z)")
      .flag("--json", options->json, "Print the verdict and the poses as JSON")
      .flag("--quiet", options->quiet, "No summary");
}
