#include "repose/handover/handover.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/nearest.h"
#include "repose/base/plain_file.h"
#include "repose/scene/gallery.h"

#include "assemble.h"
#include "cad.h"
#include "find_file.h"
#include "gltf.h"
#include "mesh_scene.h"
#include "mjcf.h"
#include "obj_scene.h"
#include "sdf.h"
#include "urdf.h"
#include "usda.h"

namespace repose::handover {

namespace {

/// Files that people have and that are not read, and what to do with them.
struct ForeignEnding {
  const char* ending;
  const char* remedy;
};
constexpr const char* kAsGltf = "the scene exported as glTF, or its meshes as OBJ, STL or PLY";
constexpr const char* kAsStep = "the parts exported as STEP";
constexpr ForeignEnding kForeign[] = {
    {".dae", kAsGltf},
    {".fbx", kAsGltf},
    {".blend", kAsGltf},
    {".3ds", kAsGltf},
    {".max", kAsGltf},
    {".ma", kAsGltf},
    {".mb", kAsGltf},
    {".x3d", kAsGltf},
    {".wrl", kAsGltf},
    {".3mf", "the mesh exported as STL, OBJ or PLY"},
    {".amf", "the mesh exported as STL, OBJ or PLY"},
    {".off", "the mesh exported as STL, OBJ or PLY"},
    {".sldprt", kAsStep},
    {".sldasm", kAsStep},
    {".f3d", kAsStep},
    {".ipt", kAsStep},
    {".iam", kAsStep},
    {".fcstd", kAsStep},
    {".xacro", "the file written out by xacro: xacro FILE > robot.urdf"},
    {".mjb", "the model saved as MJCF (mj_saveLastXML)"},
    {".repose", "a scene; recordings are for check, report, render, export and measure"},
};
std::optional<InputError> foreign(const std::string& path) {
  const std::string ending = ending_of(path);
  const auto* const found = std::ranges::find_if(
      kForeign, [&](const ForeignEnding& row) { return row.ending == ending; });
  if (found == std::end(kForeign)) return {};
  InputError error;
  error.file = path;
  error.wrong = fmt::format("files that end in {} are not read as scenes", ending);
  error.right = found->remedy;
  return error;
}

/// The format that a path's ending tells; none: the root of the file must.
std::optional<Format> format_of(const std::string& path) {
  const std::string ending = ending_of(path);
  if (ending == ".mjcf") return Format::mjcf;
  if (ending == ".urdf") return Format::urdf;
  if (ending == ".sdf" || ending == ".world") return Format::sdf;
  if (ending == ".usda" || ending == ".usd" || ending == ".usdc" || ending == ".usdz")
    return Format::usda;
  if (ending == ".gltf" || ending == ".glb") return Format::gltf;
  return std::nullopt;
}
bool is_graph(std::optional<Format> format) {
  return format == Format::usda || format == Format::gltf;
}

/// Only meshes alone leave open what a unit is.
std::optional<InputError> says_its_unit(const std::string& path, const OpenOptions& options) {
  if (is_mesh_file(path) || (options.unit == 0.0 && options.up == 0)) return {};
  InputError error;
  error.file = path;
  error.wrong = "the file says itself which unit and axes it has";
  error.right = "--unit and --up for .obj, .stl and .ply alone";
  return error;
}

InputError stands_on_a_floor(const std::string& path) {
  InputError error;
  error.file = path;
  error.wrong = "a mesh alone stands above a floor already";
  error.right = "--ground for files of several bodies that hold none";
  return error;
}

/// What options ask of a file that has no such thing is refused, never passed over.
std::optional<InputError> asks_in_vain(const Handed& handed) {
  const OpenOptions& options = handed.options;
  const Format format = handed.format;
  const auto error = [&](const char* wrong, const char* right) {
    InputError out;
    out.file = handed.scene.file;
    out.wrong = wrong;
    out.right = right;
    return out;
  };
  if (!options.key.empty() && format != Format::mjcf)
    return error("the file has no keys", "--key for MJCF alone");
  if (!options.joints.empty() && format != Format::mjcf && format != Format::urdf)
    return error("no joint of the file can be told where to stand", "--joint for URDF and MJCF");
  if (options.hulls && (handed.own() || format == Format::cad))
    return error("its shapes are not taken as hulls", "--hulls for MJCF, URDF, SDF, USDA and glTF");
  if (options.ground && handed.own())
    return error("the scene says itself what stands", "--ground for files of other tools");
  return {};
}
Result<Handed> unless_in_vain(Result<Handed> handed) {
  if (handed)
    if (auto refused = asks_in_vain(*handed)) return *refused;
  return handed;
}

std::optional<Format> format_of_root(const std::string& name) {
  if (name == "mujoco" || name == "mujocoinclude") return Format::mjcf;
  if (name == "robot") return Format::urdf;
  if (name == "sdf") return Format::sdf;
  return std::nullopt;
}

const char* root_of(Format format) {
  switch (format) {
    case Format::mjcf:
      return "<mujoco>";
    case Format::urdf:
      return "<robot>";
    default:
      return "<sdf>";
  }
}

Result<Scene> own_scene(const std::string& path, const std::string& path_or_name,
                        const Catalogue& catalogue) {
  auto scene = load_scene(path, catalogue);
  if (scene && path != path_or_name) scene->name = path_or_name;
  return scene;
}

Result<Handed> keep_moving(Handed handed, const std::vector<std::string>& bodies) {
  if (bodies.empty()) return handed;
  std::vector<std::string> left = bodies;
  for (SceneBody& body : handed.scene.bodies) {
    const auto found = std::find(left.begin(), left.end(), body.name);
    if (found == left.end())
      body.fixed = true;
    else
      left.erase(found);
  }
  if (left.empty()) return handed;
  InputError error;
  error.file = handed.scene.file;
  error.value = left.front();
  error.wrong = "the scene has no body of this name";
  error.right = "names that repose describe lists";
  return error;
}

Result<std::string> text_of_file(const std::string& path) {
  const bool graph = is_graph(format_of(path));
  return read_plain_file(path, graph ? Files::kMostBytes : XmlDocument::kMostBytes,
                         "the path of a scene");
}

/// Every joint that was told where to stand is there.
void check_joints(const Origin& origin) {
  const auto& known = origin.model.joints;
  for (const auto& [name, value] : origin.options.joints) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    InputError error;
    error.file = origin.model.files.main();
    error.value = name;
    error.wrong = "no joint of this name can be told where to stand";
    error.right =
        known.empty() ? "a file with hinges or slides (URDF, MJCF)" : suggestion(name, known);
    throw Refused{error};
  }
}

void read_xml(std::string text, Origin& origin) {
  const OpenOptions& options = origin.options;
  const At root = origin.model.files.add_main(std::move(text));
  const auto format = format_of_root(root.name());
  const auto said = format_of(origin.model.files.main());
  if (!format || (said && *said != *format))
    refuse(root, fmt::format("a document whose root is <{}>", root.name()),
           said ? root_of(*said) : "<mujoco>, <robot> or <sdf>");
  switch (*format) {
    case Format::mjcf:
      read_mjcf(root, origin.model, options);
      break;
    case Format::urdf:
      read_urdf(root, origin.model, options);
      break;
    default:
      read_sdf(root, origin.model, options);
  }
  check_joints(origin);
}

}  // namespace

