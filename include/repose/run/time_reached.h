#pragma once

namespace repose {

/// The simulated time `now`, after so many steps, has come to `time`. It is a sum, step after step,
/// and errs by a unit in its last place for each: what is missing within that is no step.
bool time_reached(double now, long steps, double time);

}  // namespace repose
