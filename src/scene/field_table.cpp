#include "field_table.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codec.h"
#include "nearest.h"

namespace repose {

namespace {

std::string number_wanted(const FieldInfo& info, const char* what) {
  if (std::isinf(info.range.min) && std::isinf(info.range.max))
    return fmt::format("a {} of magnitude at most {}", what, kLargest);
  return fmt::format("a {} in {}{}", what, info.range.text(),
                     info.unit.empty() || info.unit == "1" ? "" : " " + info.unit);
}

}  // namespace

std::string suggestion(const std::string& wrong, const std::vector<std::string>& known) {
  const std::string near = nearest(wrong, known);
  if (!near.empty()) return fmt::format("did you mean \"{}\"?", near);
  constexpr std::size_t kShown = 30;
  if (known.empty()) return "there is none yet";
  if (known.size() > kShown)
    return fmt::format("one of {}, ...",
                       fmt::join(known.begin(), known.begin() + static_cast<long>(kShown), ", "));
  return fmt::format("one of {}", fmt::join(known, ", "));
}

bool fail_unknown_key(Reading& reading, JsonView key, const std::vector<std::string>& known,
                      const std::string& where) {
  return reading.fail(key, fmt::format("`{}` has no such field", where),
                      suggestion(key.text(), known));
}

int read_kind(Reading& reading, JsonView at, const ObjectInfo& info) {
  std::vector<std::string> names;
  for (const ObjectInfo& kind : info.kinds) names.push_back(kind.name);
  const auto fail = [&](JsonView place, std::string wrong, std::string right) {
    reading.fail(place, std::move(wrong), std::move(right));
    return -1;
  };
  if (at.kind() != JsonKind::object)
    return fail(at, fmt::format("not an object but {}", to_text(at.kind())),
                "an object { \"kind\": ... }");
  const auto kind = at.find("kind");
  if (!kind)
    return fail(at, "the field \"kind\" is missing",
                fmt::format("one of {}", fmt::join(names, ", ")));
  if (kind->kind() != JsonKind::text)
    return fail(*kind, "not a text", fmt::format("one of {}", fmt::join(names, ", ")));
  const std::string name = kind->text();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return static_cast<int>(i);
  return fail(*kind, fmt::format("`{}` has no such kind", info.name), suggestion(name, names));
}

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
  if (at.kind() != JsonKind::array)
    return reading.fail(at, fmt::format("not a list but {}", to_text(at.kind())), wanted);
  if (count >= 0 && at.size() != static_cast<std::size_t>(count))
    return reading.fail(at, fmt::format("a list of {} elements", at.size()), wanted);
  return true;
}

FieldInfo field_of(const SettingInfo& info) {
  FieldInfo field;
  field.name = info.name;
  field.unit = info.unit;
  field.range = info.range;
  field.choices = info.choices;
  field.meaning = info.meaning;
  using Base = FieldType::Base;
  switch (info.type) {
    case SettingType::boolean:
      field.type.base = Base::boolean;
      break;
    case SettingType::integer:
      field.type.base = Base::integer;
      break;
    case SettingType::number:
      field.type.base = Base::number;
      break;
    case SettingType::choice:
    case SettingType::text:
      field.type.base = Base::text;
      break;
    case SettingType::vector:
      field.type.base = Base::number;
      field.type.lists = {3};
      break;
  }
  field.default_text = write_setting(info.default_value).line();
  return field;
}

FieldInfo field_of(const ValueRow& row) {
  FieldInfo field = field_of(row.info);
  field.required = row.required;
  if (!row.has_default) field.default_text = row.required ? "" : "none";
  return field;
}

bool read_setting(Reading& reading, JsonView at, const SettingInfo& info, SettingValue& out) {
  const FieldInfo field = field_of(info);
  const auto read_into = [&](auto value) {
    if (!Codec<decltype(value)>::read(reading, at, field, value)) return false;
    out = std::move(value);
    return true;
  };
  switch (info.type) {
    case SettingType::boolean:
      return read_into(bool{});
    case SettingType::integer:
      return read_into(std::int64_t{});
    case SettingType::number:
      return read_into(double{});
    case SettingType::choice:
    case SettingType::text:
      return read_into(std::string{});
    case SettingType::vector:
      return read_into(std::array<double, 3>{});
  }
  REPOSE_CHECK(false, "unknown setting type");
  return false;
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

Json write_setting(const SettingValue& value) {
  return std::visit([](const auto& v) { return Codec<std::remove_cvref_t<decltype(v)>>::write(v); },
                    value);
}

bool same_setting(const SettingValue& a, const SettingValue& b) {
  return a.index() == b.index() && write_setting(a).line() == write_setting(b).line();
}

}  // namespace repose
