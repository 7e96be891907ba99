#include "repose/world/problem.h"

#include "repose/base/setting_values.h"

namespace repose {

AttractionLaw law_of(const Force& attraction) {
  const std::string name = text_or(attraction.values, "law", "");
  return named<AttractionLaw>(name).value_or(AttractionLaw::constant);
}

int Problem::find_body(const std::string& wanted) const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == wanted) return static_cast<int>(i);
  return -1;
}

}  // namespace repose
