#pragma once

#include <memory>

#include "repose/shape/matter.h"

#include "check/gap/convex_body.h"
#include "check/gap/surface.h"
#include "check/gap/swept.h"

namespace repose::check {

/// What the judge makes of a shape, each part when it is first asked for. Not shared between
/// threads.
class Prepared {
 public:
  explicit Prepared(const shape::ShapePtr& shape) : shape_(shape), key_(shape.get()) {}

  /// nullptr for kinds that are no surface (ground, plane regions, sphere and point sets).
  std::shared_ptr<Surface> surface();
  /// nullptr where the shape is not known to be convex.
  const ConvexBody* convex();
  /// nullptr where the shape is not known to be a ball carried along a spine.
  Swept* swept();
  /// Whether its surface winds once about all matter. Costs most for large meshes; asked for where
  /// it counts only.
  const shape::Matter& matter();

  bool of(const shape::ShapePtr& shape) const { return key_ == shape.get() && !shape_.expired(); }
  const shape::Shape* key() const { return key_; }
  bool expired() const { return shape_.expired(); }
  std::size_t pieces() const { return surface_ ? surface_->count() : 0; }
  long used = 0;

 private:
  std::weak_ptr<const shape::Shape> shape_;
  const shape::Shape* key_;
  std::shared_ptr<Surface> surface_;
  std::shared_ptr<const ConvexBody> convex_;
  std::shared_ptr<Swept> swept_;
  std::shared_ptr<const shape::Matter> matter_;
  bool no_surface_ = false, convex_known_ = false, swept_known_ = false;
};

/// From this thread's store where it is there.
std::shared_ptr<Prepared> prepared(const shape::ShapePtr& shape);

/// The surface of the shape alone.
std::shared_ptr<Surface> surface_of(const shape::ShapePtr& shape);

}  // namespace repose::check
