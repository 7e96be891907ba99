// bench_kernels [--quick] [NAME]: inner pieces of work, timed by Google Benchmark and, where
// valgrind is there, counted in instructions, which do not depend on what else the machine does.
// bench_kernels --count [NAME] is what runs under valgrind.
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tbb/global_control.h>
#include <unistd.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define REPOSE_COUNTS_INSTRUCTIONS
#endif

#include "bench/sheet/sheet.h"
#include "kernels.h"

namespace repose::bench {
namespace {

namespace fs = std::filesystem;

/// Google Benchmark's times, by name.
class Times : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (!run.error_occurred && run.repetitions > 0)
        nanoseconds[run.run_name.function_name] = run.GetAdjustedCPUTime();
  }
  std::map<std::string, double> nanoseconds;
};

void time_kernels(Sheet& sheet, const std::vector<Kernel>& kernels) {
  for (const Kernel& kernel : kernels)
    benchmark::RegisterBenchmark(kernel.name.c_str(), [&kernel](benchmark::State& state) {
      for (auto _ : state) kernel.run();
    })->MinTime(sheet.quick() ? 0.02 : 0.3);
  Times times;
  benchmark::RunSpecifiedBenchmarks(&times);
  auto& table = sheet.table("times", "Kernels, CPU time of one call",
                            {{"kernel", Holds::word}, {"us", Holds::time}, {"what", Holds::word}});
  for (const Kernel& kernel : kernels)
    table.row({kernel.name, 1e-3 * times.nanoseconds[kernel.name], kernel.what});
}

/// Under valgrind: each kernel once to warm up, then once counted.
int count_kernels(const std::vector<Kernel>& kernels) {
#ifdef REPOSE_COUNTS_INSTRUCTIONS
  for (const Kernel& kernel : kernels) {
    kernel.run();
    CALLGRIND_START_INSTRUMENTATION;
    kernel.run();
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT(kernel.name.c_str());
  }
  return 0;
#else
  (void)kernels;
  return 1;
#endif
}

/// Name and count of one file that callgrind wrote; the name is empty where it holds none.
std::pair<std::string, double> read_count(const fs::path& file) {
  std::ifstream in(file);
  std::pair<std::string, double> out;
  constexpr const char* kTrigger = "Client Request: ";
  for (std::string line; std::getline(in, line);) {
    if (const auto at = line.find(kTrigger); at != std::string::npos)
      out.first = line.substr(at + std::string(kTrigger).size());
    if (line.starts_with("totals: ")) out.second = std::atof(line.c_str() + 8);
  }
  return out;
}

void tell_instructions(Sheet& sheet, const std::vector<Kernel>& kernels, const char* self,
                       const std::string& only) {
  auto& table = sheet.table("instructions", "Kernels, instructions of one call (callgrind)",
                            {{"kernel", Holds::word}, {"instructions", Holds::time}});
  std::string found = "/tmp/bench-kernels-XXXXXX";
  if (mkdtemp(found.data()) == nullptr) return;
  const fs::path folder = found;
  const std::string command = fmt::format(
      "valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file='{}' '{}' --count {} "
      "> '{}' 2>&1",
      (folder / "count").string(), self, only, (folder / "told").string());
  const int status = std::system(command.c_str());
  std::map<std::string, double> counts;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto [name, count] = read_count(entry.path());
    if (!name.empty()) counts[name] = count;
  }
  fs::remove_all(folder);
  if (status != 0 || counts.empty())
    return table.note("valgrind is not installed: instructions were not counted");
  for (const Kernel& kernel : kernels) table.row({kernel.name, counts[kernel.name]});
}

}  // namespace

std::vector<Kernel> all_kernels(const std::string& only) {
  std::vector<Kernel> all, out;
  add_search_kernels(all);
  add_gap_kernels(all);
  add_solver_kernels(all);
  add_soft_kernels(all);
  for (Kernel& kernel : all)
    if (kernel.name.starts_with(only)) out.push_back(std::move(kernel));
  return out;
}

}  // namespace repose::bench

int main(int count, char** words) {
  using namespace repose::bench;
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  Sheet sheet("kernels", count, words);
  if (sheet.word(0) == "--count") return count_kernels(all_kernels(sheet.word(1)));
  const auto kernels = all_kernels(sheet.word(0));
  time_kernels(sheet, kernels);
  tell_instructions(sheet, kernels, words[0], sheet.word(0));
  return sheet.finish();
}
