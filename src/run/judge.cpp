#include "repose/run/judge.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "repose/base/disjoint_sets.h"
#include "repose/check/enclosure.h"
#include "repose/check/way.h"
#include "repose/molecule/settings.h"
#include "repose/run/judge_input.h"
#include "repose/shape/tessellate.h"

namespace repose {

namespace {

/// A point of every piece of a rigid body's surface that hangs together, the farthest from `from`:
/// where nothing overlaps, all of the piece lies on its side of a wall. Its mass centre would not
/// do: that of a bowl lies in what the bowl holds.
void add_pieces(const Body& body, const Pose& world_from_body, const Vec3& from,
                std::vector<Vec3>& out) {
  constexpr int kCells = 4;
  const shape::Tessellation surface = shape::tessellate(*body.shape, {.cells_per_side = kCells});
  DisjointSets pieces(surface.welded_count);
  for (const auto& triangle : surface.triangles)
    for (const int corner : triangle)
      pieces.join(surface.welded[static_cast<std::size_t>(triangle[0])],
                  surface.welded[static_cast<std::size_t>(corner)]);
  std::map<int, Vec3> farthest;
  for (std::size_t k = 0; k < surface.points.size(); ++k) {
    const Vec3 here = world_from_body * surface.points[k];
    const auto [piece, first] = farthest.emplace(pieces.name_of(surface.welded[k]), here);
    if (!first && (here - from).squaredNorm() > (piece->second - from).squaredNorm())
      piece->second = here;
  }
  for (const auto& [name, point] : farthest) out.push_back(point);
}

/// Where everything else is that the body meets, seen from its middle.
std::vector<Vec3> places_of_others(const Problem& problem, const State& state, std::size_t body,
                                   const Vec3& middle) {
  std::vector<Vec3> out;
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (b == body || !problem.bodies[b].collides) continue;
    const SoftState& soft = state.bodies[b].soft;
    for (std::size_t i = 0; i < soft.size(); ++i)
      if (soft.radii[i] > 0.0) out.push_back(soft.positions[i]);
    if (soft.empty() && std::isfinite(problem.bodies[b].size()))
      add_pieces(problem.bodies[b], state.bodies[b].world_from_body, middle, out);
  }
  return out;
}

Vec3 mean_of(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / std::max<double>(1.0, static_cast<double>(points.size()));
}

void judge_cover(const Problem& problem, const State& state, Judgement& out) {
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const Body& body = problem.bodies[b];
    const SoftState& soft = state.bodies[b].soft;
    if (!std::holds_alternative<shape::PointSet>(body.shape->geometry) || soft.empty()) continue;
    check::Wall wall;
    for (std::size_t i = 0; i < soft.size(); ++i) {
      if (!(soft.radii[i] > 0.0)) {
        wall.inner.push_back(soft.positions[i]);
        continue;
      }
      wall.centers.push_back(soft.positions[i]);
      wall.radii.push_back(soft.radii[i]);
    }
    if (body.collides) wall.outer = places_of_others(problem, state, b, mean_of(wall.centers));
    const check::Enclosure said = check::enclosure(wall);
    if (said.answer != check::Answer::proven && out.cover_why.empty())
      out.cover_why =
          said.inner >= 0
              ? fmt::format("phyxel {} of {} is not known to lie behind its surface", said.inner,
                            body.name)
              : fmt::format("something is not known to lie outside the surface of {}", body.name);
    out.cover = prove::both(out.cover, said.answer);
  }
}

/// The body that balance or stability hangs on; -1: none.
int decisive_body(const check::Verdict& said) {
  const bool asked =
      said.balanced == check::Answer::missed || said.balanced == check::Answer::undecided;
  const auto& missing = said.balance.per_body;
  if (asked && !missing.empty())
    return static_cast<int>(std::max_element(missing.begin(), missing.end()) - missing.begin());
  return said.balanced == check::Answer::proven ? said.stability.witness.body : -1;
}

