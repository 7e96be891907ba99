#include "repose/scene/scene.h"

#include <charconv>
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/plain_file.h"
#include "repose/scene/come.h"

#include "checks.h"
#include "shape_library.h"
#include "tables.h"

namespace repose {

namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{128} << 20;  // of a scene as XML

Result<Scene> scene_from_document(const std::shared_ptr<const JsonDocument>& document,
                                  const Catalogue& catalogue) {
  Scene scene;
  scene.file = document->file();
  scene.name = std::filesystem::path(scene.file).stem().string();
  auto sources = std::make_shared<SceneSources>();
  Reading reading;
  reading.document = sources->add(document);
  reading.catalogue = &catalogue;
  if (!scene_table().read(reading, document->root(), scene)) return *reading.error;
  scene.notes = std::move(reading.notes);
  for (auto& [name, material] : scene.materials) material.name = name;

  if (const auto models = load_models(scene, *sources); !models) return models.error();
  scene.sources = std::move(sources);
  if (const auto shapes = check_shapes(scene); !shapes) return shapes.error();
  if (const auto names = check_references(scene); !names) return names.error();
  if (const auto edits = check_set_edits(scene, catalogue); !edits) return edits.error();
  return scene;
}

}  // namespace

Result<Scene> load_scene(const std::string& path, const Catalogue& catalogue) {
  if (std::filesystem::path(path).extension() == ".xml") {
    auto text = read_plain_file(path, kMostBytes, "the path of a scene");
    if (!text) return text.error();
    return scene_from_come(std::move(*text), path, catalogue);
  }
  const auto document = JsonDocument::read(path);
  if (!document) return document.error();
  return scene_from_document(*document, catalogue);
}

Result<Scene> scene_from_text(std::string text, const std::string& file,
                              const Catalogue& catalogue) {
  const auto document = JsonDocument::parse(std::move(text), file);
  if (!document) return document.error();
  return scene_from_document(*document, catalogue);
}

std::string write_scene(const Scene& scene) {
  Json::Object out;
  scene_table().write(scene, out);
  return Json(std::move(out)).pretty();
}

bool same_scene(const Scene& a, const Scene& b) {
  return scene_table().same(a, b);
}

Result<Done> apply_setting(Scene& scene, const std::string& text, const Catalogue& catalogue) {
  InputError error;
  error.file = "--set";
  error.value = text;
  const auto equals = text.find('=');
  const auto dot = text.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
    error.wrong = "not a setting";
    error.right = "METHOD.SETTING=VALUE such as place.epsilon_max=0.02";
    return error;
  }
  const std::string method = text.substr(0, dot);
  const std::string name = text.substr(dot + 1, equals - dot - 1);
  error.pointer = method + "." + name;
  if (method != scene.method.kind) {
    error.wrong = "the scene's method is " + scene.method.kind;
    error.right = fmt::format("{}.SETTING=VALUE", scene.method.kind);
    return error;
  }
  std::vector<std::string> names;
  for (const MethodInfo& info : catalogue) {
    if (info.name != method) continue;
    for (const SettingInfo& row : info.settings) names.push_back(row.name);
    if (find_setting(info.settings, name) == nullptr) continue;
    auto given = given_setting_text(info.settings, name, text.substr(equals + 1));
    if (!given) {
      error.value = text.substr(equals + 1);
      error.wrong = given.error().wrong;
      error.right = given.error().right;
      return error;
    }
    for (auto& [today, value] : given->values) scene.method.settings[today] = std::move(value);
    if (!given->note.empty()) scene.notes.push_back(error.file + ": " + given->note);
    return Done{};
  }
  error.wrong = "the method " + method + " has no such setting";
  error.right = suggestion(name, names);
  return error;
}

InputError locate_error(const Scene& scene, const std::vector<SourcePlace>& written,
                        InputError error) {
  // "/bodies/17/shape": a list, a number and what is below it
  constexpr std::string_view kBodies = "/bodies/";
  const std::string& pointer = error.pointer;
  if (!scene.sources && error.file.empty()) error.file = scene.file;
  if (!scene.sources || pointer.empty() || pointer[0] != '/') return error;
  if (pointer.compare(0, kBodies.size(), kBodies) == 0) {
    std::size_t body = 0;
    const char* begin = pointer.data() + kBodies.size();
    const auto [end, failed] = std::from_chars(begin, pointer.data() + pointer.size(), body);
    if (failed == std::errc{} && body < written.size()) {
      std::string below(end, pointer.data() + pointer.size());
      // an instance has its place from its arrangement, all else from the pattern
      if (body >= scene.bodies.size()) below = below == "/position" ? "/arrange" : "/body" + below;
      error.pointer = std::move(below);
      return located(scene, written[body], std::move(error));
    }
  }
  return located(scene, SourcePlace{0, 0}, std::move(error));
}

}  // namespace repose
