#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "repose/base/result.h"
#include "repose/rigid/rigid.h"
#include "repose/surfel/settings.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

#include "clusters.h"

namespace repose::surfel {

/// What phyxel i knows of its neighbour j, at rest.
struct Neighbour {
  int j = 0;
  Vec3 way = Vec3::Zero();    // X_j - X_i, m
  Vec3 slope = Vec3::Zero();  // g_ij = w_ij A_i^-1 (X_j - X_i), 1/m: F_i = sum (x_j - x_i) g_ij^T
  double pull = 0.0;          // N/m, against what F_i does not see
  double dash = 0.0;          // N s/m, along the line between the two
  double shared_mass = 0.0;   // kg; reduced mass of the two
};

/// What a phyxel is made of.
struct Matter {
  double mu = 0.0, lambda = 0.0;  // Pa, Lame's
  double volume = 0.0;            // m^3, at rest
  double drag = 0.0;              // 1/s
  double yield = 0.0;             // strain; 0: never
  double creep = 0.0;             // 1/s
  double most_plastic = 0.0;      // strain; 0: no limit
};

/// A phyxel that carries a ball: the ball's centre is the sum of weight * x, its displacement
/// gradient that of x slope^T.
struct Carrier {
  int phyxel = 0;
  double weight = 0.0;
  Vec3 slope = Vec3::Zero();  // 1/m
};

/// The carriers of one ball, column by column.
struct Carriers {
  std::span<const int> phyxels;
  std::span<const double> weights;
  std::span<const Vec3> slopes;  // 1/m
  std::size_t size() const { return phyxels.size(); }
};

/// The carriers of all balls: most of what a large scene has in memory.
struct Carrying {
  std::vector<int> first;  // of each ball, and one past the end
  std::vector<int> phyxels;
  std::vector<double> weights;
  std::vector<Vec3> slopes;  // 1/m

  Carriers of(int ball) const {
    const auto begin = static_cast<std::size_t>(first[static_cast<std::size_t>(ball)]);
    const auto count = static_cast<std::size_t>(first[static_cast<std::size_t>(ball) + 1]) - begin;
    return {std::span(phyxels).subspan(begin, count), std::span(weights).subspan(begin, count),
            std::span(slopes).subspan(begin, count)};
  }
};

/// A force of the scene and the phyxels it acts on, by weights that sum up to one for each of its
/// points.
struct Load {
  int force = 0;  // index into Problem::forces
  std::vector<Carrier> carriers;
  int solid = -1;  // in Arena::solids, instead
};

/// The problem prepared for stepping: all phyxels, then all balls, of all bodies in one row.
struct Arena {
  // per phyxel
  std::vector<double> mass, inverse_mass;  // kg, 1/kg; inverse 0: fixed
  std::vector<Matter> matter;
  std::vector<Vec3> rest;            // body frame, m
  std::vector<int> body_of;          // index into Problem::bodies
  std::vector<int> first_neighbour;  // and one past the end
  std::vector<Neighbour> neighbours;
  std::vector<int> holder;  // the ball it lies in at rest; -1: it lies deeper than all of them

  // per ball
  std::vector<double> radius;     // m
  std::vector<Vec3> rest_center;  // body frame, m
  std::vector<Vec3> rest_normal;  // unit, outward
  std::vector<int> ball_body;
  std::shared_ptr<const Carrying> carried;  // states whose balls nobody has asked for share it
  std::vector<std::array<int, 2>> beside;   // pairs of one body next to each other at rest

  // per body, and one past the end
  std::vector<int> first_phyxel, first_ball;
  std::vector<double> friction;  // per body
  std::vector<bool> collides;    // per body
  std::vector<bool> plastic;     // per body: some of its matter flows or breaks
  std::vector<rigid::Rigid> solids;
  std::vector<int> solid_of;  // per body; -1: soft, or held without collisions
  Clusters clusters;
  std::vector<Load> loads;
  Vec3 gravity = Vec3::Zero();
  double stable_step = 0.0;   // s; infinite without elastic bodies
  double least_radius = 0.0;  // m, over balls and free solids
  double most_radius = 0.0;   // m, over balls; over free solids where there are none

  int phyxels() const { return static_cast<int>(mass.size()); }
  int balls() const { return static_cast<int>(radius.size()); }
  std::span<const Neighbour> near(int i) const {
    const auto k = static_cast<std::size_t>(i);
    return std::span(neighbours)
        .subspan(static_cast<std::size_t>(first_neighbour[k]),
                 static_cast<std::size_t>(first_neighbour[k + 1] - first_neighbour[k]));
  }
  Carriers carrying(int ball) const { return carried->of(ball); }
  /// Balls of one body that were near each other at rest: they may overlap.
  bool belong_together(int a, int b) const;
};

/// Errors name the body.
/// What `before` has fitted for the same phyxels is taken over.
Result<Arena> prepare_arena(const Problem& problem, const SurfelSettings& settings,
                            const Arena* before = nullptr);

/// All that moves.
struct Motion {
  std::vector<Vec3> x, v;     // of phyxels; m, m/s
  std::vector<Mat3> plastic;  // inverse of the lasting part of the gradient, per phyxel
  std::vector<rigid::RigidMotion> solids;
};

}  // namespace repose::surfel
