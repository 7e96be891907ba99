#include "shape/mesh/gltf_fields.h"

#include <fmt/format.h>

namespace repose::shape {
namespace {

/// Members are looked for one by one: no object of the standard has nearly as many.
constexpr std::size_t kMostMembers = 1024;

Result<std::optional<JsonView>> member_of(JsonView object, const char* key) {
  if (object.kind() != JsonKind::object) return object.error("not an object", "an object");
  if (object.size() > kMostMembers)
    return object.error(fmt::format("{} members", object.size()),
                        fmt::format("at most {} members", kMostMembers));
  return object.find(key);
}

std::optional<InputError> not_kind(JsonView value, JsonKind kind) {
  if (value.kind() == kind) return std::nullopt;
  return value.error(fmt::format("not {}", to_text(kind)), to_text(kind));
}

}  // namespace

Result<std::vector<JsonView>> list_in(JsonView object, const char* key) {
  std::vector<JsonView> out;
  const auto found = member_of(object, key);
  if (!found) return found.error();
  const auto& member = *found;
  if (!member) return out;
  if (auto bad = not_kind(*member, JsonKind::array)) return *bad;
  out.reserve(member->size());
  member->each([&](JsonView element) {
    out.push_back(element);
    return true;
  });
  return out;
}

Result<std::optional<std::uint64_t>> whole_in(JsonView object, const char* key, std::uint64_t low,
                                              std::uint64_t high) {
  const auto found = member_of(object, key);
  if (!found) return found.error();
  const auto& member = *found;
  if (!member) return std::optional<std::uint64_t>();
  const auto value = member->integer();
  if (!value || *value < 0 || static_cast<std::uint64_t>(*value) < low ||
      static_cast<std::uint64_t>(*value) > high)
    return member->error("not a whole number in range",
                         low > high ? std::string("nothing is there to be named")
                                    : fmt::format("{} to {}", low, high));
  return std::optional<std::uint64_t>(static_cast<std::uint64_t>(*value));
}

Result<std::uint64_t> required_whole_in(JsonView object, const char* key, std::uint64_t low,
                                        std::uint64_t high) {
  const auto value = whole_in(object, key, low, high);
  if (!value) return value.error();
  if (!*value)
    return object.error(fmt::format("\"{}\" is missing", key),
                        fmt::format("\"{}\": a whole number", key));
  return **value;
}

Result<std::optional<std::size_t>> index_in(JsonView object, const char* key, std::size_t count) {
  const auto found = member_of(object, key);
  if (!found) return found.error();
  const auto& member = *found;
  if (!member) return std::optional<std::size_t>();
  const auto index = as_index(*member, count);
  if (!index) return index.error();
  return std::optional<std::size_t>(*index);
}

Result<std::size_t> as_index(JsonView value, std::size_t count) {
  const auto index = value.integer();
  if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= count)
    return value.error("the index names nothing", count == 0
                                                      ? std::string("nothing is there to be named")
                                                      : fmt::format("0 to {}", count - 1));
  return static_cast<std::size_t>(*index);
}

Result<std::string> text_in(JsonView object, const char* key) {
  const auto found = member_of(object, key);
  if (!found) return found.error();
  const auto& member = *found;
  if (!member) return std::string();
  if (auto bad = not_kind(*member, JsonKind::text)) return *bad;
  return member->text();
}

Result<bool> flag_in(JsonView object, const char* key) {
  const auto found = member_of(object, key);
  if (!found) return found.error();
  const auto& member = *found;
  if (!member) return false;
  if (auto bad = not_kind(*member, JsonKind::boolean)) return *bad;
  return member->boolean();
}

Result<bool> numbers_in(JsonView object, const char* key, std::vector<double>* out) {
  const auto list = list_in(object, key);
  if (!list) return list.error();
  const auto member = object.find(key);
  if (!member) return false;
  if (list->size() != out->size())
    return member->error("the count does not fit", fmt::format("{} numbers", out->size()));
  for (std::size_t i = 0; i < out->size(); ++i) {
    if (auto bad = not_kind((*list)[i], JsonKind::number)) return *bad;
    (*out)[i] = (*list)[i].number();
  }
  return true;
}

}  // namespace repose::shape
