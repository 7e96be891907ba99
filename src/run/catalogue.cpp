#include "repose/run/catalogue.h"

#include "repose/mechanism/mechanism.h"
#include "repose/molecule/molecule.h"
#include "repose/pile/pile.h"
#include "repose/place/place.h"
#include "repose/still/still.h"
#include "repose/surfel/surfel.h"

namespace repose {

const std::vector<MethodInfo>& method_catalogue() {
  static const std::vector<MethodInfo> all = {still::method_info(),    place::method_info(),
                                              pile::method_info(),     mechanism::method_info(),
                                              molecule::method_info(), surfel::method_info()};
  return all;
}

Result<const MethodInfo*> find_method(const std::string& name) {
  std::string known;
  for (const MethodInfo& method : method_catalogue()) {
    if (method.name == name) return &method;
    known += (known.empty() ? "" : ", ") + method.name;
  }
  InputError error;
  error.wrong = "no such method";
  error.value = name;
  error.right = "one of " + known;
  return error;
}

Result<SettingValues> complete_settings(const MethodInfo& method, const SettingValues& given) {
  SettingValues out;
  for (const SettingInfo& row : method.settings) out[row.name] = row.default_value;
  return complete_settings(method, given, std::move(out));
}

Result<SettingValues> complete_settings(const MethodInfo& method, const SettingValues& given,
                                        SettingValues over) {
  for (const auto& [name, value] : given) {
    if (find_setting(method.settings, name) == nullptr) {
      InputError error;
      error.wrong = "the method " + method.name + " has no such setting";
      error.pointer = error.value = name;
      return error;
    }
    auto said = given_setting(method.settings, name, value);
    if (!said) return said.error();
    for (auto& [today, checked] : said->values) over[today] = std::move(checked);
  }
  return over;
}

}  // namespace repose
