#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "repose/base/result.h"
#include "repose/place/place.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

#include "free_motion.h"
#include "search.h"

namespace repose::place {

/// A body that is set down, or several that are welded together. Its six freedoms are
/// (move / reach, turn) about its centre of mass.
struct Active {
  int body = -1;             // the first of them
  std::vector<int> members;  // all of them
  double reach = 1.0;   // m, from the centre of mass to the farthest point of the bounding ball
  double size = 1.0;    // m
  double weight = 1.0;  // N; where there is no gravity, the largest load
};

/// Two bodies that may touch, at least one of them active. q is the half space if one is.
struct Pairing {
  int p = -1, q = -1;   // bodies
  double size = 1.0;    // m, of the smaller
  double length = 1.0;  // m, bounding radius of the smaller
  double least = 0.0;   // of the size; no smaller gap is kept between them
};

/// The problem prepared for placing.
struct Arena {
  std::vector<std::shared_ptr<Surface>> surfaces;  // by body; alike for alike shapes
  std::vector<Active> active;
  std::vector<int> slot;          // by body: index into active, -1: held
  std::vector<Vec3> center_body;  // by body: centre of mass of all that moves with it, body frame
  std::vector<Pairing> pairs;
  double force_unit = 1.0;   // N
  double length_unit = 1.0;  // m
  double mesh_length = 0.0;  // of the cells of the mesh asked for, over the pair's length; 0: none

  double energy_unit() const { return force_unit * length_unit; }
  Eigen::Index freedoms() const { return static_cast<Eigen::Index>(6 * active.size()); }
};

/// Surfaces already prepared, by shape: they stay while bodies come and go.
using KnownSurfaces = std::map<std::shared_ptr<const shape::Shape>, std::shared_ptr<Surface>>;

/// Errors name the body that cannot be placed.
Result<Arena> prepare_arena(const Problem& problem, const State& state, KnownSurfaces& known);

/// Where every body stands; by body.
using Places = std::vector<Posed>;
Places places_of(const Arena& arena, const Problem& problem, const State& state);

/// The places after a small motion x of the active bodies (scaled freedoms).
Places moved(const Arena& arena, const Problem& problem, const Places& places,
             const Eigen::VectorXd& x);
/// The one motion that is x and then y.
Eigen::VectorXd one_after_other(const Arena& arena, const Eigen::VectorXd& x,
                                const Eigen::VectorXd& y);
/// Largest move of any point of a body between two places, m.
double longest_move(const Arena& arena, const Places& from, const Places& to);
/// The way of one body between two places.
Journey journey(const Arena& arena, const Problem& problem, int body, const Places& from,
                const Places& to);

/// A row's derivative by the scaled freedoms of the active bodies, m.
Eigen::VectorXd gradient(const Arena& arena, const Places& places, const Row& row);
/// The same along any direction at the row's point instead of its normal.
Eigen::VectorXd gradient_along(const Arena& arena, const Places& places, const Row& row,
                               const Vec3& direction);
/// Its second derivative.
Eigen::MatrixXd hessian(const Arena& arena, const Places& places, const Row& row,
                        const ValleySettings& settings);

}  // namespace repose::place
