#include "farm_on.h"

#include <charconv>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using repose::Done;
using repose::InputError;
using repose::Result;
using Words = std::vector<std::string>;

InputError mistake(const std::string& option, const std::string& value, const std::string& wrong,
                   const std::string& right) {
  InputError error;
  error.pointer = option;
  error.value = value;
  error.wrong = wrong;
  error.right = right;
  return error;
}

/// Runs a program of the PATH and waits for it.
Result<int> call(const Words& words) {
  std::vector<char*> raw;
  for (const std::string& word : words) raw.push_back(const_cast<char*>(word.c_str()));
  raw.push_back(nullptr);
  pid_t pid = -1;
  if (posix_spawnp(&pid, raw[0], nullptr, nullptr, raw.data(), environ) != 0)
    return mistake("--on", words[0], "the program is not there", "install it, or --on local");
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Result<Done> expect_success(const Words& words) {
  const auto code = call(words);
  if (!code) return code.error();
  // a part whose runs missed a promise ends with 1: the summary tells of it
  if (*code == 0 || *code == 1) return Done{};
  return mistake("--on", words[0], fmt::format("it ended with {}", *code), "0; see what it said");
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::optional<std::int64_t> whole(const char* text) {
  if (text == nullptr) return std::nullopt;
  std::int64_t out = 0;
  const std::string_view view(text);
  const auto [stop, code] = std::from_chars(view.data(), view.data() + view.size(), out);
  if (code != std::errc{} || stop != view.data() + view.size()) return std::nullopt;
  return out;
}

}  // namespace

Result<Done> farm_on_slurm(const FarmPlace& place) {
  const std::string command =
      fmt::format("{} farm {} --out {} --jobs 1 --quiet --part $SLURM_ARRAY_TASK_ID/{}",
                  quoted(place.tool), quoted(place.job), quoted(place.out.string()), place.jobs);
  return expect_success({"sbatch", "--wait", "--job-name=repose-farm",
                         fmt::format("--array=0-{}", place.jobs - 1),
                         "--output=" + (place.out / "slurm-%a.log").string(), "--wrap=" + command});
}

Result<Done> farm_on_mpi(const FarmPlace& place) {
  return expect_success({"mpirun", "-n", fmt::format("{}", place.jobs), place.tool, "farm",
                         place.job, "--out", place.out.string(), "--jobs", "1", "--quiet", "--part",
                         "mpi"});
}

Result<repose::farm::Part> part_of(const std::string& text) {
  std::optional<std::int64_t> part, parts;
  if (text == "mpi") {
    for (const auto& [rank, size] :
         {std::pair("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
          std::pair("PMI_RANK", "PMI_SIZE"), std::pair("SLURM_PROCID", "SLURM_NTASKS")}) {
      if (part && parts) break;
      part = whole(std::getenv(rank));
      parts = whole(std::getenv(size));
    }
    if (!part || !parts)
      return mistake("--part", text, "the environment names no rank", "a start by mpirun");
  } else if (const auto slash = text.find('/'); slash != std::string::npos) {
    part = whole(text.substr(0, slash).c_str());
    parts = whole(text.substr(slash + 1).c_str());
  }
  if (!part || !parts || *parts < 1 || *part < 0 || *part >= *parts)
    return mistake("--part", text, "not a part", "K/N with K from 0 to N - 1, or mpi");
  return repose::farm::Part{*part, *parts};
}
