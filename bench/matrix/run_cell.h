#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repose/base/json_write.h"

#include "cells.h"

namespace repose::matrix {

/// What became of a cell.
struct Outcome {
  std::string status;                  // of the run; or refused, over_time, crashed
  std::string verdict = "not judged";  // overlap and balance together
  std::string overlap = "not judged";
  double seconds = 0.0;        // CPU, from the built scene to the end of the run
  double judge_seconds = 0.0;  // CPU
  long steps = 0;
  bool passed = false;  // a body's centre has come beneath the ground
  std::string why;      // one sentence

  bool at_rest() const { return status == "rest" || status == "metastable"; }
  bool proven() const { return at_rest() && verdict == "proven" && !passed; }
};

struct Limits {
  double place = 20.0, pile = 300.0;  // CPU s of a run
  int jobs = 1;                       // runs at once
};

/// Runs every cell in a process of its own, so that one that crashes or hangs is told as such.
/// `done` is called as they end, with the cell's index.
void run_cells(const std::vector<Cell>& cells, const Limits& limits,
               const std::function<void(std::size_t, const Outcome&)>& done);

}  // namespace repose::matrix
