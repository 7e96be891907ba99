#pragma once

#include <string>

#include "repose/scene/scene.h"

namespace repose::sample {

/// A method with one setting of each type, which nobody runs.
inline Catalogue catalogue() {
  MethodInfo still{"still", "Nothing moves.", {}, {}};
  MethodInfo place{"place", "Sets bodies down.", {}, {}};
  place.settings = {
      {"epsilon_max", SettingType::number, 0.05, {0.0, 1.0, true, false}, {}, "m", "Longest step."},
      {"tries", SettingType::integer, std::int64_t{3}, {1, 10}, {}, "1", "How often."},
      {"loud", SettingType::boolean, false, {}, {}, "", "Whether to say so."},
      {"engine",
       SettingType::choice,
       std::string("default"),
       {},
       {"default", "paper"},
       "",
       "Which."},
      {"wind", SettingType::vector, std::array<double, 3>{}, {}, {}, "m/s", "From where."}};
  return {still, place};
}

inline Result<Scene> scene(const std::string& text) {
  return scene_from_text(text, "sample.json", catalogue());
}

}  // namespace repose::sample
