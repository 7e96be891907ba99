#pragma once

#include <memory>

#include "repose/place/place.h"

namespace repose::place {

/// Both engines behind one method; the setting `engine` decides which one moves the bodies, and may
/// change while a run goes on.
std::unique_ptr<Method> make_engines(std::unique_ptr<Method> rows, const PlaceSettings& settings);

}  // namespace repose::place
