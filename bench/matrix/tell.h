#pragma once

#include <string>
#include <vector>

#include "repose/base/result.h"

#include "run_cell.h"

namespace repose::matrix {

struct Told {
  std::vector<Cell> cells;
  std::vector<Outcome> outcomes;  // parallel
  std::string repeat;             // the command that repeats a cell, but for its name
};

/// Shares, counts and times of each method and friction, and the failures with their command.
void print_summary(const Told& told);
/// Whether none overlapped, passed through the ground or crashed.
bool none_broken(const Told& told);
std::string matrix_json(const Told& told);
Result<std::string> matrix_page(const Told& told);

}  // namespace repose::matrix
