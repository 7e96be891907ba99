#include "remake.h"

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "repose/base/at.h"
#include "repose/base/check.h"
#include "repose/shape/cover.h"
#include "repose/shape/make.h"

#include "fit.h"
#include "motion.h"

namespace repose::surfel {

namespace {

constexpr int kBeside = 27;
/// Times that a radius is made smaller before there is no room.
constexpr int kShrinks = 6;
/// A gradient with less volume cannot be undone.
constexpr double kFlatVolume = 0.05;
/// Cells are numbered by so many along each axis.
constexpr std::int64_t kCellsAlong = std::int64_t{1} << 20;

shape::PointSet set_of(const shape::PointSet& whole, const PartPlan& plan) {
  shape::PointSet out;
  for (const int i : plan.phyxels) {
    out.phyxels.push_back(whole.phyxels[at(i)]);
    out.phyxel_volumes.push_back(whole.phyxel_volumes[at(i)]);
  }
  const shape::Cover cover = shape::cover_of(whole);
  for (const BallPlan& ball : plan.balls) {
    // a ball that stays keeps its surfel, to the last bit
    const auto before = static_cast<std::size_t>(std::max(0, ball.before));
    if (ball.before >= 0 && ball.center == cover.centers[before] &&
        ball.radius == cover.radii[before]) {
      out.surfels.push_back(whole.surfels[before]);
      out.normals.push_back(whole.normals[before]);
      out.surfel_radii.push_back(whole.surfel_radii[before]);
      continue;
    }
    const double disc = ball.radius / shape::kCoverBall;
    out.surfels.push_back(ball.center + shape::cover_depth() * disc * ball.normal);
    out.normals.push_back(ball.normal);
    out.surfel_radii.push_back(disc);
  }
  return out;
}

/// Mass, centre and inertia of the phyxels together.
void sum_up(const shape::PointSet& set, Body& out) {
  out.mass = 0.0;
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 0; i < set.phyxels.size(); ++i) {
    out.mass += out.soft->masses[i];
    moment += out.soft->masses[i] * set.phyxels[i];
  }
  out.center_body = moment / out.mass;
  out.inertia_body.setZero();
  for (std::size_t i = 0; i < set.phyxels.size(); ++i) {
    const Vec3 d = set.phyxels[i] - out.center_body;
    out.inertia_body +=
        out.soft->masses[i] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
}

std::shared_ptr<const SoftBody> soft_of(const SoftBody& whole, const std::vector<int>& before) {
  auto out = std::make_shared<SoftBody>();
  out->materials = whole.materials;
  for (const int i : before) {
    out->masses.push_back(i < 0 ? 0.0 : whole.masses[at(i)]);
    out->fixed.push_back(i < 0 || whole.fixed.empty() ? 0 : whole.fixed[at(i)]);
    if (!whole.material_of.empty())
      out->material_of.push_back(i < 0 ? 0 : whole.material_of[at(i)]);
  }
  return out;
}

/// What lasts of the strain; of torn phyxels so much that what is left is without stress.
std::vector<double> lasting(const std::vector<Vec3>& rest, const std::vector<Vec3>& x,
                            const SoftState& whole, const PartPlan& plan,
                            const std::vector<bool>& torn, int neighbours, std::size_t points) {
  int flat = -1;
  const auto fitted = fit_neighbours(rest, neighbours, flat);
  REPOSE_CHECK(fitted.has_value(), "a part of a body whose phyxels cannot be fitted");
  std::vector<double> out(kPlasticNumbers * points, 0.0);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    Mat3 plastic = plastic_of(whole, at(plan.phyxels[i]));
    Mat3 gradient = Mat3::Zero();
    for (const Neighbour& n : (*fitted)[i]) gradient += (x[at(n.j)] - x[i]) * n.slope.transpose();
    if (torn[i] && gradient.determinant() > kFlatVolume) plastic = gradient.inverse();
    put_plastic(plastic, i, out);
  }
  return out;
}

}  // namespace

std::vector<BallPlan> ball_plans(const shape::PointSet& points) {
  const shape::Cover cover = shape::cover_of(points);
  std::vector<BallPlan> out;
  for (std::size_t k = 0; k < cover.centers.size(); ++k)
    out.push_back({cover.centers[k], points.normals[k], cover.radii[k], static_cast<int>(k)});
  return out;
}

