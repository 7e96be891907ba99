// The tables as Bullet steps them.
#include <algorithm>
#include <cmath>
#include <memory>

#include "tables.h"

#ifdef REPOSE_WITH_BULLET
#include <btBulletDynamicsCommon.h>
#endif

namespace bench_handover {

#ifdef REPOSE_WITH_BULLET

namespace {

using repose::Pose;
using repose::Vec3;

constexpr double kStep = 1e-3;     // s
constexpr double kMargin = 1e-4;   // m; Bullet's own is as large as the bodies
constexpr double kFriction = 0.9;  // its pairs take the product: 0.81
constexpr double kRolling =
    0.01;  // against rolling and spinning; without it what is round rolls on
/// Bullet computes in floats and knows bodies of some metres best: one metre here is ten there.
constexpr double kScale = 10.0;

btScalar scaled(double v) {
  return static_cast<btScalar>(kScale * v);
}
btVector3 scaled(const Vec3& v) {
  return {scaled(v.x()), scaled(v.y()), scaled(v.z())};
}
btTransform transform(const Pose& pose) {
  const auto& q = pose.rotation;
  const auto f = [](double v) { return static_cast<btScalar>(v); };
  return btTransform(btQuaternion(f(q.x()), f(q.y()), f(q.z()), f(q.w())), scaled(pose.position));
}

/// All points within the radii; Bullet has no ellipsoid of its own.
class Ellipsoid final : public btConvexInternalShape {
 public:
  explicit Ellipsoid(const btVector3& radii) : radii_(radii) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    setMargin(0);
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& v) const override {
    const btVector3 w = v * radii_;
    const btScalar length = w.length();
    return length > 0 ? radii_ * w / length : btVector3(0, 0, radii_.z());
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* vectors, btVector3* out,
                                                         int count) const override {
    for (int i = 0; i < count; ++i) out[i] = localGetSupportingVertexWithoutMargin(vectors[i]);
  }
  void calculateLocalInertia(btScalar mass, btVector3& inertia) const override {
    const btVector3 s = radii_ * radii_;
    inertia = mass / 5 * btVector3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
  }
  void getAabb(const btTransform& t, btVector3& low, btVector3& high) const override {
    const btScalar reach = radii_[radii_.maxAxis()];
    low = t.getOrigin() - btVector3(reach, reach, reach);
    high = t.getOrigin() + btVector3(reach, reach, reach);
  }
  const char* getName() const override { return "ellipsoid"; }

 private:
  btVector3 radii_;
};

struct Shapes {
  std::unique_ptr<btCollisionShape> operator()(const repose::shape::BallInput& in) const {
    return std::make_unique<btSphereShape>(scaled(in.radius));
  }
  std::unique_ptr<btCollisionShape> operator()(const repose::shape::BoxInput& in) const {
    return with_margin(std::make_unique<btBoxShape>(scaled(Vec3(in.size / 2.0))));
  }
  std::unique_ptr<btCollisionShape> operator()(const repose::shape::CylinderInput& in) const {
    return with_margin(
        std::make_unique<btCylinderShapeZ>(scaled(Vec3(in.radius, in.radius, in.height / 2.0))));
  }
  std::unique_ptr<btCollisionShape> operator()(const repose::shape::CapsuleInput& in) const {
    return std::make_unique<btCapsuleShapeZ>(scaled(in.radius), scaled(in.height));
  }
  std::unique_ptr<btCollisionShape> operator()(const repose::shape::EllipsoidInput& in) const {
    return std::make_unique<Ellipsoid>(scaled(in.radii));
  }
  std::unique_ptr<btCollisionShape> operator()(const repose::shape::ConvexInput& in) const {
    auto out = std::make_unique<btConvexHullShape>();
    for (const Vec3& p : in.points) out->addPoint(scaled(p));
    out->setMargin(0);  // it would stand outside of the hull
    return out;
  }
  template <class Other>
  std::unique_ptr<btCollisionShape> operator()(const Other&) const {
    return nullptr;  // endless ground lies far below
  }
  template <class Shape>
  static std::unique_ptr<btCollisionShape> with_margin(std::unique_ptr<Shape> shape) {
    shape->setMargin(scaled(kMargin));
    return shape;
  }
};

struct Moving {
  btRigidBody* body = nullptr;
  btTransform start;
  double size = 0.0;
};

double way_of(const Moving& moving) {
  const btTransform& now = moving.body->getWorldTransform();
  const auto move = static_cast<double>((now.getOrigin() - moving.start.getOrigin()).length());
  const btQuaternion off = now.getRotation() * moving.start.getRotation().inverse();
  const double sine = std::hypot(std::hypot(off.x(), off.y()), off.z());
  return move / (kScale * moving.size) + std::asin(std::min(1.0, sine));
}

}  // namespace

double bullet_way(const repose::handover::Handed& handed, double seconds) {
  const auto world_of = repose::handover::build_world(handed);
  if (!world_of) return -1.0;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(scaled(handed.scene.gravity));
  world.getSolverInfo().m_numIterations = 50;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  std::vector<Moving> moving;
  for (std::size_t i = 0; i < handed.scene.bodies.size(); ++i) {
    const repose::SceneBody& in = handed.scene.bodies[i];
    const repose::ShapeSpec* spec = in.shape.spec.get();
    for (const auto& [name, known] : handed.scene.shapes)
      if (spec == nullptr && name == in.shape.name) spec = &known;
    auto shape = std::visit(Shapes{}, spec->what);
    if (!shape) continue;
    const repose::Body& body = world_of->problem.bodies[i];
    const auto mass = static_cast<btScalar>(in.fixed ? 0.0 : body.mass);
    btVector3 inertia(0, 0, 0);
    if (!in.fixed) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape.get(), inertia);
    info.m_startWorldTransform = transform(in.pose());
    info.m_friction = static_cast<btScalar>(kFriction);
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setRollingFriction(static_cast<btScalar>(kRolling));
    bodies.back()->setSpinningFriction(static_cast<btScalar>(kRolling));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    world.addRigidBody(bodies.back().get());
    if (!in.fixed) moving.push_back({bodies.back().get(), info.m_startWorldTransform, body.size()});
    shapes.push_back(std::move(shape));
  }
  double farthest = 0.0;
  const long steps = std::lround(seconds / kStep);
  for (long s = 0; s < steps; ++s) {
    world.stepSimulation(static_cast<btScalar>(kStep), 0, static_cast<btScalar>(kStep));
    for (const Moving& m : moving) farthest = std::max(farthest, way_of(m));
  }
  for (const auto& body : bodies) world.removeRigidBody(body.get());
  return farthest;
}

#else

double bullet_way(const repose::handover::Handed&, double) {
  return -1.0;
}

#endif

}  // namespace bench_handover
