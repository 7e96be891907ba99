#pragma once

#include <string>
#include <vector>

#include "repose/base/result.h"
#include "repose/scene/scene.h"

namespace repose {

/// The folder that holds scenes/ and models/: $REPOSE_DATA, else the installed share/repose beside
/// the program, else the source tree the library was built from.
std::string data_directory();

struct GalleryScene {
  std::string name;    // "place/torus-on-cone"
  std::string about;   // one sentence
  std::string method;  // "place"
  std::string path;
};
/// Every scenes/<method>/<name>.json of the data directory, sorted by name. A file that cannot be
/// read as a scene's head is an error.
Result<std::vector<GalleryScene>> list_gallery();

/// The path of a scene argument: a path that exists, or a gallery name. The error names the nearest
/// gallery scene.
Result<std::string> find_scene(const std::string& path_or_name);

/// find_scene, then load_scene; the scene's name is its gallery name where it has one.
Result<Scene> open_scene(const std::string& path_or_name, const Catalogue& catalogue);

}  // namespace repose
