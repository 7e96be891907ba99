#pragma once

#include <array>
#include <vector>

namespace repose::check {

/// The smallest member of each connected component of 0 ... count - 1, in increasing order.
std::vector<int> first_of_components(int count, const std::vector<std::array<int, 2>>& links);

}  // namespace repose::check
