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

std::vector<KeptPromise> stated_promises(const Json& result) {
  std::vector<KeptPromise> out;
  const auto list = result.find("promises");
  if (list == result.end() || !list->is_array()) return out;
  for (const Json& row : *list) {
    if (!row.is_object()) continue;
    const auto kept = row.find("kept");
    out.push_back({text_or(row, "name", "promise"), text_or(row, "promised", "–"),
                   text_or(row, "measured", "–"),
                   kept != row.end() && kept->is_boolean() && kept->get<bool>()});
  }
  return out;
}

/// From the contract fields of result.json alone.
std::vector<KeptPromise> plain_promises(const Json& result, const ReportSettings& settings) {
  std::vector<KeptPromise> out;
  const double worst = number_or_nan(result, "penetration", "worst_relative");
  if (std::isfinite(worst))
    out.push_back({"No interpenetration",
                   fmt::format("≤ {:.0e} of a body's size", settings.allowed_overlap_relative),
                   fmt::format("{:.3g}", worst), worst <= settings.allowed_overlap_relative});
  return out;
}

}  // namespace

Verdict verdict_of(const std::string& result_json, const ReportSettings& settings) {
  Verdict out;
  const Json result = Json::parse(result_json, nullptr, false);
  if (!result.is_object()) {
    out.status = "cut short";
    out.headline = "This run has no result";
    out.detail = "It was cut short; every frame committed before that is shown.";
    out.exit_code = 1;
    return out;
  }
  out.status = text_or(result, "status", "finished");
  out.promises = stated_promises(result);
  if (out.promises.empty()) out.promises = plain_promises(result, settings);
  int missed = 0;
  for (const KeptPromise& promise : out.promises) missed += promise.kept ? 0 : 1;
  out.exit_code = missed > 0 ? 1 : 0;
  out.detail = text_or(result, "why", "");
  out.headline = ending(out.status) + ". ";
  if (out.promises.empty())
    out.headline += "Nothing was promised.";
  else if (missed == 0)
    out.headline += "Every promise was kept.";
  else if (missed == 1)
    out.headline += "One promise was missed.";
  else
    out.headline += fmt::format("{} promises were missed.", missed);
  return out;
}

}  // namespace repose::report