/// Between the two points that show the upper bound; none where there is no such bound.
std::optional<Vec3> middle(const check::GapBracket& bracket) {
  if (!std::isfinite(bracket.upper)) return std::nullopt;
  return 0.5 * (bracket.point_a + bracket.point_b);
}

/// Where the first overlap is, or the first gap that is not known, or the body that nothing
/// carries, or the one that a small push lets go.
std::optional<Vec3> place_of(const check::Verdict& said, const check::Input& input) {
  std::optional<Vec3> out;
  if (said.overlap == check::Answer::missed && !said.overlaps.empty())
    out = middle(said.overlaps.front().bracket);
  else if (said.overlap == check::Answer::undecided && !said.undecided.empty())
    out = middle(said.undecided.front().bracket);
  else if (const int body = decisive_body(said); body >= 0)
    out = input.bodies[static_cast<std::size_t>(body)].center_world();
  if (out && !out->allFinite()) out.reset();
  return out;
}

}  // namespace

bool claims_rest(RunStatus status) {
  return status == RunStatus::rest || status == RunStatus::metastable;
}

Judgement judge(const Problem& problem, const State& state, const JudgeSettings& settings) {
  check::Settings asked;
  asked.interrupt = settings.interrupt;
  const std::string hidden = settings.judge_balance ? hidden_loads(problem) : std::string();
  asked.judge_balance = settings.judge_balance && hidden.empty();
  if (!hidden.empty()) asked.no_balance = "balance is not judged: " + hidden;
  asked.judge_fixed = settings.judge_balance;
  asked.judge_stability = asked.judge_balance && loads_stay(problem);
  asked.stability.margins = settings.margins;
  if (!settings.margins) asked.ranges.max_contacts = 0;
  const check::Input input = judge_input(problem, state);
  const check::Verdict said = check::check(input, asked);
  Judgement out;
  out.overlap = said.overlap;
  if (std::isfinite(said.gap.bracket.lower)) {
    out.penetration = std::max(0.0, -said.gap.bracket.lower);
    out.penetration_relative = std::max(0.0, -said.gap_relative);
  } else if (said.overlap == check::Answer::proven) {
    // every pair is farther apart than the judge looks
    out.penetration = 0.0;
    out.penetration_relative = 0.0;
  }
  out.balanced = said.balanced;
  if (asked.judge_balance) {
    out.force = said.balance.force;
    out.torque = said.balance.torque;
  }
  out.moves_off = said.balanced == check::Answer::proven && said.stability.witness.body >= 0;
  out.why = said.why;
  out.place = place_of(said, input);
  out.details = check::to_json(said, input);
  judge_soft(problem, state, input, settings.skins, out);
  return out;
}

void judge_soft(const Problem& problem, const State& state, const check::Input& input,
                check::SkinsOf skins, Judgement& out) {
  judge_cover(problem, state, out);
  const check::SkinsVerdict said = check::judge_skins(input, skins);
  out.skins = said.answer;
  out.skins_why = said.why;
}

check::SkinsOf skins_promised(const std::string& method, const SettingValues& settings) {
  return method == "molecule" && molecule::keeps_skins(settings) ? check::SkinsOf::all_bodies
                                                                 : check::SkinsOf::each_other;
}

Judgement judge_way(const Problem& problem, const State& from, const State& to) {
  const check::WayVerdict said =
      check::judge_way(judge_input(problem, from), judge_input(problem, to), {});
  Judgement out;
  out.overlap = said.answer;
  if (said.answer == check::Answer::proven) out.penetration_relative = said.depth_relative;
  out.why = said.why;
  return out;
}

bool has_soft_motion(const Problem& problem) {
  return std::any_of(problem.bodies.begin(), problem.bodies.end(),
                     [](const Body& body) { return body.soft && !body.fixed; });
}

}  // namespace repose
