// Every kind of body dropped on every other, and many of each poured into containers: what came to
// rest, what the judge proved of it, and how long it took.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "repose/base/whole_file.h"

#include "tell.h"

namespace {

namespace fs = std::filesystem;
using namespace repose;
using namespace repose::matrix;

constexpr const char* kUsage =
    R"(repose bench matrix [--quick] [--method place|pile] [--only METHOD/MOVING/FIXED[/START]] [--starts N]
                    [--seed N] [--limit S] [--pile-limit S] [--jobs N] [--out DIR] [--keep DIR]
  --quick        one start a placement in place of five
  --only NAME    runs whose name begins so; a part may be *: place/*/bowl
  --limit S      CPU seconds that a placement may take (20); --pile-limit S a pile (300)
  --out DIR      for matrix.json and index.html (./matrix)
  --keep DIR     the runs' scenes are written there, for `repose run`
)";

struct Options {
  Wanted wanted;
  Limits limits{.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))};
  fs::path out = "matrix";
  fs::path keep;
};

/// False: a word is not known, or its value is missing.
bool read_options(int count, char** words, Options& out) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--quick") {
      out.wanted.starts = 1;
      continue;
    }
    if (i + 1 == count) return false;
    const char* value = words[++i];
    if (word == "--method") {
      out.wanted.place = std::string_view(value) == "place";
      out.wanted.pile = std::string_view(value) == "pile";
    } else if (word == "--only") {
      out.wanted.only = value;
    } else if (word == "--starts") {
      out.wanted.starts = std::atoi(value);
    } else if (word == "--seed") {
      out.wanted.seed = std::strtoull(value, nullptr, 10);
    } else if (word == "--limit") {
      out.limits.place = std::atof(value);
    } else if (word == "--pile-limit") {
      out.limits.pile = std::atof(value);
    } else if (word == "--jobs") {
      out.limits.jobs = std::atoi(value);
    } else if (word == "--out") {
      out.out = value;
    } else if (word == "--keep") {
      out.keep = value;
    } else {
      return false;
    }
  }
  return out.limits.jobs > 0 && out.limits.place > 0.0 && out.limits.pile > 0.0 &&
         (out.wanted.place || out.wanted.pile);
}

/// How many runs have ended and how long the others will take, on stderr.
class Progress {
 public:
  explicit Progress(std::size_t all) : all_(all) {}
  void show(const Outcome& outcome) {
    ++ended_;
    missed_ += outcome.proven() ? 0 : 1;
    const auto now = Clock::now();
    if (now < next_ && ended_ < all_) return;
    const double spent = std::chrono::duration<double>(now - begin_).count();
    const double left = spent / static_cast<double>(ended_) * static_cast<double>(all_ - ended_);
    const bool terminal = isatty(STDERR_FILENO) != 0;
    fmt::print(stderr, "{}{} of {} runs, {} not at rest and proven, {:.0f} s left{}",
               terminal ? "\r\x1b[K" : "", ended_, all_, missed_, left,
               terminal && ended_ < all_ ? "" : "\n");
    next_ = now + std::chrono::seconds(terminal ? 1 : kPlainPause);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr int kPlainPause = 10;  // s
  std::size_t all_, ended_ = 0, missed_ = 0;
  Clock::time_point begin_ = Clock::now(), next_ = begin_;
};

Result<Done> keep_scenes(const std::vector<Cell>& cells, const fs::path& folder) {
  std::error_code none;
  fs::create_directories(folder, none);
  for (const Cell& cell : cells) {
    std::string name = cell.name();
    std::replace(name.begin(), name.end(), '/', '-');
    if (auto done = write_whole(folder / (name + ".json"), scene_text(cell)); !done) return done;
  }
  return Done{};
}

Result<Done> write_told(const Told& told, const fs::path& folder) {
  std::error_code none;
  fs::create_directories(folder, none);
  if (auto done = write_whole(folder / "matrix.json", matrix_json(told)); !done) return done;
  const auto page = matrix_page(told);
  if (!page) return page.error();
  return write_whole(folder / "index.html", *page);
}

}  // namespace

int main(int count, char** words) {
  Options options;
  if (!read_options(count, words, options)) {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  Told told{
      cells(options.wanted), {}, fmt::format("repose bench matrix --seed {}", options.wanted.seed)};
  if (told.cells.empty()) {
    fmt::print(stderr, "repose: no run is named '{}'\n{}", options.wanted.only, kUsage);
    return 2;
  }
  if (!options.keep.empty())
    if (const auto done = keep_scenes(told.cells, options.keep); !done) {
      fmt::print(stderr, "repose: {}\n", done.error().text());
      return 2;
    }
  told.outcomes.resize(told.cells.size());
  Progress progress(told.cells.size());
  run_cells(told.cells, options.limits, [&](std::size_t k, const Outcome& outcome) {
    told.outcomes[k] = outcome;
    progress.show(outcome);
  });
  print_summary(told);
  if (const auto done = write_told(told, options.out); !done) {
    fmt::print(stderr, "repose: {}\n", done.error().text());
    return 2;
  }
  fmt::print("written to {}\n", options.out.string());
  return none_broken(told) ? 0 : 1;
}
