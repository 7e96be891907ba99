#pragma once

#include "repose/base/result.h"
#include "repose/shape/patch.h"
#include "repose/shape/trim.h"

namespace repose::shape {

/// A surface in smooth pieces: one without end, or the cells of a spline, v running fastest,
/// between the lines at which it is less than twice continuously differentiable.
struct SurfacePieces {
  std::vector<PatchPtr> pieces;
  std::vector<double> lines_u, lines_v;  // inner ones
};

/// An error's pointer is the field of the surface.
Result<SurfacePieces> surface_pieces(const TrimSurface& surface);

}  // namespace repose::shape
