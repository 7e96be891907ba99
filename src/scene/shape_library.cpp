#include "shape_library.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "repose/scene/gallery.h"

#include "tables.h"

namespace repose {

namespace {

ShapeLibrary::Scope scope_of(const Named<ShapeSpec>& shapes, const std::string& file) {
  ShapeLibrary::Scope scope;
  scope.file = file;
  for (const auto& [name, spec] : shapes) scope.by_name.emplace(name, &spec);
  return scope;
}

/// The shape that a fill or a sample is made of; nullptr of any other kind.
const ShapeUse* inner_of(const ShapeSpec& spec) {
  if (const auto* fill = std::get_if<FillSpec>(&spec.what)) return &fill->shape;
  if (const auto* sample = std::get_if<SampleSpec>(&spec.what)) return &sample->shape;
  return nullptr;
}

/// Walks the shapes that shapes consist of, depth first.
class ShapeWalk {
 public:
  ShapeWalk(const Scene& scene, const ShapeLibrary& library) : scene_(scene), library_(library) {}

  bool visit(ShapeLibrary::Found at, const std::string& label) {
    if (is_plain(*at.spec)) return true;
    if (done_.count(at.spec) > 0) return true;
    const auto open = std::find_if(path_.begin(), path_.end(),
                                   [&](const Step& step) { return step.spec == at.spec; });
    if (open != path_.end()) return fail_cycle(*at.spec, open - path_.begin());
    if (path_.size() >= kMaxDepth)
      return fail(*at.spec, "", "shapes consist of shapes too many times over",
                  fmt::format("at most {} levels", kMaxDepth));
    path_.push_back({at.spec, label});
    std::size_t parts = 1;
    std::size_t height = 1;
    const bool good = visit_parts(at, parts, height);
    path_.pop_back();
    if (!good) return false;
    if (parts > kMaxParts || path_.size() + height > kMaxDepth)
      return fail(*at.spec, "", "a shape of too many parts",
                  fmt::format("at most {} parts and {} levels", kMaxParts, kMaxDepth));
    done_[at.spec] = {parts, height};
    return true;
  }
  std::optional<InputError> error;

 private:
  static constexpr std::size_t kMaxDepth = 64;
  static constexpr std::size_t kMaxParts = 10'000;
  struct Step {
    const ShapeSpec* spec;
    std::string label;
  };
  struct Size {
    std::size_t parts, height;
  };

  static bool is_plain(const ShapeSpec& spec) {
    return !std::holds_alternative<UnionSpec>(spec.what) &&
           !std::holds_alternative<FillSpec>(spec.what) &&
           !std::holds_alternative<SampleSpec>(spec.what) &&
           !std::holds_alternative<ModelUse>(spec.what);
  }
  bool fail(const ShapeSpec& at, std::string pointer, std::string wrong, std::string right) {
    error = located(scene_, at.source, std::move(pointer), "", std::move(wrong), std::move(right));
    return false;
  }
  bool fail_cycle(const ShapeSpec& at, long first) {
    std::string cycle;
    for (std::size_t i = static_cast<std::size_t>(first); i < path_.size(); ++i)
      if (!path_[i].label.empty()) cycle += path_[i].label + " -> ";
    return fail(
        at, "",
        "a shape that contains itself: " + cycle + path_[static_cast<std::size_t>(first)].label,
        "shapes that end in plain ones");
  }

  bool visit_parts(ShapeLibrary::Found at, std::size_t& parts, std::size_t& height) {
    const auto add = [&](ShapeLibrary::Found part, const std::string& label) {
      if (!visit(part, label)) return false;
      const Size size = is_plain(*part.spec) ? Size{1, 1} : done_.at(part.spec);
      parts += size.parts;
      height = std::max(height, size.height + 1);
      return parts <= kMaxParts || fail(*at.spec, "", "a shape of too many parts",
                                        fmt::format("at most {} parts", kMaxParts));
    };
    if (const auto* use = std::get_if<ModelUse>(&at.spec->what)) {
      const auto model = library_.find(*use, *at.scope);
      if (model.spec == nullptr)
        return fail(*at.spec, "/model", "this model has not been loaded", "a model file");
      return add(model, "model " + use->model);
    }
    if (const ShapeUse* use = inner_of(*at.spec)) {
      const auto inner = library_.find(*use, *at.scope);
      if (inner.spec == nullptr)
        return fail(*at.spec, "/shape", "there is no such shape",
                    suggestion(use->name, library_.names(*at.scope)));
      return add(inner, use->name);
    }
    const auto* whole = std::get_if<UnionSpec>(&at.spec->what);
    if (whole == nullptr) return true;
    for (std::size_t i = 0; i < whole->parts.size(); ++i) {
      const ShapeUse& use = whole->parts[i].shape;
      const auto part = library_.find(use, *at.scope);
      if (part.spec == nullptr)
        return fail(*at.spec, fmt::format("/parts/{}/shape", i), "there is no such shape",
                    suggestion(use.name, library_.names(*at.scope)));
      if (!add(part, use.name)) return false;
    }
    return true;
  }