Part make_part(const Problem& problem, const State& state, int body, const PartPlan& plan,
               const std::vector<bool>& torn, int neighbours) {
  const Body& whole = problem.bodies[at(body)];
  const SoftState& before = state.bodies[at(body)].soft;
  const auto& points = std::get<shape::PointSet>(whole.shape->geometry);
  auto shape = shape::make_point_set(set_of(points, plan));
  REPOSE_CHECK(static_cast<bool>(shape),
               "a part of a body is no point set: " + (shape ? "" : shape.error().text()));
  const auto& set = std::get<shape::PointSet>((*shape)->geometry);
  Part out;
  out.points_before = plan.phyxels;
  for (const BallPlan& ball : plan.balls)
    out.points_before.push_back(
        ball.before < 0 ? -1 : static_cast<int>(points.phyxels.size()) + ball.before);
  out.body = whole;
  out.body.name.clear();
  out.body.shape = *shape;
  out.body.soft = soft_of(*whole.soft, out.points_before);
  sum_up(set, out.body);
  // places and speeds: of phyxels as they are, of balls by what carries them
  const shape::Cover cover = shape::cover_of(set);
  const collide::NearestPoints grid(set.phyxels);
  std::vector<Vec3> x, v;
  std::vector<double> radii(set.phyxels.size(), 0.0);
  for (const int i : plan.phyxels) {
    x.push_back(before.positions[at(i)]);
    v.push_back(before.velocities[at(i)]);
  }
  const bool whole_stays = plan.phyxels.size() == points.phyxels.size();
  for (std::size_t k = 0; k < cover.centers.size(); ++k) {
    Vec3 center = Vec3::Zero(), speed = Vec3::Zero();
    if (whole_stays && plan.balls[k].before >= 0) {
      const auto known = at(out.points_before[plan.phyxels.size() + k]);
      x.push_back(before.positions[known]);
      v.push_back(before.velocities[known]);
      radii.push_back(cover.radii[k]);
      continue;
    }
    for (const Carrier& carrier : fit_carriers(set.phyxels, grid, cover.centers[k])) {
      center += carrier.weight * x[at(carrier.phyxel)];
      speed += carrier.weight * v[at(carrier.phyxel)];
    }
    x.push_back(center);
    v.push_back(speed);
    radii.push_back(cover.radii[k]);
  }
  out.state = state.bodies[at(body)];
  out.state.soft.data =
      lasting(set.phyxels, x, before, plan, torn, neighbours, out.points_before.size());
  out.state.soft.positions = std::move(x);
  out.state.soft.velocities = std::move(v);
  out.state.soft.radii = std::move(radii);
  return out;
}

Room::Room(const Arena& arena, const Motion& motion, const std::vector<Vec3>& centers, int without,
           double keep)
    : arena_(arena), motion_(motion), keep_(keep), width_(2.0 * arena.most_radius + keep) {
  for (int k = 0; k < arena.balls(); ++k)
    if (arena.ball_body[at(k)] != without && arena.collides[at(arena.ball_body[at(k)])])
      take(centers[at(k)], arena.rest_center[at(k)], -1, arena.radius[at(k)]);
}

std::int64_t Room::cell_of(const Vec3& p, int dx, int dy, int dz) const {
  const std::array<int, 3> beside{dx, dy, dz};
  std::int64_t out = 0;
  for (int k = 0; k < 3; ++k) {
    // cells far apart may share a number: they hold what is found to be far
    const auto place = static_cast<std::int64_t>(std::floor(p[k] / width_)) + beside[at(k)];
    out = out * kCellsAlong + (place % kCellsAlong + kCellsAlong) % kCellsAlong;
  }
  return out;
}

void Room::take(const Vec3& center, const Vec3& rest, int part, double radius) {
  cells_[cell_of(center, 0, 0, 0)].push_back(static_cast<int>(taken_.size()));
  taken_.push_back({center, rest, part, radius});
}

double Room::radius_for(const Vec3& center, const Vec3& rest, int part, double wanted) const {
  double allowed = wanted;
  std::vector<int> pieces;
  for (std::size_t s = 0; s < arena_.solids.size(); ++s) {
    if (!arena_.solids[s].collides) continue;
    const Vec3 point = motion_.solids[s].world_from_body.inverse() * center;
    pieces.clear();
    arena_.solids[s].obstacle->near(point, wanted + keep_, pieces);
    for (const int piece : pieces)
      allowed =
          std::min(allowed, arena_.solids[s].obstacle->plane(point, piece).gap(point) - keep_);
  }
  // a smaller ball belongs together with fewer
  for (int shrink = 0; shrink < kShrinks && allowed > 0.0; ++shrink) {
    double next = allowed;
    for (int n = 0; n < kBeside; ++n) {
      const auto cell = cells_.find(cell_of(center, n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1));
      if (cell == cells_.end()) continue;
      for (const int k : cell->second) {
        const Taken& other = taken_[at(k)];
        if (part >= 0 && other.part == part &&
            (other.rest - rest).norm() <= shape::kNearAtRest * (other.radius + allowed))
          continue;
        next = std::min(next, (other.center - center).norm() - other.radius - keep_);
      }
    }
    if (next == allowed) return allowed;
    allowed = next;
  }
  return 0.0;
}

}  // namespace repose::surfel
