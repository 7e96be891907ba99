// glTF files, JSON and GLB, with a buffer and a pipe beside them, made into bodies.
#include <sys/stat.h>

#include "repose/shape/make.h"

#include "fuzz/driver.h"
#include "fuzz/gltf_files.h"

namespace {

/// What a glTF file may find beside itself.
void put_files_beside() {
  repose::fuzz::gltf::put_buffer_beside();
  static_cast<void>(::mkfifo((repose::fuzz::scratch_folder() / "pipe.bin").c_str(), 0600));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool once = (put_files_beside(), true);
  static_cast<void>(once);
  const auto path = repose::fuzz::scratch_file("input.gltf", data, size);
  static_cast<void>(repose::shape::make_mesh_file({.path = path.string()}));
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  using namespace gltf;
  Target out;
  out.seeds = {json(kData, R"([{"mesh":0}])", kAccessors), json("b.bin", kNodes, kAccessors),
               json(kData, kNodes, kSparse), json("pipe.bin", R"([{"mesh":0}])", kAccessors),
               glb()};
  out.words = words({"pipe.bin"});
  return out;
}
