// Grids of balls into a box: ours beside the paper's step counts and beside Bullet, ODE and
// Rapier, each in three settings (scene.h) of which the best is the one to compare with. Times are
// CPU seconds, overlap is in radii, unbalanced force in weights.
//   bench_pile [small]        the comparison; small leaves out 1000 balls, --quick all above 64
//   bench_pile hourglass      the gallery's hourglass alone
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

#include "bench/sheet/sheet.h"
#include "peer.h"

namespace {

using namespace bench_pile;
using repose::bench::Cell;
using repose::bench::Figure;
using repose::bench::Holds;
using repose::bench::Sheet;
using repose::bench::Table;

constexpr int kPaperSteps[] = {21, 25, 39, 54};  // for 27, 64, 125 and 216 balls
constexpr long kPaperHourglassFrames = 812;
constexpr const char* kPaper = "Milenkovic 1996";

Cell told_force(const Row& row) {
  if (row.steps == 0) return {};
  if (row.unbalanced == kAsleep) return std::string("asleep");
  return row.unbalanced;
}

void tell(Table& table, int count, const Row& row, bool best = false) {
  const bool there = row.steps > 0;
  const auto number = [&](double v) { return there ? Cell(v) : Cell(); };
  table.row({1.0 * count, row.engine, row.setting + (best ? " (best)" : ""),
             number(static_cast<double>(row.steps)), number(row.seconds), number(row.overlap),
             told_force(row), number(row.height), row.end});
}

/// Every setting of an engine, and which of them to look at.
template <class Run>
void compare_peer(Table& table, int count, Figure& figure, Run run) {
  std::vector<Row> rows;
  for (const PeerSetting& setting : kPeerSettings) {
    rows.push_back(run(setting));
    if (rows.back().steps == 0) return tell(table, count, rows.back());  // not installed
  }
  const Row* best = &best_of(rows);
  for (const Row& row : rows) {
    tell(table, count, row, &row == best);
    figure.peers.push_back({row.engine, row.setting, row.seconds,
                            fmt::format("{}, overlap {:.1e} R", row.end, row.overlap),
                            &row == best});
  }
}

int compare_engines(Sheet& sheet, std::vector<int> sides) {
  auto& table = sheet.table(
      "engines",
      "Balls in an open box until they rest: overlap is the worst of the run in radii, force what "
      "is unbalanced at the end in weights, height the mean of the centres in radii",
      {{"balls", Holds::count},
       {"engine", Holds::word},
       {"setting", Holds::word},
       {"steps", Holds::count},
       {"CPU s", Holds::time},
       {"overlap", Holds::measure},
       {"force", Holds::measure},
       {"height", Holds::measure},
       {"end", Holds::word}});
  for (const int k : sides) {
    const int count = k * k * k;
    const Row ours = run_repose(k, 1);
    tell(table, count, ours);
    if (k <= 6) {
      Row paper = run_repose(k, 1, 0, {{"solver", std::string("paper")}});
      paper.setting = "solver = paper";
      tell(table, count, paper);
      sheet.figure({.id = fmt::format("steps-{}", count),
                    .what = fmt::format("steps to rest, {} balls", count),
                    .unit = "steps",
                    .holds = Holds::count,
                    .published = kPaperSteps[k - 3],
                    .source = fmt::format("{}, table of iterations", kPaper),
                    .ours = static_cast<double>(ours.steps)});
    }
    Figure rest{.id = fmt::format("rest-{}", count),
                .what = fmt::format("time to rest, {} balls", count),
                .unit = "CPU s",
                .ours = ours.seconds};
    compare_peer(table, count, rest, [k](const PeerSetting& s) { return run_bullet(k, 1, s); });
    compare_peer(table, count, rest, [k](const PeerSetting& s) { return run_ode(k, 1, s); });
    compare_peer(table, count, rest, [k](const PeerSetting& s) { return run_rapier(k, 1, s); });
    sheet.figure(rest);
  }
  table.note(
      "best: the quickest setting of an engine that rests; where none does, the least unbalanced. "
      "asleep: the engine stopped a ball and has no forces any more.");
  return 0;
}

/// The gallery's hourglass: frames until nothing falls any more.
void run_hourglass(Sheet& sheet) {
  auto& table = sheet.table("hourglass", "A thousand balls through an hourglass",
                            {{"program", Holds::word},
                             {"frames", Holds::count},
                             {"CPU s", Holds::time},
                             {"frames a CPU second", Holds::time},
                             {"end", Holds::word}});
  table.row({std::string(kPaper), static_cast<double>(kPaperHourglassFrames), Cell(), Cell(),
             std::string()});
  const Row row = run_gallery("pile/hourglass");
  table.row({std::string("Repose"), static_cast<double>(row.steps), row.seconds,
             static_cast<double>(row.steps) / row.seconds, row.end});
  sheet.figure({.id = "hourglass-frames",
                .what = "frames of the hourglass",
                .unit = "frames",
                .holds = Holds::count,
                .published = static_cast<double>(kPaperHourglassFrames),
                .source = kPaper,
                .ours = static_cast<double>(row.steps)});
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
  Sheet sheet("pile", argc, argv);
  const std::string mode = sheet.word(0);
  const auto number = [&](std::size_t at, int otherwise) {
    return std::atoi(sheet.word(at, std::to_string(otherwise)).c_str());
  };
  if (mode == "seeds") return count_steps(static_cast<std::uint64_t>(number(1, 1)));
  if (mode == "programs") return compare_programs(number(1, 10000));
  const auto settings = [&] {
    repose::SettingValues out;
    for (std::size_t at = 3; at + 1 < sheet.words().size(); at += 2)
      out[sheet.word(at)] = setting(sheet.word(at + 1));
    return out;
  };
  if (mode == "steps") return first_steps(number(1, 10), number(2, 1), settings());
  if (mode == "trace")
    return trace(number(1, 10), static_cast<std::uint64_t>(number(2, 1)), settings());
  if (mode == "large") return count_large(static_cast<std::uint64_t>(number(1, 1)));
  if (mode != "hourglass")
    compare_engines(sheet, sheet.quick()     ? std::vector{3, 4}
                           : mode == "small" ? std::vector{3, 4, 5, 6}
                                             : std::vector{3, 4, 5, 6, 10});
  if (mode == "hourglass" || (mode.empty() && !sheet.quick())) run_hourglass(sheet);
  return sheet.finish();
}
