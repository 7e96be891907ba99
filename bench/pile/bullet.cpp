#include "peer.h"

#ifdef REPOSE_WITH_BULLET
#include <btBulletDynamicsCommon.h>
#endif

namespace bench_pile {

#ifdef REPOSE_WITH_BULLET

namespace {

constexpr int kDefaultIterations = 10;

Vec3 vec(const btVector3& v) {
  return Vec3(static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z()));
}
btVector3 vec(const Vec3& v) {
  return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()),
                   static_cast<btScalar>(v.z()));
}

class BulletBalls final : public BallWorld {
 public:
  BulletBalls(int k, std::uint64_t seed, const PeerSetting& setting)
      : setting_(setting),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broadphase_, &solver_, &configuration_),
        ball_(1.0F) {
    world_.setGravity(vec(Vec3(0.0, 0.0, -kGravity)));
    if (setting.iterations > 0) world_.getSolverInfo().m_numIterations = setting.iterations;
    if (setting.slop >= 0.0)
      world_.getSolverInfo().m_linearSlop = static_cast<btScalar>(setting.slop);
    for (const auto& [point, normal] : walls(k)) {
      planes_.push_back(std::make_unique<btStaticPlaneShape>(
          vec(normal), static_cast<btScalar>(normal.dot(point))));
      add(*planes_.back(), 0.0, Vec3::Zero());
    }
    for (const Vec3& center : grid(k, seed)) add(ball_, 1.0, center);
  }
  ~BulletBalls() override {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(static_cast<btScalar>(setting_.step), 0); }

  std::vector<Vec3> centers() const override {
    std::vector<Vec3> out;
    for (std::size_t i = planes_.size(); i < bodies_.size(); ++i)
      out.push_back(vec(bodies_[i]->getWorldTransform().getOrigin()));
    return out;
  }

  std::vector<double> unbalanced() const override {
    std::vector<Vec3> force(bodies_.size(), Vec3(0.0, 0.0, -kGravity));
    for (int m = 0; m < dispatcher_.getNumManifolds(); ++m) {
      const btPersistentManifold* manifold = dispatcher_.getManifoldByIndexInternal(m);
      for (int c = 0; c < manifold->getNumContacts(); ++c) {
        const btManifoldPoint& point = manifold->getContactPoint(c);
        const Vec3 push = vec(point.m_normalWorldOnB) *
                          (static_cast<double>(point.getAppliedImpulse()) / setting_.step);
        force[static_cast<std::size_t>(manifold->getBody0()->getUserIndex())] += push;
        force[static_cast<std::size_t>(manifold->getBody1()->getUserIndex())] -= push;
      }
    }
    std::vector<double> out;
    for (std::size_t i = planes_.size(); i < force.size(); ++i)
      out.push_back(bodies_[i]->isActive() ? force[i].norm() / kGravity : kAsleep);
    return out;
  }

 private:
  void add(btCollisionShape& shape, double mass, const Vec3& at) {
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, &shape,
                                                  btVector3(1, 1, 1));
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(vec(at));
    info.m_friction = 0.0F;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    const auto damping = static_cast<btScalar>(setting_.damping);
    bodies_.back()->setDamping(damping, damping);
    bodies_.back()->setUserIndex(static_cast<int>(bodies_.size()) - 1);
    if (!setting_.sleeps) bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  PeerSetting setting_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  btSphereShape ball_;
  std::vector<std::unique_ptr<btStaticPlaneShape>> planes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

}  // namespace

Row run_bullet(int k, std::uint64_t seed, const PeerSetting& setting) {
  return run_peer("Bullet", k, setting, kDefaultIterations,
                  [&] { return std::make_unique<BulletBalls>(k, seed, setting); });
}

#else

Row run_bullet(int, std::uint64_t, const PeerSetting& setting) {
  return {"Bullet", setting.name, 0, 0.0, 0.0, 0.0, 0.0, "not installed: libbullet-dev"};
}

#endif

}  // namespace bench_pile
