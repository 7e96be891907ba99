#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace repose::handover {

/// Changes of a text; what they do not touch stays.
class TextPatch {
 public:
  /// Replaces bytes [begin, end). Changes must not overlap; those at one place keep their order.
  void replace(std::size_t begin, std::size_t end, std::string text);
  bool empty() const { return changes_.empty(); }
  std::string text(const std::string& before) const;

 private:
  struct Change {
    std::size_t begin = 0, end = 0;
    std::string text;
  };
  std::vector<Change> changes_;
};

}  // namespace repose::handover
