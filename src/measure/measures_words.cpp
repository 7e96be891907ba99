#include <cmath>

#include <fmt/format.h>

#include "repose/measure/measures.h"

namespace repose::measure {

std::vector<std::pair<std::string, std::string>> in_words(const Measures& m) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add = [&](const char* name, double value, const std::string& more = {}) {
    if (std::isfinite(value)) out.emplace_back(name, fmt::format("{:.4g}{}", value, more));
  };
  add("packing fraction", m.packing);
  add("without boundary layer", m.packing_inner);
  add("contacts per body", m.coordination.mean);
  add("between bodies alone", m.coordination.mean_between);
  add("without rattlers", m.coordination.mean_without_rattlers,
      fmt::format(" ({} {})", m.coordination.rattlers,
                  m.coordination.rattlers == 1 ? "rattler" : "rattlers"));
  add("mean contact force", m.forces.mean, " N");
  if (m.heap)
    add("angle of repose", m.heap->angle_deg, fmt::format(" ± {:.2g} degrees", m.heap->error_deg));
  return out;
}

}  // namespace repose::measure
