#include "check/gap/components.h"

#include <numeric>

namespace repose::check {

std::vector<int> first_of_components(int count, const std::vector<std::array<int, 2>>& links) {
  std::vector<int> leader(static_cast<std::size_t>(count));
  std::iota(leader.begin(), leader.end(), 0);
  const auto of = [&](int i) -> int& { return leader[static_cast<std::size_t>(i)]; };
  const auto find = [&](int i) {
    while (of(i) != i) i = of(i) = of(of(i));
    return i;
  };
  for (const auto& [i, j] : links) {
    const int a = find(i), b = find(j);
    // the smaller leads, so that leaders are the first of their component
    if (a < b)
      of(b) = a;
    else
      of(a) = b;
  }
  std::vector<int> out;
  for (int i = 0; i < count; ++i)
    if (find(i) == i) out.push_back(i);
  return out;
}

}  // namespace repose::check
