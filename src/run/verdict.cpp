#include "repose/run/verdict.h"

#include <algorithm>
#include <cmath>

#include "repose/base/check.h"
#include "repose/check/verdict.h"

namespace repose {

namespace {

check::Item item_of(const Body& body, const BodyState& state) {
  check::Item item;
  item.name = body.name;
  item.shape = body.shape;
  item.world_from_body = state.world_from_body;
  item.mass = body.mass;
  item.center_body = body.center_body;
  item.inertia_body = body.inertia_body;
  item.friction = body.material.friction;
  item.fixed = body.fixed;
  item.frozen = body.frozen;
  item.collides = body.collides;
  item.layer = body.layer;
  item.points_world = state.points_world;
  return item;
}

check::Input input_of(const Problem& problem, const State& state) {
  check::Input input;
  input.gravity = problem.gravity;
  input.items.reserve(problem.bodies.size());
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    input.items.push_back(item_of(problem.bodies[i], state.bodies[i]));
  return input;
}

/// Forces beside gravity and joints carry loads that this conversion does not describe; balance is
/// then left to the method's own word.
bool loads_are_described(const Problem& problem) {
  return problem.joints.empty() &&
         std::all_of(problem.forces.begin(), problem.forces.end(),
                     [](const Force& force) { return force.kind == "gravity"; });
}

Answer answer_of(check::Answer answer) {
  switch (answer) {
    case check::Answer::proven:
      return Answer::proven;
    case check::Answer::missed:
      return Answer::missed;
    case check::Answer::undecided:
      return Answer::undecided;
  }
  REPOSE_CHECK(false, "unknown answer of the judge");
}

}  // namespace

const char* to_text(Answer answer) {
  switch (answer) {
    case Answer::proven:
      return "proven";
    case Answer::missed:
      return "missed";
    case Answer::undecided:
      return "undecided";
    case Answer::not_judged:
      return "not judged";
  }
  REPOSE_CHECK(false, "unknown answer");
}

Verdict judge(const Problem& problem, const State& state, const VerdictSettings& settings) {
  check::Settings asked;
  asked.judge_balance = settings.judge_rest && loads_are_described(problem);
  asked.judge_stability = asked.judge_balance;
  const check::Input input = input_of(problem, state);
  const check::Verdict said = check::check(input, asked);
  Verdict out;
  out.overlap = answer_of(said.overlap);
  if (std::isfinite(said.gap.bracket.lower)) {
    out.penetration = std::max(0.0, -said.gap.bracket.lower);
    out.penetration_relative = std::max(0.0, -said.gap_relative);
  } else if (said.overlap == check::Answer::proven) {
    // every pair is farther apart than the judge looks
    out.penetration = 0.0;
    out.penetration_relative = 0.0;
  }
  if (asked.judge_balance) {
    out.rest = answer_of(said.rest);
    out.force = said.balance.force;
    out.torque = said.balance.torque;
  }
  out.why = said.why;
  out.details = check::to_json(said, input);
  return out;
}

}  // namespace repose
