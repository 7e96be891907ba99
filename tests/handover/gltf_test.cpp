// Scene graphs of glTF.
#include <cstring>
#include <filesystem>
#include <fstream>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>
#include <unistd.h>

#include "repose/base/plain_file.h"
#include "repose/handover/settle.h"

#include "open.h"

namespace repose::handover {
namespace {

namespace fs = std::filesystem;

/// The corners of a cube of two metres, and its faces.
constexpr const char* kCube =
    "AACAvwAAgL8AAIC/AACAPwAAgL8AAIC/AACAvwAAgD8AAIC/AACAPwAAgD8AAIC/AACAvwAAgL8AAIA/AACAPwAAgL"
    "8AAIA/AACAvwAAgD8AAIA/AACAPwAAgD8AAIA/BAUHBAcGAAIDAAMBAAEFAAUEAgYHAgcDAAQGAAYCAQMHAQcF";

std::string scene(const std::string& nodes, const std::string& roots = "[0,1]",
                  const std::string& more = "") {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":)" + roots +
         "}],\"nodes\":" + nodes +
         R"(,"meshes":[{"name":"cube","primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
         R"("buffers":[{"byteLength":132,"uri":"data:;base64,)" +
         kCube +
         R"("}],"bufferViews":[{"buffer":0,"byteLength":96},{"buffer":0,"byteOffset":96,)"
         R"("byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":8,)"
         R"("type":"VEC3"},{"bufferView":1,"componentType":5121,"count":36,"type":"SCALAR"}])" +
         more + "}";
}
std::string as_glb(std::string json) {
  const auto word = [](std::size_t value) {
    const auto small = static_cast<std::uint32_t>(value);
    std::string out(4, '\0');
    std::memcpy(out.data(), &small, 4);
    return out;
  };
  while (json.size() % 4 != 0) json += ' ';
  const std::string bin = "the rest";
  return "glTF" + word(2) + word(12 + 8 + json.size() + 8 + bin.size()) + word(json.size()) +
         "JSON" + json + word(bin.size()) + std::string("BIN\0", 4) + bin;
}

TEST(Gltf, y_points_up_and_lengths_are_metres) {
  const Handed handed = opened("shelf.gltf");
  EXPECT_EQ(handed.format, Format::gltf);
  EXPECT_TRUE(body_of(handed, "Shelf").fixed);
  const double h = std::sqrt(0.75);
  expect_pose(body_of(handed, "Brick").pose(), {0.1, -0.02, 1.2449}, {0.5, -h, 0}, {h, 0.5, 0});
  EXPECT_EQ(handed.scene.gravity, Vec3(0, 0, -9.81));
}

TEST(Gltf, a_binary_file_keeps_its_buffer_and_reads_the_same) {
  const std::string json = scene(
      R"([{"mesh":0,"name":"floor","scale":[9,1,9]},{"mesh":0,"name":"box","translation":[1,3,2]}])");
  const auto handed = read_as("x.glb", as_glb(json));
  ASSERT_TRUE(handed) << handed.error().text();
  expect_pose(body_of(*handed, "box").pose(), {1, -2, 3}, {0, -1, 0}, {1, 0, 0});
  const Pose wanted{{0.5, 0.25, 7}, Quat(0.5, 0.1, -0.7, 0.5).normalized()};
  const auto written = with_poses(*handed, {{"box", wanted}});
  ASSERT_TRUE(written);
  EXPECT_TRUE(written->ends_with("the rest"));
  EXPECT_EQ(written->size() % 4, 0U);
  const auto again = read_as("x.glb", *written);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_LT((body_of(*again, "box").pose().position - wanted.position).norm(), 1e-14);
  EXPECT_EQ(with_poses(*handed, {}).value(), as_glb(json));
}

TEST(Gltf, poses_come_back_through_matrices_and_uneven_scales) {
  for (const char* above : {"", R"("scale":[3,3,3],)", R"("scale":[1,2,3],)",
                            R"("matrix":[0,1,0,0,-1,0,0,0,0,0,2,0,1,1,1,1],)"})
    for (const char* own :
         {"", R"("translation":[1,2,3],)", R"("rotation":[0,0.6,0,0.8],"scale":[1,-2,1],)",
          R"("scale":[2,2,2],"translation":[1,2,3],"rotation":[0,0.6,0,0.8],)",
          R"("matrix":[1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1],)"}) {
      OpenOptions only;
      only.bodies = {"box"};
      const auto handed =
          read_as("x.gltf",
                  scene(fmt::format(R"([{{"mesh":0,"name":"floor"}},{{{}"children":[2]}},)"
                                    R"({{{}"mesh":0,"name":"box"}}])",
                                    above, own)),
                  only);
      ASSERT_TRUE(handed) << handed.error().text();
      const Pose wanted{{0.5, 0.25, 7}, Quat(0.5, 0.1, -0.7, 0.5).normalized()};
      const auto written = with_poses(*handed, {{"box", wanted}});
      ASSERT_TRUE(written) << written.error().text();
      const auto again = read_as("x.gltf", *written, only);
      ASSERT_TRUE(again) << again.error().text() << *written;
      const Pose found = body_of(*again, "box").pose();
      EXPECT_LT((found.position - wanted.position).norm(), 1e-13) << *written;
      EXPECT_LT((found.rotation * wanted.rotation.conjugate()).vec().norm(), 1e-13) << *written;
    }
}

