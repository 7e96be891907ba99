#include "repose/base/settings.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace repose {

namespace {

InputError wrong_value(const SettingValue& value, std::string wrong, std::string right) {
  InputError error;
  error.value = to_text(value);
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

Result<SettingValue> checked_number(const SettingInfo& info, const SettingValue& value) {
  double number = 0.0;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    number = static_cast<double>(*whole);
  } else if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else {
    return wrong_value(value, "not a number", "a number in " + info.range.text());
  }
  if (!std::isfinite(number))
    return wrong_value(value, "not a finite number", "a number in " + info.range.text());
  if (!info.range.contains(number))
    return wrong_value(value, "out of range", "a number in " + info.range.text());
  return SettingValue{number};
}

Result<SettingValue> checked_integer(const SettingInfo& info, const SettingValue& value) {
  const auto* whole = std::get_if<std::int64_t>(&value);
  if (whole == nullptr)
    return wrong_value(value, "not a whole number", "a whole number in " + info.range.text());
  if (!info.range.contains(static_cast<double>(*whole)))
    return wrong_value(value, "out of range", "a whole number in " + info.range.text());
  return value;
}

bool read_double(std::string_view text, double& out) {
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  return failed == std::errc{} && end == text.data() + text.size();
}

Result<SettingValue> vector_from_text(const std::string& text) {
  std::array<double, 3> out{};
  std::string_view rest = text;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto comma = rest.find(',');
    const bool last = i == 2;
    if (last != (comma == std::string_view::npos) || !read_double(rest.substr(0, comma), out[i]))
      return wrong_value(text, "not a vector", "three numbers such as 0,0,-9.81");
    if (!last) rest.remove_prefix(comma + 1);
  }
  return SettingValue{out};
}

InputError unknown_setting(const std::string& name) {
  InputError error;
  error.pointer = name;
  error.wrong = "unknown setting";
  return error;
}

std::string old_name_note(const SettingInfo& row, const std::string& name) {
  return row.name == name ? "" : fmt::format("{} is the old name of {}", name, row.name);
}

/// A number where a switch is asked today.
Result<GivenSetting> given_number(const std::vector<SettingInfo>& rows, const SettingInfo& row,
                                  const SettingValue& value) {
  const SettingInfo* held = find_setting(rows, row.number_is);
  REPOSE_CHECK(held != nullptr, "a switch's number has a row of its own");
  auto number = checked_setting(*held, value);
  if (!number) return number.error();
  const bool on = std::get<double>(*number) > 0.0;
  return GivenSetting{{{row.name, on}, {held->name, *number}},
                      fmt::format("a number as {} is the old way to say {}", row.name,
                                  on ? fmt::format("{} and {}", row.name, held->name)
                                     : fmt::format("{}: false", row.name))};
}

bool is_number(const SettingValue& value) {
  return std::holds_alternative<double>(value) || std::holds_alternative<std::int64_t>(value);
}

Result<GivenSetting> given_to(const std::vector<SettingInfo>& rows, const SettingInfo& row,
                              const std::string& name, const SettingValue& value) {
  if (!row.number_is.empty() && is_number(value)) return given_number(rows, row, value);
  auto checked = checked_setting(row, value);
  if (!checked) return checked.error();
  return GivenSetting{{{row.name, *std::move(checked)}}, old_name_note(row, name)};
}

Result<GivenSetting> named(Result<GivenSetting> given, const std::string& name) {
  if (given) return given;
  InputError error = given.error();
  error.pointer = name;
  return error;
}

}  // namespace

const SettingInfo* find_setting(const std::vector<SettingInfo>& rows, const std::string& name) {
  for (const SettingInfo& row : rows)
    if (row.name == name) return &row;
  for (const SettingInfo& row : rows)
    for (const std::string& old : row.old_names)
      if (old == name) return &row;
  return nullptr;
}

Result<GivenSetting> given_setting(const std::vector<SettingInfo>& rows, const std::string& name,
                                   const SettingValue& value) {
  const SettingInfo* row = find_setting(rows, name);
  if (row == nullptr) return unknown_setting(name);
  return named(given_to(rows, *row, name, value), name);
}

Result<GivenSetting> given_setting_text(const std::vector<SettingInfo>& rows,
                                        const std::string& name, const std::string& text) {
  const SettingInfo* row = find_setting(rows, name);
  if (row == nullptr) return unknown_setting(name);
  double number = 0.0;
  if (!row->number_is.empty() && read_double(text, number))
    return named(given_number(rows, *row, number), name);
  auto value = setting_from_text(*row, text);
  if (!value) return named(value.error(), name);
  return named(given_to(rows, *row, name, *value), name);
}

std::string Range::text() const {
  const auto bound = [](double x) {
    return std::isinf(x) ? std::string(x < 0 ? "-inf" : "inf") : fmt::format("{}", x);
  };
  return fmt::format("{}{}, {}{}", open_min || std::isinf(min) ? '(' : '[', bound(min), bound(max),
                     open_max || std::isinf(max) ? ')' : ']');
}

Result<SettingValue> checked_setting(const SettingInfo& info, const SettingValue& value) {
  switch (info.type) {
    case SettingType::number:
      return checked_number(info, value);
    case SettingType::integer:
      return checked_integer(info, value);
    case SettingType::boolean:
      if (!std::holds_alternative<bool>(value))
        return wrong_value(value, "neither true nor false", "true or false");
      return value;
    case SettingType::choice: {
      if (const auto* text = std::get_if<std::string>(&value))
        for (const auto& name : info.choices)
          if (name == *text) return value;
      return wrong_value(value, "not one of the choices",
                         fmt::format("one of {}", fmt::join(info.choices, ", ")));
    }
    case SettingType::text:
      if (!std::holds_alternative<std::string>(value))
        return wrong_value(value, "not a text", "a text in quotes");
      return value;
    case SettingType::vector: {
      const auto* vector = std::get_if<std::array<double, 3>>(&value);
      if (vector == nullptr)
        return wrong_value(value, "not a vector", "three numbers such as [0, 0, -9.81]");
      for (const double x : *vector)
        if (!std::isfinite(x)) return wrong_value(value, "not finite", "three finite numbers");
      return value;
    }
  }
  REPOSE_CHECK(false, "unknown setting type");
}

Result<SettingValue> setting_from_text(const SettingInfo& info, const std::string& text) {
  switch (info.type) {
    case SettingType::number: {
      double number = 0.0;
      if (!read_double(text, number))
        return wrong_value(text, "not a number", "a number in " + info.range.text());
      return checked_setting(info, number);
    }
    case SettingType::integer: {
      std::int64_t whole = 0;
      const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), whole);
      if (failed != std::errc{} || end != text.data() + text.size())
        return wrong_value(text, "not a whole number", "a whole number in " + info.range.text());
      return checked_setting(info, whole);
    }
    case SettingType::boolean:
      if (text != "true" && text != "false")
        return wrong_value(text, "neither true nor false", "true or false");
      return SettingValue{text == "true"};
    case SettingType::choice:
    case SettingType::text:
      return checked_setting(info, text);
    case SettingType::vector: {
      auto vector = vector_from_text(text);
      return vector ? checked_setting(info, *vector) : vector;
    }
  }
  REPOSE_CHECK(false, "unknown setting type");
}

std::string to_text(const SettingValue& value) {
  struct Writer {
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(std::int64_t i) const { return fmt::format("{}", i); }
    std::string operator()(double d) const { return fmt::format("{}", d); }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const std::array<double, 3>& v) const {
      return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
    }
  };
  return std::visit(Writer{}, value);
}

}  // namespace repose
