#pragma once

#include <span>

#include "repose/solve/quadratic_program.h"

#include "arena.h"

namespace repose::place {

/// Violations of a program's rows up to this are none; rows have unit length.
inline constexpr double kQpSlack = 1e-13;

/// Derivatives of rows by the scaled freedoms, each column of unit length.
struct ScaledRows {
  Eigen::MatrixXd columns;
  Eigen::VectorXd scale;
};
ScaledRows scaled_rows(const Arena& arena, const Places& places, std::span<const Row> rows);

/// Appends -epsilon <= x <= epsilon, and x = 0 for frozen freedoms.
void add_bounds(const Arena& arena, const Problem& problem, double epsilon,
                solve::QuadraticProgram& qp);

/// The two bodies that a row is between. Requires: they are a pair of the arena.
const Pairing& pairing_of(const Arena& arena, const Seed& seed);
/// Size of the smaller of the two, m.
double pair_size(const Arena& arena, const Row& row);
/// What is kept between them where `gap` (of the size) is asked for, m.
double kept_gap(const Pairing& pair, double gap);
double kept_gap(const Arena& arena, const Row& row, double gap);

}  // namespace repose::place
