#include "repose/exchange/gltf.h"

#include <cstring>
#include <fstream>

#include <assimp/Importer.hpp>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "output/exchange/recordings.h"

namespace repose::exchange {
namespace {

using nlohmann::json;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int count_nodes(const aiNode& node) {
  int count = 1;
  for (unsigned i = 0; i < node.mNumChildren; ++i) count += count_nodes(*node.mChildren[i]);
  return count;
}

class Gltf : public InFolder {};

TEST_F(Gltf, assimp_finds_bodies_and_tracks) {
  const Recording recording = five_frames(folder / "recording.repose");
  for (const char* name : {"a.glb", "a.gltf"}) {
    ASSERT_TRUE(write_gltf(recording, folder / name));
    Assimp::Importer importer;
    const aiScene* scene =
        importer.ReadFile((folder / name).string(), aiProcess_ValidateDataStructure);
    ASSERT_NE(scene, nullptr) << name << ": " << importer.GetErrorString();
    EXPECT_EQ(count_nodes(*scene->mRootNode), 1 + 4 + 2) << "root, bodies, soft points";
    ASSERT_EQ(scene->mNumAnimations, 1U);
    EXPECT_EQ(scene->mAnimations[0]->mNumChannels, 3U) << "one rigid body and two soft points move";
    const aiNode* rises = scene->mRootNode->FindNode("rises, slowly");
    ASSERT_NE(rises, nullptr);
    // world: root turns z up into y up
    const aiVector3D at =
        scene->mRootNode->mTransformation * (rises->mTransformation * aiVector3D());
    EXPECT_NEAR(at.x, 0.0, 1e-6);
    EXPECT_NEAR(at.y, 0.5, 1e-6);
    EXPECT_NEAR(at.z, -3.0, 1e-6);
  }
}

TEST_F(Gltf, a_track_holds_every_frame_of_the_body_it_moves) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_gltf(recording, folder / "a.glb"));
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile((folder / "a.glb").string(), 0);
  ASSERT_NE(scene, nullptr) << importer.GetErrorString();
  const aiNodeAnim* track = nullptr;
  for (unsigned c = 0; c < scene->mAnimations[0]->mNumChannels; ++c)
    if (scene->mAnimations[0]->mChannels[c]->mNodeName == aiString("rises, slowly"))
      track = scene->mAnimations[0]->mChannels[c];
  ASSERT_NE(track, nullptr);
  ASSERT_EQ(track->mNumPositionKeys, 5U);
  ASSERT_EQ(track->mNumRotationKeys, 5U);
  for (unsigned f = 0; f < 5; ++f) {
    EXPECT_NEAR(track->mPositionKeys[f].mValue.z, 0.5 + f, 1e-6);
    EXPECT_NEAR(track->mPositionKeys[f].mTime, 500.0 * f, 1e-3) << "Assimp counts milliseconds";
  }
  // neighbouring rotations lie on the same side, so that blending takes the short way
  for (unsigned f = 1; f < 5; ++f) {
    const auto& a = track->mRotationKeys[f - 1].mValue;
    const auto& b = track->mRotationKeys[f].mValue;
    EXPECT_GT(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z, 0.0);
  }
}

TEST_F(Gltf, geometry_is_stored_once_for_all_bodies_of_a_shape) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_gltf(recording, folder / "a.gltf"));
  const json file = json::parse(bytes_of(folder / "a.gltf"));
  EXPECT_EQ(file["meshes"].size(), 3U) << "ball, tetrahedron, soft point";
  EXPECT_EQ(file["nodes"][1]["mesh"], file["nodes"][2]["mesh"]);
}

TEST_F(Gltf, views_are_aligned_inside_the_buffer_and_bounds_are_true) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_gltf(recording, folder / "a.gltf"));
  const json file = json::parse(bytes_of(folder / "a.gltf"));
  const std::string data = bytes_of(folder / "a.bin");
  EXPECT_EQ(file["buffers"][0]["byteLength"], data.size());
  std::size_t end = 0;
  for (const json& view : file["bufferViews"]) {
    const std::size_t offset = view["byteOffset"], length = view["byteLength"];
    EXPECT_EQ(offset % 4, 0U);
    EXPECT_GE(offset, end);
    end = offset + length;
    EXPECT_LE(end, data.size());
  }
  for (const json& accessor : file["accessors"]) {
    if (!accessor.contains("min")) continue;
    const std::size_t width = accessor["min"].size();
    const std::size_t offset =
        file["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteOffset"];
    std::vector<float> low(width, 1e30F), high(width, -1e30F);
    for (std::size_t i = 0; i < width * accessor["count"].get<std::size_t>(); ++i) {
      float x = 0.0F;
      std::memcpy(&x, data.data() + offset + 4 * i, 4);
      low[i % width] = std::min(low[i % width], x);
      high[i % width] = std::max(high[i % width], x);
    }
    EXPECT_EQ(accessor["min"].get<std::vector<float>>(), low);
    EXPECT_EQ(accessor["max"].get<std::vector<float>>(), high);
  }
}

TEST_F(Gltf, a_binary_file_states_its_own_length) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_gltf(recording, folder / "a.glb"));
  const std::string data = bytes_of(folder / "a.glb");
  std::uint32_t length = 0, json_length = 0;
  std::memcpy(&length, data.data() + 8, 4);
  std::memcpy(&json_length, data.data() + 12, 4);
  EXPECT_EQ(data.substr(0, 4), "glTF");
  EXPECT_EQ(length, data.size());
  EXPECT_EQ(json_length % 4, 0U);
  EXPECT_EQ(data.substr(20 + json_length + 4, 3), "BIN");
}

TEST_F(Gltf, an_unwritable_place_is_named) {
  const Recording recording = five_frames(folder / "recording.repose");
  const auto done = write_gltf(recording, folder / "none" / "a.glb");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("none/a.glb"), std::string::npos);
}

}  // namespace
}  // namespace repose::exchange
