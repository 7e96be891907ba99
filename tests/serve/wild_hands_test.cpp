// Hands that pull at random, to anywhere, as fast as they like. REPOSE_DRAGS sets how many drags
// each scene gets, REPOSE_DRAGS_SEED which.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/run/edits.h"
#include "repose/run/judge.h"
#include "repose/world/kinds.h"

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

/// An edit such as a page may send, of any body, as far as it may be.
Edit any_edit(Random& random, const Problem& problem, double size) {
  const auto name = [&] { return problem.bodies[random.below(problem.bodies.size())].name; };
  const auto way = [&] {
    return Vec3(size * std::pow(10.0, random.between(-3.0, 1.0)) * direction(random));
  };
  const std::string body = name();
  switch (random.below(9)) {
    case 0:
      return nudge(body, way(), Vec3(0.3 * direction(random)));
    case 1:
      return remove(body);
    case 2:
      return fix(body);
    case 3:
      return set_free(body);
    case 4:
      return replicate(body, fmt::format("copy-{}", random.below(1000)), way());
    case 5:
      return freeze(body, {random.below(2) == 0, random.below(2) == 0, random.below(2) == 0,
                           random.below(2) == 0, random.below(2) == 0, random.below(2) == 0});
    case 6:
      return let_collide(body, random.below(4) != 0);
    case 7: {
      Edit matter;
      matter.kind = EditKind::material;
      matter.target = body;
      const char* const words[] = {"density", "friction", "restitution", "young_modulus"};
      matter.values[words[random.below(std::size(words))]] =
          std::pow(10.0, random.between(-3.0, 6.0));
      return matter;
    }
    default: {
      Edit join;
      join.kind = EditKind::join;
      join.target = fmt::format("tie-{}", random.below(1000));
      const char* const kinds[] = {"pin",  "weld",   "slider", "rod",
                                   "rope", "spring", "gear",   "motor"};
      join.values = {{"joint", std::string(kinds[random.below(std::size(kinds))])},
                     {"body_a", body},
                     {"point_a", std::array<double, 3>{0.0, 0.0, 0.0}}};
      if (random.below(2) == 0) join.values["body_b"] = name();
      return join;
    }
  }
}

/// Edits, steps, undoes and branches at random: nothing is our own fault, and nothing that collides
/// comes to overlap.
void edit_wildly(const std::string& scene, std::uint64_t seed, int edits) {
  Desk desk("unused");
  const auto opened = desk.open(scene);
  ASSERT_TRUE(opened) << opened.error().text();
  Random random(seed);
  double size = 0.0;
  for (const Body& body : desk.session().problem().bodies)
    if (!body.held()) size = std::max(size, body.size());
  int taken = 0;
  for (int k = 0; k < edits; ++k) {
    const Edit edit = any_edit(random, desk.session().problem(), size);
    const std::string what =
        fmt::format("{}, edit {}: {} of {}", scene, k, name_of(edit.kind), edit.target);
    try {
      const auto done = desk.apply(edit);
      taken += done ? 1 : 0;
      for (std::uint64_t step = random.below(4); step > 0; --step) desk.step();
      if (random.below(8) == 0) desk.undo_one();
      if (random.below(16) == 0) (void)desk.branch();
      ASSERT_TRUE(all_finite(desk.session().state())) << what;
      const Judgement said =
          judge(desk.session().problem(), desk.session().state(), {.judge_balance = false});
      ASSERT_NE(said.overlap, check::Answer::missed) << what << ": " << said.why;
    } catch (const std::exception& fault) {
      FAIL() << what << ": " << fault.what();
    }
    // what can be pulled apart no more begins anew
    if (desk.session().problem().bodies.size() < 3) {
      ASSERT_TRUE(desk.open(scene));
    }
  }
  EXPECT_GT(taken, 0);
}

TEST(wild_edits, nothing_is_our_fault_and_nothing_comes_to_overlap) {
  for (const char* scene : {"place/cluttered-scene", "pile/box-27", "mechanism/block-feeder",
                            "mechanism/card-house", "molecule/soft-pile", "surfel/jelly"})
    edit_wildly(scene, static_cast<std::uint64_t>(asked_or("REPOSE_DRAGS_SEED", kSeed)),
                2 * asked_or("REPOSE_DRAGS", kFewDrags));
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
