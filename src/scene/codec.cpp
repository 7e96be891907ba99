#include "codec.h"

#include <cmath>

#include <fmt/format.h>

namespace repose {

namespace {

std::string number_wanted(const FieldInfo& info, const char* what) {
  if (std::isinf(info.range.min) && std::isinf(info.range.max))
    return fmt::format("a {} of magnitude at most {}", what, kLargest);
  return fmt::format("a {} in {}{}", what, info.range.text(),
                     info.unit.empty() || info.unit == "1" ? "" : " " + info.unit);
}

}  // namespace

bool read_boolean(Reading& reading, JsonView at, bool& out) {
  if (at.kind() != JsonKind::boolean)
    return reading.fail(at, fmt::format("not a boolean but {}", to_text(at.kind())),
                        "true or false");
  out = at.boolean();
  return true;
}

bool read_integer(Reading& reading, JsonView at, const FieldInfo& info, std::int64_t& out) {
  const auto whole = at.integer();
  if (!whole) return reading.fail(at, "not a whole number", number_wanted(info, "whole number"));
  if (!info.range.contains(static_cast<double>(*whole)))
    return reading.fail(at, "out of range", number_wanted(info, "whole number"));
  out = *whole;
  return true;
}

bool read_number(Reading& reading, JsonView at, const FieldInfo& info, double& out) {
  if (at.kind() != JsonKind::number)
    return reading.fail(at, fmt::format("not a number but {}", to_text(at.kind())),
                        number_wanted(info, "number"));
  const double number = at.number();
  if (!info.range.contains(number) || std::fabs(number) > kLargest)
    return reading.fail(at, "out of range", number_wanted(info, "number"));
  out = number;
  return true;
}

bool read_text(Reading& reading, JsonView at, const FieldInfo& info, std::string& out) {
  if (at.kind() != JsonKind::text)
    return reading.fail(at, fmt::format("not a text but {}", to_text(at.kind())),
                        "a text in double quotes");
  out = at.text();
  if (info.choices.empty()) return true;
  for (const std::string& choice : info.choices)
    if (choice == out) return true;
  return reading.fail(at, "not one of the choices", suggestion(out, info.choices));
}

bool read_list(Reading& reading, JsonView at, int count) {
  const auto wanted =
      count < 0 ? std::string("a list [ ... ]") : fmt::format("a list of {} elements", count);
  // one thing where a list of them is asked for
  const bool in_brackets =
      count < 0 && (at.kind() == JsonKind::text || at.kind() == JsonKind::number);
  if (at.kind() != JsonKind::array)
    return reading.fail(at, fmt::format("not a list but {}", to_text(at.kind())),
                        in_brackets ? fmt::format("a list, as [{}]", at.shown()) : wanted);
  if (count >= 0 && at.size() != static_cast<std::size_t>(count))
    return reading.fail(at, fmt::format("a list of {} elements", at.size()), wanted);
  return true;
}

bool Codec<SettingValue>::read(Reading& r, JsonView at, const FieldInfo& info, SettingValue& out) {
  switch (at.kind()) {
    case JsonKind::boolean:
      out = at.boolean();
      return true;
    case JsonKind::number:
      if (const auto whole = at.integer())
        out = *whole;
      else
        out = at.number();
      return true;
    case JsonKind::text:
      out = at.text();
      return true;
    case JsonKind::array: {
      std::array<double, 3> vector{};
      if (!Codec<std::array<double, 3>>::read(r, at, info, vector)) return false;
      out = vector;
      return true;
    }
    case JsonKind::null:
    case JsonKind::object:
      break;
  }
  return r.fail(at, std::string("not a setting's value but ") + to_text(at.kind()),
                "a boolean, a number, a text or three numbers");
}

}  // namespace repose
