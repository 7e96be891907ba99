#include "repose/scene/self_contained.h"

#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "shape_library.h"

namespace repose {

namespace {

/// Copies shapes; what other files say becomes shapes of the scene, under the names of those files.
class TakeIn {
 public:
  TakeIn(const Scene& scene, std::size_t most_mesh)
      : library_(scene), out_(scene), most_mesh_(most_mesh) {
    for (const auto& [name, spec] : scene.shapes) taken_names_.insert(name);
  }

  Result<Scene> take() {
    const auto own = library_.scene_scope();
    for (auto& [name, spec] : out_.shapes) spec = copied(spec, own);
    for (SceneBody& body : out_.bodies) take_use(body.shape, own);
    for (Instances& set : out_.instances) {
      take_use(set.body.shape, own);
      for (MixedBody& mixed : set.mixed_with) take_use(mixed.body.shape, own);
    }
    for (SceneEvent& event : out_.events)
      for (SceneEdit& edit : event.edits)
        if (edit.body) take_use(edit.body->shape, own);
    if (error_) return *error_;
    for (auto& shape : added_) out_.shapes.push_back(std::move(shape));
    return std::move(out_);
  }

 private:
  using Scope = ShapeLibrary::Scope;

  bool is_own(const Scope& scope) const { return scope.file == library_.scene_scope().file; }

  /// A use within `scope` as a use within the scene.
  void take_use(ShapeUse& use, const Scope& scope) {
    if (!use.spec) {
      if (!is_own(scope)) use.name = name_of(library_.find(use, scope), use.name);
      return;
    }
    if (const auto* file = std::get_if<shape::MeshFileInput>(&use.spec->what))
      use = {name_of({use.spec.get(), &scope}, file->path), nullptr};
    else if (const auto* model = std::get_if<ModelUse>(&use.spec->what);
             model != nullptr && is_file(*model))
      use = {name_of(library_.find(*model, scope), model->model), nullptr};
    else
      use.spec = std::make_shared<ShapeSpec>(copied(*use.spec, scope));
  }

  static bool is_file(const ModelUse& use) {
    return std::filesystem::path(use.model).extension() == ".json";
  }

  /// A shape within `scope` as a shape of the scene.
  ShapeSpec copied(const ShapeSpec& spec, const Scope& scope) {
    ShapeSpec out = spec;
    if (auto* file = std::get_if<shape::MeshFileInput>(&out.what)) {
      file->path = (std::filesystem::path(scope.file).parent_path() / file->path).string();
      take_mesh(out);
    } else if (const auto* model = std::get_if<ModelUse>(&out.what)) {
      if (!is_file(*model)) return out;
      const auto found = library_.find(*model, scope);
      return copied(*found.spec, *found.scope);
    } else if (auto* whole = std::get_if<UnionSpec>(&out.what)) {
      for (UnionPartSpec& part : whole->parts) take_use(part.shape, scope);
    } else if (auto* fill = std::get_if<FillSpec>(&out.what)) {
      take_use(fill->shape, scope);
    } else if (auto* sample = std::get_if<SampleSpec>(&out.what)) {
      take_use(sample->shape, scope);
    }
    return out;
  }

  /// The triangles of the file that `spec` names, whose path is that from here.
  void take_mesh(ShapeSpec& spec) {
    auto& file = std::get<shape::MeshFileInput>(spec.what);
    auto mesh = shape::read_scaled_mesh(file);
    if (!mesh) {
      if (!error_) error_ = mesh.error();
      return;
    }
    if (mesh->points.size() + mesh->triangles.size() > most_mesh_) {
      file.path = std::filesystem::absolute(file.path).lexically_normal().string();
      return;
    }
    spec.what = MeshSpec{std::move(mesh->points), std::move(mesh->triangles), file.open};
  }

  /// The name that a shape of another file has in the scene; it is taken in when first asked for.
  std::string name_of(ShapeLibrary::Found found, const std::string& wish) {
    std::string key = found.scope->file;
    if (const auto* file = std::get_if<shape::MeshFileInput>(&found.spec->what))
      key += fmt::format(" {} {} {}", file->path, file->scale, file->open);
    else
      key += fmt::format(" {}", static_cast<const void*>(found.spec));
    if (const auto known = names_.find(key); known != names_.end()) return known->second;
    std::string name = wish;
    for (int k = 2; !taken_names_.insert(name).second; ++k) name = fmt::format("{} {}", wish, k);
    names_.emplace(key, name);
    added_.emplace_back(name, copied(*found.spec, *found.scope));
    return name;
  }

  ShapeLibrary library_;
  Scene out_;
  std::size_t most_mesh_;
  Named<ShapeSpec> added_;
  std::map<std::string, std::string> names_;  // by file and shape
  std::set<std::string> taken_names_;
  std::optional<InputError> error_;
};

}  // namespace

Result<Scene> self_contained(const Scene& scene, std::size_t most_mesh) {
  return TakeIn(scene, most_mesh).take();
}

}  // namespace repose
