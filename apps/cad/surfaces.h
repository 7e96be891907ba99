#pragma once

#include <Geom_Surface.hxx>
#include <TopoDS_Face.hxx>
#include <gp_Ax3.hxx>

#include "edges.h"

namespace cad {

/// The kind of a surface and the frame it stands in; lengths times `unit`.
void write_frame(JsonText& out, const char* kind, const gp_Ax3& frame, double unit);

/// Writes the surface of a face; answers what its parameters measure. Throws Unusable where it is
/// of a kind that is not read.
Scale write_surface(JsonText& out, const TopoDS_Face& face, const Handle(Geom_Surface) & surface,
                    double unit);

}  // namespace cad
