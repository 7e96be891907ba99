#pragma once

#include <span>

#include "row.h"

namespace repose::place {

struct SearchSettings {
  ValleySettings valley;
  double within = 0.0;     // m; rows with larger gaps are left out
  double least_gap = 0.0;  // m; pairs deeper than this are behind a wall, not in contact
  double chord = 0.0;      // m; cells that bulge less are fine enough to start from
  double longest = 0.0;    // m; and that are no longer than this
  double finer = 0.0;      // m; contacts that those miss are sought from cells no longer than this
  double length = 0.0;     // m, of the smaller body; chord and longest are its shares
  double merge = 0.0;      // m; rows of the same features nearer than this are one
  double duplicate = 0.0;  // m; and of any features
};

/// Lower bound of the distance of two cells and the direction (frame of q, towards p) that shows
/// it.
struct CellGap {
  double lower = 0.0;
  Vec3 direction = Vec3::UnitZ();
};
/// `turn` takes p's axes to q's, `apart` goes from the middle of q's cell to that of p's (frame of
/// q). A bound larger than `enough` is not bettered.
CellGap cell_gap(const Cell& p, const Cell& q, const Mat3& turn, const Vec3& apart, double enough);

/// Adds the rows of points of p against q and of q against p (bodies `ip`, `iq`).
void find_rows(int ip, const Posed& p, int iq, const Posed& q, const SearchSettings& settings,
               std::vector<Row>& rows);

/// Adds a row unless the list has it already; of two alike the one with the smaller gap stays.
void add_row(const Row& row, const SearchSettings& settings, std::vector<Row>& rows);

/// The row that a pair of cells leads to.
Seed seed_of(int ip, const Surface& p, int cell_p, int iq, const Surface& q, int cell_q);

}  // namespace repose::place
