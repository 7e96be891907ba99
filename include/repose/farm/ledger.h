#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repose/farm/job.h"

namespace repose::farm {

/// How a run ended.
enum class Outcome {
  done,           // every promise kept
  missed,         // finished, a promise missed
  refused,        // bad input
  timed_out,      // over its limit of time
  out_of_memory,  // over its limit of memory
  died            // its process died, again and again
};

/// What became of a run.
struct Row {
  std::int64_t number = 0;
  std::string scene, variation;  // the variation as a JSON object
  Outcome outcome = Outcome::died;
  int exit_code = -1;  // -1: a signal ended it
  int tries = 1;
  std::string status, overlap, balance, hash, why;
  std::optional<std::int64_t> steps, bodies, contacts;
  std::optional<double> penetration_relative, force;
  double cpu_seconds = 0.0, wall_seconds = 0.0, memory_mb = 0.0;
};

/// What became of every run so far, in one SQLite file. A row stands there once its run has ended,
/// and stays whatever dies then.
class Ledger {
 public:
  /// Makes the file, or goes on with it. Refused: that of another job.
  static Result<Ledger> open(const std::filesystem::path& path, const Job& job);
  ~Ledger();
  Ledger(Ledger&&) noexcept;
  Ledger& operator=(Ledger&&) noexcept;

  /// One row for each number: a second one takes the place of the first.
  Result<Done> add(const Row& row);
  /// The process of a run died; answers how often it has by now.
  Result<int> add_death(std::int64_t number, const std::string& what);
  Result<std::map<std::int64_t, int>> deaths() const;
  /// By number.
  Result<std::vector<Row>> rows() const;

 private:
  struct Inside;
  explicit Ledger(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace repose::farm

namespace repose {
template <>
inline constexpr auto kNames<farm::Outcome> = std::to_array<std::string_view>(
    {"done", "missed", "refused", "timed out", "out of memory", "died"});
}  // namespace repose
