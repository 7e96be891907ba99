#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "repose/base/settings.h"
#include "repose/scene/arrangement.h"
#include "repose/scene/format.h"
#include "repose/scene/shape_spec.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// The largest seed: every whole number up to it is a double.
inline constexpr std::int64_t kLargestSeed = 9'000'000'000'000'000;
/// No run is asked for more steps.
inline constexpr std::int64_t kMostSteps = 1'000'000'000'000;

/// All points within a box, faces included.
struct BoxSpec {
  Vec3 low = Vec3::Zero();   // m
  Vec3 high = Vec3::Zero();  // m
};

/// What a soft body's points are beyond their rest shape.
struct SoftSpec {
  std::string fixed = "none";  // "none", "border" (of a lattice or fill) or "all"
  std::vector<int> fixed_points;
  std::vector<BoxSpec> fixed_boxes;  // body frame, rest shape
  std::vector<std::string> materials;
  std::vector<int> material_of;     // of every point, index into materials
  std::optional<std::string> mass;  // "cells" or "balls"; absent: cells if there is a lattice
};

/// A body is led along it.
struct PathSpec {
  std::vector<double> times;  // s
  std::vector<Placement> places;
};

/// A body as the scene describes it; also the pattern from which instances are made.
struct SceneBody : Placement {
  std::string name;  // unique; of a pattern, empty
  ShapeUse shape;
  std::string material;                  // empty: the default material
  Vec3 velocity = Vec3::Zero();          // of the centre of mass, m/s
  Vec3 angular_velocity = Vec3::Zero();  // world axes, rad/s
  bool fixed = false;
  std::vector<std::string> frozen;  // of "x", "y", "z", "turn_x", "turn_y", "turn_z"
  bool collides = true;
  int layer = 0;
  std::string role;
  std::vector<std::string> groups;
  std::optional<double> mass;  // kg, instead of density * volume
  std::optional<SoftSpec> soft;
  std::optional<PathSpec> path;
  SourcePlace source;
};

/// Many bodies of one pattern. Each stands at its place * the pattern's own pose and is called
/// "NAME-1", "NAME-2", ...
/// A further pattern of a set of instances, and how many come of it for each of the first.
struct MixedBody {
  SceneBody body;
  double share = 1.0;
};

struct Instances {
  std::string name;
  SceneBody body;
  std::vector<MixedBody> mixed_with;
  Arrangement arrange;
  SourcePlace source;
};

/// Patterns of a set: its body, then those it is mixed with.
std::vector<const SceneBody*> patterns_of(const Instances& set);
/// Which of them the instances are, in order, as even a mixture as the shares allow; after the last
/// the first comes again.
std::vector<std::size_t> pattern_turns(const Instances& set);

/// A force; which fields count depends on its kind (see scene_format()).
struct SceneForce {
  Force force;                 // values: as written, defaults not filled in
  std::vector<BoxSpec> boxes;  // pull: more points, body frame, rest shape
  SourcePlace source;
};
struct SceneJoint {
  Joint joint;
  std::optional<Vec3> point_b;  // absent: where point_a stands at the start
  SourcePlace source;
};

/// One change that an event makes.
struct SceneEdit {
  EditKind kind = EditKind::set;
  std::string target;
  SettingValue value;               // "set"
  SettingValues values;             // of the other kinds
  std::optional<SceneBody> body;    // "add"
  std::optional<SceneForce> force;  // "add"
  Placement place;                  // "pose"
  SourcePlace source;
};
/// Edits that happen by themselves; exactly one of the first three says when.
struct SceneEvent {
  std::optional<double> at_time;  // s
  std::optional<std::int64_t> at_step;
  bool at_rest = false;
  std::vector<SceneEdit> edits;
  SourcePlace source;
};

struct MethodChoice {
  std::string kind = "still";
  SettingValues settings;  // as written, defaults not filled in; types are those of the table
  SourcePlace source;
};

struct RecordChoice {
  int every_steps = 1;      // a frame each so many steps
  double every_time = 0.0;  // s of simulated time between frames; 0: by steps alone
  bool contacts = true;     // contact points and forces too
};

struct ViewChoice {
  std::optional<std::array<double, 3>> eye;     // m; absent: all bodies in view
  std::optional<std::array<double, 3>> target;  // m
  double view_angle_deg = 26.0;                 // from bottom to top of the picture
  double azimuth_deg = -55.0;                   // of the eye where it is not given
  double elevation_deg = 20.0;
  std::optional<std::array<double, 3>> background;  // linear RGB
};

struct Limits {
  std::optional<double> duration;  // s of simulated time
  std::optional<std::int64_t> steps;
};

/// Whose body it is; said and kept, nothing follows from it.
struct Patient {
  std::string name, gender;
  double weight = 0.0;  // kg
  double height = 0.0;  // m
  double age = 0.0;     // years
};

/// A scene: all that a scene file says, and nothing computed from it.
struct Scene {
  std::string name;  // gallery name or the file's stem; not written
  std::string file;  // mesh files are looked for beside it; not written
  std::string about;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  // m/s^2
  std::int64_t seed = 1;
  Named<ShapeSpec> shapes;
  Named<Material> materials;
  Named<std::string> groups;  // what each is for
  std::vector<SceneBody> bodies;
  std::vector<Instances> instances;
  std::vector<SceneForce> forces;
  std::vector<SceneJoint> joints;
  std::vector<SceneEvent> events;
  MethodChoice method;
  RecordChoice record;
  ViewChoice view;
  Limits limits;
  std::optional<Patient> patient;

  std::map<std::string, Model> models;  // files of the models it uses, by their key; not written
  std::shared_ptr<const SceneSources> sources;  // where all this was written; may be null
  /// What is said by an old name or in an old way, with its place, a sentence each; not written.
  std::vector<std::string> notes;
};

/// Everything that is written agrees, doubles to the last bit.
bool same_scene(const Scene& a, const Scene& b);

/// Reads a scene file, JSON or, where its name ends in .xml, that of repose/scene/come.h.
/// Everything that can be judged without building shapes is checked: fields, ranges, names,
/// references, cycles, the method's settings, the count of bodies.
Result<Scene> load_scene(const std::string& path, const Catalogue& catalogue);
/// The same from text; `file` names it in errors, and files it refers to are looked for beside it.
Result<Scene> scene_from_text(std::string text, const std::string& file,
                              const Catalogue& catalogue);
/// The scene as a file: loading it again gives the same scene, and writing that the same text.
std::string write_scene(const Scene& scene);

/// Sets one of the scene's method's settings from command-line text such as
/// "place.epsilon_max=0.02". The part before the dot must be the scene's method. Old names are
/// read, with a note in the scene.
Result<Done> apply_setting(Scene& scene, const std::string& text, const Catalogue& catalogue);

struct World {
  Problem problem;
  State state;                       // at the start: time 0, step 0
  std::vector<SourcePlace> written;  // by body; of an instance, that of its set
};
/// Builds shapes (each once, shared), bodies with mass and inertia, instances, forces, joints and
/// events. Defaults of forces', joints' and edits' values are filled in. What takes too much work
/// is refused by name; an interrupt (see work.h) ends it by Interrupted.
Result<World> build_world(const Scene& scene);

/// A method's error told where the scene says it. The error's pointer counts bodies, forces and
/// joints as the problem does; `written` is World::written.
InputError locate_error(const Scene& scene, const std::vector<SourcePlace>& written,
                        InputError error);

}  // namespace repose
