#include <algorithm>
#include <cmath>

#include "scene.h"

#ifdef REPOSE_WITH_BULLET
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#endif

#include "repose/base/stage_clock.h"

namespace repose::bench_molecule {

#ifdef REPOSE_WITH_BULLET

namespace {

constexpr double kLook = 0.05;  // s between two looks at the overlap

btVector3 vec(const Vec3& v) {
  return {static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z())};
}

btSoftBody* make_body(btSoftBodyWorldInfo& info, const Body& body, const SoftState& soft,
                      const BulletSetting& setting) {
  std::vector<btVector3> nodes;
  std::vector<btScalar> masses;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    nodes.push_back(vec(soft.positions[i]));
    const bool fixed = body.fixed || body.soft->fixed[i] != 0;
    masses.push_back(fixed ? btScalar(0) : static_cast<btScalar>(body.soft->masses[i]));
  }
  auto* out = new btSoftBody(&info, static_cast<int>(nodes.size()), nodes.data(), masses.data());
  btSoftBody::Material* material = out->appendMaterial();
  material->m_kLST = static_cast<btScalar>(setting.stiffness);
  for (const auto& [a, b] : body.soft->links) out->appendLink(a, b, material);
  // nodes against faces: the lattice's squares as triangles would be its skin
  out->m_cfg.collisions = btSoftBody::fCollision::CL_SS | btSoftBody::fCollision::CL_RS;
  out->m_cfg.kDF = btScalar(0.5);
  out->m_cfg.kDP = static_cast<btScalar>(setting.damping);
  out->m_cfg.piterations = setting.iterations;
  out->getCollisionShape()->setMargin(static_cast<btScalar>(setting.margin * soft.radii[0]));
  out->generateClusters(0);
  return out;
}

}  // namespace

Row run_bullet(const World& world, double duration, const BulletSetting& setting) {
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btSoftRigidDynamicsWorld bullet(&dispatcher, &broadphase, &solver, &configuration);
  bullet.setGravity(vec(world.problem.gravity));
  bullet.getWorldInfo().m_gravity = vec(world.problem.gravity);
  bullet.getWorldInfo().m_sparsesdf.Initialize();
  std::vector<btSoftBody*> bodies;
  for (std::size_t b = 0; b < world.problem.bodies.size(); ++b) {
    bodies.push_back(make_body(bullet.getWorldInfo(), world.problem.bodies[b],
                               world.state.bodies[b].soft, setting));
    bullet.addSoftBody(bodies.back());
  }
  Row row{"Bullet soft bodies", setting.name, 0.0, 0.0, 0.0, ""};
  const int look = std::max(1, static_cast<int>(std::lround(kLook / setting.step)));
  State state = world.state;
  bool finite = true;
  for (int k = 0; finite && k * setting.step < duration; ++k) {
    const double before = cpu_seconds();
    bullet.stepSimulation(static_cast<btScalar>(setting.step), 0,
                          static_cast<btScalar>(setting.step));
    row.cpu += cpu_seconds() - before;
    if (k % look != 0) continue;
    row.kinetic = 0.0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      std::vector<Vec3>& x = state.bodies[b].soft.positions.edit();
      for (std::size_t i = 0; i < x.size(); ++i) {
        const btSoftBody::Node& node = bodies[b]->m_nodes[static_cast<int>(i)];
        x[i] = Vec3(static_cast<double>(node.m_x.x()), static_cast<double>(node.m_x.y()),
                    static_cast<double>(node.m_x.z()));
        finite = finite && x[i].allFinite();
        if (node.m_im > 0)
          row.kinetic +=
              0.5 / static_cast<double>(node.m_im) * static_cast<double>(node.m_v.length2());
      }
    }
    if (finite) row.overlap = std::max(row.overlap, deepest_overlap(world.problem, state));
  }
  if (!finite) row.note = "not a number";
  for (btSoftBody* body : bodies) {
    bullet.removeSoftBody(body);
    delete body;
  }
  return row;
}

#else

Row run_bullet(const World&, double, const BulletSetting& setting) {
  return {"Bullet soft bodies", setting.name, 0.0, 0.0, 0.0, "not installed: libbullet-dev"};
}

#endif

}  // namespace repose::bench_molecule
