#include "stage.h"

#include <limits>
#include <map>

#include "repose/base/check.h"

namespace repose::render {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

void copy_points(RTCGeometry geometry, const std::vector<Vec3f>& points) {
  auto* to = static_cast<float*>(rtcSetNewGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), points.size()));
  REPOSE_CHECK(to != nullptr, "no memory for the picture's points");
  for (const Vec3f& p : points)
    for (int k = 0; k < 3; ++k) *to++ = p[k];
}

void copy_triangles(RTCGeometry geometry, const std::vector<std::array<int, 3>>& triangles) {
  auto* to = static_cast<unsigned*>(rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0,
                                                            RTC_FORMAT_UINT3, 3 * sizeof(unsigned),
                                                            triangles.size()));
  REPOSE_CHECK(to != nullptr, "no memory for the picture's triangles");
  for (const auto& t : triangles)
    for (const int corner : t) *to++ = static_cast<unsigned>(corner);
}

RTCRay ray_of(const Vec3f& origin, const Vec3f& direction) {
  RTCRay ray{};
  ray.org_x = origin.x(), ray.org_y = origin.y(), ray.org_z = origin.z();
  ray.dir_x = direction.x(), ray.dir_y = direction.y(), ray.dir_z = direction.z();
  ray.tfar = kFar;
  ray.mask = ~0U;
  return ray;
}

// grows a box by everything an item covers; world coordinates
void extend(Eigen::AlignedBox3d& box, const Item& item) {
  if (!item.mesh) {
    const Vec3 r = Vec3::Constant(item.radius);
    box.extend(item.world_from_item.position - r);
    box.extend(item.world_from_item.position + r);
    return;
  }
  for (const Vec3f& p : item.mesh->points) box.extend(item.world_from_item * p.cast<double>());
}

}  // namespace

StageFrame StageFrame::around(const std::vector<Item>& items) {
  Eigen::AlignedBox3d framed, all;
  for (const Item& item : items) {
    extend(all, item);
    if (item.frames) extend(framed, item);
  }
  const Eigen::AlignedBox3d& box = framed.isEmpty() ? all : framed;
  StageFrame frame;
  if (box.isEmpty()) return frame;
  frame.center = box.center();
  const double radius = 0.5 * box.diagonal().norm();
  if (radius > 0.0) frame.scale = 1.0 / radius;
  return frame;
}

Stage::Stage(const std::vector<Item>& items, const StageFrame& frame) {
  device_ = rtcNewDevice(nullptr);
  REPOSE_CHECK(device_ != nullptr, "Embree did not start");
  scene_ = rtcNewScene(device_);
  rtcSetSceneFlags(scene_, RTC_SCENE_FLAG_ROBUST);
  for (const Item& item : items) {
    Placed placed;
    placed.mesh = item.mesh.get();
    placed.rotation = item.world_from_item.rotation.toRotationMatrix().cast<float>();
    placed.position = frame.point(item.world_from_item.position);
    placed.scale = static_cast<float>(frame.scale);
    placed.radius = static_cast<float>(frame.scale * item.radius);
    items_.push_back(placed);
  }
  add_balls();
  add_instances();
  rtcCommitScene(scene_);
}

Stage::~Stage() {
  for (RTCScene s : mesh_scenes_) rtcReleaseScene(s);
  rtcReleaseScene(scene_);
  rtcReleaseDevice(device_);
}

void Stage::add_balls() {
  for (std::size_t i = 0; i < items_.size(); ++i)
    if (items_[i].mesh == nullptr) ball_items_.push_back(static_cast<int>(i));
  if (ball_items_.empty()) return;
  RTCGeometry balls = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  auto* to = static_cast<float*>(rtcSetNewGeometryBuffer(
      balls, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4, 4 * sizeof(float), ball_items_.size()));
  REPOSE_CHECK(to != nullptr, "no memory for the picture's balls");
  for (const int i : ball_items_) {
    const Placed& ball = items_[static_cast<std::size_t>(i)];
    for (int k = 0; k < 3; ++k) *to++ = ball.position[k];
    *to++ = ball.radius;
  }
  rtcCommitGeometry(balls);
  const unsigned id = rtcAttachGeometry(scene_, balls);
  rtcReleaseGeometry(balls);
  instance_items_.resize(id + 1, -1);
}

