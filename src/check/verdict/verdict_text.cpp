#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/json_write.h"
#include "repose/check/verdict.h"

namespace repose::check {

namespace {

/// Of the motion: below this a turn is none.
constexpr double kNoTurn = 1e-9;
constexpr double kDegrees = 180.0 / std::numbers::pi;

Json vector(const Vec3& v) {
  return Json::Array{known(v.x()), known(v.y()), known(v.z())};
}
std::string name_of(const Input& input, int i) {
  return i < 0 ? std::string() : input.bodies[static_cast<std::size_t>(i)].name;
}

Json pair_json(const PairGap& p, const Input& input) {
  return Json::Object{
      {"lower", known(p.bracket.lower)},
      {"upper", known(p.bracket.upper)},
      {"status", to_text(p.bracket.status)},
      {"pair", Json::Array{name_of(input, p.body_a), name_of(input, p.body_b)}},
      {"points", Json::Array{vector(p.bracket.point_a), vector(p.bracket.point_b)}}};
}

Json pairs_json(const std::vector<PairGap>& pairs, const Input& input) {
  Json::Array out;
  for (const PairGap& p : pairs) out.push_back(pair_json(p, input));
  return out;
}

Json left_out_json(const LeftOut& l, const Input& input) {
  return Json::Object{
      {"both_fixed", l.both_fixed},       {"fixed_overlaps", pairs_json(l.fixed_overlaps, input)},
      {"fixed_unknown", l.fixed_unknown}, {"not_colliding", l.not_colliding},
      {"other_layers", l.other_layers},   {"joined", l.joined}};
}

/// Each contact's force and between what bounds its normal part may lie.
Json forces_json(const Verdict& v, const Input& input) {
  constexpr std::size_t kMostForces = 1000;
  Json::Array out;
  for (std::size_t c = 0; c < std::min(v.contacts.size(), kMostForces); ++c) {
    const ContactPoint& p = v.contacts[c];
    Json range;
    if (c < v.ranges.size() && v.ranges[c].known)
      range = Json::Array{known(v.ranges[c].low), known(v.ranges[c].high)};
    out.push_back(
        Json::Object{{"pair", Json::Array{name_of(input, p.body_a), name_of(input, p.body_b)}},
                     {"point", vector(p.point)},
                     {"normal_a_to_b", vector(p.normal_a_to_b)},
                     {"force_on_b", vector(v.balance.forces_on_b[c])},
                     {"normal_range", std::move(range)}});
  }
  return out;
}

Json joints_json(const Verdict& v, const Input& input) {
  Json::Array out;
  for (std::size_t j = 0; j < v.balance.reactions.size(); ++j)
    out.push_back(Json::Object{{"joint", input.restraints[j].name},
                               {"force_on_b", vector(v.balance.reactions[j].force_on_b)},
                               {"torque_on_b", vector(v.balance.reactions[j].torque_on_b)}});
  return out;
}

Json balance_json(const Verdict& v, const Input& input) {
  Json::Object per_body;
  for (std::size_t i = 0; i < v.balance.per_body.size(); ++i)
    if (!input.bodies[i].fixed)
      per_body.emplace_back(input.bodies[i].name, known(v.balance.per_body[i]));
  return Json::Object{{"answer", to_text(v.balanced)},
                      {"unbalanced", known(v.balance.residual)},
                      {"residual", known(v.balance.residual)},  // its old name
                      {"force", known(v.balance.force)},
                      {"torque", known(v.balance.torque)},
                      {"balanced", v.balance.balanced},
                      {"frictionless_residual", known(v.frictionless_balance.residual)},
                      {"contacts", v.contacts.size()},
                      {"per_body", std::move(per_body)},
                      {"least_norm", v.balance.least_norm},
                      {"forces", forces_json(v, input)},
                      {"joints", joints_json(v, input)}};
}

Json margin(double value) {
  return value < 0.0 ? Json() : known(value);
}

/// As velocities and as a screw: its axis, a point of it, and the way along it for each radian.
Json screw_json(const Screw& s, const Input& input) {
  if (s.body < 0) return {};
  Json out = Json::Object{{"body", name_of(input, s.body)},
                          {"velocity", vector(s.velocity)},
                          {"angular_velocity", vector(s.angular)},
                          {"axis", Json()},
                          {"axis_point", Json()},
                          {"pitch", Json()},
                          {"power", known(s.power)}};
  const double turn = s.angular.norm();
  const PlacedBody& item = input.bodies[static_cast<std::size_t>(s.body)];
  if (turn * item.size() <= kNoTurn * s.velocity.norm()) return out;
  const Vec3 axis = s.angular / turn;
  out["axis"] = vector(axis);
  out["axis_point"] = vector(item.center_world() + axis.cross(s.velocity) / turn);
  out["pitch"] = known(axis.dot(s.velocity) / turn);
  return out;
}

Json stability_json(const Stability& s, const Input& input) {
  Json::Object margins{{"tilt_rad", margin(s.margins.tilt)},
                       {"friction", margin(s.margins.friction)},
                       {"load_factor", margin(s.margins.load)},
                       {"first_if_tilted", screw_json(s.margins.first_if_tilted, input)},
                       {"open", s.margins.open.empty() ? Json() : Json(s.margins.open)}};
  return Json::Object{{"class", to_text(s.kind)},
                      {"margins", std::move(margins)},
                      {"witness", screw_json(s.witness, input)},
                      {"why", s.why}};
}

Json effort_json(const Effort& e) {
  return Json::Object{{"pairs", e.pairs},  {"pieces", e.pieces}, {"supports", e.supports},
                      {"steps", e.steps},  {"rays", e.rays},     {"cells", e.cells},
                      {"pivots", e.pivots}};
}

}  // namespace

Json to_json(const Verdict& verdict, const Input& input) {
  return Json::Object{{"verdict", to_text(verdict.answer)},
                      {"why", verdict.why},
                      {"overlap", to_text(verdict.overlap)},
                      {"rest", to_text(verdict.balanced)},  // old name of balance/answer
                      {"gap", pair_json(verdict.gap, input)},
                      {"gap_relative", known(verdict.gap_relative)},
                      {"overlaps", pairs_json(verdict.overlaps, input)},
                      {"undecided", pairs_json(verdict.undecided, input)},
                      {"left_out", left_out_json(verdict.left_out, input)},
                      {"balance", balance_json(verdict, input)},
                      {"stability", stability_json(verdict.stability, input)},
                      {"effort", effort_json(verdict.effort)},
                      {"seconds", known(verdict.seconds)}};
}

namespace {

std::string gap_text(const GapBracket& gap) {
  if (std::isinf(gap.upper)) return fmt::format("{:.3e} m or more", gap.lower);
  return fmt::format("[{:.3e}, {:.3e}] m", gap.lower, gap.upper);
}

/// "3 pairs of fixed bodies (1 overlapping), 1 that a joint holds": what there is, alone; the first
/// names what is counted.
std::string left_out_text(const LeftOut& l) {
  std::string out;
  const auto add = [&](std::size_t count, const std::string& what) {
    if (count == 0) return;
    const std::string pairs = count == 1 ? "pair " : "pairs ";
    out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", count, out.empty() ? pairs : "", what);
  };
  std::string fixed = "of fixed bodies";
  if (!l.fixed_overlaps.empty()) fixed += fmt::format(" ({} overlapping)", l.fixed_overlaps.size());
  if (l.fixed_unknown > 0)
    fixed += fmt::format(" ({} of which it is not known whether they overlap)", l.fixed_unknown);
  add(static_cast<std::size_t>(l.both_fixed), fixed);
  add(static_cast<std::size_t>(l.not_colliding), "with a body that does not collide");
  add(static_cast<std::size_t>(l.other_layers), "of other layers");
  add(static_cast<std::size_t>(l.joined), "that a joint holds");
  return out;
}

/// Smaller figures than the last digit told are none.
constexpr double kLeastShown = 5e-4;

std::string stability_text(const Stability& s, const Input& input) {
  std::string out = fmt::format("  stability     {}", to_text(s.kind));
  const Margins& m = s.margins;
  if (m.tilt >= 0.0)
    out += kDegrees * m.tilt < kLeastShown
               ? std::string(", moves at any tilt, however small")
               : fmt::format(", tips or slides at {:.3f} deg of tilt", kDegrees * m.tilt);
  if (m.first_if_tilted.body >= 0) out += ", " + name_of(input, m.first_if_tilted.body) + " first";
  if (m.friction >= 0.0)
    out += m.friction < kLeastShown ? std::string(", needs no friction")
                                    : fmt::format(", needs friction {:.3f}", m.friction);
  if (m.load >= 0.0) out += fmt::format(", bears {:.3g} times its loads", m.load);
  out += "\n";
  if (!m.open.empty()) out += fmt::format("  margins       {}\n", m.open);
  return out;
}

}  // namespace

std::string to_summary(const Verdict& v, const Input& input) {
  std::string out = fmt::format("{}: {}\n", to_text(v.answer), v.why);
  if (v.gap.body_a >= 0)
    out += fmt::format("  smallest gap  {}  {} - {}\n", gap_text(v.gap.bracket),
                       name_of(input, v.gap.body_a), name_of(input, v.gap.body_b));
  out += fmt::format("  overlaps      {} certified, {} undecided\n", v.overlaps.size(),
                     v.undecided.size());
  if (v.left_out.count() > 0) out += fmt::format("  left out      {}\n", left_out_text(v.left_out));
  if (v.balanced == Answer::not_judged) return out + "  balance       not judged\n";
  out += fmt::format(
      "  balance       {}: unbalanced force at most {:.3g} of weight, {:.3g} without friction; by "
      "forces of the judge's own at {} contact points\n",
      to_text(v.balanced), v.balance.residual, v.frictionless_balance.residual, v.contacts.size());
  return out + stability_text(v.stability, input);
}

}  // namespace repose::check
