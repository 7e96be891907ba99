#pragma once

#include <array>
#include <memory>
#include <vector>

#include "repose/check/input.h"

#include "check/gap/convex_body.h"

namespace repose::check {

/// A triangle whose corners go straight.
struct FacetWay {
  std::array<Vec3, 3> from, to;
};

/// A part of a solid, or a convex body that holds it.
struct ConvexCover {
  std::shared_ptr<const ConvexBody> body;  // nullptr: the hull of the points holds it
  std::vector<Vec3> points;
  double skin = 0.0;  // m; of the hull
  Pose body_from_part;
  double error = 0.0;  // m; of the pose
};

/// A solid within convex parts on its way: its centre of mass goes straight, it turns evenly.
class ConvexParts {
 public:
  ConvexParts(const PlacedBody& from, const PlacedBody& to);

  /// Else nothing is ever proven here.
  bool any() const { return parts_ && !parts_->empty(); }
  /// Where the solid is on its way.
  Pose pose_at(double share) const;
  /// m; no point of it goes farther on all its way.
  double length() const;

  /// Between the triangle and each part stands a plane that neither reaches, in as many parts of
  /// the way as it takes. True is proven, false says nothing.
  bool are_apart(const FacetWay& facet, int halvings) const {
    return any() && are_apart(facet, 0.0, 1.0, halvings);
  }

 private:
  bool are_apart(const FacetWay& facet, double low, double high, int halvings) const;
  bool are_parted(const std::array<Vec3, 6>& hull, double error, const ConvexCover& part) const;

  const PlacedBody &from_, &to_;
  Vec3 start_, end_;  // of the centre of mass
  double turn_ = 0.0;
  std::shared_ptr<const std::vector<ConvexCover>> parts_;
};

}  // namespace repose::check
