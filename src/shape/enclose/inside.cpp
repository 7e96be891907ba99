#include "repose/shape/inside.h"

#include <cmath>

#include "shape/enclose/part_gap.h"
#include "shape/enclose/plane_gap.h"
#include "shape/mass/moments.h"

namespace repose::shape {
namespace {

/// Chord of the steering mesh. Fraction of the bounding radius.
constexpr double kChord = 1e-2;

std::unique_ptr<TriangleTree> tree_of_mesh(const TriangleMesh& mesh) {
  return std::make_unique<TriangleTree>(mesh.points, mesh.triangles);
}

double mesh_gap(const TriangleTree& tree, const Vec3& p) {
  const NearestOnMesh near = tree.nearest(p);
  return near.inside ? -near.distance : near.distance;
}

double balls_gap(const SphereSet& set, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < set.centers.size(); ++i)
    least = std::min(least, (p - set.centers[i]).norm() - set.radii[i]);
  return least;
}

}  // namespace

struct InsideTest::Data {
  Shape shape;  // keeps the geometry alive
  std::vector<PartGap> parts;
  std::unique_ptr<TriangleTree> tree;
  bool closed = true;
};

InsideTest::InsideTest(const Shape& shape) {
  auto data = std::make_unique<Data>();
  data->shape = shape;
  data->closed = shape.volume.volume > 0.0;
  const double chord = kChord * shape.bounding_radius;
  if (const auto* solid = std::get_if<Solid>(&data->shape.geometry))
    for (const Part& part : solid->parts) data->parts.emplace_back(part, chord);
  if (const auto* mesh = std::get_if<TriangleMesh>(&data->shape.geometry))
    data->tree = tree_of_mesh(*mesh);
  if (const auto* polyhedron = std::get_if<ConvexPolyhedron>(&data->shape.geometry))
    data->tree = tree_of_mesh(triangles_of(*polyhedron));
  data_ = std::move(data);
}

InsideTest::~InsideTest() = default;
InsideTest::InsideTest(InsideTest&&) noexcept = default;
InsideTest& InsideTest::operator=(InsideTest&&) noexcept = default;

double InsideTest::signed_gap(const Vec3& p) const {
  const Shape& shape = data_->shape;
  if (const auto* ball = std::get_if<Ball>(&shape.geometry)) return p.norm() - ball->radius;
  if (std::holds_alternative<HalfSpace>(shape.geometry)) return p.z();
  if (data_->tree) {
    const double gap = mesh_gap(*data_->tree, p);
    return data_->closed ? gap : std::fabs(gap);
  }
  if (const auto* region = std::get_if<PlaneRegion>(&shape.geometry)) return slab_gap(*region, p);
  if (const auto* set = std::get_if<SphereSet>(&shape.geometry)) return balls_gap(*set, p);
  double least = std::numeric_limits<double>::infinity();
  for (const PartGap& part : data_->parts) least = std::min(least, part(p));
  return least;
}

double signed_gap(const Shape& shape, const Vec3& point) {
  return InsideTest(shape).signed_gap(point);
}

}  // namespace repose::shape
