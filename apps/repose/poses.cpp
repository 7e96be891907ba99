// repose poses BODY
#include "repose/poses/poses.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/base/stage_clock.h"
#include "repose/report/report.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"
#include "pose_body.h"
#include "pose_sheet.h"

namespace {

namespace fs = std::filesystem;
using repose::Json;
using repose::known;

constexpr double kGravity = 9.81;      // m/s^2; energies are told for it
constexpr double kFinestChord = 1e-5;  // finer polyhedra take hours
constexpr double kLargestShare = 0.1;  // of a body's size, of what is asked for as a share of it
constexpr double kDegrees = 180.0 / std::numbers::pi;

struct Options {
  std::string body;
  fs::path out;
  repose::poses::PoseSettings settings;
  bool json = false;
};

Json vector_json(const repose::Vec3& v) {
  return Json::Array{v.x(), v.y(), v.z()};
}

Json pose_json(const repose::poses::RestingPose& p, double mass) {
  const auto& q = p.orientation;
  Json::Array support;
  for (const auto& x : p.support_body) support.push_back(vector_json(x));
  const bool about_axis = p.rolling == repose::poses::Rolling::about_axis;
  return Json::Object{
      {"height", known(p.height)},
      {"height_error", known(p.height_error)},
      {"orientation_wxyz", Json::Array{q.w(), q.x(), q.y(), q.z()}},
      {"down_body", vector_json(p.down_body)},
      {"contact", Json::Object{{"kind", to_text(p.contact)},
                               {"area", known(p.support_area)},
                               {"points_body", std::move(support)}}},
      {"share", known(p.share)},
      {"share_error", known(p.share_error)},
      {"barrier", known(p.barrier)},
      {"energy_margin", known(p.barrier * mass * kGravity)},
      {"stability", Json::Object{{"class", "stable"}, {"tilt_rad", known(p.tilt)}}},
      {"rolling",
       Json::Object{{"kind", to_text(p.rolling)},
                    {"axis_body", about_axis ? vector_json(p.rolling_axis_body) : Json()}}}};
}

std::string to_json(const repose::Body& body, const repose::poses::Poses& found, double seconds) {
  Json::Array poses;
  for (const auto& p : found.poses) poses.push_back(pose_json(p, body.mass));
  const Json out = Json::Object{{"body", body.name},
                                {"shape", repose::name_of(body.shape->kind)},
                                {"size", known(body.size())},
                                {"mass", known(body.mass)},
                                {"center_body", vector_json(body.center_body)},
                                {"count", found.poses.size()},
                                {"exact", found.exact},
                                {"resolution", known(found.resolution)},
                                {"poses", std::move(poses)},
                                {"seconds", seconds}};
  return out.tall();
}

std::string rolling_text(const repose::poses::RestingPose& p) {
  switch (p.rolling) {
    case repose::poses::Rolling::none:
      return "";
    case repose::poses::Rolling::about_axis:
      return "rolls about an axis";
    case repose::poses::Rolling::anywhere:
      return "rolls anywhere";
  }
  return "";
}

std::string to_text(const repose::Body& body, const repose::poses::Poses& found) {
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
  const auto found = repose::poses::resting_poses(body->shape, body->center_body, options.settings);
  if (!found) return bad_input(found.error(), options.json);
  const std::string json = to_json(*body, *found, repose::cpu_seconds() - before);
  tell("{}", options.json ? json : to_text(*body, *found));
  if (options.out.empty()) return kDone;
  std::error_code failed;
  fs::create_directories(options.out, failed);
  if (auto done = repose::report::write_page(json, options.out / "poses.json"); !done)
    return bad_input(done.error(), false);
  if (auto done = write_pose_sheet(*body, *found, options.out / "poses.png"); !done)
    return bad_input(done.error(), false);
  if (!options.json) tell("written to {}\n", options.out.string());
  return kDone;
}

}  // namespace

void add_poses(CommandLine& program) {
  auto options = std::make_shared<Options>();
  repose::poses::PoseSettings& settings = options->settings;
  program
      .subcommand("poses", "Every stable pose of a body on a plane, and how likely",
                  [options] { return poses(*options); })
      .text("BODY", options->body, "A mesh file, a model's name or file, or SCENE#BODY")
      .required()
      .path("--out", options->out, "Folder for poses.json and the picture poses.png")
      .number("--least-barrier", settings.least_barrier, {.min = 0.0, .max = kLargestShare},
              "Poses parted by a smaller rise of the centre are one; fraction of size")
      .shows_default(fmt::format("{}", settings.least_barrier))
      .number("--chord", settings.chord, {.min = kFinestChord, .max = kLargestShare},
              "Curved bodies: how near the polyhedron that is searched lies; fraction of the "
              "bounding radius")
      .shows_default(fmt::format("{}", settings.chord))
      .flag("--json", options->json, "The poses as JSON");
}
