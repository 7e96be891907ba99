#include "assemble.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "repose/base/nearest.h"

#include "meshes.h"
#include "unite.h"

namespace repose::handover {

namespace {

/// Centres of mass nearer than this to that of the volume are there, m over body length.
constexpr double kSameCenter = 1e-6;
constexpr double kLeastDensity = 1e-6, kMostDensity = 1e9;  // kg/m^3
constexpr double kMostFriction = 100.0;
/// Shapes that one moving body may have: as many as a union.
constexpr std::size_t kMostPieces = 1000;

void place(const Pose& pose, Placement& out) {
  const Quat& q = pose.rotation;
  out.position = pose.position;
  if (q.w() != 1.0 || q.vec() != Vec3::Zero()) out.orientation_wxyz = {q.w(), q.x(), q.y(), q.z()};
}

bool is_plane(const ShapeUse& use) {
  return use.spec && std::holds_alternative<HalfSpaceSpec>(use.spec->what);
}

class Assembly {
 public:
  explicit Assembly(Origin& origin) : origin_(origin), model_(origin.model) {}

  Handed run() {
    Scene& scene = out_.scene;
    scene.file = model_.files.main();
    scene.name = std::filesystem::path(scene.file).stem().string();
    scene.about = model_.about;
    scene.gravity = model_.gravity;
    scene.shapes = model_.shapes;
    out_.format = model_.format;
    choose_moving();
    if (origin_.options.ground) {
      SceneBody ground;
      ground.name = unique("ground");
      ground.shape = use_of(HalfSpaceSpec{});
      ground.fixed = true;
      ground.role = "ground";
      ground.material = material(Piece{}.density, kMostFriction);
      scene.bodies.push_back(std::move(ground));
    }
    for (std::size_t g = 0; g < model_.groups.size(); ++g) add_group(g);
    scene.method = method();
    out_.unused = model_.notes.take();
    out_.remarks.insert(out_.remarks.begin(), model_.remarks.begin(), model_.remarks.end());
    return std::move(out_);
  }

 private:
  void choose_moving() {
    const auto& wanted = origin_.options.bodies;
    std::vector<std::string> names;
    for (std::size_t g = 0; g < model_.groups.size(); ++g) {
      const Group& group = model_.groups[g];
      if (group.pieces.empty()) {
        if (group.free)
          model_.notes.add(group.at, fmt::format("the body {}: it is free, but has no shape that "
                                                 "touches, and stays as it stands",
                                                 group.name));
        continue;
      }
      const bool may = group.free || group.jointed;
      if (may) names.push_back(group.name);
      const bool asked = std::find(wanted.begin(), wanted.end(), group.name) != wanted.end();
      if (may && (wanted.empty() ? group.free : asked)) moving_.insert(g);
      if (group.jointed && !moving_.contains(g)) out_.standing.push_back(group.name);
    }
    for (const std::string& name : wanted) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      InputError error;
      error.file = model_.files.main();
      error.value = name;
      error.wrong = "no body of this name could move";
      error.right =
          names.empty() ? "a file with bodies that are not fixed" : suggestion(name, names);
      throw Refused{error};
    }
  }

  std::string unique(const std::string& wanted) {
    const std::string base = wanted.empty() ? "body" : wanted;
    std::string out = base;
    for (int& number = numbers_[base]; !names_.insert(out).second;)
      out = fmt::format("{}-{}", base, ++number + 1);
    return out;
  }

  void add_group(std::size_t g) {
    const Group& group = model_.groups[g];
    if (moving_.contains(g)) {
      add_moving(g);
      return;
    }
    for (const Piece& piece : group.pieces) {
      SceneBody body;
      body.name = unique(piece.name.empty() ? group.name : piece.name);
      body.shape = piece.shape;
      body.fixed = true;
      body.material = material(piece.density, piece.friction);
      place(group.world_from_group * piece.group_from_piece, body);
      out_.scene.bodies.push_back(std::move(body));
    }
  }

  /// Mass and centre of all its pieces, group frame.
  struct Weight {
    double mass = 0.0;
    Vec3 center = Vec3::Zero();
    Vec3 volume_center = Vec3::Zero();  // were it the same throughout
    double reach = 0.0;                 // m, about the size of the body
  };
  Matter matter_of_piece(const Piece& piece) {
    if (piece.shape.spec) return matter_of(model_, piece);
    const auto known = matters_.find(piece.shape.name);
    if (known != matters_.end()) return known->second;
    return matters_[piece.shape.name] = matter_of(model_, piece);
  }
  Weight weigh(const Group& group) {
    Weight out;
    double volume = 0.0;
    Vec3 moment = Vec3::Zero(), volume_moment = Vec3::Zero();
    for (const Piece& piece : group.pieces) {
      const Matter matter = matter_of_piece(piece);
      const double mass = piece.mass.value_or(piece.density * matter.volume);
      const Vec3 center = piece.group_from_piece * matter.center;
      out.mass += mass;
      moment += mass * center;
      volume += matter.volume;
      volume_moment += matter.volume * center;
    }
    if (volume > 0.0) out.volume_center = volume_moment / volume;
    out.center = out.mass > 0.0 ? Vec3(moment / out.mass) : out.volume_center;
    out.reach = std::cbrt(volume);
    if (group.mass) out.mass = *group.mass;
    if (group.center) out.center = *group.center;
    return out;
  }

