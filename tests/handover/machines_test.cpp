// Parts with holes as machines have them, made by OpenCASCADE (tests/cad/machines.cpp): read,
// judged where they lie on each other, settled.
#include "repose/check/verdict.h"
#include "repose/handover/settle.h"
#include "repose/run/judge_input.h"

#include "cad_files.h"

namespace repose::handover {
namespace {

TEST_F(Cad, faces_with_rows_of_holes_are_cut_and_close) {
  for (const char* name : {"flanges.step", "bolted.step", "cover.step", "shaft.step", "gears.step"})
    expect_measures_of_opencascade(file(name), world_of(read(name)));
}

TEST_F(Cad, flanges_that_lie_on_each_other_hole_on_hole_are_judged_in_few_steps) {
  const World world = world_of(read("flange-on-flange.step"));
  const check::Verdict verdict = check::check(judge_input(world.problem, world.state));
  EXPECT_EQ(verdict.overlap, check::Answer::proven) << verdict.why;
  EXPECT_EQ(verdict.balanced, check::Answer::proven) << verdict.why;
  // most of their points lie on faces: no ray from there tells a side, and one shows that
  constexpr long kMostSteps = 12'000'000;  // 19 million and more where each takes twelve rays
  EXPECT_LT(verdict.effort.steps, kMostSteps);
}

void expect_settles(const Handed& handed, std::size_t moving) {
  const auto out = settle(handed, method_catalogue());
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_TRUE(out->proven()) << handed.scene.name << ": " << out->verdict.why << " " << out->why;
  EXPECT_EQ(out->poses.size(), moving) << handed.scene.name;
}

TEST_F(Cad, a_bolt_settles_into_its_bracket) {
  expect_settles(read("bracket.step"), 1);
}
TEST_F(Cad, a_flange_settles_on_a_flange) {
  expect_settles(read("flanges.step"), 1);
}
TEST_F(Cad, a_cover_of_eight_holes_settles_on_its_housing) {
  expect_settles(read("cover.step"), 1);
}

}  // namespace
}  // namespace repose::handover
