// What the fuzz targets of glTF start from: one body in JSON and GLB, and the words of the format.
#pragma once

#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "fuzz/driver.h"

namespace repose::fuzz::gltf {

/// Four corners of a tetrahedron and its faces.
inline std::string buffer() {
  std::string out;
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F}) {
    char bytes[sizeof x];
    std::memcpy(bytes, &x, sizeof x);
    out.append(bytes, sizeof x);
  }
  for (const int c : {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}) out += static_cast<char>(c);
  return out;
}

/// The buffer's own text in base64.
inline constexpr const char* kData =
    "data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"
    "AAIBAAEDAQIDAgAD";

inline std::string json(const std::string& uri, const std::string& nodes,
                        const std::string& accessors) {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":)" + nodes +
         R"(,"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"mode":4}]}],)"
         R"("buffers":[{)" +
         (uri.empty() ? "" : R"("uri":")" + uri + R"(",)") +
         R"("byteLength":60}],"bufferViews":[{"buffer":0,"byteLength":48,"byteStride":12},)"
         R"({"buffer":0,"byteOffset":48,"byteLength":12}],"accessors":)" +
         accessors + "}";
}

inline constexpr const char* kAccessors =
    R"([{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3"},)"
    R"({"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}])";
inline constexpr const char* kSparse =
    R"([{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":1,)"
    R"("indices":{"bufferView":1,"byteOffset":1,"componentType":5121},)"
    R"("values":{"bufferView":0,"byteOffset":12}}},)"
    R"({"bufferView":1,"componentType":5121,"count":12,"type":"SCALAR"}])";
inline constexpr const char* kNodes =
    R"([{"children":[1,2],"scale":[1,2,3]},{"mesh":0,"translation":[1,0,0],)"
    R"("rotation":[0,0,0.6,0.8]},{"mesh":0,"matrix":[-1,0,0,0,0,1,0,0,0,0,1,0,9,9,9,1]}])";

inline void put(std::string* out, std::size_t word) {
  for (int k = 0; k < 4; ++k) *out += static_cast<char>(word >> (8 * k) & 0xFFU);
}

inline std::string glb() {
  std::string text = json("", R"([{"mesh":0}])", kAccessors), out = "glTF";
  while (text.size() % 4 != 0) text += ' ';
  put(&out, 2);
  put(&out, 12 + 8 + text.size() + 8 + buffer().size());
  put(&out, text.size());
  out += "JSON" + text;
  put(&out, buffer().size());
  return out + std::string("BIN\0", 4) + buffer();
}

/// b.bin, which a glTF file may name.
inline void put_buffer_beside() {
  std::ofstream(scratch_folder() / "b.bin", std::ios::binary) << buffer();
}

/// The words of the format, and more of a target's own.
inline std::vector<std::string> words(const std::vector<std::string>& more) {
  std::vector<std::string> out = {"\"children\":[0]",
                                  "\"bufferView\":1",
                                  "\"byteOffset\":",
                                  "\"byteStride\":",
                                  "\"count\":",
                                  "4294967296",
                                  "-1",
                                  "1e30",
                                  "\"sparse\":",
                                  "5120",
                                  "5121",
                                  "5123",
                                  "5125",
                                  "5126",
                                  "\"VEC3\"",
                                  "\"SCALAR\"",
                                  "\"mode\":5",
                                  "\"mode\":6",
                                  "..%2f",
                                  "b.bin",
                                  "data:;base64,",
                                  "\"normalized\":true",
                                  "\"extensionsRequired\":[\"KHR_mesh_quantization\"],",
                                  "[",
                                  "{",
                                  "null"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace repose::fuzz::gltf
