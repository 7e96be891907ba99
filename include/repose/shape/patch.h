#pragma once

#include <memory>

#include "repose/math/interval.h"
#include "repose/math/vec.h"

namespace repose::shape {

/// A rectangle of patch parameters.
struct UvBox {
  double u0 = 0.0, u1 = 1.0, v0 = 0.0, v1 = 1.0;

  Vec2 center() const { return {u0 + 0.5 * (u1 - u0), v0 + 0.5 * (v1 - v0)}; }
  bool contains(double u, double v) const { return u0 <= u && u <= u1 && v0 <= v && v <= v1; }
};

/// S(u,v) with its first and second partial derivatives, body frame, metres.
struct PatchJet {
  Vec3 s, su, sv, suu, suv, svv;
};

/// Boxes that hold S and its derivatives over a whole UvBox, rounding included. As the UvBox
/// shrinks the boxes shrink with it at first order, so that n.Suu tells the bulge along n.
struct PatchEnclosure {
  IVec3 s, su, sv, suu, suv, svv;
};

/// A parametric surface S(u,v) over a rectangle, twice continuously differentiable there.
/// Patches are immutable and shared between threads.
class Patch {
 public:
  virtual ~Patch() = default;

  /// The parameters for which S is defined, ends included.
  virtual UvBox domain() const = 0;
  /// Exact first and second derivatives (analytic, not differences). (u,v) lies in the domain.
  virtual PatchJet jet(double u, double v) const = 0;
  /// Only the point; cheaper where it can be.
  virtual Vec3 point(double u, double v) const { return jet(u, v).s; }
  /// Requires: `box` lies in the domain.
  virtual PatchEnclosure enclose(const UvBox& box) const = 0;
  /// Unit direction of Su x Sv, by its limit where that product vanishes (a pole).
  virtual Vec3 normal(double u, double v) const;

  /// The surface closes on itself along that parameter (first and last parameter line coincide,
  /// derivatives included).
  virtual bool closed_u() const { return false; }
  virtual bool closed_v() const { return false; }
  /// All of the patch lies in one plane.
  virtual bool planar() const { return false; }
};

using PatchPtr = std::shared_ptr<const Patch>;

}  // namespace repose::shape
