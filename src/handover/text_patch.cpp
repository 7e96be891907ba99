#include "text_patch.h"

#include <algorithm>

#include "repose/base/check.h"

namespace repose::handover {

void TextPatch::replace(std::size_t begin, std::size_t end, std::string text) {
  changes_.push_back({begin, end, std::move(text)});
}

std::string TextPatch::text(const std::string& before) const {
  std::vector<Change> changes = changes_;
  std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    // what is set in before a change comes before it
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::string out;
  std::size_t at = 0;
  for (const Change& change : changes) {
    REPOSE_CHECK(change.begin >= at && change.end >= change.begin, "changes do not overlap");
    out.append(before, at, change.begin - at);
    out += change.text;
    at = change.end;
  }
  return out.append(before, at);
}

}  // namespace repose::handover
