#include "granular.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/measure/measures.h"

namespace repose::report {
namespace {

/// Fewer bodies than this are no granular matter.
constexpr std::size_t kLeastBodies = 20;

void add_row(Replay& replay, const char* name, double value, const std::string& more = {}) {
  if (std::isfinite(value))
    replay.measured.emplace_back(name, fmt::format("{:.4g}{}", value, more));
}

/// Lengths in mean diameters read alike at every scale.
Chart radial_chart(const measure::Measures& m) {
  Chart out{"Radial distribution g(r)", "r over mean diameter", false, {}, {}};
  for (std::size_t k = 0; k < m.radial.x.size(); ++k) {
    out.x.push_back(m.radial.x[k] / (2.0 * m.mean_radius));
    out.y.push_back(m.radial.y[k]);
  }
  return out;
}

Chart contacts_chart(const measure::Measures& m) {
  Chart out{"Bodies by number of contacts", "contacts", true, {}, {}};
  for (std::size_t k = 0; k < m.coordination.grains_with.size(); ++k) {
    out.x.push_back(static_cast<double>(k));
    out.y.push_back(m.coordination.grains_with[k]);
  }
  return out;
}

Chart forces_chart(const measure::Measures& m) {
  return {"Contact forces, probability density", "force over mean force", true, m.forces.density.x,
          m.forces.density.y};
}

}  // namespace

Result<Done> add_granular(const Recording& recording, Replay& replay) {
  const auto frame = recording.frame(recording.frame_count() - 1);
  if (!frame) return frame.error();
  const measure::Grains grains = measure::grains_of(recording, *frame);
  if (grains.size() < kLeastBodies) return Done{};
  const measure::Measures m = measure::measure(grains);
  add_row(replay, "packing fraction", m.packing);
  add_row(replay, "without boundary layer", m.packing_inner);
  add_row(replay, "contacts per body", m.coordination.mean);
  add_row(replay, "between bodies alone", m.coordination.mean_between);
  add_row(replay, "without rattlers", m.coordination.mean_without_rattlers,
          fmt::format(" ({} {})", m.coordination.rattlers,
                      m.coordination.rattlers == 1 ? "rattler" : "rattlers"));
  add_row(replay, "mean contact force", m.forces.mean, " N");
  if (m.heap)
    add_row(replay, "angle of repose", m.heap->angle_deg,
            fmt::format(" ± {:.2g} degrees", m.heap->error_deg));
  for (Chart& chart : std::vector<Chart>{radial_chart(m), contacts_chart(m), forces_chart(m)})
    if (chart.x.size() > 1) replay.charts.push_back(std::move(chart));
  return Done{};
}

}  // namespace repose::report
