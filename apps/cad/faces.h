#pragma once

#include <TopoDS_Shape.hxx>

#include "json.h"
#include "unusable.h"

namespace cad {

/// Writes the faces of a solid as the scene format's `trim_face` list: surfaces and trimming curves
/// with every length times `unit`. Throws Unusable where a face is of no such kind.
void write_faces(const TopoDS_Shape& solid, double unit, JsonText& out);

}  // namespace cad
