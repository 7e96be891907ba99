// Grids of balls into a box: ours beside the paper's step counts and beside Bullet and Rapier, each
// in three settings (scene.h) of which the best is the one to compare with. Times are CPU seconds,
// overlap is in radii, unbalanced force in weights.
//   bench_pile [small]        the comparison; small leaves out 1000 balls; "our paper" is the
//                             setting solver = paper
//   bench_pile seeds FIRST    steps to rest for five seeds from FIRST on, 27 to 216 balls
//   bench_pile programs N     N random linear programs and those of a pile, against Clp
//   bench_pile steps K N NAME VALUE ...      the first N steps of K^3 balls with these settings:
//                             time and memory
//   bench_pile trace K SEED NAME VALUE ...   every step of K^3 balls to rest with these settings,
//                             then where the time went
//   bench_pile large FIRST    1000 balls to rest for five seeds from FIRST on
#include <algorithm>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>

#include "repose/base/stage_clock.h"

#include "scene.h"

namespace {

using namespace bench_pile;

constexpr int kPaperSteps[] = {21, 25, 39, 54};  // for 27, 64, 125 and 216 balls

/// Every setting of an engine, and which of them to look at.
template <class Run>
void compare_peer(int count, Run run) {
  std::vector<Row> rows;
  for (const PeerSetting& setting : kPeerSettings) {
    rows.push_back(run(setting));
    print(count, rows.back());
    if (rows.back().steps == 0) return;  // not installed
  }
  fmt::print("{:>6}  best: {}\n", count, best_of(rows).name);
}

int compare_engines(bool large) {
  print_head();
  for (const int k : {3, 4, 5, 6, 10}) {
    if (k == 10 && !large) break;
    const int count = k * k * k;
    if (k <= 6) {
      fmt::print("{:>6}  {:<16} {:>7}\n", count, "paper", kPaperSteps[k - 3]);
      Row paper = run_repose(k, 1, 0, {{"solver", std::string("paper")}});
      paper.name = "our paper";
      print(count, paper);
    }
    print(count, run_repose(k, 1));
#ifdef REPOSE_WITH_BULLET
    compare_peer(count, [k](const PeerSetting& setting) { return run_bullet(k, 1, setting); });
#endif
    compare_peer(count, [k](const PeerSetting& setting) { return run_rapier(k, 1, setting); });
  }
  return 0;
}

int count_steps(std::uint64_t first) {
  fmt::print("{:>6} {:>6} {:>7}  five seeds from {} on\n", "balls", "paper", "median", first);
  bool kept = true;
  for (int k = 3; k <= 6; ++k) {
    std::vector<long> steps;
    std::string all;
    for (std::uint64_t seed = first; seed < first + 5; ++seed) {
      const Row row = run_repose(k, seed);
      steps.push_back(row.steps);
      all += fmt::format(" {} ({:.2f} s, {})", row.steps, row.seconds, row.end);
    }
    std::sort(steps.begin(), steps.end());
    fmt::print("{:>6} {:>6} {:>7} {}\n", k * k * k, kPaperSteps[k - 3], steps[2], all);
    kept = kept && steps[2] <= kPaperSteps[k - 3];
  }
  return kept ? 0 : 1;
}

int first_steps(int k, long steps, const repose::SettingValues& settings) {
  const Row row = run_repose(k, 1, steps, settings);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  fmt::print("{} balls: {} steps, {:.1f} s of CPU, {:.2f} GB at most\n", k * k * k, row.steps,
             row.seconds, static_cast<double>(used.ru_maxrss) / (1024.0 * 1024.0));
  return 0;
}

int count_large(std::uint64_t first) {
  std::vector<double> seconds;
  for (std::uint64_t seed = first; seed < first + 5; ++seed) {
    const Row row = run_repose(10, seed);
    fmt::print("seed {}: {} steps, {:.2f} s of CPU, {:.1e} overlap, {:.1e} unbalanced, {}\n", seed,
               row.steps, row.seconds, row.overlap, row.unbalanced, row.end);
    std::fflush(stdout);
    seconds.push_back(row.seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  fmt::print("median {:.2f} s of CPU\n", seconds[2]);
  return 0;
}

int trace(int k, std::uint64_t seed, const repose::SettingValues& settings) {
  auto [problem, state] = make_scene(k, seed);
  auto method = repose::pile::method_info().make(settings).value();
  repose::StageClock clock;
  const repose::StageClock::Use use(clock);
  if (!method->prepare(problem, state)) return 1;
  repose::StepReport report;
  while (report.status == repose::RunStatus::moving) {
    const double before = cpu_now();
    report = method->step(problem, state);
    const double seconds = cpu_now() - before;
    const repose::Audit audit = method->audit(problem, state);
    fmt::print("{:>5} {:>8.3f} s  energy {:.9f} unbalanced {:.1e}", state.step, seconds,
               audit.energy, report.residual);
    for (const auto& [name, value] : audit.series) fmt::print(", {} {}", value, name);
    fmt::print("\n");
  }
  fmt::print("{}\n", report.why);
  for (const auto& [stage, seconds] : clock.seconds())
    fmt::print("{:<20} {:.3f} s\n", stage, seconds);
  return 0;
}

// a whole number where the text is one
repose::SettingValue setting(const std::string& text) {
  if (text.find_first_not_of("-0123456789") == std::string::npos)
    return std::int64_t{std::atoll(text.c_str())};
  return std::atof(text.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  const auto number = [&](int at, int otherwise) {
    return argc > at ? std::atoi(argv[at]) : otherwise;
  };
  if (mode == "seeds") return count_steps(static_cast<std::uint64_t>(number(2, 1)));
  if (mode == "programs") return compare_programs(number(2, 10000));
  const auto settings = [&] {
    repose::SettingValues out;
    for (int at = 4; at + 1 < argc; at += 2) out[argv[at]] = setting(argv[at + 1]);
    return out;
  };
  if (mode == "steps") return first_steps(number(2, 10), number(3, 1), settings());
  if (mode == "trace")
    return trace(number(2, 10), static_cast<std::uint64_t>(number(3, 1)), settings());
  if (mode == "large") return count_large(static_cast<std::uint64_t>(number(2, 1)));
  return compare_engines(mode != "small");
}
