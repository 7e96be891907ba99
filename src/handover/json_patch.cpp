#include "json_patch.h"

#include <algorithm>

#include <fmt/format.h>

namespace repose::handover {

namespace {

struct Bytes {
  std::size_t begin = 0, end = 0;
};

std::size_t byte_of(JsonView object, std::string_view raw) {
  return static_cast<std::size_t>(raw.data() - object.document().text().data());
}

/// Of a member, its name in quotes and its value.
Bytes bytes_of(JsonView object, JsonView key, JsonView value) {
  const std::size_t begin = byte_of(object, key.raw()) - (key.raw().front() == '"' ? 0 : 1);
  return {begin, byte_of(object, value.raw()) + value.raw().size()};
}

std::optional<Bytes> find_member(JsonView object, const std::string& name) {
  std::optional<Bytes> out;
  object.each_member([&](JsonView key, JsonView value) {
    if (key.text() == name) out = bytes_of(object, key, value);
    return !out;
  });
  return out;
}

}  // namespace

std::string list_text(const std::vector<double>& values) {
  std::string out = "[";
  for (const double value : values)
    out += fmt::format("{}{}", out.size() > 1 ? ", " : "", value + 0.0);
  return out + "]";
}

void set_member(JsonView object, const std::string& name, const std::string& value,
                const std::vector<std::string>& instead_of, TextPatch& out) {
  const std::string written = fmt::format("\"{}\": {}", name, value);
  auto there = find_member(object, name);
  for (const std::string& other : instead_of)
    if (!there) there = find_member(object, other);
  if (there) {
    out.replace(there->begin, there->end, written);
    return;
  }
  const std::size_t at = byte_of(object, object.raw()) + 1;
  out.replace(at, at, object.size() > 0 ? " " + written + "," : written);
}

void drop_members(JsonView object, const std::vector<std::string>& names, TextPatch& out) {
  std::vector<Bytes> members;
  std::vector<bool> goes;
  object.each_member([&](JsonView key, JsonView value) {
    members.push_back(bytes_of(object, key, value));
    goes.push_back(std::find(names.begin(), names.end(), key.text()) != names.end());
    return true;
  });
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!goes[i]) continue;
    const bool last =
        std::find(goes.begin() + static_cast<std::ptrdiff_t>(i), goes.end(), false) == goes.end();
    // up to the next one; of the last ones from the end of the one before
    if (!last)
      out.replace(members[i].begin, members[i + 1].begin, "");
    else
      out.replace(i > 0 ? members[i - 1].end : members[i].begin, members[i].end, "");
  }
}

}  // namespace repose::handover
