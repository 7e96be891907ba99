// The kinds of shapes.
#include "tables.h"

namespace repose {

using namespace shape;

namespace {

const ObjectTable<BallInput>& ball_table() {
  static const auto table = ObjectTable<BallInput>("ball", "A ball about the origin.")
                                .field(&BallInput::radius, {.name = "radius",
                                                            .unit = "m",
                                                            .range = kLength,
                                                            .required = true,
                                                            .meaning = "Radius."});
  return table;
}

const ObjectTable<HalfSpaceSpec>& half_space_table() {
  static const ObjectTable<HalfSpaceSpec> table(
      "half_space", "Endless ground: all points with z <= 0. Only for fixed bodies.");
  return table;
}

const ObjectTable<BoxInput>& box_table() {
  static const auto table = ObjectTable<BoxInput>("box", "A box centred on the origin.")
                                .field(&BoxInput::size, {.name = "size",
                                                         .unit = "m",
                                                         .range = kLength,
                                                         .required = true,
                                                         .meaning = "Whole edges along x, y, z."});
  return table;
}

const ObjectTable<EllipsoidInput>& ellipsoid_table() {
  static const auto table =
      ObjectTable<EllipsoidInput>("ellipsoid", "An ellipsoid centred on the origin.")
          .field(&EllipsoidInput::radii, {.name = "radii",
                                          .unit = "m",
                                          .range = kLength,
                                          .required = true,
                                          .meaning = "Half axes along x, y, z."});
  return table;
}

const ObjectTable<SuperellipsoidInput>& superellipsoid_table() {
  static const auto table =
      ObjectTable<SuperellipsoidInput>(
          "superellipsoid",
          "A rounded box: (|x/a|^(2/e) + |y/b|^(2/e))^(e/n) + |z/c|^(2/n) = 1 with e = east_west, "
          "n = north_south.")
          .field(&SuperellipsoidInput::radii, {.name = "radii",
                                               .unit = "m",
                                               .range = kLength,
                                               .required = true,
                                               .meaning = "Half axes a, b, c along x, y, z."})
          .field(&SuperellipsoidInput::north_south,
                 {.name = "north_south",
                  .unit = "1",
                  .range = {0.0, 1.0, true, false},
                  .meaning = "Roundness along the meridians: 1 is round, towards 0 a box."})
          .field(&SuperellipsoidInput::east_west,
                 {.name = "east_west",
                  .unit = "1",
                  .range = {0.0, 1.0, true, false},
                  .meaning = "Roundness around the z axis: 1 is round, towards 0 a box."});
  return table;
}

const ObjectTable<CylinderInput>& cylinder_table() {
  static const auto table =
      ObjectTable<CylinderInput>("cylinder", "A cylinder about z, from -height/2 to height/2.")
          .field(&CylinderInput::radius, {.name = "radius",
                                          .unit = "m",
                                          .range = kLength,
                                          .required = true,
                                          .meaning = "Radius."})
          .field(&CylinderInput::height, {.name = "height",
                                          .unit = "m",
                                          .range = kLength,
                                          .required = true,
                                          .meaning = "Height."});
  return table;
}

const ObjectTable<ConeInput>& cone_table() {
  static const auto table =
      ObjectTable<ConeInput>("cone", "A cone about z with its base at z = 0.")
          .field(&ConeInput::radius, {.name = "radius",
                                      .unit = "m",
                                      .range = kLength,
                                      .required = true,
                                      .meaning = "Radius of the base."})
          .field(&ConeInput::height, {.name = "height",
                                      .unit = "m",
                                      .range = kLength,
                                      .required = true,
                                      .meaning = "Height of the apex, or of the top."})
          .field(&ConeInput::top_radius, {.name = "top_radius",
                                          .unit = "m",
                                          .range = {0.0, 1e9},
                                          .meaning = "Radius of the top; 0 is a sharp apex."});
  return table;
}

const ObjectTable<CapsuleInput>& capsule_table() {
  static const auto table =
      ObjectTable<CapsuleInput>("capsule",
                                "All points within `radius` of a segment of the z axis that is "
                                "centred on the origin.")
          .field(&CapsuleInput::radius, {.name = "radius",
                                         .unit = "m",
                                         .range = kLength,
                                         .required = true,
                                         .meaning = "Radius."})
          .field(&CapsuleInput::height, {.name = "height",
                                         .unit = "m",
                                         .range = kLength,
                                         .required = true,
                                         .meaning = "Height of the straight part."});
  return table;
}

const ObjectTable<TorusInput>& torus_table() {
  static const auto table =
      ObjectTable<TorusInput>("torus", "A ring about z.")
          .field(&TorusInput::ring_radius, {.name = "ring_radius",
                                            .unit = "m",
                                            .range = kLength,
                                            .required = true,
                                            .meaning = "Radius of the tube's centre line."})
          .field(&TorusInput::tube_radius,
                 {.name = "tube_radius",
                  .unit = "m",
                  .range = kLength,
                  .required = true,
                  .meaning = "Radius of the tube; smaller than ring_radius."})
          .check([](Reading& reading, JsonView at, const TorusInput& in) {
            if (in.tube_radius < in.ring_radius) return true;
            return reading.fail(*at.find("tube_radius"), "the torus would close its own hole",
                                "a tube_radius below ring_radius");
          });
  return table;
}

const ObjectTable<RevolutionInput>& revolution_table() {
  static const auto table =
      ObjectTable<RevolutionInput>(
          "revolution",
          "A profile turned about the z axis. The profile is a smooth spline through its points, "
          "sharp where a corner is marked. An open profile's end on the axis is a smooth pole (an "
          "apex if marked as a corner), an end off the axis is capped by a flat disc.")
          .field(&RevolutionInput::profile,
                 {.name = "profile",
                  .unit = "m",
                  .range = kCoordinate,
                  .required = true,
                  .meaning = "Points [distance from the axis, height], in order."})
          .field(&RevolutionInput::corners,
                 {.name = "corners",
                  .range = {0.0, 1e6},
                  .meaning = "Which profile points are corners, counted from 0."})
          .field(&RevolutionInput::closed,
                 {.name = "closed",
                  .meaning = "The last point joins the first (a ring); no point is on the axis."});
  return table;
}

const ObjectTable<TubeInput>& tube_table() {
  static const auto table =
      ObjectTable<TubeInput>("tube", "A round tube along a smooth space curve.")
          .field(&TubeInput::spine, {.name = "spine",
                                     .unit = "m",
                                     .range = kCoordinate,
                                     .required = true,
                                     .meaning = "Points the centre line passes through."})
          .field(&TubeInput::radii,
                 {.name = "radii",
                  .unit = "m",
                  .range = kLength,
                  .required = true,
                  .meaning = "One radius for all, or one for each point of the spine."})
          .field(&TubeInput::closed,
                 {.name = "closed", .meaning = "The last point joins the first smoothly."})
          .field(&TubeInput::cap, {.name = "cap",
                                   .choices = {"flat", "round"},
                                   .meaning = "How the ends of an open tube are closed."});
  return table;
}

const ObjectTable<UnionSpec>& union_table() {
  static const auto table =
      ObjectTable<UnionSpec>("union",
                             "The union of closed parts that may overlap (a spout in its pot).")
          .field(&UnionSpec::parts,
                 {.name = "parts", .required = true, .meaning = "The parts, at least one."});
  return table;
}

const ObjectTable<ModelUse>& model_use_table() {
  static const auto table =
      ObjectTable<ModelUse>("model",
                            "The shape of a model file. `{\"model\": \"NAME\"}` is enough; the "
                            "kind may be left out.")
          .field(&ModelUse::model,
                 {.name = "model",
                  .required = true,
                  .meaning = "A model of the gallery (models/NAME.json), or a path ending in .json "
                             "beside the file at hand."});
  return table;
}

}  // namespace

void add_patch_kinds(KindsTable<ShapeKinds>& table);
void add_discrete_kinds(KindsTable<ShapeKinds>& table);

const KindsTable<ShapeKinds>& shape_kinds() {
  static const auto table = [] {
    KindsTable<ShapeKinds> kinds("shape",
                                 "A shape in its body's own frame: the named ones in `shapes`, or "
                                 "written where it is used.");
    kinds.kind(ball_table()).kind(half_space_table()).kind(box_table()).kind(ellipsoid_table());
    kinds.kind(superellipsoid_table()).kind(cylinder_table()).kind(cone_table());
    kinds.kind(capsule_table()).kind(torus_table()).kind(revolution_table()).kind(tube_table());
    add_patch_kinds(kinds);
    kinds.kind(union_table());
    add_discrete_kinds(kinds);
    kinds.kind(model_use_table());
    return kinds;
  }();
  return table;
}

const ObjectTable<UnionPartSpec>& union_part_table() {
  static const auto table = [] {
    ObjectTable<UnionPartSpec> part("union_part", "A part of a union and its place in it.");
    part.field(&UnionPartSpec::shape,
               {.name = "shape",
                .required = true,
                .meaning = "A named shape, or a shape written here. A ball, or a kind made of "
                           "patches."});
    add_placement(part);
    part.check([](Reading& reading, JsonView at, const UnionPartSpec& in) {
      return check_placement(reading, at, in);
    });
    return part;
  }();
  return table;
}

bool Codec<ShapeSpec>::read(Reading& r, JsonView at, const FieldInfo&, ShapeSpec& out) {
  out.source = {r.document, at.index()};
  const bool bare_model = at.find("model") && !at.find("kind");
  if (bare_model) return model_use_table().read(r, at, out.what.emplace<ModelUse>());
  return shape_kinds().read(r, at, out.what);
}

Json Codec<ShapeSpec>::write(const ShapeSpec& spec) {
  if (const auto* use = std::get_if<ModelUse>(&spec.what))
    return Json::Object{{"model", use->model}};
  return shape_kinds().write(spec.what);
}

bool Codec<ShapeSpec>::same(const ShapeSpec& a, const ShapeSpec& b) {
  return shape_kinds().same(a.what, b.what);
}

bool Codec<ShapeUse>::read(Reading& r, JsonView at, const FieldInfo& info, ShapeUse& out) {
  if (at.kind() == JsonKind::text) {
    out.name = at.text();
    return !out.name.empty() || r.fail(at, "an empty name", "the name of a shape");
  }
  if (at.kind() != JsonKind::object)
    return r.fail(at, std::string("not a shape but ") + to_text(at.kind()),
                  "the name of a shape, or an object { \"kind\": ... }");
  auto spec = std::make_shared<ShapeSpec>();
  if (!Codec<ShapeSpec>::read(r, at, info, *spec)) return false;
  out.spec = std::move(spec);
  return true;
}

Json Codec<ShapeUse>::write(const ShapeUse& use) {
  return use.spec ? Codec<ShapeSpec>::write(*use.spec) : Json(use.name);
}

bool Codec<ShapeUse>::same(const ShapeUse& a, const ShapeUse& b) {
  if (a.name != b.name || (a.spec == nullptr) != (b.spec == nullptr)) return false;
  return !a.spec || Codec<ShapeSpec>::same(*a.spec, *b.spec);
}

}  // namespace repose
