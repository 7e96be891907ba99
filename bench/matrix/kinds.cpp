#include "kinds.h"

#include <array>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mesh_text.h"

namespace repose::matrix {

namespace {

/// [[x, y], ...], all times `scale`.
template <std::size_t kCount>
std::string pairs(const std::array<std::array<double, 2>, kCount>& points, double scale) {
  std::vector<std::string> out;
  for (const auto& [x, y] : points) out.push_back(fmt::format("[{}, {}]", scale * x, scale * y));
  return fmt::format("[{}]", fmt::join(out, ", "));
}

std::string fixed_body(const char* name, const std::string& shape, double z = 0.0, double x = 0.0,
                       double y = 0.0) {
  return fmt::format(
      R"({{"name": "{}", "shape": {}, "position": [{}, {}, {}], "fixed": true, "material": "stone"}})",
      name, shape, x, y, z);
}

/// A closed surface of two bicubic patches with one seam: `width` and `height` of the seam along
/// x, and how far the inner control points of the upper and the lower patch lie above it.
struct Pillow {
  std::array<double, 4> along, width, height;  // m
  double upper, lower;                         // m
};

std::string pillow(const Pillow& p) {
  const auto patch = [&](double lift, bool upward) {
    std::vector<std::string> rows;
    for (std::size_t i = 0; i < 4; ++i) {
      std::vector<std::string> row;
      for (std::size_t j = 0; j < 4; ++j) {
        const std::size_t k = upward ? j : 3 - j;  // the lower patch looks down
        const double y = p.width[i] * (2.0 * static_cast<double>(k) / 3.0 - 1.0);
        const bool inner = i % 3 != 0 && j % 3 != 0;
        row.push_back(
            fmt::format("[{}, {}, {}]", p.along[i], y, p.height[i] + (inner ? lift : 0.0)));
      }
      rows.push_back(fmt::format("[{}]", fmt::join(row, ", ")));
    }
    return fmt::format("[{}]", fmt::join(rows, ", "));
  };
  return fmt::format(R"({{"kind": "bezier", "patches": [{}, {}]}})", patch(p.upper, true),
                     patch(p.lower, false));
}

std::string apple() {
  constexpr std::array<std::array<double, 2>, 11> kProfile{{{0, 0.01},
                                                            {0.006, 0.006},
                                                            {0.014, 0.002},
                                                            {0.022, 0.004},
                                                            {0.0345, 0.02},
                                                            {0.0395, 0.04},
                                                            {0.034, 0.06},
                                                            {0.02, 0.0705},
                                                            {0.0085, 0.069},
                                                            {0.003, 0.064},
                                                            {0, 0.0625}}};
  constexpr double kSmall = 0.7;  // of the model's size
  return fmt::format(R"({{"kind": "revolution", "profile": {}}})", pairs(kProfile, kSmall));
}

std::string spoon() {
  return pillow({.along = {-0.04, -0.03, 0.01, 0.04},
                 .width = {0.006, 0.022, 0.001, 0.004},
                 .height = {0.002, 0.0, 0.004, 0.006},
                 .upper = -0.004,
                 .lower = -0.009});
}

std::string polyhedron() {
  std::vector<std::string> corners;
  for (const Vec3& p : ellipsoid_mesh(Vec3(0.026, 0.022, 0.02), 0).points)
    corners.push_back(fmt::format("[{}, {}, {}]", p.x(), p.y(), p.z()));
  return fmt::format(R"({{"kind": "convex", "points": [{}]}})", fmt::join(corners, ", "));
}

std::string bowl(double scale) {
  constexpr std::array<std::array<double, 2>, 13> kProfile{{{0, 0.006},
                                                            {0.03, 0.006},
                                                            {0.033, 0},
                                                            {0.04, 0},
                                                            {0.043, 0.007},
                                                            {0.078, 0.024},
                                                            {0.104, 0.052},
                                                            {0.116, 0.085},
                                                            {0.112, 0.085},
                                                            {0.1, 0.054},
                                                            {0.075, 0.029},
                                                            {0.04, 0.0145},
                                                            {0, 0.011}}};
  return fixed_body(
      "bowl",
      fmt::format(R"({{"kind": "revolution", "profile": {}, "corners": [1, 2, 3, 4, 7, 8]}})",
                  pairs(kProfile, scale)));
}

std::string tumbler(double scale) {
  constexpr std::array<std::array<double, 2>, 17> kProfile{{{0, 0},
                                                            {0.029, 0},
                                                            {0.0305, 0.0015},
                                                            {0.033, 0.04},
                                                            {0.0352, 0.075},
                                                            {0.0372, 0.1085},
                                                            {0.0371, 0.1098},
                                                            {0.0361, 0.1104},
                                                            {0.0352, 0.1096},
                                                            {0.0349, 0.1082},
                                                            {0.0329, 0.075},
                                                            {0.0308, 0.042},
                                                            {0.0286, 0.019},
                                                            {0.0262, 0.0138},
                                                            {0.0215, 0.0112},
                                                            {0.014, 0.0105},
                                                            {0, 0.0105}}};
  return fixed_body("tumbler",
                    fmt::format(R"({{"kind": "revolution", "profile": {}, "corners": [1, 2]}})",
                                pairs(kProfile, scale)));
}

/// A floor and four walls, each a convex polyhedron.
std::string open_box(double scale) {
  const double inner = 0.06 * scale, wall = 0.01 * scale, high = 0.06 * scale;  // m
  const auto block = [](double x, double y, double z) {
    return fmt::format(
        R"({{"kind": "convex", "points": [[-{0}, -{1}, -{2}], [{0}, -{1}, -{2}], [-{0}, {1}, -{2}], [{0}, {1}, -{2}], [-{0}, -{1}, {2}], [{0}, -{1}, {2}], [-{0}, {1}, {2}], [{0}, {1}, {2}]]}})",
        x, y, z);
  };
  const double half = 0.5 * wall, side = inner + half, up = wall + 0.5 * high;
  const std::array walls{fixed_body("floor", block(inner + wall, inner + wall, half), half),
                         fixed_body("left", block(half, inner + wall, 0.5 * high), up, -side),
                         fixed_body("right", block(half, inner + wall, 0.5 * high), up, side),
                         fixed_body("front", block(inner, half, 0.5 * high), up, 0.0, -side),
                         fixed_body("back", block(inner, half, 0.5 * high), up, 0.0, side)};
  return fmt::format("{}", fmt::join(walls, ", "));
}

std::string terrain(double scale) {
  constexpr int kCells = 54;  // a side: 6 480 triangles
  return fixed_body("terrain", terrain_mesh(scale, kCells).shape());
}

std::string stand(double s) {
  return fixed_body("stand", fmt::format(R"({{"kind": "union", "parts": [
  {{"shape": {{"kind": "cylinder", "radius": {}, "height": {}}}, "position": [0, 0, {}]}},
  {{"shape": {{"kind": "torus", "ring_radius": {}, "tube_radius": {}}}, "position": [0, 0, {}]}},
  {{"shape": {{"kind": "ball", "radius": {}}}, "position": [0, 0, {}]}}]}})",
                                         0.05 * s, 0.03 * s, 0.015 * s, 0.04 * s, 0.012 * s,
                                         0.032 * s, 0.015 * s, 0.025 * s));
}

