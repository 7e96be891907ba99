#include "repose/base/disjoint_sets.h"

#include <numeric>

namespace repose {

void DisjointSets::reset(int count) {
  above_.resize(static_cast<std::size_t>(count));
  std::iota(above_.begin(), above_.end(), 0);
}

int DisjointSets::name_of(int i) {
  while (above(i) != i) i = above(i) = above(above(i));
  return i;
}

void DisjointSets::join(int a, int b) {
  const int name_a = name_of(a), name_b = name_of(b);
  if (name_a < name_b)
    above(name_b) = name_a;
  else
    above(name_a) = name_b;
}

void DisjointSets::join_under(int a, int b) {
  const int name = name_of(a);
  above(name_of(b)) = name;
}

std::vector<int> DisjointSets::names() {
  std::vector<int> out;
  for (int i = 0; i < static_cast<int>(above_.size()); ++i)
    if (above(i) == i) out.push_back(i);
  return out;
}

}  // namespace repose
