#include "meshes.h"

#include <cmath>
#include <numbers>
#include <unordered_map>

#include <fmt/format.h>

#include "repose/base/plain_file.h"
#include "repose/shape/make.h"
#include "repose/shape/mesh_file.h"

#include "obj_scene.h"
#include "unite.h"

namespace repose::handover {

namespace {

/// Every edge is met once in each direction.
bool is_closed(const shape::TriangleMesh& mesh) {
  std::unordered_map<std::uint64_t, int> open;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto a = static_cast<std::uint64_t>(t[k]),
                 b = static_cast<std::uint64_t>(t[(k + 1) % 3]);
      const std::uint64_t edge = std::min(a, b) << 32U | std::max(a, b);
      int& balance = open[edge];
      balance += a < b ? 1 : -1;
      if (balance == 0) open.erase(edge);
    }
  return open.empty();
}

/// Its hull holds no more than it, by the share that a union may grow its parts by.
bool is_convex(const shape::TriangleMesh& mesh) {
  shape::ConvexInput corners;
  corners.points = mesh.points;
  const auto hull = shape::make_convex(corners);
  const auto own = shape::make_mesh({mesh, false});
  if (!hull || !own) return false;
  const double whole = (*hull)->volume.volume;
  return whole - (*own)->volume.volume <= kGrowth * whole;
}

/// Mirrored triangles are turned, so that outside stays outside.
void transform(const Vec3& scale, const Pose& from_file, shape::TriangleMesh& mesh) {
  for (Vec3& p : mesh.points) p = from_file * Vec3(scale.cwiseProduct(p));
  if (scale.prod() < 0.0)
    for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
}

/// Volume and centre of the kinds that readers make, in closed form where there is one.
struct Weigher {
  static constexpr double kPi = std::numbers::pi;
  Result<Matter> operator()(const shape::BallInput& in) const {
    return Matter{4.0 / 3.0 * kPi * std::pow(in.radius, 3), Vec3::Zero()};
  }
  Result<Matter> operator()(const shape::BoxInput& in) const {
    return Matter{in.size.prod(), Vec3::Zero()};
  }
  Result<Matter> operator()(const shape::EllipsoidInput& in) const {
    return Matter{4.0 / 3.0 * kPi * in.radii.prod(), Vec3::Zero()};
  }
  Result<Matter> operator()(const shape::CylinderInput& in) const {
    return Matter{kPi * in.radius * in.radius * in.height, Vec3::Zero()};
  }
  Result<Matter> operator()(const shape::CapsuleInput& in) const {
    return Matter{kPi * in.radius * in.radius * (in.height + 4.0 / 3.0 * in.radius), Vec3::Zero()};
  }
  Result<Matter> operator()(const shape::ConeInput& in) const {
    return Matter{kPi * in.radius * in.radius * in.height / 3.0, {0.0, 0.0, in.height / 4.0}};
  }
  Result<Matter> operator()(const shape::ConvexInput& in) const {
    return of(shape::make_convex(in));
  }
  Result<Matter> operator()(const MeshSpec& in) const {
    return of(shape::make_mesh({{in.points, in.triangles}, in.open}));
  }
  template <class Other>
  Result<Matter> operator()(const Other&) const {
    return Matter{};
  }
  static Result<Matter> of(const Result<shape::ShapePtr>& made) {
    if (!made) return made.error();
    return Matter{(*made)->volume.volume, (*made)->volume.center};
  }
};

}  // namespace

ShapeUse use_of(ShapeKinds what) {
  auto spec = std::make_shared<ShapeSpec>();
  spec->what = std::move(what);
  return {"", std::move(spec)};
}

ShapeUse Meshes::add(const std::string& key, ShapeKinds what) {
  std::string name = std::filesystem::path(key.substr(0, key.find('\n'))).stem().string();
  if (name.empty()) name = "mesh";
  std::string unique = name;
  for (int& number = numbers_[name]; model_.shape_index.contains(unique);)
    unique = fmt::format("{}-{}", name, ++number + 1);
  ShapeSpec spec;
  spec.what = std::move(what);
  model_.shape_index[unique] = model_.shapes.size();
  model_.shapes.emplace_back(unique, std::move(spec));
  known_[key] = unique;
  return {unique, nullptr};
}

ShapeUse Meshes::hull(const std::vector<Vec3>& points, const std::string& name, const Word& by) {
  const std::string key = fmt::format("{}\nhull of {}", name, by.at.place());
  if (const auto known = known_.find(key); known != known_.end()) return {known->second, nullptr};
  shape::ConvexInput input;
  input.points = points;
  if (const auto made = shape::make_convex(input); !made)
    by.refuse("the points have no convex hull: " + made.error().wrong, made.error().right);
  return add(key, std::move(input));
}