TEST(Gltf, physics_says_what_moves) {
  const auto handed = read_as(
      "x.gltf",
      scene(
          R"([{"name":"floor","extensions":{"KHR_physics_rigid_bodies":{"collider":{"geometry":)"
          R"({"shape":0}}}}},{"name":"can","translation":[0,2,0],"extensions":)"
          R"({"KHR_physics_rigid_bodies":{"motion":{"mass":0.5},"collider":{"geometry":)"
          R"({"shape":1}}}}},{"name":"die","mesh":0,"translation":[5,5,0],"extensions":)"
          R"({"KHR_physics_rigid_bodies":{"motion":{"isKinematic":true},"collider":)"
          R"({"geometry":{"mesh":0,"convexHull":true}}}}},{"name":"seen","mesh":0}])",
          "[0,1,2,3]",
          R"(,"extensionsUsed":["KHR_physics_rigid_bodies","KHR_implicit_shapes"],"extensions":)"
          R"({"KHR_implicit_shapes":{"shapes":[{"type":"box","box":{"size":[9,1,9]}},)"
          R"({"type":"cylinder","cylinder":{"height":2,"radiusTop":0.5,"radiusBottom":0.5}}]}})"));
  ASSERT_TRUE(handed) << handed.error().text();
  ASSERT_EQ(handed->scene.bodies.size(), 3U);
  EXPECT_TRUE(body_of(*handed, "floor").fixed);
  EXPECT_TRUE(body_of(*handed, "die").fixed);
  EXPECT_EQ(body_of(*handed, "can").mass, 0.5);
  EXPECT_LT((body_of(*handed, "can").pose().turn(Vec3::UnitZ()) - Vec3::UnitZ()).norm(), 1e-12);
  const auto out = settle(*handed, method_catalogue());
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_TRUE(out->proven()) << out->verdict.why;
}

TEST(Gltf, mistakes_are_told_with_their_place) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"{", "x.gltf:1:2"},
      {R"({"asset":{"version":"2.0"}})", "the file holds no nodes"},
      {scene(R"([{"mesh":0},{"mesh":7}])"), "/nodes/1/mesh"},
      {scene(R"([{"mesh":0},{"children":[1]}])"), "/scenes/0/nodes/1"},
      {scene(R"([{"name":"a"},{"name":"b"}])"), "the file holds no shape"},
      {scene(R"([{"mesh":0},{"mesh":0,"scale":[0,1,1]}])"), "/nodes/1: a scale of zero"},
      {scene(R"([{"mesh":0},{"mesh":0,"translation":[1e300,0,0]}])"), "too far away"},
      {scene(R"([{"mesh":0},{"extensions":{"KHR_physics_rigid_bodies":{"collider":{"geometry":)"
             R"({"shape":4}}}}}])"),
       "/nodes/1/extensions/KHR_physics_rigid_bodies/collider/geometry/shape"},
  };
  for (const auto& [text, told] : all) {
    const auto handed = read_as("x.gltf", text);
    ASSERT_FALSE(handed) << text;
    EXPECT_NE(handed.error().text().find(told), std::string::npos)
        << handed.error().text() << "\nwanted " << told;
    EXPECT_NE(handed.error().text().find("x.gltf"), std::string::npos);
  }
}

/// Assimp finds every node where the settled poses are, and the same triangles.
TEST(Gltf, another_reader_finds_the_settled_poses) {
  const Handed handed = opened("shelf.gltf");
  const auto out = settle(handed, method_catalogue());
  ASSERT_TRUE(out) << out.error().text();
  ASSERT_TRUE(out->text);
  const fs::path file = fs::temp_directory_path() / fmt::format("settled_{}.gltf", getpid());
  std::ofstream(file) << *out->text;
  Assimp::Importer importer;
  const aiScene* read = importer.ReadFile(file.string(), aiProcess_Triangulate);
  fs::remove(file);
  ASSERT_NE(read, nullptr) << importer.GetErrorString();
  int found = 0;
  for (const BodyPose& pose : out->poses) {
    const aiNode* node = read->mRootNode->FindNode(pose.body.c_str());
    ASSERT_NE(node, nullptr) << pose.body;
    aiMatrix4x4 world;
    for (const aiNode* at = node; at != nullptr; at = at->mParent)
      world = at->mTransformation * world;
    // y up and single precision there
    const Vec3 place(static_cast<double>(world.a4), -static_cast<double>(world.c4),
                     static_cast<double>(world.b4));
    EXPECT_LT((place - pose.world_from_body.position).norm(), 1e-6) << pose.body;
    ++found;
  }
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace repose::handover
