#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "repose/run/loop.h"

/// "40 s", "12 min", "2.5 h".
std::string duration_text(double seconds);

/// Shows what a run is doing on stderr: the stage, how far it is, the time since it began and the
/// time left. One line that updates itself on a terminal, also while nothing is told; a plain line
/// every few seconds elsewhere; nothing if quiet.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// "solving", "judging", "drawing".
  void stage(const std::string& name);
  void show(const repose::RunProgress& progress);
  /// Of a stage that knows how far it is, [0, 1].
  void show(double share);
  /// The line goes, and comes back with the next stage.
  void clear();

 private:
  void draw_on();
  std::string line() const;

  const bool quiet_;
  const bool terminal_;
  std::mutex lock_;  // of all below
  std::condition_variable changed_;
  bool ends_ = false, hidden_ = true, drawn_ = false;
  std::string stage_, far_;
  double seconds_left_ = -1.0;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::thread drawer_;
};
