#pragma once

#include "repose/base/settings.h"

namespace repose {

/// Reads `values` over the defaults into `settings`; where one is wrong, `settings` stays as it
/// was.
template <class Struct>
Result<Done> change_settings(const SettingsTable<Struct>& table, const SettingValues& values,
                             Struct& settings) {
  auto read = table.read(values);
  if (!read) return read.error();
  settings = *std::move(read);
  return Done{};
}

}  // namespace repose
