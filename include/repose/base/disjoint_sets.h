#pragma once

#include <vector>

namespace repose {

/// Disjoint sets of 0 ... count - 1 that grow together (union-find, halving the way to the name at
/// each look). A set is named by one of its members.
class DisjointSets {
 public:
  explicit DisjointSets(int count = 0) { reset(count); }

  /// Every number is a set of its own again; memory is kept.
  void reset(int count);
  /// The name of the set that holds i.
  int name_of(int i);
  /// Two sets become one. As long as nothing else joins them, a set's name is its smallest member.
  void join(int a, int b);
  /// ... under the name of the first.
  void join_under(int a, int b);
  /// All names, in increasing order.
  std::vector<int> names();

 private:
  int& above(int i) { return above_[static_cast<std::size_t>(i)]; }

  std::vector<int> above_;  // a name stands above itself
};

}  // namespace repose
