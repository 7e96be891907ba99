#include "support.h"

namespace repose::mechanism {

MethodSupport support() {
  MethodSupport out;
  out.freedoms = {true, true, false, false, false, true};
  out.moving_shapes = out.standing_shapes = {shape::ShapeKind::plane_region};
  out.friction = "works with the setting `friction`, which is on";
  out.repair = "repair_start";
  out.forces = {ForceKind::push, ForceKind::connect, ForceKind::spring};
  return out;
}

}  // namespace repose::mechanism
