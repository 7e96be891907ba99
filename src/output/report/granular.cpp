#include "granular.h"

#include "repose/measure/measures.h"

namespace repose::report {
namespace {

/// Fewer bodies than this are no granular matter.
constexpr std::size_t kLeastBodies = 20;

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
  replay.measured = measure::in_words(m);
  for (Chart& chart : std::vector<Chart>{radial_chart(m), contacts_chart(m), forces_chart(m)})
    if (chart.x.size() > 1) replay.charts.push_back(std::move(chart));
  return Done{};
}

}  // namespace repose::report
