#include "repose/farm/summary.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/json_write.h"
#include "repose/farm/work.h"
#include "repose/report/page.h"

namespace repose::farm {
namespace {

/// A field of a CSV file (RFC 4180).
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

template <class Number>
std::string number_text(const std::optional<Number>& number) {
  return number ? fmt::format("{}", *number) : std::string();
}

/// What was varied in a run, in the order of the job.
std::vector<std::string> varied(const Job& job, const Row& row) {
  const Order order = order_of(job, row.number);
  std::vector<std::string> out = order.axis_values;
  for (const auto& [pointer, value] : order.drawn) out.push_back(value);
  return out;
}

std::vector<std::string> varied_names(const Job& job) {
  std::vector<std::string> out;
  for (const Axis& axis : job.axes) out.push_back(axis.name);
  for (const Draw& draw : job.draws.at) out.push_back(draw.pointer);
  return out;
}

std::optional<double> as_number(const std::string& text) {
  double out = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, out);
  if (code != std::errc{} || stop != end) return std::nullopt;
  return out;
}

/// The numbers of a JSON text that is a number or a list of numbers; empty where it is another.
std::vector<double> numbers_in(const std::string& text) {
  const bool list = text.size() > 1 && text.front() == '[' && text.back() == ']';
  const std::string inner = list ? text.substr(1, text.size() - 2) : text;
  std::vector<double> out;
  for (std::size_t from = 0; from <= inner.size();) {
    const std::size_t to = std::min(inner.find(',', from), inner.size());
    const std::size_t first = std::min(inner.find_first_not_of(' ', from), to);
    const auto number = as_number(inner.substr(first, to - first));
    if (!number) return {};
    out.push_back(*number);
    from = to + 1;
  }
  return out;
}

/// A number that was varied: an axis, or one of those that were drawn.
struct Varied {
  std::string name;
  std::size_t place = 0;  // in `varied`
  std::size_t index = 0;  // among the numbers there
};

/// Every number that was varied and is not a seed.
std::vector<Varied> varied_numbers(const Job& job, const std::vector<Row>& rows) {
  std::vector<Varied> out;
  if (rows.empty()) return out;
  const std::vector<std::string> texts = varied(job, rows.front()), names = varied_names(job);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    if (k < job.axes.size() && job.axes[k].kind == AxisKind::seed) continue;
    const std::vector<double> numbers = numbers_in(texts[k]);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      out.push_back({numbers.size() > 1 ? fmt::format("{}/{}", names[k], i) : names[k], k, i});
  }
  return out;
}

/// What was varied as a table shows it: numbers to four figures.
std::string short_text(const std::string& text) {
  const std::vector<double> numbers = numbers_in(text);
  if (numbers.empty()) return text;
  std::string out;
  for (const double x : numbers) out += fmt::format("{}{:.4g}", out.empty() ? "" : " ", x);
  return out;
}

/// A word of a shell's command line.
std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-_./=:,+").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string command_of(const Job& job, std::int64_t number) {
  std::string out = "repose";
  for (const std::string& word : run_words(job, order_of(job, number)))
    out += " " + shell_word(word);
  return out + " --out DIR";
}

/// What was varied or drawn and is a number, with how runs did over each.
std::vector<report::Plot> plots_of(const Job& job, const std::vector<Row>& rows) {
  struct Quantity {
    const char* title;
    const char* unit;
    std::optional<double> (*of)(const Row&);
  };
  constexpr std::array kQuantities = {
      Quantity{"time", "CPU s",
               [](const Row& r) -> std::optional<double> { return r.cpu_seconds; }},
      Quantity{"steps", "", [](const Row& r) -> std::optional<double> {
                 if (!r.steps) return std::nullopt;
                 return static_cast<double>(*r.steps);
               }}};
  constexpr double kWide = 100.0;  // from the least to the largest value: by the logarithm
  constexpr std::size_t kMostPlots = 24;
  std::vector<report::Plot> out;
  for (const Varied& one : varied_numbers(job, rows)) {
    std::vector<std::optional<double>> values;
    std::set<double> known;
    for (const Row& row : rows) {
      const std::vector<double> numbers = numbers_in(varied(job, row)[one.place]);
      values.push_back(one.index < numbers.size() ? std::optional(numbers[one.index])
                                                  : std::nullopt);
      if (values.back()) known.insert(*values.back());
    }
    if (known.size() < 2 || out.size() + kQuantities.size() > kMostPlots) continue;
    for (const Quantity& quantity : kQuantities) {
      report::Plot plot{quantity.title, one.name, quantity.unit, {}};
      plot.log_x = *known.begin() > 0.0 && *known.rbegin() > kWide * *known.begin();
      for (std::size_t r = 0; r < rows.size(); ++r)
        if (const auto y = quantity.of(rows[r]); y && values[r])
          plot.points.push_back({*values[r], *y, rows[r].outcome == Outcome::done});
      out.push_back(std::move(plot));
    }
  }
  return out;
}

/// Sorted from the quickest to the slowest run.
report::Plot times_plot(const std::vector<Row>& rows) {
  std::vector<const Row*> order;
  for (const Row& row : rows) order.push_back(&row);
  std::stable_sort(order.begin(), order.end(),
                   [](const Row* a, const Row* b) { return a->cpu_seconds < b->cpu_seconds; });
  report::Plot out{"time", "runs, the quickest first", "CPU s", {}};
  for (std::size_t k = 0; k < order.size(); ++k)
    out.points.push_back(
        {static_cast<double>(k + 1), order[k]->cpu_seconds, order[k]->outcome == Outcome::done});
  return out;
}

