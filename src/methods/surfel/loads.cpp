#include "loads.h"

#include <fmt/format.h>

#include "repose/base/at.h"
#include "repose/base/fault.h"

#include "fit.h"

namespace repose::surfel {

namespace {

/// A point nearer to the centre than this share of the size is the centre.
constexpr double kNoArm = 1e-9;

std::vector<Carrier> on_whole_body(const Arena& arena, int first, int last) {
  double mass = 0.0;
  for (int i = first; i < last; ++i) mass += arena.mass[at(i)];
  std::vector<Carrier> out;
  for (int i = first; i < last; ++i) out.push_back({i, arena.mass[at(i)] / mass, Vec3::Zero()});
  return out;
}

std::vector<Carrier> on_points(const Arena& arena, std::size_t body,
                               const std::vector<int>& points) {
  const int first = arena.first_phyxel[body], count = arena.first_phyxel[body + 1] - first;
  std::vector<Carrier> out;
  for (const int point : points) {
    if (point < count) {
      out.push_back({first + point, 1.0, Vec3::Zero()});
      continue;
    }
    const Carriers carriers = arena.carrying(arena.first_ball[body] + point - count);
    for (std::size_t k = 0; k < carriers.size(); ++k)
      out.push_back({carriers.phyxels[k], carriers.weights[k], carriers.slopes[k]});
  }
  return out;
}

/// Empty where the point is none of the body.
std::vector<Carrier> about_point(const Arena& arena, int first, int last, const Vec3& point) {
  const std::vector<Vec3> rest(arena.rest.begin() + first, arena.rest.begin() + last);
  std::vector<Carrier> out = fit_carriers(rest, collide::NearestPoints(rest), point);
  for (Carrier& carrier : out) carrier.phyxel += first;
  if (!carries_well(out)) out.clear();
  return out;
}

}  // namespace

Result<std::vector<Load>> loads_of(const Problem& problem, const Arena& arena) {
  std::vector<Load> out;
  for (std::size_t f = 0; f < problem.forces.size(); ++f) {
    const Force& force = problem.forces[f];
    const int found = problem.find_body(force.body_a);
    if (found < 0) continue;
    const auto b = at(found);
    const Body& body = problem.bodies[b];
    const int first = arena.first_phyxel[b], last = arena.first_phyxel[b + 1];
    Load load{static_cast<int>(f), {}, arena.solid_of[b]};
    if (load.solid >= 0 && arena.solids[at(load.solid)].is_free()) out.push_back(load);
    if (first == last) continue;
    if (!force.points.empty()) {
      load.carriers = on_points(arena, b, force.points);
    } else if (force.point_a.isZero(0.0) ||
               (force.point_a - body.center_body).norm() <= kNoArm * body.size()) {
      load.carriers = on_whole_body(arena, first, last);
    } else {
      load.carriers = about_point(arena, first, last, force.point_a);
    }
    if (load.carriers.empty())
      return fault(fmt::format("/forces/{}/point", f), body.name,
                   "the point lies too far outside the body to act on it", "a point of the body");
    out.push_back(std::move(load));
  }
  return out;
}

}  // namespace repose::surfel
