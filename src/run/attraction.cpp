#include "attraction.h"

#include <algorithm>
#include <cmath>

#include "repose/base/setting_values.h"

namespace repose {
namespace {

/// A constant pull to what does not move fades within this share of the body's radius.
constexpr double kFade = 0.1;

/// The force's fields as the scene gives them.
struct Attraction {
  AttractionLaw law;
  double strength;  // N, N m^2 or N/m; negative repels
  double range;     // m, between surfaces

  explicit Attraction(const Force& force)
      : law(law_of(force)),
        strength(number_or(force.values, "strength", 1.0)),
        range(number_or(force.values, "range", 0.0)) {}

  /// N, positive draws together: at a distance of the centres, of balls whose radii have this sum.
  double pull(double distance, double radii, double fade) const {
    if (law == AttractionLaw::inverse_square) return strength / (distance * distance);
    if (law == AttractionLaw::spring) return strength * distance;
    if (law == AttractionLaw::short_range) return distance < range + radii ? strength : 0.0;
    return fade > 0.0 ? strength * distance / std::hypot(distance, fade) : strength;
  }
};

/// About the centre of mass, m.
double radius_of(const Body& body) {
  return body.shape->bounding_radius + (body.shape->bounding_center - body.center_body).norm();
}

bool belongs(const Body& body, const std::string& group) {
  return !body.fixed && (group.empty() || body.name == group ||
                         std::count(body.groups.begin(), body.groups.end(), group) > 0);
}

Vec3 center_of(const Problem& problem, const State& state, std::size_t i) {
  return state.bodies[i].world_from_body * problem.bodies[i].center_body;
}

/// What draws a point at `from` towards `to`.
Vec3 drawn(const Attraction& law, const Vec3& from, const Vec3& to, double radii, double fade) {
  const double distance = (to - from).norm();
  if (distance == 0.0) return Vec3::Zero();
  return (to - from) * (law.pull(distance, radii, fade) / distance);
}

void add_pull_to(const Problem& problem, const State& state, const Force& force,
                 const Attraction& law, std::vector<Vec3>& sum) {
  const int to = problem.find_body(force.body_b);  // -1: the world
  const bool moves = to >= 0 && !problem.bodies[static_cast<std::size_t>(to)].fixed;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Body& body = problem.bodies[i];
    if (!belongs(body, force.body_a) || static_cast<int>(i) == to) continue;
    double radii = radius_of(body), fade = kFade * radii;
    Vec3 point = force.point_b;
    if (moves) {
      const auto other = static_cast<std::size_t>(to);
      radii += radius_of(problem.bodies[other]);
      fade = 0.0;
      point = center_of(problem, state, other);
    } else if (to >= 0) {
      point = state.bodies[static_cast<std::size_t>(to)].world_from_body * force.point_b;
    }
    const Vec3 pull = drawn(law, center_of(problem, state, i), point, radii, fade);
    sum[i] += pull;
    if (moves) sum[static_cast<std::size_t>(to)] -= pull;
  }
}

void add_pulls_within(const Problem& problem, const State& state, const Force& force,
                      const Attraction& law, std::vector<Vec3>& sum) {
  for (std::size_t i = 0; i < sum.size(); ++i) {
    if (!belongs(problem.bodies[i], force.body_a)) continue;
    for (std::size_t j = 0; j < i; ++j) {
      if (!belongs(problem.bodies[j], force.body_a)) continue;
      const double radii = radius_of(problem.bodies[i]) + radius_of(problem.bodies[j]);
      const Vec3 pull =
          drawn(law, center_of(problem, state, i), center_of(problem, state, j), radii, 0.0);
      sum[i] += pull;
      sum[j] -= pull;
    }
  }
}

}  // namespace

void add_attraction(const Problem& problem, const State& state, const Force& force,
                    check::Input& out) {
  const Attraction law(force);
  std::vector<Vec3> sum(problem.bodies.size(), Vec3::Zero());  // N, by body
  if (force.body_b.empty())
    add_pulls_within(problem, state, force, law, sum);
  else
    add_pull_to(problem, state, force, law, sum);
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (sum[i] != Vec3::Zero())
      out.loads.push_back(
          {static_cast<int>(i), sum[i], center_of(problem, state, i), Vec3::Zero()});
}

}  // namespace repose
