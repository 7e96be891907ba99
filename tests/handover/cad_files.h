#pragma once

#include <cstdlib>

#include "handover/cad_child.h"
#include "open.h"

namespace repose::handover {

/// The folder of CAD files that OpenCASCADE made when the tests were built (tests/cad); nullptr:
/// built without it.
inline const char* cad_folder() {
#ifdef REPOSE_CAD_FILES
  return REPOSE_CAD_FILES;
#else
  return nullptr;
#endif
}

class Cad : public testing::Test {
 protected:
  void SetUp() override {
    if (cad_folder() == nullptr) GTEST_SKIP() << "built without OpenCASCADE";
  }
  static std::string file(const std::string& name) {
    return std::string(cad_folder()) + "/" + name;
  }
  static Handed read(const std::string& name, const OpenOptions& options = {}) {
    auto handed = open_any(file(name), method_catalogue(), options);
    EXPECT_TRUE(handed) << handed.error().text();
    return handed ? std::move(*handed) : Handed{};
  }
  static World world_of(const Handed& handed) {
    auto world = build_world(handed);
    EXPECT_TRUE(world) << world.error().text();
    return world ? std::move(*world) : World{};
  }
};

/// Numbers that stand under a name in repose-cad's answer, in order.
inline std::vector<double> told(const std::string& answer, const std::string& name) {
  std::vector<double> out;
  const std::string key = "\"" + name + "\":";
  for (std::size_t at = answer.find(key); at != std::string::npos; at = answer.find(key, at + 1))
    out.push_back(std::atof(answer.c_str() + at + key.size()));
  return out;
}

/// Volumes and areas of a file's bodies are those that OpenCASCADE finds, to 1e-9 of them.
inline void expect_measures_of_opencascade(const std::string& path, const World& world) {
  constexpr double kAlike = 1e-9;
  const CadAnswer answer = run_cad({"read", path});
  ASSERT_EQ(answer.end, CadAnswer::End::done) << path;
  const auto volumes = told(answer.text, "volume"), areas = told(answer.text, "area");
  ASSERT_EQ(world.problem.bodies.size(), volumes.size()) << path;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const auto& mine = world.problem.bodies[i].shape->volume;
    EXPECT_NEAR(mine.volume / volumes[i], 1.0, kAlike) << path << " " << i;
    EXPECT_NEAR(mine.area / areas[i], 1.0, kAlike) << path << " " << i;
  }
}

}  // namespace repose::handover
