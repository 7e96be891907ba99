// Scenes of glTF, JSON and GLB, with a buffer beside them, written back with other poses.
#include "fuzz/driver.h"
#include "fuzz/gltf_files.h"
#include "fuzz/read_write_read.h"

namespace {

constexpr const char* kPhysics =
    R"([{"children":[1,2]},{"name":"a","extensions":{"KHR_physics_rigid_bodies":{"motion":)"
    R"({"mass":2,"centerOfMass":[0,0,1]},"collider":{"geometry":{"mesh":0,"convexHull":true}},)"
    R"("joint":{"connectedNode":2}}}},{"mesh":0,"extensions":{"KHR_physics_rigid_bodies":)"
    R"({"collider":{"geometry":{"node":2}}}}}])";

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool once = (repose::fuzz::gltf::put_buffer_beside(), true);
  static_cast<void>(once);
  repose::fuzz::read_write_read(data, size, "input.gltf");
  return 0;
}

repose::fuzz::Target repose::fuzz::target() {
  using namespace gltf;
  Target out;
  out.seeds = {json(kData, R"([{"mesh":0}])", kAccessors), json("b.bin", kNodes, kAccessors),
               json(kData, kNodes, kSparse), json(kData, kPhysics, kAccessors), glb()};
  out.words = words({"KHR_physics_rigid_bodies", "\"translation\":[1,2,3],"});
  return out;
}
