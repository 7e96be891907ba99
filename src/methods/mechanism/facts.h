#pragma once

#include "repose/world/method.h"

#include "dynamics.h"

namespace repose::mechanism {

// what result.json tells of a mechanism's run
Json joints_fact(const Dynamics::Drift& worst);
Json forces_fact(const SolveTally& solves);

// what the method promises beside what every run does, and whether it was kept
Promise joints_promise(const Dynamics::Drift& worst);
Promise forces_promise(const SolveTally& solves);

}  // namespace repose::mechanism
