#include "vtp.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

namespace repose::exchange {
namespace {

static_assert(std::endian::native == std::endian::little);

std::string base64(const std::string& bytes) {
  static const char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

// one DataArray; the length in bytes stands before the numbers, encoded with them
template <class Number>
std::string array(const char* type, const char* name, int components,
                  const std::vector<Number>& numbers) {
  const std::uint64_t size = numbers.size() * sizeof(Number);
  std::string bytes(sizeof(size) + size, '\0');
  std::memcpy(bytes.data(), &size, sizeof(size));
  if (size > 0) std::memcpy(bytes.data() + sizeof(size), numbers.data(), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}"
      "</DataArray>\n",
      type, name, components, base64(bytes));
}

std::string vectors(const char* name, const std::vector<Vec3>& from) {
  std::vector<float> numbers;
  numbers.reserve(3 * from.size());
  for (const Vec3& p : from)
    for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<float>(p[k]));
  return array("Float32", name, 3, numbers);
}

std::string head(std::size_t points, std::size_t vertices, std::size_t triangles) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
      "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<Piece "
      "NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      points, vertices, triangles);
}

std::string cells(const char* kind, const std::vector<std::int64_t>& corners,
                  std::int64_t corners_each) {
  std::vector<std::int64_t> offsets;
  const auto count = static_cast<std::int64_t>(corners.size()) / corners_each;
  for (std::int64_t i = 1; i <= count; ++i) offsets.push_back(corners_each * i);
  return fmt::format("<{0}>\n{1}{2}</{0}>\n", kind, array("Int64", "connectivity", 1, corners),
                     array("Int64", "offsets", 1, offsets));
}

constexpr const char* kTail = "</Piece>\n</PolyData>\n</VTKFile>\n";

}  // namespace

std::string vtp_text(const VtpMesh& mesh) {
  std::vector<std::int64_t> corners;
  for (const auto& t : mesh.triangles) corners.insert(corners.end(), t.begin(), t.end());
  std::vector<std::int32_t> body(mesh.body.begin(), mesh.body.end());
  std::vector<float> color;
  for (const auto& c : mesh.color)
    for (const double channel : c) color.push_back(static_cast<float>(channel));
  std::string out = head(mesh.points.size(), 0, mesh.triangles.size());
  out += "<PointData Normals=\"normal\">\n" + vectors("normal", mesh.normals) + "</PointData>\n";
  out += "<CellData Scalars=\"body\">\n" + array("Int32", "body", 1, body) +
         array("Float32", "color", 3, color) + "</CellData>\n";
  out += "<Points>\n" + vectors("points", mesh.points) + "</Points>\n";
  return out + cells("Polys", corners, 3) + kTail;
}

std::string vtp_text(const std::vector<Contact>& contacts) {
  std::vector<Vec3> points, normals, forces;
  std::vector<double> gaps;
  std::vector<std::int32_t> bodies;
  std::vector<std::int64_t> corners;
  for (const Contact& c : contacts) {
    corners.push_back(static_cast<std::int64_t>(points.size()));
    points.push_back(c.point_world);
    normals.push_back(c.normal_a_to_b);
    forces.push_back(c.force_on_b);
    gaps.push_back(c.gap);
    bodies.push_back(c.body_a);
    bodies.push_back(c.body_b);
  }
  std::string out = head(points.size(), points.size(), 0);
  out += "<PointData Vectors=\"force_on_b\">\n" + vectors("normal_a_to_b", normals) +
         vectors("force_on_b", forces) + array("Float64", "gap", 1, gaps) +
         array("Int32", "bodies", 2, bodies) + "</PointData>\n";
  out += "<Points>\n" + vectors("points", points) + "</Points>\n";
  return out + cells("Verts", corners, 1) + kTail;
}

}  // namespace repose::exchange
