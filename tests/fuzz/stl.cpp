// STL files, text and binary, made into bodies.
#include <cstring>

#include "repose/shape/make.h"

#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = repose::fuzz::scratch_file("input.stl", data, size);
  static_cast<void>(repose::shape::make_mesh_file({.path = path.string()}));
  return 0;
}

namespace {

constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
constexpr float kPoints[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

std::string text() {
  std::string out = "solid tetrahedron\n";
  for (const auto& face : kFaces) {
    out += "facet normal 0 0 0\n outer loop\n";
    for (const int c : face)
      out += "  vertex " + std::to_string(kPoints[c][0]) + " " + std::to_string(kPoints[c][1]) +
             " " + std::to_string(kPoints[c][2]) + "\n";
    out += " endloop\nendfacet\n";
  }
  return out + "endsolid\n";
}

std::string binary(const std::string& title) {
  std::string out = title + std::string(80 - title.size(), ' ');
  out += std::string("\4\0\0\0", 4);
  for (const auto& face : kFaces) {
    out += std::string(12, '\0');
    for (const int c : face) {
      char bytes[sizeof kPoints[c]];
      std::memcpy(bytes, kPoints[c], sizeof bytes);
      out.append(bytes, sizeof bytes);
    }
    out += std::string(2, '\0');
  }
  return out;
}

/// Keeps a binary file's size at what its count says, half of the time.
void fit_size(repose::fuzz::Bytes& bytes, repose::Random& random) {
  if (bytes.size() < 84) return;
  const auto count = static_cast<std::uint32_t>((bytes.size() - 84) / 50);
  std::memcpy(bytes.data() + 80, &count, sizeof count);
  bytes.resize(84 + 50 * static_cast<std::size_t>(count));
  if (count > 0) bytes[84 + static_cast<std::size_t>(random.unit() * 50.0 * count)] ^= '\x40';
}

}  // namespace

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  out.seeds = {text(), binary("binary"), binary("solid but binary")};
  out.words = {"solid", "facet",    "outer loop", "vertex ", "endloop", "endfacet", "nan",
               "1e400", "endsolid", "\r",         "VERTEX",  "-inf",    "1e-400"};
  out.mutate = fit_size;
  return out;
}
