#pragma once

#include "repose/check/contacts.h"

namespace repose::check {

/// Contact points of bodies with surfaces, balls and grounds; ContactPoint's bodies are left open.
/// `told`: places where someone says that they touch (world).
std::vector<ContactPoint> surface_contacts(const PlacedBody& a, const PlacedBody& b,
                                           const ContactSettings& s, std::span<const Vec3> told);

}  // namespace repose::check
