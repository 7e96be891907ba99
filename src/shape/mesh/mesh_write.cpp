#include "repose/shape/mesh_write.h"

#include <bit>
#include <cstdint>

#include <fmt/format.h>

#include "shape/define/validate.h"

namespace repose::shape {
namespace {

static_assert(std::endian::native == std::endian::little, "binary meshes are written in place");

template <class Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

Vec3 normal_of(const TriangleMesh& mesh, const std::array<int, 3>& c) {
  const Vec3 n =
      (mesh.points[c[1]] - mesh.points[c[0]]).cross(mesh.points[c[2]] - mesh.points[c[0]]);
  const double length = n.norm();
  return length > 0.0 ? Vec3(n / length) : Vec3(Vec3::Zero());
}

std::string obj_text(const TriangleMesh& mesh) {
  std::string out;
  for (const Vec3& p : mesh.points) out += fmt::format("v {} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& c : mesh.triangles)
    out += fmt::format("f {} {} {}\n", c[0] + 1, c[1] + 1, c[2] + 1);
  return out;
}

std::string stl_text(const TriangleMesh& mesh) {
  std::string out = "solid mesh\n";
  for (const auto& c : mesh.triangles) {
    const Vec3 n = normal_of(mesh, c);
    out += fmt::format("facet normal {} {} {}\nouter loop\n", n.x(), n.y(), n.z());
    for (const int k : c)
      out += fmt::format("vertex {} {} {}\n", mesh.points[k].x(), mesh.points[k].y(),
                         mesh.points[k].z());
    out += "endloop\nendfacet\n";
  }
  return out + "endsolid mesh\n";
}

void put_single(std::string& out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) put(out, static_cast<float>(v[i]));
}

std::string stl_binary(const TriangleMesh& mesh) {
  constexpr std::size_t kHeader = 80;
  std::string out = "binary STL";
  out.resize(kHeader, ' ');
  put(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& c : mesh.triangles) {
    put_single(out, normal_of(mesh, c));
    for (const int k : c) put_single(out, mesh.points[k]);
    put(out, std::uint16_t{0});
  }
  return out;
}

std::string ply_binary(const TriangleMesh& mesh) {
  std::string out = fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty double x\n"
      "property double y\nproperty double z\nelement face {}\n"
      "property list uchar int vertex_indices\nend_header\n",
      mesh.points.size(), mesh.triangles.size());
  for (const Vec3& p : mesh.points)
    for (int i = 0; i < 3; ++i) put(out, p[i]);
  for (const auto& c : mesh.triangles) {
    put(out, std::uint8_t{3});
    for (const int k : c) put(out, static_cast<std::int32_t>(k));
  }
  return out;
}

}  // namespace

Result<std::string> mesh_bytes(const TriangleMesh& mesh, const std::string& ending,
                               MeshNumbers numbers) {
  if (ending == ".obj") return obj_text(mesh);
  if (ending == ".ply") return ply_binary(mesh);
  if (ending == ".stl") return numbers == MeshNumbers::single ? stl_binary(mesh) : stl_text(mesh);
  return fault("", ending, "meshes are not written so", ".obj, .ply or .stl");
}

}  // namespace repose::shape
