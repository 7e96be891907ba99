// The performance scene of Benedetti 2002 (table 4.2) beside the paper and Bullet, and growth.
#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/molecule/molecule.h"
#include "repose/shape/make.h"

#include "bench/sheet/sheet.h"
#include "scene.h"

namespace repose::bench_molecule {
namespace {

constexpr double kDuration = 5.0, kQuickDuration = 0.5;  // s, simulated
constexpr std::pair<const char*, double> kPaper[] = {
    {"boxes and RAPID", 1997.0}, {"V-Collide and RAPID", 2658.0}, {"spheres", 447.0}};
constexpr int kLook = 50;  // steps between two looks at the overlap
constexpr int kGrowthSteps = 40;

Row run(const World& world, const char* name, double duration, const SettingValues& settings) {
  Row row{"Repose", name, 0.0, 0.0, 0.0, ""};
  auto session = Session::start(world.problem, world.state, molecule::method_info(), settings);
  if (!session) {
    row.note = session.error().text();
    return row;
  }
  for (long k = 0; session->state().time < duration; ++k) {
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

void tell(bench::Table& table, const Row& row, bool best = false) {
  using bench::Cell;
  const bool ran = row.cpu > 0.0;
  const auto number = [&](double v) { return ran ? Cell(v) : Cell(); };
  table.row({row.program, row.setting + (best ? " (best)" : ""), number(row.cpu),
             number(100.0 * row.overlap), number(row.kinetic), row.note});
}

/// The three settings of Bullet; the best is the one that overlaps least, which is what the scene
/// asks for.
void beside_bullet(bench::Table& table, const World& world, double duration,
                   bench::Figure& figure) {
  std::vector<Row> rows;
  for (const BulletSetting& setting : kBulletSettings)
    rows.push_back(run_bullet(world, duration, setting));
  if (rows[0].cpu == 0.0) return tell(table, rows[0]);
  const auto best = std::min_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return a.note.empty() != b.note.empty() ? a.note.empty() : a.overlap < b.overlap;
  });
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    tell(table, *row, row == best);
    figure.peers.push_back({"Bullet", row->setting, row->cpu,
                            fmt::format("overlap {:.0f} % {}", 100.0 * row->overlap, row->note),
                            row == best});
  }
}

void performance(bench::Sheet& sheet) {
  using bench::Cell;
  using bench::Holds;
  const auto world = open_world("molecule/performance");
  if (!world) {
    fmt::print("{}\n", world.error().text());
    return;
  }
  const double duration = sheet.quick() ? kQuickDuration : kDuration;
  auto& table = sheet.table(
      "performance",
      fmt::format("Performance scene (table 4.2 of Benedetti 2002), {} s simulated", duration),
      {{"program", Holds::word},
       {"setting", Holds::word},
       {"CPU s", Holds::time},
       {"deepest overlap, % of the radii", Holds::measure},
       {"kinetic energy at the end, J", Holds::measure},
       {"note", Holds::word}});
  if (!sheet.quick())
    for (const auto& [name, seconds] : kPaper)
      table.row(
          {std::string("paper 2002"), std::string(name), seconds, {}, {}, std::string("1.7 GHz")});
  const Row proven = run(*world, "proven, spheres", duration, {});
  const Row skin = run(*world, "proven, skin", duration, {{"detection", std::string("skin")}});
  const Row paper = run(*world, "paper, spheres", duration,
                        {{"engine", std::string("paper")}, {"iterations_per_second", 1000.0}});
  for (const Row& row : {proven, skin, paper}) tell(table, row);
  const auto figure = [&](const char* id, const Row& row, double published) {
    bench::Figure out{.id = id,
                      .what = fmt::format("performance scene, {}", row.setting),
                      .unit = "CPU s",
                      .ours = row.cpu};
    if (!sheet.quick()) {
      out.published = published;
      out.source = "Benedetti 2002, table 4.2";
    }
    return out;
  };
  bench::Figure spheres = figure("performance-proven", proven, 447.0);
  beside_bullet(table, *world, duration, spheres);
  sheet.figure(spheres);
  sheet.figure(figure("performance-skin", skin, 1997.0));
  sheet.figure(figure("performance-paper", paper, 447.0));
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
    fmt::print("{}\n", session.error().text());
    return {std::nan(""), std::nan("")};
  }
  const double cpu_before = cpu_seconds();
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < kGrowthSteps; ++k) (void)session->step();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {1e3 * took.count() / kGrowthSteps, 1e3 * (cpu_seconds() - cpu_before) / kGrowthSteps};
}

void growth(bench::Sheet& sheet) {
  using bench::Holds;
  auto& table = sheet.table("growth", "A block that lands on the ground, a step",
                            {{"molecules", Holds::count},
                             {"ms of the clock", Holds::time},
                             {"ms of CPU", Holds::time},
                             {"MB at most", Holds::time}});
  bench::Growth out{"block", "molecule: a step of a block that lands", {}, {}, {}};
  for (const int n : {10, 20, 30, 46}) {
    if (sheet.quick() && n > 20) break;
    const auto [wall, ms] = step_cost(n);
    const double megabytes = bench::megabytes_so_far();
    table.row({1.0 * n * n * n, wall, ms, megabytes});
    out.sizes.push_back(1.0 * n * n * n);
    out.seconds.push_back(1e-3 * ms);
    out.megabytes.push_back(megabytes);
  }
  table.note(fmt::format("Exponent {:.2f} of the CPU over a factor of {:.0f}.",
                         bench::exponent(out.sizes, out.seconds),
                         out.sizes.back() / out.sizes.front()));
  sheet.growth(out);
}

}  // namespace
}  // namespace repose::bench_molecule

/// `growth` alone, or `performance` alone; both without a word.
int main(int count, char** words) {
  repose::bench::Sheet sheet("molecule", count, words);
  const std::string only = sheet.word(0);
  // growth first: memory is the largest so far
  if (only != "performance") repose::bench_molecule::growth(sheet);
  if (only != "growth") repose::bench_molecule::performance(sheet);
  return sheet.finish();
}
