#include "repose/poses/poses.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "repose/math/dense.h"
#include "repose/shape/make.h"

#include "basins.h"
#include "check/exact/rounding.h"
#include "farthest_points.h"
#include "pose_groups.h"
#include "refine_pose.h"

namespace repose::poses {

using check::kSumError;

const char* to_text(SupportKind kind) {
  switch (kind) {
    case SupportKind::point:
      return "point";
    case SupportKind::edge:
      return "edge";
    case SupportKind::area:
      return "area";
  }
  return "point";
}

const char* to_text(Rolling rolling) {
  switch (rolling) {
    case Rolling::none:
      return "none";
    case Rolling::about_axis:
      return "about_axis";
    case Rolling::anywhere:
      return "anywhere";
  }
  return "none";
}

namespace {

InputError no_poses(const std::string& wrong, const std::string& right) {
  InputError error;
  error.wrong = wrong;
  error.right = right;
  return error;
}

/// Directions that one pose covers: spread out they lie on a circle or all over the sphere.
void describe_rolling(const NormalFan& fan, const PoseGroup& group, RestingPose& pose) {
  constexpr double kSpread = 0.1;  // of unit vectors: nearer ones are one direction
  constexpr double kFlat = 0.03;   // of unit vectors: how far from a plane a circle may lie
  const auto normal = [&](std::size_t k) {
    return fan.faces()[static_cast<std::size_t>(group.members[k])].normal;
  };
  Vec3 mean = Vec3::Zero();
  for (std::size_t k = 0; k < group.members.size(); ++k)
    mean += group.shares[k] / group.share * normal(k);
  Mat3 spread = Mat3::Zero();
  for (std::size_t k = 0; k < group.members.size(); ++k) {
    const Vec3 d = normal(k) - mean;
    spread += group.shares[k] / group.share * d * d.transpose();
  }
  const SymmetricEigen<Mat3> eigen(spread);
  const Vec3 widths = eigen.values.cwiseMax(0.0).cwiseSqrt();
  if (widths[1] < kSpread) return;
  pose.rolling = widths[0] < kFlat ? Rolling::about_axis : Rolling::anywhere;
  if (pose.rolling == Rolling::about_axis) pose.rolling_axis_body = eigen.vectors.col(0);
}

Quat laid_down(const Vec3& down_body) {
  return rotation_between(down_body, -Vec3::UnitZ()).normalized();
}

RestingPose described(const NormalFan& fan, const PoseGroup& group) {
  RestingPose pose;
  const NormalFan::Face& face = fan.faces()[static_cast<std::size_t>(group.lowest)];
  pose.down_body = face.normal;
  pose.height = face.height;
  pose.share = group.share;
  pose.barrier = group.barrier;
  describe_rolling(fan, group, pose);
  return pose;
}

/// The one pose of a body whose centre is that of a ball.
Poses poses_of_ball(double radius) {
  RestingPose pose;
  pose.orientation = laid_down(pose.down_body);
  pose.height = radius;
  pose.support_body = {radius * pose.down_body};
  pose.share = 1.0;
  pose.barrier = std::numeric_limits<double>::infinity();
  pose.rolling = Rolling::anywhere;
  Poses out;
  out.poses = {pose};
  out.exact = true;
  return out;
}

void finish(const Vec3& center, Poses& out) {
  for (RestingPose& pose : out.poses) {
    pose.orientation = laid_down(pose.down_body);
    for (Vec3& p : pose.support_body) p += center;
  }
  std::stable_sort(out.poses.begin(), out.poses.end(), [](const auto& a, const auto& b) {
    return a.share != b.share ? a.share > b.share : a.height < b.height;
  });
}

Result<std::unique_ptr<NormalFan>> fan_of(const std::vector<Vec3>& points, const Vec3& center) {
  const auto hull = shape::make_convex({points, {}});
  if (!hull) return hull.error();
  auto fan =
      std::make_unique<NormalFan>(std::get<shape::ConvexPolyhedron>((*hull)->geometry), center);
  if (!fan->inside())
    return no_poses("the centre of mass lies outside the body's convex hull", "a centre inside it");
  return fan;
}

Result<Poses> poses_of_polyhedron(const std::vector<Vec3>& points, const Vec3& center, double size,
                                  const PoseSettings& s) {
  const auto made = fan_of(points, center);
  if (!made) return made.error();
  const NormalFan& fan = **made;
  Poses out;
  out.exact = true;
  out.resolution = s.least_barrier * size;
  for (const PoseGroup& group : group_poses(fan, basin_shares(fan), out.resolution)) {
    RestingPose pose = described(fan, group);
    const NormalFan::Face& face = fan.faces()[static_cast<std::size_t>(group.lowest)];
    std::vector<Vec3> corners;
    for (const int c : face.corners)
      corners.push_back(fan.cells()[static_cast<std::size_t>(c)].point);
    pose.height_error = kSumError * size;
    set_support(corners, kSumError * size, size, pose);
    out.poses.push_back(std::move(pose));
  }
  finish(center, out);
  return out;
}

/// How much the shares change when the polyhedron is coarser.
std::vector<double> shares_if_coarser(const NormalFan& fan, const std::vector<PoseGroup>& groups,
                                      const NormalFan& coarse) {
  std::vector<std::size_t> group_of(fan.faces().size(), groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const int f : groups[g].members) group_of[static_cast<std::size_t>(f)] = g;
  const std::vector<double> shares = basin_shares(coarse);
  std::vector<double> out(groups.size() + 1, 0.0);
  for (std::size_t f = 0; f < shares.size(); ++f) {
    if (shares[f] == 0.0) continue;
    const Vec3& u = coarse.faces()[f].normal;
    out[group_of[static_cast<std::size_t>(fan.end(cell_of(fan, u), u))]] += shares[f];
  }
  return out;
}

Result<Poses> poses_of_curved(const shape::ShapePtr& shape, const Vec3& center,
                              const PoseSettings& s) {
  constexpr double kCoarser = 4.0;
  const FarthestPoints body(shape, s.chord), rough(shape, kCoarser * s.chord);
  const auto made = fan_of(body.points(), center), made_rough = fan_of(rough.points(), center);
  if (!made) return made.error();
  if (!made_rough) return made_rough.error();
  const NormalFan& fan = **made;
  Poses out;
  const double size = 2.0 * shape->bounding_radius;
  out.resolution = std::max(s.least_barrier * size, 2.0 * body.chord_error());
  const auto groups = group_poses(fan, basin_shares(fan), out.resolution);
  const auto coarse_shares = shares_if_coarser(fan, groups, **made_rough);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    RestingPose pose = described(fan, groups[g]);
    pose.share_error = std::fabs(coarse_shares[g] - pose.share);
    refine_pose(shape, body, fan, center, pose);
    out.poses.push_back(std::move(pose));
  }
  finish(center, out);
  return out;
}

}  // namespace