std::string dish(double s) {
  return fixed_body("dish",
                    pillow({.along = {-0.1 * s, -0.07 * s, 0.07 * s, 0.1 * s},
                            .width = {0.06 * s, 0.1 * s, 0.1 * s, 0.06 * s},
                            .height = {0.05 * s, 0.05 * s, 0.05 * s, 0.05 * s},
                            .upper = -0.05 * s,
                            .lower = -0.065 * s}),
                    0.005 * s);
}

constexpr std::array kMoving{
    Moving{"ball", 0.026, [] { return std::string(R"({"kind": "ball", "radius": 0.025})"); }},
    Moving{"ellipsoid", 0.031,
           [] { return std::string(R"({"kind": "ellipsoid", "radii": [0.03, 0.022, 0.018]})"); }},
    Moving{
        "superellipsoid", 0.038,
        [] {
          return std::string(
              R"({"kind": "superellipsoid", "radii": [0.025, 0.02, 0.018], "north_south": 0.4, "east_west": 0.5})");
        }},
    Moving{"box", 0.029,
           [] { return std::string(R"({"kind": "box", "size": [0.04, 0.03, 0.024]})"); }},
    Moving{"capsule", 0.031,
           [] { return std::string(R"({"kind": "capsule", "radius": 0.012, "height": 0.035})"); }},
    Moving{"cylinder", 0.028,
           [] { return std::string(R"({"kind": "cylinder", "radius": 0.018, "height": 0.04})"); }},
    Moving{"cone", 0.041,
           [] { return std::string(R"({"kind": "cone", "radius": 0.02, "height": 0.04})"); }},
    Moving{"torus", 0.032,
           [] {
             return std::string(R"({"kind": "torus", "ring_radius": 0.022, "tube_radius": 0.009})");
           }},
    Moving{"revolved", 0.052, apple},
    Moving{"tube", 0.058, [] { return std::string(R"({"model": "knot"})"); }},
    Moving{"bezier", 0.045, spoon},
    Moving{"formula", 0.05, [] { return std::string(R"({"model": "bumpy-sphere"})"); }},
    Moving{"union", 0.028, [] { return std::string(R"({"model": "jack"})"); }},
    Moving{"polyhedron", 0.027, polyhedron},
    Moving{"convex-mesh", 0.031, [] { return ellipsoid_mesh(Vec3(0.03, 0.024, 0.02), 2).shape(); }},
    Moving{"concave-mesh", 0.034,
           [] { return wavy_ring_mesh(0.022, 0.009, 5.0, 50, 20).shape(); }}};

