// Brackets become answers in one place, and nothing but numbers gets through it.
#include "repose/prove/answer.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose::prove {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Answer, follows_from_the_bracket) {
  EXPECT_EQ(at_least({-1e-12, 1.0}, -1e-9), Answer::proven);
  EXPECT_EQ(at_least({-1e-9, 1.0}, -1e-9), Answer::proven);
  EXPECT_EQ(at_least({-1e-8, 1.0}, -1e-9), Answer::undecided);
  EXPECT_EQ(at_least({-1e-8, -1e-9}, -1e-9), Answer::undecided);
  EXPECT_EQ(at_least({-1e-8, -2e-9}, -1e-9), Answer::missed);
  EXPECT_EQ(at_most({0.0, 1.0}, 1.0), Answer::proven);
  EXPECT_EQ(at_most({0.0, 1.0}, 0.5), Answer::undecided);
  EXPECT_EQ(at_most({0.6, 1.0}, 0.5), Answer::missed);
}

TEST(Answer, is_never_proven_by_what_is_no_number) {
  for (const double least : {-kInf, -1.0, 0.0, 1.0, kInf, kNan}) {
    for (const double lower : {-kInf, -1.0, 0.0, 1.0, kInf, kNan})
      for (const double upper : {-kInf, -1.0, 0.0, 1.0, kInf, kNan}) {
        const Answer low = at_least({lower, upper}, least), high = at_most({lower, upper}, least);
        const bool told = !(lower > upper);
        // proven only where plain reading says so
        if (low == Answer::proven) {
          EXPECT_TRUE((told && lower >= least) || least == -kInf) << lower << ' ' << upper;
        }
        if (low == Answer::missed) {
          EXPECT_TRUE(told && upper < least) << lower << ' ' << upper;
        }
        if (high == Answer::proven) {
          EXPECT_TRUE((told && upper <= least) || least == kInf) << lower << ' ' << upper;
        }
        if (std::isnan(least)) {
          EXPECT_EQ(low, Answer::undecided);
          EXPECT_EQ(high, Answer::undecided);
        }
      }
  }
}

TEST(Answer, of_bounds_that_contradict_each_other_is_undecided) {
  const Bracket none(1.0, -1.0);
  EXPECT_EQ(none.lower(), -kInf);
  EXPECT_EQ(none.upper(), kInf);
  EXPECT_EQ(gap_status(none, {1.0, 0.0, 2.0}), GapStatus::undecided);
}

TEST(Answer, of_two_claims_is_proven_only_if_both_are) {
  const Answer all[] = {Answer::proven, Answer::missed, Answer::undecided};
  for (const Answer a : all)
    for (const Answer b : all) {
      EXPECT_EQ(both(a, b), both(b, a));
      EXPECT_EQ(both(a, b) == Answer::proven, a == Answer::proven && b == Answer::proven);
      EXPECT_EQ(both(a, b) == Answer::missed, a == Answer::missed || b == Answer::missed);
    }
}

TEST(Answer, what_was_not_judged_leaves_the_other_claim_as_it_is) {
  for (const Answer a : {Answer::proven, Answer::missed, Answer::undecided, Answer::not_judged}) {
    EXPECT_EQ(both(a, Answer::not_judged), a);
    EXPECT_EQ(both(Answer::not_judged, a), a);
  }
}

TEST(GapStatus, is_told_from_the_bracket_alone) {
  const GapGoal goal{1e-9, 1e-9, 1e-3};
  EXPECT_EQ(gap_status({1e-3, kInf}, goal), GapStatus::apart);
  EXPECT_EQ(gap_status({-4e-10, 4e-10}, goal), GapStatus::closed);
  EXPECT_EQ(gap_status({-kInf, -2e-9}, goal), GapStatus::overlap);
  EXPECT_EQ(gap_status({-1.0, 1.0}, goal), GapStatus::undecided);
  EXPECT_EQ(gap_status({kNan, kNan}, goal), GapStatus::undecided);
  EXPECT_EQ(gap_status({kNan, 1.0}, goal), GapStatus::undecided);
  EXPECT_EQ(gap_status({0.0, 0.0}, {kNan, kNan, kNan}), GapStatus::undecided);
}

}  // namespace
}  // namespace repose::prove
