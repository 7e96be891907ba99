#pragma once

#include <string>
#include <unordered_map>

#include "repose/scene/scene.h"

namespace repose {

/// Finds the shapes that a scene and its models name. The scene must outlive it.
class ShapeLibrary {
 public:
  /// The shapes that names mean in one file.
  struct Scope {
    std::string file;
    std::unordered_map<std::string, const ShapeSpec*> by_name;
  };
  /// A shape and the file its own names belong to; `spec` is null if there is no such shape.
  struct Found {
    const ShapeSpec* spec = nullptr;
    const Scope* scope = nullptr;
  };

  explicit ShapeLibrary(const Scene& scene);

  const Scope& scene_scope() const { return scene_scope_; }
  Found find(const ShapeUse& use, const Scope& scope) const;
  Found find(const ModelUse& use, const Scope& scope) const;
  std::vector<std::string> names(const Scope& scope) const;

 private:
  const Scene& scene_;
  Scope scene_scope_;
  std::unordered_map<std::string, Scope> model_scopes_;  // by the key of Scene::models
};

/// The path of a model file named in `file`: models/NAME.json of the data directory, or beside
/// `file` if the name ends in .json. It is the key of Scene::models.
std::string model_path(const std::string& model, const std::string& file);

/// `error` at its place in the scene's files, where these are known.
InputError located(const Scene& scene, SourcePlace place, InputError error);
InputError located(const Scene& scene, SourcePlace place, std::string pointer, std::string value,
                   std::string wrong, std::string right);

/// Every shape that is named exists, none contains itself, none is nested too deeply or has too
/// many parts.
Result<Done> check_shapes(const Scene& scene);
/// Reads the model files that the scene uses, and those that they use, into Scene::models.
Result<Done> load_models(Scene& scene, SceneSources& sources);

/// Every shape written in the scene itself: named, in bodies, patterns and edits.
template <class Visit>
bool each_scene_shape(const Scene& scene, Visit&& visit) {
  const auto use = [&](const SceneBody& body) {
    return !body.shape.spec || visit(*body.shape.spec);
  };
  for (const auto& [name, spec] : scene.shapes)
    if (!visit(spec)) return false;
  for (const SceneBody& body : scene.bodies)
    if (!use(body)) return false;
  for (const Instances& set : scene.instances)
    for (const SceneBody* pattern : patterns_of(set))
      if (!use(*pattern)) return false;
  for (const SceneEvent& event : scene.events)
    for (const SceneEdit& edit : event.edits)
      if (edit.body && !use(*edit.body)) return false;
  return true;
}

}  // namespace repose
