#pragma once

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/items.h"

// Scenes with the contacts that they must have, given by hand: what the judge finds and what it
// makes of the contacts given must agree with each other and with the closed forms.
namespace repose::check::scenes {

struct Scene {
  Input input;
  std::vector<ContactPoint> contacts;

  PlacedBody& add(const shape::ShapePtr& shape, const Vec3& place, const Vec3& turn,
                  double friction) {
    input.bodies.push_back(at(shape, place, rotation_from_vector(turn)));
    input.bodies.back().friction = friction;
    input.bodies.back().name = "body " + std::to_string(input.bodies.size());
    return input.bodies.back();
  }
  void fixed_ball(double radius, const Vec3& place, double friction) {
    add(ball(radius), place, Vec3::Zero(), friction).fixed = true;
  }
  void free_ball(double radius, const Vec3& place, double friction, double mass) {
    add(ball(radius), place, Vec3::Zero(), friction).mass = mass;
  }
  void plane(const Vec3& place, const Vec3& turn, double friction) {
    add(ground(), place, turn, friction).fixed = true;
  }
  void box(const Vec3& size, const Vec3& place, const Vec3& turn, double friction, double mass) {
    add(shape::make_box({size}).value(), place, turn, friction).mass = mass;
  }
  void contact(int a, int b, const Vec3& point, const Vec3& normal, double friction) {
    ContactPoint c;
    c.body_a = a;
    c.body_b = b;
    c.point = point;
    c.normal_a_to_b = normal;
    c.friction = friction;
    contacts.push_back(c);
  }
  void load(int body, const Vec3& force, const Vec3& point, const Vec3& torque) {
    input.loads.push_back({body, force, point, torque});
  }
  void joint(int a, int b, const Vec3& point, const Vec3& force) {
    Restraint j;
    j.body_a = a - 1;  // 0: the world
    j.body_b = b - 1;
    j.point_world = point;
    j.forces = {force};
    input.restraints.push_back(j);
  }
};

// one line for each thing given
// clang-format off

/// A board on three balls, pressed at one place: statics decides the three forces.
inline Scene board_on_balls() {
  Scene s;
  s.fixed_ball(0.5, {-0.6, -0.5, -0.5}, 0.25);
  s.fixed_ball(0.4, {0.8, -0.4, -0.4}, 0.25);
  s.fixed_ball(0.3, {0.1, 0.7, -0.3}, 0.25);
  s.box({2.4, 2.2, 0.2}, {0.15, -0.05, 0.1}, {0, 0, 0}, 0.5, 3.0);
  s.contact(0, 3, {-0.6, -0.5, 0}, {0, 0, 1}, 0.25);
  s.contact(1, 3, {0.8, -0.4, 0}, {0, 0, 1}, 0.25);
  s.contact(2, 3, {0.1, 0.7, 0}, {0, 0, 1}, 0.25);
  s.load(3, {0.8, -0.3, -5.0}, {1.0, 0.5, 0.2}, {0.4, -0.2, 0});
  return s;
}

/// Two balls of different size between a floor and two walls, without friction.
inline Scene balls_in_slot() {
  Scene s;
  s.plane({0, 0, 0.1}, {0, 0, 0}, 0.3);
  s.plane({-0.2, 0, 0}, {0, 1.5707963267948966, 0}, 0.3);
  s.plane({2.9, 0, 0}, {0, -1.5707963267948966, 0}, 0.3);
  s.free_ball(1.0, {0.8, 0.25, 1.1}, 0.0, 2.0);
  s.free_ball(0.8, {2.1, 0.25, 2.3449899597988731}, 0.0, 1.5);
  s.contact(0, 3, {0.8, 0.25, 0.1}, {0, 0, 1}, 0.0);
  s.contact(1, 3, {-0.2, 0.25, 1.1}, {1, 0, 0}, 0.0);
  s.contact(2, 4, {2.9, 0.25, 2.3449899597988731}, {-1, 0, 0}, 0.0);
  s.contact(3, 4, {1.5222222222222221, 0.25, 1.7916610887771517}, {0.7222222222222222, 0, 0.69166108877715166}, 0.0);
  return s;
}

/// A block on a slope, held back by a rope that pulls along it.
inline Scene block_on_slope() {
  Scene s;
  s.plane({0.2, 0, -0.1}, {0, 0.25, 0}, 0.1);
  s.box({1.0, 0.6, 0.4}, {0.249480791850904, 0.3, 0.093782484308628}, {0, 0.25, 0}, 0.4, 2.5);
  s.contact(0, 1, {0.684456210855322, 0.6, -0.223701979762462}, {0.24740395925452294, 0, 0.96891242171064473}, 0.1);
  s.contact(0, 1, {0.684456210855322, 0.0, -0.223701979762462}, {0.24740395925452294, 0, 0.96891242171064473}, 0.1);
  s.contact(0, 1, {-0.284456210855322, 0.6, 0.023701979762462}, {0.24740395925452294, 0, 0.96891242171064473}, 0.1);
  s.contact(0, 1, {-0.284456210855322, 0.0, 0.023701979762462}, {0.24740395925452294, 0, 0.96891242171064473}, 0.1);
  s.joint(0, 2, {0.249480791850904, 0.3, 0.093782484308628}, {-0.96891242171064473, 0, 0.24740395925452294});
  return s;
}

// clang-format on

}  // namespace repose::check::scenes
