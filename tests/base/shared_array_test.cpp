#include "repose/base/shared_array.h"

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

}  // namespace
}  // namespace repose
