#include "repose/check/stability.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/disjoint_sets.h"

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

/// The movable bodies that hang together by contacts, joints or springs, one input for each such
/// group: in it all other bodies stand.
std::vector<Input> groups_of(const Input& input, const std::vector<ContactPoint>& contacts) {
  const auto moves = [&](int i) {
    return i >= 0 && !input.bodies[static_cast<std::size_t>(i)].fixed;
  };
  DisjointSets sets(static_cast<int>(input.bodies.size()));
  const auto join = [&](int a, int b) {
    if (moves(a) && moves(b)) sets.join(a, b);
  };
  for (const ContactPoint& c : contacts) join(c.body_a, c.body_b);
  for (const Restraint& r : input.restraints) join(r.body_a, r.body_b);
  for (const Tie& t : input.ties) join(t.body_a, t.body_b);
  std::vector<Input> out;
  for (const int name : sets.names()) {
    if (!moves(name)) continue;
    Input& group = out.emplace_back(input);
    for (int i = 0; i < static_cast<int>(input.bodies.size()); ++i)
      if (sets.name_of(i) != name) group.bodies[static_cast<std::size_t>(i)].fixed = true;
  }
  return out;
}

/// What is told of a group; of several groups the last of these.
enum class Told { stable, to_second_order, not_tested, falls, moves_off };
struct GroupTold {
  Told told = Told::stable;
  Screw witness;
};

/// What the second order, and motions that are level to it, tell of one group of bodies.
GroupTold tell_group(const Input& input, const std::vector<ContactPoint>& contacts,
                     const Balance& forces, const StabilitySettings& settings) {
  const SecondOrder second = second_order(input, contacts, forces, settings.neutral);
  if (second.lowest < -settings.neutral) {
    GroupTold out{Told::moves_off, fastest(input, second.bodies, second.motion)};
    out.witness.power = -second.lowest;
    return out;
  }
  if (!second.whole) return {Told::not_tested, {}};
  const LevelMotion level = follow_level_motions(input, contacts, forces, second);
  if (level.kind == LevelMotion::Kind::falls)
    return {Told::falls, fastest(input, second.bodies, level.motion)};
  return {level.kind == LevelMotion::Kind::not_told ? Told::to_second_order : Told::stable, {}};
}

/// Of balanced bodies.
void tell(const GroupTold& group, const Input& input, Stability& out) {
  const auto name = [&] { return input.bodies[static_cast<std::size_t>(group.witness.body)].name; };
  out.witness = group.witness;
  switch (group.told) {
    case Told::stable:
    case Told::to_second_order:
      out.kind = StabilityClass::stable;
      out.why = "balanced, and no small motion loses energy";
      if (group.told == Told::to_second_order) out.why += " to second order";
      return;
    case Told::not_tested:
      out.why = "balanced; too many contacts to say what a small push does";
      return;
    case Told::falls:
      out.why = fmt::format(
          "balanced, but not decided to second order: {} can move level, and loses energy farther "
          "on",
          name());
      return;
    case Told::moves_off:
      out.kind = StabilityClass::metastable;
      out.why = fmt::format("balanced, but a small push moves {} off", name());
      return;
  }
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
    out.why = "balanced; too many bodies to say what a small push does";
    return out;
  }
  const Balance forces = well_inside(input, contacts, balance);
  GroupTold worst;
  for (const Input& group : groups_of(input, contacts)) {
    const GroupTold told = tell_group(group, contacts, forces, settings);
    if (told.told > worst.told ||
        (told.told == Told::moves_off && told.witness.power > worst.witness.power))
      worst = told;
  }
  tell(worst, input, out);
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
