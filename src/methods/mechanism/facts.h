#pragma once

#include <string>

#include "dynamics.h"

namespace repose::mechanism {

/// What result.json tells of a mechanism's run, as JSON text.
std::string joints_json(const Dynamics::Drift& worst);
std::string forces_json(const SolveTally& solves);
/// What the method promises beside what every run does, and whether it was kept.
std::string promises_json(const Dynamics::Drift& worst, const SolveTally& solves, bool has_joints);

}  // namespace repose::mechanism
