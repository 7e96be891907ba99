#include "repose/check/way.h"

#include <fmt/format.h>

#include "repose/base/check.h"
#include "repose/base/stage_clock.h"
#include "repose/check/near_pairs.h"
#include "repose/check/soft.h"

#include "check/exact/rounding.h"
#include "check/gap/sphere_sets.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

const PlacedBody& body_of(const Input& input, int i) {
  return input.bodies[static_cast<std::size_t>(i)];
}

/// For each body a ball that holds it all along its way, or endless ground as it is.
std::vector<PlacedBody> hulls(const Input& from, const Input& to) {
  std::vector<PlacedBody> out;
  for (std::size_t i = 0; i < from.bodies.size(); ++i) {
    const PlacedBody& body = from.bodies[i];
    const BoundingBall a = bounding_ball_world(body), b = bounding_ball_world(to.bodies[i]);
    if (std::isinf(a.radius)) {
      out.push_back(body);
      continue;
    }
    // a body that turns about a far centre of mass swings out of the way between its ends
    const double swing =
        body.points_world.empty() ? (body.shape->bounding_center - body.center_body).norm() : 0.0;
    const double angle =
        body.world_from_body.rotation.angularDistance(to.bodies[i].world_from_body.rotation);
    const double radius =
        0.5 * (b.center - a.center).norm() + std::max(a.radius, b.radius) + swing * angle;
    PlacedBody hull = ball_at(0.5 * (a.center + b.center), radius * (1.0 + kSumError));
    hull.fixed = body.fixed;
    hull.collides = body.collides;
    out.push_back(std::move(hull));
  }
  return out;
}

std::vector<std::array<int, 2>> pairs_on_way(const Input& from, const Input& to, double within,
                                             WayPairs asked) {
  auto pairs = near_pairs(hulls(from, to), within);
  std::erase_if(pairs, [&](const auto& pair) {
    const PlacedBody &a = body_of(from, pair[0]), &b = body_of(from, pair[1]);
    return never_meet(a, b) ||
           (asked == WayPairs::with_balls && !is_of_balls(a) && !is_of_balls(b));
  });
  for (std::size_t i = 0; i < from.bodies.size(); ++i)
    if (is_soft(from.bodies[i]) && !from.bodies[i].fixed && from.bodies[i].collides)
      pairs.push_back({static_cast<int>(i), static_cast<int>(i)});
  return pairs;
}

std::string why(const Input& input, const Verdict& v) {
  if (v.overlap == Answer::proven) return "nothing overlaps on the way";
  const PairGap& p = v.overlap == Answer::missed ? v.overlaps.front() : v.undecided.front();
  const std::string& a = body_of(input, p.body_a).name;
  const std::string& b = body_of(input, p.body_b).name;
  if (v.overlap == Answer::missed)
    return fmt::format("on the way {} and {} overlap by {:.3g} m or more", a, b, -p.bracket.upper);
  return fmt::format("on the way the gap of {} and {} is known only to lie in [{:.3g}, {:.3g}] m",
                     a, b, p.bracket.lower, p.bracket.upper);
}

}  // namespace

Verdict check_way(const Input& from, const Input& to, const Settings& settings, WayPairs pairs) {
  REPOSE_CHECK(from.bodies.size() == to.bodies.size());
  const double start = cpu_seconds();
  Verdict verdict;
  verdict.overlap = Answer::proven;
  GapSettings asked = settings.gap;
  if (std::isinf(asked.enough)) asked.enough = settings.within;
  asked.interrupt = settings.interrupt;
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [i, j] : pairs_on_way(from, to, settings.within, pairs)) {
    PairGap pair;
    pair.body_a = i;
    pair.body_b = j;
    pair.bracket = i == j ? self_gap_on_way(body_of(from, i), body_of(to, i), asked)
                          : gap_on_way(body_of(from, i), body_of(to, i), body_of(from, j),
                                       body_of(to, j), asked);
    const double size = pair_size(body_of(from, i), body_of(from, j));
    const double relative = pair.bracket.lower / size;
    if (relative < least) {
      least = relative;
      verdict.gap = pair;
      verdict.gap_relative = relative;
    }
    if (pair.bracket.upper < -settings.tolerance * size)
      verdict.overlaps.push_back(pair);
    else if (!(pair.bracket.lower >= -settings.tolerance * size))
      verdict.undecided.push_back(pair);
  }
  if (!verdict.undecided.empty()) verdict.overlap = Answer::undecided;
  if (!verdict.overlaps.empty()) verdict.overlap = Answer::missed;
  verdict.answer = verdict.overlap;
  verdict.why = why(from, verdict);
  verdict.seconds = cpu_seconds() - start;
  return verdict;
}

}  // namespace repose::check
