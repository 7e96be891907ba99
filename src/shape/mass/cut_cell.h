#pragma once

#include "repose/shape/solid.h"

#include "shape/mass/moments.h"

namespace repose::shape {

/// What cuts a face, seen from its (u, v).
class Cutting {
 public:
  virtual ~Cutting() = default;
  virtual int cutters() const = 0;
  /// Signed gap to one cutter, m; its zeros are where that one cuts.
  virtual double gap(int cutter, double u, double v) = 0;
  /// Whether the point belongs to what all cutters together leave.
  virtual bool left(double u, double v) = 0;
};

/// Integrals over what is left of one face's cell. Lines cross the cell in the direction in which
/// the gaps change most; each is integrated where it is left, and lines are bundled between the
/// places where a cutter meets the cell's two sides. So the rule converges like Gauss's own while
/// smooth curves cut the cell from side to side; where they meet each other, smaller cells are
/// needed, which the difference of the two answers tells.
struct CutMoments {
  Moments fine, rough;  // by more lines and by fewer
};
CutMoments cut_cell(const Face& face, const UvBox& box, const Vec3& reference, Cutting& cutting);

/// The same where nothing is cut away.
Moments whole_cell(const Face& face, const UvBox& box, const Vec3& reference);

}  // namespace repose::shape
