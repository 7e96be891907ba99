#include "repose/base/shared_array.h"

#include <thread>

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(SharedArray, copies_share_their_elements_until_one_is_edited) {
  SharedArray<int> a{1, 2, 3};
  SharedArray<int> b = a;
  EXPECT_TRUE(a.shares(b));
  EXPECT_EQ(&a.view(), &b.view());
  b.edit()[1] = 7;
  EXPECT_FALSE(a.shares(b));
  EXPECT_EQ(a.view(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(b.view(), (std::vector<int>{1, 7, 3}));
}

TEST(SharedArray, an_array_that_nobody_shares_is_edited_in_place) {
  SharedArray<int> a{1, 2, 3};
  const int* before = a.view().data();
  a.edit()[0] = 5;
  EXPECT_EQ(a.view().data(), before);
  {
    const SharedArray<int> copy = a;
    EXPECT_EQ(copy.size(), 3U);
  }
  a.edit()[0] = 6;
  EXPECT_EQ(a.view().data(), before) << "the copy is gone";
}

TEST(SharedArray, an_empty_one_has_no_elements_and_can_be_filled) {
  SharedArray<double> a;
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.view().size(), 0U);
  EXPECT_EQ(a, SharedArray<double>(std::vector<double>{}));
  a.edit().push_back(1.5);
  EXPECT_EQ(a.size(), 1U);
  EXPECT_EQ(a[0], 1.5);
}

TEST(SharedArray, equality_is_that_of_the_elements) {
  const SharedArray<int> a{1, 2}, b{1, 2}, c{1, 3};
  EXPECT_FALSE(a.shares(b));
  EXPECT_TRUE(a == b);
  EXPECT_FALSE(a == c);
}

TEST(SharedArray, elements_that_follow_are_made_once_when_someone_asks) {
  int made = 0;
  const auto a = SharedArray<int>::later({1, 2}, 4, [&made](std::vector<int>& values) {
    ++made;
    values.push_back(values[0] + values[1]);
    values.push_back(10 * values[1]);
  });
  SharedArray<int> b = a;
  EXPECT_EQ(a.size(), 4U);
  EXPECT_EQ(a.first().size(), 2U);
  EXPECT_EQ(made, 0) << "nobody has asked";
  EXPECT_EQ(b[3], 20);
  EXPECT_EQ(a.view(), (std::vector<int>{1, 2, 3, 20}));
  EXPECT_EQ(made, 1);
  b.edit()[0] = 7;
  EXPECT_EQ(b.first().size(), 4U);
  EXPECT_EQ(b.view(), (std::vector<int>{7, 2, 3, 20}));
  EXPECT_EQ(a[0], 1);
}

TEST(SharedArray, threads_that_ask_at_once_see_the_same_elements) {
  const auto a = SharedArray<int>::later({1}, 1000, [](std::vector<int>& values) {
    while (values.size() < 1000) values.push_back(values.back() + 1);
  });
  std::vector<const int*> seen(4);
  std::vector<std::thread> threads;
  for (const int*& one : seen)
    threads.emplace_back([&one, a] { one = a[999] == 1000 ? a.view().data() : nullptr; });
  for (std::thread& thread : threads) thread.join();
  for (const int* one : seen) EXPECT_EQ(one, a.view().data());
}

}  // namespace
}  // namespace repose
