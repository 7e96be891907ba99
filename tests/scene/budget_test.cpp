// What loading may take, and what ends it.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "repose/base/work.h"

#include "sample.h"

namespace repose {
namespace {

constexpr std::uint64_t kLittleWork = 1000;

Scene scene_of(const std::string& rest) {
  const auto scene = sample::scene("{\"repose\": 1,\n" + rest);
  EXPECT_TRUE(scene) << scene.error().text();
  return *scene;
}

const char* const kTwoEllipsoids =
    R"("bodies": [{"name": "a", "shape":
    {"kind": "union", "parts": [
      {"shape": {"kind": "ball", "radius": 0.5}},
      {"shape": {"kind": "ball", "radius": 0.5}, "position": [0.3, 0, 0]}]}}]})";

TEST(Budget, a_shape_that_takes_too_much_work_is_refused_with_its_place) {
  const Scene scene = scene_of(kTwoEllipsoids);
  const WorkLimit outer(kLittleWork);
  const auto world = build_world(scene);
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().line, 3) << world.error().text();
  EXPECT_EQ(world.error().pointer, "/bodies/0/shape");
  EXPECT_NE(world.error().wrong.find("this takes too long"), std::string::npos);
  EXPECT_NE(world.error().right.find("a mesh of the body"), std::string::npos);
}

TEST(Budget, bodies_that_find_no_room_are_refused_with_their_place) {
  const Scene scene = scene_of(
      R"("instances": [{"name": "set", "body": {"shape": {"kind": "ball", "radius": 0.1}},
         "arrange": {"kind": "scatter", "low": [0, 0, 0], "high": [100, 100, 100],
                     "count": 1000, "seed": 1}}]})");
  const WorkLimit outer(kLittleWork);
  const auto world = build_world(scene);
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().pointer, "/instances/0/arrange") << world.error().text();
  EXPECT_NE(world.error().wrong.find("finding room for the bodies"), std::string::npos);
}

TEST(Budget, an_interrupt_reaches_the_making_of_shapes) {
  const Scene scene = scene_of(kTwoEllipsoids);
  static std::atomic<bool> flag = true;
  watch_interrupt(flag);
  EXPECT_THROW(static_cast<void>(build_world(scene)), Interrupted);
  flag = false;
  EXPECT_TRUE(build_world(scene));
}

TEST(Budget, a_mesh_file_s_own_error_is_told_where_the_scene_names_it) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("repose_budget_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "bad.obj") << "v 0 0 0\nv 0 zero 0\n";
  const auto scene = scene_from_text(
      "{\"repose\": 1, \"bodies\": [\n{\"name\": \"a\", \"shape\": {\"kind\": \"mesh_file\",\n"
      "\"path\": \"bad.obj\"}}]}",
      (folder / "scene.json").string(), sample::catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  const auto world = build_world(*scene);
  ASSERT_FALSE(world);
  EXPECT_EQ(world.error().file, (folder / "scene.json").string());
  EXPECT_EQ(world.error().line, 3);
  EXPECT_EQ(world.error().pointer, "/bodies/0/shape/path");
  EXPECT_EQ(world.error().value, "zero");
  EXPECT_EQ(world.error().wrong,
            (folder / "bad.obj").string() + ":2: a vertex coordinate is no number");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace repose
