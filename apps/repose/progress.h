#pragma once

#include <chrono>
#include <string>

#include "repose/run/loop.h"

/// "40 s", "12 min", "2.5 h".
std::string duration_text(double seconds);

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
