#include "merge.h"

#include <cmath>

#include <BRepCheck_Analyzer.hxx>
#include <BRepGProp.hxx>
#include <GProp_GProps.hxx>
#include <ShapeUpgrade_UnifySameDomain.hxx>
#include <Standard_Failure.hxx>
#include <TopExp_Explorer.hxx>

namespace cad {
namespace {

/// Surfaces that are one but for rounding: mm and rad.
constexpr double kSamePlace = 1e-10, kSameWay = 1e-12;
/// Of the volume: rounding of OpenCASCADE's quadrature.
constexpr double kSameVolume = 1e-11;

int faces_of(const TopoDS_Shape& shape) {
  int out = 0;
  for (TopExp_Explorer it(shape, TopAbs_FACE); it.More(); it.Next()) ++out;
  return out;
}

double volume_of(const TopoDS_Shape& shape) {
  GProp_GProps out;
  BRepGProp::VolumeProperties(shape, out);
  return out.Mass();
}

}  // namespace

TopoDS_Shape merged(const TopoDS_Shape& solid) {
  try {
    ShapeUpgrade_UnifySameDomain unify(solid, true, true, false);
    unify.SetLinearTolerance(kSamePlace);
    unify.SetAngularTolerance(kSameWay);
    unify.Build();
    const TopoDS_Shape out = unify.Shape();
    if (out.IsNull() || out.ShapeType() != solid.ShapeType() || faces_of(out) >= faces_of(solid))
      return solid;
    const double before = volume_of(solid);
    const bool same = std::fabs(volume_of(out) - before) <= kSameVolume * std::fabs(before);
    return same && BRepCheck_Analyzer(out).IsValid() ? out : solid;
  } catch (const Standard_Failure&) {
    return solid;
  }
}

}  // namespace cad
