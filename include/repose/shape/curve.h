#pragma once

#include <memory>

#include "repose/math/interval.h"
#include "repose/math/vec.h"

namespace repose::shape {

/// C(t) with its first and second derivative, metres.
struct CurveJet {
  Vec3 c, ct, ctt;
};

struct CurveEnclosure {
  IVec3 c, ct, ctt;
};

/// A space curve over [t0, t1], twice continuously differentiable there.
class Curve {
 public:
  virtual ~Curve() = default;

  virtual Interval domain() const = 0;
  virtual CurveJet jet(double t) const = 0;
  virtual CurveEnclosure enclose(Interval t) const = 0;
  /// First and last point coincide, derivatives included.
  virtual bool closed() const { return false; }
};

using CurvePtr = std::shared_ptr<const Curve>;

}  // namespace repose::shape
