#include "repose/base/setting_values.h"

namespace repose {
namespace {

template <class T>
const T* value_in(const SettingValues& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

double number_or(const SettingValues& values, const std::string& name, double otherwise) {
  if (const auto* number = value_in<double>(values, name)) return *number;
  if (const auto* whole = value_in<std::int64_t>(values, name)) return static_cast<double>(*whole);
  return otherwise;
}

bool flag_or(const SettingValues& values, const std::string& name, bool otherwise) {
  const bool* flag = value_in<bool>(values, name);
  return flag == nullptr ? otherwise : *flag;
}

std::string text_or(const SettingValues& values, const std::string& name,
                    const std::string& otherwise) {
  const auto* text = value_in<std::string>(values, name);
  return text == nullptr ? otherwise : *text;
}

std::optional<std::array<double, 3>> vector_in(const SettingValues& values,
                                               const std::string& name) {
  const auto* vector = value_in<std::array<double, 3>>(values, name);
  return vector == nullptr ? std::nullopt : std::optional(*vector);
}

}  // namespace repose
