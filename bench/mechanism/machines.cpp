// The same machines in Repose and in Box2D 2.4: CPU per step and per simulated second, joint drift,
// worst overlap. Metres, g = 10, density 1; overlaps and drifts are measured by one and the same
// code from poses alone.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <box2d/box2d.h>

#include "repose/base/stage_clock.h"
#include "repose/mechanism/mechanism.h"
#include "repose/shape/make.h"

#include "bench.h"
#include "models.h"

namespace repose::mechanism {
namespace {

struct Measured {
  double cpu = 0.0;  // s, all steps
  long steps = 0;
  double drift = 0.0;    // m, worst
  double overlap = 0.0;  // m, worst
  std::string end;
};

void print(const char* machine, const char* engine, const Measured& m, double seconds) {
  std::printf("%-10s %-18s %9.2f us/step %9.3f ms/s  drift %9.2e m  overlap %9.2e m  %s\n", machine,
              engine, 1e6 * m.cpu / static_cast<double>(m.steps), 1e3 * m.cpu / seconds, m.drift,
              m.overlap, m.end.c_str());
  std::fflush(stdout);
}

Measured run_repose(const Model& model, double step_time, double seconds) {
  World world = world_of(model);
  auto method = method_info().make({{"step_time", step_time}, {"end_at_rest", false}});
  Measured out;
  const auto prepared = (*method)->prepare(world.problem, world.state);
  if (!prepared) {
    out.end = prepared.error().text();
    out.steps = 1;
    return out;
  }
  const long steps = std::lround(seconds / step_time);
  for (long k = 0; k < steps; ++k) {
    if (model.drive) drag_repose(model, **method, world, static_cast<double>(k) * step_time);
    const double before = cpu_seconds();
    const StepReport report = (*method)->step(world.problem, world.state);
    out.cpu += cpu_seconds() - before;
    ++out.steps;
    if (report.status != RunStatus::moving) {
      out.end = report.why;
      break;
    }
    std::vector<Place> places;
    for (const BodyState& b : world.state.bodies) places.push_back(place_of(b));
    measure(model, places, out.drift, out.overlap);
  }
  return out;
}

struct Box2dWorld {
  b2World world{b2Vec2(0.0F, -10.0F)};
  std::vector<b2Body*> bodies;
  b2Body* ground = nullptr;
};

void build(const Model& model, bool sleeps, Box2dWorld& out) {
  b2BodyDef still;
  out.ground = out.world.CreateBody(&still);
  for (const ModelBody& body : model.bodies) {
    b2BodyDef def;
    def.type = body.fixed ? b2_staticBody : b2_dynamicBody;
    def.position.Set(static_cast<float>(body.at.x()), static_cast<float>(body.at.y()));
    def.angle = static_cast<float>(body.turn);
    def.allowSleep = sleeps;
    b2Body* made = out.world.CreateBody(&def);
    for (const auto& polygon : body.convex) {
      b2PolygonShape shape;
      std::vector<b2Vec2> points;
      for (const Vec2& p : polygon)
        points.emplace_back(static_cast<float>(p.x()), static_cast<float>(p.y()));
      shape.Set(points.data(), static_cast<int>(points.size()));
      b2FixtureDef fixture;
      fixture.shape = &shape;
      fixture.density = 1.0F;
      fixture.friction = static_cast<float>(body.friction);
      fixture.filter.categoryBits = fixture.filter.maskBits =
          static_cast<std::uint16_t>(1U << static_cast<unsigned>(body.layer));
      made->CreateFixture(&fixture);
    }
    out.bodies.push_back(made);
  }
  for (const ModelJoint& joint : model.joints) {
    b2Body* a = out.bodies[static_cast<std::size_t>(joint.a)];
    b2Body* b = joint.b < 0 ? out.ground : out.bodies[static_cast<std::size_t>(joint.b)];
    const b2Vec2 at = a->GetWorldPoint(
        b2Vec2(static_cast<float>(joint.point_a.x()), static_cast<float>(joint.point_a.y())));
    if (joint.slider) {
      b2PrismaticJointDef def;
      def.Initialize(b, a, at, b2Vec2(1.0F, 0.0F));
      out.world.CreateJoint(&def);
      continue;
    }
    b2RevoluteJointDef def;
    def.Initialize(b, a, at);
    if (joint.motor_speed != 0.0) {
      def.enableMotor = true;
      def.motorSpeed = static_cast<float>(joint.motor_speed);
      def.maxMotorTorque = 1e6F;
    }
    out.world.CreateJoint(&def);
  }
}

/// How Box2D is set: as it comes, as its users set it for speed, and at its most accurate.
struct Box2dSetting {
  const char* name;
  double step;  // s
  int velocity_iterations, position_iterations;
  bool sleeps;
};
constexpr Box2dSetting kBox2dSettings[] = {
    {"Box2D 60 Hz", 1.0 / 60.0, 8, 3, true},
    {"Box2D 30 Hz", 1.0 / 30.0, 6, 2, true},
    {"Box2D 1 kHz", 1e-3, 20, 10, false},
};

Measured run_box2d(const Model& model, const Box2dSetting& setting, double seconds) {
  const double step_time = setting.step;
  Box2dWorld world;
  build(model, setting.sleeps, world);
  Measured out;
  const long steps = std::lround(seconds / step_time);
  for (long k = 0; k < steps; ++k) {
    if (model.drive) {
      b2Body* crank = world.bodies[static_cast<std::size_t>(model.driven)];
      const b2Vec2 at = crank->GetWorldPoint(
          b2Vec2(static_cast<float>(model.grip.x()), static_cast<float>(model.grip.y())));
      const b2Vec2 v = crank->GetLinearVelocityFromWorldPoint(at);
      const Vec2 handle = model.drive(static_cast<double>(k) * step_time);
      const Vec2 force =
          model.stiffness * (handle - Vec2(at.x, at.y)) - model.damping * Vec2(v.x, v.y);
      crank->ApplyForce(b2Vec2(static_cast<float>(force.x()), static_cast<float>(force.y())), at,
                        true);
    }
    const double before = cpu_seconds();
    world.world.Step(static_cast<float>(step_time), setting.velocity_iterations,
                     setting.position_iterations);
    out.cpu += cpu_seconds() - before;
    ++out.steps;
    std::vector<Place> places;
    for (const b2Body* b : world.bodies)
      places.push_back(
          {Vec2(b->GetPosition().x, b->GetPosition().y), static_cast<double>(b->GetAngle())});
    measure(model, places, out.drift, out.overlap);
  }
  return out;
}

void compare(const char* name, const Model& model, double seconds,
             std::initializer_list<double> ours) {
  for (const double h : ours) {
    char label[32];
    std::snprintf(label, sizeof label, "Repose %g ms", 1e3 * h);
    print(name, label, run_repose(model, h, seconds), seconds);
  }
  for (const Box2dSetting& setting : kBox2dSettings)
    print(name, setting.name, run_box2d(model, setting, seconds), seconds);
}

}  // namespace

void bench_machines(const std::string& only) {
  const auto asked = [&](const char* name) { return only.empty() || only == name; };
  if (asked("four-bar")) compare("four-bar", four_bar_model(), 60.0, {0.02, 0.01, 0.005, 0.001});
  if (asked("feeder")) compare("feeder", feeder_model(), 25.0, {0.01, 0.005});
  if (asked("pyramid")) compare("pyramid", pyramid_model(20), 3.0, {1.0 / 60.0, 0.005});
}

}  // namespace repose::mechanism