report::Table table_of(const Job& job, const std::vector<Row>& rows) {
  report::Table out;
  out.sortable = true;
  out.heads = {"run",     "scene", "outcome", "status", "overlap",
               "balance", "steps", "CPU s",   "MB",     "overlap, of size"};
  out.numeric = {true, false, false, false, false, false, true, true, true, true};
  for (const std::string& name : varied_names(job)) {
    out.heads.push_back(name);
    out.numeric.push_back(true);
  }
  for (const Row& row : rows) {
    std::vector<std::string> cells = {
        fmt::format("{}", row.number),
        row.scene,
        name_of(row.outcome),
        row.status,
        row.overlap,
        row.balance,
        number_text(row.steps),
        fmt::format("{:.2f}", row.cpu_seconds),
        fmt::format("{:.0f}", row.memory_mb),
        row.penetration_relative ? fmt::format("{:.2g}", *row.penetration_relative) : ""};
    for (const std::string& value : varied(job, row)) cells.push_back(short_text(value));
    out.rows.push_back(std::move(cells));
    out.links.push_back(run_folder("", row.number).string() + "/log.txt");
  }
  return out;
}

report::Table failures_of(const Job& job, const std::vector<Row>& rows) {
  report::Table out;
  out.heads = {"run", "outcome", "tries", "why", "command"};
  out.numeric = {true, false, true, false, false};
  constexpr std::size_t kMost = 200;
  for (const Row& row : rows) {
    if (row.outcome == Outcome::done || out.rows.size() >= kMost) continue;
    out.rows.push_back({fmt::format("{}", row.number), name_of(row.outcome),
                        fmt::format("{}", row.tries), row.why, command_of(job, row.number)});
  }
  return out;
}

std::string counts_text(const Job& job, const std::vector<Row>& rows) {
  std::array<std::size_t, kNames<Outcome>.size()> counts{};
  double seconds = 0.0;
  for (const Row& row : rows) {
    ++counts[static_cast<std::size_t>(row.outcome)];
    seconds += row.cpu_seconds;
  }
  std::string out = fmt::format("{} of {} runs ended", rows.size(), job.count());
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (counts[k] > 0) out += fmt::format(", {} {}", counts[k], kNames<Outcome>[k]);
  return out + fmt::format("; {:.4g} s of CPU.", seconds);
}

}  // namespace

std::vector<std::int64_t> runs_to_draw(const Job& job, const std::vector<Row>& rows) {
  std::vector<std::int64_t> out, good;
  const auto most = static_cast<std::size_t>(job.pictures);
  for (const Row& row : rows)
    if (row.outcome == Outcome::done)
      good.push_back(row.number);
    else if (row.outcome == Outcome::missed && out.size() < most)
      out.push_back(row.number);
  for (const std::int64_t number : good)
    if (out.size() < most) out.push_back(number);
  return out;
}

std::string to_csv(const Job& job, const std::vector<Row>& rows) {
  std::string out =
      "number,scene,outcome,exit_code,tries,status,overlap,balance,steps,bodies,contacts,"
      "penetration_relative,force,cpu_seconds,wall_seconds,memory_mb,state_hash,why";
  for (const std::string& name : varied_names(job)) out += "," + csv_field(name);
  out += "\r\n";
  for (const Row& row : rows) {
    std::vector<std::string> cells = {fmt::format("{}", row.number),
                                      row.scene,
                                      name_of(row.outcome),
                                      fmt::format("{}", row.exit_code),
                                      fmt::format("{}", row.tries),
                                      row.status,
                                      row.overlap,
                                      row.balance,
                                      number_text(row.steps),
                                      number_text(row.bodies),
                                      number_text(row.contacts),
                                      number_text(row.penetration_relative),
                                      number_text(row.force),
                                      fmt::format("{}", row.cpu_seconds),
                                      fmt::format("{}", row.wall_seconds),
                                      fmt::format("{}", row.memory_mb),
                                      row.hash,
                                      row.why};
    for (std::string& value : varied(job, row)) cells.push_back(std::move(value));
    for (std::size_t k = 0; k < cells.size(); ++k) out += (k == 0 ? "" : ",") + csv_field(cells[k]);
    out += "\r\n";
  }
  return out;
}

Result<std::string> to_page(const Job& job, const std::vector<Row>& rows,
                            const std::map<std::int64_t, std::string>& pictures) {
  report::Page page("Farm");
  if (!job.about.empty()) page.lead(job.about);
  page.lead(counts_text(job, rows));
  const report::Table failures = failures_of(job, rows);
  if (!failures.rows.empty()) page.section("What failed").table(failures);
  std::vector<report::Plot> plots = plots_of(job, rows);
  plots.push_back(times_plot(rows));
  page.section("Over what was varied").plots(plots);
  std::vector<report::Card> cards;
  for (const Row& row : rows) {
    const auto found = pictures.find(row.number);
    if (found == pictures.end()) continue;
    report::Card card;
    card.title = fmt::format("run {}", row.number);
    card.picture = found->second;
    card.about = fmt::format("{}", fmt::join(order_of(job, row.number).axis_values, ", "));
    card.outcome = row.outcome == Outcome::done ? row.status + ", " + row.overlap : row.why;
    card.good = row.outcome == Outcome::done;
    cards.push_back(std::move(card));
  }
  if (!cards.empty()) page.section("Where they ended").cards(cards);
  page.section("Every run")
      .paragraph("A click on a head sorts. summary.csv and farm.sqlite hold the same.");
  page.table(table_of(job, rows));
  return page.html();
}

}  // namespace repose::farm
