// Thin bodies, bodies far from their origin and beside much larger ones, against long double.
#include "check/wild.h"

#include <gtest/gtest.h>

#include "repose/check/verdict.h"

#include "check/sweep.h"

namespace repose::check {
namespace {

/// Pair tests for one gap: what is lost in rounding is not sought for long.
constexpr int kBudget = 5000;

TEST(Wild, no_bracket_contradicts_the_truth_whatever_the_bodies_proportions) {
  constexpr int kPairs = 60;
  for (const wild::Wildness kind : wild::kWild) {
    Random random(41);
    int undecided = 0;
    for (int k = 0; k < kPairs; ++k) {
      const wild::Pair p = wild::draw_wild(kind, sweep::draw_gap(random), random);
      const GapBracket g = gap(p.a, p.b, {.width = 1e-6, .budget = kBudget});
      undecided += g.status == GapStatus::undecided;
      EXPECT_EQ(wild::fault(p, g), "")
          << name(kind) << ' ' << k << ": " << p.body_a.kind << " and " << p.body_b.kind << ", "
          << p.apart << " in [" << g.lower << ", " << g.upper << "]";
    }
    EXPECT_LE(undecided, 0.05 * kPairs) << name(kind);
  }
}

TEST(Wild, nothing_pushed_into_another_body_is_proven) {
  constexpr int kPairs = 15;
  constexpr double kPush = -1e-8;
  Settings settings;
  settings.judge_balance = settings.judge_stability = false;
  settings.gap.budget = kBudget;
  for (const wild::Wildness kind : wild::kWild) {
    Random random(42);
    for (int k = 0; k < kPairs;) {
      const wild::Pair p = wild::draw_wild(kind, kPush, random);
      // where two sharp places miss each other, or the pose is rounded off, they need not overlap
      if (!p.at_fault()) continue;
      ++k;
      Input input;
      input.bodies = {p.a, p.b};
      EXPECT_NE(check(input, settings).answer, Answer::proven)
          << name(kind) << ' ' << k << ": " << p.body_a.kind << " in " << p.body_b.kind;
    }
  }
}

}  // namespace
}  // namespace repose::check
