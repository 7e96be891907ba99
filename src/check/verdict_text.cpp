#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/check/verdict.h"

namespace repose::check {

namespace {

using Json = nlohmann::ordered_json;

Json number(double x) {
  return std::isfinite(x) ? Json(x) : Json(nullptr);
}
Json vector(const Vec3& v) {
  return Json::array({number(v.x()), number(v.y()), number(v.z())});
}
std::string name_of(const Input& input, int i) {
  return i < 0 ? std::string() : input.items[static_cast<std::size_t>(i)].name;
}

Json pair_json(const PairGap& p, const Input& input) {
  return {{"lower", number(p.bracket.lower)},
          {"upper", number(p.bracket.upper)},
          {"status", to_text(p.bracket.status)},
          {"pair", Json::array({name_of(input, p.body_a), name_of(input, p.body_b)})},
          {"points", Json::array({vector(p.bracket.point_a), vector(p.bracket.point_b)})}};
}

Json pairs_json(const std::vector<PairGap>& pairs, const Input& input) {
  Json out = Json::array();
  for (const PairGap& p : pairs) out.push_back(pair_json(p, input));
  return out;
}

Json balance_json(const Verdict& v, const Input& input) {
  Json per_body = Json::object();
  for (std::size_t i = 0; i < v.balance.per_body.size(); ++i)
    if (!input.items[i].fixed) per_body[input.items[i].name] = number(v.balance.per_body[i]);
  return {{"residual", number(v.balance.residual)},
          {"force", number(v.balance.force)},
          {"torque", number(v.balance.torque)},
          {"balanced", v.balance.balanced},
          {"frictionless_residual", number(v.frictionless_balance.residual)},
          {"contacts", v.contacts.size()},
          {"per_body", per_body}};
}

Json margin(double value) {
  return value < 0.0 ? Json(nullptr) : number(value);
}

Json stability_json(const Stability& s, const Input& input) {
  Json out = {{"class", to_text(s.kind)},
              {"margins",
               {{"tilt_rad", margin(s.margins.tilt)},
                {"friction", margin(s.margins.friction)},
                {"load_factor", margin(s.margins.load)}}},
              {"witness", nullptr},
              {"why", s.why}};
  if (s.witness.body >= 0)
    out["witness"] = {{"body", name_of(input, s.witness.body)},
                      {"velocity", vector(s.witness.velocity)},
                      {"angular_velocity", vector(s.witness.angular)},
                      {"power", number(s.witness.power)}};
  return out;
}

}  // namespace

std::string to_json(const Verdict& verdict, const Input& input) {
  const Json out = {{"verdict", to_text(verdict.answer)},
                    {"why", verdict.why},
                    {"gap", pair_json(verdict.gap, input)},
                    {"gap_relative", number(verdict.gap_relative)},
                    {"overlaps", pairs_json(verdict.overlaps, input)},
                    {"undecided", pairs_json(verdict.undecided, input)},
                    {"balance", balance_json(verdict, input)},
                    {"stability", stability_json(verdict.stability, input)},
                    {"seconds", verdict.seconds}};
  return out.dump(2);
}

std::string to_summary(const Verdict& v, const Input& input) {
  std::string out = fmt::format("{}: {}\n", to_text(v.answer), v.why);
  if (v.gap.body_a >= 0)
    out += fmt::format("  smallest gap  [{:.3e}, {:.3e}] m  {} - {}\n", v.gap.bracket.lower,
                       v.gap.bracket.upper, name_of(input, v.gap.body_a),
                       name_of(input, v.gap.body_b));
  out += fmt::format("  overlaps      {} certified, {} undecided\n", v.overlaps.size(),
                     v.undecided.size());
  out += fmt::format(
      "  balance       residual {:.3e} of weight over {} contacts ({:.3e} without "
      "friction)\n",
      v.balance.residual, v.contacts.size(), v.frictionless_balance.residual);
  out += fmt::format("  stability     {}\n", to_text(v.stability.kind));
  return out;
}

}  // namespace repose::check
