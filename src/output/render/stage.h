#pragma once

#include <memory>
#include <vector>

#include <embree3/rtcore.h>

#include "repose/render/picture.h"

#include "vec3f.h"

namespace repose::render {

/// The coordinates light is traced in: the items fill the unit ball about the origin, so that
/// single precision and fixed offsets serve scenes of any size and place.
struct StageFrame {
  Vec3 center = Vec3::Zero();  // world, m
  double scale = 1.0;          // stage lengths per metre

  static StageFrame around(const std::vector<Item>& items);
  Vec3f point(const Vec3& world) const { return (scale * (world - center)).cast<float>(); }
};

/// Where a ray met an item.
struct Hit {
  bool found = false;
  float distance = 0.0F;  // stage lengths
  int item = -1;
  Vec3f point;
  Vec3f geometric;  // unit, outward normal of the drawn triangle or ball
  Vec3f normal;     // unit, interpolated; on the same side as `geometric` of nothing in particular
  Vec3f lifted;     // point on the smooth surface that the triangle stands for (Hanika 2021)
};

/// Items in an Embree scene. Rays may be sent from many threads.
class Stage {
 public:
  Stage(const std::vector<Item>& items, const StageFrame& frame);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Hit hit(const Vec3f& origin, const Vec3f& direction) const;
  bool blocked(const Vec3f& origin, const Vec3f& direction) const;
  bool empty() const { return items_.empty(); }

 private:
  struct Placed {
    const Mesh* mesh = nullptr;
    Eigen::Matrix3f rotation;
    Vec3f position;  // stage
    float scale = 1.0F;
    float radius = 0.0F;  // stage; balls only
  };

  RTCScene mesh_scene(const Mesh& mesh);
  void add_balls();
  void add_instances();
  void finish_on_mesh(Hit& hit, const Placed& placed, unsigned triangle, float u, float v) const;

  std::vector<Placed> items_;
  std::vector<int> ball_items_;      // item of each ball primitive
  std::vector<int> instance_items_;  // item of each instance, by geometry number; -1: the balls
  std::vector<RTCScene> mesh_scenes_;
  RTCDevice device_ = nullptr;
  RTCScene scene_ = nullptr;
};

}  // namespace repose::render
