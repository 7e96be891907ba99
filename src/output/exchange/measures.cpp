#include "repose/exchange/measures.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/base/whole_file.h"

namespace repose::exchange {
namespace {

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string table(const char* head, const measure::Curve& curve) {
  std::string out = head;
  for (std::size_t k = 0; k < curve.x.size(); ++k)
    out += fmt::format("{},{}\n", number(curve.x[k]), number(curve.y[k]));
  return out;
}

}  // namespace

std::vector<std::pair<std::string, double>> figures_of(const measure::Measures& m) {
  std::vector<std::pair<std::string, double>> out = {
      {"bodies", static_cast<double>(m.bodies)},
      {"mean_radius_m", m.mean_radius},
      {"packing_fraction", m.packing},
      {"packing_fraction_inner", m.packing_inner},
      {"coordination", m.coordination.mean},
      {"coordination_between_bodies", m.coordination.mean_between},
      {"coordination_without_rattlers", m.coordination.mean_without_rattlers},
      {"rattlers", static_cast<double>(m.coordination.rattlers)},
      {"coordination_inner", m.coordination_inner.mean},
      {"coordination_inner_without_rattlers", m.coordination_inner.mean_without_rattlers},
      {"mean_contact_force_N", m.forces.mean},
      {"region_round", m.whole.cylinder ? 1.0 : 0.0}};
  for (const auto& [name, region] : {std::pair("region", &m.whole), std::pair("inner", &m.inner)})
    for (int k = 0; k < 3 && !region->empty(); ++k) {
      out.emplace_back(fmt::format("{}_low_{}_m", name, "xyz"[k]), region->low[k]);
      out.emplace_back(fmt::format("{}_high_{}_m", name, "xyz"[k]), region->high[k]);
    }
  if (m.heap) {
    out.emplace_back("angle_of_repose_deg", m.heap->angle_deg);
    out.emplace_back("angle_of_repose_error_deg", m.heap->error_deg);
    out.emplace_back("angle_of_repose_residual_m", m.heap->residual);
  }
  return out;
}

Result<Done> write_measures(const measure::Measures& m, const std::filesystem::path& folder) {
  std::string figures = "figure,value\n";
  for (const auto& [name, value] : figures_of(m))
    figures += fmt::format("{},{}\n", name, number(value));
  std::string contacts = "contacts,bodies,bodies_inner\n";
  const auto& all = m.coordination.grains_with;
  const auto& inner = m.coordination_inner.grains_with;
  for (std::size_t k = 0; k < std::max(all.size(), inner.size()); ++k)
    contacts +=
        fmt::format("{},{},{}\n", k, k < all.size() ? all[k] : 0, k < inner.size() ? inner[k] : 0);
  std::string forces = "force_over_mean,density,contacts\n";
  for (std::size_t k = 0; k < m.forces.density.x.size(); ++k)
    forces += fmt::format("{},{},{}\n", number(m.forces.density.x[k]),
                          number(m.forces.density.y[k]), m.forces.counts[k]);
  for (const auto& [name, text] :
       {std::pair<const char*, std::string>("measures.csv", figures),
        std::pair<const char*, std::string>("coordination.csv", contacts),
        std::pair<const char*, std::string>("force-histogram.csv", forces),
        std::pair<const char*, std::string>("radial-distribution.csv", table("r_m,g\n", m.radial))})
    if (auto done = write_whole(folder / name, text); !done) return done;
  return Done{};
}

}  // namespace repose::exchange
