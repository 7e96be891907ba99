#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "repose/base/json.h"

#include "shape/define/validate.h"

namespace repose::shape {

// Members of a glTF file's objects, checked while they are read. Errors name the JSON's place.

/// The elements of the list that is the member; none where there is no such member.
Result<std::vector<JsonView>> list_in(JsonView object, const char* key);

/// A whole number from `low` to `high`; nothing where there is no such member.
Result<std::optional<std::uint64_t>> whole_in(JsonView object, const char* key, std::uint64_t low,
                                              std::uint64_t high);
/// The same where the member must be there.
Result<std::uint64_t> required_whole_in(JsonView object, const char* key, std::uint64_t low,
                                        std::uint64_t high);

/// A place in a list of `count` elements; nothing where there is no such member.
Result<std::optional<std::size_t>> index_in(JsonView object, const char* key, std::size_t count);
/// The value itself as such a place.
Result<std::size_t> as_index(JsonView value, std::size_t count);

/// The text, empty where there is no such member.
Result<std::string> text_in(JsonView object, const char* key);
Result<bool> flag_in(JsonView object, const char* key);

/// As many numbers as `out` has room for; false where there is no such member.
Result<bool> numbers_in(JsonView object, const char* key, std::vector<double>* out);

}  // namespace repose::shape
