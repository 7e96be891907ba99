#pragma once

#include <unordered_map>

#include "repose/base/work.h"
#include "repose/scene/scene.h"

#include "shape_library.h"

namespace repose {

/// Work that all shapes and arrangements of one scene may take together, in evaluations of surfaces
/// (see WorkLimit): some twenty seconds on the machines of today. Larger: slower scenes are loaded.
inline constexpr std::uint64_t kLoadWork = 100'000'000;

/// The budget was spent; the error still lacks its place.
InputError too_much_work(const WorkSpent& spent, const std::string& right);

/// Builds the shapes of a scene, each once; shapes written twice in the same words are one.
class ShapeBuilder {
 public:
  explicit ShapeBuilder(const Scene& scene) : scene_(scene), library_(scene) {}

  Result<shape::ShapePtr> build(const ShapeUse& use) {
    return build(library_.find(use, library_.scene_scope()));
  }
  /// Requires: check_shapes passed, so that every name is known and the walk ends.
  Result<shape::ShapePtr> build(ShapeLibrary::Found found);

 private:
  Result<shape::ShapePtr> make(ShapeLibrary::Found found);

  const Scene& scene_;
  ShapeLibrary library_;
  std::unordered_map<const ShapeSpec*, shape::ShapePtr> built_;
  std::unordered_map<std::string, shape::ShapePtr> by_text_;
};

}  // namespace repose
