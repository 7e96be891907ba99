#include "refine_pose.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <Eigen/Geometry>

#include "repose/shape/make.h"

#include "check/exact/rounding.h"
#include "check/gap/prepared.h"
#include "check/gap/support.h"
#include "check/statics/wrenches.h"
#include "check/verdict/tally.h"

namespace repose::poses {

using check::kSumError;
using check::Support;
using check::surface_of;
using check::tangents;

namespace {

constexpr double kTouching = 1e-9;   // of size: so near the plane a point touches it
constexpr double kPointLike = 2e-4;  // of size: a support that is narrower has no width

/// Corners of the convex hull of points of the plane, counter-clockwise, as indices (Andrew 1979).
std::vector<std::size_t> plane_hull(const std::vector<Vec2>& p) {
  std::vector<std::size_t> order(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tuple(p[a].x(), p[a].y(), a) < std::tuple(p[b].x(), p[b].y(), b);
  });
  const auto turn = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vec2 u = p[b] - p[a], v = p[c] - p[a];
    return u.x() * v.y() - u.y() * v.x();
  };
  std::vector<std::size_t> out;
  for (int half = 0; half < 2; ++half) {
    const std::size_t base = out.size();
    for (const std::size_t i : order) {
      while (out.size() >= base + 2 && turn(out[out.size() - 2], out.back(), i) <= 0.0)
        out.pop_back();
      out.push_back(i);
    }
    out.pop_back();
    std::reverse(order.begin(), order.end());
  }
  return out;
}

double area_of(const std::vector<Vec2>& p, const std::vector<std::size_t>& loop) {
  double twice = 0.0;
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec2 &a = p[loop[k]], &b = p[loop[(k + 1) % loop.size()]];
    twice += a.x() * b.y() - a.y() * b.x();
  }
  return 0.5 * twice;
}

/// The two corners farthest apart.
std::array<std::size_t, 2> longest(const std::vector<Vec2>& p,
                                   const std::vector<std::size_t>& loop) {
  std::array<std::size_t, 2> out{loop[0], loop[0]};
  for (const std::size_t a : loop)
    for (const std::size_t b : loop)
      if ((p[a] - p[b]).norm() > (p[out[0]] - p[out[1]]).norm()) out = {a, b};
  return out;
}

}  // namespace

int cell_of(const NormalFan& fan, const Vec3& u) {
  int best = 0;
  double top = -std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < fan.cells().size(); ++v) {
    if (fan.cells()[v].arcs.empty() || fan.cells()[v].point.dot(u) <= top) continue;
    top = fan.cells()[v].point.dot(u);
    best = static_cast<int>(v);
  }
  return best;
}

void set_support(const std::vector<Vec3>& points, double within, double size, RestingPose& pose) {
  const Vec3& down = pose.down_body;
  Vec3 t1, t2;
  tangents(-down, t1, t2);  // counter-clockwise seen from above
  std::vector<Vec3> touching;
  std::vector<Vec2> flat;
  Vec3 lowest = points.front();
  for (const Vec3& p : points) {
    if (down.dot(p) > down.dot(lowest)) lowest = p;
    if (down.dot(p) < pose.height - within) continue;
    touching.push_back(p);
    flat.push_back({t1.dot(p), t2.dot(p)});
  }
  pose.contact = SupportKind::point;
  pose.support_body = {lowest};
  if (touching.size() < 2) return;
  const auto loop = plane_hull(flat);
  if (loop.empty()) return;
  const auto [a, b] = longest(flat, loop);
  const double length = (flat[a] - flat[b]).norm();
  if (length < kPointLike * size) return;
  const double area = area_of(flat, loop);
  if (area < kPointLike * size * length) {
    pose.contact = SupportKind::edge;
    pose.support_body = {touching[a], touching[b]};
    return;
  }
  pose.contact = SupportKind::area;
  pose.support_area = area;
  pose.support_body.clear();
  double inward = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < loop.size(); ++k) {
    pose.support_body.push_back(touching[loop[k]]);
    const Vec2 p = flat[loop[k]], way = flat[loop[(k + 1) % loop.size()]] - p;
    inward = std::min(inward, (p.x() * way.y() - p.y() * way.x()) / way.norm());
  }
  pose.tilt = std::atan2(std::max(inward, 0.0), pose.height);
}