  void add_moving(std::size_t g) {
    const Group& group = model_.groups[g];
    auto whole = united(model_, group);
    if (!whole) check_moving(group);
    SceneBody body;
    body.name = unique(group.name);
    // one piece is the body itself, wherever it stands in its group
    const bool single = group.pieces.size() == 1;
    const Pose group_from_body = single ? group.pieces[0].group_from_piece : Pose{};
    if (single) {
      body.shape = group.pieces[0].shape;
    } else if (whole) {
      out_.remarks.push_back(fmt::format(
          "{}: its {} shapes are united to one mesh of {} triangles{}", body.name,
          group.pieces.size(), whole->mesh.triangles.size(), told_growth(whole->grown)));
      body.shape = use_of(std::move(whole->mesh));
    } else {
      UnionSpec parts;
      for (const Piece& piece : group.pieces) {
        UnionPartSpec part;
        part.shape = piece.shape;
        place(piece.group_from_piece, part);
        parts.parts.push_back(std::move(part));
      }
      body.shape = use_of(std::move(parts));
    }
    const Weight weight = weigh(group);
    double friction = kMostFriction;
    for (const Piece& piece : group.pieces) friction = std::min(friction, piece.friction);
    body.material = material(group.pieces[0].density, friction);
    if (weight.mass > 0.0) body.mass = weight.mass;
    if ((weight.center - weight.volume_center).norm() > kSameCenter * weight.reach) {
      const Vec3 center = group_from_body.inverse() * weight.center;
      out_.centers.push_back({body.name, center});
    }
    place(group.world_from_group * group_from_body, body);
    origin_.moving.push_back({body.name, g, group_from_body});
    out_.scene.bodies.push_back(std::move(body));
  }
  void check_moving(const Group& group) const {
    if (group.pieces.size() > kMostPieces)
      refuse(group.at, fmt::format("a moving body of {} shapes", group.pieces.size()),
             fmt::format("at most {}", kMostPieces));
    for (const Piece& piece : group.pieces) {
      if (is_plane(piece.shape)) refuse(piece.at, "a plane that moves", "a body with an end");
      const ShapeSpec* spec = model_.find_shape(piece.shape.name);
      if (spec == nullptr) continue;
      const auto* mesh = std::get_if<MeshSpec>(&spec->what);
      if (mesh != nullptr && mesh->open)
        refuse(piece.at,
               fmt::format("the mesh {} of a body that moves is not closed", piece.shape.name),
               "a closed mesh (repose repair), or its convex hull (--hulls)");
      if (group.pieces.size() > 1)
        refuse(piece.at,
               fmt::format("{} moves and has a mesh beside a round shape, which is not read",
                           group.name),
               "one mesh of the whole body, or boxes and round shapes instead of its mesh, or the "
               "body held still (--bodies names what moves)");
    }
  }

  std::string material(double density, double friction) {
    Material wanted;
    wanted.density = std::clamp(density, kLeastDensity, kMostDensity);
    wanted.friction = std::clamp(friction, 0.0, kMostFriction);
    for (const auto& [name, known] : out_.scene.materials)
      if (known.density == wanted.density && known.friction == wanted.friction) return name;
    wanted.name = fmt::format("material-{}", out_.scene.materials.size() + 1);
    out_.scene.materials.emplace_back(wanted.name, wanted);
    return wanted.name;
  }

  /// Curved wholes go by `place`, all else by `pile`.
  MethodChoice method() const {
    MethodChoice out;
    if (moving_.empty()) return out;
    bool unions = false;
    for (const SceneBody& body : out_.scene.bodies)
      unions =
          unions || (body.shape.spec && std::holds_alternative<UnionSpec>(body.shape.spec->what));
    if (unions) {
      out.kind = "place";
      out.settings = {{"friction", true}, {"repair_start", true}};
      return out;
    }
    double friction = kMostFriction;
    for (const SceneBody& body : out_.scene.bodies)
      for (const auto& [name, known] : out_.scene.materials)
        if (name == body.material) friction = std::min(friction, known.friction);
    out.kind = "pile";
    out.settings = {
        {"friction", true}, {"most_friction", std::min(friction, 1.0)}, {"repair_start", true}};
    return out;
  }

  Origin& origin_;
  Model& model_;
  Handed out_;
  std::set<std::size_t> moving_;
  std::map<std::string, int> numbers_;
  std::map<std::string, Matter> matters_;  // of named shapes
  std::unordered_set<std::string> names_;
};

}  // namespace

Handed assemble(std::shared_ptr<Origin> origin, const Catalogue&) {
  Handed out = Assembly(*origin).run();
  out.options = origin->options;
  out.origin = std::move(origin);
  return out;
}

}  // namespace repose::handover
