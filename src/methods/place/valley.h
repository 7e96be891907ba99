#pragma once

#include "foot.h"
#include "row.h"

namespace repose::place {

/// The gap d_q(S_p(u, v)) at a seed, with its derivatives by (u, v); frame of q.
struct Valley {
  Vec3 point = Vec3::Zero();
  shape::PatchJet jet_p;  // patch: of p at the point, in its own frame
  Foot foot;
  std::array<Vec3, 2> si{Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 3> sij{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  Vec2 gradient = Vec2::Zero();
  Mat2 hessian = Mat2::Zero(), metric = Mat2::Zero();
};
/// `jet_p`: derivatives of p's patch at the seed, where they are known.
Valley valley_at(const Posed& p, const Posed& q, const Seed& seed,
                 const shape::PatchJet* jet_p = nullptr, const FootHelp& help = {});

/// Directions of (u, v), of unit length on the surface, in which the gap bends by itself alone, and
/// by how much, 1/m. Requires: the metric is not singular.
struct Principal {
  std::array<double, 2> bending{};
  std::array<Vec2, 2> direction{Vec2::Zero(), Vec2::Zero()};
};
Principal principal(const Valley& valley);

/// Two sharp edges at a seed, world: points, tangents, second derivatives.
struct EdgePair {
  Vec3 a, b, ta, tb, ka, kb;
};
EdgePair edges_at(const Posed& p, const Posed& q, const Seed& seed);

}  // namespace repose::place
