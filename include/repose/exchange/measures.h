#pragma once

#include <filesystem>

#include "repose/base/result.h"
#include "repose/measure/measures.h"

namespace repose::exchange {

/// The figures as pairs of a name and a value, in the order of measures.csv.
std::vector<std::pair<std::string, double>> figures_of(const measure::Measures& measures);

/// Writes measures.csv (one figure a row), radial-distribution.csv, coordination.csv and
/// force-histogram.csv into an existing folder.
Result<Done> write_measures(const measure::Measures& measures, const std::filesystem::path& folder);

}  // namespace repose::exchange
