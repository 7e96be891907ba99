#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "repose/base/names.h"
#include "repose/scene/scene.h"

namespace repose::handover {

/// Whose file a scene came in: our own, or another tool's.
enum class Format { repose, mjcf, urdf, sdf, usda, gltf, cad, obj };

/// What a file holds and Repose does not use; all of one sort together.
struct Unused {
  std::string what;   // "<actuator>", "geoms that touch nothing"
  std::string place;  // "arm.xml:12:5", of the first
  int count = 1;

  /// "arm.xml:12:5: not used: <actuator> (3 of them)"
  std::string text() const;
};

/// How another tool's file is read where the file leaves it open.
struct OpenOptions {
  /// Names of the only bodies that shall move; empty: those that the file leaves free.
  std::vector<std::string> bodies;
  /// MJCF: the key whose qpos holds; empty: "settled", else the first, else the model's own.
  std::string key;
  /// URDF and MJCF: joints that stand elsewhere than the file says, rad or m by their names.
  std::map<std::string, double> joints;
  bool hulls = false;   // meshes as their convex hulls; those of MJCF are so always
  bool ground = false;  // a floor at z = 0 beside what the file holds
  /// Meshes alone (OBJ, STL, PLY), which say neither: m of one unit, 0: 1; the axis that points up,
  /// 'y' or 'z', 0: z.
  double unit = 0.0;
  char up = 0;
};

struct Origin;     // the files a scene came from and where in them each pose is written
struct CadOrigin;  // the bodies of a CAD file and where they stood

/// A centre of mass that is not that of the volume.
struct OwnCenter {
  std::string body;
  Vec3 center_body = Vec3::Zero();  // m, body frame
};

/// A scene and how it goes home.
struct Handed {
  Scene scene;
  std::vector<OwnCenter> centers;
  Format format = Format::repose;
  std::vector<Unused> unused;
  std::vector<std::string> standing;     // bodies with joints of their own, held as they are
  std::vector<std::string> remarks;      // sentences on how the file was taken
  OpenOptions options;                   // as it was opened
  std::shared_ptr<const Origin> origin;  // of MJCF, URDF, SDF, USDA, glTF and OBJ
  std::shared_ptr<const CadOrigin> cad;  // of STEP, IGES and BREP

  /// The file is of our own format.
  bool own() const { return !origin && !cad; }
};

/// Opens a scene of any kind: MJCF, URDF, SDF by the ending and the root of the file, USDA, glTF,
/// STEP, IGES and BREP by the ending, an OBJ of several objects as those, else as open_scene does.
/// Of another tool's file, its articulated bodies stand as their joints are; every free body moves.
/// Errors name file, line and column. Files it names are read from this machine alone.
Result<Handed> open_any(const std::string& path_or_name, const Catalogue& catalogue,
                        const OpenOptions& options = {});
/// The same from the text of another tool's file; `file` says where what it names is looked for.
Result<Handed> from_text(std::string text, const std::string& file, const Catalogue& catalogue,
                         const OpenOptions& options = {});
/// The scene of open_any alone.
Result<Scene> open_any_scene(const std::string& path_or_name, const Catalogue& catalogue);

/// build_world, with centres of mass as the file has them.
Result<World> build_world(const Handed& handed);
/// Puts the file's own centres of mass into a problem made of its scene.
void take_centers(const Handed& handed, Problem& problem);

}  // namespace repose::handover

namespace repose {
template <>
inline constexpr auto kNames<handover::Format> = std::to_array<std::string_view>(
    {"repose", "mjcf", "urdf", "sdf", "usda", "gltf", "cad", "obj"});
}  // namespace repose
