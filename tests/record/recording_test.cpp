#include "repose/record/recording.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "repose/record/recording_writer.h"

#include "record/balls.h"
#include "record/folder.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

class RecordingTest : public testing::FolderTest {};

RecordingHead head() {
  RecordingHead out;
  out.scene = "balls";
  out.scene_text = "{\"version\": 1} // as it was read";
  out.method = "still";
  out.settings = {{"steps", "1"}};
  out.seed = 18446744073709551615ULL;
  out.gravity = Vec3(0.0, 0.1, -9.81);
  return out;
}

Audit audit(double energy) {
  Audit out;
  out.energy = energy;
  out.series = {{"kinetic", 2.0 * energy}, {"rows", 7.0}};
  return out;
}

shape::ShapePtr row_of(std::size_t balls) {
  auto shape = std::make_shared<shape::Shape>();
  shape->kind = shape::ShapeKind::sphere_set;
  shape::SphereSet set;
  for (std::size_t i = 0; i < balls; ++i)
    set.centers.emplace_back(0.1 * static_cast<double>(i), 0, 0);
  set.radii.assign(balls, 0.05);
  for (int i = 1; i < static_cast<int>(balls); ++i) set.links.push_back({i - 1, i});
  shape->geometry = set;
  shape->bounding_radius = 1.0;
  return shape;
}

TEST_F(RecordingTest, a_soft_body_that_parts_is_two_bodies_from_that_frame_on) {
  testing::Balls balls(1);
  Body& row = balls.problem.bodies[0];
  row.shape = row_of(4);
  auto& soft = balls.state.bodies[0].soft;
  soft.positions = std::get<shape::SphereSet>(row.shape->geometry).centers;
  soft.radii = std::vector<double>(4, 0.05);
  auto writer = RecordingWriter::create(path_, head());
  ASSERT_TRUE(writer) << writer.error().text();
  ASSERT_TRUE(writer->set_bodies(balls.problem));
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
  // the first pair keeps the name, the second is new
  const std::vector<Vec3> all = soft.positions.view();
  row.shape = row_of(2);
  balls.problem.bodies.push_back(Body(row));
  balls.problem.bodies[1].name = "part";
  balls.state.bodies.push_back(BodyState(balls.state.bodies[0]));
  balls.state.bodies[0].soft.positions = {all[0], all[1]};
  balls.state.bodies[1].soft.positions = {all[2], all[3]};
  for (BodyState& body : balls.state.bodies) body.soft.radii = {0.05, 0.05};
  ASSERT_TRUE(writer->set_bodies(balls.problem));
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
  ASSERT_TRUE(writer->finish());

  const auto recording = Recording::open(path_);
  ASSERT_TRUE(recording) << recording.error().text();
  ASSERT_EQ(recording->bodies().size(), 3U) << "the row, its first pair, its second";
  const auto first = recording->frame(0), second = recording->frame(1);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->soft[0].size(), 4U);
  EXPECT_TRUE(first->soft[0].radii.empty()) << "they are those of the drawing";
  ASSERT_EQ(second->soft.size(), 2U);
  EXPECT_EQ(second->soft[1].positions.view()[1], all[3]);
  const auto& part = recording->bodies()[static_cast<std::size_t>(second->bodies[1])];
  EXPECT_EQ(part.name, "part");
  const auto& drawing = recording->shapes()[static_cast<std::size_t>(part.shape)];
  EXPECT_EQ(drawing.links, (std::vector<std::array<int, 2>>{{0, 1}}));
}

