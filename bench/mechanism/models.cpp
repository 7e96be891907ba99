#include "models.h"

#include <algorithm>
#include <cmath>

#include "repose/base/check.h"
#include "repose/base/random.h"
#include "repose/shape/make.h"

namespace repose::mechanism {
namespace {

std::vector<Vec2> rectangle(double x0, double y0, double x1, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

ModelBody link(const std::string& name, const Vec2& from, const Vec2& to, double width, int layer) {
  const Vec2 way = to - from;
  ModelBody out;
  out.name = name;
  out.convex = {rectangle(0.0, -0.5 * width, way.norm(), 0.5 * width)};
  out.at = from;
  out.turn = std::atan2(way.y(), way.x());
  out.layer = layer;
  return out;
}

Vec2 meet(const Vec2& a, double ra, const Vec2& b, double rb, double side) {
  const double d = (b - a).norm(), along = (ra * ra - rb * rb + d * d) / (2.0 * d);
  const Vec2 u = (b - a) / d;
  return a + along * u + side * std::sqrt(ra * ra - along * along) * Vec2(-u.y(), u.x());
}

}  // namespace

Model four_bar_model() {
  Model out;
  const Vec2 o2(0.0, 0.0), o4(4.0, 0.0), a(1.0, 0.0), b = meet(a, 3.5, o4, 3.0, 1.0);
  out.bodies = {link("crank", o2, a, 0.2, 1), link("coupler", a, b, 0.2, 2),
                link("rocker", o4, b, 0.2, 3)};
  constexpr double kSpeed = 2.0 * M_PI / 3.6;
  out.joints = {{0, -1, {0.0, 0.0}, o2, false, kSpeed},
                {1, 0, {0.0, 0.0}, {1.0, 0.0}},
                {1, 2, {3.5, 0.0}, {3.0, 0.0}},
                {2, -1, {0.0, 0.0}, o4}};
  return out;
}

Model feeder_model() {
  Model out;
  const Vec2 o2(-1.75, 0.5), o4(-0.85, 1.0);
  constexpr double kCrank = 0.145, kStart = 200.0 * M_PI / 180.0;
  const Vec2 a = o2 + kCrank * Vec2(std::cos(kStart), std::sin(kStart));
  const Vec2 mid = meet(a, 0.9, o4, 0.5, -1.0), end = o4 + 0.9 * (mid - o4) / 0.5;
  const double py = 0.09;
  const Vec2 back(end.x() + std::sqrt(0.45 * 0.45 - (end.y() - py) * (end.y() - py)), py);
  ModelBody hopper;
  hopper.name = "hopper";
  hopper.fixed = true;
  hopper.friction = 0.2;
  hopper.convex = {rectangle(-0.9, -0.1, 4.5, 0.0), rectangle(-0.06, 0.19, 0.0, 2.6),
                   rectangle(0.424, 0.23, 0.484, 2.6)};
  ModelBody pusher;
  pusher.name = "pusher";
  pusher.convex = {rectangle(0.0, -0.08, 0.62, 0.08)};
  pusher.at = back;
  out.bodies = {hopper,
                link("crank", o2, a, 0.1, 1),
                link("coupler", a, mid, 0.08, 2),
                link("rocker", o4, end, 0.08, 3),
                link("rod", end, back, 0.07, 2),
                pusher};
  for (int k = 0; k < 8; ++k) {
    ModelBody block;
    block.name = "block " + std::to_string(k);
    block.convex = {rectangle(-0.2, -0.1, 0.2, 0.1)};
    block.at = Vec2(0.212, 0.1 + 0.2 * k);
    out.bodies.push_back(block);
  }
  out.joints = {{1, -1, {0.0, 0.0}, o2},        {2, 1, {0.0, 0.0}, {kCrank, 0.0}},
                {2, 3, {0.9, 0.0}, {0.5, 0.0}}, {3, -1, {0.0, 0.0}, o4},
                {4, 3, {0.0, 0.0}, {0.9, 0.0}}, {4, 5, {0.45, 0.0}, {0.0, 0.0}},
                {5, -1, {0.0, 0.0}, back, true}};
  const double reach = 0.9 * kCrank;
  out.driven = 1;
  out.grip = Vec2(reach, 0.0);
  out.stiffness = 60.0;
  out.damping = 1.0;
  out.drive = [o2, reach](double time) {
    const double angle = kStart + 2.0 * M_PI * time / 5.0;
    return Vec2(o2 + reach * Vec2(std::cos(angle), std::sin(angle)));
  };
  return out;
}

Model pyramid_model(int rows) {
  Model out;
  ModelBody ground;
  ground.name = "ground";
  ground.fixed = true;
  ground.friction = 0.6;
  ground.convex = {rectangle(-20.0, -1.0, 20.0, 0.0)};
  out.bodies.push_back(ground);
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < rows - row; ++k) {
      ModelBody box;
      box.name = "box " + std::to_string(out.bodies.size());
      box.convex = {rectangle(-0.5, -0.5, 0.5, 0.5)};
      box.at = Vec2(1.125 * (k - 0.5 * (rows - row - 1)), row + 0.5);
      box.friction = 0.6;
      out.bodies.push_back(box);
    }
  out.settles = true;
  return out;
}

Model chain_model(int links) {
  Model out;
  constexpr double kLength = 0.1, kGap = 0.005, kHalfWidth = 0.01;
  for (int k = 0; k < links; ++k) {
    ModelBody link;
    link.name = "link " + std::to_string(k);
    link.convex = {rectangle(kGap, -kHalfWidth, kLength - kGap, kHalfWidth)};
    link.at = Vec2(kLength * k, 0.0);
    link.collides = false;
    out.bodies.push_back(link);
    out.joints.push_back({k, k - 1, Vec2::Zero(), k == 0 ? Vec2(0.0, 0.0) : Vec2(kLength, 0.0)});
  }
  out.keeps_energy = true;
  return out;
}

Model bin_model(int boxes, std::uint64_t seed) {
  Model out;
  const auto wall = [&](const char* name, double x0, double y0, double x1, double y1) {
    ModelBody body;
    body.name = name;
    body.fixed = true;
    body.convex = {rectangle(x0, y0, x1, y1)};
    out.bodies.push_back(body);
  };
  constexpr double kHalf = 2.45, kHigh = 20.0, kThick = 0.2, kPitch = 0.35, kFirst = 0.3;
  wall("floor", -kHalf - 1.0, -kThick, kHalf + 1.0, 0.0);
  wall("left", -kHalf - kThick, 0.0, -kHalf, kHigh);
  wall("right", kHalf, 0.0, kHalf + kThick, kHigh);
  const int row = static_cast<int>(2.0 * kHalf / kPitch);
  Random random(seed);
  for (int k = 0; k < boxes; ++k) {
    ModelBody box;
    box.name = "box " + std::to_string(k);
    const double w = random.between(0.05, 0.1), h = random.between(0.05, 0.1);
    box.convex = {rectangle(-w, -h, w, h)};
    box.at = Vec2(kPitch * (k % row + 0.5) - kHalf, kFirst + kPitch * (k / row));
    box.turn = random.between(0.0, 2.0 * M_PI);
    out.bodies.push_back(box);
  }
  out.settles = true;
  return out;
}

Place place_of(const BodyState& state) {
  const Quat& q = state.world_from_body.rotation;
  return {state.world_from_body.position.head<2>(), 2.0 * std::atan2(q.z(), q.w()),
          state.velocity.head<2>(), state.angular_velocity.z()};
}

World world_of(const Model& model) {
  World out;
  out.problem.gravity = Vec3(0.0, -10.0, 0.0);
  for (const ModelBody& from : model.bodies) {
    shape::PlaneRegion region;
    region.thickness = 1.0;
    for (const auto& polygon : from.convex) region.polygons.push_back({polygon, {}});
    auto shape = shape::make_plane_region(region);
    REPOSE_CHECK(static_cast<bool>(shape));
    Body body;
    body.name = from.name;
    body.shape = *shape;
    body.material.friction = from.friction;
    body.mass = body.shape->volume.volume;
    body.center_body = body.shape->volume.center;
    body.inertia_body = body.shape->volume.inertia;
    body.fixed = from.fixed;
    body.layer = from.layer;
    body.collides = from.collides;
    out.problem.bodies.push_back(body);
    BodyState state;
    state.world_from_body.position = Vec3(from.at.x(), from.at.y(), 0.0);
    state.world_from_body.rotation =
        Quat(std::cos(0.5 * from.turn), 0.0, 0.0, std::sin(0.5 * from.turn));
    out.state.bodies.push_back(state);
  }
  const auto add = [&](const ModelJoint& from, JointKind kind) -> Joint& {
    Joint joint;
    joint.kind = kind;
    joint.id = {static_cast<std::uint32_t>(out.problem.joints.size()), 1};
    joint.body_a = model.bodies[static_cast<std::size_t>(from.a)].name;
    if (from.b >= 0) joint.body_b = model.bodies[static_cast<std::size_t>(from.b)].name;
    joint.point_a = Vec3(from.point_a.x(), from.point_a.y(), 0.0);
    joint.point_b = Vec3(from.point_b.x(), from.point_b.y(), 0.0);
    joint.axis = Vec3::UnitX();
    out.problem.joints.push_back(joint);
    return out.problem.joints.back();
  };
  for (const ModelJoint& joint : model.joints) {
    add(joint, joint.slider ? JointKind::slider : JointKind::pin);
    if (joint.motor_speed != 0.0) add(joint, JointKind::motor).values["speed"] = joint.motor_speed;
  }
  return out;
}

void drag_repose(const Model& model, Method& method, World& world, double time) {
  constexpr double kRenew = 0.1;  // s
  const double turn = std::fmod(time + 0.5 * kRenew * 1e-6, kRenew);
  if (turn > 1e-6) return;
  Edit edit;
  edit.kind = EditKind::drag;
  edit.target = model.bodies[static_cast<std::size_t>(model.driven)].name;
  const Vec2 from = model.drive(time), to = model.drive(time + kRenew);
  edit.values["to"] = std::array<double, 3>{to.x(), to.y(), 0.0};
  edit.values["speed"] = (to - from).norm() / kRenew;
  edit.values["point"] = std::array<double, 3>{model.grip.x(), model.grip.y(), 0.0};
  edit.values["stiffness"] = model.stiffness;
  edit.values["damping"] = model.damping;
  edit.values["max_force"] = 1e6;
  const auto applied = method.apply(edit, world.problem, world.state);
  REPOSE_CHECK(static_cast<bool>(applied));
  const auto prepared = method.prepare(world.problem, world.state);
  REPOSE_CHECK(static_cast<bool>(prepared));
}

}  // namespace repose::mechanism
