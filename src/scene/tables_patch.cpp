// Shapes given patch by patch, and shapes of triangles, polygons, balls and points.
#include "tables.h"

namespace repose {

using namespace shape;

void add_patch_kinds(KindsTable<ShapeKinds>& table);
void add_discrete_kinds(KindsTable<ShapeKinds>& table);

namespace {
// wider gaps are holes of the model, not noise in its numbers
constexpr Range kGapFraction{0.0, 1e-2, true, false};
}  // namespace

const ObjectTable<SewInput>& sew_table() {
  static const auto table =
      ObjectTable<SewInput>("sew", "How patches given one by one are sewn into a closed surface.")
          .field(&SewInput::gap_fraction,
                 {.name = "gap_fraction",
                  .unit = "1",
                  .range = kGapFraction,
                  .meaning = "Patch edges nearer than this fraction of the body's size count as "
                             "one. Larger: coarser patches still close, small gaps are hidden."})
          .field(&SewInput::smooth_angle_deg,
                 {.name = "smooth_angle_deg",
                  .unit = "degree",
                  .range = {0.0, 45.0, true, false},
                  .meaning = "Faces meeting at less than this angle are smooth there. Larger: "
                             "fewer sharp edges."});
  return table;
}

const ObjectTable<BsplinePatchInput>& bspline_patch_table() {
  constexpr Range kDegree{1, 7};
  static const auto table =
      ObjectTable<BsplinePatchInput>("bspline_patch", "One (rational) B-spline patch.")
          .field(&BsplinePatchInput::degree_u,
                 {.name = "degree_u", .unit = "1", .range = kDegree, .meaning = "Degree along u."})
          .field(&BsplinePatchInput::degree_v,
                 {.name = "degree_v", .unit = "1", .range = kDegree, .meaning = "Degree along v."})
          .field(&BsplinePatchInput::knots_u,
                 {.name = "knots_u",
                  .unit = "1",
                  .required = true,
                  .meaning = "Knots along u, never decreasing; as many as points along u plus "
                             "degree_u + 1."})
          .field(&BsplinePatchInput::knots_v, {.name = "knots_v",
                                               .unit = "1",
                                               .required = true,
                                               .meaning = "Knots along v, in the same way."})
          .field(&BsplinePatchInput::points,
                 {.name = "points",
                  .unit = "m",
                  .range = kCoordinate,
                  .required = true,
                  .meaning = "Control points [i][j], i along u, j along v."})
          .field(&BsplinePatchInput::weights, {.name = "weights",
                                               .unit = "1",
                                               .range = kPositive,
                                               .default_text = "all 1",
                                               .meaning = "Weights in the same layout."});
  return table;
}

const ObjectTable<FormulaPatchInput>& formula_patch_table() {
  static const auto table =
      ObjectTable<FormulaPatchInput>("formula_patch", "One patch written as three formulas.")
          .field(&FormulaPatchInput::x,
                 {.name = "x",
                  .required = true,
                  .meaning = "x in metres as an expression of u, v and the parameters."})
          .field(&FormulaPatchInput::y, {.name = "y", .required = true, .meaning = "y."})
          .field(&FormulaPatchInput::z, {.name = "z", .required = true, .meaning = "z."})
          .field(&FormulaPatchInput::u0,
                 {.name = "u0", .unit = "1", .range = kCoordinate, .meaning = "Least u."})
          .field(&FormulaPatchInput::u1,
                 {.name = "u1", .unit = "1", .range = kCoordinate, .meaning = "Greatest u."})
          .field(&FormulaPatchInput::v0,
                 {.name = "v0", .unit = "1", .range = kCoordinate, .meaning = "Least v."})
          .field(&FormulaPatchInput::v1,
                 {.name = "v1", .unit = "1", .range = kCoordinate, .meaning = "Greatest v."})
          .check([](Reading& reading, JsonView at, const FormulaPatchInput& in) {
            if (in.u0 < in.u1 && in.v0 < in.v1) return true;
            return reading.fail(at, "the patch has no parameters", "u0 < u1 and v0 < v1");
          });
  return table;
}

const ObjectTable<Polygon>& polygon_table() {
  static const auto table =
      ObjectTable<Polygon>("polygon", "A simple polygon with holes; loops in either direction.")
          .field(&Polygon::outer, {.name = "outer",
                                   .unit = "m",
                                   .range = kCoordinate,
                                   .required = true,
                                   .meaning = "Corners [x, y] in order, the first not repeated."})
          .field(&Polygon::holes, {.name = "holes",
                                   .unit = "m",
                                   .range = kCoordinate,
                                   .meaning = "Loops of corners cut out of it."});
  return table;
}

const ObjectTable<Disc>& disc_table() {
  static const auto table =
      ObjectTable<Disc>("disc", "A disc of the plane.")
          .field(&Disc::center,
                 {.name = "center", .unit = "m", .range = kCoordinate, .meaning = "Centre [x, y]."})
          .field(&Disc::radius, {.name = "radius",
                                 .unit = "m",
                                 .range = kLength,
                                 .required = true,
                                 .meaning = "Radius."});
  return table;
}

void add_patch_kinds(KindsTable<ShapeKinds>& table) {
  static const auto bezier =
      ObjectTable<BezierInput>("bezier", "A closed surface of bicubic Bezier patches.")
          .field(&BezierInput::patches,
                 {.name = "patches",
                  .unit = "m",
                  .range = kCoordinate,
                  .required = true,
                  .meaning = "Each 4 rows of 4 control points, rows along u."})
          .field(&BezierInput::sew, {.name = "sew", .meaning = "How the patches are sewn."});
  static const auto bspline =
      ObjectTable<BsplineInput>("bspline", "A closed surface of (rational) B-spline patches.")
          .field(&BsplineInput::patches,
                 {.name = "patches", .required = true, .meaning = "The patches."})
          .field(&BsplineInput::sew, {.name = "sew", .meaning = "How the patches are sewn."});
  static const auto formula =
      ObjectTable<FormulaInput>("formula", "A closed surface of patches written as formulas.")
          .field(&FormulaInput::patches,
                 {.name = "patches", .required = true, .meaning = "The patches."})
          .field(&FormulaInput::parameters,
                 {.name = "parameters", .meaning = "Numbers the formulas may use by name."})
          .field(&FormulaInput::sew, {.name = "sew", .meaning = "How the patches are sewn."});
  table.kind(bezier).kind(bspline).kind(formula).kind(trimmed_table());
}

namespace {

const ObjectTable<MeshSpec>& mesh_table() {
  static const auto table =
      ObjectTable<MeshSpec>("mesh", "Triangles written in the scene itself.")
          .field(&MeshSpec::points, {.name = "points",
                                     .unit = "m",
                                     .range = kCoordinate,
                                     .required = true,
                                     .meaning = "Corners."})
          .field(&MeshSpec::triangles,
                 {.name = "triangles",
                  .range = {0.0, 1e8},
                  .required = true,
                  .meaning = "Three indices of points each, counted from 0, counter-clockwise "
                             "seen from outside."})
          .field(&MeshSpec::open, {.name = "open",
                                   .meaning = "The mesh need not be closed; it then has no volume "
                                              "and serves fixed bodies only."});
  return table;
}

const ObjectTable<MeshFileInput>& mesh_file_table() {
  static const auto table =
      ObjectTable<MeshFileInput>("mesh_file", "Triangles from an OBJ, STL, PLY or glTF file.")
          .field(&MeshFileInput::path, {.name = "path",
                                        .required = true,
                                        .meaning = "The file, relative to the one at hand."})
          .field(&MeshFileInput::scale, {.name = "scale",
                                         .unit = "1",
                                         .range = kLength,
                                         .meaning = "Metres to one unit of the file."})
          .field(&MeshFileInput::open, {.name = "open",
                                        .meaning = "The mesh need not be closed; it then has no "
                                                   "volume and serves fixed bodies only."});
  return table;
}

const ObjectTable<ConvexInput>& convex_table() {
  static const auto table =
      ObjectTable<ConvexInput>("convex",
                               "The convex hull of points; or, if faces are given, the convex "
                               "polyhedron they bound.")
          .field(&ConvexInput::points, {.name = "points",
                                        .unit = "m",
                                        .range = kCoordinate,
                                        .required = true,
                                        .meaning = "At least four, not in one plane."})
          .field(&ConvexInput::faces,
                 {.name = "faces",
                  .range = {0.0, 1e8},
                  .default_text = "of the hull",
                  .meaning = "Plane polygons: indices of points, counted from 0, "
                             "counter-clockwise seen from outside."});
  return table;
}

const ObjectTable<PlaneRegion>& plane_region_table() {
  static const auto table =
      ObjectTable<PlaneRegion>("plane_region",
                               "A body of the plane z = 0: a union of polygons and discs that do "
                               "not overlap each other.")
          .field(&PlaneRegion::polygons, {.name = "polygons", .meaning = "Its polygons."})
          .field(&PlaneRegion::discs, {.name = "discs", .meaning = "Its discs."})
          .field(&PlaneRegion::thickness,
                 {.name = "thickness",
                  .unit = "m",
                  .range = kLength,
                  .meaning = "Along z, centred on the plane; counts for mass and drawing."})
          .check([](Reading& reading, JsonView at, const PlaneRegion& in) {
            if (!in.polygons.empty() || !in.discs.empty()) return true;
            return reading.fail(at, "an empty region", "at least one polygon or disc");
          });
  return table;
}

const ObjectTable<SphereSetSpec>& sphere_set_table() {
  static const auto table =
      ObjectTable<SphereSetSpec>("sphere_set",
                                 "Balls that move one by one, held by springs (a molecule body).")
          .field(&SphereSetSpec::centers, {.name = "centers",
                                           .unit = "m",
                                           .range = kCoordinate,
                                           .required = true,
                                           .meaning = "Centres of the balls."})
          .field(&SphereSetSpec::radii, {.name = "radii",
                                         .unit = "m",
                                         .range = kLength,
                                         .required = true,
                                         .meaning = "One for each ball."})
          .field(&SphereSetSpec::links, {.name = "links",
                                         .range = {0.0, 1e8},
                                         .meaning = "Springs: two indices of balls each, from 0."})
          .field(&SphereSetSpec::link_within,
                 {.name = "link_within",
                  .unit = "m",
                  .range = kLength,
                  .default_text = "only the links given",
                  .meaning = "Instead of links: springs between all balls whose centres are at "
                             "most so far apart. Centres on a lattice are seen to be so."})
          .check([](Reading& reading, JsonView at, const SphereSetSpec& in) {
            return in.links.empty() || !in.link_within ||
                   reading.fail(*at.find("link_within"), "both links and link_within",
                                "one of the two");
          });
  return table;
}

constexpr Range kNeighbours{1.0, 4.0};

const ObjectTable<LatticeInput>& lattice_table() {
  static const auto table =
      ObjectTable<LatticeInput>("lattice",
                                "Balls on a cubic lattice about the origin, held by springs (a "
                                "molecule body). They are counted from 0, x slowest, z fastest.")
          .field(&LatticeInput::counts, {.name = "counts",
                                         .range = {1.0, 1e7},
                                         .required = true,
                                         .meaning = "Balls along x, y and z; at most 1e7 in all."})
          .field(&LatticeInput::pitch, {.name = "pitch",
                                        .unit = "m",
                                        .range = kLength,
                                        .required = true,
                                        .meaning = "Between neighbouring centres."})
          .field(&LatticeInput::radius,
                 {.name = "radius",
                  .unit = "m",
                  .range = kLength,
                  .required = true,
                  .meaning = "Of the balls. Above half the pitch joined balls overlap, as is "
                             "allowed to them."})
          .field(&LatticeInput::neighbourhood,
                 {.name = "neighbourhood",
                  .unit = "pitches",
                  .range = kNeighbours,
                  .meaning = "Springs join all pairs up to so far apart. Up to sqrt(2), the "
                             "default, makes an isotropic body of Poisson ratio 1/4."});
  return table;
}

const ObjectTable<FillSpec>& fill_table() {
  static const auto table = [] {
    ObjectTable<FillSpec> t("fill",
                            "A closed shape filled with balls on a cubic lattice about the middle "
                            "of its bounding ball, held by springs (a molecule body).");
    t.field(&FillSpec::shape,
            {.name = "shape",
             .required = true,
             .meaning = "A named shape, or a shape written here: any closed one."});
    t.bind([](auto& s) -> auto& { return s.input.pitch; },
           {.name = "pitch",
            .unit = "m",
            .range = kLength,
            .required = true,
            .meaning = "Between neighbouring centres."});
    t.bind([](auto& s) -> auto& { return s.input.radius; },
           {.name = "radius",
            .unit = "m",
            .range = kLength,
            .required = true,
            .meaning = "Of the balls."});
    t.bind([](auto& s) -> auto& { return s.input.neighbourhood; },
           {.name = "neighbourhood",
            .unit = "pitches",
            .range = kNeighbours,
            .meaning = "As of a lattice."});
    t.bind([](auto& s) -> auto& { return s.input.inset; },
           {.name = "inset",
            .unit = "m",
            .range = {0.0, 1e9},
            .default_text = "the radius",
            .meaning = "Least depth of a centre below the shape's surface."});
    t.bind(
        [](auto& s) -> auto& { return s.input.skin; },
        {.name = "skin",
         .meaning = "A layer of balls at exactly that depth: the outer places of the lattice are "
                    "drawn onto it, so that the outline follows the shape."});
    return t;
  }();
  return table;
}

const ObjectTable<SampleSpec>& sample_table() {
  static const auto table = [] {
    ObjectTable<SampleSpec> t(
        "sample",
        "A closed shape sampled into mass points (phyxels) and surface points "
        "(surfels): a surfel body. Its surface is that of balls about "
        "centres beneath it; edges are rounded by their radius.");
    t.field(&SampleSpec::shape,
            {.name = "shape",
             .required = true,
             .meaning = "A named shape, or a shape written here: any closed one."});
    t.bind([](auto& s) -> auto& { return s.input.spacing; },
           {.name = "spacing",
            .unit = "m",
            .range = kLength,
            .required = true,
            .meaning = "No point of the surface is farther from a surfel; the balls beneath have "
                       "twice that radius."});
    t.bind([](auto& s) -> auto& { return s.input.halvings; },
           {.name = "halvings",
            .unit = "1",
            .range = {.min = 0.0, .max = 4.0},
            .meaning = "Times that balls are made half as large where the shape is too thin for "
                       "them; what is thinner still is smoothed away."});
    t.bind([](auto& s) -> auto& { return s.input.phyxel_spacing; },
           {.name = "phyxel_spacing",
            .unit = "m",
            .range = kLength,
            .default_text = "twice the spacing",
            .meaning = "Pitch of the lattice of phyxels."});
    return t;
  }();
  return table;
}

const ObjectTable<PointSet>& point_set_table() {
  static const auto table =
      ObjectTable<PointSet>("point_set",
                            "Surface points with normals over a cloud of mass points (a surfel "
                            "body).")
          .field(&PointSet::surfels, {.name = "surfels",
                                      .unit = "m",
                                      .range = kCoordinate,
                                      .required = true,
                                      .meaning = "Surface points."})
          .field(&PointSet::normals, {.name = "normals",
                                      .unit = "1",
                                      .range = {-1.001, 1.001},
                                      .required = true,
                                      .meaning = "Unit, outward; one for each surfel."})
          .field(&PointSet::surfel_radii, {.name = "surfel_radii",
                                           .unit = "m",
                                           .range = kLength,
                                           .required = true,
                                           .meaning = "One for each surfel."})
          .field(&PointSet::phyxels, {.name = "phyxels",
                                      .unit = "m",
                                      .range = kCoordinate,
                                      .required = true,
                                      .meaning = "Mass points."})
          .field(&PointSet::phyxel_volumes, {.name = "phyxel_volumes",
                                             .unit = "m^3",
                                             .range = kPositive,
                                             .required = true,
                                             .meaning = "One for each phyxel."});
  return table;
}

}  // namespace

void add_discrete_kinds(KindsTable<ShapeKinds>& table) {
  table.kind(mesh_table()).kind(mesh_file_table()).kind(convex_table());
  table.kind(plane_region_table()).kind(sphere_set_table()).kind(lattice_table());
  table.kind(fill_table()).kind(sample_table()).kind(point_set_table());
}

}  // namespace repose
