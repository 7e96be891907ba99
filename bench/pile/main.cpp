// Grids of balls into a box: ours beside the paper's step counts and beside Bullet. Times are CPU
// seconds of one thread of the caller; overlap in radii; unbalanced force in weights.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/pile/pile.h"

#ifdef REPOSE_WITH_BULLET
#include <btBulletDynamicsCommon.h>
#endif

namespace {

using repose::Vec3;

constexpr double kPitch = 2.2, kJitter = 0.09, kGravity = 9.81;

struct Row {
  std::string name;
  long steps = 0;
  double seconds = 0.0;
  double overlap = 0.0;     // radii, worst over the run
  double unbalanced = 0.0;  // weights, at the end
  std::string end;
};

double cpu_now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

std::vector<Vec3> grid(int k, std::uint64_t seed) {
  repose::Random random(seed);
  std::vector<Vec3> out;
  for (int i = 0; i < k * k * k; ++i) {
    const Vec3 cell(i % k + 0.5, i / k % k + 0.5, i / k / k + 0.5);
    const double x = random.between(-kJitter, kJitter), y = random.between(-kJitter, kJitter);
    const double z = random.between(-kJitter, kJitter);
    out.push_back(kPitch * cell + Vec3(x, y, z));
  }
  return out;
}

/// Floor and four walls: point and inward normal.
std::vector<std::pair<Vec3, Vec3>> walls(int k) {
  const double side = kPitch * k;
  return {{Vec3::Zero(), Vec3::UnitZ()},
          {Vec3::Zero(), Vec3::UnitX()},
          {Vec3::Zero(), Vec3::UnitY()},
          {Vec3(side, 0.0, 0.0), -Vec3::UnitX()},
          {Vec3(0.0, side, 0.0), -Vec3::UnitY()}};
}

double overlap_of(const std::vector<Vec3>& centers, int k) {
  double worst = 0.0;
  for (std::size_t i = 0; i < centers.size(); ++i) {
    for (const auto& [point, normal] : walls(k))
      worst = std::max(worst, 1.0 - normal.dot(centers[i] - point));
    for (std::size_t j = 0; j < i; ++j)
      worst = std::max(worst, 2.0 - (centers[i] - centers[j]).norm());
  }
  return worst;
}

Row run_ours(int k, std::uint64_t seed) {
  repose::Problem problem;
  problem.gravity = Vec3(0.0, 0.0, -kGravity);
  repose::State state;
  const auto add = [&](auto geometry, const Vec3& at, const repose::Quat& turned, bool fixed) {
    repose::shape::Shape shape;
    shape.geometry = geometry;
    shape.bounding_radius = 1.0;
    repose::Body body;
    body.name = fmt::format("body {}", problem.bodies.size());
    body.shape = std::make_shared<const repose::shape::Shape>(shape);
    body.fixed = fixed;
    body.mass = fixed ? 0.0 : 1.0;
    problem.bodies.push_back(body);
    repose::BodyState place;
    place.world_from_body = {at, turned};
    state.bodies.push_back(place);
  };
  for (const auto& [point, normal] : walls(k))
    add(repose::shape::HalfSpace{}, point, repose::Quat::FromTwoVectors(Vec3::UnitZ(), normal),
        true);
  for (const Vec3& center : grid(k, seed))
    add(repose::shape::Ball{1.0}, center, repose::Quat::Identity(), false);
  auto method = repose::pile::method_info().make({}).value();
  Row row{"Repose", 0, 0.0, 0.0, 0.0, ""};
  const double start = cpu_now();
  if (!method->prepare(problem, state)) return row;
  repose::StepReport report;
  double looking = 0.0;
  while (report.status == repose::RunStatus::moving) {
    report = method->step(problem, state);
    const double before = cpu_now();
    std::vector<Vec3> centers;
    for (std::size_t i = 5; i < state.bodies.size(); ++i)
      centers.push_back(state.bodies[i].world_from_body.position);
    row.overlap = std::max(row.overlap, overlap_of(centers, k));
    looking += cpu_now() - before;
  }
  row.seconds = cpu_now() - start - looking;
  row.steps = state.step;
  row.end = repose::to_text(report.status);
  std::vector<Vec3> force(problem.bodies.size(), problem.gravity);
  for (const repose::Contact& c : state.contacts) {
    force[c.body_b] += c.force_on_b;
    force[c.body_a] -= c.force_on_b;
  }
  for (std::size_t i = 5; i < force.size(); ++i)
    row.unbalanced = std::max(row.unbalanced, force[i].norm() / kGravity);
  return row;
}

#ifdef REPOSE_WITH_BULLET
constexpr double kRestSpeed = 1e-3, kRestWindow = 0.5, kMostSeconds = 10.0;

Vec3 vec(const btVector3& v) {
  return Vec3(static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z()));
}
btVector3 vec(const Vec3& v) {
  return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()),
                   static_cast<btScalar>(v.z()));
}

