#include "support.h"

namespace repose::pile {

MethodSupport support() {
  using enum shape::ShapeKind;
  MethodSupport out;
  out.moving_shapes = {ball,    box,     ellipsoid,       superellipsoid, cylinder, cone,
                       capsule, torus,   revolution,      tube,           bezier,   bspline,
                       trimmed, formula, union_of_solids, mesh,           convex};
  out.standing_shapes = {ball,    half_space, box,     ellipsoid,       superellipsoid, cylinder,
                         cone,    capsule,    torus,   revolution,      tube,           bezier,
                         bspline, trimmed,    formula, union_of_solids, mesh,           convex};
  out.forces = {ForceKind::push, ForceKind::connect, ForceKind::spring, ForceKind::attract};
  out.joints = std::vector<JointKind>();
  out.speeds = out.layers = out.off_centre = false;
  out.passing = Passing::refused;
  out.friction = "works with the setting `friction`";
  out.blind_to = {mesh};
  out.repair = "repair_start";
  return out;
}

}  // namespace repose::pile
