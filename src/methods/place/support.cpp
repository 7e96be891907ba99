#include "support.h"

namespace repose::place {

MethodSupport support() {
  using enum shape::ShapeKind;
  MethodSupport out;
  out.moving_shapes = {ball,    box,     ellipsoid,       superellipsoid, cylinder, cone,
                       capsule, torus,   revolution,      tube,           bezier,   bspline,
                       trimmed, formula, union_of_solids, mesh,           convex};
  out.standing_shapes = out.moving_shapes;
  out.standing_shapes->push_back(half_space);
  out.forces = {ForceKind::push, ForceKind::connect, ForceKind::spring};
  out.joints = {JointKind::weld};
  out.speeds = false;
  out.passing = Passing::stays;
  out.repair = "repair_start";
  out.friction = "works with the setting `friction`";
  return out;
}

}  // namespace repose::place
