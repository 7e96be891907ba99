// The performance scene of Benedetti 2002 (table 4.2) beside the paper and Bullet, and growth.
#include <chrono>
#include <cmath>
#include <cstdio>

#include "repose/base/stage_clock.h"
#include "repose/molecule/molecule.h"
#include "repose/shape/make.h"

#include "scene.h"

namespace repose::bench_molecule {
namespace {

constexpr double kDuration = 5.0;  // s, simulated
constexpr int kLook = 50;          // steps between two looks at the overlap
constexpr int kGrowthSteps = 40;

Row run(const World& world, const char* name, const SettingValues& settings) {
  Row row{name, 0.0, 0.0, 0.0, ""};
  auto session = Session::start(world.problem, world.state, molecule::method_info(), settings);
  if (!session) {
    row.note = session.error().text();
    return row;
  }
  for (long k = 0; session->state().time < kDuration; ++k) {
    const double before = cpu_seconds();
    const auto report = session->step();
    row.cpu += cpu_seconds() - before;
    if (!report || report->status == RunStatus::stuck) {
      row.note = "stuck";
      break;
    }
    if (k % kLook == 0)
      row.overlap = std::max(row.overlap, deepest_overlap(session->problem(), session->state()));
  }
  for (const auto& [series, value] : session->audit().series)
    if (series == "kinetic energy") row.kinetic = value;
  return row;
}

void print(const Row& row) {
  std::printf("| %s | %.2f | %.1f %% | %.2e | %s |\n", row.program.c_str(), row.cpu,
              100.0 * row.overlap, row.kinetic, row.note.c_str());
  std::fflush(stdout);
}

void performance() {
  const auto world = open_world("molecule/performance");
  if (!world) {
    std::printf("%s\n", world.error().text().c_str());
    return;
  }
  std::printf("Performance scene, 5 s simulated, CPU seconds of the solution\n\n");
  std::printf(
      "| program | CPU s | deepest overlap, of the radii | kinetic energy at the end, J | |\n");
  std::printf("|---|---|---|---|---|\n");
  std::printf("| paper 2002, boxes and RAPID | 1997 | | | 1.7 GHz |\n");
  std::printf("| paper 2002, V-Collide and RAPID | 2658 | | | |\n");
  std::printf("| paper 2002, spheres | 447 | | | |\n");
  print(run(*world, "proven, spheres", {}));
  print(run(*world, "proven, skin", {{"detection", std::string("skin")}}));
  print(run(*world, "paper, spheres",
            {{"engine", std::string("paper")}, {"iterations_per_second", 1000.0}}));
  print(run_bullet(*world, kDuration));
}

/// ms a step, of the clock and of all cores together.
struct StepCost {
  double wall = 0.0, cpu = 0.0;
};

/// One block of n^3 molecules that falls on the ground.
StepCost step_cost(int n) {
  World world;
  Body block;
  block.name = "block";
  shape::LatticeInput lattice;
  lattice.counts = {n, n, n};
  lattice.pitch = 0.01;
  lattice.radius = 0.005;
  block.shape = *shape::make_lattice(lattice);
  const auto& set = std::get<shape::SphereSet>(block.shape->geometry);
  SoftBody soft;
  soft.masses.assign(set.centers.size(), 1e-3);
  soft.fixed.assign(set.centers.size(), 0);
  soft.links = set.links;
  soft.pitch = set.pitch;
  soft.lattice = set.lattice;
  block.material.young_modulus = 1e5;
  block.material.damping = 1e-3;
  soft.materials = {block.material};
  block.mass = 1e-3 * static_cast<double>(set.centers.size());
  block.inertia_body = Mat3::Identity();
  BodyState at;
  std::vector<Vec3> positions = set.centers;
  for (Vec3& p : positions) p.z() += 0.005 * n + 0.0001;
  at.soft = {std::move(positions),
             std::vector<Vec3>(set.centers.size(), Vec3(0.0, 0.0, -0.5)),
             set.radii,
             {}};
  block.soft = std::make_shared<const SoftBody>(std::move(soft));
  Body ground;
  ground.name = "ground";
  ground.shape = *shape::make_half_space();
  ground.fixed = true;
  world.problem.bodies = {block, ground};
  world.state.bodies = {at, BodyState{}};
  for (std::size_t b = 0; b < 2; ++b) world.problem.bodies[b].id = {static_cast<unsigned>(b), 1};
  auto session = Session::start(world.problem, world.state, molecule::method_info(),
                                {{"iterations_per_second", 2000.0}});
  if (!session) {
    std::printf("%s\n", session.error().text().c_str());
    return {std::nan(""), std::nan("")};
  }
  const double cpu_before = cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < kGrowthSteps; ++k) (void)session->step();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {1e3 * took.count() / kGrowthSteps, 1e3 * (cpu_seconds() - cpu_before) / kGrowthSteps};
}

void growth() {
  std::printf("\nA block that lands on the ground, milliseconds a step\n\n");
  std::printf("| molecules | wall ms | CPU ms | exponent of CPU |\n|---|---|---|---|\n");
  double before = 0.0;
  int size_before = 0;
  for (const int n : {10, 20, 30, 46}) {
    const auto [wall, ms] = step_cost(n);
    std::printf("| %d | %.2f | %.2f |", n * n * n, wall, ms);
    if (size_before > 0)
      std::printf(" %.2f", std::log(ms / before) / (3.0 * std::log(1.0 * n / size_before)));
    std::printf(" |\n");
    std::fflush(stdout);
    before = ms;
    size_before = n;
  }
}

}  // namespace
}  // namespace repose::bench_molecule

/// `growth` alone, or `performance` alone; both without a word.
int main(int count, char** words) {
  const std::string only = count > 1 ? words[1] : "";
  if (only != "growth") repose::bench_molecule::performance();
  if (only != "performance") repose::bench_molecule::growth();
}
