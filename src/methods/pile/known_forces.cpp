#include "known_forces.h"

#include <algorithm>

namespace repose::pile {
namespace {

/// Calls visit(k, key) for each separation.
template <class Visit>
void each_key(std::span<const Separation> separations, Visit&& visit) {
  int ordinal = 0;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    const bool more = k > 0 && s.a < 0 && separations[k - 1].a < 0 && separations[k - 1].b == s.b;
    ordinal = more ? ordinal + 1 : 0;
    visit(k, std::pair<int, int>(s.b, s.a >= 0 ? s.a : -1 - ordinal));
  }
}

}  // namespace

KnownForces known_forces(std::span<const Separation> separations, std::span<const double> y) {
  KnownForces out;
  each_key(separations, [&](std::size_t k, std::pair<int, int> key) {
    if (y[k] > 0.0) out.pairs.push_back({key, y[k]});
  });
  std::sort(out.pairs.begin(), out.pairs.end());
  out.bounds.assign(y.begin() + static_cast<std::ptrdiff_t>(separations.size()), y.end());
  return out;
}

std::vector<double> known_multipliers(const KnownForces& known,
                                      std::span<const Separation> separations, int rows) {
  std::vector<double> out(static_cast<std::size_t>(rows), 0.0);
  int movers = 0;
  for (const Separation& s : separations) movers = std::max(movers, s.b + 1);
  std::vector<std::size_t> first(static_cast<std::size_t>(movers) + 1, 0);  // pair of each mover
  for (std::size_t n = 0, b = 0; b < first.size(); first[b++] = n)
    while (n < known.pairs.size() && known.pairs[n].key.first < static_cast<int>(b)) ++n;
  each_key(separations, [&](std::size_t k, std::pair<int, int> key) {
    for (std::size_t n = first[key.first]; n < first[key.first + 1]; ++n)
      if (known.pairs[n].key == key) out[k] = known.pairs[n].multiplier;
  });
  if (separations.size() + known.bounds.size() == out.size())
    std::copy(known.bounds.begin(), known.bounds.end(),
              out.begin() + static_cast<std::ptrdiff_t>(separations.size()));
  return out;
}

}  // namespace repose::pile
