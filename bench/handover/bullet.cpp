// The tables as Bullet steps them: URDF read without Repose, double precision as in PyBullet.
#include <algorithm>
#include <cmath>
#include <memory>

#include "tables.h"
#include "urdf_world.h"

#ifdef REPOSE_WITH_BULLET_DOUBLE
#include <btBulletDynamicsCommon.h>
#endif

namespace bench_handover {

#ifdef REPOSE_WITH_BULLET_DOUBLE

namespace {

constexpr double kStep = 1e-3;    // s
constexpr double kMargin = 1e-4;  // m; Bullet's own is as large as the bodies
/// Overlaps from this depth on are pushed apart by split impulses, which leave no speed behind: all
/// of them. With Bullet's own -0.04 those of rounding become speeds, which carry cans and stones
/// sideways, without end.
constexpr double kSplitFrom = 0.0;  // m
constexpr double kRolling =
    0.01;  // against rolling and spinning; without it what is round rolls on

btVector3 vector_of(const Eigen::Vector3d& v) {
  return {v.x(), v.y(), v.z()};
}
btTransform transform(const Eigen::Isometry3d& pose) {
  const Eigen::Quaterniond q(pose.linear());
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), vector_of(pose.translation()));
}

std::unique_ptr<btCollisionShape> shape_of(const UrdfLink& link) {
  const auto& s = link.sizes;
  std::unique_ptr<btCollisionShape> out;
  if (link.kind == "sphere") return std::make_unique<btSphereShape>(s[0]);
  if (link.kind == "capsule") return std::make_unique<btCapsuleShapeZ>(s[0], s[1]);
  if (link.kind == "box")
    out = std::make_unique<btBoxShape>(btVector3(s[0] / 2, s[1] / 2, s[2] / 2));
  if (link.kind == "cylinder")
    out = std::make_unique<btCylinderShapeZ>(btVector3(s[0], s[0], s[1] / 2));
  if (out) {
    out->setMargin(kMargin);
    return out;
  }
  if (link.kind != "mesh") return nullptr;
  auto hull = std::make_unique<btConvexHullShape>();
  for (const Eigen::Vector3d& p : link.points) hull->addPoint(vector_of(p));
  hull->setMargin(0);  // it would stand outside of the hull
  return hull;
}

struct Moving {
  btRigidBody* body = nullptr;
  btTransform start;
  double size = 0.0;
};

double way_of(const Moving& moving) {
  const btTransform& now = moving.body->getWorldTransform();
  const double move = (now.getOrigin() - moving.start.getOrigin()).length();
  const btQuaternion off = now.getRotation() * moving.start.getRotation().inverse();
  const double sine = std::hypot(std::hypot(off.x(), off.y()), off.z());
  return move / moving.size + std::asin(std::min(1.0, sine));
}

}  // namespace

double bullet_way(const std::filesystem::path& urdf, double seconds) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -9.81));
  world.getSolverInfo().m_numIterations = 50;
  world.getSolverInfo().m_splitImpulsePenetrationThreshold = kSplitFrom;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<Moving> moving;
  for (const UrdfLink& link : read_urdf_world(urdf)) {
    auto shape = shape_of(link);
    if (!shape) continue;
    const double mass = link.floats ? link.mass : 0.0;
    btVector3 inertia(0, 0, 0);
    if (link.floats) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = transform(link.world * link.shape);
    info.m_friction = link.friction;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setRollingFriction(kRolling);
    bodies.back()->setSpinningFriction(kRolling);
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
    if (link.floats)
      moving.push_back({bodies.back().get(), info.m_startWorldTransform, link.size()});
    shapes.push_back(std::move(shape));
  }
  double farthest = 0.0;
  const long steps = std::lround(seconds / kStep);
  for (long s = 0; s < steps; ++s) {
    world.stepSimulation(kStep, 0, kStep);
    for (const Moving& m : moving) farthest = std::max(farthest, way_of(m));
  }
  for (const auto& body : bodies) world.removeRigidBody(body.get());
  return farthest;
}

#else

double bullet_way(const std::filesystem::path&, double) {
  return -1.0;
}

#endif

}  // namespace bench_handover
