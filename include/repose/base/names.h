#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace repose {

/// What the values of an enumeration are called in files and messages, in the order of the values.
/// An enumeration with names says so beside it, once:
///   template <>
///   inline constexpr auto kNames<Kind> = std::to_array<std::string_view>({"pin", "weld"});
template <class Enum>
inline constexpr std::array<std::string_view, 0> kNames{};

template <class Enum>
std::string name_of(Enum value) {
  return std::string(kNames<Enum>.at(static_cast<std::size_t>(value)));
}

/// The value of that name, if there is one.
template <class Enum>
std::optional<Enum> named(std::string_view name) {
  for (std::size_t i = 0; i < kNames<Enum>.size(); ++i)
    if (kNames<Enum>[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace repose
