#pragma once

#include "repose/scene/scene.h"

namespace repose {

/// Points and triangles of the largest mesh that is written into a scene: about half of what a
/// scene file may hold.
inline constexpr std::size_t kMostWrittenMesh = 1'000'000;

/// The scene with all that it takes from files beside it written into it: mesh files as triangles,
/// models that are paths as shapes, each once and under the name of its file. It builds the same
/// world wherever it is kept. Models of the gallery stay names. A mesh of more points and triangles
/// than `most_mesh` stays a file, by its absolute path.
Result<Scene> self_contained(const Scene& scene, std::size_t most_mesh = kMostWrittenMesh);

}  // namespace repose
