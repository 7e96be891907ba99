#include "tell.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "repose/report/page.h"

#include "kinds.h"

namespace repose::matrix {

namespace {

constexpr double kPercent = 100.0;

/// Cells that belong to one table: a method, and the friction of a pile.
struct Group {
  std::string title;
  std::vector<std::size_t> cells;
};

std::vector<Group> groups(const Told& told) {
  std::vector<Group> out;
  for (std::size_t k = 0; k < told.cells.size(); ++k) {
    const Cell& cell = told.cells[k];
    const std::string title = cell.method == "pile"
                                  ? fmt::format("pile, friction {}", cell.friction)
                                  : std::string("place");
    if (out.empty() || out.back().title != title) out.push_back({title, {}});
    out.back().cells.push_back(k);
  }
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

struct Figures {
  int runs = 0, proven = 0, rest = 0, overlapping = 0, passed = 0, crashed = 0;
  double median_seconds = 0.0, worst_seconds = 0.0;
  std::map<std::string, int> ends;  // by status and verdict
};

Figures figures(const Told& told, const std::vector<std::size_t>& cells) {
  Figures out;
  std::vector<double> seconds;
  for (const std::size_t k : cells) {
    const Outcome& o = told.outcomes[k];
    ++out.runs;
    out.proven += o.proven() ? 1 : 0;
    out.rest += o.at_rest() ? 1 : 0;
    out.overlapping += o.overlap == "missed" ? 1 : 0;
    out.passed += o.passed ? 1 : 0;
    out.crashed += o.status == "crashed" ? 1 : 0;
    ++out.ends[o.at_rest() ? o.status + ", " + o.verdict : o.status];
    seconds.push_back(o.seconds);
    out.worst_seconds = std::max(out.worst_seconds, o.seconds);
  }
  out.median_seconds = median(std::move(seconds));
  return out;
}

std::string text_of(const std::string& title, const Figures& f) {
  std::string out = fmt::format(
      "{}: {} of {} runs at rest and proven ({:.1f} %); {} overlap, {} beneath the ground, {} "
      "crashed; median {:.3g} s, worst {:.3g} s CPU.",
      title, f.proven, f.runs, kPercent * f.proven / std::max(1, f.runs), f.overlapping, f.passed,
      f.crashed, f.median_seconds, f.worst_seconds);
  for (const auto& [end, count] : f.ends) out += fmt::format(" {}: {}.", end, count);
  return out;
}

std::string end_of(const Outcome& o) {
  return fmt::format("{}, {}{}", o.status, o.verdict, o.passed ? ", beneath the ground" : "");
}

/// Kinds in the order in which cells name them.
std::vector<std::string> names(const Told& told, const Group& group, std::string Cell::*part) {
  std::vector<std::string> out;
  for (const std::size_t k : group.cells) {
    const std::string& name = told.cells[k].*part;
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
  return out;
}

std::string time_text(double seconds) {
  constexpr double kMilli = 1e-3;  // s
  return seconds < 1.0 ? fmt::format("{:.0f} ms", seconds / kMilli)
                       : fmt::format("{:.1f} s", seconds);
}

report::Table colours(const Told& told, const Group& group) {
  const auto fixed = names(told, group, &Cell::fixed);
  report::Table table;
  table.heads = {""};
  table.heads.insert(table.heads.end(), fixed.begin(), fixed.end());
  for (const std::string& moving : names(told, group, &Cell::moving)) {
    std::vector<std::string> row{moving};
    std::vector<double> shades{std::numeric_limits<double>::quiet_NaN()};
    for (const std::string& under : fixed) {
      std::vector<std::size_t> here;
      for (const std::size_t k : group.cells)
        if (told.cells[k].moving == moving && told.cells[k].fixed == under) here.push_back(k);
      const Figures f = figures(told, here);
      const std::string share = f.runs > 1 ? fmt::format("{}/{}, ", f.proven, f.runs) : "";
      const bool told_by_time = f.runs > 1 || f.proven == f.runs;
      row.push_back(f.runs == 0    ? ""
                    : told_by_time ? share + time_text(f.median_seconds)
                                   : f.ends.begin()->first);
      shades.push_back(f.runs == 0 ? std::numeric_limits<double>::quiet_NaN()
                                   : static_cast<double>(f.proven) / f.runs);
    }
    table.rows.push_back(std::move(row));
    table.shades.push_back(std::move(shades));
  }
  return table;
}

report::Table failures(const Told& told, const Group& group) {
  report::Table table;
  table.heads = {"run", "end", "CPU s", "why", "again"};
  for (const std::size_t k : group.cells) {
    const Outcome& o = told.outcomes[k];
    if (o.proven()) continue;
    const std::string name = told.cells[k].name();
    table.rows.push_back({name, end_of(o), fmt::format("{:.2g}", o.seconds), o.why,
                          told.repeat + " --only " + name});
  }
  return table;
}

}  // namespace

void print_summary(const Told& told) {
  for (std::size_t k = 0; k < told.cells.size(); ++k) {
    const Outcome& o = told.outcomes[k];
    if (o.proven()) continue;
    const std::string name = told.cells[k].name();
    fmt::print("{:<40} {:<24} {:>7.2f} s {:>5} steps  {}\n    {} --only {}\n", name, end_of(o),
               o.seconds, o.steps, o.why, told.repeat, name);
  }
  for (const Group& group : groups(told))
    fmt::print("{}\n", text_of(group.title, figures(told, group.cells)));
}

bool none_broken(const Told& told) {
  return std::none_of(told.outcomes.begin(), told.outcomes.end(), [](const Outcome& o) {
    return o.overlap == "missed" || o.passed || o.status == "crashed";
  });
}

std::string matrix_json(const Told& told) {
  Json::Array cells;
  for (std::size_t k = 0; k < told.cells.size(); ++k) {
    const Cell& cell = told.cells[k];
    const Outcome& o = told.outcomes[k];
    cells.push_back(Json::Object{{"method", cell.method},
                                 {"moving", cell.moving},
                                 {"fixed", cell.fixed},
                                 {"friction", cell.friction},
                                 {"start", cell.start},
                                 {"status", o.status},
                                 {"verdict", o.verdict},
                                 {"seconds", o.seconds},
                                 {"overlap", o.overlap},
                                 {"passed", o.passed},
                                 {"judge_seconds", o.judge_seconds},
                                 {"steps", o.steps},
                                 {"seed", static_cast<std::int64_t>(cell.seed)},
                                 {"why", o.why}});
  }
  return Json(Json::Object{{"cells", std::move(cells)}}).pretty() + "\n";
}

Result<std::string> matrix_page(const Told& told) {
  report::Page page("Every kind on every other");
  page.lead(
      "Each cell: bodies of the row's kind dropped on, or poured into, what the column names. "
      "Green: "
      "at rest, free of overlap and balanced, all proven by the judge.");
  for (const Group& group : groups(told)) {
    page.section(group.title);
    page.paragraph(text_of(group.title, figures(told, group.cells)));
    page.table(colours(told, group));
    const report::Table missed = failures(told, group);
    if (missed.rows.empty()) continue;
    page.paragraph("Runs that are not at rest and proven:");
    page.table(missed);
  }
  return page.html();
}

}  // namespace repose::matrix
