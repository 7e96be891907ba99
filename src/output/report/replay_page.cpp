#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/check.h"
#include "repose/report/assets.h"
#include "repose/report/page.h"
#include "repose/report/replay.h"

#include "manifest.h"

namespace repose::report {
namespace {

bool finite(const ReplayFrame& frame) {
  const auto good = [](const Vec3& v) { return v.allFinite(); };
  return std::isfinite(frame.time) &&
         std::all_of(frame.soft_points.begin(), frame.soft_points.end(), good) &&
         std::all_of(frame.poses.begin(), frame.poses.end(), [](const Pose& pose) {
           return pose.position.allFinite() && pose.rotation.coeffs().allFinite();
         });
}

/// Requires what replay.h says of the parallel arrays.
Result<Done> checked(const Replay& replay) {
  REPOSE_CHECK(!replay.frames.empty());
  std::size_t soft_points = 0;
  for (const ReplayBody& body : replay.bodies) {
    REPOSE_CHECK(body.shape >= 0 && body.shape < static_cast<int>(replay.shapes.size()));
    if (body.soft)
      soft_points += shown_span(replay.shapes[static_cast<std::size_t>(body.shape)]).count;
  }
  for (const PlotSeries& series : replay.series)
    REPOSE_CHECK(series.values.size() == replay.sample_steps.size());
  for (const ReplayFrame& frame : replay.frames) {
    REPOSE_CHECK(frame.poses.size() == replay.bodies.size());
    REPOSE_CHECK(frame.soft_points.size() == soft_points);
    if (finite(frame)) continue;
    InputError error;
    error.wrong = fmt::format("the frame of step {} holds a number that is not finite", frame.step);
    error.right = "a recording of finite poses";
    return error;
  }
  return Done{};
}

/// What is seen without scripts, and found by text search.
std::string plain_verdict(const Replay& replay) {
  const ShownVerdict& v = replay.verdict;
  std::string out =
      fmt::format("<noscript><h1>{}</h1><p>{}</p><p><b>{}</b> {}</p><ul>", html_text(replay.title),
                  html_text(replay.subtitle), html_text(v.headline), html_text(v.detail));
  for (const KeptPromise& p : v.promises) {
    out += fmt::format("<li>{} {}", p.kept ? "✓" : "✕", html_text(p.name));
    if (!p.promised.empty()) out += ": promised " + html_text(p.promised);
    if (!p.measured.empty()) out += ", measured " + html_text(p.measured);
    out += "</li>";
  }
  return out + "</ul></noscript>";
}

/// The page may not fetch anything, from anywhere; one that watches, the file that tells of newer
/// ones.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'unsafe-inline'{}; style-src 'unsafe-inline'; "
    "img-src data: blob:";

}  // namespace

Result<std::string> replay_page(const Replay& replay) {
  if (const auto good = checked(replay); !good) return good.error();
  const auto style = load_asset("report.css");
  if (!style) return style.error();
  const auto script = load_asset("report.js");
  if (!script) return script.error();

  Arrays arrays;
  const std::string manifest = manifest_of(replay, arrays);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<title>{} · Repose</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>{}</style>\n"
      "</head>\n<body>\n<div id=\"repose-app\">{}</div>\n"
      "<script type=\"application/json\" id=\"repose-manifest\">{}</script>\n",
      fmt::format(kPolicy, replay.stamp.empty() ? "" : " 'self' file:"), html_text(replay.title),
      *style, plain_verdict(replay), manifest);
  for (std::size_t i = 0; i < arrays.entries().size(); ++i)
    out += fmt::format("<script type=\"text/plain\" id=\"repose-array-{}\">{}</script>\n", i,
                       arrays.entries()[i].base64);
  return out + "<script>" + *script + "</script>\n</body>\n</html>\n";
}

}  // namespace repose::report
