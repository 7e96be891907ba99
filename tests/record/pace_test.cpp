#include "repose/record/pace.h"

#include <gtest/gtest.h>

#include "repose/record/recording_writer.h"

#include "record/balls.h"
#include "record/folder.h"

namespace repose {
namespace {

class PaceTest : public testing::FolderTest {
 protected:
  /// Two balls over three frames; the first goes 1 m, then the second 0.25 m and turns by 0.5 rad.
  Result<Recording> record(const std::string& method, long stride = 1) {
    testing::Balls balls(2);
    balls.problem.bodies[1].center_body = Vec3(0.0, 0.2, 0.0);
    RecordingHead head;
    head.method = method;
    auto writer = RecordingWriter::create(path_, head);
    EXPECT_TRUE(writer && writer->set_bodies(balls.problem));
    EXPECT_TRUE(writer->add_frame(balls.state, {}));
    balls.state.step += stride;
    balls.state.bodies[0].world_from_body.position += Vec3(0.0, 1.0, 0.0);
    EXPECT_TRUE(writer->add_frame(balls.state, {}));
    balls.state.step += stride;
    balls.state.bodies[1].world_from_body.position += Vec3(0.0, 0.0, 0.25);
    balls.state.bodies[1].world_from_body.rotation = rotation_from_vector(Vec3(0.0, 0.0, 0.5));
    EXPECT_TRUE(writer->add_frame(balls.state, {}));
    if (edited_) {
      RecordedEvent event;
      event.kind = "edit";
      EXPECT_TRUE(writer->add_event(event));
    }
    EXPECT_TRUE(writer->finish());
    return Recording::open(path_);
  }

  bool edited_ = false;
};

TEST_F(PaceTest, the_fastest_body_moves_evenly) {
  const auto recording = record("pile");
  ASSERT_TRUE(recording);
  const auto pace = EvenPace::of(*recording);
  ASSERT_TRUE(pace);
  EXPECT_TRUE(pace->proven_between());
  EXPECT_NEAR(pace->length(), 1.0 + 0.25 + 0.5 * 0.5, 1e-12);
  EXPECT_EQ(pace->at(0.0).frame, 0);
  EXPECT_EQ(pace->at(1.0).frame, 2);
  EXPECT_EQ(pace->at(1.0).share, 0.0);
  const Moment early = pace->at(0.3 / pace->length()), late = pace->at(1.25 / pace->length());
  EXPECT_EQ(early.frame, 0);
  EXPECT_NEAR(early.share, 0.3, 1e-12);
  EXPECT_EQ(late.frame, 1);
  EXPECT_NEAR(late.share, 0.5, 1e-12);
}

TEST_F(PaceTest, in_true_time_each_moment_shows_the_frame_that_was_last) {
  testing::Balls balls(1);
  RecordingHead head;
  head.method = "mechanism";
  auto writer = RecordingWriter::create(path_, head);
  ASSERT_TRUE(writer && writer->set_bodies(balls.problem));
  for (const double time : {0.5, 0.7, 1.5}) {
    balls.state.time = time;
    balls.state.step += 1;
    ASSERT_TRUE(writer->add_frame(balls.state, {}));
  }
  ASSERT_TRUE(writer->finish());
  const auto recording = Recording::open(path_);
  ASSERT_TRUE(recording);
  EXPECT_TRUE(has_time(*recording));
  EXPECT_EQ(moment_at_time(*recording, 0.0).frame, 0);
  EXPECT_EQ(moment_at_time(*recording, 0.19).frame, 0);
  EXPECT_EQ(moment_at_time(*recording, 0.21).frame, 1);
  EXPECT_EQ(moment_at_time(*recording, 0.99).frame, 1);
  EXPECT_EQ(moment_at_time(*recording, 1.0).frame, 2);
  EXPECT_EQ(moment_at_time(*recording, 9.0).frame, 2);
}

TEST_F(PaceTest, steps_alone_are_no_time) {
  const auto recording = record("pile");
  ASSERT_TRUE(recording);
  EXPECT_FALSE(has_time(*recording));
}

TEST_F(PaceTest, between_frames_origins_go_straight_and_turns_are_even) {
  const auto recording = record("pile");
  ASSERT_TRUE(recording);
  const auto frame = frame_at(*recording, {1, 0.25});
  ASSERT_TRUE(frame);
  const Pose start = recording->frame(1)->poses[1];
  EXPECT_LT((frame->poses[1].position - start.position - Vec3(0.0, 0.0, 0.0625)).norm(), 1e-15);
  const Quat quarter = rotation_from_vector(Vec3(0.0, 0.0, 0.125));
  EXPECT_NEAR(std::fabs(frame->poses[1].rotation.dot(quarter)), 1.0, 1e-15);
  EXPECT_EQ(frame->poses[0].position, recording->frame(1)->poses[0].position);
}

TEST_F(PaceTest, of_place_the_centre_of_mass_goes_straight) {
  const auto recording = record("place");
  ASSERT_TRUE(recording);
  const auto frame = frame_at(*recording, {1, 0.25});
  ASSERT_TRUE(frame);
  const Vec3 center = recording->bodies()[1].center_body;
  ASSERT_GT(center.norm(), 0.01);
  const Vec3 from = recording->frame(1)->poses[1] * center;
  const Vec3 to = recording->frame(2)->poses[1] * center;
  EXPECT_LT((frame->poses[1] * center - 0.75 * from - 0.25 * to).norm(), 1e-15);
}

TEST_F(PaceTest, only_consecutive_steps_of_pile_and_place_are_proven_in_between) {
  EXPECT_TRUE(EvenPace::of(*record("place"))->proven_between());
  EXPECT_FALSE(EvenPace::of(*record("mechanism"))->proven_between());
  EXPECT_FALSE(EvenPace::of(*record("pile", 2))->proven_between());
}

TEST_F(PaceTest, an_edit_may_move_bodies_where_nobody_looked) {
  edited_ = true;
  EXPECT_FALSE(EvenPace::of(*record("pile"))->proven_between());
}

}  // namespace
}  // namespace repose
