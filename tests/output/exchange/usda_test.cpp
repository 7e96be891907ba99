#include "repose/exchange/usda.h"

#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "repose/handover/handover.h"
#include "repose/run/catalogue.h"

#include "output/exchange/recordings.h"

namespace repose::exchange {
namespace {

class Usda : public InFolder {};

TEST_F(Usda, a_run_has_units_samples_in_time_and_shapes_written_once) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_usda(recording, folder / "run.usda"));
  std::stringstream text;
  text << std::ifstream(folder / "run.usda").rdbuf();
  const std::string all = text.str();
  EXPECT_TRUE(all.starts_with("#usda 1.0\n"));
  for (const char* part : {"metersPerUnit = 1\n", "upAxis = \"Z\"\n", "timeCodesPerSecond = 24\n",
                           "def Xform \"rises__slowly\"\n", "double3 xformOp:translate.timeSamples",
                           "def Points \"shape\"\n", "point3f[] points.timeSamples"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
  std::size_t balls = 0;
  for (auto at = all.find("def Sphere"); at != std::string::npos;
       at = all.find("def Sphere", at + 1))
    ++balls;
  EXPECT_EQ(balls, 1U);
}

TEST_F(Usda, our_reader_finds_the_first_frame) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_usda(recording, folder / "run.usda"));
  const auto handed = handover::open_any((folder / "run.usda").string(), method_catalogue(), {});
  ASSERT_TRUE(handed) << handed.error().text();
  const std::map<std::string, Vec3> wanted{{"rests", Vec3(2.0, 0.0, 0.5)},
                                           {"rises__slowly", Vec3(0.0, 3.0, 0.5)},
                                           {"tetrahedron", Vec3::Zero()}};
  int found = 0;
  for (const SceneBody& body : handed->scene.bodies) {
    const auto known = wanted.find(body.name);
    if (known == wanted.end()) continue;
    EXPECT_EQ(body.position, known->second) << body.name;
    ++found;
  }
  EXPECT_EQ(found, 3);
}

}  // namespace
}  // namespace repose::exchange
