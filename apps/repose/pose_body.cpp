#include "pose_body.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/base/nearest.h"
#include "repose/run/catalogue.h"
#include "repose/scene/gallery.h"

namespace {

namespace fs = std::filesystem;
using repose::Body;
using repose::InputError;
using repose::Json;
using repose::Result;

Result<repose::World> world_of(const Result<repose::Scene>& scene) {
  if (!scene) return scene.error();
  return repose::build_world(*scene);
}

/// A scene of the one shape.
Result<Body> body_of_shape(Json shape, const std::string& name) {
  Json::Object body{{"name", name}, {"shape", std::move(shape)}};
  const Json scene = Json::Object{{"repose", 1},
                                  {"about", "One body."},
                                  {"method", Json::Object{{"kind", "still"}}},
                                  {"bodies", Json::Array{std::move(body)}}};
  const auto world =
      world_of(repose::scene_from_text(scene.line(), name, repose::method_catalogue()));
  if (!world) return world.error();
  return world->problem.bodies.front();
}

Result<Body> body_of_scene(const std::string& scene, const std::string& name) {
  const auto world = world_of(repose::open_scene(scene, repose::method_catalogue()));
  if (!world) return world.error();
  const int at = world->problem.find_body(name);
  if (at >= 0) return world->problem.bodies[static_cast<std::size_t>(at)];
  InputError error;
  error.file = scene;
  error.value = name;
  error.wrong = "no body of that name";
  error.right = "one of:";
  for (const Body& body : world->problem.bodies)
    if (!body.fixed) error.right += " " + body.name;
  return error;
}

bool is_mesh_file(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".obj" || ending == ".stl" || ending == ".ply" || ending == ".gltf" ||
         ending == ".glb";
}

std::vector<std::string> model_names() {
  std::vector<std::string> out;
  std::error_code failed;
  const fs::path folder = fs::path(repose::data_directory()) / "models";
  for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
       entry.increment(failed))
    if (entry->path().extension() == ".json") out.push_back(entry->path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

Result<Body> find_pose_body(const std::string& text) {
  if (const auto hash = text.rfind('#'); hash != std::string::npos)
    return body_of_scene(text.substr(0, hash), text.substr(hash + 1));
  const fs::path path = text;
  if (is_mesh_file(path))
    return body_of_shape(Json::Object{{"kind", "mesh_file"}, {"path", fs::absolute(path).string()}},
                         path.stem().string());
  if (path.extension() == ".json")
    return body_of_shape(Json::Object{{"model", fs::absolute(path).string()}},
                         path.stem().string());
  if (fs::exists(fs::path(repose::data_directory()) / "models" / (text + ".json")))
    return body_of_shape(Json::Object{{"model", text}}, text);
  InputError error;
  error.pointer = "BODY";
  error.value = text;
  error.wrong = "no such body";
  const std::string near = repose::nearest(text, model_names());
  error.right =
      near.empty()
          ? "a mesh file (.obj .stl .ply .gltf .glb), a model of models/ or its file, or SCENE#BODY"
          : fmt::format("did you mean \"{}\"?", near);
  return error;
}
