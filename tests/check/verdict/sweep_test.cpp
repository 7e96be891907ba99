#include "check/sweep.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "repose/base/stage_clock.h"
#include "repose/check/verdict.h"

namespace repose::check {
namespace {

std::vector<sweep::Body> draw_bodies(Random& random, int each) {
  std::vector<sweep::Body> out;
  for (const auto make : sweep::makers())
    for (int k = 0; k < each; ++k) out.push_back(make(random));
  return out;
}

TEST(Sweep, no_random_pair_is_judged_freer_than_a_dense_sweep_sees_it) {
  constexpr int kPairs = 300;
  constexpr double kUndecided = 0.02;
  Random random(11);
  const auto bodies = draw_bodies(random, 2);
  int undecided = 0;
  for (int k = 0; k < kPairs; ++k) {
    const sweep::Pair pair = sweep::draw_pair(bodies[random.below(bodies.size())],
                                              bodies[random.below(bodies.size())], random);
    const GapBracket g = gap(pair.a, pair.b, {.width = 1e-6});
    undecided += g.status == GapStatus::undecided;
    EXPECT_EQ(sweep::fault(pair, g, sweep::look(pair)), "")
        << k << ": " << pair.body_a->kind << " and " << pair.body_b->kind << ", " << pair.meant
        << " in [" << g.lower << ", " << g.upper << "]";
  }
  EXPECT_LE(undecided, kUndecided * kPairs);
}

TEST(Sweep, convex_pairs_apart_are_closed_about_their_known_gap) {
  Random random(12);
  auto bodies = draw_bodies(random, 2);
  std::erase_if(bodies, [](const sweep::Body& b) { return !b.convex; });
  constexpr int kPairs = 3000;
  int closed = 0;
  for (int k = 0; k < kPairs; ++k) {
    const sweep::Pair pair = sweep::draw_pair(bodies[random.below(bodies.size())],
                                              bodies[random.below(bodies.size())], random);
    const GapBracket g = gap(pair.a, pair.b);
    const double rounding = 1e-11;
    EXPECT_TRUE(!pair.sure() || g.lower <= pair.meant + rounding);
    EXPECT_TRUE(pair.meant < 0.0 || g.upper >= pair.meant - rounding);
    closed += g.status == GapStatus::closed || g.status == GapStatus::overlap;
  }
  EXPECT_GE(closed, 0.99 * kPairs);
}

TEST(Sweep, the_sweep_notices_a_lower_bound_that_is_too_high) {
  Random random(13);
  const auto bodies = draw_bodies(random, 1);
  int noticed = 0, tried = 0;
  for (int k = 0; k < 60; ++k) {
    const sweep::Pair pair = sweep::draw_pair(bodies[random.below(bodies.size())],
                                              bodies[random.below(bodies.size())], random);
    if (!pair.sure()) continue;
    GapBracket g = gap(pair.a, pair.b, {.width = 1e-6});
    if (g.status != GapStatus::closed) continue;
    g.lower = g.upper = g.upper + 1e-4 * pair.size;
    ++tried;
    noticed += !sweep::fault(pair, g, sweep::look(pair)).empty();
  }
  EXPECT_GT(tried, 10);
  // of some pairs another place than the one chosen decides, and the sweep's grid is coarse there
  EXPECT_GE(noticed, 0.8 * tried);
}

/// A heap of everything, near touching and overlapping.
Input heap(int count) {
  Random random(14);
  const auto bodies = draw_bodies(random, 1);
  Input input;
  for (int k = 0; k < count; ++k) {
    PlacedBody item =
        at(bodies[random.below(bodies.size())].shape,
           3.0 * Vec3(random.unit(), random.unit(), random.unit()), random_rotation(random));
    item.name = std::to_string(k);
    input.bodies.push_back(item);
  }
  return input;
}

TEST(Threads, the_verdict_does_not_hang_on_their_number) {
  const Input input = heap(16);
  Settings settings;
  settings.judge_balance = false;
  std::string said[2];
  for (const std::size_t threads : {1, 4}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    Verdict v = check(input, settings);
    v.seconds = 0.0;
    said[threads == 1 ? 0 : 1] = to_json(v, input).tall();
  }
  EXPECT_EQ(said[0], said[1]);
}

TEST(Interrupt, what_is_not_judged_is_undecided) {
  const std::atomic<bool> stop = true;
  Settings settings;
  settings.interrupt = &stop;
  const Verdict v = check(heap(12), settings);
  EXPECT_EQ(v.answer, Answer::undecided);
  EXPECT_EQ(v.overlap, Answer::undecided);
  EXPECT_TRUE(v.overlaps.empty());
}

}  // namespace
}  // namespace repose::check
