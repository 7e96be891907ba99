#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "repose/farm/ledger.h"

namespace repose::farm {

/// Runs worth drawn on the page: failures first, then evenly over the rest.
std::vector<std::int64_t> runs_to_draw(const Job& job, const std::vector<Row>& rows);

/// summary.csv: a row for each run, a column for each axis and draw.
std::string to_csv(const Job& job, const std::vector<Row>& rows);
/// The page: counts, plots over what was varied, pictures, failures with their commands, a sortable
/// table. `pictures`: addresses relative to the page, by run.
Result<std::string> to_page(const Job& job, const std::vector<Row>& rows,
                            const std::map<std::int64_t, std::string>& pictures);

}  // namespace repose::farm
