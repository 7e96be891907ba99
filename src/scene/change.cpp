#include "repose/scene/change.h"

#include <charconv>

#include "repose/base/json_write.h"
#include "repose/scene/gallery.h"

namespace repose {
namespace {

InputError mistake(const std::string& change, std::string wrong, std::string right) {
  InputError error;
  error.pointer = change.substr(0, change.find('='));
  error.value = change;
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

/// The words between the slashes of a pointer, ~1 read as a slash and ~0 as ~ (RFC 6901).
std::vector<std::string> words_of(const std::string& pointer) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      out.emplace_back();
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      out.back() += pointer[++i] == '1' ? '/' : '~';
    } else {
      out.back() += pointer[i];
    }
  }
  return out;
}

/// What a word of the pointer leads to; null where nothing is there. `last`: a member of an object
/// may be new.
Json* below(Json& at, const std::string& word, bool last) {
  if (Json::Object* object = at.object()) {
    for (auto& [key, value] : *object)
      if (key == word) return &value;
    return last ? &at[word] : nullptr;
  }
  Json::Array* array = at.array();
  std::size_t index = 0;
  const char* end = word.data() + word.size();
  const auto [stop, code] = std::from_chars(word.data(), end, index);
  if (array == nullptr || code != std::errc{} || stop != end || index >= array->size())
    return nullptr;
  return &(*array)[index];
}

Result<Done> apply(const std::string& change, Json& root) {
  const auto equals = change.find('=');
  if (change.empty() || change[0] != '/' || equals == std::string::npos)
    return mistake(change, "a change is not written so", "POINTER=VALUE, as in /seed=7");
  auto value = JsonDocument::parse(change.substr(equals + 1), "");
  if (!value) return mistake(change, value.error().wrong, "JSON after the =");
  Json* at = &root;
  const auto words = words_of(change.substr(0, equals));
  for (std::size_t k = 0; k < words.size() && at != nullptr; ++k)
    at = below(*at, words[k], k + 1 == words.size());
  if (at == nullptr)
    return mistake(change, "the scene has nothing there", "a pointer to a value of the scene");
  *at = Json((*value)->root());
  return Done{};
}

}  // namespace

Result<Scene> open_changed_scene(const std::string& path_or_name,
                                 const std::vector<std::string>& changes,
                                 const Catalogue& catalogue) {
  if (changes.empty()) return open_scene(path_or_name, catalogue);
  const auto path = find_scene(path_or_name);
  if (!path) return path.error();
  if (path->ends_with(".xml"))
    return mistake(changes[0], "scenes in XML have no pointers", "a scene in JSON");
  const auto document = JsonDocument::read(*path);
  if (!document) return document.error();
  Json root((*document)->root());
  for (const std::string& change : changes)
    if (auto done = apply(change, root); !done) {
      InputError error = done.error();
      error.file = *path;
      return error;
    }
  auto scene = scene_from_text(root.line(), *path, catalogue);
  if (!scene) {
    InputError error = scene.error();
    if (error.file == *path) error.line = error.column = 0;
    return error;
  }
  if (*path != path_or_name) scene->name = path_or_name;
  scene->sources = nullptr;
  return scene;
}

}  // namespace repose
