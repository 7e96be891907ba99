#include "bullet.h"

#ifdef REPOSE_WITH_BULLET
#include <cmath>
#include <memory>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <Eigen/Eigenvalues>
#include <btBulletDynamicsCommon.h>

#include "repose/base/stage_clock.h"
#include "repose/shape/tessellate.h"
#endif

namespace repose {

#ifndef REPOSE_WITH_BULLET

OtherEngine settle_with_bullet(const Problem&, const State& start, int, const BulletSetting&) {
  OtherEngine out;
  out.state = start;
  return out;
}

#else

namespace {

constexpr double kMostTime = 10.0;
constexpr double kRestSpeed = 1e-3, kWindow = 0.5;
constexpr double kChord = 2e-3;
constexpr int kTriangles = 4000;

btVector3 bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}
Vec3 ours(const btVector3& v) {
  return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

/// A body's frame for Bullet: centre of mass and principal axes; lengths over `unit`.
struct Frame {
  Mat3 body_from_axes = Mat3::Identity();
  Vec3 center = Vec3::Zero();
  Vec3 inertia = Vec3::Ones();
};

Frame frame_of(const Body& body, double unit) {
  Frame out;
  out.center = body.center_body;
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(body.inertia_body);
  out.body_from_axes = eigen.eigenvectors();
  if (out.body_from_axes.determinant() < 0.0) out.body_from_axes.col(0) *= -1.0;
  out.inertia = eigen.eigenvalues() / (unit * unit);
  return out;
}

std::unique_ptr<btTriangleMesh> mesh_of(const shape::Shape& shape, const Frame& frame,
                                        double unit) {
  shape::TessellateSettings settings;
  settings.chord_fraction = kChord;
  settings.max_triangles = kTriangles;
  const shape::Tessellation t = shape::tessellate(shape, settings);
  auto mesh = std::make_unique<btTriangleMesh>();
  const auto corner = [&](int i) {
    return bullet(frame.body_from_axes.transpose() *
                  (t.points[static_cast<std::size_t>(i)] - frame.center) / unit);
  };
  for (const auto& triangle : t.triangles)
    mesh->addTriangle(corner(triangle[0]), corner(triangle[1]), corner(triangle[2]));
  return mesh;
}

btTransform transform_of(const Pose& pose, const Frame& frame, double unit) {
  const Quat turn = pose.rotation * Quat(frame.body_from_axes);
  btTransform out;
  out.setRotation({static_cast<btScalar>(turn.x()), static_cast<btScalar>(turn.y()),
                   static_cast<btScalar>(turn.z()), static_cast<btScalar>(turn.w())});
  out.setOrigin(bullet(pose * frame.center / unit));
  return out;
}

Pose pose_of(const btTransform& at, const Frame& frame, double unit) {
  const btQuaternion q = at.getRotation();
  const Quat turn(static_cast<double>(q.w()), static_cast<double>(q.x()),
                  static_cast<double>(q.y()), static_cast<double>(q.z()));
  Pose out;
  out.rotation = (turn * Quat(frame.body_from_axes).conjugate()).normalized();
  out.position = unit * ours(at.getOrigin()) - out.rotation * frame.center;
  return out;
}

}  // namespace

OtherEngine settle_with_bullet(const Problem& problem, const State& start, int moving,
                               const BulletSetting& setting) {
  const double unit = problem.bodies[static_cast<std::size_t>(moving)].size();
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(bullet(problem.gravity / unit));
  world.getSolverInfo().m_numIterations = setting.iterations;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  Frame own;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    const bool free = static_cast<int>(i) == moving;
    Frame frame;
    if (free) own = frame = frame_of(body, unit);
    if (std::holds_alternative<shape::HalfSpace>(body.shape->geometry)) {
      shapes.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)));
    } else {
      meshes.push_back(mesh_of(*body.shape, frame, unit));
      if (free) {
        auto shape = std::make_unique<btGImpactMeshShape>(meshes.back().get());
        if (setting.margin >= 0.0) shape->setMargin(static_cast<btScalar>(setting.margin));
        shape->updateBound();
        shapes.push_back(std::move(shape));
      } else {
        shapes.push_back(std::make_unique<btBvhTriangleMeshShape>(meshes.back().get(), true));
        if (setting.margin >= 0.0) shapes.back()->setMargin(static_cast<btScalar>(setting.margin));
      }
    }
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(free ? body.mass : 0.0),
                                                  nullptr, shapes.back().get(),
                                                  bullet(frame.inertia));
    info.m_startWorldTransform = transform_of(start.bodies[i].world_from_body, frame, unit);
    info.m_friction = 0;
    info.m_linearDamping = info.m_angularDamping =
        static_cast<btScalar>(free ? setting.damping : 0.0);
    bodies.push_back(std::make_unique<btRigidBody>(info));
    if (!setting.sleeps) bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
  }
  const btRigidBody& body = *bodies[static_cast<std::size_t>(moving)];
  OtherEngine out;
  out.built = true;
  out.end = "moving";
  out.state = start;
  const double begin = cpu_seconds();
  btTransform last = body.getWorldTransform();
  const int window = static_cast<int>(std::lround(kWindow / setting.step));
  for (int k = 1; k * setting.step < kMostTime; ++k) {
    world.stepSimulation(static_cast<btScalar>(setting.step), 0);
    if (k % window != 0) continue;
    const btTransform now = body.getWorldTransform();
    const double moved =
        ours(now.getOrigin() - last.getOrigin()).norm() +
        static_cast<double>(last.getRotation().angleShortestPath(now.getRotation()));
    last = now;
    if (moved > kRestSpeed * kWindow) continue;
    out.end = "rest";
    break;
  }
  out.seconds = cpu_seconds() - begin;
  out.state.bodies[static_cast<std::size_t>(moving)].world_from_body =
      pose_of(body.getWorldTransform(), own, unit);
  return out;
}

#endif

}  // namespace repose
