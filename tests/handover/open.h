#pragma once

#include <gtest/gtest.h>

#include "repose/handover/with_poses.h"
#include "repose/run/catalogue.h"

#include "places.h"

namespace repose::handover {

inline std::string file_named(const std::string& name) {
  return std::string(tests::source_dir()) + "/tests/handover/files/" + name;
}
inline Handed opened(const std::string& name, const OpenOptions& options = {}) {
  auto handed = open_any(file_named(name), method_catalogue(), options);
  EXPECT_TRUE(handed) << handed.error().text();
  return handed ? std::move(*handed) : Handed{};
}
/// A text as if it stood beside the test's files.
inline Result<Handed> read_as(const std::string& name, const std::string& text,
                              const OpenOptions& options = {}) {
  return from_text(text, file_named(name), method_catalogue(), options);
}
inline const SceneBody& body_of(const Handed& handed, const std::string& name) {
  for (const SceneBody& body : handed.scene.bodies)
    if (body.name == name) return body;
  ADD_FAILURE() << "no body " << name;
  static const SceneBody none;
  return none;
}
/// Within a millionth of a metre, and turned alike: the z and x axes agree.
inline void expect_pose(const Pose& pose, const Vec3& position, const Vec3& z, const Vec3& x) {
  constexpr double kClose = 1e-6;
  EXPECT_LT((pose.position - position).norm(), kClose) << pose.position.transpose();
  EXPECT_LT((pose.turn(Vec3::UnitZ()) - z).norm(), kClose) << pose.turn(Vec3::UnitZ()).transpose();
  EXPECT_LT((pose.turn(Vec3::UnitX()) - x).norm(), kClose) << pose.turn(Vec3::UnitX()).transpose();
}

}  // namespace repose::handover
