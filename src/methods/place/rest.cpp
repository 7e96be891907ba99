#include "rest.h"

#include <algorithm>

#include <fmt/format.h>

#include "program.h"

namespace repose::place {
namespace {

/// Balanced bodies are brought to the gap of rest in at most this many steps; shorter ones than
/// this (scaled freedoms) are none.
constexpr int kPolishSteps = 4;
constexpr double kPolished = 1e-10;
/// Then contacts nearer than this many times the gap of rest must carry the bodies by themselves,
/// or polishing goes on, at most so long.
constexpr double kFirm = 20.0;
constexpr int kMostPolishSteps = 20;
/// With friction: contacts within this share of the step bound are as good as closed.
constexpr double kNear = 0.05;

}  // namespace

std::vector<bool> touching(const Arena& arena, std::span<const Row> rows, double gap) {
  std::vector<bool> out;
  for (const Row& row : rows) {
    const Pairing& pair = pairing_of(arena, row.at);
    out.push_back(row.gap <= std::max(gap, kFirm * pair.least) * pair.size);
  }
  return out;
}

Balance balance_of(const Standing& here, const std::vector<bool>& touch) {
  return balance_of(here.arena, here.problem, here.places, here.rows, touch, here.energy,
                    here.settings.friction);
}

double gap_kept(const Standing& here, const Memory& memory) {
  const PlaceSettings& s = here.settings;
  double out = memory.settled ? s.rest_gap : s.settle_gap;
  for (const Row& row : here.rows) out = std::min(out, row.gap / pair_size(here.arena, row));
  return std::max(out, s.rest_gap);
}

Potential pressing(const Standing& here, const Balance& balance) {
  Potential out = here.energy;
  out.gradient.setZero();
  out.hessian.setZero();
  for (std::size_t i = 0; i < here.rows.size(); ++i)
    out.gradient += balance.forces[i].dot(here.rows[i].normal) / here.arena.energy_unit() *
                    gradient(here.arena, here.places, here.rows[i]);
  return out;
}

bool nearly_held(const Standing& here, double epsilon) {
  const auto near = touching(here.arena, here.rows, kNear * epsilon);
  return balance_of(here, near).worst() <= here.settings.rest_force;
}

double touch_gap(const PlaceSettings& s, const Memory& memory) {
  return memory.firm ? kFirm * s.rest_gap : kTouch * s.settle_gap;
}

bool bear_falsely(const Standing& here, const std::vector<bool>& touch, const Memory& memory) {
  if (memory.firm || memory.polished < kMostPolishSteps) return false;
  if (here.settings.friction || curve_contact(here.arena, here.rows, touch)) return false;
  const auto near = touching(here.arena, here.rows, kFirm * here.settings.rest_gap);
  return balance_of(here, near).worst() > here.settings.rest_force;
}

bool near_enough(const Standing& here, const std::vector<bool>& touch, const Proposal& proposal,
                 const Memory& memory) {
  if (curve_contact(here.arena, here.rows, touch)) return true;
  if (memory.polished < kPolishSteps && proposal.motion.lpNorm<Eigen::Infinity>() > kPolished)
    return false;
  if (memory.polished >= kMostPolishSteps) return true;
  const auto near = touching(here.arena, here.rows, kFirm * here.settings.rest_gap);
  return balance_of(here, near).worst() <= here.settings.rest_force;
}

Stability stability_at(const Standing& here, const std::vector<bool>& touch,
                       const Balance& balance) {
  const Arena& arena = here.arena;
  // friction holds what it holds: no second-order question is left
  if (here.settings.friction) return {0.0, Eigen::VectorXd::Zero(arena.freedoms())};
  // a body that hangs free has no rows to search
  const Pairing pair = arena.pairs.empty() ? Pairing{} : arena.pairs.front();
  const SearchSettings search = search_settings(arena, pair, here.settings, 0.0);
  return stability_of(arena, here.problem, here.places, here.rows, touch, balance, here.energy,
                      search.valley);
}

StepReport rest_report(const Balance& balance, const Stability& stability, double neutral,
                       StepReport report) {
  report.why =
      fmt::format("contact forces balance every body to {:.1e} of its weight", balance.worst());
  report.status = RunStatus::rest;
  if (stability.lowest < -neutral) {
    report.status = RunStatus::metastable;
    report.why += ", but a small push moves them off";
  }
  return report;
}

}  // namespace repose::place
