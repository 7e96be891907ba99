// OBJ files, made into bodies.
#include "repose/shape/make.h"

#include "fuzz/driver.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = repose::fuzz::scratch_file("input.obj", data, size);
  static_cast<void>(repose::shape::make_mesh_file({.path = path.string()}));
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  Target out;
  out.seeds = {
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
      "# a cube\nmtllib a.mtl\no cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\n"
      "v 1 1 1\nv 0 1 1\nvt 0 0\nvn 0 0 1\ng faces\nusemtl a\ns off\nf 4/1/1 3/1/1 2/1/1 1/1/1\n"
      "f 5//1 6//1 7//1 8//1\nf 1/1 2/1 6/1 5/1\nf -7 -6 -2 -3\nf 3 4 \\\r\n8 7\nf 4 1 5 8\n"};
  out.words = {"v ",  "f ",   "-1",           "1e400",      "1e-400",      "nan",
               "inf", "0x10", "\r",           "\r\n",       "\\\n",        "/",
               "//",  "surf", "\xEF\xBB\xBF", "4294967296", "-2147483649", "9223372036854775807",
               "1e9", "1e308"};
  return out;
}
