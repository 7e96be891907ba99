#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/report/report.h"
#include "repose/world/method.h"

namespace repose::report {
namespace {

std::string text_or(const JsonView& json, const char* key, const std::string& otherwise) {
  const auto at = json.find(key);
  if (!at || at->kind() == JsonKind::null) return otherwise;
  return at->kind() == JsonKind::text ? at->text() : std::string(at->raw());
}

/// How a run ended, in a sentence.
std::string ending(const std::string& status) {
  switch (named<RunStatus>(status).value_or(RunStatus::moving)) {
    case RunStatus::rest:
      return "At rest";
    case RunStatus::metastable:
      return "At rest, barely";
    case RunStatus::finished:
      return "Finished";
    case RunStatus::stuck:
      return "Stuck before it came to rest";
    case RunStatus::jammed:
      return "Jammed";
    case RunStatus::stopped:
      return "Stopped before the end";
    case RunStatus::moving:
      break;
  }
  return "Ended";
}

std::vector<KeptPromise> stated_promises(const JsonView& result) {
  std::vector<KeptPromise> out;
  const auto list = result.find("promises");
  if (!list || list->kind() != JsonKind::array) return out;
  list->each([&](const JsonView& row) {
    if (row.kind() != JsonKind::object) return true;
    const auto kept = row.find("kept");
    out.push_back({text_or(row, "name", "promise"), text_or(row, "promised", ""),
                   text_or(row, "measured", ""),
                   kept && kept->kind() == JsonKind::boolean && kept->boolean()});
    return true;
  });
  return out;
}

/// The exit code as the result states it, where it does.
std::optional<int> stated_code(const JsonView& result) {
  constexpr std::int64_t kLargestCode = 255;
  const auto code = result.find("exit_code");
  const auto whole = code ? code->integer() : std::nullopt;
  if (!whole || *whole < 0 || *whole > kLargestCode) return std::nullopt;
  return static_cast<int>(*whole);
}

std::string tally(const std::vector<KeptPromise>& promises, int missed) {
  if (missed == 1) return "One promise was missed.";
  if (missed > 1) return fmt::format("{} promises were missed.", missed);
  return promises.empty() ? "Nothing was promised." : "Every promise was kept.";
}

}  // namespace

ShownVerdict verdict_of(const std::string& result_json) {
  ShownVerdict out;
  const auto read = JsonDocument::parse(result_json, "result");
  if (!read || (*read)->root().kind() != JsonKind::object) {
    out.status = "cut short";
    out.headline = "This run has no result";
    out.detail = "It was cut short; every frame committed before that is shown.";
    out.exit_code = 1;
    return out;
  }
  const JsonView result = (*read)->root();
  out.status = text_or(result, "status", "finished");
  out.promises = stated_promises(result);
  int missed = 0;
  for (const KeptPromise& promise : out.promises) missed += promise.kept ? 0 : 1;
  out.exit_code = stated_code(result).value_or(missed > 0 ? 1 : 0);
  out.detail = text_or(result, "why", "");
  out.headline = ending(out.status) + ". " + tally(out.promises, missed);
  return out;
}

}  // namespace repose::report
