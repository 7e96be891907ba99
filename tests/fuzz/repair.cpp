// Meshes of any kind, mended: it comes back, and what it calls sound is.
#include "repose/shape/repair.h"

#include <cstdlib>

#include "repose/shape/make.h"

#include "fuzz/driver.h"
#include "shape/mesh/mesh.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMostTriangles = 300;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto mesh = repose::shape::read_obj(repose::shape::MemoryBytes(text));
  if (!mesh || mesh->triangles.empty() || mesh->triangles.size() > kMostTriangles) return 0;
  const auto mended = repose::shape::repair_mesh(*mesh);
  // what is sound can be made, unless it is too small or too large to be a body
  const auto made = repose::shape::make_mesh({mended.mesh, false});
  if (mended.sound() && !made && made.error().wrong.find("closed") != std::string::npos)
    std::abort();
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  out.seeds = {
      "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n",
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\nv 1.2 0.2 0.2\nv 0.2 1.2 0.2\n"
      "v 0.2 0.2 1.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n"};
  out.words = {"f 1 2 3\n", "f -1 -2 -3\n", "v 0.5 0.5 0.5\n", "v 1e9 0 0\n", "1e-300",
               "f 1 1 2\n", "0.5",          "f 2 1 3 4 5\n",   "v 0 0 1e-9\n"};
  return out;
}
