#include <fmt/format.h>

#include "repose/shape/cut_fan.h"

#include "shape/mesh/mesh.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

Fault read_point(TextScan* scan, TriangleMesh* mesh) {
  Vec3 p;
  for (int i = 0; i < 3; ++i)
    if (auto bad = scan->coordinate("v X Y Z", &p[i])) return bad;
  mesh->points.push_back(p);
  return {};
}

/// "7", "7/1", "7//2", "-1/..." : the place of the vertex, 0-based.
Fault read_corner(const TextScan& scan, std::string_view word, std::size_t points, int* out) {
  long long index = 0;
  const std::string_view digits = word.substr(0, word.find('/'));
  if (!read_integer(digits, &index))
    return scan.fault_here(word, "a face corner is no vertex number", "f I J K ...");
  const auto count = static_cast<long long>(points);
  const long long place = index < 0 ? count + index : index - 1;
  if (place < 0 || place >= count)
    return scan.fault_here(word, "the face names a vertex that is not there",
                           points == 0 ? "vertices before the faces that use them"
                                       : fmt::format("1 to {}, or that many backwards", points));
  *out = static_cast<int>(place);
  return {};
}

Fault read_face(TextScan* scan, TriangleMesh* mesh) {
  CornerRun fan(CornerRun::Kind::fan);
  const std::size_t first = mesh->triangles.size();
  for (std::string_view word = scan->word(); !word.empty() && word[0] != '#'; word = scan->word()) {
    int corner = 0;
    if (auto bad = read_corner(*scan, word, mesh->points.size(), &corner)) return bad;
    fan.add(corner, &mesh->triangles);
    if (mesh->triangles.size() > kMaxMeshTriangles) return {};
  }
  if (fan.count() < 3)
    return scan->fault_here(fmt::format("{} corners", fan.count()),
                            "a face has fewer than three corners", "f I J K ...");
  cut_fan(first, mesh);
  return {};
}

}  // namespace

Result<TriangleMesh> read_obj(const Bytes& bytes) {
  TriangleMesh mesh;
  TextScan scan(bytes);
  for (; !scan.done(); scan.next_line()) {
    const std::string_view key = scan.word();
    Fault bad = scan.not_text(key);
    if (key == "v") bad = read_point(&scan, &mesh);
    if (key == "f" || key == "fo") bad = read_face(&scan, &mesh);
    if (key == "surf")
      bad = scan.fault_here(key, "free-form surfaces are not read", "faces (f I J K ...)");
    if (!bad) bad = check_mesh_size(mesh.points.size(), mesh.triangles.size());
    if (!bad) continue;
    if (bad->line == 0) bad->line = scan.line();
    return *bad;
  }
  return mesh;
}

}  // namespace repose::shape
