#include "beside_bullet.h"

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "repose/run/catalogue.h"
#include "repose/run/judge.h"

#include "bullet.h"
#include "experiments.h"
#include "rest_height.h"

namespace repose {
namespace {

using bench::Cell;
using bench::Figure;
using bench::Holds;

constexpr const char* kEllipsoid = R"({"repose": 1, "method": {"kind": "place"},
 "bodies": [
  {"name": "ground", "shape": {"kind": "half_space"}, "fixed": true},
  {"name": "ellipsoid", "shape": {"kind": "ellipsoid", "radii": [0.06, 0.04, 0.02]},
   "position": [0, 0, 0.08], "roll_pitch_yaw_deg": [50, 30, 10]}]})";

/// One body above others, and the height of its centre of mass at rest, from a closed form or from
/// a search that shares nothing with the method.
struct Case {
  const char* name;
  const char* scene;  // of place/, or the text of one
  const char* truth;  // where the height is from
  std::function<double(const Body&, const Pose& end)> rest_height;
  bool slow = false;  // meshes on meshes: half a minute of Bullet
};

/// Torus over a cone that stands on the ground with its tip up (closed form).
double torus_on_cone(const Body&, const Pose&) {
  constexpr double kRing = 0.08, kTube = 0.025, kRadius = 0.12, kHeight = 0.25;
  const double slant = std::hypot(kRadius, kHeight), sine = kRadius / slant,
               cosine = kHeight / slant;
  return kHeight + (kTube - kRing * cosine) / sine;
}

std::vector<Case> cases() {
  return {
      {"torus on cone", "torus-on-cone", "closed form", torus_on_cone, true},
      {"torus on ground", "torus-on-ground", "search over turns",
       [](const Body& body, const Pose& end) { return least_height_near(body, end.rotation); }},
      {"ellipsoid on ground", kEllipsoid, "closed form",
       [](const Body&, const Pose&) { return 0.02; }},
      {"teapot on ground", "teapot-on-ground", "search over turns",
       [](const Body& body, const Pose& end) { return least_height_near(body, end.rotation); }}};
}

Result<World> world_of_case(const Case& c, SettingValues& settings) {
  if (c.scene[0] != '{') return world_of(c.scene, settings);
  const auto scene = scene_from_text(c.scene, c.name, method_catalogue());
  if (!scene) return scene.error();
  return build_world(*scene);
}

int mover_of(const Problem& problem) {
  int out = -1;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    if (!problem.bodies[i].fixed) out = static_cast<int>(i);
  return out;
}

struct End {
  std::string engine, setting, end;
  double seconds = 0.0;
  State state;
};

/// How far above (or, overlapping, below) its rest a body ended, of its size.
double off_rest(const Case& c, const Problem& problem, const State& state, int body) {
  const Body& b = problem.bodies[static_cast<std::size_t>(body)];
  const Pose& pose = state.bodies[static_cast<std::size_t>(body)].world_from_body;
  return ((pose * b.center_body).z() - c.rest_height(b, pose)) / b.size();
}

void tell(bench::Table& table, const Case& c, const Problem& problem, const End& end, double off,
          bool best) {
  const Judgement verdict = judge(problem, end.state);
  table.row({std::string(c.name), end.engine, end.setting + (best ? " (best)" : ""), end.end,
             end.seconds,
             verdict.penetration_relative ? Cell(*verdict.penetration_relative) : Cell(), off,
             std::string(c.truth), std::string(to_text(verdict.overlap))});
}

void compare(bench::Sheet& sheet, bench::Table& table, const Case& c) {
  SettingValues settings;
  auto world = world_of_case(c, settings);
  if (!world) return table.note(fmt::format("{}: {}", c.name, world.error().text()));
  const int body = mover_of(world->problem);
  const auto own = settle(world->problem, world->state, settings);
  if (!own) return table.note(fmt::format("{}: {}", c.name, own.error().text()));
  const End ours{"Repose", "", own->status, 1e-3 * own->milliseconds, own->state};
  const double our_off = off_rest(c, world->problem, own->state, body);
  tell(table, c, world->problem, ours, our_off, false);
  Figure figure{.id = fmt::format("off-{}", c.name),
                .what = fmt::format("{}: distance from its rest, of size", c.name),
                .unit = "",
                .holds = Holds::measure,
                .ours = std::fabs(our_off)};
  std::vector<End> ends;
  std::vector<double> offs;
  std::size_t best = 0;
  for (const BulletSetting& setting : kBulletSettings) {
    const OtherEngine other = settle_with_bullet(world->problem, world->state, body, setting);
    if (!other.built) return table.note("Bullet is not installed: libbullet-dev");
    ends.push_back({"Bullet", setting.name, other.end, other.seconds, other.state});
    offs.push_back(off_rest(c, world->problem, other.state, body));
    const bool rests = ends.back().end == "rest", did = ends[best].end == "rest";
    if (rests != did ? rests : std::fabs(offs.back()) < std::fabs(offs[best]))
      best = ends.size() - 1;
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    tell(table, c, world->problem, ends[i], offs[i], i == best);
    figure.peers.push_back({"Bullet", ends[i].setting, std::fabs(offs[i]),
                            fmt::format("{}, {:.2g} s", ends[i].end, ends[i].seconds), i == best});
  }
  sheet.figure(figure);
}

}  // namespace

void tell_beside_bullet(bench::Sheet& sheet) {
  auto& table = sheet.table("bullet", "One body set down, beside Bullet with the bodies as meshes",
                            {{"scene", Holds::word},
                             {"engine", Holds::word},
                             {"setting", Holds::word},
                             {"end", Holds::word},
                             {"CPU s", Holds::time},
                             {"overlap, of size", Holds::measure},
                             {"off its rest, of size", Holds::measure},
                             {"rest by", Holds::word},
                             {"no overlap", Holds::word}});
  for (const Case& c : cases())
    if (!sheet.quick() || !c.slow) compare(sheet, table, c);
  table.note(
      "off its rest: height of the centre of mass above that of rest, which is known from a closed "
      "form or from a search over turns on a fine mesh (error of some 1e-5); negative: it lies too "
      "low, in the other body. best: of the settings that rest, the nearest to it.");
}

}  // namespace repose
