#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace repose::matrix {

/// One run: a body dropped on another (`place`), or many poured into a container (`pile`).
struct Cell {
  std::string method;         // place, pile
  std::string moving, fixed;  // kinds; "mixed" is all moving ones
  double friction = 0.0;
  int start = 0;  // of its kind, from 0
  std::uint64_t seed = 0;

  /// METHOD/MOVING/FIXED/START, pile with its friction: pile/ball/bowl/0.5/0.
  std::string name() const;
};

struct Wanted {
  bool place = true, pile = true;
  int starts = 5;          // of a placement
  std::uint64_t seed = 1;  // of all cells
  std::string only;        // the beginning of names, parts of which may be *; empty: all
};
std::vector<Cell> cells(const Wanted& wanted);

/// The cell's scene file.
std::string scene_text(const Cell& cell);

}  // namespace repose::matrix
