#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/base/random.h"
#include "repose/solve/linear_program.h"

namespace repose::solve {

/// A random program; where its status is known beforehand, that status.
struct Case {
  LinearProgram lp;
  bool status_known = false;
  LpStatus want = LpStatus::stalled;
};

inline void add_row(LinearProgram& lp, const std::vector<double>& a, double b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != 0.0) lp.add_entry(static_cast<int>(i), a[i]);
  lp.end_row(b);
}

inline std::vector<double> random_row(Random& random, int n, double density, bool whole_numbers) {
  std::vector<double> a(static_cast<std::size_t>(n), 0.0);
  for (double& e : a)
    if (random.unit() < density)
      e = whole_numbers ? static_cast<double>(random.below(5)) - 2.0 : random.normal();
  if (std::all_of(a.begin(), a.end(), [](double e) { return e == 0.0; })) a[random.below(n)] = 1.0;
  return a;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// kind 0: an optimum known to exist; 1: infeasible; 2: unbounded; 3: anything.
inline Case random_case(Random& random, int kind) {
  Case out;
  const int n = 1 + static_cast<int>(random.below(12));
  const int m = n + static_cast<int>(random.below(20));
  const bool whole = random.unit() < 0.5;  // whole numbers make degenerate vertices
  const double density = random.between(0.2, 1.0);
  std::vector<double> inside(static_cast<std::size_t>(n)), ray(static_cast<std::size_t>(n));
  for (double& e : inside) e = whole ? static_cast<double>(random.below(7)) - 3.0 : random.normal();
  for (double& e : ray) e = random.normal();
  std::vector<double> cost(static_cast<std::size_t>(n), 0.0);
  for (int k = 0; k < m; ++k) {
    std::vector<double> a = random_row(random, n, density, whole);
    if (kind == 2 && dot(a, ray) < 0.0)
      for (double& e : a) e = -e;
    const double room = random.unit() < 0.5 ? 0.0 : random.unit();
    const double bound = kind == 3 ? random.normal() : dot(a, inside) - room;
    const double multiplier = random.unit() < 0.4 ? random.unit() : 0.0;
    for (int i = 0; i < n; ++i) cost[i] += multiplier * a[i];
    add_row(out.lp, a, bound);
    if (random.unit() < 0.1) add_row(out.lp, a, bound);  // the same row twice
  }
  if (kind == 1) {
    // a combination of rows that would have to be below its own bound
    const std::vector<double> a = random_row(random, n, density, whole);
    std::vector<double> back = a;
    for (double& e : back) e = -e;
    add_row(out.lp, a, 1.0);
    add_row(out.lp, back, random.between(-0.9, 2.0));
  }
  if (kind == 2) {
    for (int i = 0; i < n; ++i)
      cost[i] = -ray[i] + 0.1 * cost[i] / (1.0 + std::fabs(dot(cost, ray)));
    if (dot(cost, ray) > -1e-3)
      cost = ray, std::for_each(cost.begin(), cost.end(), [](double& e) { e = -e; });
  }
  if (kind == 3)
    for (double& e : cost) e = random.normal();
  out.lp.cost = cost;
  out.status_known = kind < 3;
  out.want = kind == 0 ? LpStatus::optimal : kind == 1 ? LpStatus::infeasible : LpStatus::unbounded;
  return out;
}

}  // namespace repose::solve