RTCScene Stage::mesh_scene(const Mesh& mesh) {
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_TRIANGLE);
  copy_points(geometry, mesh.points);
  copy_triangles(geometry, mesh.triangles);
  rtcCommitGeometry(geometry);
  RTCScene scene = rtcNewScene(device_);
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  rtcAttachGeometry(scene, geometry);
  rtcReleaseGeometry(geometry);
  rtcCommitScene(scene);
  mesh_scenes_.push_back(scene);
  return scene;
}

void Stage::add_instances() {
  std::map<const Mesh*, RTCScene> scene_of;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Placed& placed = items_[i];
    if (placed.mesh == nullptr || placed.mesh->triangles.empty()) continue;
    auto [entry, is_new] = scene_of.try_emplace(placed.mesh, nullptr);
    if (is_new) entry->second = mesh_scene(*placed.mesh);
    RTCGeometry instance = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(instance, entry->second);
    Eigen::Matrix<float, 3, 4> transform;
    transform << placed.scale * placed.rotation, placed.position;
    rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, transform.data());
    rtcCommitGeometry(instance);
    const unsigned id = rtcAttachGeometry(scene_, instance);
    rtcReleaseGeometry(instance);
    instance_items_.resize(std::max<std::size_t>(instance_items_.size(), id + 1), -1);
    instance_items_[id] = static_cast<int>(i);
  }
}

Hit Stage::hit(const Vec3f& origin, const Vec3f& direction) const {
  RTCRayHit ray{};
  ray.ray = ray_of(origin, direction);
  ray.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  ray.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene_, &context, &ray);

  Hit hit;
  if (ray.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
  hit.found = true;
  hit.distance = ray.ray.tfar;
  if (ray.hit.instID[0] == RTC_INVALID_GEOMETRY_ID) {
    hit.item = ball_items_[ray.hit.primID];
    const Placed& ball = items_[static_cast<std::size_t>(hit.item)];
    hit.geometric = hit.normal =
        (origin + hit.distance * direction - ball.position).stableNormalized();
    hit.point = hit.lifted = ball.position + ball.radius * hit.normal;
  } else {
    hit.item = instance_items_[ray.hit.instID[0]];
    finish_on_mesh(hit, items_[static_cast<std::size_t>(hit.item)], ray.hit.primID, ray.hit.u,
                   ray.hit.v);
  }
  return hit;
}

void Stage::finish_on_mesh(Hit& hit, const Placed& placed, unsigned triangle, float u,
                           float v) const {
  const Mesh& mesh = *placed.mesh;
  const auto corner = mesh.triangles[triangle];
  const float weight[3] = {1.0F - u - v, u, v};
  Vec3f point[3];
  for (int k = 0; k < 3; ++k)
    point[k] = mesh.points[static_cast<std::size_t>(corner[static_cast<std::size_t>(k)])];
  const Vec3f p = weight[0] * point[0] + weight[1] * point[1] + weight[2] * point[2];
  const Vec3f geometric = (point[1] - point[0]).cross(point[2] - point[0]).stableNormalized();

  Vec3f normal = geometric, lifted = p;
  if (!mesh.normals.empty()) {
    Vec3f sum = Vec3f::Zero(), lift = Vec3f::Zero();
    for (int k = 0; k < 3; ++k) {
      const Vec3f& n = mesh.normals[static_cast<std::size_t>(corner[static_cast<std::size_t>(k)])];
      sum += weight[k] * n;
      // onto the corner's tangent plane, outwards only
      lift += weight[k] * -std::min(0.0F, (p - point[k]).dot(n)) * n;
    }
    if (sum.squaredNorm() > 0.0F) normal = sum.normalized();
    if (normal.dot(geometric) < 0.0F) normal = geometric;
    lifted = p + lift;
  }
  hit.geometric = placed.rotation * geometric;
  hit.normal = placed.rotation * normal;
  hit.point = placed.scale * (placed.rotation * p) + placed.position;
  hit.lifted = placed.scale * (placed.rotation * lifted) + placed.position;
}

bool Stage::blocked(const Vec3f& origin, const Vec3f& direction) const {
  RTCRay ray = ray_of(origin, direction);
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene_, &context, &ray);
  return ray.tfar < 0.0F;
}

}  // namespace repose::render
