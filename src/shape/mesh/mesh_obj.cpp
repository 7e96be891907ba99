#include "shape/mesh/mesh_readers.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

Fault read_point(TextScan* scan, TriangleMesh* mesh) {
  Vec3 p;
  for (int i = 0; i < 3; ++i) {
    const std::string_view word = scan->word();
    if (!read_number(word, &p[i]))
      return scan->fault_here(word, "a vertex coordinate is no number", "v X Y Z");
  }
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
                           "1 to " + std::to_string(points) + ", or that many backwards");
  *out = static_cast<int>(place);
  return {};
}

Fault read_face(TextScan* scan, std::vector<int>* polygon, TriangleMesh* mesh) {
  polygon->clear();
  for (std::string_view word = scan->word(); !word.empty(); word = scan->word()) {
    if (word == "\\") {
      scan->next_line();
      continue;
    }
    int corner = 0;
    if (auto bad = read_corner(*scan, word, mesh->points.size(), &corner)) return bad;
    polygon->push_back(corner);
  }
  if (polygon->size() < 3)
    return scan->fault_here("", "a face has fewer than three corners", "f I J K ...");
  append_fan(*polygon, mesh);
  return {};
}

}  // namespace

Result<TriangleMesh> read_obj(std::string_view bytes) {
  TriangleMesh mesh;
  TextScan scan(bytes);
  std::vector<int> polygon;
  for (; !scan.done(); scan.next_line()) {
    const std::string_view key = scan.word();
    Fault bad;
    if (key == "v") bad = read_point(&scan, &mesh);
    if (key == "f") bad = read_face(&scan, &polygon, &mesh);
    if (bad) return *bad;
    if (std::max(mesh.points.size(), mesh.triangles.size()) > kMaxMeshEntries)
      return scan.fault_here("", "the mesh is too large", "at most 2^30 vertices and triangles");
  }
  return mesh;
}

}  // namespace repose::shape
