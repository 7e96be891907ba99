#include "repose/base/work.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Work, a_limit_is_spent_by_its_own_thread_and_names_the_stage) {
  const WorkLimit limit(10);
  const WorkStage stage("counting");
  spend_work(10);
  try {
    spend_work(1);
    FAIL() << "the limit did not hold";
  } catch (const WorkSpent& spent) {
    EXPECT_STREQ(spent.stage(), "counting");
  }
}

TEST(Work, an_inner_limit_spends_from_the_outer_one) {
  const WorkLimit outer(10);
  {
    const WorkLimit inner(4);
    spend_work(4);
    EXPECT_THROW(spend_work(1), WorkSpent);
  }
  {
    const WorkLimit wider(100);
    spend_work(6);
    EXPECT_THROW(spend_work(1), WorkSpent);
  }
  EXPECT_THROW(spend_work(1), WorkSpent);
}

TEST(Work, without_a_limit_it_is_only_counted) {
  const std::uint64_t before = work_spent();
  spend_work(std::uint64_t{1} << 40);
  EXPECT_EQ(work_spent() - before, std::uint64_t{1} << 40);
}

TEST(Work, an_interrupt_ends_what_is_limited_and_nothing_else) {
  static std::atomic<bool> flag = false;
  watch_interrupt(flag);
  flag = true;
  spend_work(1);
  {
    const WorkLimit limit(10);
    EXPECT_THROW(spend_work(1), Interrupted);
  }
  flag = false;
  const WorkLimit limit(10);
  spend_work(1);
}

}  // namespace
}  // namespace repose