TEST_F(RecordingTest, what_is_written_is_read_back_to_the_last_bit) {
  testing::Balls balls(3);
  Contact contact;
  contact.body_a = 0;
  contact.body_b = 2;
  contact.point_world = Vec3(0.1, 0.2, 0.3);
  contact.gap = -1.0 / 3.0;
  contact.force_on_b = Vec3(0.0, 0.0, 9.81);
  balls.state.contacts = {contact};
  balls.state.bodies[1].world_from_body.rotation = rotation_from_vector(Vec3(0.1, -0.2, 0.3));
  balls.state.bodies[2].soft.positions = {Vec3(1.0, 2.0, 3.0), Vec3(0.1, 0.2, 1.0 / 3.0)};
  balls.state.bodies[2].soft.velocities = {Vec3(0.0, -2.0, 1.0 / 7.0), Vec3(0.5, 0.0, 0.0)};
  balls.state.bodies[2].soft.radii = {0.25, 1.0 / 3.0};
  balls.problem.bodies[1].groups = {"odd \"ones\"", "second"};
  balls.problem.bodies[1].material.color = {0.1, 0.2, 0.3};

  auto writer = RecordingWriter::create(path_, head());
  ASSERT_TRUE(writer) << writer.error().text();
  ASSERT_TRUE(writer->set_bodies(balls.problem));
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.5)));
  balls.state.step = 4;
  balls.state.time = 0.1;
  ASSERT_TRUE(writer->add_frame(balls.state, audit(0.5)));
  ASSERT_TRUE(writer->add_event({4, 0.1, "edit", "ball1", "ball1 was moved"}));
  ASSERT_TRUE(writer->set_result("{}"));
  ASSERT_TRUE(writer->finish());
  EXPECT_EQ(writer->committed_frames(), 2);
  EXPECT_FALSE(fs::exists(path_.string() + "-wal"));

  const auto recording = Recording::open(path_);
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->head().scene_text, head().scene_text);
  EXPECT_EQ(recording->head().seed, head().seed);
  EXPECT_EQ(recording->head().settings, head().settings);
  EXPECT_EQ(recording->head().gravity, head().gravity);
  EXPECT_EQ(recording->result_text(), "{}");
  ASSERT_EQ(recording->shapes().size(), 1U) << "a shared shape is stored once";
  EXPECT_EQ(recording->shapes()[0].form, DrawingForm::ball);
  EXPECT_EQ(recording->shapes()[0].radius, 0.5);
  ASSERT_EQ(recording->bodies().size(), 3U);
  EXPECT_EQ(recording->bodies()[1].groups, balls.problem.bodies[1].groups);
  EXPECT_EQ(recording->bodies()[1].material.color, balls.problem.bodies[1].material.color);
  EXPECT_EQ(recording->bodies()[1].mass, balls.problem.bodies[1].mass);
  ASSERT_EQ(recording->frame_count(), 2);
  EXPECT_EQ(recording->steps(), (std::vector<long>{0, 4}));
  EXPECT_EQ(recording->times(), (std::vector<double>{0.0, 0.1}));
  EXPECT_EQ(recording->series_names(), (std::vector<std::string>{"energy", "kinetic", "rows"}));
  EXPECT_EQ(recording->series("energy"), (std::vector<double>{1.5, 0.5}));
  EXPECT_EQ(recording->series("kinetic"), (std::vector<double>{3.0, 1.0}));
  EXPECT_TRUE(recording->series("no such").empty());
  ASSERT_EQ(recording->events().size(), 1U);
  EXPECT_EQ(recording->events()[0].text, "ball1 was moved");

  const auto frame = recording->frame(1);
  ASSERT_TRUE(frame) << frame.error().text();
  ASSERT_EQ(frame->poses.size(), 3U);
  EXPECT_EQ(frame->poses[1].rotation.coeffs(),
            balls.state.bodies[1].world_from_body.rotation.coeffs());
  EXPECT_EQ(frame->poses[2].position, balls.state.bodies[2].world_from_body.position);
  EXPECT_EQ(frame->soft[2].positions, balls.state.bodies[2].soft.positions);
  EXPECT_TRUE(frame->soft[0].empty());
  EXPECT_EQ(frame->soft[2].velocities, balls.state.bodies[2].soft.velocities);
  EXPECT_EQ(frame->soft[2].radii, balls.state.bodies[2].soft.radii);
  ASSERT_EQ(frame->contacts.size(), 1U);
  EXPECT_EQ(frame->contacts[0].gap, contact.gap);
  EXPECT_EQ(frame->contacts[0].body_b, 2);
  EXPECT_EQ(frame->contacts[0].force_on_b, contact.force_on_b);
}

