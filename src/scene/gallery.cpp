#include "repose/scene/gallery.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/nearest.h"
#include "repose/base/plain_file.h"
#include "repose/scene/come.h"

#include "field_table.h"

namespace repose {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostBytes = std::uint64_t{128} << 20;  // of a scene as XML

std::string text_field(JsonView root, const char* name) {
  const auto field = root.find(name);
  return field && field->kind() == JsonKind::text ? field->text() : std::string();
}

bool holds_scenes(const fs::path& folder) {
  std::error_code failed;
  return fs::is_directory(folder / "scenes", failed);
}

/// scenes/<method>/<name>.json or .xml, sorted; a scene that stands there in both forms once, as
/// XML.
std::vector<fs::path> gallery_files() {
  std::vector<fs::path> out;
  std::error_code failed;
  for (const auto& method : fs::directory_iterator(fs::path(data_directory()) / "scenes", failed))
    if (method.is_directory())
      for (const auto& entry : fs::directory_iterator(method.path(), failed))
        if (entry.path().extension() == ".json" || entry.path().extension() == ".xml")
          out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  std::erase_if(out, [&failed](const fs::path& file) {
    fs::path other = file;
    return file.extension() == ".json" &&
           fs::is_regular_file(other.replace_extension(".xml"), failed);
  });
  return out;
}

Result<GalleryScene> xml_entry(const fs::path& file, const std::string& name) {
  auto text = read_plain_file(file.string(), kMostBytes, "the path of a scene");
  if (!text) return text.error();
  const auto about = come_about(std::move(*text), file.string());
  if (!about) return about.error();
  return GalleryScene{name, *about, "molecule", file.string()};
}

std::string gallery_name(const fs::path& file) {
  return file.parent_path().filename().string() + "/" + file.stem().string();
}

}  // namespace

std::string data_directory() {
  if (const char* set = std::getenv("REPOSE_DATA"); set != nullptr && *set != '\0') return set;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  const fs::path beside = program.parent_path().parent_path() / "share" / "repose";
  if (!failed && holds_scenes(beside)) return beside.string();
  if (holds_scenes(REPOSE_SOURCE_DATA)) return REPOSE_SOURCE_DATA;
  return REPOSE_INSTALLED_DATA;
}

Result<std::vector<GalleryScene>> list_gallery() {
  std::vector<GalleryScene> out;
  for (const fs::path& file : gallery_files()) {
    if (file.extension() == ".xml") {
      auto entry = xml_entry(file, gallery_name(file));
      if (!entry) return entry.error();
      out.push_back(std::move(*entry));
      continue;
    }
    const auto document = JsonDocument::read(file.string());
    if (!document) return document.error();
    const JsonView root = (*document)->root();
    const auto method = root.find("method");
    out.push_back({gallery_name(file), text_field(root, "about"),
                   method ? text_field(*method, "kind") : "still", file.string()});
  }
  return out;
}

namespace {

/// Files of the folder that the path leads to, without the folder: names are compared, not ways to
/// them.
std::vector<std::string> beside(const fs::path& path) {
  std::vector<std::string> out;
  std::error_code failed;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (entry->is_regular_file(failed)) out.push_back(entry->path().filename().string());
  std::sort(out.begin(), out.end());
  return out;
}

InputError no_scene(const std::string& path_or_name, const std::vector<std::string>& names) {
  constexpr const char* kEither =
      "the path of a scene, or a name of the gallery: repose list shows them";
  InputError error;
  error.file = path_or_name;
  error.right = kEither;
  std::error_code failed;
  if (fs::is_directory(path_or_name, failed)) {
    error.wrong = "it is a folder, not a scene";
    return error;
  }
  const bool is_path = fs::path(path_or_name).has_extension();
  error.wrong = is_path ? "there is no such file" : "neither a file nor a scene of the gallery";
  const fs::path path = path_or_name;
  const std::string near =
      is_path ? nearest(path.filename().string(), beside(path)) : nearest(path_or_name, names);
  if (!near.empty())
    error.right =
        fmt::format("did you mean \"{}\"?", is_path ? (path.parent_path() / near).string() : near);
  return error;
}

}  // namespace

Result<std::string> find_scene(const std::string& path_or_name) {
  std::error_code failed;
  if (fs::is_regular_file(path_or_name, failed)) return path_or_name;
  std::vector<std::string> names;
  for (const fs::path& file : gallery_files()) {
    names.push_back(gallery_name(file));
    if (names.back() == path_or_name) return file.string();
  }
  return no_scene(path_or_name, names);
}

Result<Scene> open_scene(const std::string& path_or_name, const Catalogue& catalogue) {
  const auto path = find_scene(path_or_name);
  if (!path) return path.error();
  auto scene = load_scene(*path, catalogue);
  if (scene && *path != path_or_name) scene->name = path_or_name;
  return scene;
}

}  // namespace repose
