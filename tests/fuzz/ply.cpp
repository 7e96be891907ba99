// PLY files, text and binary, made into bodies.
#include <algorithm>
#include <cstring>

#include "repose/shape/make.h"

#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = repose::fuzz::scratch_file("input.ply", data, size);
  static_cast<void>(repose::shape::make_mesh_file({.path = path.string()}));
  return 0;
}

namespace {

std::string header(const std::string& format, const std::string& faces) {
  return "ply\nformat " + format +
         " 1.0\ncomment a tetrahedron\nelement vertex 4\nproperty float x\nproperty float y\n"
         "property float z\n" +
         faces + "end_header\n";
}

constexpr const char* kFaceElement = "element face 4\nproperty list uchar int vertex_indices\n";

template <class T>
void put(std::string* out, T value, bool swap) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  if (swap) std::reverse(bytes, bytes + sizeof(T));
  out->append(bytes, sizeof(T));
}

std::string binary(bool big) {
  std::string out = header(big ? "binary_big_endian" : "binary_little_endian", kFaceElement);
  for (const float x : {0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F, 0.F, 0.F, 0.F, 1.F})
    put(&out, x, big);
  constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  for (const auto& face : kFaces) {
    out += '\3';
    for (const int c : face) put(&out, c, big);
  }
  return out;
}

}  // namespace

repose::fuzz::Target repose::fuzz::target() {
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n";
  Target out;
  out.seeds = {header("ascii", kFaceElement) + points + "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n",
               header("ascii", "element tristrips 1\nproperty list int int vertex_indices\n") +
                   points + "10 0 2 1 3 0 2 -1 1 2 3\n",
               binary(false), binary(true)};
  out.words = {"element vertex ",
               "element face ",
               "property list uchar int vertex_indices\n",
               "property list uint uchar vertex_indices\n",
               "property double x\n",
               "4000000000",
               "18446744073709551615",
               "-1",
               "end_header\n",
               "ascii",
               "binary_little_endian",
               "tristrips",
               "nan",
               "1e400",
               "\r\n",
               "list",
               "float64"};
  return out;
}