std::string Unused::text() const {
  return fmt::format("{}: not used: {}{}", place, what,
                     count > 1 ? fmt::format(" ({} of them)", count) : "");
}

Result<Handed> from_text(std::string text, const std::string& file, const Catalogue& catalogue,
                         const OpenOptions& options) {
  if (is_cad(file)) return cad_from_text(text, file, options);
  try {
    auto origin = std::make_shared<Origin>(file);
    origin->options = options;
    const auto said = format_of(file);
    if (said == Format::usda)
      read_usd(std::move(text), file, origin->model, options);
    else if (said == Format::gltf)
      read_gltf(std::move(text), file, origin->model, options);
    else if (is_obj(file))
      read_obj_scene(std::move(text), file, origin->model, options);
    else
      read_xml(std::move(text), *origin);
    return assemble(origin, catalogue);
  } catch (const Refused& refused) {
    return refused.error;
  }
}

namespace {

Result<Handed> open_file(const std::string& path_or_name, const Catalogue& catalogue,
                         const OpenOptions& options) {
  const auto path = find_scene(path_or_name);
  if (!path) return path.error();
  if (auto refused = says_its_unit(*path, options)) return *refused;
  if (is_cad(*path)) return open_cad(*path, options);
  if (is_obj(*path)) {
    auto text = read_plain_file(*path, Files::kMostBytes, "the path of an OBJ file");
    if (text && holds_objects(*text)) return from_text(std::move(*text), *path, catalogue, options);
  }
  const bool xml = std::filesystem::path(*path).extension() == ".xml";
  if (xml || format_of(*path)) {
    auto text = text_of_file(*path);
    if (!text) return text.error();
    if (is_graph(format_of(*path))) return from_text(std::move(*text), *path, catalogue, options);
    const auto document = XmlDocument::parse(*text, *path);
    if (!document) return document.error();
    if (!xml || format_of_root(document->root().name()))
      return from_text(std::move(*text), *path, catalogue, options);
  }
  if (auto refused = foreign(*path)) return *refused;
  const bool mesh = is_mesh_file(*path);
  if (mesh && options.ground) return stands_on_a_floor(*path);
  auto scene =
      mesh ? mesh_scene(*path, catalogue, options) : own_scene(*path, path_or_name, catalogue);
  if (!scene) return scene.error();
  Handed out;
  out.scene = std::move(*scene);
  out.options = options;
  if (mesh) out.remarks.push_back(told_unit(*path, options));
  return keep_moving(std::move(out), options.bodies);
}

}  // namespace

Result<Handed> open_any(const std::string& path_or_name, const Catalogue& catalogue,
                        const OpenOptions& options) {
  return unless_in_vain(open_file(path_or_name, catalogue, options));
}

Result<World> build_world(const Handed& handed) {
  auto world = repose::build_world(handed.scene);
  if (!world) {
    InputError error = world.error();
    if (error.file.empty()) error.file = handed.scene.file;
    return error;
  }
  take_centers(handed, world->problem);
  return world;
}

void take_centers(const Handed& handed, Problem& problem) {
  for (const OwnCenter& own : handed.centers)
    if (const int body = problem.find_body(own.body); body >= 0)
      problem.bodies[static_cast<std::size_t>(body)].center_body = own.center_body;
}

Result<Scene> open_any_scene(const std::string& path_or_name, const Catalogue& catalogue) {
  auto handed = open_any(path_or_name, catalogue);
  if (!handed) return handed.error();
  return std::move(handed->scene);
}

}  // namespace repose::handover
