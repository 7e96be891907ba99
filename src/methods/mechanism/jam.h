#pragma once

#include <string>

#include "repose/base/json_write.h"

#include "memory.h"

namespace repose::mechanism {

/// Bodies that something drives: a motor that lacks speed, a push, a drag that is stretched.
std::vector<int> driven_bodies(const Machine& machine, const Motion& motion, double time);

/// Contacts that carry a force and would carry one `under_drive` alone, linked to a driven body by
/// joints and by each other; with their forces as they are.
std::vector<JamContact> jam_contacts(const Machine& machine, const Motion& motion,
                                     const Contacts& contacts, const Contacts& under_drive,
                                     const std::vector<int>& driven);

/// {"contacts": [...], "forces": [...]}, bodies by name.
Json jam_fact(const Problem& problem, const std::vector<JamContact>& jam);

}  // namespace repose::mechanism
