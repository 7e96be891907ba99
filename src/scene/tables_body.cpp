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
          .field(&Material::color,
                 {.name = "color", .unit = "1", .range = kShare, .meaning = "Linear RGB."})
          .field(&Material::opacity,
                 {.name = "opacity", .unit = "1", .range = kShare, .meaning = "1 is opaque."})
          .field(&Material::roughness,
                 {.name = "roughness", .unit = "1", .range = kShare, .meaning = "0 is a mirror."});
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
  t.check([](Reading& reading, JsonView at, const SceneBody& in) {
    return check_placement(reading, at, in);
  });
}

const ObjectTable<GridArrangement>& grid_table() {
  static const auto table =
      ObjectTable<GridArrangement>("grid", "Rows, columns and layers.")
          .field(&GridArrangement::counts, {.name = "counts",
                                            .unit = "1",
                                            .range = {1.0, kMostBodies},
                                            .required = true,
                                            .meaning = "How many along x, y, z."})
          .field(&GridArrangement::spacing, {.name = "spacing",
                                             .unit = "m",
                                             .range = kCoordinate,
                                             .required = true,
                                             .meaning = "From one to the next along x, y, z."})
          .field(&GridArrangement::origin, {.name = "origin",
                                            .unit = "m",
                                            .range = kCoordinate,
                                            .meaning = "Place of the first."})
          .field(&GridArrangement::stagger,
                 {.name = "stagger",
                  .unit = "m",
                  .range = kCoordinate,
                  .meaning = "Added to every second layer, as in a wall."});
  return table;
}

const ObjectTable<LineArrangement>& line_table() {
  static const auto table =
      ObjectTable<LineArrangement>("line", "Evenly along a segment, ends included.")
          .field(&LineArrangement::count, {.name = "count",
                                           .unit = "1",
                                           .range = {1.0, kMostBodies},
                                           .required = true,
                                           .meaning = "How many."})
          .field(&LineArrangement::from, {.name = "from",
                                          .unit = "m",
                                          .range = kCoordinate,
                                          .required = true,
                                          .meaning = "Place of the first."})
          .field(&LineArrangement::to, {.name = "to",
                                        .unit = "m",
                                        .range = kCoordinate,
                                        .required = true,
                                        .meaning = "Place of the last."});
  return table;
}

const ObjectTable<RingArrangement>& ring_table() {
  static const auto table =
      ObjectTable<RingArrangement>("ring", "Evenly on a horizontal circle.")
          .field(&RingArrangement::count, {.name = "count",
                                           .unit = "1",
                                           .range = {1.0, kMostBodies},
                                           .required = true,
                                           .meaning = "How many."})
          .field(&RingArrangement::center, {.name = "center",
                                            .unit = "m",
                                            .range = kCoordinate,
                                            .meaning = "Centre of the circle."})
          .field(&RingArrangement::radius, {.name = "radius",
                                            .unit = "m",
                                            .range = kLength,
                                            .required = true,
                                            .meaning = "Radius of the circle."})
          .field(&RingArrangement::start_deg,
                 {.name = "start_deg",
                  .unit = "degree",
                  .range = {-360.0, 360.0},
                  .meaning = "Where the first stands, from x towards y."})
          .field(&RingArrangement::turn,
                 {.name = "turn", .meaning = "The bodies turn with the circle."});
  return table;
}

const ObjectTable<ScatterArrangement>& scatter_table() {
  static const auto table =
      ObjectTable<ScatterArrangement>(
          "scatter",
          "At random in a box, so that bounding balls overlap neither one another nor those of "
          "movable bodies before them. The same seed gives the same places everywhere.")
          .field(&ScatterArrangement::count, {.name = "count",
                                              .unit = "1",
                                              .range = {1.0, kMostBodies},
                                              .required = true,
                                              .meaning = "How many."})
          .field(&ScatterArrangement::low, {.name = "low",
                                            .unit = "m",
                                            .range = kCoordinate,
                                            .required = true,
                                            .meaning = "Least corner of the box."})
          .field(&ScatterArrangement::high,
                 {.name = "high",
                  .unit = "m",
                  .range = kCoordinate,
                  .required = true,
                  .meaning = "Greatest corner; the box holds the bounding balls whole."})
          .field(&ScatterArrangement::seed, {.name = "seed",
                                             .unit = "1",
                                             .range = {0.0, 9e15},
                                             .meaning = "Of the random numbers."})
          .field(&ScatterArrangement::clearance, {.name = "clearance",
                                                  .unit = "m",
                                                  .range = {0.0, 1e9},
                                                  .meaning = "Kept free between bounding balls."})
          .field(&ScatterArrangement::turn,
                 {.name = "turn", .meaning = "Random rotations as well."})
          .field(&ScatterArrangement::radius_range,
                 {.name = "radius_range",
                  .unit = "m",
                  .range = kLength,
                  .meaning = "Balls only: each radius drawn uniformly between these two."})
          .field(&ScatterArrangement::tries,
                 {.name = "tries",
                  .unit = "1",
                  .range = {1.0, 1e6},
                  .meaning = "Places tried for each body before the scene is refused as too full. "
                             "Larger: denser scatters, slower."})
          .check([](Reading& reading, JsonView at, const ScatterArrangement& in) {
            if (!(in.low.array() < in.high.array()).all())
              return reading.fail(*at.find("high"), "an empty box", "more than low in x, y and z");
            if (in.radius_range && (*in.radius_range)[0] > (*in.radius_range)[1])
              return reading.fail(*at.find("radius_range"), "the wrong way round",
                                  "the smaller radius first");
            return true;
          });
  return table;
}

const ObjectTable<ListArrangement>& list_table() {
  static const auto table =
      ObjectTable<ListArrangement>("list", "One by one.")
          .field(&ListArrangement::places,
                 {.name = "places", .required = true, .meaning = "A place for each body."});
  return table;
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

const KindsTable<Arrangement>& arrangement_kinds() {
  static const auto table = [] {
    KindsTable<Arrangement> kinds("arrangement", "Where the instances of a pattern stand.");
    kinds.kind(grid_table()).kind(line_table()).kind(ring_table());
    kinds.kind(scatter_table()).kind(list_table());
    return kinds;
  }();
  return table;
}

}  // namespace repose
