#pragma once

#include <string>

#include "repose/report/page.h"

namespace repose::report {

/// The plot as SVG with its title, axes and their ends.
std::string plot_svg(const Plot& plot);

}  // namespace repose::report
