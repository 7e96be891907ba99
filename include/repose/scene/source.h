#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "repose/base/json.h"

namespace repose {

/// Where in its files a part of a scene was written. All places compare equal: where a thing was
/// written is no part of what it is.
struct SourcePlace {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::uint32_t document = kNone;  // index into SceneSources; kNone: made by a program
  std::uint32_t node = 0;

  friend bool operator==(SourcePlace, SourcePlace) { return true; }
};

/// The files a scene was read from, the scene's own first.
class SceneSources {
 public:
  std::uint32_t add(std::shared_ptr<const JsonDocument> document) {
    documents_.push_back(std::move(document));
    return static_cast<std::uint32_t>(documents_.size() - 1);
  }
  /// `error`, whose pointer is relative to `place` ("/profile/3"), with file, line, column, full
  /// pointer and value filled in. If the value is a text and the error has a column, that column
  /// counts within the text.
  InputError locate(SourcePlace place, InputError error) const;

 private:
  std::vector<std::shared_ptr<const JsonDocument>> documents_;
};

}  // namespace repose
