#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "repose/base/result.h"

namespace repose {

/// What a setting can hold. Choices are strings.
using SettingValue = std::variant<bool, std::int64_t, double, std::string, std::array<double, 3>>;
/// Values by name, as a scene or the command line gives them.
using SettingValues = std::map<std::string, SettingValue>;

enum class SettingType { boolean, integer, number, choice, text, vector };

/// The allowed numbers; an open end excludes the bound itself.
struct Range {
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool open_min = false;
  bool open_max = false;

  bool contains(double x) const {
    return (open_min ? x > min : x >= min) && (open_max ? x < max : x <= max);
  }
  /// "(0, 1]"
  std::string text() const;
};

/// One row of a settings table: what schema, documentation, command line and studio show.
struct SettingInfo {
  std::string name;
  SettingType type = SettingType::number;
  SettingValue default_value;
  Range range;                              // numbers and integers
  std::vector<std::string> choices;         // choice
  std::string unit;                         // "m", "1" for a pure number, "" where none applies
  std::string meaning;                      // one sentence, and what changes if it grows
  std::vector<std::string> old_names = {};  // read as before, with a note
  /// Of a switch where once a number stood: the setting that holds this number today. A number is
  /// read as before, with a note: it goes there, and the switch is on if it is above 0.
  std::string number_is = {};
};

/// The row of that name, of today or of old; null: there is none.
const SettingInfo* find_setting(const std::vector<SettingInfo>& rows, const std::string& name);

/// A setting as it was given, said as today and checked.
struct GivenSetting {
  SettingValues values;  // two where an old way of saying it stood for two
  std::string note;      // "extricate is the old name of repair_start"; empty: nothing old
};
/// Errors carry the name as given in `pointer`.
Result<GivenSetting> given_setting(const std::vector<SettingInfo>& rows, const std::string& name,
                                   const SettingValue& value);
/// The same from command-line text.
Result<GivenSetting> given_setting_text(const std::vector<SettingInfo>& rows,
                                        const std::string& name, const std::string& text);

/// Checks one value against its row; integers are accepted where numbers are asked.
/// The error carries `wrong` and `right`; the caller adds the place.
Result<SettingValue> checked_setting(const SettingInfo& info, const SettingValue& value);
/// Reads a value from command-line text ("0.02", "true", "paper", "0,0,-9.81").
Result<SettingValue> setting_from_text(const SettingInfo& info, const std::string& text);
std::string to_text(const SettingValue& value);

/// The table of one settings struct: each row is bound to a member, whose initialiser is the
/// default. Written once beside the struct; everything else is made from it.
template <class Struct>
class SettingsTable {
 public:
  SettingsTable& number(std::string name, double Struct::*member, Range range, std::string unit,
                        std::string meaning) {
    return add(
        {std::move(name),
         SettingType::number,
         Struct{}.*member,
         range,
         {},
         std::move(unit),
         std::move(meaning)},
        [member](Struct& s, const SettingValue& v) { s.*member = std::get<double>(v); },
        [member](const Struct& s) -> SettingValue { return s.*member; });
  }
  SettingsTable& integer(std::string name, int Struct::*member, Range range, std::string meaning) {
    return add(
        {std::move(name),
         SettingType::integer,
         std::int64_t{Struct{}.*member},
         range,
         {},
         "1",
         std::move(meaning)},
        [member](Struct& s, const SettingValue& v) {
          s.*member = static_cast<int>(std::get<std::int64_t>(v));
        },
        [member](const Struct& s) -> SettingValue { return std::int64_t{s.*member}; });
  }
  SettingsTable& boolean(std::string name, bool Struct::*member, std::string meaning) {
    return add(
        {std::move(name), SettingType::boolean, Struct{}.*member, {}, {}, "", std::move(meaning)},
        [member](Struct& s, const SettingValue& v) { s.*member = std::get<bool>(v); },
        [member](const Struct& s) -> SettingValue { return s.*member; });
  }
  /// An enumeration spelled by `choices`, in the order of its values.
  template <class Enum>
  SettingsTable& choice(std::string name, Enum Struct::*member, std::vector<std::string> choices,
                        std::string meaning) {
    const auto names = choices;
    return add(
        {std::move(name),
         SettingType::choice,
         choices.at(static_cast<std::size_t>(Struct{}.*member)),
         {},
         choices,
         "",
         std::move(meaning)},
        [member, names](Struct& s, const SettingValue& v) {
          for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == std::get<std::string>(v)) s.*member = static_cast<Enum>(i);
        },
        [member, names](const Struct& s) -> SettingValue {
          return names.at(static_cast<std::size_t>(s.*member));
        });
  }
  SettingsTable& vector(std::string name, std::array<double, 3> Struct::*member, std::string unit,
                        std::string meaning) {
    return add(
        {std::move(name),
         SettingType::vector,
         Struct{}.*member,
         {},
         {},
         std::move(unit),
         std::move(meaning)},
        [member](Struct& s, const SettingValue& v) {
          s.*member = std::get<std::array<double, 3>>(v);
        },
        [member](const Struct& s) -> SettingValue { return s.*member; });
  }

  /// The last row was once called so.
  SettingsTable& once(std::string old_name) {
    rows_.back().old_names.push_back(std::move(old_name));
    return *this;
  }
  /// The last row, a switch, once held the number that `setting` holds today.
  SettingsTable& once_number(std::string setting) {
    rows_.back().number_is = std::move(setting);
    return *this;
  }

  const std::vector<SettingInfo>& rows() const { return rows_; }

  /// The struct with the given values set over its defaults, by names of today or of old. Unknown
  /// names and values out of range are errors; `pointer` of the error is the setting's name.
  Result<Struct> read(const SettingValues& values) const {
    Struct out{};
    for (const auto& [name, value] : values) {
      auto given = given_setting(rows_, name, value);
      if (!given) return given.error();
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (const auto found = given->values.find(rows_[i].name); found != given->values.end())
          set_[i](out, found->second);
    }
    return out;
  }
  /// Every setting by name, as it stands in `s`.
  SettingValues write(const Struct& s) const {
    SettingValues out;
    for (std::size_t i = 0; i < rows_.size(); ++i) out[rows_[i].name] = get_[i](s);
    return out;
  }

 private:
  using Set = std::function<void(Struct&, const SettingValue&)>;
  using Get = std::function<SettingValue(const Struct&)>;

  SettingsTable& add(SettingInfo info, Set set, Get get) {
    rows_.push_back(std::move(info));
    set_.push_back(std::move(set));
    get_.push_back(std::move(get));
    return *this;
  }

  std::vector<SettingInfo> rows_;
  std::vector<Set> set_;
  std::vector<Get> get_;
};

}  // namespace repose
