#include <bit>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "shape/mesh/mesh.h"
#include "shape/mesh/point_table.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

constexpr std::uint64_t kHeader = 80;           // bytes before the count
constexpr std::uint64_t kPrefix = kHeader + 4;  // header and count
constexpr std::uint64_t kRecord = 50;           // normal, three corners, attribute
constexpr std::size_t kNormal = 12;             // bytes of a record before its corners

static_assert(std::endian::native == std::endian::little, "binary meshes are read in place");

/// The triangles so far; corners of equal coordinates are one from the start, so that memory goes
/// with the mesh and not with the file.
struct Facets {
  PointTable points;
  std::vector<std::array<int, 3>> triangles;

  TriangleMesh mesh() { return {points.take_points(), std::move(triangles)}; }
};

std::uint64_t claimed_triangles(const Bytes& bytes) {
  std::uint32_t count = 0;
  char raw[sizeof count];
  if (bytes.read(kHeader, raw, sizeof raw) != sizeof raw) return 0;
  std::memcpy(&count, raw, sizeof count);
  return count;
}

/// Corner k of a binary record.
Result<Vec3> corner_of(const char* record, int k, std::uint64_t triangle) {
  float numbers[3];
  std::memcpy(numbers, record + kNormal + sizeof numbers * static_cast<std::size_t>(k),
              sizeof numbers);
  const Vec3 corner = Eigen::Vector3f(numbers[0], numbers[1], numbers[2]).cast<double>();
  for (int i = 0; i < 3; ++i)
    if (const char* wrong = wrong_coordinate(corner[i]))
      return fault("", number_text(corner[i]),
                   fmt::format("triangle {}, corner {}, at byte {}: {}", triangle, k,
                               kPrefix + kRecord * triangle + kNormal +
                                   sizeof numbers * static_cast<std::size_t>(k),
                               wrong),
                   fmt::format("metres within {} of the origin", kMaxLength));
  return corner;
}

Result<TriangleMesh> read_binary(const Bytes& bytes) {
  const std::uint64_t count = claimed_triangles(bytes);
  if (auto bad = check_mesh_size(0, count)) return *bad;
  Facets facets;
  facets.triangles.reserve(count);
  ByteScan scan(bytes, kPrefix);
  for (std::uint64_t t = 0; t < count; ++t) {
    const char* record = scan.take(kRecord);
    if (record == nullptr)
      return fault("", fmt::format("{} triangles", t), "the file cannot be read to its end",
                   fmt::format("{} triangles", count));
    facets.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) {
      const auto corner = corner_of(record, k, t);
      if (!corner) return corner.error();
      facets.triangles.back()[k] = facets.points.number_of(*corner);
    }
    if (auto bad = check_mesh_size(facets.points.points().size(), 0)) return *bad;
  }
  return facets.mesh();
}

/// The corners of a facet as far as they are read.
struct Loop {
  std::array<int, 3> corners{};
  std::size_t held = 0;
};

Fault read_vertex(TextScan* scan, Loop* loop, Facets* facets) {
  Vec3 corner;
  for (int i = 0; i < 3; ++i)
    if (auto bad = scan->coordinate("vertex X Y Z", &corner[i])) return bad;
  if (loop->held < 3) loop->corners[loop->held] = facets->points.number_of(corner);
  if (++loop->held == 3) facets->triangles.push_back(loop->corners);
  return {};
}

/// "outer loop", three times "vertex X Y Z", "endloop"; all else is passed over.
Result<TriangleMesh> read_text(const Bytes& bytes) {
  Facets facets;
  TextScan scan(bytes);
  Loop loop;
  for (; !scan.done(); scan.next_line()) {
    const std::string_view key = scan.word();
    Fault bad = scan.not_text(key);
    if (same_word(key, "vertex")) {
      bad = read_vertex(&scan, &loop, &facets);
    } else if (same_word(key, "endloop") || same_word(key, "outer")) {
      const std::size_t wanted = same_word(key, "outer") ? 0 : 3;
      if (loop.held != wanted)
        bad =
            scan.fault_here(fmt::format("{} vertices", loop.held), "a facet has not three vertices",
                            "outer loop, 3 x vertex X Y Z, endloop");
      loop = {};
    }
    if (!bad) bad = check_mesh_size(facets.points.points().size(), facets.triangles.size());
    if (!bad) continue;
    if (bad->line == 0) bad->line = scan.line();
    return *bad;
  }
  if (loop.held != 0)
    return scan.fault_here("", "the file ends within a facet", "three vertices in each facet");
  return facets.mesh();
}

InputError not_binary(const Bytes& bytes, bool says_solid) {
  const std::uint64_t count = claimed_triangles(bytes);
  return fault("", fmt::format("{} bytes", bytes.size()),
               says_solid ? fmt::format("the file holds no facets in text, and as a binary one "
                                        "claims {} triangles",
                                        count)
                          : fmt::format("the file claims {} triangles", count),
               fmt::format("84 + 50 x triangles = {} bytes", kPrefix + kRecord * count));
}

}  // namespace

Result<TriangleMesh> read_stl(const Bytes& bytes) {
  const bool says_solid = same_word(TextScan(bytes).word_anywhere().substr(0, 5), "solid");
  const bool long_enough = bytes.size() >= kPrefix;
  // binary files may begin with "solid" as well: their size tells
  if (long_enough && bytes.size() == kPrefix + kRecord * claimed_triangles(bytes))
    return read_binary(bytes);
  if (!says_solid && long_enough) return not_binary(bytes, false);
  if (!says_solid)
    return fault(
        "", fmt::format("{} bytes", bytes.size()), "the file is no STL",
        "a text file that starts with \"solid\", or a binary one of 84 + 50 x triangles bytes");
  auto mesh = read_text(bytes);
  if (mesh && mesh->triangles.empty() && long_enough) return not_binary(bytes, true);
  return mesh;
}

}  // namespace repose::shape
