#pragma once

#include <algorithm>
#include <vector>

#include <tbb/parallel_for.h>

namespace repose::molecule {

/// Numbers that are worked on together: the cut does not depend on the number of threads.
inline constexpr std::size_t kPart = 8192;

/// Calls use(from, to) for parts of [first, last), side by side where there are several.
template <class Use>
void for_parts(std::size_t first, std::size_t last, const Use& use) {
  if (last - first <= kPart) return use(first, last);
  tbb::parallel_for(std::size_t{0}, (last - first + kPart - 1) / kPart, [&](std::size_t p) {
    use(first + p * kPart, std::min(last, first + (p + 1) * kPart));
  });
}

/// What add(from, to) answers for the parts of [first, last), joined in their order.
template <class T, class Add, class Join>
T over_parts(std::size_t first, std::size_t last, const Add& add, const Join& join) {
  if (last - first <= kPart) return add(first, last);
  std::vector<T> found((last - first + kPart - 1) / kPart);
  for_parts(first, last, [&](std::size_t from, std::size_t to) {
    found[(from - first) / kPart] = add(from, to);
  });
  T out = found[0];
  for (std::size_t p = 1; p < found.size(); ++p) out = join(out, found[p]);
  return out;
}

}  // namespace repose::molecule
