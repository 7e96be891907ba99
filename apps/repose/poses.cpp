// repose poses BODY
#include "repose/poses/poses.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/base/stage_clock.h"
#include "repose/report/report.h"

#include "commands.h"
#include "messages.h"
#include "pose_body.h"
#include "pose_sheet.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double kGravity = 9.81;      // m/s^2; energies are told for it
constexpr double kFinestChord = 1e-5;  // finer polyhedra take hours
constexpr double kDegrees = 180.0 / std::numbers::pi;

struct Options {
  std::string body;
  fs::path out;
  repose::check::PoseSettings settings;
  bool json = false;
};

Json vector_json(const repose::Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

Json known(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}

Json pose_json(const repose::check::RestingPose& p, double mass) {
  const auto& q = p.orientation;
  Json support = Json::array();
  for (const auto& x : p.support_body) support.push_back(vector_json(x));
  Json out = {{"height", p.height},
              {"height_error", p.height_error},
              {"orientation_wxyz", {q.w(), q.x(), q.y(), q.z()}},
              {"down_body", vector_json(p.down_body)},
              {"contact",
               {{"kind", to_text(p.contact)}, {"area", p.support_area}, {"points_body", support}}},
              {"share", p.share},
              {"share_error", p.share_error},
              {"barrier", known(p.barrier)},
              {"energy_margin", known(p.barrier * mass * kGravity)},
              {"stability", {{"class", "stable"}, {"tilt_rad", p.tilt}}},
              {"rolling", {{"kind", to_text(p.rolling)}, {"axis_body", nullptr}}}};
  if (p.rolling == repose::check::Rolling::about_axis)
    out["rolling"]["axis_body"] = vector_json(p.rolling_axis_body);
  return out;
}

std::string to_json(const repose::Body& body, const repose::check::Poses& found, double seconds) {
  Json poses = Json::array();
  for (const auto& p : found.poses) poses.push_back(pose_json(p, body.mass));
  return Json{{"body", body.name},
              {"shape", body.shape->kind},
              {"size", body.size()},
              {"mass", body.mass},
              {"center_body", vector_json(body.center_body)},
              {"count", found.poses.size()},
              {"exact", found.exact},
              {"resolution", found.resolution},
              {"poses", poses},
              {"seconds", seconds}}
             .dump(2) +
         "\n";
}

std::string rolling_text(const repose::check::RestingPose& p) {
  switch (p.rolling) {
    case repose::check::Rolling::none:
      return "";
    case repose::check::Rolling::about_axis:
      return "rolls about an axis";
    case repose::check::Rolling::anywhere:
      return "rolls anywhere";
  }
  return "";
}

std::string to_text(const repose::Body& body, const repose::check::Poses& found) {
  std::string out = fmt::format("{}: {} stable {} on a plane", body.name, found.poses.size(),
                                found.poses.size() == 1 ? "pose" : "poses");
  out += found.exact ? ", exactly\n"
                     : fmt::format("; two that {:.3g} m of rise part are told apart\n",
                                   2.0 * found.resolution);
  out += fmt::format("{:>4} {:>9} {:>12} {:>7} {:>12} {:>10}  {}\n", "pose", "share", "height m",
                     "touches", "barrier m", "tilt deg", "orientation wxyz");
  int number = 0;
  for (const auto& p : found.poses) {
    const auto& q = p.orientation;
    out += fmt::format(
        "{:>4} {:>9.5f} {:>12.6g} {:>7} {:>12} {:>10.3f}  {:.5f} {:.5f} {:.5f} {:.5f} {}\n",
        ++number, p.share, p.height, to_text(p.contact),
        std::isfinite(p.barrier) ? fmt::format("{:.4g}", p.barrier) : "only pose",
        kDegrees * p.tilt, q.w(), q.x(), q.y(), q.z(), rolling_text(p));
  }
  return out;
}

int poses(const Options& options) {
  const auto body = find_pose_body(options.body);
  if (!body) return bad_input(body.error(), options.json);
  const double before = repose::cpu_seconds();
  const auto found = repose::check::resting_poses(body->shape, body->center_body, options.settings);
  if (!found) return bad_input(found.error(), options.json);
  const std::string json = to_json(*body, *found, repose::cpu_seconds() - before);
  fmt::print("{}", options.json ? json : to_text(*body, *found));
  if (options.out.empty()) return kDone;
  std::error_code failed;
  fs::create_directories(options.out, failed);
  if (auto done = repose::report::write_page(json, options.out / "poses.json"); !done)
    return bad_input(done.error(), false);
  if (auto done = write_pose_sheet(*body, *found, options.out / "poses.png"); !done)
    return bad_input(done.error(), false);
  if (!options.json) fmt::print("written to {}\n", options.out.string());
  return kDone;
}

}  // namespace

void add_poses(CLI::App& program, Action& action) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add_subcommand("poses", "Every stable pose of a body on a plane, and how likely");
  command->add_option("BODY", options->body, "A mesh file, a model's name or file, or SCENE#BODY")
      ->required();
  command->add_option("--out", options->out, "Folder for poses.json and the picture poses.png");
  command
      ->add_option("--least-barrier", options->settings.least_barrier,
                   "Poses parted by a smaller rise of the centre are one; fraction of size")
      ->check(CLI::Range(0.0, 0.1))
      ->capture_default_str();
  command
      ->add_option("--chord", options->settings.chord,
                   "Curved bodies: how near the polyhedron that is searched lies; fraction of the "
                   "bounding radius")
      ->check(CLI::Range(kFinestChord, 0.1))
      ->capture_default_str();
  command->add_flag("--json", options->json, "The poses as JSON");
  command->callback([options, &action] { action = [options] { return poses(*options); }; });
}