  const Scene& scene_;
  const ShapeLibrary& library_;
  std::vector<Step> path_;
  std::unordered_map<const ShapeSpec*, Size> done_;
};

bool collect_models(const ShapeSpec& spec, std::vector<std::pair<std::string, SourcePlace>>& out) {
  if (const auto* use = std::get_if<ModelUse>(&spec.what))
    out.emplace_back(use->model, spec.source);
  if (const auto* whole = std::get_if<UnionSpec>(&spec.what))
    for (const UnionPartSpec& part : whole->parts)
      if (part.shape.spec) collect_models(*part.shape.spec, out);
  if (const ShapeUse* use = inner_of(spec))
    if (use->spec) collect_models(*use->spec, out);
  return true;
}

std::vector<std::string> gallery_models() {
  std::vector<std::string> out;
  std::error_code failed;
  for (const auto& entry :
       std::filesystem::directory_iterator(data_directory() + "/models", failed))
    if (entry.path().extension() == ".json") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

Result<Model> read_model(const std::string& path, SceneSources& sources) {
  auto document = JsonDocument::read(path);
  if (!document) return document.error();
  Model model;
  model.file = path;
  Reading reading;
  reading.document = sources.add(*document);
  if (!model_table().read(reading, (*document)->root(), model)) return *reading.error;
  return model;
}

}  // namespace

ShapeLibrary::ShapeLibrary(const Scene& scene)
    : scene_(scene), scene_scope_(scope_of(scene.shapes, scene.file)) {
  for (const auto& [path, model] : scene.models)
    model_scopes_.emplace(path, scope_of(model.shapes, path));
}

ShapeLibrary::Found ShapeLibrary::find(const ShapeUse& use, const Scope& scope) const {
  if (use.spec) return {use.spec.get(), &scope};
  const auto found = scope.by_name.find(use.name);
  return {found == scope.by_name.end() ? nullptr : found->second, &scope};
}

ShapeLibrary::Found ShapeLibrary::find(const ModelUse& use, const Scope& scope) const {
  const std::string path = model_path(use.model, scope.file);
  const auto found = scene_.models.find(path);
  if (found == scene_.models.end()) return {};
  return {&found->second.shape, &model_scopes_.at(path)};
}

std::vector<std::string> ShapeLibrary::names(const Scope& scope) const {
  std::vector<std::string> out;
  for (const auto& [name, spec] : scope.by_name) out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

std::string model_path(const std::string& model, const std::string& file) {
  namespace fs = std::filesystem;
  if (fs::path(model).extension() == ".json")
    return (fs::path(file).parent_path() / model).lexically_normal().string();
  return (fs::path(data_directory()) / "models" / (model + ".json")).lexically_normal().string();
}

InputError located(const Scene& scene, SourcePlace place, InputError error) {
  if (scene.sources) return scene.sources->locate(place, std::move(error));
  if (error.file.empty()) error.file = scene.file;
  return error;
}

InputError located(const Scene& scene, SourcePlace place, std::string pointer, std::string value,
                   std::string wrong, std::string right) {
  InputError error;
  error.pointer = std::move(pointer);
  error.value = std::move(value);
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return located(scene, place, std::move(error));
}

Result<Done> check_shapes(const Scene& scene) {
  const ShapeLibrary library(scene);
  ShapeWalk walk(scene, library);
  for (const auto& [name, spec] : scene.shapes)
    if (!walk.visit({&spec, &library.scene_scope()}, name)) return *walk.error;
  const bool good = each_scene_shape(scene, [&](const ShapeSpec& spec) {
    return walk.visit({&spec, &library.scene_scope()}, "");
  });
  if (!good) return *walk.error;
  return Done{};
}

Result<Done> load_models(Scene& scene, SceneSources& sources) {
  constexpr std::size_t kMostModels = 1000;
  struct Wanted {
    std::string model, file;
    SourcePlace source;
  };
  std::vector<Wanted> wanted;
  const auto collect = [&](const ShapeSpec& spec, const std::string& file) {
    std::vector<std::pair<std::string, SourcePlace>> found;
    collect_models(spec, found);
    for (auto& [model, source] : found) wanted.push_back({std::move(model), file, source});
    return true;
  };
  each_scene_shape(scene, [&](const ShapeSpec& spec) { return collect(spec, scene.file); });
  while (!wanted.empty()) {
    const Wanted next = std::move(wanted.back());
    wanted.pop_back();
    const std::string path = model_path(next.model, next.file);
    if (scene.models.count(path) > 0) continue;
    std::error_code failed;
    const auto place_error = [&](std::string wrong, std::string right) {
      InputError error;
      error.pointer = "/model";
      error.wrong = std::move(wrong);
      error.right = std::move(right);
      return sources.locate(next.source, std::move(error));
    };
    if (!std::filesystem::exists(path, failed))
      return place_error(fmt::format("no such model ({} is missing)", path),
                         suggestion(next.model, gallery_models()));
    if (scene.models.size() >= kMostModels)
      return place_error("too many models", fmt::format("at most {}", kMostModels));
    auto model = read_model(path, sources);
    if (!model) return model.error();
    for (const auto& [name, spec] : model->shapes) collect(spec, path);
    collect(model->shape, path);
    scene.models.emplace(path, std::move(*model));
  }
  return Done{};
}

}  // namespace repose
