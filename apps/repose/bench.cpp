// repose bench NAME
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
    if (entry.is_regular_file() && name.starts_with(prefix) && entry.path().extension().empty())
      names.push_back(name.substr(prefix.size()));
  }
  std::sort(names.begin(), names.end());
  return names.empty() ? "none is built" : fmt::format("there are {}", fmt::join(names, ", "));
}

/// Becomes the bench program; comes back only if that failed.
int run_bench(const std::string& name, const std::vector<std::string>& arguments) {
  const fs::path program = bench_folder() / ("bench_" + name);
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (name.find('/') == std::string::npos) execv(program.c_str(), words.data());
  fmt::print(stderr, "repose: no benchmark '{}': {}\n", name, names_in(bench_folder()));
  return kBadInput;
}

}  // namespace

void add_bench(CommandLine& program) {
  struct Options {
    std::string name;
    std::vector<std::string> arguments;
  };
  auto options = std::make_shared<Options>();
  program
      .subcommand(
          "bench",
          "Measure a method beside its paper and other engines (check, place, pile, "
          "mechanism, molecule, response, surfel, handover, user), or every kind on every other "
          "(matrix)",
          [options] { return run_bench(options->name, options->arguments); })
      .text("NAME", options->name, "Which benchmark; what follows is handed to it as it is")
      .required()
      .hands_on(options->arguments);
}
