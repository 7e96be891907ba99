#pragma once

#include "repose/check/contacts.h"

namespace repose::check {

/// Contact points of bodies with surfaces, balls and grounds; ContactPoint's bodies are left open.
std::vector<ContactPoint> surface_contacts(const PlacedBody& a, const PlacedBody& b,
                                           const ContactSettings& s);

}  // namespace repose::check
