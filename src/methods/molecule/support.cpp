#include "support.h"

namespace repose::molecule {

MethodSupport support() {
  using enum shape::ShapeKind;
  MethodSupport out;
  out.standing_shapes = {ball,     half_space, box,       ellipsoid, superellipsoid,
                         cylinder, cone,       capsule,   torus,     revolution,
                         tube,     bezier,     bspline,   formula,   union_of_solids,
                         mesh,     convex,     sphere_set};
  out.moving_shapes = out.standing_shapes;
  out.forces = {ForceKind::push, ForceKind::pull};
  out.joints = std::vector<JointKind>();
  out.layers = out.frozen = false;
  out.passing = Passing::refused;
  return out;
}

}  // namespace repose::molecule
