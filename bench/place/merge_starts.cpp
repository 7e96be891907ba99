#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "repose/math/vec.h"

#include "starts.h"

namespace repose {

namespace {

constexpr std::size_t kColumns = 15;  // of a line of print_starts
constexpr double kSameRest = 1e-8;    // of the body's size, and of a unit direction

struct Start {
  int index = 0;
  std::string status, overlap, rest, failures, why;
  int beneath = 0, on_way = 0;
  long steps = 0;
  double milliseconds = 0.0, height = 0.0;
  Vec3 up = Vec3::Zero();

  bool ended() const { return status == "rest" || status == "metastable"; }
  bool passed() const { return overlap == "proven" && rest == "proven"; }
  bool missed() const { return overlap == "missed" || rest == "missed"; }
};

/// A row of the table.
struct Sums {
  int rest = 0, metastable = 0, stuck = 0, other = 0;
  int passed = 0, undecided = 0, missed = 0, overlapping = 0, tunnelled = 0;
};

std::map<std::string, std::vector<Start>> read_starts() {
  std::map<std::string, std::vector<Start>> out;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::vector<std::string> c;
    std::stringstream text(line);
    for (std::string column; std::getline(text, column, '\t');) c.push_back(column);
    if (c.size() < kColumns) continue;
    Start s;
    s.index = std::stoi(c[1]);
    s.status = c[2];
    s.overlap = c[3];
    s.rest = c[4];
    s.beneath = std::stoi(c[5]);
    s.on_way = std::stoi(c[6]);
    s.steps = std::stol(c[7]);
    s.milliseconds = std::stod(c[8]);
    s.height = std::stod(c[9]);
    s.up = {std::stod(c[10]), std::stod(c[11]), std::stod(c[12])};
    s.failures = c[13];
    s.why = c[14];
    out[c[0]].push_back(s);
  }
  for (auto& [scene, starts] : out)
    std::sort(starts.begin(), starts.end(),
              [](const Start& a, const Start& b) { return a.index < b.index; });
  return out;
}

Sums sums_of(const std::vector<Start>& starts) {
  Sums n;
  for (const Start& s : starts) {
    n.rest += s.status == "rest" ? 1 : 0;
    n.metastable += s.status == "metastable" ? 1 : 0;
    n.stuck += s.status == "stuck" ? 1 : 0;
    n.other += s.ended() || s.status == "stuck" ? 0 : 1;
    n.overlapping += s.overlap == "missed" || s.on_way > 0 ? 1 : 0;
    n.tunnelled += s.beneath > 0 || s.on_way > 0 ? 1 : 0;
    if (!s.ended()) continue;
    n.passed += s.passed() ? 1 : 0;
    n.missed += s.missed() ? 1 : 0;
    n.undecided += s.passed() || s.missed() ? 0 : 1;
  }
  return n;
}

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void print_sums(const std::string& scene, const std::vector<Start>& starts) {
  const Sums n = sums_of(starts);
  std::vector<double> steps, spent;
  for (const Start& s : starts) {
    steps.push_back(static_cast<double>(s.steps));
    spent.push_back(s.milliseconds);
  }
  fmt::print(
      "{:<24}{:>5}{:>6}{:>6}{:>6}{:>6} |{:>6}{:>6}{:>6} |{:>6}{:>6} |{:>6.0f}{:>9.1f}{:>9.1f}\n",
      scene, starts.size(), n.rest, n.metastable, n.stuck, n.other, n.passed, n.undecided, n.missed,
      n.overlapping, n.tunnelled, percentile(steps, 0.5), percentile(spent, 0.5),
      percentile(spent, 1.0));
}

void print_knots(const std::map<std::string, std::vector<Start>>& scenes) {
  const auto finest = scenes.find("knot-9600");
  if (finest == scenes.end()) return;
  fmt::print("\n{:<12}{:>8}{:>10}{:>10}  {}\n", "knot", "starts", "same rest", "worst", "others");
  for (const auto& [scene, starts] : scenes) {
    if (scene.rfind("knot-", 0) != 0 || scene == "knot-on-ground") continue;
    int both = 0, same = 0;
    double worst = 0.0;
    std::string others;
    for (const Start& s : starts)
      for (const Start& f : finest->second) {
        if (f.index != s.index) continue;
        ++both;
        const double off = std::max(std::fabs(s.height - f.height), (s.up - f.up).norm());
        const bool alike = s.ended() && f.ended() && off <= kSameRest;
        same += alike ? 1 : 0;
        if (alike) worst = std::max(worst, off);
        if (!alike) others += fmt::format(" {}:{:.0e}", s.index, off);
      }
    fmt::print("{:<12}{:>8}{:>10}{:>10.1e} {}\n", scene, both, same, worst, others);
  }
}

void print_failures(const std::map<std::string, std::vector<Start>>& scenes) {
  fmt::print("\nnot passed\n");
  for (const auto& [scene, starts] : scenes)
    for (const Start& s : starts)
      if (!s.ended() || !s.passed() || s.beneath > 0 || s.on_way > 0)
        fmt::print("{} {}: {}, overlap {}, balance {}, {} on the way, {} steps, {:.0f} ms {}; {}\n",
                   scene, s.index, s.status, s.overlap, s.rest, s.on_way, s.steps, s.milliseconds,
                   s.failures, s.why);
}

}  // namespace

void merge_starts() {
  const auto scenes = read_starts();
  fmt::print("{:<24}{:>5}{:>6}{:>6}{:>6}{:>6} |{:>6}{:>6}{:>6} |{:>6}{:>6} |{:>6}{:>9}{:>9}\n",
             "random starts", "of", "rest", "meta", "stuck", "other", "pass", "undec", "miss",
             "overl", "tunn", "steps", "med ms", "worst");
  for (const auto& [scene, starts] : scenes) print_sums(scene, starts);
  print_knots(scenes);
  print_failures(scenes);
}

}  // namespace repose
