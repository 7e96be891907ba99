#include "repose/run/result.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/base/version.h"

namespace repose {

namespace {

using Json = nlohmann::ordered_json;

Json known(double number) {
  return std::isfinite(number) ? Json(number) : Json(nullptr);
}

Json known(const std::optional<double>& number) {
  return number ? known(*number) : Json(nullptr);
}

/// Depth of the overlap that a gap means; NaN stays NaN.
double depth(double gap) {
  return std::isnan(gap) ? gap : std::max(0.0, -gap);
}

bool judged(Answer answer) {
  return answer != Answer::not_judged;
}

Json penetration(const RunResult& r) {
  const bool checked = judged(r.verdict.overlap);
  const Audit& audit = r.outcome.final;
  Json out;
  out["final"] = checked ? known(r.verdict.penetration) : known(depth(audit.worst_gap));
  out["final_relative"] =
      checked ? known(r.verdict.penetration_relative) : known(depth(audit.worst_gap_relative));
  if (r.worst_frame) {
    out["worst"] = known(r.worst_frame->penetration);
    out["worst_relative"] = known(r.worst_frame->penetration_relative);
  } else {
    // the method's own word for the way there
    out["worst"] = known(depth(r.outcome.worst_gap));
    out["worst_relative"] = known(depth(r.outcome.worst_gap_relative));
  }
  out["source"] = checked ? "check" : "method";
  out["worst_source"] = r.worst_frame ? "check" : "method";
  return out;
}

Json balance(const RunResult& r) {
  const bool checked = judged(r.verdict.rest);
  Json out;
  out["force"] = checked ? known(r.verdict.force) : known(r.outcome.final.force_residual);
  out["torque"] = checked ? known(r.verdict.torque) : known(r.outcome.final.torque_residual);
  out["source"] = checked ? "check" : "method";
  return out;
}

Json seconds(const RunResult& r) {
  Json out;
  out["total"] = r.seconds.total;
  out["solve"] = std::max(0.0, r.seconds.total - r.seconds.load - r.seconds.record -
                                   r.seconds.report - r.seconds.check);
  out["load"] = r.seconds.load;
  out["record"] = r.seconds.record;
  out["check"] = r.seconds.check;
  out["report"] = r.seconds.report;
  for (const auto& [stage, spent] : r.stages) out[stage] = spent;
  return out;
}

Json verdict(const RunResult& r) {
  Json out;
  out["overlap"] = to_text(r.verdict.overlap);
  out["rest"] = to_text(r.verdict.rest);
  out["why"] = r.verdict.why;
  if (r.worst_frame) out["frames"] = to_text(r.worst_frame->overlap);
  if (!r.verdict.details.empty()) out["details"] = Json::parse(r.verdict.details);
  return out;
}

/// The method promises no overlap if it speaks of gaps at all.
bool promises_no_overlap(const RunResult& r) {
  return !std::isnan(r.outcome.final.worst_gap);
}

std::string relative_text(const std::optional<double>& relative) {
  return relative ? fmt::format("{:.3g} of the smaller body's size", *relative) : "unknown depth";
}

}  // namespace

std::string to_json(const RunResult& r) {
  Json out;
  out["scene"] = r.scene;
  out["method"] = r.method;
  out["status"] = to_text(r.outcome.status);
  out["why"] = r.outcome.why;
  out["steps"] = r.steps;
  out["frames"] = r.outcome.frames;
  out["seconds"] = seconds(r);
  out["penetration"] = penetration(r);
  out["balance"] = balance(r);
  out["energy"] = {{"start", known(r.outcome.first.energy)},
                   {"end", known(r.outcome.final.energy)}};
  out["bodies"] = r.bodies;
  out["contacts"] = r.contacts;
  out["threads"] = r.threads;
  out["state_hash"] = r.hash;
  out["version"] = kVersion;
  out["verdict"] = verdict(r);
  out["missed"] = missed_promises(r);
  out["exit_code"] = exit_code(r);
  for (const auto& [name, text] : r.facts) {
    Json fact = Json::parse(text, nullptr, false);
    REPOSE_CHECK(!fact.is_discarded(), "fact " + name + " is no JSON: " + text);
    out[name] = std::move(fact);
  }
  return out.dump(2) + "\n";
}

std::vector<std::string> missed_promises(const RunResult& r) {
  std::vector<std::string> out;
  const RunStatus status = r.outcome.status;
  if (status == RunStatus::stopped || status == RunStatus::stuck || status == RunStatus::moving)
    out.push_back(
        fmt::format("the run did not come to its end: {} after {} steps{}{} "
                    "(residual {:.3g})",
                    to_text(status), r.steps, r.outcome.why.empty() ? "" : ": ", r.outcome.why,
                    r.outcome.last.residual));
  if (r.verdict.overlap == Answer::missed)
    out.push_back("bodies overlap in the last state by " +
                  relative_text(r.verdict.penetration_relative));
  if (r.verdict.overlap == Answer::undecided && promises_no_overlap(r))
    out.push_back("it is not proven that nothing overlaps in the last state: at most " +
                  relative_text(r.verdict.penetration_relative));
  if (r.worst_frame && r.worst_frame->overlap != Answer::proven)
    out.push_back("it is not proven that nothing overlaps in every frame: at most " +
                  relative_text(r.worst_frame->penetration_relative));
  if (!judged(r.verdict.overlap) && r.outcome.final.worst_gap < 0.0)
    out.push_back("bodies overlap in the last state by " +
                  relative_text(-r.outcome.final.worst_gap_relative));
  const bool claims_rest = status == RunStatus::rest || status == RunStatus::metastable;
  if (claims_rest && judged(r.verdict.rest) && r.verdict.rest != Answer::proven)
    out.push_back(
        fmt::format("balance at rest is {}: unbalanced force {} of weight", to_text(r.verdict.rest),
                    r.verdict.force ? fmt::format("{:.3g}", *r.verdict.force) : "unknown"));
  return out;
}

int exit_code(const RunResult& r) {
  return missed_promises(r).empty() ? 0 : 1;
}

}  // namespace repose
