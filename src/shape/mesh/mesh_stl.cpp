#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "shape/mesh/mesh_readers.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

constexpr std::size_t kHeader = 80;           // bytes before the count
constexpr std::size_t kPrefix = kHeader + 4;  // header and count
constexpr std::size_t kRecord = 50;           // normal, three corners, attribute

static_assert(std::endian::native == std::endian::little, "binary meshes are read in place");

std::size_t claimed_triangles(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + kHeader, sizeof count);
  return count;
}

void append_triangle(const std::array<Vec3, 3>& corners, TriangleMesh* mesh) {
  const int base = static_cast<int>(mesh->points.size());
  for (const Vec3& corner : corners) mesh->points.push_back(corner);
  mesh->triangles.push_back({base, base + 1, base + 2});
}

TriangleMesh read_binary(std::string_view bytes) {
  TriangleMesh mesh;
  const std::size_t count = claimed_triangles(bytes);
  mesh.points.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    float numbers[12];
    std::memcpy(numbers, bytes.data() + kPrefix + kRecord * t, sizeof numbers);
    std::array<Vec3, 3> corners;
    for (int k = 0; k < 3; ++k)
      corners[k] = Eigen::Vector3f(numbers[3 + 3 * k], numbers[4 + 3 * k], numbers[5 + 3 * k])
                       .cast<double>();
    append_triangle(corners, &mesh);
  }
  return mesh;
}

Result<TriangleMesh> read_text(std::string_view bytes) {
  TriangleMesh mesh;
  TextScan scan(bytes);
  std::array<Vec3, 3> corners;
  int held = 0;
  for (; !scan.done(); scan.next_line()) {
    const std::string_view key = scan.word();
    if (key == "endloop" || key == "endfacet") {
      if (held % 3 != 0)
        return scan.fault_here(key, "a facet has not three vertices",
                               "outer loop, 3 x vertex X Y Z, endloop");
    }
    if (key != "vertex") continue;
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = scan.word();
      if (!read_number(word, &corners[held][i]))
        return scan.fault_here(word, "a vertex coordinate is no number", "vertex X Y Z");
    }
    if (++held == 3) append_triangle(corners, &mesh), held = 0;
  }
  if (held != 0)
    return scan.fault_here("", "the file ends within a facet", "three vertices in each facet");
  return mesh;
}

}  // namespace

Result<TriangleMesh> read_stl(std::string_view bytes) {
  const bool says_solid = bytes.substr(0, 5) == "solid";
  if (bytes.size() >= kPrefix) {
    const std::size_t count = claimed_triangles(bytes);
    const bool fits = bytes.size() == kPrefix + kRecord * count;
    if (fits) return read_binary(bytes);
    if (!says_solid)
      return fault("", fmt::format("{} bytes", bytes.size()),
                   fmt::format("the file claims {} triangles", count),
                   fmt::format("84 + 50 x triangles = {} bytes", kPrefix + kRecord * count));
  }
  if (says_solid) return read_text(bytes);
  return fault(
      "", fmt::format("{} bytes", bytes.size()), "the file is no STL",
      "a text file that starts with \"solid\", or a binary one of 84 + 50 x triangles bytes");
}

}  // namespace repose::shape
