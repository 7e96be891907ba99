#pragma once

#include "rows.h"

namespace repose::molecule {

/// A triangle of three molecules of a body's surface.
using SkinTriangle = std::array<int, 3>;

/// The outside of a lattice, in triangles of its points: squares of cells that have no cell on the
/// other side, and squares that belong to no cell (sheets). Places are in pitches. Empty where
/// there are no squares.
std::vector<SkinTriangle> skin_of(const std::vector<std::array<int, 3>>& places);

/// Rows that keep molecules from the triangles of other bodies' skins, all thick by their radii: a
/// molecule over the middle of a triangle is held as smoothly as by a plane. Of the triangles near
/// a molecule those that lie under it, and the nearest. Sorted by key, appended.
///
/// An edge that crosses a triangle has its ends at both sides of it, each at least the two radii
/// away: where it is that long, drawn wide, it gets rows with the edges of other skins as well.
///
/// These rows make contact smooth, and close the holes of a net that is drawn wide; the proof that
/// no two molecules overlap is that of their own rows.
void add_skin_rows(const Arena& arena, const Motion& motion, const Near& near, const RowSettings& s,
                   std::vector<Row>& rows);

/// Those of edges; for add_skin_rows.
void add_edge_rows(const Arena& arena, const Motion& motion, const Near& near, const RowSettings& s,
                   std::vector<Row>& rows);

}  // namespace repose::molecule
