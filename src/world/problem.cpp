#include "repose/world/problem.h"

#include <algorithm>

#include "repose/base/check.h"
#include "repose/base/setting_values.h"

namespace repose {

AttractionLaw law_of(const Force& attraction) {
  const std::string name = text_or(attraction.values, "law", "");
  return named<AttractionLaw>(name).value_or(AttractionLaw::constant);
}

Vec3 pull_at(const Force& pull, double time) {
  REPOSE_CHECK(!pull.times.empty() && pull.times.size() == pull.vectors.size());
  const auto after = std::upper_bound(pull.times.begin(), pull.times.end(), time);
  if (after == pull.times.begin()) return pull.vectors.front();
  if (after == pull.times.end()) return pull.vectors.back();
  const auto k = static_cast<std::size_t>(after - pull.times.begin());
  const double share = (time - pull.times[k - 1]) / (pull.times[k] - pull.times[k - 1]);
  return (1.0 - share) * pull.vectors[k - 1] + share * pull.vectors[k];
}

int Problem::find_body(const std::string& wanted) const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == wanted) return static_cast<int>(i);
  return -1;
}

}  // namespace repose
