// Hands that pull at random, to anywhere, as fast as they like. REPOSE_DRAGS sets how many drags
// each scene gets, REPOSE_DRAGS_SEED which.
#include <cstdlib>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/run/judge.h"

#include "serve/desk.h"

namespace repose::serve {
namespace {

constexpr int kFewDrags = 8;
constexpr int kSeed = 11;

int asked_or(const char* name, int usual) {
  const char* asked = std::getenv(name);
  return asked != nullptr ? std::atoi(asked) : usual;
}

Vec3 direction(Random& random) {
  const Vec3 out(random.normal(), random.normal(), random.normal());
  return out.normalized();
}

/// Pulls movable bodies about; every state is judged.
void pull_wildly(const std::string& scene, std::uint64_t seed, int drags) {
  Desk desk("unused");
  const auto opened = desk.open(scene);
  ASSERT_TRUE(opened) << opened.error().text();
  Random random(seed);
  std::vector<int> movable;
  double size = 0.0;
  for (std::size_t i = 0; i < desk.session().problem().bodies.size(); ++i) {
    const Body& body = desk.session().problem().bodies[i];
    if (body.held()) continue;
    movable.push_back(static_cast<int>(i));
    size = std::max(size, body.size());
  }
  ASSERT_FALSE(movable.empty());
  const double strengths[] = {0.0, 10.0, 1e4};  // the spring's own limit, a weak and a strong hand
  for (int k = 0; k < drags; ++k) {
    const auto body = static_cast<std::size_t>(movable[random.below(movable.size())]);
    const std::string name = desk.session().problem().bodies[body].name;
    const Vec3 from = desk.session().state().bodies[body].world_from_body.position;
    const double most = strengths[random.below(std::size(strengths))];
    const auto moves = 1 + random.below(4);
    for (std::uint64_t m = 0; m < moves; ++m) {
      // from a touch to a throw across the room: 100 m/s and more at these steps
      const double far = size * std::pow(10.0, random.between(-1.0, 2.0));
      const Vec3 to = from + far * direction(random);
      const auto done = desk.grab(1, name, m == 0 ? std::optional(from) : std::nullopt, to, most);
      ASSERT_TRUE(done) << done.error().text();
      for (int s = 0; s < 3; ++s) {
        desk.step();
        const Session& session = desk.session();
        ASSERT_TRUE(all_finite(session.state()));
        const Judgement said = judge(session.problem(), session.state(), {.judge_balance = false});
        ASSERT_NE(said.overlap, check::Answer::missed)
            << scene << ", drag " << k << " of " << name << ": " << said.why;
        ASSERT_EQ(said.overlap, check::Answer::proven) << scene << ": " << said.why;
      }
    }
    desk.release(1);
  }
  const long before = desk.session().state().step;
  desk.step();
  EXPECT_EQ(desk.session().state().step, before + 1) << "the session still answers";
}

void pull_wildly(const std::string& scene) {
  pull_wildly(scene, static_cast<std::uint64_t>(asked_or("REPOSE_DRAGS_SEED", kSeed)),
              asked_or("REPOSE_DRAGS", kFewDrags));
}

TEST(wild_hands, boxes_in_a_room_never_overlap) {
  pull_wildly("mechanism/moving-boxes");
}
TEST(wild_hands, a_linkage_and_its_blocks_never_overlap) {
  pull_wildly("mechanism/block-feeder");
}
// Joints that a strong hand has parted were closed again with a block in the way: 5e-8 of its size.
TEST(wild_hands, joints_that_close_again_push_nothing_into_anything) {
  constexpr std::uint64_t kFound = 20261119;
  constexpr int kDrags = 100;
  pull_wildly("mechanism/block-feeder", kFound, kDrags);
}
TEST(wild_hands, a_house_of_cards_never_overlaps) {
  pull_wildly("mechanism/card-house");
}
TEST(wild_hands, a_soft_box_never_enters_the_ground) {
  pull_wildly("molecule/box-on-ground-spheres");
}
TEST(wild_hands, soft_bodies_never_overlap) {
  pull_wildly("molecule/soft-pile");
}
TEST(wild_hands, jellies_never_overlap) {
  pull_wildly("surfel/jelly");
}

}  // namespace
}  // namespace repose::serve
