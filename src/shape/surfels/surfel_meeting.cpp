#include "repose/shape/surfel_meeting.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>

#include "shape/sew/near_points.h"

namespace repose::shape {

namespace {

/// Surfaces nearer than the first share of the spacing meet; farther than the second they do not.
constexpr double kMeets = 0.35;
constexpr double kParts = 0.7;
/// Surfaces whose normals are more opposite than the first cosine meet; less than the second they
/// do not: rounded edges stay round.
constexpr double kOpposite = -0.9;
constexpr double kAskew = -0.75;
/// Where the weights of the implicit surfaces end, in spacings; and the Gaussian's width, of that.
constexpr double kSupport = 2.0;
constexpr double kWidth = 1.0 / 3.0;
/// Rounds in which a point is drawn, and the step at which it has arrived, of the spacing.
constexpr int kRounds = 8;
constexpr double kArrived = 1e-5;

std::size_t place_of(int i) {
  return static_cast<std::size_t>(i);
}

/// Smoothly from 0 to 1 between two places.
double between(double none, double all, double x) {
  const double t = std::clamp((x - none) / (all - none), 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// 1 of what meets, 0 of what does not.
double share_of(double gap, double spacing, double cosine) {
  return between(kParts * spacing, kMeets * spacing, gap) * between(kAskew, kOpposite, cosine);
}

/// The implicit surface of some points (equation 1).
class Implicit {
 public:
  struct Local {
    double gap = 0.0;  // m; negative within
    Vec3 normal = Vec3::UnitZ();
  };

  Implicit(const ShownSurface& surface, const Eigen::AlignedBox3d& box, double support)
      : support_(support), near_(support, box.center(), std::max(support, box.diagonal().norm())) {
    for (std::size_t i = 0; i < surface.points.size(); ++i) {
      if (!box.contains(surface.points[i])) continue;
      points_.push_back(surface.points[i]);
      normals_.push_back(surface.normals[i]);
      near_.add(points_.back());
    }
  }

  std::optional<Local> at(const Vec3& x) {
    double weights = 0.0;
    Vec3 average = Vec3::Zero(), normal = Vec3::Zero();
    const double width = kWidth * support_;
    for (const int i : near_.within(x)) {
      const double weight = std::exp(-(points_[place_of(i)] - x).squaredNorm() / (width * width));
      weights += weight;
      average += weight * (points_[place_of(i)] - x);
      normal += weight * normals_[place_of(i)];
    }
    const double length = normal.norm();
    if (!(weights > 0.0 && length > 0.0)) return std::nullopt;
    return Local{-normal.dot(average) / (length * weights), normal / length};
  }

 private:
  double support_;
  NearPoints near_;
  std::vector<Vec3> points_, normals_;
};

/// Where a point is drawn to, at most.
struct Drawn {
  double share = 0.0;
  Vec3 way = Vec3::Zero();  // m
  Vec3 normal = Vec3::UnitZ();
};

/// Draws the points of one surface to where it meets another one.
void draw_onto(const ShownSurface& mine, Implicit& own, double stiffness, Implicit& other,
               const Eigen::AlignedBox3d& box, double spacing, std::vector<Drawn>& out) {
  for (std::size_t i = 0; i < mine.points.size(); ++i) {
    const Vec3& from = mine.points[i];
    if (!box.contains(from)) continue;
    const auto there = other.at(from);
    if (!there) continue;
    const double share = share_of(there->gap, spacing, there->normal.dot(mine.normals[i]));
    if (!(share > out[i].share)) continue;
    Vec3 at = from, slope = Vec3::Zero();
    bool arrived = false;
    for (int round = 0; round < kRounds && !arrived; ++round) {
      const auto one = own.at(at), two = other.at(at);
      if (!one || !two) break;
      slope = mine.stiffness * one->normal - stiffness * two->normal;
      const double value = mine.stiffness * one->gap - stiffness * two->gap;
      const Vec3 step = -value / slope.squaredNorm() * slope;
      if (!step.allFinite() || (at + step - from).norm() > kSupport * spacing) break;
      at += step;
      arrived = step.norm() < kArrived * spacing;
    }
    if (arrived) out[i] = {share, at - from, slope.normalized()};
  }
}

void draw_onto(const ShownSurface& mine, const ShownSolid& solid, std::vector<Drawn>& out) {
  for (std::size_t i = 0; i < mine.points.size(); ++i) {
    const Vec3 way = mine.points[i] - solid.point;
    const Vec3 normal = solid.radius > 0.0 ? Vec3(way.normalized()) : solid.normal;
    const double gap = solid.radius > 0.0 ? way.norm() - solid.radius : way.dot(normal);
    if (gap < -kSupport * mine.spacing) continue;
    const double share = share_of(gap, mine.spacing, normal.dot(mine.normals[i]));
    if (share > out[i].share) out[i] = {share, -gap * normal, -normal};
  }
}

Eigen::AlignedBox3d box_of(const ShownSurface& surface) {
  Eigen::AlignedBox3d out;
  for (const Vec3& p : surface.points) out.extend(p);
  return out;
}

Eigen::AlignedBox3d grown(const Eigen::AlignedBox3d& box, double by) {
  return {Vec3(box.min() - Vec3::Constant(by)), Vec3(box.max() + Vec3::Constant(by))};
}

void go(const std::vector<Drawn>& drawn, ShownSurface& surface) {
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (!(drawn[i].share > 0.0)) continue;
    surface.points[i] += drawn[i].share * drawn[i].way;
    const Vec3 normal =
        (1.0 - drawn[i].share) * surface.normals[i] + drawn[i].share * drawn[i].normal;
    if (const double length = normal.norm(); length > 0.0) surface.normals[i] = normal / length;
  }
}

}  // namespace

void draw_together(std::vector<ShownSurface>& surfaces, const std::vector<ShownSolid>& solids) {
  std::vector<std::vector<Drawn>> drawn;
  std::vector<Eigen::AlignedBox3d> boxes;
  for (const ShownSurface& surface : surfaces) {
    drawn.emplace_back(surface.points.size());
    boxes.push_back(box_of(surface));
    for (const ShownSolid& solid : solids) draw_onto(surface, solid, drawn.back());
  }
  for (std::size_t j = 0; j < surfaces.size(); ++j)
    for (std::size_t k = j + 1; k < surfaces.size(); ++k) {
      const double spacing = std::max(surfaces[j].spacing, surfaces[k].spacing);
      const double support = kSupport * spacing;
      const Eigen::AlignedBox3d box =
          grown(boxes[j], 0.5 * support).intersection(grown(boxes[k], 0.5 * support));
      if (box.isEmpty()) continue;
      const Eigen::AlignedBox3d wide = grown(box, 2.0 * support);
      Implicit one(surfaces[j], wide, support), two(surfaces[k], wide, support);
      draw_onto(surfaces[j], one, surfaces[k].stiffness, two, box, spacing, drawn[j]);
      draw_onto(surfaces[k], two, surfaces[j].stiffness, one, box, spacing, drawn[k]);
    }
  for (std::size_t j = 0; j < surfaces.size(); ++j) go(drawn[j], surfaces[j]);
}

}  // namespace repose::shape
