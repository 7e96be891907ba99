#include "repose/base/disjoint_sets.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose {
namespace {

/// The sets written out: each number's label, replaced one by one.
std::vector<int> plain_labels(int count, const std::vector<std::pair<int, int>>& links) {
  std::vector<int> label(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) label[static_cast<std::size_t>(i)] = i;
  for (const auto& [a, b] : links) {
    const int one = label[static_cast<std::size_t>(a)], other = label[static_cast<std::size_t>(b)];
    std::replace(label.begin(), label.end(), std::max(one, other), std::min(one, other));
  }
  return label;
}

TEST(DisjointSets, linked_numbers_share_the_smallest_as_their_name) {
  Random random(5);
  DisjointSets sets;
  for (int round = 0; round < 200; ++round) {
    const int count = 1 + static_cast<int>(random.below(40));
    sets.reset(count);
    std::vector<std::pair<int, int>> links;
    for (std::size_t k = random.below(50); k > 0; --k) {
      const auto number = [&] {
        return static_cast<int>(random.below(static_cast<std::size_t>(count)));
      };
      const int a = number();
      links.emplace_back(a, number());
      sets.join(links.back().first, links.back().second);
    }
    const std::vector<int> label = plain_labels(count, links);
    std::vector<int> names;
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(sets.name_of(i), label[static_cast<std::size_t>(i)]);
      if (label[static_cast<std::size_t>(i)] == i) names.push_back(i);
    }
    EXPECT_EQ(sets.names(), names);
  }
}

TEST(DisjointSets, a_chosen_name_stays_whatever_joins_it) {
  DisjointSets sets(6);
  sets.join_under(4, 1);
  sets.join_under(1, 5);
  EXPECT_EQ(sets.name_of(5), 4);
  sets.join_under(3, 0);
  sets.join_under(4, 0);
  for (const int i : {0, 1, 3, 4, 5}) EXPECT_EQ(sets.name_of(i), 4);
  sets.join_under(5, 4);  // of one set already
  EXPECT_EQ(sets.names(), (std::vector<int>{2, 4}));
}

TEST(DisjointSets, none_have_no_names) {
  EXPECT_TRUE(DisjointSets().names().empty());
}

}  // namespace
}  // namespace repose
