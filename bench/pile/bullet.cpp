#ifdef REPOSE_WITH_BULLET

#include <cmath>
#include <memory>

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include "scene.h"

namespace bench_pile {
namespace {

Vec3 vec(const btVector3& v) {
  return Vec3(static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z()));
}
btVector3 vec(const Vec3& v) {
  return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()),
                   static_cast<btScalar>(v.z()));
}

}  // namespace

Row run_bullet(int k, std::uint64_t seed, const PeerSetting& setting) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(vec(Vec3(0.0, 0.0, -kGravity)));
  if (setting.iterations > 0) world.getSolverInfo().m_numIterations = setting.iterations;
  if (setting.slop >= 0.0) world.getSolverInfo().m_linearSlop = static_cast<btScalar>(setting.slop);
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  const auto add = [&](btCollisionShape* shape, double mass, const Vec3& at) {
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape,
                                                  btVector3(1, 1, 1));
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(vec(at));
    info.m_friction = 0.0F;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setDamping(static_cast<btScalar>(setting.damping),
                              static_cast<btScalar>(setting.damping));
    if (!setting.sleeps) bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
  };
  for (const auto& [point, normal] : walls(k)) {
    shapes.push_back(std::make_unique<btStaticPlaneShape>(
        vec(normal), static_cast<btScalar>(normal.dot(point))));
    add(shapes.back().get(), 0.0, Vec3::Zero());
  }
  shapes.push_back(std::make_unique<btSphereShape>(1.0F));
  for (const Vec3& center : grid(k, seed)) add(shapes.back().get(), 1.0, center);
  const auto centers = [&] {
    std::vector<Vec3> out;
    for (std::size_t i = 5; i < bodies.size(); ++i)
      out.push_back(vec(bodies[i]->getWorldTransform().getOrigin()));
    return out;
  };
  Row row{fmt::format("Bullet, {}", setting.name), 0, 0.0, 0.0, 0.0, "moving"};
  std::vector<Vec3> last = centers();
  const long window = std::lround(kRestWindow / setting.step);
  const double start = cpu_now();
  double looking = 0.0;
  while (cpu_now() - start - looking < kMostSeconds) {
    world.stepSimulation(static_cast<btScalar>(setting.step), 0);
    if (++row.steps % window != 0) continue;
    const double before = cpu_now();
    const std::vector<Vec3> now = centers();
    double fastest = 0.0;
    for (std::size_t i = 0; i < now.size(); ++i)
      fastest = std::max(fastest, (now[i] - last[i]).norm() / kRestWindow);
    last = now;
    row.overlap = std::max(row.overlap, overlap_of(now, k));
    looking += cpu_now() - before;
    if (fastest > kRestSpeed) continue;
    row.end = "rest";
    break;
  }
  row.seconds = cpu_now() - start - looking;
  std::vector<Vec3> force(bodies.size(), Vec3(0.0, 0.0, -kGravity));
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i]->setUserIndex(static_cast<int>(i));
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(m);
    for (int c = 0; c < manifold->getNumContacts(); ++c) {
      const btManifoldPoint& point = manifold->getContactPoint(c);
      const Vec3 push = vec(point.m_normalWorldOnB) *
                        (static_cast<double>(point.getAppliedImpulse()) / setting.step);
      force[static_cast<std::size_t>(manifold->getBody0()->getUserIndex())] += push;
      force[static_cast<std::size_t>(manifold->getBody1()->getUserIndex())] -= push;
    }
  }
  for (std::size_t i = 5; i < force.size(); ++i)
    row.unbalanced =
        bodies[i]->isActive() ? std::max(row.unbalanced, force[i].norm() / kGravity) : kAsleep;
  return row;
}

}  // namespace bench_pile

#endif
