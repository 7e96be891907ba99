#include "repose/measure/measures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace repose::measure {
namespace {

constexpr double kPi = std::numbers::pi;
/// A contact carries force if that is more than this share of the mean one.
constexpr double kLoaded = 1e-6;
/// Fewer grains than this tell no distribution.
constexpr std::size_t kLeastGrains = 2;

/// Two bodies that touch, with the force between them, N.
struct Touch {
  int a, b;  // a < b
  double force;
};

/// One row for each pair, whatever the number of points at which it touches.
std::vector<Touch> touches_of(const Grains& grains) {
  std::vector<Touch> all;
  for (const Contact& c : grains.contacts)
    all.push_back(
        {std::min(c.body_a, c.body_b), std::max(c.body_a, c.body_b), c.force_on_b.norm()});
  std::stable_sort(all.begin(), all.end(), [](const Touch& l, const Touch& r) {
    return l.a != r.a ? l.a < r.a : l.b < r.b;
  });
  std::vector<Touch> out;
  for (const Touch& t : all)
    if (!out.empty() && out.back().a == t.a && out.back().b == t.b)
      out.back().force += t.force;
    else
      out.push_back(t);
  return out;
}

double mean_force(const std::vector<Touch>& touches) {
  double sum = 0.0;
  for (const Touch& t : touches) sum += t.force;
  return touches.empty() ? 0.0 : sum / static_cast<double>(touches.size());
}

/// Grains that enough loaded contacts hold, once all others are taken away.
std::vector<char> held_grains(const Grains& grains, const std::vector<Touch>& loaded) {
  const int count = static_cast<int>(grains.size());
  const int least = grains.weight ? 3 : 4;
  std::vector<std::vector<int>> partners(grains.size());
  std::vector<int> contacts(grains.size(), 0);
  for (const Touch& t : loaded)
    for (const auto& [own, other] : {std::pair(t.a, t.b), std::pair(t.b, t.a)}) {
      if (own >= count) continue;
      ++contacts[static_cast<std::size_t>(own)];
      if (other < count) partners[static_cast<std::size_t>(own)].push_back(other);
    }
  std::vector<char> held(grains.size(), 1);
  std::vector<int> loose;
  const auto look = [&](int i) {
    const auto n = static_cast<std::size_t>(i);
    if (held[n] == 0 || contacts[n] >= least) return;
    held[n] = 0;
    loose.push_back(i);
  };
  for (int i = 0; i < count; ++i) look(i);
  while (!loose.empty()) {
    const int gone = loose.back();
    loose.pop_back();
    for (const int other : partners[static_cast<std::size_t>(gone)]) {
      --contacts[static_cast<std::size_t>(other)];
      look(other);
    }
  }
  return held;
}

double mean_of(double sum, int count) {
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Coordination coordination(const Grains& grains, const Region& region) {
  const int count = static_cast<int>(grains.size());
  const std::vector<Touch> touches = touches_of(grains);
  const double least = kLoaded * mean_force(touches);
  std::vector<Touch> loaded;
  for (const Touch& t : touches)
    if (t.force >= least) loaded.push_back(t);
  const std::vector<char> held = held_grains(grains, loaded);
  std::vector<int> all(grains.size(), 0), between(grains.size(), 0), firm(grains.size(), 0);
  const auto is_held = [&](int i) { return i >= count || held[static_cast<std::size_t>(i)] != 0; };
  const auto count_ends = [&](const Touch& t, auto&& add) {
    if (t.a < count) add(static_cast<std::size_t>(t.a), t.b);
    if (t.b < count) add(static_cast<std::size_t>(t.b), t.a);
  };
  for (const Touch& t : touches)
    count_ends(t, [&](std::size_t own, int other) {
      ++all[own];
      if (other < count) ++between[own];
    });
  for (const Touch& t : loaded)
    count_ends(t, [&](std::size_t own, int other) { firm[own] += is_held(other) ? 1 : 0; });

  Coordination out;
  int asked = 0, firm_grains = 0;
  double sum = 0.0, sum_between = 0.0, sum_firm = 0.0;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (!region.holds(grains.centers[i])) continue;
    ++asked;
    sum += all[i];
    sum_between += between[i];
    const auto k = static_cast<std::size_t>(all[i]);
    if (out.grains_with.size() <= k) out.grains_with.resize(k + 1, 0);
    ++out.grains_with[k];
    if (held[i] == 0) {
      ++out.rattlers;
      continue;
    }
    ++firm_grains;
    sum_firm += firm[i];
  }
  out.mean = mean_of(sum, asked);
  out.mean_between = mean_of(sum_between, asked);
  out.mean_without_rattlers = mean_of(sum_firm, firm_grains);
  return out;
}

Curve radial_distribution(const Grains& grains, const Region& region, double bin, double within) {
  Curve out;
  out.bin = bin;
  std::vector<Vec3> inside;
  for (const Vec3& c : grains.centers)
    if (region.holds(c)) inside.push_back(c);
  const auto bins = static_cast<std::size_t>(std::max(0.0, within / bin));
  if (inside.size() < kLeastGrains || bins == 0) return out;
  std::vector<double> sum(bins, 0.0);
  // sorted along z: only neighbours in height need a look
  std::sort(inside.begin(), inside.end(), [](const Vec3& l, const Vec3& r) {
    return l.z() != r.z() ? l.z() < r.z() : (l.x() != r.x() ? l.x() < r.x() : l.y() < r.y());
  });
  for (std::size_t i = 0; i < inside.size(); ++i)
    for (std::size_t j = i + 1; j < inside.size() && inside[j].z() - inside[i].z() < within; ++j) {
      const Vec3 u = inside[j] - inside[i];
      const auto k = static_cast<std::size_t>(u.norm() / bin);
      if (k >= bins) continue;
      const double common = region.common_with_moved(u);
      if (common > 0.0) sum[k] += 2.0 / common;  // both orders of the pair
    }
  const double n = static_cast<double>(inside.size()), volume = region.volume();
  const double pairs = n * (n - 1.0) / (volume * volume);
  for (std::size_t k = 0; k < bins; ++k) {
    const double from = static_cast<double>(k) * bin, to = from + bin;
    const double shell = 4.0 / 3.0 * kPi * (to * to * to - from * from * from);
    out.x.push_back(from + 0.5 * bin);
    out.y.push_back(sum[k] / (shell * pairs));
  }
  return out;
}

ForceHistogram force_histogram(const Grains& grains, double bin, int bins) {
  ForceHistogram out;
  const std::vector<Touch> touches = touches_of(grains);
  out.mean = mean_force(touches);
  out.density.bin = bin;
  out.counts.assign(static_cast<std::size_t>(bins), 0);
  if (!(out.mean > 0.0)) return out;
  for (const Touch& t : touches) {
    const int k = static_cast<int>(t.force / (out.mean * bin));
    ++out.counts[static_cast<std::size_t>(std::min(k, bins - 1))];
  }
  for (std::size_t k = 0; k < out.counts.size(); ++k) {
    out.density.x.push_back((static_cast<double>(k) + 0.5) * bin);
    out.density.y.push_back(out.counts[k] / (static_cast<double>(touches.size()) * bin));
  }
  return out;
}

Measures measure(const Grains& grains, const MeasureSettings& settings) {
  Measures out;
  out.bodies = grains.size();
  out.mean_radius = grains.mean_radius();
  if (out.bodies == 0) return out;
  const double diameter = 2.0 * out.mean_radius;
  out.whole = settings.region ? *settings.region : region_of(grains);
  out.inner = out.whole.without_layer(settings.layer * diameter);
  out.packing = packing_fraction(grains, out.whole);
  out.packing_inner = packing_fraction(grains, out.inner);
  out.coordination = coordination(grains, settings.region ? out.whole : Region::everywhere());
  out.coordination_inner = coordination(grains, out.inner);
  const double narrowest = (out.whole.high - out.whole.low).minCoeff();
  out.radial = radial_distribution(grains, out.whole, settings.radial_bin * diameter,
                                   std::min(settings.radial_within * diameter, 0.5 * narrowest));
  out.forces = force_histogram(grains, settings.force_bin, settings.force_bins);
  if (grains.on_plane) out.heap = angle_of_repose(grains);
  return out;
}

}  // namespace repose::measure
