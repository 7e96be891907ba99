// Shapes of faces as CAD systems have them: surfaces cut off along curves of their parameters.
#include <numbers>

#include "tables.h"

namespace repose {

using namespace shape;

namespace {

constexpr Range kAxis{-1.001, 1.001};
constexpr Range kCurveDegree{1, 25};
constexpr Range kSurfaceDegree{1, 7};
constexpr Range kSlant{-0.5 * std::numbers::pi, 0.5 * std::numbers::pi, true, true};

template <class Surface>
ObjectTable<Surface> framed(const char* name, const char* about) {
  ObjectTable<Surface> t(name, about);
  t.field(&SurfaceFrame::origin, {.name = "origin",
                                  .unit = "m",
                                  .range = kCoordinate,
                                  .meaning = "Where its frame stands in the body."});
  t.field(&SurfaceFrame::x,
          {.name = "x", .unit = "1", .range = kAxis, .meaning = "Unit vector of the frame."});
  t.field(&SurfaceFrame::y, {.name = "y", .unit = "1", .range = kAxis, .meaning = "Square to x."});
  t.field(&SurfaceFrame::z,
          {.name = "z", .unit = "1", .range = kAxis, .meaning = "Square to both."});
  return t;
}

template <class Surface>
ObjectTable<Surface> round_surface(const char* name, const char* about) {
  auto t = framed<Surface>(name, about);
  t.field(
      &Surface::radius,
      {.name = "radius", .unit = "m", .range = kLength, .required = true, .meaning = "Radius."});
  return t;
}

const ObjectTable<ConeSurface>& cone_surface_table() {
  static const auto table = [] {
    auto t = framed<ConeSurface>("cone",
                                 "origin + (radius + v sin half_angle) (cos u x + sin u y) + v cos "
                                 "half_angle z.");
    t.field(&ConeSurface::radius, {.name = "radius",
                                   .unit = "m",
                                   .range = kNotNegative,
                                   .required = true,
                                   .meaning = "Radius at v = 0; may be 0."});
    t.field(&ConeSurface::half_angle, {.name = "half_angle",
                                       .unit = "rad",
                                       .range = kSlant,
                                       .required = true,
                                       .meaning = "Between the axis and the side; not 0."});
    return t;
  }();
  return table;
}

const ObjectTable<TorusSurface>& torus_surface_table() {
  static const auto table = [] {
    auto t = framed<TorusSurface>("torus",
                                  "origin + (ring_radius + tube_radius cos v) (cos u x + sin u y) "
                                  "+ tube_radius sin v z.");
    t.field(&TorusSurface::ring_radius, {.name = "ring_radius",
                                         .unit = "m",
                                         .range = kLength,
                                         .required = true,
                                         .meaning = "Radius of the tube's centre line."});
    t.field(&TorusSurface::tube_radius, {.name = "tube_radius",
                                         .unit = "m",
                                         .range = kLength,
                                         .required = true,
                                         .meaning = "Radius of the tube."});
    return t;
  }();
  return table;
}

const ObjectTable<TurnedSurface>& turned_surface_table() {
  static const auto table = [] {
    auto t = framed<TurnedSurface>("turned",
                                   "origin + r (cos u x + sin u y) + h z, (r, h) being the "
                                   "profile at v.");
    t.field(&TurnedSurface::profile,
            {.name = "profile", .required = true, .meaning = "A spline of (r, h); t0 below t1."});
    return t;
  }();
  return table;
}

const ObjectTable<SplineSurface>& spline_surface_table() {
  static const auto table =
      ObjectTable<SplineSurface>("spline", "A (rational) tensor-product B-spline.")
          .field(&SplineSurface::degree_u, {.name = "degree_u",
                                            .unit = "1",
                                            .range = kSurfaceDegree,
                                            .meaning = "Degree along u."})
          .field(&SplineSurface::degree_v, {.name = "degree_v",
                                            .unit = "1",
                                            .range = kSurfaceDegree,
                                            .meaning = "Degree along v."})
          .field(&SplineSurface::knots_u,
                 {.name = "knots_u",
                  .unit = "1",
                  .required = true,
                  .meaning = "Knots along u, never decreasing; as many as points along u plus "
                             "degree_u + 1."})
          .field(&SplineSurface::knots_v, {.name = "knots_v",
                                           .unit = "1",
                                           .required = true,
                                           .meaning = "Knots along v, in the same way."})
          .field(&SplineSurface::points,
                 {.name = "points",
                  .unit = "m",
                  .range = kCoordinate,
                  .required = true,
                  .meaning = "Control points [i][j], i along u, j along v."})
          .field(&SplineSurface::weights, {.name = "weights",
                                           .unit = "1",
                                           .range = kPositive,
                                           .default_text = "all 1",
                                           .meaning = "Weights in the same layout."});
  return table;
}

const ObjectTable<TrimLine>& trim_line_table() {
  static const auto table =
      ObjectTable<TrimLine>("line", "Straight in (u, v).")
          .field(&TrimLine::from, {.name = "from",
                                   .unit = "1",
                                   .range = kCoordinate,
                                   .required = true,
                                   .meaning = "Begin [u, v]; metres or radians as the surface's."})
          .field(&TrimLine::to, {.name = "to",
                                 .unit = "1",
                                 .range = kCoordinate,
                                 .required = true,
                                 .meaning = "End [u, v]."});
  return table;
}

const ObjectTable<TrimArc>& trim_arc_table() {
  static const auto table =
      ObjectTable<TrimArc>("arc", "center + cos t a + sin t b: of a circle or an ellipse.")
          .field(&TrimArc::center, {.name = "center",
                                    .unit = "1",
                                    .range = kCoordinate,
                                    .required = true,
                                    .meaning = "Centre [u, v]."})
          .field(&TrimArc::a, {.name = "a",
                               .unit = "1",
                               .range = kCoordinate,
                               .required = true,
                               .meaning = "From the centre to the place of t = 0."})
          .field(&TrimArc::b, {.name = "b",
                               .unit = "1",
                               .range = kCoordinate,
                               .required = true,
                               .meaning = "From the centre to the place of t = pi/2."})
          .field(&TrimArc::t0, {.name = "t0",
                                .unit = "rad",
                                .range = kCoordinate,
                                .required = true,
                                .meaning = "t of its begin."})
          .field(&TrimArc::t1, {.name = "t1",
                                .unit = "rad",
                                .range = kCoordinate,
                                .required = true,
                                .meaning = "t of its end; may be less than t0."});
  return table;
}

}  // namespace

const ObjectTable<TrimSpline>& trim_spline_table() {
  static const auto table =
      ObjectTable<TrimSpline>("spline", "A plane (rational) B-spline in (u, v).")
          .field(&TrimSpline::degree,
                 {.name = "degree", .unit = "1", .range = kCurveDegree, .meaning = "Its degree."})
          .field(&TrimSpline::knots,
                 {.name = "knots",
                  .unit = "1",
                  .required = true,
                  .meaning = "Never decreasing; as many as points plus degree + 1."})
          .field(&TrimSpline::points, {.name = "points",
                                       .unit = "1",
                                       .range = kCoordinate,
                                       .required = true,
                                       .meaning = "Control points [u, v]."})
          .field(&TrimSpline::weights, {.name = "weights",
                                        .unit = "1",
                                        .range = kPositive,
                                        .default_text = "all 1",
                                        .meaning = "One for each point."})
          .field(&TrimSpline::t0, {.name = "t0",
                                   .unit = "1",
                                   .range = kCoordinate,
                                   .required = true,
                                   .meaning = "Parameter of its begin."})
          .field(&TrimSpline::t1, {.name = "t1",
                                   .unit = "1",
                                   .range = kCoordinate,
                                   .required = true,
                                   .meaning = "Parameter of its end; may be less than t0."});
  return table;
}

const KindsTable<TrimSurface>& trim_surface_kinds() {
  static const auto plane = framed<PlaneSurface>("plane", "origin + u x + v y.");
  static const auto cylinder =
      round_surface<CylinderSurface>("cylinder", "origin + radius (cos u x + sin u y) + v z.");
  static const auto sphere = round_surface<SphereSurface>(
      "sphere", "origin + radius (cos v (cos u x + sin u y) + sin v z).");
  static const auto chart = round_surface<SphereChart>(
      "sphere_chart",
      "The sphere by stereographic projection from its point at -z: with q = 4 + u^2 + v^2 origin "
      "+ radius (4 u x + 4 v y + (4 - u^2 - v^2) z) / q. No pole; circles stay circles.");
  static const auto table = [] {
    KindsTable<TrimSurface> kinds("trim_surface", "A surface without end, or a spline.");
    kinds.kind(plane).kind(cylinder).kind(cone_surface_table()).kind(sphere).kind(chart);
    kinds.kind(torus_surface_table()).kind(turned_surface_table()).kind(spline_surface_table());
    return kinds;
  }();
  return table;
}

const KindsTable<TrimCurve>& trim_curve_kinds() {
  static const auto table = [] {
    KindsTable<TrimCurve> kinds("trim_curve", "A curve in a surface's parameters.");
    kinds.kind(trim_line_table()).kind(trim_arc_table()).kind(trim_spline_table());
    return kinds;
  }();
  return table;
}

const ObjectTable<TrimFace>& trim_face_table() {
  static const auto table =
      ObjectTable<TrimFace>("trim_face", "The part of a surface within loops of curves.")
          .field(&TrimFace::surface,
                 {.name = "surface", .required = true, .meaning = "What it is cut from."})
          .field(&TrimFace::loops,
                 {.name = "loops",
                  .required = true,
                  .meaning = "Closed loops of curves: the outline, then those of holes. Either "
                             "way round."});
  return table;
}

const ObjectTable<TrimmedInput>& trimmed_table() {
  static const auto table =
      ObjectTable<TrimmedInput>("trimmed",
                                "A closed surface of faces as CAD systems have them: parts of "
                                "planes, cylinders, cones, spheres, tori and splines, cut off "
                                "along curves.")
          .field(&TrimmedInput::faces, {.name = "faces", .required = true, .meaning = "The faces."})
          .field(&TrimmedInput::sew, {.name = "sew", .meaning = "How the faces are sewn."});
  return table;
}

}  // namespace repose
