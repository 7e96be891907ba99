#include <map>

#include <fmt/format.h>

#include "shape/mesh/gltf_accessor.h"
#include "shape/mesh/gltf_fields.h"
#include "shape/mesh/gltf_nodes.h"
#include "shape/mesh/mesh.h"
#include "shape/mesh/text_scan.h"

namespace repose::shape {
namespace {

// how a primitive's corners follow one another
constexpr std::uint64_t kTriangles = 4, kStrip = 5, kFan = 6, kLastMode = 6;

/// Triangles of one mesh that share their points, not read yet.
struct Primitive {
  CornerRun::Kind kind = CornerRun::Kind::list;
  std::size_t positions_index = 0;
  GltfAccessor positions;
  std::optional<GltfAccessor> indices;  // nothing: the points in order

  std::uint64_t corners() const { return indices ? indices->count : positions.count; }
  std::uint64_t triangles() const {
    return kind == CornerRun::Kind::list ? corners() / 3 : corners() - 2;
  }
};

Result<CornerRun::Kind> kind_of(std::uint64_t mode, const Primitive& primitive) {
  const std::uint64_t corners = primitive.corners();
  const JsonView at = primitive.indices ? primitive.indices->at : primitive.positions.at;
  if (corners < 3 || (mode == kTriangles && corners % 3 != 0))
    return at.find("count")->error("the corners make no whole triangles",
                                   mode == kTriangles ? "a multiple of 3" : "3 or more");
  return mode == kStrip ? CornerRun::Kind::strip
         : mode == kFan ? CornerRun::Kind::fan
                        : CornerRun::Kind::list;
}

/// Nothing where the primitive has no triangles or no positions.
Result<std::optional<Primitive>> primitive_of(GltfDocument* document, JsonView at) {
  if (at.kind() != JsonKind::object) return at.error("not an object", "an object");
  const auto mode = whole_in(at, "mode", 0, kLastMode);
  if (!mode) return mode.error();
  const auto attributes = at.find("attributes");
  if (!attributes || attributes->kind() != JsonKind::object)
    return at.error("\"attributes\" are missing", "\"attributes\": {\"POSITION\": ...}");
  const auto positions = index_in(*attributes, "POSITION", document->accessors().size());
  if (!positions) return positions.error();
  const std::uint64_t shape = mode->value_or(kTriangles);
  if (shape < kTriangles || !*positions) return std::optional<Primitive>();
  auto points = position_accessor(document, **positions);
  if (!points) return points.error();
  Primitive out{CornerRun::Kind::list, **positions, std::move(*points), std::nullopt};
  const auto indices = index_in(at, "indices", document->accessors().size());
  if (!indices) return indices.error();
  if (*indices) {
    auto corners = index_accessor(document, **indices);
    if (!corners) return corners.error();
    out.indices = std::move(*corners);
  }
  const auto kind = kind_of(shape, out);
  if (!kind) return kind.error();
  out.kind = *kind;
  return std::optional<Primitive>(std::move(out));
}

Result<std::vector<Primitive>> primitives_of(GltfDocument* document, JsonView mesh) {
  const auto list = list_in(mesh, "primitives");
  if (!list) return list.error();
  std::vector<Primitive> out;
  for (const JsonView& at : *list) {
    auto primitive = primitive_of(document, at);
    if (!primitive) return primitive.error();
    if (*primitive) out.push_back(std::move(**primitive));
  }
  return out;
}

Fault read_points(const Primitive& primitive, const GltfInstance& instance, TriangleMesh* mesh) {
  GltfElements elements(primitive.positions);
  for (std::uint64_t i = 0; i < primitive.positions.count; ++i) {
    const auto element = elements.next();
    if (!element) return element.error();
    const Vec3 own((*element)[0], (*element)[1], (*element)[2]);
    const Vec3 point = instance.world_from_mesh * own;
    for (int k = 0; k < 3; ++k)
      if (const char* wrong = wrong_coordinate(point[k])) {
        InputError error = primitive.positions.at.error(
            fmt::format("element {} as node {} places it: {}", i, instance.node, wrong),
            fmt::format("metres within {} of the origin", kMaxLength));
        error.value = point_text(point);
        return error;
      }
    mesh->points.push_back(point);
  }
  return {};
}

Fault read_triangles(const Primitive& primitive, int first, bool turned, TriangleMesh* mesh) {
  CornerRun run(primitive.kind, turned);
  if (!primitive.indices) {
    for (std::uint64_t i = 0; i < primitive.positions.count; ++i)
      run.add(first + static_cast<int>(i), &mesh->triangles);
    return {};
  }
  GltfElements elements(*primitive.indices);
  const auto points = static_cast<double>(primitive.positions.count);
  for (std::uint64_t i = 0; i < primitive.indices->count; ++i) {
    const auto element = elements.next();
    if (!element) return element.error();
    const double corner = (*element)[0];
    if (!(corner < points)) {
      InputError error =
          primitive.indices->at.error(fmt::format("element {} names a point that is not there", i),
                                      fmt::format("0 to {}", primitive.positions.count - 1));
      error.value = number_text(corner);
      return error;
    }
    run.add(first + static_cast<int>(corner), &mesh->triangles);
  }
  return {};
}

/// Primitives that share their positions share the points.
Fault append(const std::vector<Primitive>& primitives, const GltfInstance& instance,
             TriangleMesh* mesh) {
  // a mirror turns triangles inside out: the standard turns them back
  const bool turned = instance.world_from_mesh.linear().determinant() < 0.0;
  std::map<std::size_t, int> first_of;  // by accessor
  for (const Primitive& primitive : primitives) {
    const auto [at, fresh] =
        first_of.emplace(primitive.positions_index, static_cast<int>(mesh->points.size()));
    if (auto bad = check_mesh_size(mesh->points.size() + (fresh ? primitive.positions.count : 0),
                                   mesh->triangles.size() + primitive.triangles()))
      return bad;
    if (fresh)
      if (auto bad = read_points(primitive, instance, mesh)) return bad;
    if (auto bad = read_triangles(primitive, at->second, turned, mesh)) return bad;
  }
  return {};
}

}  // namespace

Result<TriangleMesh> read_gltf_mesh(GltfDocument* document, std::size_t mesh) {
  const auto primitives = primitives_of(document, document->meshes()[mesh]);
  if (!primitives) return primitives.error();
  TriangleMesh out;
  if (auto bad = append(*primitives, {0, mesh, Eigen::Affine3d::Identity()}, &out)) return *bad;
  return out;
}

Result<TriangleMesh> read_gltf(const std::string& path, const BytesPtr& bytes) {
  auto document = GltfDocument::open(path, bytes);
  if (!document) return document.error();
  const auto instances = gltf_instances(*document);
  if (!instances) return instances.error();
  std::map<std::size_t, std::vector<Primitive>> by_mesh;
  TriangleMesh mesh;
  for (const GltfInstance& instance : *instances) {
    auto known = by_mesh.find(instance.mesh);
    if (known == by_mesh.end()) {
      auto primitives = primitives_of(&*document, document->meshes()[instance.mesh]);
      if (!primitives) return primitives.error();
      known = by_mesh.emplace(instance.mesh, std::move(*primitives)).first;
    }
    if (auto bad = append(known->second, instance, &mesh)) return *bad;
  }
  return mesh;
}

}  // namespace repose::shape
