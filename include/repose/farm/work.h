#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "repose/farm/ledger.h"

namespace repose::farm {

/// A share of a farm: the runs whose number leaves `part` when divided by `parts`.
struct Part {
  std::int64_t part = 0, parts = 1;
};

struct FarmProgress {
  std::int64_t count = 0, ended = 0, failed = 0;  // of this part; failed: not done
  double wall_seconds = 0.0;
  double seconds_left = -1.0;  // negative: not known
};

struct WorkSettings {
  std::string tool;  // the program that runs scenes
  std::filesystem::path folder;
  int workers = 1;
  Part part;
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const FarmProgress&)> progress;
};

/// Whether a run's recording stays in its folder.
bool keeps_recording(const Job& job, const Row& row);
/// Where a part's ledger stands; that of all is in the folder itself.
std::filesystem::path ledger_path(const std::filesystem::path& folder, const Part& part);
std::filesystem::path run_folder(const std::filesystem::path& folder, std::int64_t number);

/// Runs what the ledger has no row of, each in a process of its own; an interrupt ends those under
/// way, which are run anew the next time. One process at a time has a part of a folder.
Result<FarmProgress> work(const Job& job, const WorkSettings& settings);

/// The rows of every part in the ledger of all.
Result<Done> gather(const Job& job, const std::filesystem::path& folder);

}  // namespace repose::farm