constexpr std::array kFixed{
    Fixed{"half-space", 0.0, [](double) { return std::string(); }, "", 0.0},
    Fixed{"box", 0.06,
          [](double s) {
            return fixed_body("block",
                              fmt::format(R"({{"kind": "box", "size": [{}, {}, {}]}})", 0.12 * s,
                                          0.1 * s, 0.06 * s),
                              0.03 * s);
          },
          "", 0.0},
    Fixed{"ball", 0.1,
          [](double s) {
            return fixed_body("globe", fmt::format(R"({{"kind": "ball", "radius": {}}})", 0.05 * s),
                              0.05 * s);
          },
          "", 0.0},
    Fixed{"cone", 0.1,
          [](double s) {
            return fixed_body(
                "hat", fmt::format(R"({{"kind": "cone", "radius": {}, "height": {}}})", 0.06 * s,
                                   0.1 * s));
          },
          "", 0.0},
    Fixed{"cylinder", 0.08,
          [](double s) {
            return fixed_body("post",
                              fmt::format(R"({{"kind": "cylinder", "radius": {}, "height": {}}})",
                                          0.04 * s, 0.08 * s),
                              0.04 * s);
          },
          "", 0.0},
    Fixed{"torus", 0.04,
          [](double s) {
            return fixed_body(
                "ring",
                fmt::format(R"({{"kind": "torus", "ring_radius": {}, "tube_radius": {}}})",
                            0.05 * s, 0.02 * s),
                0.02 * s);
          },
          "", 0.0},
    Fixed{"bowl", 0.085, bowl, R"("bowl")", 1.5e-3},
    Fixed{"tumbler", 0.1105, tumbler, R"("tumbler")", 3e-4},
    Fixed{"polyhedral-box", 0.07, open_box, R"("floor", "left", "right", "front", "back")", 8.6e-4},
    Fixed{"terrain", 0.083, terrain, "", 1.8e-3},
    Fixed{"union", 0.045, stand, "", 0.0},
    Fixed{"dish", 0.056, dish, "", 0.0}};

}  // namespace

std::span<const Moving> moving_kinds() {
  return kMoving;
}
std::span<const Fixed> fixed_kinds() {
  return kFixed;
}

std::span<const Fixed> containers() {
  static const std::array kContainers{
      Fixed{"box", 0.07, open_box, R"("floor", "left", "right", "front", "back")", 8.6e-4},
      kFixed[6], kFixed[7], kFixed[9]};
  return kContainers;
}

}  // namespace repose::matrix
