// A scene that takes meshes and models from files beside it, kept elsewhere.
#include "repose/scene/self_contained.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sample.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

/// A regular tetrahedron of edge sqrt(8) as OBJ; its coordinates are no short numbers.
constexpr const char* kTetrahedron = R"(
v 0.1 0.30000000000000004 0
v 2.1 2.3 0
v 2.1 0.3 2
v 0.1 2.3 2
f 1 2 3
f 1 4 2
f 1 3 4
f 2 4 3
)";

class SelfContainedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "repose-scene-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::create_directory(folder_ / "parts");
    write("stone.obj", kTetrahedron);
    write("parts/stone.obj", kTetrahedron);
    write("parts/heap.json", R"json({ "repose": 1, "shapes": {
        "stone": { "kind": "mesh_file", "path": "stone.obj", "scale": 3.0000000000000004 },
        "ball": { "kind": "ball", "radius": 2 } },
      "shape": { "kind": "union", "parts": [ { "shape": "ball" }, { "shape": "ball", "position": [1, 0, 0] },
        { "shape": { "kind": "cylinder", "radius": 1, "height": 5 } } ] } })json");
    write("parts/filled.json", R"json({ "repose": 1,
      "shapes": { "stone": { "kind": "mesh_file", "path": "stone.obj", "scale": 0.7 } },
      "shape": { "kind": "fill", "shape": "stone", "pitch": 0.2, "radius": 0.1 } })json");
  }
  void TearDown() override { fs::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Result<Scene> scene(const std::string& bodies) const {
    return scene_from_text(R"({ "repose": 1, "about": "Stones.", "method": { "kind": "still" },
      "shapes": { "stone.obj": { "kind": "ball", "radius": 0.1 },
                  "mine": { "kind": "mesh_file", "path": "stone.obj", "scale": 0.1 } },
      "bodies": [)" + bodies + "] }",
                           (folder_ / "scene.json").string(), sample::catalogue());
  }
  /// The scene read again from its text where none of its files are.
  static Result<Scene> elsewhere(const Scene& scene) {
    return scene_from_text(write_scene(scene), "/nowhere/scene.json", sample::catalogue());
  }
  fs::path folder_;
};

constexpr const char* kBodies = R"json(
  { "name": "named", "shape": "mine" },
  { "name": "here", "shape": { "kind": "mesh_file", "path": "stone.obj" }, "position": [5, 0, 0] },
  { "name": "again", "shape": { "kind": "mesh_file", "path": "stone.obj" }, "position": [10, 0, 0] },
  { "name": "larger", "shape": { "kind": "mesh_file", "path": "stone.obj", "scale": 2 }, "position": [15, 0, 0] },
  { "name": "heap", "shape": { "model": "parts/heap.json" }, "position": [30, 0, 0] },
  { "name": "filled", "shape": { "model": "parts/filled.json" }, "position": [45, 0, 0] },
  { "name": "cup", "shape": { "model": "cup" }, "position": [60, 0, 0] })json";

TEST_F(SelfContainedTest, the_same_world_is_built_where_no_file_of_it_is) {
  const auto written = scene(kBodies);
  ASSERT_TRUE(written) << written.error().text();
  const auto whole = self_contained(*written);
  ASSERT_TRUE(whole) << whole.error().text();
  const auto again = elsewhere(*whole);
  ASSERT_TRUE(again) << again.error().text();
  const auto first = build_world(*written), second = build_world(*again);
  ASSERT_TRUE(first) << first.error().text();
  ASSERT_TRUE(second) << second.error().text();
  ASSERT_EQ(second->problem.bodies.size(), first->problem.bodies.size());
  for (std::size_t i = 0; i < first->problem.bodies.size(); ++i) {
    const Body &a = first->problem.bodies[i], &b = second->problem.bodies[i];
    EXPECT_EQ(b.name, a.name);
    EXPECT_EQ(b.mass, a.mass) << a.name;
    EXPECT_EQ(b.inertia_body, a.inertia_body) << a.name;
    const auto* mesh = std::get_if<shape::TriangleMesh>(&a.shape->geometry);
    if (mesh == nullptr) continue;
    const auto* same = std::get_if<shape::TriangleMesh>(&b.shape->geometry);
    ASSERT_NE(same, nullptr) << a.name;
    EXPECT_EQ(same->points, mesh->points) << a.name;
    EXPECT_EQ(same->triangles, mesh->triangles) << a.name;
  }
}

TEST_F(SelfContainedTest, a_file_is_written_once_under_its_name) {
  const auto written = scene(kBodies);
  ASSERT_TRUE(written) << written.error().text();
  const auto whole = self_contained(*written);
  ASSERT_TRUE(whole) << whole.error().text();
  // "stone.obj" is a name of the scene's own
  EXPECT_EQ(whole->bodies[1].shape.name, "stone.obj 2");
  EXPECT_EQ(whole->bodies[2].shape.name, "stone.obj 2");
  EXPECT_EQ(whole->bodies[3].shape.name, "stone.obj 3");
  EXPECT_EQ(whole->bodies[4].shape.name, "parts/heap.json");
  ASSERT_TRUE(whole->bodies[6].shape.spec);
  EXPECT_TRUE(std::holds_alternative<ModelUse>(whole->bodies[6].shape.spec->what));
}

TEST_F(SelfContainedTest, a_mesh_that_is_too_large_stays_a_file_with_its_whole_path) {
  const auto written = scene(R"({ "name": "named", "shape": "mine" })");
  ASSERT_TRUE(written) << written.error().text();
  const auto whole = self_contained(*written, 7);
  ASSERT_TRUE(whole) << whole.error().text();
  const auto again = elsewhere(*whole);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_TRUE(build_world(*again));
  EXPECT_FALSE(elsewhere(*written) && build_world(*elsewhere(*written)));
}

TEST_F(SelfContainedTest, a_file_that_has_gone_is_named) {
  const auto written = scene(R"({ "name": "named", "shape": "mine" })");
  ASSERT_TRUE(written) << written.error().text();
  fs::remove(folder_ / "stone.obj");
  const auto whole = self_contained(*written);
  ASSERT_FALSE(whole);
  EXPECT_NE(whole.error().text().find("stone.obj"), std::string::npos) << whole.error().text();
}

}  // namespace
}  // namespace repose