TEST_F(RecordingTest, bodies_may_come_and_go_between_frames) {
  testing::Balls balls(3);
  auto writer = RecordingWriter::create(path_, head());
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->set_bodies(balls.problem));
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
  balls.problem.bodies.erase(balls.problem.bodies.begin() + 1);
  balls.state.bodies.erase(balls.state.bodies.begin() + 1);
  Contact contact;
  contact.body_a = 0;
  contact.body_b = 1;
  balls.state.contacts = {contact};
  ASSERT_TRUE(writer->set_bodies(balls.problem));
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
  ASSERT_TRUE(writer->finish());

  const auto recording = Recording::open(path_);
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->bodies().size(), 3U);
  EXPECT_EQ(recording->frame(0)->bodies, (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(recording->frame(1)->bodies, (std::vector<int>{0, 2}));
  EXPECT_EQ(recording->frame(1)->contacts[0].body_b, 2);
}

TEST_F(RecordingTest, a_growing_recording_can_be_read_and_refreshed) {
  testing::Balls balls(2);
  auto writer = RecordingWriter::create(path_, head(), {.commit_every = 0.0});
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->set_bodies(balls.problem));
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
  auto recording = Recording::open(path_);
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->frame_count(), 1);
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
  ASSERT_TRUE(recording->refresh());
  EXPECT_EQ(recording->frame_count(), 2);
}

TEST_F(RecordingTest, uncommitted_frames_are_not_counted) {
  testing::Balls balls(2);
  auto writer = RecordingWriter::create(path_, head(), {.commit_every = 10.0});
  ASSERT_TRUE(writer);
  ASSERT_TRUE(writer->set_bodies(balls.problem));
  ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
  EXPECT_EQ(writer->committed_frames(), 0);
  EXPECT_EQ(Recording::open(path_)->frame_count(), 0);
  ASSERT_TRUE(writer->commit());
  EXPECT_EQ(writer->committed_frames(), 1);
  EXPECT_EQ(Recording::open(path_)->frame_count(), 1);
}

TEST_F(RecordingTest, a_folder_that_is_not_there_is_named) {
  const auto writer = RecordingWriter::create(folder_ / "none" / "recording.repose", head());
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().text().find("none"), std::string::npos) << writer.error().text();
}

TEST_F(RecordingTest, other_files_are_refused_as_recordings) {
  EXPECT_FALSE(Recording::open(path_));
  std::ofstream(path_) << "not a database, by far not one; only text that goes on for a while";
  const auto text = Recording::open(path_);
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().text().find(path_.string()), std::string::npos);
  std::ofstream(path_, std::ios::trunc) << "";
  EXPECT_FALSE(Recording::open(path_));
}

TEST_F(RecordingTest, a_new_recording_replaces_an_old_unfinished_one_with_its_log) {
  testing::Balls balls(2);
  {
    auto writer = RecordingWriter::create(path_, head(), {.commit_every = 0.0});
    ASSERT_TRUE(writer->set_bodies(balls.problem));
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(writer->add_frame(balls.state, audit(1.0)));
    // as a kill would leave it
    fs::copy_file(path_, folder_ / "main");
    fs::copy_file(path_.string() + "-wal", folder_ / "log");
  }
  fs::remove(path_);
  fs::rename(folder_ / "main", path_);
  fs::rename(folder_ / "log", path_.string() + "-wal");
  EXPECT_EQ(Recording::open(path_)->frame_count(), 5) << "file and log alone are enough";
  auto writer = RecordingWriter::create(path_, head());
  ASSERT_TRUE(writer) << writer.error().text();
  EXPECT_EQ(Recording::open(path_)->frame_count(), 0);
}

}  // namespace
}  // namespace repose
