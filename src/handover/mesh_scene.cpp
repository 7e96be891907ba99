#include "mesh_scene.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/shape/tessellate.h"

#include "find_file.h"

namespace repose::handover {

namespace {

/// The floor lies so far below the mesh's lowest point, of the mesh's size.
constexpr double kClear = 0.01;

double lowest_of(const shape::Shape& shape, const Pose& pose) {
  double out = 0.0;
  bool first = true;
  for (const Vec3& at : shape::tessellate(shape).points) {
    const Vec3 p = pose * at;
    out = first ? p.z() : std::min(out, p.z());
    first = false;
  }
  return out;
}

}  // namespace

bool is_mesh_file(const std::string& path) {
  const std::string ending = ending_of(path);
  return ending == ".obj" || ending == ".stl" || ending == ".ply";
}

std::string told_unit(const std::string& path, const OpenOptions& options) {
  std::string kind = ending_of(path).substr(1);
  for (char& letter : kind) letter = static_cast<char>(std::toupper(letter));
  return fmt::format("{} files say neither unit nor axes: {} m a unit, {} up (--unit, --up)", kind,
                     options.unit > 0.0 ? options.unit : 1.0, options.up == 'y' ? 'y' : 'z');
}

Result<Scene> mesh_scene(const std::string& path, const Catalogue& catalogue,
                         const OpenOptions& options) {
  const std::filesystem::path file(path);
  const std::string name = file.stem().string();
  const Json floor = Json::Object{{"name", "floor"},
                                  {"shape", Json::Object{{"kind", "half_space"}}},
                                  {"fixed", true},
                                  {"role", "ground"}};
  Json::Object shape_of_file{{"kind", "mesh_file"}, {"path", file.filename().string()}};
  if (options.unit > 0.0) shape_of_file.emplace_back("scale", options.unit);
  Json::Object body{{"name", name == "floor" ? "mesh" : name}, {"shape", std::move(shape_of_file)}};
  if (options.up == 'y') body.emplace_back("axis_angle_deg", Json::Array{1.0, 0.0, 0.0, 90.0});
  const Json text = Json::Object{{"repose", 1},
                                 {"about", "The mesh " + file.filename().string() + " on a floor."},
                                 {"method", Json::Object{{"kind", "place"}}},
                                 {"bodies", Json::Array{floor, std::move(body)}}};
  auto scene = scene_from_text(text.tall(), path, catalogue);
  if (!scene) return scene;
  scene->name = name;
  auto world = repose::build_world(*scene);
  if (!world) {
    InputError error = world.error();
    error.file = path;
    error.line = error.column = 0;
    return error;
  }
  const shape::Shape& shape = *world->problem.bodies[1].shape;
  scene->bodies[0].position =
      Vec3(0.0, 0.0, lowest_of(shape, scene->bodies[1].pose()) - kClear * shape.bounding_radius);
  return scene;
}

}  // namespace repose::handover
