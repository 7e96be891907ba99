#include "repose/exchange/blender.h"

#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "output/exchange/recordings.h"

namespace repose::exchange {
namespace {

class Blender : public InFolder {};

/// The data of a script, as Python reads a string between single quotes.
nlohmann::json data_of(const std::filesystem::path& script) {
  std::stringstream text;
  text << std::ifstream(script).rdbuf();
  std::string line;
  while (std::getline(text, line) && !line.starts_with("DATA = '")) {
  }
  std::string plain;
  for (std::size_t i = 8; i + 1 < line.size(); ++i) plain += line[i] == '\\' ? line[++i] : line[i];
  return nlohmann::json::parse(plain);
}

TEST_F(Blender, a_script_holds_every_pose_and_each_shape_once) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_blender(recording, folder / "run.py"));
  const nlohmann::json data = data_of(folder / "run.py");
  EXPECT_EQ(data["frames"], nlohmann::json({0.0, 12.0, 24.0, 36.0, 48.0}));
  // a ball that two bodies share, a tetrahedron, the unit ball of soft points
  EXPECT_EQ(data["shapes"].size(), 3U);
  ASSERT_EQ(data["bodies"].size(), 5U);
  EXPECT_EQ(data["bodies"][0]["shape"], data["bodies"][1]["shape"]);
  EXPECT_EQ(data["bodies"][0]["locations"].size(), 1U);
  EXPECT_EQ(data["bodies"][1]["locations"][4], nlohmann::json({0.0, 3.0, 4.5}));
  EXPECT_EQ(data["bodies"][3]["locations"][2], nlohmann::json({0.0, 0.2, 4.0}));
  EXPECT_EQ(data["bodies"][4]["scale"], 0.125);
}

}  // namespace
}  // namespace repose::exchange
