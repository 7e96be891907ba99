#include "shape/tessellate/tessellate.h"

#include <algorithm>
#include <cmath>

#include "shape/tessellate/face_mesh.h"
#include "shape/tessellate/tessellate_flat.h"

namespace repose::shape {
namespace {

/// The first guess aims below the target: enclosures are wider than samples.
constexpr double kAim = 0.7;
constexpr int kMaxRounds = 4;
/// Coarsening towards the budget goes by this factor of the chord at a time.
constexpr double kCoarser = 1.5;

using CellsByPart = std::vector<std::vector<FaceCells>>;
using ChordsByPart = std::vector<std::vector<double>>;

double triangle_count(const CellsByPart& cells) {
  double sum = 0.0;
  for (const auto& part : cells)
    for (const FaceCells& c : part) sum += 2.0 * std::max(c.nu, 2) * std::max(c.nv, 2);
  return sum;
}

CellsByPart choose(const Solid& solid, const ChordsByPart& chords) {
  CellsByPart cells(solid.parts.size());
  for (std::size_t p = 0; p < cells.size(); ++p)
    for (std::size_t f = 0; f < solid.parts[p].faces.size(); ++f)
      cells[p].push_back(choose_cells(solid.parts[p].faces[f], chords[p][f]));
  return cells;
}

/// Meshes every face; *bounds gets each face's proven error.
Tessellation mesh_all(const Solid& solid, const CellsByPart& cells, const ChordsByPart& chords,
                      ChordsByPart* bounds) {
  Tessellation out;
  *bounds = chords;
  for (std::size_t p = 0; p < solid.parts.size(); ++p) {
    const Part& part = solid.parts[p];
    const auto sides = cut_sides(part, cells[p], chords[p], &out.welded_count);
    for (std::size_t f = 0; f < part.faces.size(); ++f) {
      const double bound = append_face(part.faces[f], static_cast<int>(p), static_cast<int>(f),
                                       cells[p][f], sides[f], &out);
      (*bounds)[p][f] = bound;
      out.chord_error = std::max(out.chord_error, bound);
    }
  }
  return out;
}

/// A chord that fits the budget, coarser than the one asked for if need be.
double affordable_chord(const Solid& solid, double chord, int max_triangles) {
  ChordsByPart chords(solid.parts.size());
  for (;; chord *= kCoarser) {
    for (std::size_t p = 0; p < chords.size(); ++p)
      chords[p].assign(solid.parts[p].faces.size(), chord);
    const double count = triangle_count(choose(solid, chords));
    double least = 0.0;
    for (const Part& part : solid.parts) least += 8.0 * static_cast<double>(part.faces.size());
    if (count <= std::max<double>(max_triangles, least)) return chord;
  }
}

}  // namespace

Tessellation tessellate_patches(const Solid& solid, double chord,
                                const TessellateSettings& settings) {
  ChordsByPart chords(solid.parts.size()), bounds;
  if (settings.cells_per_side > 0) {
    CellsByPart cells(solid.parts.size());
    for (std::size_t p = 0; p < cells.size(); ++p) {
      cells[p].assign(solid.parts[p].faces.size(),
                      {settings.cells_per_side, settings.cells_per_side});
      chords[p].assign(solid.parts[p].faces.size(), 0.0);
    }
    return mesh_all(solid, cells, chords, &bounds);
  }
  const double target = affordable_chord(solid, kAim * chord, settings.max_triangles) / kAim;
  for (std::size_t p = 0; p < chords.size(); ++p)
    chords[p].assign(solid.parts[p].faces.size(), kAim * target);
  Tessellation out = mesh_all(solid, choose(solid, chords), chords, &bounds);
  for (int round = 1; round < kMaxRounds && out.chord_error > target; ++round) {
    for (std::size_t p = 0; p < chords.size(); ++p)
      for (std::size_t f = 0; f < chords[p].size(); ++f)
        if (bounds[p][f] > target) chords[p][f] *= kAim * target / bounds[p][f];
    const CellsByPart cells = choose(solid, chords);
    if (triangle_count(cells) > 2.0 * settings.max_triangles) break;
    out = mesh_all(solid, cells, chords, &bounds);
  }
  return out;
}

Tessellation tessellate(const Shape& shape, const TessellateSettings& settings) {
  const double chord = settings.chord_fraction * shape.bounding_radius;
  struct Visitor {
    const Shape& shape;
    double chord;
    const TessellateSettings& settings;

    Tessellation operator()(const Ball&) const {
      // the shape is borrowed, not owned
      const ShapePtr borrowed(ShapePtr(), &shape);
      return tessellate_patches(*patches_of(borrowed), chord, settings);
    }
    Tessellation operator()(const HalfSpace&) const {
      return ground_plate(settings.ground_half_width);
    }
    Tessellation operator()(const Solid& solid) const {
      return tessellate_patches(solid, chord, settings);
    }
    Tessellation operator()(const TriangleMesh& mesh) const { return shaded_mesh(mesh); }
    Tessellation operator()(const ConvexPolyhedron& p) const { return flat_faces(p); }
    Tessellation operator()(const PlaneRegion& region) const { return slab(region, chord); }
    Tessellation operator()(const SphereSet& set) const { return balls(set, settings); }
    Tessellation operator()(const PointSet& set) const { return surfel_plates(set); }
  };
  return std::visit(Visitor{shape, chord, settings}, shape.geometry);
}

}  // namespace repose::shape
