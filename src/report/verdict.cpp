#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "repose/report/report.h"

namespace repose::report {
namespace {

using Json = nlohmann::json;

std::string text_or(const Json& json, const char* key, const std::string& otherwise) {
  const auto at = json.find(key);
  if (at == json.end() || at->is_null()) return otherwise;
  return at->is_string() ? at->get<std::string>() : at->dump();
}

double number_or_nan(const Json& json, const char* group, const char* key) {
  const auto at = json.find(group);
  if (at == json.end() || !at->is_object()) return std::nan("");
  const auto value = at->find(key);
  return value != at->end() && value->is_number() ? value->get<double>() : std::nan("");
}

/// How a run ended, in a sentence.
std::string ending(const std::string& status) {
  if (status == "rest") return "At rest";
  if (status == "metastable") return "At rest, barely";
  if (status == "finished") return "Finished";
  if (status == "stuck") return "Stuck before it came to rest";
  if (status == "jammed") return "Jammed";
  if (status == "stopped") return "Stopped before the end";
  return "Ended";
}

std::string depth_text(const Json& result, const char* key) {
  const double relative = number_or_nan(result, "penetration", key);
  return std::isfinite(relative) ? fmt::format(", {:.3g} of the smaller body at most", relative)
                                 : std::string();
}

/// What the independent judge has proven.
std::vector<KeptPromise> proven_promises(const Json& result) {
  const auto judged = result.find("verdict");
  if (judged == result.end() || !judged->is_object()) return {};
  const auto proven = [&](const char* key) { return text_or(*judged, key, "") == "proven"; };
  std::vector<KeptPromise> out;
  if (proven("overlap"))
    out.push_back({"Nothing overlaps in the last state", "no overlap",
                   "proven" + depth_text(result, "final_relative"), true});
  if (proven("frames"))
    out.push_back({"Nothing overlaps in any frame", "no overlap",
                   "proven" + depth_text(result, "worst_relative"), true});
  if (proven("rest"))
    out.push_back({"Contact forces balance every body", "rest",
                   fmt::format("proven, {:.3g} of the weight unbalanced",
                               number_or_nan(result, "balance", "force")),
                   true});
  return out;
}

void add_missed_promises(const Json& result, std::vector<KeptPromise>& out) {
  const auto missed = result.find("missed");
  if (missed == result.end() || !missed->is_array()) return;
  for (const Json& sentence : *missed)
    if (sentence.is_string()) out.push_back({sentence.get<std::string>(), "", "", false});
}

std::string tally(const std::vector<KeptPromise>& promises, int missed) {
  if (missed == 1) return "One promise was missed.";
  if (missed > 1) return fmt::format("{} promises were missed.", missed);
  return promises.empty() ? "Nothing was judged." : "Every promise was kept.";
}

}  // namespace

ShownVerdict verdict_of(const std::string& result_json) {
  ShownVerdict out;
  const Json result = Json::parse(result_json, nullptr, false);
  if (!result.is_object()) {
    out.status = "cut short";
    out.headline = "This run has no result";
    out.detail = "It was cut short; every frame committed before that is shown.";
    out.exit_code = 1;
    return out;
  }
  out.status = text_or(result, "status", "finished");
  out.promises = proven_promises(result);
  add_missed_promises(result, out.promises);
  int missed = 0;
  for (const KeptPromise& promise : out.promises) missed += promise.kept ? 0 : 1;
  const auto code = result.find("exit_code");
  out.exit_code =
      code != result.end() && code->is_number_integer() ? code->get<int>() : (missed > 0 ? 1 : 0);
  out.detail = text_or(result, "why", "");
  out.headline = ending(out.status) + ". " + tally(out.promises, missed);
  return out;
}

}  // namespace repose::report
