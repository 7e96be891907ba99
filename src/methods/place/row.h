#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "repose/math/pose.h"

#include "surface.h"

namespace repose::place {

/// A body where it stands now. Surfaces grow while they are asked, hence not const.
struct Posed {
  Surface* surface = nullptr;
  Mat3 rotation = Mat3::Identity();  // world from body
  Vec3 position = Vec3::Zero();
  Vec3 center = Vec3::Zero();  // of mass, world

  Vec3 to_world(const Vec3& p) const { return rotation * p + position; }
  Vec3 to_body(const Vec3& p) const { return rotation.transpose() * (p - position); }
};

/// Where on the two bodies a row is sought: a point feature of p, a foot feature (or a second
/// sharp edge) of q.
struct Seed {
  int p = -1, q = -1;  // bodies
  int feature_p = -1, feature_q = -1;
  Vec2 uv_p = Vec2::Zero(), uv_q = Vec2::Zero();
  bool samples = false;  // slides across valleys only, not along them
  double beyond = 0.0;   // m; an edge bears so far beyond its end, where the surface rises there
};

/// Derivatives of the patches that the two ends of a row lie on, where they do.
struct EndJets {
  std::optional<shape::PatchJet> p, q;

  const shape::PatchJet* of_p() const { return p ? &*p : nullptr; }
  const shape::PatchJet* of_q() const { return q ? &*q : nullptr; }
};

/// One condition on the bodies' places: a point of p stays outside q. Its distance to q is a
/// necessary condition wherever the point lies on p, found exactly or not.
struct Row {
  Seed at;
  Vec3 point = Vec3::Zero();    // of p, world
  Vec3 foot = Vec3::Zero();     // of q, world
  Vec3 normal = Vec3::UnitZ();  // unit, world, from q to p
  double gap = 0.0;             // m
  bool bowl = false;            // its gap bends up clearly wherever its point would go
  double beyond = 0.0;          // m, edges: how far beyond an end they would cross
  EndJets jets;
};

struct ValleySettings {
  /// A point slides along directions in which the gap bends up by more than this, 1/m.
  double stiff = 0.0, soft = 0.0;
  /// Second derivatives follow the point along directions that bend by more than this, 1/m: along
  /// softer ones neighbouring rows say more than a curvature that soon changes.
  double firm = 0.0;
  double longest = 0.0;    // m, one slide
  double converged = 0.0;  // m, slides shorter than this end the search
  double beyond = 0.0;     // m, edges that would cross so far beyond their ends still make a row
  double rising = 0.0;     // m, faces and edges go on so far where the surface beyond them rises
  /// Feet farther than this, m, need not be sharp, and slides there end where they gain nothing.
  double far = std::numeric_limits<double>::infinity();
  /// Samples with a larger gap than `rough_gap` end at slides shorter than `rough` already, m.
  double rough = 0.0, rough_gap = 0.0;
};

/// What a search knows before it begins.
struct Known {
  std::span<const Row> rows;    // a search that would end at one of these ends before
  std::span<const Row> lowest;  // and one that would at a bowl of these: at the very same place
  double near = 0.0;            // m, how near to it
  double alike = 1.0;           // and how alike their normals, cosine
  const shape::PatchJet *p = nullptr, *q = nullptr;  // derivatives at the seed
  /// m; a search that will not come as near as this ends where it is.
  double within = std::numeric_limits<double>::infinity();
};

/// Slides the seed's point over p, its foot over q, to where their distance is least across the
/// valley. None if the foot leaves its feature.
std::optional<Row> descend(const Posed& p, const Posed& q, const Seed& seed,
                           const ValleySettings& settings);

/// The same, unless it comes to a known row: then none, and `met`.
struct Descent {
  std::optional<Row> row;
  bool met = false;
  bool no_foot = false;  // none at the seed already
};
Descent descend(const Posed& p, const Posed& q, const Seed& seed, const ValleySettings& settings,
                const Known& known);

/// From a row on to where it lies now that the bodies stand elsewhere. `within` as in Known.
std::optional<Row> follow(const Posed& p, const Posed& q, const Row& row,
                          const ValleySettings& settings,
                          double within = std::numeric_limits<double>::infinity());

/// Second derivative of the row's gap by the motions (x_p, theta_p, x_q, theta_q) of the two
/// bodies about their centres of mass, at the second order that descend() follows.
Eigen::Matrix<double, 12, 12> row_hessian(const Posed& p, const Posed& q, const Row& row,
                                          const ValleySettings& settings);

}  // namespace repose::place
