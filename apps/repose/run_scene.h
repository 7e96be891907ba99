#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "repose/run/result.h"

#include "opening.h"

/// What `repose run` is asked for.
struct RunOptions {
  std::string scene;  // path or gallery name
  OpeningWords open;
  std::filesystem::path out;  // folder
  std::vector<std::string> set;
  std::vector<std::string> at;  // changes to the scene, POINTER=VALUE
  std::optional<std::int64_t> seed;
  std::optional<std::int64_t> steps;
  int threads = 0;  // 0: as many as the machine has
  bool prove = false;
  bool pages = true;  // report.html and still.png
  bool still = true;  // whether still.png is drawn
  bool fine_still = false;
  /// The page looks for a newer one of its own (`--watch`).
  bool page_watches = false;
  /// The run in `out` is what goes on: its scene, settings and seed.
  bool resume = false;
  std::filesystem::path replay;  // what was saved by hand and is done again; empty: nothing
  bool json = false;
  bool quiet = false;
  const std::atomic<bool>* interrupt = nullptr;
};

/// What a run left behind. `broken` is the message of a promise of our own that did not hold; the
/// result then tells of the last good state.
struct RunReport {
  repose::RunResult result;
  std::string json;  // as in result.json
  std::string broken;
};

/// Loads, runs, records, judges; writes recording.repose, result.json and, where the modules are
/// built, report.html and still.png. On bad input nothing is written.
repose::Result<RunReport> run_scene(const RunOptions& options);
