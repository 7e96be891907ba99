// Poses written back into the files they came from.
#include <algorithm>
#include <regex>

#include "repose/base/plain_file.h"
#include "repose/base/random.h"

#include "open.h"

namespace repose::handover {
namespace {

std::string bytes_of(const std::string& name) {
  return read_plain_file(file_named(name), 1U << 20U, "a file").value();
}
std::vector<BodyPose> shaken(const Handed& handed, std::uint64_t seed) {
  Random random(seed);
  std::vector<BodyPose> out;
  for (const SceneBody& body : handed.scene.bodies) {
    if (body.fixed) continue;
    const Pose pose{body.position + 0.1 * random_direction(random), random_rotation(random)};
    out.push_back({body.name, pose});
  }
  return out;
}
void expect_there(const Handed& handed, const std::vector<BodyPose>& poses) {
  constexpr double kRounding = 1e-14;
  for (const BodyPose& wanted : poses) {
    const Pose found = body_of(handed, wanted.body).pose();
    EXPECT_LT((found.position - wanted.world_from_body.position).norm(), kRounding) << wanted.body;
    const Quat off = found.rotation * wanted.world_from_body.rotation.conjugate();
    EXPECT_LT(off.vec().norm(), kRounding) << wanted.body;
  }
}

TEST(WithPoses, poses_read_back_to_the_last_digits) {
  for (const char* name : {"mugs.xml", "arm.xml", "hammer.xml", "bin_picking.urdf", "shelf.sdf",
                           "kitchen.usda", "isaac.usda", "shelf.gltf"}) {
    const Handed handed = opened(name);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto poses = shaken(handed, seed);
      ASSERT_FALSE(poses.empty()) << name;
      const auto text = with_poses(handed, poses);
      ASSERT_TRUE(text) << text.error().text();
      const auto again = read_as(name, *text);
      ASSERT_TRUE(again) << again.error().text();
      ASSERT_EQ(again->scene.bodies.size(), handed.scene.bodies.size()) << name;
      expect_there(*again, poses);
      for (const SceneBody& body : handed.scene.bodies) {
        if (!body.fixed) continue;
        EXPECT_EQ(body_of(*again, body.name).position, body.position) << body.name;
      }
    }
  }
}

TEST(WithPoses, what_is_not_a_pose_is_byte_for_byte_as_it_came) {
  const auto without = [](std::string text, const std::string& pattern) {
    return std::regex_replace(text, std::regex(pattern), "");
  };
  const auto written = [&](const char* name) {
    const Handed handed = opened(name);
    return with_poses(handed, shaken(handed, 7)).value();
  };
  const std::string mjcf_pose = " (pos|quat|euler)=\"[^\"]*\"";
  const std::string key = "\n  <keyframe>\n    <key name=\"settled\"[^>]*/>\n  </keyframe>\n";
  EXPECT_EQ(without(without(written("mugs.xml"), key), mjcf_pose),
            without(bytes_of("mugs.xml"), mjcf_pose));
  const std::string origin = "(xyz|rpy)=\"[^\"]*\" ?";
  EXPECT_EQ(without(without(written("bin_picking.urdf"), origin), " ?/>"),
            without(without(bytes_of("bin_picking.urdf"), origin), " ?/>"));
  const std::string sdf_pose = ">[-+0-9.e ]*</pose>";
  EXPECT_EQ(without(written("shelf.sdf"), sdf_pose), without(bytes_of("shelf.sdf"), sdf_pose));
  const std::string usd_pose =
      "(float3|double3|quatf|quatd|matrix4d) xformOp:(translate|rotateXYZ|orient|transform) = .*\n "
      "*";
  for (const char* name : {"kitchen.usda", "isaac.usda"})
    EXPECT_EQ(without(written(name), usd_pose), without(bytes_of(name), usd_pose));
  const std::string gltf_pose = "\"(translation|rotation|matrix)\":\\[[^\\]]*\\],?";
  const auto bare = [&](const std::string& text) {
    return without(without(text, "\\s+"), gltf_pose);
  };
  EXPECT_EQ(bare(written("shelf.gltf")), bare(bytes_of("shelf.gltf")));
}

TEST(WithPoses, no_poses_change_nothing_but_the_key) {
  for (const char* name :
       {"bin_picking.urdf", "shelf.sdf", "kitchen.usda", "isaac.usda", "shelf.gltf"})
    EXPECT_EQ(with_poses(opened(name), {}).value(), bytes_of(name));
}

TEST(WithPoses, an_included_file_that_changes_is_set_in) {
  const Handed handed = opened("arm.xml");
  const auto text = with_poses(handed, {{"ball", Pose{{0.3, 0.0, 0.5}, Quat::Identity()}}});
  ASSERT_TRUE(text);
  EXPECT_EQ(text->find("<include"), std::string::npos);
  EXPECT_NE(text->find("<body name=\"ball\" pos=\"0.3 0 0.5\">"), std::string::npos) << *text;
  EXPECT_NE(text->find("<key name=\"home\""), std::string::npos);
  EXPECT_NE(text->find("<key name=\"settled\" qpos=\"0.3 0 0.5 1 0 0 0 0.4 -0.6 "),
            std::string::npos);
  // a file that does not change stays where it is
  const auto other = with_poses(handed, {{"block", Pose{}}});
  EXPECT_NE(other.value().find("<include file=\"parts/bin.xml\"/>"), std::string::npos);
}

TEST(WithPoses, a_right_angle_of_pitch_loses_nothing) {
  const Handed handed = opened("bin_picking.urdf");
  for (const double off : {0.0, 1e-9, -1e-7}) {
    const Quat up(Eigen::AngleAxisd(0.7, Vec3::UnitZ()) *
                  Eigen::AngleAxisd(1.5707963267948966 + off, Vec3::UnitY()));
    const std::vector<BodyPose> poses{{"die", Pose{{1, 2, 3}, up}}};
    const auto again = read_as("bin_picking.urdf", with_poses(handed, poses).value());
    ASSERT_TRUE(again);
    expect_there(*again, poses);
  }
}

TEST(WithPoses, the_first_link_of_a_robot_has_no_place_for_its_pose) {
  const auto handed = read_as("x.urdf", R"(<robot name="r"><link name="cup">
    <collision><geometry><sphere radius="1"/></geometry></collision></link></robot>)");
  ASSERT_TRUE(handed) << handed.error().text();
  const auto text = with_poses(*handed, {{"cup", Pose{}}});
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().text().find("x.urdf:1:"), std::string::npos) << text.error().text();
}

}  // namespace
}  // namespace repose::handover
