#include "repose/report/report.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "repose/report/page.h"

#include "src/output/report/arrays.h"
#include "src/output/report/manifest.h"
#include "src/output/report/motion.h"

namespace repose::report {
namespace {

/// What the page's script does to a track.
std::vector<std::int32_t> integrated(const std::vector<std::int32_t>& words) {
  std::vector<std::int32_t> out;
  std::uint32_t value = 0, slope = 0;
  for (std::size_t f = 0; f < words.size(); ++f) {
    const auto word = static_cast<std::uint32_t>(words[f]);
    const std::uint32_t bend = (word >> 1) ^ (0u - (word & 1u));
    if (f > 0) slope += bend;
    value = f == 0 ? bend : value + slope;
    out.push_back(static_cast<std::int32_t>(value));
  }
  return out;
}

Replay moving_ball(int frames) {
  Replay replay;
  DrawingShape ball;
  ball.form = DrawingForm::ball;
  ball.radius = ball.bounding_radius = 0.5;
  replay.shapes.push_back(ball);
  replay.bodies.resize(2);
  for (int f = 0; f < frames; ++f) {
    ReplayFrame frame;
    frame.step = f;
    frame.poses.resize(2);
    frame.poses[1].position = Vec3(0.1 * f, -0.013 * f * f, 3.0);
    frame.poses[1].rotation = rotation_from_vector(Vec3(0.0, 0.05 * f, 0.0));
    replay.frames.push_back(frame);
  }
  return replay;
}

TEST(track, second_differences_give_back_every_number) {
  const std::vector<std::vector<std::int32_t>> tracks = {
      {},
      {7},
      {-5, 5},
      {0, 1073741823, -1073741824, 1073741823, 12},
      {3, 1, 4, 1, 5, -9, 2, 6, 5, 3, 5}};
  for (const auto& track : tracks) {
    auto words = track;
    differentiate(words.data(), words.size());
    EXPECT_EQ(integrated(words), track);
  }
}

TEST(motion, places_are_kept_to_a_millionth_of_the_scene) {
  const Replay replay = moving_ball(150);
  const Motion motion = motion_of(replay);
  ASSERT_EQ(motion.movers, std::vector<int>{1});
  ASSERT_EQ(motion.blocks.size(), 3u);
  const double size = (Vec3(0.5, 0.5, 3.5) - Vec3(-0.5, -0.5, -0.5)).norm();
  std::size_t first = 0;
  for (const auto& block : motion.blocks) {
    const std::size_t length = block.size() / 7;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto begin = block.begin() + static_cast<long>(c * length);
      const auto track = integrated({begin, begin + static_cast<long>(length)});
      for (std::size_t f = 0; f < length; ++f) {
        const auto axis = static_cast<long>(c);
        const double got = motion.origin[axis] + motion.position_step * track[f];
        EXPECT_NEAR(got, replay.frames[first + f].poses[1].position[axis], 1e-6 * size);
      }
    }
    first += length;
  }
  EXPECT_EQ(first, 150u);
}

TEST(motion, a_body_that_flies_far_does_not_overflow) {
  Replay replay = moving_ball(3);
  replay.frames[2].poses[1].position = Vec3(1e9, 0.0, 0.0);
  const Motion motion = motion_of(replay);
  const auto track = integrated({motion.blocks[0].begin(), motion.blocks[0].begin() + 3});
  EXPECT_NEAR(motion.origin.x() + motion.position_step * track[2], 1e9, 2.0);
}

TEST(arrays, base64_agrees_with_the_standard_examples) {
  const auto encoded = [](const std::string& text) {
    return base64(std::vector<unsigned char>(text.begin(), text.end()));
  };
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(manifest, no_name_can_end_its_script_element) {
  Replay replay = moving_ball(2);
  replay.title = "</script><!--";
  replay.bodies[0].name = "<script>\xFF";
  Arrays arrays;
  EXPECT_EQ(manifest_of(replay, arrays).find('<'), std::string::npos);
}

TEST(page, markup_in_text_is_escaped) {
  EXPECT_EQ(html_text("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(verdict, a_missed_promise_is_named_with_its_measure) {
  const ShownVerdict verdict = verdict_of(
      R"({"status": "rest", "exit_code": 1, "promises": [
          {"name": "a", "promised": "1", "measured": "0.5", "kept": true},
          {"name": "b", "promised": "1", "measured": "2", "kept": false}]})");
  EXPECT_EQ(verdict.exit_code, 1);
  EXPECT_EQ(verdict.headline, "At rest. One promise was missed.");
  ASSERT_EQ(verdict.promises.size(), 2u);
  EXPECT_TRUE(verdict.promises[0].kept);
  EXPECT_FALSE(verdict.promises[1].kept);
  EXPECT_EQ(verdict.promises[1].measured, "2");
}

TEST(verdict, a_run_that_promised_nothing_is_not_said_to_have_kept_it) {
  EXPECT_EQ(verdict_of(R"({"status": "finished"})").headline, "Finished. Nothing was promised.");
}

TEST(verdict, a_run_cut_short_says_so) {
  EXPECT_EQ(verdict_of("").exit_code, 1);
  EXPECT_EQ(verdict_of("{\"status\":").status, "cut short");
}

TEST(replay_page, a_frame_that_is_not_finite_is_refused) {
  Replay replay = moving_ball(3);
  replay.frames[1].poses[0].position.x() = std::nan("");
  const auto page = replay_page(replay);
  ASSERT_FALSE(page);
  EXPECT_NE(page.error().wrong.find("step 1"), std::string::npos);
}

}  // namespace
}  // namespace repose::report
