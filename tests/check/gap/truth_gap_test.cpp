#include <map>

#include <gtest/gtest.h>

#include "repose/check/gap.h"

#include "check/truth_cases.h"

namespace repose::check {
namespace {

/// Rounding of poses and patches, over the pair's extent.
constexpr double kRounding = 1e-13;
constexpr double kFlatWidth = 1e-12;

/// Made once for each scale.
const truth::Case& case_at(double s, int number) {
  static std::map<double, std::vector<truth::Case>> made;
  std::vector<truth::Case>& all = made[s];
  if (all.empty()) all = truth::cases(s);
  return all[static_cast<std::size_t>(number)];
}

class TruthGap : public ::testing::TestWithParam<int> {};

TEST_P(TruthGap, is_bracketed_at_every_scale_and_in_every_place) {
  Random random(21);
  constexpr int kMotions = 10;
  for (const double s : {1e-3, 1.0, 1e3}) {
    const truth::Case& plain = case_at(s, GetParam());
    const double size = std::min(plain.a.size(), plain.b.size());
    for (int k = 0; k <= kMotions; ++k) {
      const truth::Case c = k == 0 ? plain : truth::moved(plain, truth::random_motion(random, s));
      const GapBracket g = gap(c.a, c.b, {.width = truth::width_asked(c.contact)});
      EXPECT_EQ(g.status, GapStatus::closed) << c.name << " " << s << " " << k;
      EXPECT_LE(g.lower, c.gap + kRounding * 50 * s) << c.name;
      EXPECT_GE(g.upper, c.gap - kRounding * 50 * s) << c.name;
      const double asked =
          c.contact == truth::Contact::area ? kFlatWidth : truth::width_asked(c.contact);
      EXPECT_LE(g.width(), (asked + kRounding) * size) << c.name << " " << s << " " << k;
      if (k > 0) continue;
      const GapBracket back = gap(c.b, c.a, {.width = truth::width_asked(c.contact)});
      EXPECT_LE(std::max(g.lower, back.lower), std::min(g.upper, back.upper)) << c.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Truth, TruthGap,
                         ::testing::Range(0, static_cast<int>(truth::cases(1.0).size())));

}  // namespace
}  // namespace repose::check
