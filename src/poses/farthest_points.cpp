#include "farthest_points.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "check/verdict/tally.h"

namespace repose::poses {

namespace {

constexpr int kBallRings = 48;            // of a sphere set's balls, from pole to pole
constexpr double kTinyGradient = 1e-300;  // keeps a vanishing gradient from dividing by zero

/// A ball's points, inscribed.
void add_ball(const Vec3& center, double radius, std::vector<Vec3>& out) {
  for (int j = 0; j <= kBallRings; ++j) {
    const double polar = std::numbers::pi * j / kBallRings;
    const int around = j % kBallRings == 0 ? 1 : 2 * kBallRings;
    for (int i = 0; i < around; ++i) {
      const double turn = 2.0 * std::numbers::pi * i / around;
      out.push_back(center + radius * Vec3(std::sin(polar) * std::cos(turn),
                                           std::sin(polar) * std::sin(turn), std::cos(polar)));
    }
  }
}

/// Climbs d.S(u,v) inside the patch's rectangle: Newton's method where it bends down, else along
/// the gradient; steps are halved until they climb.
Vec3 climb(const shape::Patch& patch, Vec2 at, const Vec3& d) {
  constexpr int kSteps = 40, kHalvings = 30;
  const shape::UvBox box = patch.domain();
  const Vec2 low(box.u0, box.v0), high(box.u1, box.v1);
  shape::PatchJet j = patch.jet(at.x(), at.y());
  for (int k = 0; k < kSteps; ++k) {
    ++check::tally.steps;
    Vec2 g(d.dot(j.su), d.dot(j.sv));
    Mat2 h;
    h << d.dot(j.suu), d.dot(j.suv), d.dot(j.suv), d.dot(j.svv);
    // sides that hold: the gradient points out of the rectangle
    for (int i = 0; i < 2; ++i)
      if ((at[i] <= low[i] && g[i] < 0.0) || (at[i] >= high[i] && g[i] > 0.0)) {
        g[i] = 0.0;
        h.row(i).setZero();
        h.col(i).setZero();
        h(i, i) = -1.0;
      }
    const bool bends_down = h(0, 0) < 0.0 && h.determinant() > 0.0;
    Vec2 step = bends_down ? Vec2(-h.inverse() * g)
                           : Vec2(g.cwiseProduct((high - low).cwiseAbs2()) /
                                  std::max(g.cwiseProduct(high - low).norm(), kTinyGradient));
    bool climbed = false;
    for (int i = 0; i < kHalvings && !climbed; ++i, step *= 0.5) {
      const Vec2 next = (at + step).cwiseMax(low).cwiseMin(high);
      const shape::PatchJet there = patch.jet(next.x(), next.y());
      if (!(d.dot(there.s - j.s) > 0.0)) continue;
      climbed = true;
      at = next;
      j = there;
    }
    if (!climbed) break;
  }
  return j.s;
}

}  // namespace

FarthestPoints::FarthestPoints(const shape::ShapePtr& shape, double chord) : shape_(shape) {
  if (const auto* set = std::get_if<shape::SphereSet>(&shape->geometry)) {
    for (std::size_t i = 0; i < set->centers.size(); ++i) {
      add_ball(set->centers[i], set->radii[i], points_);
      // the longest side of a cell spans pi / kBallRings
      const double half = std::numbers::pi / kBallRings;
      chord_error_ = std::max(chord_error_, set->radii[i] * (1.0 - std::cos(half)));
    }
    return;
  }
  shape::TessellateSettings settings;
  settings.chord_fraction = chord;
  mesh_ = tessellate(*shape, settings);
  points_ = mesh_.points;
  chord_error_ = mesh_.chord_error;
}

Vec3 FarthestPoints::slide(std::size_t vertex, const Vec3& direction) const {
  const auto* solid = std::get_if<shape::Solid>(&shape_->geometry);
  if (!solid || mesh_.face.empty() || mesh_.face[vertex] < 0) return points_[vertex];
  const auto& part = solid->parts[static_cast<std::size_t>(mesh_.part[vertex])];
  const shape::Face& face = part.faces[static_cast<std::size_t>(mesh_.face[vertex])];
  return climb(*face.patch, mesh_.uv[vertex], direction);
}

std::vector<std::size_t> FarthestPoints::near_top(const Vec3& direction) const {
  double top = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : points_) top = std::max(top, direction.dot(p));
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (direction.dot(points_[i]) >= top - 2.0 * chord_error_) out.push_back(i);
  return out;
}

Vec3 FarthestPoints::farthest(const Vec3& direction) const {
  Vec3 best = Vec3::Zero();
  double top = -std::numeric_limits<double>::infinity();
  for (const Vec3& p : all_farthest(direction, 4))
    if (direction.dot(p) > top) {
      top = direction.dot(p);
      best = p;
    }
  return best;
}

std::vector<Vec3> FarthestPoints::all_farthest(const Vec3& direction, std::size_t most) const {
  if (const auto* set = std::get_if<shape::SphereSet>(&shape_->geometry)) {
    std::vector<Vec3> out;
    for (std::size_t i = 0; i < set->centers.size(); ++i)
      out.push_back(set->centers[i] + set->radii[i] * direction);
    return out;
  }
  const std::vector<std::size_t> near = near_top(direction);
  // first the farthest, then ever those that are least near to the chosen ones
  std::vector<double> apart(near.size(), std::numeric_limits<double>::infinity());
  std::size_t next = 0;
  for (std::size_t i = 0; i < near.size(); ++i)
    if (direction.dot(points_[near[i]]) > direction.dot(points_[near[next]])) next = i;
  std::vector<Vec3> out;
  while (out.size() < std::min(most, near.size()) && apart[next] > 0.0) {
    const Vec3 chosen = points_[near[next]];
    out.push_back(slide(near[next], direction));
    for (std::size_t i = 0; i < near.size(); ++i)
      apart[i] = std::min(apart[i], (points_[near[i]] - chosen).norm());
    next = static_cast<std::size_t>(std::max_element(apart.begin(), apart.end()) - apart.begin());
  }
  return out;
}

}  // namespace repose::poses