Result<Poses> resting_poses(const shape::ShapePtr& shape, const Vec3& center_body,
                            const PoseSettings& settings) {
  const auto& geometry = shape->geometry;
  const double size = 2.0 * shape->bounding_radius;
  const char* kWanted = "a solid body, a closed mesh or a sphere set";
  if (std::holds_alternative<shape::HalfSpace>(geometry))
    return no_poses("endless ground has no resting poses", kWanted);
  if (std::holds_alternative<shape::PlaneRegion>(geometry))
    return no_poses("a body of the plane has no resting poses in space", kWanted);
  if (std::holds_alternative<shape::PointSet>(geometry))
    return no_poses("a point set has no surface to rest on", kWanted);
  if (const auto* mesh = std::get_if<shape::TriangleMesh>(&geometry)) {
    std::vector<Vec3> used;
    std::vector<bool> seen(mesh->points.size(), false);
    for (const auto& t : mesh->triangles)
      for (const int c : t) seen[static_cast<std::size_t>(c)] = true;
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (seen[i]) used.push_back(mesh->points[i]);
    return poses_of_polyhedron(used, center_body, size, settings);
  }
  if (const auto convex = shape::convex_of(shape))
    return poses_of_polyhedron(convex->points, center_body, size, settings);
  const auto* ball = std::get_if<shape::Ball>(&geometry);
  if (ball && center_body.isZero(0.0)) return poses_of_ball(ball->radius);
  if (ball) {
    auto set = std::make_shared<shape::Shape>(*shape);
    set->geometry = shape::SphereSet{{Vec3::Zero()}, {ball->radius}, {}};
    return poses_of_curved(set, center_body, settings);
  }
  return poses_of_curved(shape, center_body, settings);
}

}  // namespace repose::poses
