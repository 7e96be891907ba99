#include "repose/exchange/csv.h"

#include <fstream>

#include <gtest/gtest.h>

#include "output/exchange/recordings.h"

namespace repose::exchange {
namespace {

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

class Csv : public InFolder {};

TEST_F(Csv, every_series_has_a_column_and_numbers_read_back_exactly) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_csv(recording, folder / "run.csv"));
  const auto lines = lines_of(folder / "run.csv");
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[0], "frame,step,time,energy,\"speed, worst\"");
  double energy = 0.0;
  ASSERT_EQ(std::sscanf(lines[3].c_str(), "2,20,1,%lf,0.5", &energy), 1) << lines[3];
  EXPECT_EQ(energy, 1.0 / 5.0);
}

TEST_F(Csv, poses_have_a_row_for_every_body_of_every_frame) {
  const Recording recording = five_frames(folder / "recording.repose");
  ASSERT_TRUE(write_csv(recording, folder / "run.csv"));
  const auto lines = lines_of(folder / "run-poses.csv");
  ASSERT_EQ(lines.size(), 1U + 5U * 4U);
  EXPECT_EQ(lines[2], "0,0,0,\"rises, slowly\",0,3,0.5,1,0,0,0");
}

TEST_F(Csv, an_unwritable_place_is_named) {
  const Recording recording = five_frames(folder / "recording.repose");
  const auto done = write_csv(recording, folder / "none" / "run.csv");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("none/run.csv"), std::string::npos);
}

}  // namespace
}  // namespace repose::exchange
