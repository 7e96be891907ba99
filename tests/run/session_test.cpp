#include "repose/run/session.h"

#include <gtest/gtest.h>

#include "run/falling.h"

namespace repose {
namespace {

Session session_of(testing::Balls balls, const SettingValues& settings = {}) {
  auto session = Session::start(std::move(balls.problem), std::move(balls.state),
                                testing::falling(), settings);
  EXPECT_TRUE(session) << session.error().text();
  return std::move(*session);
}

testing::Balls high_balls(int count) {
  testing::Balls out(count);
  for (BodyState& body : out.state.bodies) body.world_from_body.position.z() = 10.0;
  return out;
}

double height(const Session& session, std::size_t body = 0) {
  return session.state().bodies[body].world_from_body.position.z();
}

Edit edit(EditKind kind, const std::string& target = {}, SettingValues values = {}) {
  Edit out;
  out.kind = kind;
  out.target = target;
  out.values = std::move(values);
  return out;
}

TEST(session, undo_and_redo_give_back_every_state_to_the_last_bit) {
  Session session = session_of(high_balls(3));
  session.keep_states(100);
  std::vector<std::string> hashes = {state_hash(session.state())};
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(session.step());
    hashes.push_back(state_hash(session.state()));
  }
  EXPECT_EQ(session.undo(4), 4);
  EXPECT_EQ(state_hash(session.state()), hashes[6]);
  EXPECT_EQ(session.redo(2), 2);
  EXPECT_EQ(state_hash(session.state()), hashes[8]);
  EXPECT_EQ(session.undo(100), 8);
  EXPECT_EQ(state_hash(session.state()), hashes[0]);
  EXPECT_EQ(session.redo(100), 10);
  EXPECT_EQ(state_hash(session.state()), hashes[10]);
}

TEST(session, states_are_found_again_by_their_numbers) {
  Session session = session_of(high_balls(2));
  session.keep_states(5);
  std::vector<long> numbers;
  std::vector<std::string> hashes;
  for (int i = 0; i < 8; ++i) {
    ASSERT_TRUE(session.step());
    numbers.push_back(session.state_number());
    hashes.push_back(state_hash(session.state()));
  }
  EXPECT_EQ(session.undoable(), 4);
  EXPECT_EQ(session.undo_to(numbers[5]), 2);
  EXPECT_EQ(state_hash(session.state()), hashes[5]);
  EXPECT_EQ(session.redoable(), 2);
  EXPECT_EQ(session.undo_to(0), 2);  // no farther than what is kept
  EXPECT_EQ(session.state_number(), numbers[3]);
  EXPECT_EQ(session.redo_to(numbers[6]), 3);
  EXPECT_EQ(state_hash(session.kept(0).state), hashes[3]);
  EXPECT_EQ(state_hash(session.kept(session.undoable()).state), hashes[6]);
  ASSERT_TRUE(session.step());
  EXPECT_GT(session.state_number(), numbers[7]);  // no number comes twice
}

TEST(session, a_marked_state_is_gone_back_to_however_many_states_came_after_it) {
  Session session = session_of(high_balls(2));
  session.keep_states(5);
  ASSERT_TRUE(session.step());
  session.mark();
  const long marked = session.state_number();
  const std::string there = state_hash(session.state());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(session.step());
  const std::string last = state_hash(session.state());
  EXPECT_EQ(session.undoable(), 4);
  EXPECT_EQ(session.undo_to(marked), 4);
  EXPECT_EQ(state_hash(session.state()), there);
  EXPECT_EQ(session.redo(4), 4);
  EXPECT_EQ(state_hash(session.state()), last);
  // where all are marked, the oldest goes
  for (int i = 0; i < 20; ++i) {
    session.mark();
    ASSERT_TRUE(session.step());
  }
  EXPECT_EQ(session.undoable(), 4);
  EXPECT_GT(session.kept(0).number, marked);
}

TEST(session, steps_taken_again_after_undo_give_the_same_states) {
  Session session = session_of(high_balls(2));
  session.keep_states(100);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(session.step());
  const std::string before = state_hash(session.state());
  session.undo(3);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(session.step());
  EXPECT_EQ(state_hash(session.state()), before);
  EXPECT_EQ(session.redo(), 0) << "a new step drops what was undone";
}

TEST(session, only_as_many_states_are_kept_as_asked) {
  Session session = session_of(high_balls(1));
  session.keep_states(3);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(session.step());
  EXPECT_EQ(session.undo(100), 2);
}

TEST(session, branches_go_their_own_way) {
  Session session = session_of(high_balls(1));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(session.step());
  auto branch = session.branch();
  ASSERT_TRUE(branch);
  ASSERT_TRUE(branch->apply(edit(EditKind::set, "speed", {{"value", 2.0}})));
  ASSERT_TRUE(session.step());
  ASSERT_TRUE(branch->step());
  EXPECT_EQ(height(session), 8.5);
  EXPECT_EQ(height(*branch), 7.0);
}

TEST(session, a_setting_changes_while_the_run_goes_on_and_comes_back_with_undo) {
  Session session = session_of(high_balls(1));
  session.keep_states(100);
  ASSERT_TRUE(session.apply(edit(EditKind::set, "speed", {{"value", 2.0}})));
  ASSERT_TRUE(session.step());
  EXPECT_EQ(height(session), 8.0);
  session.undo(2);
  EXPECT_EQ(std::get<double>(session.settings().at("speed")), 0.5);
  ASSERT_TRUE(session.step());
  EXPECT_EQ(height(session), 9.5);
}

TEST(session, edits_add_remove_fix_free_and_move_bodies) {
  Session session = session_of(high_balls(2));
  session.keep_states(100);
  const long version = session.problem_version();
  Edit add = edit(EditKind::add);
  add.body = std::make_shared<const Body>(testing::body("new", testing::ball(0.2), 0));
  add.body_state.world_from_body.position = Vec3(0.0, 0.0, 20.0);
  ASSERT_TRUE(session.apply(add));
  EXPECT_NE(session.problem_version(), version);
  EXPECT_FALSE(session.apply(add)) << "the name is taken";
  EXPECT_EQ(session.problem().bodies[2].id.index, 2U);
  ASSERT_TRUE(session.apply(edit(EditKind::fix, "ball0")));
  ASSERT_TRUE(session.apply(edit(EditKind::remove, "ball1")));
  EXPECT_EQ(session.problem().find_body("new"), 1);
  EXPECT_EQ(session.problem().bodies[1].id.index, 1U);
  ASSERT_TRUE(session.step());
  EXPECT_EQ(height(session, 0), 10.0) << "fixed";
  EXPECT_EQ(height(session, 1), 19.5);
  ASSERT_TRUE(session.apply(edit(EditKind::free, "ball0")));
  Edit pose = edit(EditKind::pose, "ball0");
  pose.body_state.world_from_body.position = Vec3(0.0, 0.0, 5.0);
  ASSERT_TRUE(session.apply(pose));
  ASSERT_TRUE(session.step());
  EXPECT_EQ(height(session, 0), 4.5);
  session.undo(100);
  EXPECT_EQ(session.problem().bodies.size(), 2U);
  EXPECT_EQ(session.problem_version(), version);
  ASSERT_TRUE(session.step());
}

TEST(session, events_of_one_moment_happen_together_or_not_at_all) {
  Edit add = edit(EditKind::add);
  add.body = std::make_shared<const Body>(testing::body("new", testing::ball(0.2), 0));
  add.body_state.world_from_body.position = Vec3(0.0, 0.0, 20.0);
  for (const bool replaced : {true, false}) {
    testing::Balls balls = high_balls(1);
    balls.problem.events.push_back(
        {.when = AtStep{1}, .edit = edit(EditKind::remove, "ball0"), .pointer = {}});
    balls.problem.events.push_back({.when = AtStep{replaced ? 1 : 2}, .edit = add, .pointer = {}});
    Session session = session_of(std::move(balls), {{"fewest", 1L}});
    ASSERT_TRUE(session.step());
    const auto report = session.step();
    ASSERT_EQ(static_cast<bool>(report), replaced);
    EXPECT_EQ(session.problem().find_body("ball0"), replaced ? -1 : 0);
    EXPECT_EQ(session.take_fired().size(), replaced ? 2U : 0U);
    EXPECT_EQ(height(session), replaced ? 19.5 : 9.5);
    if (replaced) continue;
    EXPECT_NE(report.error().text().find("too few bodies"), std::string::npos);
  }
}

TEST(session, a_removed_body_takes_its_contacts_forces_and_joints_along) {
  testing::Balls balls = high_balls(3);
  Contact contact;
  contact.body_a = 0;
  contact.body_b = 1;
  balls.state.contacts.push_back(contact);
  contact.body_a = 0;
  contact.body_b = 2;
  balls.state.contacts.push_back(contact);
  Force spring;
  spring.body_a = "ball1";
  balls.problem.forces = {spring};
  Session session = session_of(balls);
  ASSERT_TRUE(session.apply(edit(EditKind::remove, "ball1")));
  ASSERT_EQ(session.state().contacts.size(), 1U);
  EXPECT_EQ(session.state().contacts[0].body_b, 1);
  EXPECT_TRUE(session.problem().forces.empty());
}

TEST(session, bodies_are_nudged_copied_frozen_and_let_pass) {
  Session session = session_of(high_balls(1));
  using V = std::array<double, 3>;
  ASSERT_TRUE(session.apply(
      edit(EditKind::nudge, "ball0", {{"move", V{0, 0, 1}}, {"turn", V{0, 0, 0.5}}})));
  EXPECT_EQ(height(session), 11.0);
  EXPECT_NEAR(vector_from_rotation(session.state().bodies[0].world_from_body.rotation).z(), 0.5,
              1e-12);
  ASSERT_TRUE(session.apply(
      edit(EditKind::replicate, "ball0", {{"name", std::string("twin")}, {"move", V{5, 0, 0}}})));
  EXPECT_EQ(session.state().bodies[1].world_from_body.position.x(), 5.0);
  EXPECT_FALSE(session.apply(edit(EditKind::replicate, "ball0", {{"name", std::string("twin")}})));
  ASSERT_TRUE(session.apply(edit(EditKind::freeze, "twin", {{"z", true}})));
  EXPECT_TRUE(session.problem().bodies[1].frozen[2]);
  EXPECT_FALSE(session.problem().bodies[1].frozen[0]);
  ASSERT_TRUE(session.apply(edit(EditKind::collide, "twin", {{"on", false}})));
  EXPECT_FALSE(session.problem().bodies[1].collides);
}

TEST(session, density_changes_mass_and_bad_materials_are_refused) {
  Session session = session_of(high_balls(1));
  const double mass = session.problem().bodies[0].mass;
  ASSERT_TRUE(session.apply(edit(EditKind::material, "ball0", {{"density", 2000.0}})));
  EXPECT_NEAR(session.problem().bodies[0].mass, 2.0 * mass, 1e-9);
  EXPECT_FALSE(session.apply(edit(EditKind::material, "ball0", {{"density", -1.0}})));
  EXPECT_FALSE(session.apply(edit(EditKind::material, "ball0", {{"colour", 1.0}})));
}

TEST(session, what_the_loop_does_not_know_goes_to_the_method) {
  Session session = session_of(high_balls(1));
  ASSERT_TRUE(session.apply(edit(EditKind::release)));
  EXPECT_EQ(height(session), 11.0);
  const auto refused = session.apply(edit(EditKind::join));
  ASSERT_FALSE(refused);
  EXPECT_EQ(height(session), 11.0);
}

TEST(session, a_step_that_makes_a_nan_throws_and_the_last_good_state_stays) {
  Session session = session_of(high_balls(1), {{"poison_step", std::int64_t{3}}});
  ASSERT_TRUE(session.step());
  ASSERT_TRUE(session.step());
  const std::string good = state_hash(session.state());
  EXPECT_THROW((void)session.step(), BrokenPromise);
  EXPECT_EQ(state_hash(session.state()), good);
  EXPECT_TRUE(all_finite(session.state()));
}

TEST(session, unknown_and_bad_settings_are_refused_by_name) {
  testing::Balls balls = high_balls(1);
  const auto unknown =
      Session::start(balls.problem, balls.state, testing::falling(), {{"sped", 1.0}});
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().text().find("sped"), std::string::npos);
  const auto bad =
      Session::start(balls.problem, balls.state, testing::falling(), {{"speed", -1.0}});
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().text().find("[0, inf)"), std::string::npos) << bad.error().text();
}

}  // namespace
}  // namespace repose
