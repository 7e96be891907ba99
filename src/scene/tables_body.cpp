// Materials, bodies and their instances.
#include <cmath>

#include <fmt/format.h>

#include "tables.h"

namespace repose {

const ObjectTable<Material>& material_table() {
  static const auto table =
      ObjectTable<Material>("material", "What bodies are made of, for contact and drawing.")
          .field(&Material::density, {.name = "density",
                                      .unit = "kg/m^3",
                                      .range = {0.0, 1e9, true, false},
                                      .meaning = "Mass of a cubic metre."})
          .field(&Material::friction,
                 {.name = "friction",
                  .unit = "1",
                  .range = {0.0, 100.0},
                  .meaning = "Coulomb coefficient; a pair of bodies takes the smaller."})
          .field(&Material::restitution,
                 {.name = "restitution",
                  .unit = "1",
                  .range = kShare,
                  .meaning = "Share of the approaching speed that returns after an impact; a pair "
                             "takes the larger."})
          .color(&Material::color, {.name = "color",
                                    .unit = "1",
                                    .range = kShare,
                                    .meaning = "Linear RGB, or a text: \"#rrggbb\" (sRGB, as "
                                               "everywhere on the web) or a name (\"tomato\")."})
          .field(&Material::opacity,
                 {.name = "opacity", .unit = "1", .range = kShare, .meaning = "1 is opaque."})
          .field(&Material::roughness,
                 {.name = "roughness", .unit = "1", .range = kShare, .meaning = "0 is a mirror."})
          .field(&Material::young_modulus,
                 {.name = "young_modulus",
                  .unit = "Pa",
                  .range = {0.0, 1e15},
                  .default_text = "0, not given",
                  .meaning = "Soft bodies: stress over stretch. Larger: stiffer, shorter steps."})
          .field(&Material::poisson_ratio,
                 {.name = "poisson_ratio",
                  .unit = "1",
                  .range = {-1.0, 0.5, true, true},
                  .meaning = "Soft bodies: how much the sides shrink for a stretch."})
          .field(&Material::damping,
                 {.name = "damping",
                  .unit = "s",
                  .range = {0.0, 1e9},
                  .meaning = "Soft bodies: stress is that of strain + damping * rate of strain. "
                             "Larger: motion within the body dies out sooner."})
          .field(&Material::drag, {.name = "drag",
                                   .unit = "1/s",
                                   .range = {0.0, 1e9},
                                   .meaning = "Soft bodies: the medium takes drag * mass * "
                                              "velocity from every point."})
          .field(&Material::medium_density,
                 {.name = "medium_density",
                  .unit = "kg/m^3",
                  .range = {0.0, 1e9},
                  .meaning = "Soft bodies: of the medium around, whose drag on a ball grows with "
                             "the square of its speed."})
          .field(&Material::yield_strain,
                 {.name = "yield_strain",
                  .unit = "1",
                  .range = {0.0, 1e3},
                  .default_text = "0, never",
                  .meaning = "Soft bodies: strain beyond this starts to last."})
          .field(&Material::creep,
                 {.name = "creep",
                  .unit = "1/s",
                  .range = {0.0, 1e9},
                  .meaning = "Soft bodies: how fast the strain beyond yield becomes lasting."})
          .field(&Material::most_plastic, {.name = "most_plastic",
                                           .unit = "1",
                                           .range = {0.0, 1e3},
                                           .default_text = "0, no limit",
                                           .meaning = "Soft bodies: largest lasting strain."})
          .field(&Material::break_strain,
                 {.name = "break_strain",
                  .unit = "1",
                  .range = {0.0, 1e3},
                  .default_text = "0, never",
                  .meaning = "Soft bodies: stretched beyond this the material parts."});
  return table;
}

const ObjectTable<Placement>& placement_table() {
  static const auto table = [] {
    ObjectTable<Placement> place("placement", "A place.");
    add_placement(place);
    place.check(check_placement);
    return place;
  }();
  return table;
}

bool check_placement(Reading& reading, JsonView at, const Placement& place) {
  const int rotations = int{place.orientation_wxyz.has_value()} +
                        int{place.axis_angle_deg.has_value()} +
                        int{place.roll_pitch_yaw_deg.has_value()};
  if (rotations > 1)
    return reading.fail(at, "more than one rotation",
                        "one of orientation_wxyz, axis_angle_deg and roll_pitch_yaw_deg");
  if (const auto& q = place.orientation_wxyz) {
    constexpr double kLengthOff = 1e-3;
    const double length = std::hypot(std::hypot((*q)[0], (*q)[1]), std::hypot((*q)[2], (*q)[3]));
    if (!(std::fabs(length - 1.0) <= kLengthOff))
      return reading.fail(*at.find("orientation_wxyz"),
                          fmt::format("a quaternion of length {:.6g}", length),
                          "a unit quaternion w, x, y, z");
  }
  if (const auto& a = place.axis_angle_deg)
    if ((*a)[0] == 0.0 && (*a)[1] == 0.0 && (*a)[2] == 0.0)
      return reading.fail(*at.find("axis_angle_deg"), "an axis without direction",
                          "x, y, z not all zero, then the angle in degrees");
  return true;
}

namespace {

void add_body_fields(ObjectTable<SceneBody>& t) {
  t.field(&SceneBody::shape, {.name = "shape",
                              .required = true,
                              .meaning = "The name of a shape, or a shape written here."});
  t.field(&SceneBody::material, {.name = "material",
                                 .default_text = "the defaults of `material`",
                                 .meaning = "The name of a material."});
  add_placement(t);
  t.field(&SceneBody::velocity, {.name = "velocity",
                                 .unit = "m/s",
                                 .range = kCoordinate,
                                 .meaning = "Of the centre of mass at the start."});
  t.field(&SceneBody::angular_velocity, {.name = "angular_velocity",
                                         .unit = "rad/s",
                                         .range = kCoordinate,
                                         .meaning = "At the start, world axes."});
  t.field(&SceneBody::fixed, {.name = "fixed", .meaning = "The body never moves."});
  t.field(&SceneBody::frozen, {.name = "frozen",
                               .choices = {"x", "y", "z", "turn_x", "turn_y", "turn_z"},
                               .meaning = "Freedoms that are held (world axes)."});
  t.field(&SceneBody::collides,
          {.name = "collides", .meaning = "false: drawn, but touches nothing."});
  t.field(&SceneBody::layer,
          {.name = "layer",
           .unit = "1",
           .range = {-1000.0, 1000.0},
           .meaning = "Bodies of the plane (mechanism) meet within a layer only."});
  t.field(&SceneBody::role,
          {.name = "role", .meaning = "Free text for methods and pages: container, ground, ..."});
  t.field(&SceneBody::groups, {.name = "groups", .meaning = "Names of groups it belongs to."});
  t.field(&SceneBody::mass, {.name = "mass",
                             .unit = "kg",
                             .range = {0.0, 1e30, true, false},
                             .default_text = "density times volume",
                             .meaning = "Mass; the inertia is scaled with it."});
  t.field(&SceneBody::soft, {.name = "soft",
                             .default_text = "no point is fixed, all are of the material",
                             .meaning = "Soft bodies: what their points are."});
  t.field(&SceneBody::path, {.name = "path",
                             .default_text = "it is not led",
                             .meaning = "The body is led along this, whatever pushes it."});
  t.check([](Reading& reading, JsonView at, const SceneBody& in) {
    if (in.path && in.fixed)
      return reading.fail(*at.find("path"), "a fixed body that is led", "one of fixed and path");
    return check_placement(reading, at, in);
  });
}

}  // namespace

const ObjectTable<SceneBody>& body_table() {
  static const auto table = [] {
    ObjectTable<SceneBody> body("body", "One body.");
    body.field(
        &SceneBody::name,
        {.name = "name", .required = true, .meaning = "Unique among bodies; others refer to it."});
    add_body_fields(body);
    return body;
  }();
  return table;
}

const ObjectTable<SceneBody>& pattern_table() {
  static const auto table = [] {
    ObjectTable<SceneBody> body("pattern",
                                "The body that instances repeat; its own place is applied first, "
                                "then that of the instance.");
    add_body_fields(body);
    return body;
  }();
  return table;
}

}  // namespace repose