namespace {

/// Points of the fan all round, which keep the centre inside: the search adds those near its
/// direction.
std::vector<Vec3> points_around(const NormalFan& fan) {
  constexpr int kAnchors = 5;  // in each of three coordinates
  std::vector<Vec3> out;
  for (int k = 0; k < kAnchors * kAnchors * kAnchors; ++k) {
    constexpr double kMiddle = 0.5 * (kAnchors - 1);
    const Vec3 d(k % kAnchors - kMiddle, k / kAnchors % kAnchors - kMiddle,
                 k / (kAnchors * kAnchors) - kMiddle);
    if (d.isZero(0.0)) continue;
    out.push_back(fan.cells()[static_cast<std::size_t>(cell_of(fan, d))].point);
  }
  return out;
}

/// The corner of the sphere that is nearest to u among those of its cell.
int face_at(const NormalFan& fan, const Vec3& u) {
  int best = -1;
  double nearest = -std::numeric_limits<double>::infinity();
  for (const NormalFan::Arc& arc : fan.cells()[static_cast<std::size_t>(cell_of(fan, u))].arcs) {
    const double near = fan.faces()[static_cast<std::size_t>(arc.from)].normal.dot(u);
    if (near <= nearest) continue;
    nearest = near;
    best = arc.from;
  }
  return best;
}

/// On a smooth minimum the farthest point lies straight below the centre: Newton's method on its
/// sideways part, with differences for the derivative. Leaves the direction alone where that does
/// not come to rest, as on flat faces and edges.
void newton(const FarthestPoints& body, const Vec3& center, double size, RestingPose& pose) {
  constexpr int kSteps = 12;
  constexpr double kDifference = 1e-4, kFar = 0.05;  // rad
  Vec3 u = pose.down_body;
  for (int step = 0; step < kSteps; ++step) {
    ++check::tally.steps;
    Vec3 t1, t2;
    tangents(u, t1, t2);
    const auto sideways = [&](const Vec3& d) {
      const Vec3 x = body.farthest(d) - center;
      return Vec2(x.dot(t1), x.dot(t2));
    };
    Mat2 slope;
    int column = 0;
    for (const Vec3& t : {t1, t2})
      slope.col(column++) = (sideways((u + kDifference * t).normalized()) -
                             sideways((u - kDifference * t).normalized())) /
                            (2.0 * kDifference);
    const double height = u.dot(body.farthest(u) - center);
    const Vec2 r = sideways(u);
    // on the sphere the height itself bends by -h
    slope -= height * Mat2::Identity();
    if (r.norm() <= kSumError * size) break;
    if (!(slope.determinant() > 0.0)) return;
    const Vec2 move = -slope.inverse() * r;
    if (!(move.norm() < kFar)) return;
    u = (u + move.x() * t1 + move.y() * t2).normalized();
  }
  const double height = u.dot(body.farthest(u) - center);
  if (!(height <= pose.height + kSumError * size) || u.dot(pose.down_body) < std::cos(kFar)) return;
  pose.down_body = u;
  pose.height = height;
}

}  // namespace

void refine_pose(const shape::ShapePtr& shape, const FarthestPoints& body, const NormalFan& fan,
                 const Vec3& center, RestingPose& pose) {
  constexpr double kFirstSpread = 0.03, kShrink = 0.35;  // rad; of the directions around
  constexpr int kRounds = 11;
  constexpr std::size_t kAround = 24;  // points of a contact curve or area
  const double size = 2.0 * shape->bounding_radius;
  std::vector<Vec3> points = points_around(fan);  // from the centre
  const auto add = [&](const std::vector<Vec3>& more) {
    for (const Vec3& p : more) points.push_back(p - center);
  };
  Vec3 best = pose.down_body;
  double best_height = best.dot(body.farthest(best) - center);
  double spread = kFirstSpread;
  for (int round = 0; round < kRounds; ++round, spread *= kShrink) {
    ++check::tally.steps;
    Vec3 t1, t2;
    tangents(pose.down_body, t1, t2);
    add(body.all_farthest(pose.down_body, kAround));
    for (const Vec3& side : {t1, t2, Vec3(-t1), Vec3(-t2)})
      add({body.farthest((pose.down_body + spread * side).normalized())});
    const auto hull = shape::make_convex({points, {}});
    if (!hull) break;
    const NormalFan finer(std::get<shape::ConvexPolyhedron>((*hull)->geometry), Vec3::Zero());
    const int end = finer.end_of_face(face_at(finer, pose.down_body));
    const NormalFan::Face& face = finer.faces()[static_cast<std::size_t>(end)];
    pose.down_body = face.normal;
    const double height = pose.down_body.dot(body.farthest(face.normal) - center);
    if (std::max(height, face.height) < best_height) {
      best_height = std::max(height, face.height);
      best = pose.down_body;
    }
    if (height - face.height <= kSumError * size) break;
  }
  pose.down_body = best;
  pose.height = best_height;
  newton(body, center, size, pose);
  add(body.all_farthest(pose.down_body, kAround));
  set_support(points, kTouching * size, size, pose);
  double off = 0.0;  // m
  if (const auto surface = surface_of(shape)) {
    constexpr int kBudget = 20'000;
    const Support bracket = support(*surface, pose.down_body, kTouching * size, kBudget);
    const double offset = pose.down_body.dot(center);
    off = std::max(std::fabs(bracket.upper - offset - pose.height),
                   std::fabs(bracket.lower - offset - pose.height));
  }
  pose.height_error = off + kSumError * size;
}

}  // namespace repose::poses
