#include "support.h"

namespace repose::molecule {

MethodSupport support() {
  using enum shape::ShapeKind;
  MethodSupport out;
  out.standing_shapes = {ball,      half_space, box,     ellipsoid,       superellipsoid, cylinder,
                         cone,      capsule,    torus,   revolution,      tube,           bezier,
                         bspline,   trimmed,    formula, union_of_solids, mesh,           convex,
                         sphere_set};
  out.moving_shapes = {ball,    box,     ellipsoid,       superellipsoid, cylinder, cone,
                       capsule, torus,   revolution,      tube,           bezier,   bspline,
                       trimmed, formula, union_of_solids, mesh,           convex,   sphere_set};
  out.forces = {ForceKind::push, ForceKind::pull};
  out.friction = "works with the setting `friction`, which is on";
  out.joints = std::vector<JointKind>();
  out.soft = out.led = true;
  out.layers = out.frozen = out.impacts = false;
  out.passing = Passing::refused;
  return out;
}

}  // namespace repose::molecule
