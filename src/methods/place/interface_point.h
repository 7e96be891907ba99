#pragma once

#include <optional>
#include <span>
#include <vector>

#include "row.h"

namespace repose::place {

/// A tracked pair of points on the active body a and a held body b (Snyder 1995, section 4): where
/// they touch (contact), or where they are nearest (extremal). Beside faces, as in the paper, a
/// point may lie on a sharp edge, a corner or a ball.
struct InterfacePoint {
  int body_b = -1;
  int feature_a = -1, feature_b = -1;
  Vec2 uv_a = Vec2::Zero(), uv_b = Vec2::Zero();
  bool contact = false;
  double neglect = 0.0;  // m, radius of its sphere of neglect
};

/// The pair as it stands.
struct PairView {
  Vec3 point = Vec3::Zero(), foot = Vec3::Zero();  // on a, on b; world
  Vec3 normal = Vec3::UnitZ();                     // unit, world, from b to a
  double separation = 0.0;                         // m; negative: overlap
};
PairView view_of(const Posed& a, const Posed& b, const InterfacePoint& point);

/// Why an iteration ended.
enum class Newton { converged, failed };

inline constexpr double kNewtonRank = 1e-5, kNewtonResidual = 1e-9;
struct NewtonSettings {
  double size = 1.0;          // m, of the active body: lengths are over it
  double rank = kNewtonRank;  // singular values below this share of the largest count as none
  double residual = kNewtonResidual;  // of the equations, that counts as solved
  int most = 20;                      // iterations
};

/// Section 4.4, system 1: moves both points until they coincide.
Newton onto_intersection(const Posed& a, const Posed& b, const NewtonSettings& s,
                         InterfacePoint& point);
/// A few steps of descent on the signed separation (equation 2), towards the deepest pair.
void towards_deepest(const Posed& a, const Posed& b, const NewtonSettings& s,
                     InterfacePoint& point);
/// System 2: moves both points until they are an extremal pair.
Newton onto_extremal(const Posed& a, const Posed& b, const NewtonSettings& s,
                     InterfacePoint& point);
/// System 3 for all points at once: contacts touch, extremal pairs stay extremal; the active body
/// moves with them. `held`: freedoms of it that do not.
Newton onto_contacts(Posed& a, const Vec3& center_body, std::span<const Posed> bodies,
                     const std::array<bool, 6>& held, const NewtonSettings& s,
                     std::vector<InterfacePoint>& points);

/// True if a parameter has left its feature's domain.
bool off_domain(const Posed& a, const Posed& b, const InterfacePoint& point);

/// The body turned by `turn` about its centre of mass and moved.
Posed displaced(const Posed& a, const Vec3& center_body, const Vec3& move, const Vec3& turn);

}  // namespace repose::place
