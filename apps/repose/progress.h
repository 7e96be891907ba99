#pragma once

#include <chrono>

#include "repose/run/loop.h"

/// Shows how far a run is on stderr: one line that updates itself on a terminal, a plain line every
/// few seconds elsewhere, nothing if quiet.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const repose::RunProgress& progress);
  void clear();

 private:
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};
