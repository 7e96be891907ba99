#include <cctype>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/report/report.h"
#include "repose/run/advice.h"
#include "repose/world/method.h"

namespace repose::report {
namespace {

std::string text_or(const JsonView& json, const char* key, const std::string& otherwise) {
  const auto at = json.find(key);
  if (!at || at->kind() == JsonKind::null) return otherwise;
  return at->kind() == JsonKind::text ? at->text() : std::string(at->raw());
}

/// How a run ended, as a sentence begins.
std::string ending(const std::string& status) {
  std::string out = in_words(named<RunStatus>(status).value_or(RunStatus::moving));
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

/// The place that the judge's word is about.
std::optional<Vec3> stated_place(const JsonView& result) {
  const auto verdict = result.find("verdict");
  if (!verdict || verdict->kind() != JsonKind::object) return std::nullopt;
  const auto place = verdict->find("place");
  if (!place || place->kind() != JsonKind::array) return std::nullopt;
  std::vector<double> numbers;
  place->each([&](const JsonView& value) {
    if (value.kind() == JsonKind::number) numbers.push_back(value.number());
    return true;
  });
  if (numbers.size() != 3) return std::nullopt;
  const Vec3 out(numbers[0], numbers[1], numbers[2]);
  return out.allFinite() ? std::optional<Vec3>(out) : std::nullopt;
}

/// What the judge found, in a sentence.
std::string stated_why(const JsonView& result) {
  const auto verdict = result.find("verdict");
  return verdict && verdict->kind() == JsonKind::object ? text_or(*verdict, "why", "") : "";
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
                   kept && kept->kind() == JsonKind::boolean && kept->boolean(),
                   text_or(row, "try", "")});
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
  out.judged = stated_why(result);
  // what the judge adds to the end is told once
  if (const auto at = out.detail.find("; the judge: " + out.judged);
      at != std::string::npos && !out.judged.empty())
    out.detail.erase(at);
  out.place = stated_place(result);
  out.headline = ending(out.status) + ". " + tally(out.promises, missed);
  return out;
}

}  // namespace repose::report
