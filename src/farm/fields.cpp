#include "farm/fields.h"

#include <algorithm>

#include <fmt/format.h>

namespace repose::farm {
namespace {

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("one of {}", fmt::join(names, ", "));
}

}  // namespace

Result<Done> Fields::known() const {
  if (view_.kind() != JsonKind::object) return view_.error("not an object", "{ ... }");
  std::optional<InputError> bad;
  view_.each_member([&](const JsonView& key, const JsonView&) {
    if (std::find(names_.begin(), names_.end(), key.text()) == names_.end())
      bad = key.error("there is no such field", joined(names_));
    return !bad;
  });
  if (bad) return *bad;
  return Done{};
}

InputError Fields::error(const char* name, const std::string& wrong,
                         const std::string& right) const {
  const auto found = view_.find(name);
  return found ? found->error(wrong, right)
               : view_.error(fmt::format("{}: {}", name, wrong), right);
}

Result<Done> Fields::text(const char* name, std::string* out, bool required) const {
  const auto found = view_.find(name);
  if (!found && !required) return Done{};
  if (!found) return error(name, "is missing", "a text");
  if (found->kind() != JsonKind::text || found->text().empty())
    return found->error("not a text", "a text");
  *out = found->text();
  return Done{};
}

Result<Done> Fields::number(const char* name, const Range& range, double* out,
                            bool required) const {
  const auto found = view_.find(name);
  if (!found && !required) return Done{};
  if (!found) return error(name, "is missing", "a number");
  if (found->kind() != JsonKind::number || !range.contains(found->number()))
    return found->error("not such a number", "in " + range.text());
  *out = found->number();
  return Done{};
}

Result<Done> Fields::whole(const char* name, const std::array<std::int64_t, 2>& range,
                           std::int64_t* out, bool required) const {
  const auto found = view_.find(name);
  if (!found && !required) return Done{};
  const std::string right = fmt::format("a whole number in [{}, {}]", range[0], range[1]);
  if (!found) return error(name, "is missing", right);
  const auto number = found->integer();
  if (found->kind() != JsonKind::number || !number || *number < range[0] || *number > range[1])
    return found->error("not such a number", right);
  *out = *number;
  return Done{};
}

Result<Done> Fields::flag(const char* name, bool* out) const {
  const auto found = view_.find(name);
  if (!found) return Done{};
  if (found->kind() != JsonKind::boolean) return found->error("neither true nor false", "true");
  *out = found->boolean();
  return Done{};
}

}  // namespace repose::farm
