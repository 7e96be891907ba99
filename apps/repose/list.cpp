// repose list
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/run/catalogue.h"
#include "repose/scene/gallery.h"

#include "commands.h"
#include "messages.h"

namespace {

nlohmann::ordered_json setting_json(const repose::SettingInfo& row) {
  nlohmann::ordered_json out = {{"name", row.name},
                                {"default", repose::to_text(row.default_value)},
                                {"unit", row.unit},
                                {"meaning", row.meaning}};
  if (row.type == repose::SettingType::number || row.type == repose::SettingType::integer)
    out["range"] = row.range.text();
  if (!row.choices.empty()) out["choices"] = row.choices;
  return out;
}

int list_json(const std::vector<repose::GalleryScene>& scenes) {
  nlohmann::ordered_json out = {{"scenes", nlohmann::ordered_json::array()},
                                {"methods", nlohmann::ordered_json::array()}};
  for (const auto& scene : scenes)
    out["scenes"].push_back({{"name", scene.name},
                             {"about", scene.about},
                             {"method", scene.method},
                             {"path", scene.path}});
  for (const auto& method : repose::method_catalogue()) {
    nlohmann::ordered_json settings = nlohmann::ordered_json::array();
    for (const auto& row : method.settings) settings.push_back(setting_json(row));
    out["methods"].push_back(
        {{"name", method.name}, {"about", method.about}, {"settings", settings}});
  }
  fmt::print("{}\n", out.dump(2));
  return kDone;
}

void list_settings() {
  for (const auto& method : repose::method_catalogue()) {
    fmt::print("{}: {}\n", method.name, method.about);
    for (const auto& row : method.settings)
      fmt::print("  --set {}.{}={}  {}{}\n", method.name, row.name,
                 repose::to_text(row.default_value), row.meaning,
                 row.unit.empty() || row.unit == "1" ? "" : " [" + row.unit + "]");
  }
}

int list(bool json, bool settings) {
  const auto scenes = repose::list_gallery();
  if (!scenes) return bad_input(scenes.error(), json);
  if (json) return list_json(*scenes);
  if (settings) {
    list_settings();
    return kDone;
  }
  std::size_t width = 0;
  for (const auto& scene : *scenes) width = std::max(width, scene.name.size());
  for (const auto& scene : *scenes) fmt::print("{:<{}}  {}\n", scene.name, width, scene.about);
  return kDone;
}

}  // namespace

void add_list(CLI::App& program, Action& action) {
  auto* command = program.add_subcommand("list", "List the gallery's scenes, a sentence each");
  auto json = std::make_shared<bool>(false);
  auto settings = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "Scenes, methods and their settings as JSON");
  command->add_flag("--settings", *settings, "List the methods and their settings instead");
  command->callback(
      [&action, json, settings] { action = [json, settings] { return list(*json, *settings); }; });
}
