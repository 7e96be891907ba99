#include "repose/check/stability.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/statics/level_motion.h"
#include "check/statics/margins.h"
#include "check/statics/second_order.h"

namespace repose::check {

const char* to_text(StabilityClass c) {
  switch (c) {
    case StabilityClass::stable:
      return "stable";
    case StabilityClass::metastable:
      return "metastable";
    case StabilityClass::unstable:
      return "unstable";
    case StabilityClass::undecided:
      return "undecided";
  }
  return "undecided";
}

namespace {

/// Forces of least norm lie on the border of their friction cones where friction alone holds (a
/// ball between two walls), and would let go there. Where forces well inside the cones balance as
/// well, these are told instead.
Balance well_inside(const Input& input, const std::vector<ContactPoint>& contacts,
                    const Balance& balance) {
  constexpr double kWellInside = 0.9;  // of the friction
  bool at_limit = false;
  for (std::size_t c = 0; c < contacts.size() && !at_limit; ++c) {
    const Vec3 &f = balance.forces_on_b[c], &n = contacts[c].normal_a_to_b;
    const double normal = f.dot(n), limit = kWellInside * contacts[c].friction * normal;
    at_limit = contacts[c].friction > 0.0 && (f - normal * n).norm() > limit;
  }
  if (!at_limit) return balance;
  Balance inner = check::balance(input, contacts, kWellInside);
  return inner.balanced ? inner : balance;
}

}  // namespace

Stability stability(const Input& input, const std::vector<ContactPoint>& contacts,
                    const Balance& balance, const StabilitySettings& settings) {
  Stability out;
  const auto name = [&](int i) { return input.bodies[static_cast<std::size_t>(i)].name; };
  const auto movable = std::count_if(input.bodies.begin(), input.bodies.end(),
                                     [](const PlacedBody& i) { return !i.fixed; });
  if (settings.margins) out.margins = find_margins(input, contacts, balance, settings);
  if (!balance.balanced) {
    const Wrenches wrenches(input, contacts, 1.0);
    out.kind = balance.converged ? StabilityClass::unstable : StabilityClass::undecided;
    out.witness = residual_motion(input, wrenches, least_residual(wrenches, {}));
    out.why = out.witness.body >= 0 ? fmt::format("{} moves at once", name(out.witness.body))
                                    : std::string("the loads are not balanced");
    return out;
  }
  if (movable > settings.second_order_bodies) {
    out.why = "balanced; too many bodies for the second-order test";
    return out;
  }
  const Balance forces = well_inside(input, contacts, balance);
  const SecondOrder second = second_order(input, contacts, forces, settings.neutral);
  if (second.lowest >= -settings.neutral && !second.whole) {
    out.why = "balanced; too many contacts for the second-order test";
    return out;
  }
  if (second.lowest >= -settings.neutral) {
    const LevelMotion level = follow_level_motions(input, contacts, forces, second);
    if (level.kind == LevelMotion::Kind::falls) {
      out.witness = fastest(input, second.bodies, level.motion);
      out.why = fmt::format(
          "balanced, but not decided to second order: {} can move level, and loses energy farther "
          "on",
          name(out.witness.body));
      return out;
    }
    out.kind = StabilityClass::stable;
    out.why = "balanced, and no small motion loses energy";
    if (level.kind == LevelMotion::Kind::not_told) out.why += " to second order";
    return out;
  }
  out.kind = StabilityClass::metastable;
  out.witness = fastest(input, second.bodies, second.motion);
  out.witness.power = -second.lowest;
  out.why = fmt::format("balanced, but a small push moves {} off", name(out.witness.body));
  return out;
}

Stability stability(const Input& input, const std::vector<ContactPoint>& contacts,
                    const Balance& balance, const Balance& frictionless,
                    const StabilitySettings& settings) {
  Stability out = stability(input, contacts, balance, settings);
  if (out.witness.body < 0 || !balance.balanced || !frictionless.balanced) return out;
  std::vector<ContactPoint> smooth = contacts;
  for (ContactPoint& c : smooth) c.friction = 0.0;
  StabilitySettings bare = settings;
  bare.margins = false;
  Stability without = stability(input, smooth, frictionless, bare);
  if (without.kind != StabilityClass::stable) return out;
  without.margins = out.margins;
  return without;
}

}  // namespace repose::check
