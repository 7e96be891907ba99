#pragma once

#include <vector>

#include "repose/render/picture.h"

namespace repose::render {

/// Dots and arrows as items, so that a Stage can hold them.
std::vector<Item> marker_items(const std::vector<Marker>& markers);

}  // namespace repose::render
