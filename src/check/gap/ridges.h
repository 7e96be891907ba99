#pragma once

#include <array>
#include <vector>

#include "repose/check/contacts.h"

namespace repose::check {

/// A corner of one body at a ridge of the other, or at a corner of it from which one ridge leaves
/// between valleys. It has room on both sides of the ridge: before either of its two faces, and
/// behind neither. So it may slip past the one or past the other, but never past both, and nothing
/// moves that neither of them lets go.
using RidgeContact = std::array<ContactPoint, 2>;

/// Of triangle meshes and convex polyhedra; bodies are left open. Where more ridges than one meet
/// nothing is told.
std::vector<RidgeContact> ridge_contacts(const PlacedBody& a, const PlacedBody& b,
                                         const ContactSettings& s);

}  // namespace repose::check