/// Bullet at 240 Hz with sleeping off; rest is no centre averaging more than 1e-3 R/s over half a
/// second.
Row run_bullet(int k, std::uint64_t seed) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(vec(Vec3(0.0, 0.0, -kGravity)));
  world.getSolverInfo().m_numIterations = 50;
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  const auto add = [&](btCollisionShape* shape, double mass, const Vec3& at) {
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape,
                                                  btVector3(1, 1, 1));
    info.m_startWorldTransform.setIdentity();
    info.m_startWorldTransform.setOrigin(vec(at));
    info.m_friction = 0.0F;
    bodies.push_back(std::make_unique<btRigidBody>(info));
    bodies.back()->setActivationState(DISABLE_DEACTIVATION);
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
  constexpr double kStep = 1.0 / 240.0;
  Row row{"Bullet", 0, 0.0, 0.0, 0.0, "moving"};
  std::vector<Vec3> last = centers();
  const int window = static_cast<int>(kRestWindow / kStep);
  const double start = cpu_now();
  double looking = 0.0;
  while (cpu_now() - start - looking < kMostSeconds) {
    world.stepSimulation(static_cast<btScalar>(kStep), 0);
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
  for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
    const btPersistentManifold* manifold = dispatcher.getManifoldByIndexInternal(m);
    for (int c = 0; c < manifold->getNumContacts(); ++c) {
      const btManifoldPoint& point = manifold->getContactPoint(c);
      const Vec3 push =
          vec(point.m_normalWorldOnB) * (static_cast<double>(point.getAppliedImpulse()) / kStep);
      for (std::size_t i = 5; i < bodies.size(); ++i) {
        if (bodies[i].get() == manifold->getBody0()) force[i] += push;
        if (bodies[i].get() == manifold->getBody1()) force[i] -= push;
      }
    }
  }
  for (std::size_t i = 5; i < force.size(); ++i)
    row.unbalanced = std::max(row.unbalanced, force[i].norm() / kGravity);
  return row;
}
#endif

void print(int count, const Row& row) {
  fmt::print("{:>6}  {:<8} {:>7} {:>10.3f} {:>10.1e} {:>11.1e}  {}\n", count, row.name, row.steps,
             row.seconds, row.overlap, row.unbalanced, row.end);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const bool large = argc < 2 || std::string(argv[1]) != "small";
  fmt::print("{:>6}  {:<8} {:>7} {:>10} {:>10} {:>11}  end\n", "balls", "engine", "steps", "CPU s",
             "overlap R", "unbalanced");
  const int paper[] = {21, 25, 39, 54};
  for (const int k : {3, 4, 5, 6, 10}) {
    if (k == 10 && !large) break;
    if (k <= 6) fmt::print("{:>6}  {:<8} {:>7}\n", k * k * k, "paper", paper[k - 3]);
    print(k * k * k, run_ours(k, 1));
#ifdef REPOSE_WITH_BULLET
    print(k * k * k, run_bullet(k, 1));
#endif
  }
}
