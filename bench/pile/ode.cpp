#include "peer.h"

#ifdef REPOSE_WITH_ODE
#include <array>
#include <cmath>

#include <ode/ode.h>
#endif

namespace bench_pile {

#ifdef REPOSE_WITH_ODE

namespace {

constexpr int kDefaultIterations = 20;
constexpr double kDefaultSlop = 0.001;  // radii; ODE's own is 0, with which contacts flicker

/// ODE's iterative step ("quick step"), as its users run heaps.
class OdeBalls final : public BallWorld {
 public:
  OdeBalls(int k, std::uint64_t seed, const PeerSetting& setting)
      : setting_(setting),
        world_(dWorldCreate()),
        space_(dHashSpaceCreate(nullptr)),
        contacts_(dJointGroupCreate(0)) {
    dWorldSetGravity(world_, 0.0, 0.0, -kGravity);
    dWorldSetQuickStepNumIterations(
        world_, setting.iterations > 0 ? setting.iterations : kDefaultIterations);
    dWorldSetContactSurfaceLayer(world_, setting.slop >= 0.0 ? setting.slop : kDefaultSlop);
    dWorldSetAutoDisableFlag(world_, setting.sleeps ? 1 : 0);
    dWorldSetDamping(world_, setting.damping * setting.step, setting.damping * setting.step);
    for (const auto& [point, normal] : walls(k))
      dCreatePlane(space_, normal.x(), normal.y(), normal.z(), normal.dot(point));
    for (const Vec3& center : grid(k, seed)) add_ball(center);
  }
  ~OdeBalls() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  void step() override {
    dJointGroupEmpty(contacts_);
    feedback_.clear();
    dSpaceCollide(space_, this, &OdeBalls::near);
    for (auto& [joint, forces] : feedback_) dJointSetFeedback(joint, &forces);
    dWorldQuickStep(world_, setting_.step);
  }

  std::vector<Vec3> centers() const override {
    std::vector<Vec3> out;
    for (const dBodyID ball : balls_) {
      const dReal* p = dBodyGetPosition(ball);
      out.emplace_back(p[0], p[1], p[2]);
    }
    return out;
  }

  std::vector<double> unbalanced() const override {
    std::vector<Vec3> force(balls_.size(), Vec3(0.0, 0.0, -kGravity));
    for (const auto& [joint, forces] : feedback_)
      for (const int end : {0, 1}) {
        const dBodyID body = dJointGetBody(joint, end);
        if (body == nullptr) continue;
        const dReal* f = end == 0 ? forces.f1 : forces.f2;
        force[reinterpret_cast<std::size_t>(dBodyGetData(body))] += Vec3(f[0], f[1], f[2]);
      }
    std::vector<double> out;
    for (std::size_t i = 0; i < balls_.size(); ++i)
      out.push_back(dBodyIsEnabled(balls_[i]) ? force[i].norm() / kGravity : kAsleep);
    return out;
  }

 private:
  void add_ball(const Vec3& center) {
    const dBodyID body = dBodyCreate(world_);
    dMass mass;
    dMassSetSphereTotal(&mass, 1.0, 1.0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, center.x(), center.y(), center.z());
    dBodySetData(body, reinterpret_cast<void*>(balls_.size()));
    dGeomSetBody(dCreateSphere(space_, 1.0), body);
    balls_.push_back(body);
  }

  static void near(void* self, dGeomID a, dGeomID b) {
    auto& world = *static_cast<OdeBalls*>(self);
    dContact contact{};
    if (dCollide(a, b, 1, &contact.geom, sizeof(dContactGeom)) == 0) return;
    contact.surface.mode = 0;
    contact.surface.mu = 0.0;
    const dJointID joint = dJointCreateContact(world.world_, world.contacts_, &contact);
    dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
    world.feedback_.emplace_back(joint, dJointFeedback{});
  }

  PeerSetting setting_;
  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> balls_;
  std::vector<std::pair<dJointID, dJointFeedback>> feedback_;  // of the last step
};

}  // namespace

Row run_ode(int k, std::uint64_t seed, const PeerSetting& setting) {
  static const int kStarted = dInitODE2(0);
  (void)kStarted;
  return run_peer("ODE", k, setting, kDefaultIterations,
                  [&] { return std::make_unique<OdeBalls>(k, seed, setting); });
}

#else

Row run_ode(int, std::uint64_t, const PeerSetting& setting) {
  return {"ODE", setting.name, 0, 0.0, 0.0, 0.0, 0.0, "not installed: libode-dev"};
}

#endif

}  // namespace bench_pile
