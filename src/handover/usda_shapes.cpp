// Shapes of USD: https://openusd.org/release/api/usd_geom_page_front.html
#include "usda_shapes.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/shape/cut_fan.h"

namespace repose::handover {

namespace {

constexpr std::size_t kMostPoints = std::size_t{1} << 22, kMostCorners = 3 * kMostPoints;

double length_of(const UsdPrim& prim, const std::string& name, double otherwise) {
  const auto said = prim.value(name);
  if (!said) return otherwise;
  const auto n = usd_numbers(said->layer(), said->range, 1, 1);
  if (n.size() != 1 || !(n[0] > 0.0))
    Where(said->spot(prim.path)).refuse("not a length", "a number above zero");
  return n[0];
}

/// The z axis of ours to the axis that the prim names.
Quat axis_of(const UsdPrim& prim) {
  const auto said = prim.value("axis");
  const auto texts = said ? usd_texts(said->layer(), said->range) : std::vector<std::string>{"Z"};
  const std::string axis = texts.empty() ? "" : texts[0];
  if (axis == "Z") return Quat::Identity();
  if (axis == "X") return Quat(0.5, 0.5, 0.5, 0.5);
  if (axis == "Y") return Quat(0.5, -0.5, -0.5, -0.5);
  Where(said->spot(prim.path)).refuse("no such axis", "\"X\", \"Y\" or \"Z\"");
}

std::vector<double> array_of(const UsdPrim& prim, const std::string& name, std::size_t width,
                             std::size_t most) {
  const auto said = prim.value(name);
  if (!said) return {};
  return usd_numbers(said->layer(), said->range, width, most);
}
std::vector<double> needed_array(const UsdPrim& prim, const std::string& name, std::size_t width,
                                 std::size_t most) {
  auto out = array_of(prim, name, width, most);
  if (out.empty()) Where(prim.spot()).refuse("a mesh without " + name, name + " = [...]");
  return out;
}

int whole(const UsdPrim& prim, const std::string& name, double value, int low, int high) {
  const auto number = static_cast<int>(std::clamp<double>(value, -1.0, kMostCorners));
  if (static_cast<double>(number) == value && number >= low && number <= high) return number;
  Where(prim.value(name)->spot(prim.path))
      .refuse(fmt::format("{:g} is not one of what {} may hold", value, name),
              fmt::format("whole numbers from {} to {}", low, high));
}

bool is_left_handed(const UsdPrim& prim) {
  const auto said = prim.value("orientation");
  if (!said) return false;
  const auto texts = usd_texts(said->layer(), said->range);
  return !texts.empty() && texts[0] == "leftHanded";
}

void note_subdivision(const UsdPrim& prim, Notes& notes) {
  const auto said = prim.value("subdivisionScheme");
  const auto texts = said ? usd_texts(said->layer(), said->range) : std::vector<std::string>();
  const std::string scheme = texts.empty() ? "catmullClark" : texts[0];
  if (scheme != "none")
    notes.add(prim.spot(), "subdivision of meshes: their faces count as they are written");
}

}  // namespace

bool is_usd_shape(const std::string& type) {
  static const std::set<std::string> kShapes{"Mesh",    "Cube", "Sphere", "Cylinder",
                                             "Capsule", "Cone", "Plane"};
  return kShapes.contains(type);
}

void usd_shape(const UsdPrim& prim, const std::string& type, GraphShape& out) {
  if (type == "Cube") {
    out.what = shape::BoxInput{Vec3::Constant(length_of(prim, "size", 2.0))};
    return;
  }
  if (type == "Sphere") {
    out.what = shape::BallInput{length_of(prim, "radius", 1.0)};
    return;
  }
  out.node_from_shape.rotation = axis_of(prim);
  if (type == "Cylinder")
    out.what = shape::CylinderInput{length_of(prim, "radius", 1.0), length_of(prim, "height", 2.0)};
  else if (type == "Capsule")
    out.what = shape::CapsuleInput{length_of(prim, "radius", 0.5), length_of(prim, "height", 1.0)};
  else if (type == "Cone")
    out.what =
        shape::ConeInput{length_of(prim, "radius", 1.0), length_of(prim, "height", 2.0), 0.0};
  else
    out.what = HalfSpaceSpec{};
}

shape::TriangleMesh usd_mesh(const UsdPrim& prim, Notes& notes) {
  shape::TriangleMesh out;
  const auto points = needed_array(prim, "points", 3, kMostPoints);
  for (std::size_t i = 0; i < points.size(); i += 3)
    // points are of single precision
    out.points.emplace_back(static_cast<float>(points[i]), static_cast<float>(points[i + 1]),
                            static_cast<float>(points[i + 2]));
  const auto counts = needed_array(prim, "faceVertexCounts", 1, kMostCorners);
  const auto corners = needed_array(prim, "faceVertexIndices", 1, kMostCorners);
  const auto holes = array_of(prim, "holeIndices", 1, kMostCorners);
  const std::set<double> is_hole(holes.begin(), holes.end());
  const bool turned = is_left_handed(prim);
  const int last = static_cast<int>(out.points.size()) - 1;
  std::size_t at = 0;
  for (std::size_t face = 0; face < counts.size(); ++face) {
    const auto count = static_cast<std::size_t>(
        whole(prim, "faceVertexCounts", counts[face], 3, static_cast<int>(kMostCorners)));
    if (at + count > corners.size())
      Where(prim.value("faceVertexIndices")->spot(prim.path))
          .refuse("fewer indices than faceVertexCounts tells", "one for each corner");
    const std::size_t first = out.triangles.size();
    for (std::size_t k = 2; k < count && !is_hole.contains(static_cast<double>(face)); ++k) {
      std::array<int, 3> t{};
      const std::array<std::size_t, 3> from{at, at + k - 1, at + k};
      for (std::size_t j = 0; j < 3; ++j)
        t[j] = whole(prim, "faceVertexIndices", corners[from[j]], 0, last);
      out.triangles.push_back(t);
    }
    shape::cut_fan(first, &out);
    at += count;
  }
  if (at != corners.size())
    Where(prim.value("faceVertexIndices")->spot(prim.path))
        .refuse("more indices than faceVertexCounts tells", "one for each corner");
  if (turned)
    for (auto& t : out.triangles) std::swap(t[1], t[2]);
  note_subdivision(prim, notes);
  return out;
}

}  // namespace repose::handover
