// repose list
#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/run/catalogue.h"
#include "repose/scene/gallery.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"

namespace {

using repose::Json;

Json setting_json(const repose::SettingInfo& row) {
  Json::Object out = {{"name", row.name},
                      {"default", repose::to_text(row.default_value)},
                      {"unit", row.unit},
                      {"meaning", row.meaning}};
  if (row.type == repose::SettingType::number || row.type == repose::SettingType::integer)
    out.emplace_back("range", row.range.text());
  if (!row.choices.empty())
    out.emplace_back("choices", Json::Array(row.choices.begin(), row.choices.end()));
  if (!row.old_names.empty())
    out.emplace_back("old_names", Json::Array(row.old_names.begin(), row.old_names.end()));
  return out;
}

int list_json(const std::vector<repose::GalleryScene>& scenes) {
  Json::Array shown, methods;
  for (const auto& scene : scenes)
    shown.push_back(Json::Object{{"name", scene.name},
                                 {"about", scene.about},
                                 {"method", scene.method},
                                 {"path", scene.path}});
  for (const auto& method : repose::method_catalogue()) {
    Json::Array settings;
    for (const auto& row : method.settings) settings.push_back(setting_json(row));
    methods.push_back(Json::Object{
        {"name", method.name}, {"about", method.about}, {"settings", std::move(settings)}});
  }
  const Json out = Json::Object{{"scenes", std::move(shown)}, {"methods", std::move(methods)}};
  tell("{}", out.tall());
  return kDone;
}

void list_settings() {
  for (const auto& method : repose::method_catalogue()) {
    tell("{}: {}\n", method.name, method.about);
    for (const auto& row : method.settings)
      tell("  --set {}.{}={}  {}{}\n", method.name, row.name, repose::to_text(row.default_value),
           row.meaning, row.unit.empty() || row.unit == "1" ? "" : " [" + row.unit + "]");
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
  for (const auto& scene : *scenes) tell("{:<{}}  {}\n", scene.name, width, scene.about);
  return kDone;
}

}  // namespace

void add_list(CommandLine& program) {
  struct Options {
    bool json = false, settings = false;
  };
  auto options = std::make_shared<Options>();
  program
      .subcommand("list", "List the gallery's scenes, a sentence each",
                  [options] { return list(options->json, options->settings); })
      .flag("--json", options->json, "Scenes, methods and their settings as JSON")
      .flag("--settings", options->settings, "List the methods and their settings instead");
}