ShapeUse Meshes::file(const std::filesystem::path& path, const Vec3& scale, const Pose& from_file,
                      bool hull, const Word& by) {
  const auto& q = from_file.rotation;
  const auto& p = from_file.position;
  const std::string key =
      fmt::format("{}\n{} {} {} {} {} {} {} {} {} {} {}", path.string(), scale.x(), scale.y(),
                  scale.z(), hull, p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z());
  if (const auto known = known_.find(key); known != known_.end()) return {known->second, nullptr};
  if ((scale.array() == 0.0).any()) by.refuse("a scale of zero", "a scale that leaves volume");
  if (!hull)
    if (auto parts = solids_of(path)) {
      for (shape::TriangleMesh& part : *parts) transform(scale, from_file, part);
      if (auto whole = unite(std::move(*parts), path.string(), by))
        return add(key, std::move(*whole));
    }
  auto mesh = shape::read_mesh_file(path.string());
  if (!mesh) {
    const InputError& error = mesh.error();
    const std::string line = error.line > 0 ? fmt::format(":{}", error.line) : "";
    by.refuse(fmt::format("{}{}: {}", path.string(), line, error.wrong), error.right);
  }
  transform(scale, from_file, *mesh);
  return add_mesh(key, std::move(*mesh), hull, path.string(), by);
}

std::optional<std::vector<shape::TriangleMesh>> Meshes::solids_of(
    const std::filesystem::path& path) const {
  if (!is_obj(path.string())) return std::nullopt;
  auto text = read_plain_file(path.string(), Files::kMostBytes, "the path of an OBJ file");
  // what cannot be read is told by the reader of meshes
  if (!text || !holds_objects(*text)) return std::nullopt;
  std::vector<shape::TriangleMesh> out;
  try {
    out = obj_objects(std::move(*text), path.string());
  } catch (const Refused&) {
    return std::nullopt;
  }
  for (shape::TriangleMesh& part : out) {
    part = shape::weld(part);
    if (!options_.hulls && (!is_closed(part) || !shape::make_mesh({part, false})))
      return std::nullopt;
  }
  return out;
}

std::optional<MeshSpec> Meshes::unite(std::vector<shape::TriangleMesh> solids,
                                      const std::string& name, const Word& by) {
  std::vector<UnionPart> parts;
  for (shape::TriangleMesh& solid : solids) {
    shape::ConvexInput corners;
    if (options_.hulls) corners.points = std::move(solid.points);
    auto part = options_.hulls ? hull_triangles(corners)
                               : std::optional<shape::TriangleMesh>(std::move(solid));
    if (!part) return std::nullopt;
    const bool convex = options_.hulls || is_convex(*part);
    parts.push_back({std::move(*part), convex});
  }
  const std::size_t count = parts.size();
  std::string why;
  auto whole = united(std::move(parts), &why);
  if (!whole) return std::nullopt;
  if (const auto made = shape::make_mesh({{whole->mesh.points, whole->mesh.triangles}, false});
      !made)
    return std::nullopt;
  model_.remarks.push_back(fmt::format("{}: {}: its {} objects{} are united{}", by.at.place(), name,
                                       count, options_.hulls ? ", each as its convex hull," : "",
                                       told_growth(whole->grown)));
  return std::move(whole->mesh);
}

ShapeUse Meshes::triangles(shape::TriangleMesh mesh, const std::string& key, bool hull,
                           const Where& by) {
  if (const auto known = known_.find(key); known != known_.end()) return {known->second, nullptr};
  return add_mesh(key, shape::weld(mesh), hull, key.substr(0, key.find('\n')), by);
}

ShapeUse Meshes::solid(shape::TriangleMesh mesh, const std::string& key, const Where& by) {
  if (const auto known = known_.find(key); known != known_.end()) return {known->second, nullptr};
  if (const auto made = shape::make_mesh({mesh, false}); !made)
    by.refuse(fmt::format("{}: {}", key.substr(0, key.find('\n')), made.error().wrong),
              made.error().right);
  return add(key, MeshSpec{std::move(mesh.points), std::move(mesh.triangles), false});
}

ShapeUse Meshes::add_mesh(const std::string& key, shape::TriangleMesh mesh, bool hull,
                          const std::string& name, const Where& by) {
  if (hull || options_.hulls) {
    shape::ConvexInput input;
    input.points = std::move(mesh.points);
    if (const auto made = shape::make_convex(input); !made)
      by.refuse(name + " has no convex hull: " + made.error().wrong, made.error().right);
    return add(key, std::move(input));
  }
  const bool open = !is_closed(mesh);
  if (const auto made = shape::make_mesh({mesh, open}); !made)
    by.refuse(fmt::format("{}: {}", name, made.error().wrong), made.error().right);
  return add(key, MeshSpec{std::move(mesh.points), std::move(mesh.triangles), open});
}

Matter matter_of(const Model& model, const Piece& piece) {
  const ShapeSpec* spec =
      piece.shape.spec ? piece.shape.spec.get() : model.find_shape(piece.shape.name);
  REPOSE_CHECK(spec != nullptr);
  const auto matter = std::visit(Weigher{}, spec->what);
  if (!matter) refuse(piece.at, matter.error().wrong, matter.error().right);
  return *matter;
}

}  // namespace repose::handover
