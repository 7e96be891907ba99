#pragma once

#include "repose/base/json.h"

#include "text_patch.h"

namespace repose::handover {

/// Sets a member of an object, in the place of the first of `instead_of` that stands there.
void set_member(JsonView object, const std::string& name, const std::string& value,
                const std::vector<std::string>& instead_of, TextPatch& out);
/// Takes members away, with the comma that follows or comes before each.
void drop_members(JsonView object, const std::vector<std::string>& names, TextPatch& out);

/// "[1, 2, 3]", digits that read back to the same bits.
std::string list_text(const std::vector<double>& values);

}  // namespace repose::handover
