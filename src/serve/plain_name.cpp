#include "plain_name.h"

#include <algorithm>

namespace repose::serve {

bool is_plain(const std::string& name) {
  constexpr std::size_t kLongest = 80;  // letters
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !name.empty() && name.size() <= kLongest && std::all_of(name.begin(), name.end(), good);
}

}  // namespace repose::serve
