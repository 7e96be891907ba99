#include "sheet.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include <fmt/format.h>
#include <sys/resource.h>

#include "repose/base/check.h"
#include "repose/base/stage_clock.h"
#include "repose/base/whole_file.h"

namespace repose::bench {
namespace {

constexpr int kVersion = 1;
constexpr const char* kNames[] = {"word", "count", "measure", "time"};

std::string shown(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto* number = std::get_if<double>(&cell);
  if (number == nullptr || !std::isfinite(*number)) return "";
  constexpr double kManyDigits = 1e6;
  if (*number == std::round(*number) && std::fabs(*number) < kManyDigits)
    return fmt::format("{:.0f}", *number);
  return fmt::format("{:.4g}", *number);
}

Json json_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  const auto* number = std::get_if<double>(&cell);
  return number != nullptr ? known(*number) : Json();
}

Json json_of(const std::vector<double>& values) {
  Json::Array out;
  for (const double v : values) out.push_back(known(v));
  return out;
}

Json json_of(const Figure& figure) {
  Json::Array peers;
  for (const Peer& peer : figure.peers)
    peers.push_back(Json::Object{{"engine", peer.engine},
                                 {"setting", peer.setting},
                                 {"value", known(peer.value)},
                                 {"note", peer.note},
                                 {"best", peer.best}});
  return Json::Object{{"id", figure.id},
                      {"what", figure.what},
                      {"unit", figure.unit},
                      {"holds", to_text(figure.holds)},
                      {"published", figure.published ? known(*figure.published) : Json()},
                      {"source", figure.source},
                      {"ours", known(figure.ours)},
                      {"ratio", figure.published ? known(figure.ours / *figure.published) : Json()},
                      {"less_is_better", figure.less_is_better},
                      {"peers", std::move(peers)}};
}

Json json_of(const Growth& growth) {
  return Json::Object{{"id", growth.id},
                      {"what", growth.what},
                      {"sizes", json_of(growth.sizes)},
                      {"seconds", json_of(growth.seconds)},
                      {"megabytes", json_of(growth.megabytes)},
                      {"exponent", known(exponent(growth.sizes, growth.seconds))}};
}

}  // namespace

const char* to_text(Holds holds) {
  return kNames[static_cast<int>(holds)];
}

Table::Table(std::string id, std::string title, std::vector<Column> columns)
    : id_(std::move(id)), title_(std::move(title)), columns_(std::move(columns)) {
  fmt::print("\n{}\n\n|", title_);
  for (const Column& column : columns_) fmt::print(" {} |", column.name);
  fmt::print("\n|");
  for (const Column& column : columns_)
    fmt::print("{}|", column.holds == Holds::word ? "---" : "---:");
  fmt::print("\n");
  std::fflush(stdout);
}

void Table::row(std::vector<Cell> cells) {
  REPOSE_CHECK(cells.size() == columns_.size());
  fmt::print("|");
  for (const Cell& cell : cells) fmt::print(" {} |", shown(cell));
  fmt::print("\n");
  std::fflush(stdout);
  rows_.push_back(std::move(cells));
}

void Table::note(std::string text) {
  fmt::print("\n{}\n", text);
  notes_.push_back(std::move(text));
}

Json Table::json() const {
  Json::Array columns, rows, notes;
  for (const Column& column : columns_)
    columns.push_back(Json::Object{{"name", column.name}, {"holds", to_text(column.holds)}});
  for (const auto& row : rows_) {
    Json::Array cells;
    for (const Cell& cell : row) cells.push_back(json_of(cell));
    rows.push_back(std::move(cells));
  }
  for (const std::string& note : notes_) notes.push_back(note);
  return Json::Object{{"id", id_},
                      {"title", title_},
                      {"columns", std::move(columns)},
                      {"rows", std::move(rows)},
                      {"notes", std::move(notes)}};
}

double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() < 2 || x.size() != y.size()) return std::numeric_limits<double>::quiet_NaN();
  double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  const auto n = static_cast<double>(x.size());
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double megabytes_so_far() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  constexpr double kKibibyte = 1024.0, kMega = 1e6;
  return static_cast<double>(used.ru_maxrss) * kKibibyte / kMega;
}

Sheet::Sheet(std::string name, int count, char** words) : name_(std::move(name)) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--quick")
      quick_ = true;
    else if (word == "--json" && i + 1 < count)
      file_ = words[++i];
    else
      words_.push_back(word);
  }
}

std::string Sheet::word(std::size_t at, const std::string& otherwise) const {
  return at < words_.size() ? words_[at] : otherwise;
}

Table& Sheet::table(std::string id, std::string title, std::vector<Column> columns) {
  return tables_.emplace_back(std::move(id), std::move(title), std::move(columns));
}

void Sheet::figure(Figure figure) {
  figures_.push_back(std::move(figure));
}

void Sheet::growth(Growth growth) {
  growths_.push_back(std::move(growth));
}

int Sheet::finish(int code) {
  if (file_.empty()) return code;
  Json::Array tables, figures, growths;
  for (const Table& table : tables_) tables.push_back(table.json());
  for (const Figure& figure : figures_) figures.push_back(json_of(figure));
  for (const Growth& growth : growths_) growths.push_back(json_of(growth));
  std::string command = "./repose bench " + name_;
  for (const std::string& word : words_) command += " " + word;
  if (quick_) command += " --quick";
  const Json all = Json::Object{{"repose_bench", kVersion},
                                {"name", name_},
                                {"command", command},
                                {"quick", quick_},
                                {"cpu_seconds", cpu_seconds()},
                                {"tables", std::move(tables)},
                                {"figures", std::move(figures)},
                                {"growth", std::move(growths)}};
  const auto done = write_whole(file_, all.pretty() + "\n");
  if (done) return code;
  fmt::print(stderr, "repose: {}\n", done.error().text());
  return 2;
}

}  // namespace repose::bench
