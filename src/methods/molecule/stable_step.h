#pragma once

#include "arena.h"

namespace repose::molecule {

/// s; explicit steps of the springs alone stay bounded up to it, however the body is deformed:
/// 2 / sqrt(lambda), where lambda bounds the largest eigenvalue of M^-1 K. A stretched spring is
/// stiff across its length as well, by less than its stiffness along it, so K is no larger than the
/// springs' Laplacian in each coordinate, whose eigenvalue is found by iteration and rounded up.
/// Infinite where nothing is joined.
double stable_step_of(const Arena& arena);

/// s; the same with the damping that a step of `h` brings. Damping takes from the velocity before
/// the springs act, so that forces in balance stay so; a mode of which it leaves the share d in a
/// step is stable while (h omega)^2 < 2 (1 + d). No mode loses more than the springs' largest
/// share.
double stable_step_damped(const Arena& arena, double h);

}  // namespace repose::molecule
