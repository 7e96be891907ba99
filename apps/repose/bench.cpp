// repose bench [NAME]
#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "command_line.h"
#include "commands.h"

namespace {

namespace fs = std::filesystem;

/// What runs benchmarks and writes their page.
constexpr const char* kRunner = "all";

/// Bench programs lie in the build folder, two levels above the tool's own.
fs::path bench_folder() {
  std::error_code none;
  const fs::path tool = fs::read_symlink("/proc/self/exe", none);
  return tool.parent_path().parent_path().parent_path() / "bench";
}

std::string names_in(const fs::path& folder) {
  const std::string prefix = "bench_";
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file() && name.starts_with(prefix) &&
        name != fmt::format("{}{}", prefix, kRunner) && entry.path().extension().empty())
      names.push_back(name.substr(prefix.size()));
  }
  std::sort(names.begin(), names.end());
  return names.empty() ? "none is built" : fmt::format("there are {}", fmt::join(names, ", "));
}

struct Options {
  std::string name;  // empty: all
  bool quick = false;
  std::string out, against;            // empty: none
  std::vector<std::string> same;       // two files to compare; empty: none
  std::vector<std::string> arguments;  // handed on as they are
};

/// What the program that is called shall read. The runner takes the name as a word.
std::vector<std::string> words_of(const Options& options, bool to_runner) {
  std::vector<std::string> out;
  if (to_runner && !options.name.empty()) out.push_back(options.name);
  if (options.quick) out.emplace_back("--quick");
  if (!options.out.empty()) out.insert(out.end(), {"--out", options.out});
  if (!options.against.empty()) out.insert(out.end(), {"--against", options.against});
  if (!options.same.empty()) out.emplace_back("--same");
  out.insert(out.end(), options.same.begin(), options.same.end());
  out.insert(out.end(), options.arguments.begin(), options.arguments.end());
  return out;
}

/// Becomes the bench program; comes back only if that failed. Words of its own go to a benchmark
/// itself, which then tells its tables alone; the matrix writes its own page.
int run_bench(const Options& options) {
  const std::string& name = options.name;
  const bool own = !name.empty() && (!options.arguments.empty() || name == "matrix");
  const fs::path program = bench_folder() / fmt::format("bench_{}", own ? name : kRunner);
  const std::vector<std::string> handed = words_of(options, !own);
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& word : handed) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::error_code none;
  const bool there = name.empty() || fs::exists(bench_folder() / ("bench_" + name), none);
  if (there && name.find('/') == std::string::npos) execv(program.c_str(), words.data());
  fmt::print(stderr, "repose: no benchmark '{}': {}\n", name, names_in(bench_folder()));
  return kBadInput;
}

}  // namespace

void add_bench(CommandLine& program) {
  auto options = std::make_shared<Options>();
  program
      .subcommand("bench",
                  "Measure methods beside their papers and other engines: tables, JSON and a page "
                  "(place, pile, mechanism, mechanism_forces, molecule, response, surfel, "
                  "check_pairs, handover, growth, kernels, matrix, user)",
                  [options] { return run_bench(*options); })
      .text("NAME", options->name,
            "One benchmark alone; other words that follow are handed to it as they are")
      .flag("--quick", options->quick, "Small sizes: all of them in under four minutes")
      .text("--out", options->out, "Folder for tables, bench.json and the page")
      .shows_default("bench-out")
      .text(
          "--against", options->against,
          "A recorded file (bench/recorded/kernels.json): exit code 1 if a kernel needs more than "
          "1.05 times its instructions")
      .texts("--same", options->same,
             "Two bench.json: exit code 1 where verdicts, hashes or counts differ; nothing is run")
      .hands_on(options->arguments);
}
