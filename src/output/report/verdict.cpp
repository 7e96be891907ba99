
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
    out.push_back({text_or(row, "name", "promise"), text_or(row, "promised", ""),
                   text_or(row, "measured", ""),
                   kept != row.end() && kept->is_boolean() && kept->get<bool>()});
  }
  return out;
}

std::string tally(const std::vector<KeptPromise>& promises, int missed) {
  if (missed == 1) return "One promise was missed.";
  if (missed > 1) return fmt::format("{} promises were missed.", missed);
  return promises.empty() ? "Nothing was promised." : "Every promise was kept.";
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
  out.promises = stated_promises(result);
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
