// How what methods tell is called where it is plotted.
#include <string_view>

#include <fmt/format.h>

#include "repose/report/report.h"

namespace repose::report {
namespace {

/// Series of several bodies: "force cube" and "force floor" share a plot, "lowest cube" and
/// "highest cube" another.
struct BodySeries {
  const char* word;
  const char* plot;
  bool by_body;  // a plot for each body
  const char* unit;
};
constexpr BodySeries kBodySeries[] = {{"force ", "collision force", false, "N"},
                                      {"lowest ", "height of", true, "m"},
                                      {"highest ", "height of", true, "m"}};

/// `bodies`: their names; a series that only begins alike is none of theirs.
bool take_body_series(const std::string& name, const std::set<std::string>& bodies,
                      PlotSeries& out) {
  for (const BodySeries& row : kBodySeries) {
    if (!name.starts_with(row.word)) continue;
    const std::string body = name.substr(std::string_view(row.word).size());
    if (!bodies.contains(body)) continue;
    const std::string word(row.word, std::string_view(row.word).size() - 1);
    out.plot = row.by_body ? fmt::format("{} {}", row.plot, body) : row.plot;
    out.name = row.by_body ? word : body;
    out.unit = row.unit;
    return true;
  }
  return false;
}

/// What methods count, in words, with its unit.
struct PlotWords {
  const char* series;
  const char* plot;
  const char* unit;
};
constexpr PlotWords kPlotWords[] = {{"epsilon", "longest step allowed", "reaches"},
                                    {"rows", "conditions on a step", ""},
                                    {"lp rows", "conditions on a step", ""},
                                    {"lp iterations", "iterations of the solver", ""},
                                    {"residual", "unbalanced force", "weights"},
                                    {"force residual", "error of the forces", "of the largest"},
                                    {"events", "contacts that come and go", ""},
                                    {"joint drift", "joints apart", "m"},
                                    {"step", "length of a step", "s"}};

void say_plainly(PlotSeries& series) {
  if (series.plot == "energy" || series.plot.ends_with(" energy")) series.unit = "J";
  for (const PlotWords& row : kPlotWords) {
    if (series.plot != row.series) continue;
    if (series.name == series.plot) series.name = row.plot;
    series.plot = row.plot;
    series.unit = row.unit;
    return;
  }
}

}  // namespace

PlotSeries worded_series(const std::string& name, const std::set<std::string>& bodies) {
  PlotSeries out;
  const auto dot = name.find('.');
  out.plot = name.substr(0, dot);
  out.name = dot == std::string::npos ? name : name.substr(dot + 1);
  if (!take_body_series(name, bodies, out)) say_plainly(out);
  return out;
}

}  // namespace repose::report
