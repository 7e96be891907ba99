#include "starts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/run/judge.h"

#include "experiments.h"

namespace repose {

namespace {

constexpr int kKnots[] = {9600, 4800, 2400, 1200, 600, 300, 150, 112, 56};

std::vector<std::string> scenes_of(const std::string& what) {
  std::vector<std::string> out;
  if (what == "experiments" || what == "all")
    for (const Experiment& e : kExperiments) out.emplace_back(e.scene);
  if (what == "knots" || what == "all")
    for (const int triangles : kKnots) out.push_back(fmt::format("knot-{}", triangles));
  if (out.empty()) out.push_back(what);
  return out;
}

/// Uniform rotations, lifted clear by the body's size.
void turn_at_random(Random& random, Problem& problem, State& state) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    if (!problem.bodies[i].fixed) {
      BodyState& body = state.bodies[i];
      body.world_from_body.rotation = random_rotation(random);
      body.world_from_body.position.z() += problem.bodies[i].size();
    }
}

/// A mover's centre of mass has come beneath a half space that it began above.
bool ends_beneath(const Problem& problem, const State& state) {
  for (std::size_t g = 0; g < problem.bodies.size(); ++g) {
    if (!std::holds_alternative<shape::HalfSpace>(problem.bodies[g].shape->geometry)) continue;
    const Pose& ground = state.bodies[g].world_from_body;
    for (std::size_t i = 0; i < problem.bodies.size(); ++i)
      if (!problem.bodies[i].fixed &&
          (ground.inverse() * (state.bodies[i].world_from_body * problem.bodies[i].center_body))
                  .z() < 0.0)
        return true;
  }
  return false;
}

/// The state on the way: centres of mass go straight, bodies turn evenly.
State on_way(const Problem& problem, const State& a, const State& b, double share) {
  State out = b;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Vec3& center = problem.bodies[i].center_body;
    const Pose& from = a.bodies[i].world_from_body;
    const Pose& to = b.bodies[i].world_from_body;
    Pose& pose = out.bodies[i].world_from_body;
    pose.rotation = from.rotation.slerp(share, to.rotation);
    pose.position = (1.0 - share) * (from * center) + share * (to * center) - pose.turn(center);
  }
  return out;
}

/// How many of the states on the way the judge proves overlapping.
int overlapping_on_way(const Outcome& out, int between) {
  int found = 0;
  for (std::size_t k = 0; between > 0 && k + 1 < out.path.size(); ++k)
    for (int j = 0; j <= between; ++j) {
      const double share = static_cast<double>(j) / (between + 1);
      const State state = on_way(out.problem, out.path[k], out.path[k + 1], share);
      found += judge(out.problem, state, {false}).overlap == check::Answer::missed ? 1 : 0;
    }
  return found;
}

void print_start(const std::string& scene, int k, const StartsOptions& options) {
  Random random(options.seed + static_cast<std::uint64_t>(k));
  SettingValues settings{{"engine", options.engine}};
  auto world = world_of(scene, settings);
  if (!world) {
    fmt::print("{}\t{}\trefused\t-\t-\t0\t0\t0\t0\t0\t0\t0\t0\t-\t{}\n", scene, k,
               world.error().text());
    return;
  }
  turn_at_random(random, world->problem, world->state);
  const auto out = settle(world->problem, world->state, settings, options.between > 0);
  if (!out) {
    fmt::print("{}\t{}\trefused\t-\t-\t0\t0\t0\t0\t0\t0\t0\t0\t-\t{}\n", scene, k,
               out.error().text());
    return;
  }
  const Judgement verdict = judge(out->problem, out->state);
  // the last mover's rest, as far as the ground decides it: height and the direction of up in it
  Pose pose;
  double size = 1.0;
  for (std::size_t i = 0; i < out->problem.bodies.size(); ++i)
    if (!out->problem.bodies[i].fixed) {
      pose = out->state.bodies[i].world_from_body;
      size = out->problem.bodies[i].size();
    }
  const Vec3 up = pose.rotation.conjugate() * Vec3::UnitZ();
  std::string why = out->why + " | " + verdict.why;
  std::replace(why.begin(), why.end(), '\t', ' ');
  std::replace(why.begin(), why.end(), '\n', ' ');
  fmt::print("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.1f}\t{:.12f}\t{:.12f}\t{:.12f}\t{:.12f}\t{}\t{}\n",
             scene, k, out->status, to_text(verdict.overlap), to_text(verdict.balanced),
             ends_beneath(out->problem, out->state) ? 1 : 0,
             overlapping_on_way(*out, options.between), out->steps, out->milliseconds,
             pose.position.z() / size, up.x(), up.y(), up.z(), out->failures, why);
}

}  // namespace

void print_starts(const StartsOptions& options) {
  for (int k = options.from; k < options.to; ++k)
    for (const std::string& scene : scenes_of(options.scenes)) {
      print_start(scene, k, options);
      std::fflush(stdout);
    }
}

}  // namespace repose
