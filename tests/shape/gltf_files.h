#pragma once

// glTF files as tests write them.

#include <string>
#include <vector>

#include "shape/mesh_files.h"

namespace repose::shape {

inline std::string base64(const std::string& bytes) {
  const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= bytes.size() - i ? digits[group >> (18U - 6U * k) & 63U] : '=';
  }
  return out;
}

/// Four corners of a tetrahedron (48 bytes of floats), then its faces (12 bytes).
inline std::string tetrahedron_buffer() {
  std::string out;
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F}) put(&out, x);
  for (const int c : {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}) put(&out, static_cast<std::uint8_t>(c));
  return out;
}

/// The members of a glTF file, each as text that a test may change.
struct GltfText {
  std::string buffer = tetrahedron_buffer();
  std::string uri = "data:application/octet-stream;base64," + base64(buffer);
  std::string asset = R"({"version":"2.0"})";
  std::string views =
      R"([{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":12}])";
  std::string accessors = R"([{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
                          R"({"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}])";
  std::string primitives = R"([{"attributes":{"POSITION":0},"indices":1}])";
  std::string nodes = R"([{"mesh":0}])";
  std::string scenes = R"([{"nodes":[0]}])";
  std::string more;  // further members of the root, each with a comma before it

  std::string json(bool with_uri = true) const {
    return R"({"asset":)" + asset + R"(,"scene":0,"scenes":)" + scenes + R"(,"nodes":)" + nodes +
           R"(,"meshes":[{"primitives":)" + primitives + R"(}],"buffers":[{)" +
           (with_uri ? R"("uri":")" + uri + R"(",)" : "") + R"("byteLength":)" +
           std::to_string(buffer.size()) + R"(}],"bufferViews":)" + views + R"(,"accessors":)" +
           accessors + more + "}";
  }
  std::string glb() const {
    std::string text = json(false), binary = buffer, out = "glTF";
    while (text.size() % 4 != 0) text += ' ';
    while (binary.size() % 4 != 0) binary += '\0';
    put(&out, std::uint32_t{2});
    put(&out, static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + binary.size()));
    put(&out, static_cast<std::uint32_t>(text.size()));
    out += "JSON" + text;
    put(&out, static_cast<std::uint32_t>(binary.size()));
    return out + std::string("BIN\0", 4) + binary;
  }
};

}  // namespace repose::shape
