#pragma once

#include <TopoDS_Shape.hxx>

namespace cad {

/// The solid with neighbouring faces of one surface joined into one, as they were before booleans
/// cut them: the pieces may end in points where edges run into each other without an angle. The
/// solid as it is where that changes nothing or fails.
TopoDS_Shape merged(const TopoDS_Shape& solid);

}  // namespace cad
