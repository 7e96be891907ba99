#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "repose/base/random.h"
#include "repose/mechanism/contact_forces.h"

namespace repose::mechanism {

/// Bodies, contacts and pins in the plane, turned into rows. Gravity along -y unless set.
struct PlaneScene {
  struct PlaneBody {
    double x, y;
    std::array<double, 3> acceleration;  // without contact
    std::array<double, 3> velocity;
  };
  ForceProblem problem;
  std::vector<PlaneBody> bodies;
  double gravity_x = 0.0, gravity_y = -9.81;

  int add_body(double x, double y, double mass, double inertia) {
    problem.bodies.push_back({1.0 / mass, 1.0 / mass, 1.0 / inertia});
    bodies.push_back({x, y, {gravity_x, gravity_y, 0.0}, {}});
    return static_cast<int>(bodies.size()) - 1;
  }
  int add_box(double x, double y, double width, double height, double density = 1.0) {
    const double mass = density * width * height;
    return add_body(x, y, mass, mass * (width * width + height * height) / 12.0);
  }
  int add_fixed() {
    problem.bodies.push_back({0.0, 0.0, 0.0});
    bodies.push_back({0.0, 0.0, {}, {}});
    return static_cast<int>(bodies.size()) - 1;
  }
  /// The part of a unit force along (ux, uy) through (px, py).
  RowPart part(int body, double px, double py, double ux, double uy) const {
    if (body < 0) return {};
    const double rx = px - bodies[body].x, ry = py - bodies[body].y;
    return {ux, uy, rx * uy - ry * ux};
  }
  double along(const ForceRow& row, bool velocity) const {
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
      if (row.body_a >= 0) {
        const PlaneBody& body = bodies[row.body_a];
        sum += row.part_a[c] * (velocity ? body.velocity[c] : body.acceleration[c]);
      }
      if (row.body_b >= 0) {
        const PlaneBody& body = bodies[row.body_b];
        sum += row.part_b[c] * (velocity ? body.velocity[c] : body.acceleration[c]);
      }
    }
    return sum;
  }
  int add_row(ForceRow row, int a, int b, double px, double py, double ux, double uy) {
    row.body_a = a;
    row.body_b = b;
    row.part_a = part(a, px, py, ux, uy);
    row.part_b = part(b, px, py, -ux, -uy);
    row.b = along(row, false);
    problem.rows.push_back(row);
    return static_cast<int>(problem.rows.size()) - 1;
  }
  /// (nx, ny) points from b to a. mu < 0: no friction row.
  int add_contact(int a, int b, double px, double py, double nx, double ny, double mu,
                  int slip = 0) {
    const int normal = add_row({.kind = RowKind::normal}, a, b, px, py, nx, ny);
    if (mu >= 0.0) {
      add_row({.kind = RowKind::friction, .normal_row = normal, .mu = mu, .slip = slip}, a, b, px,
              py, -ny, nx);
    }
    return normal;
  }
  int add_pin(int a, int b, double px, double py) {
    const int row = add_row({}, a, b, px, py, 1.0, 0.0);
    add_row({}, a, b, px, py, 0.0, 1.0);
    return row;
  }
};

/// A triangle of boxes, `base` of them in the lowest row, each resting with two points on each of
/// the two below it: redundant many times over.
inline PlaneScene box_pyramid(int base, double mu, double size = 1.0) {
  PlaneScene scene;
  std::vector<int> below;
  const double pitch = 1.1 * size;
  for (int level = 0; level < base; ++level) {
    std::vector<int> row;
    const double y = (level + 0.5) * size;
    for (int k = 0; k < base - level; ++k) {
      const double x = pitch * (k + 0.5 * level);
      const int box = scene.add_box(x, y, size, size);
      row.push_back(box);
      const double left = x - 0.5 * size, right = x + 0.5 * size, foot = y - 0.5 * size;
      if (level == 0) {
        scene.add_contact(box, -1, left, foot, 0.0, 1.0, mu);
        scene.add_contact(box, -1, right, foot, 0.0, 1.0, mu);
        continue;
      }
      const double end = x - 0.5 * pitch + 0.5 * size, begin = x + 0.5 * pitch - 0.5 * size;
      scene.add_contact(box, below[k], left, foot, 0.0, 1.0, mu);
      scene.add_contact(box, below[k], end, foot, 0.0, 1.0, mu);
      scene.add_contact(box, below[k + 1], begin, foot, 0.0, 1.0, mu);
      scene.add_contact(box, below[k + 1], right, foot, 0.0, 1.0, mu);
    }
    below = row;
  }
  return scene;
}

/// Bodies scattered in the plane with contacts, friction, pins and motors between them at random.
/// What acts on them derives from body accelerations, so that frictionless answers exist.
inline PlaneScene random_scene(Random& random, double sliding_share) {
  PlaneScene scene;
  const int bodies = 1 + static_cast<int>(random.below(7));
  for (int k = 0; k < bodies; ++k) {
    const double mass = std::pow(10.0, random.between(-1.5, 1.5));
    const double radius = random.between(0.2, 1.0);
    const int body = scene.add_body(random.between(-3.0, 3.0), random.between(-3.0, 3.0), mass,
                                    mass * radius * radius);
    for (int c = 0; c < 3; ++c) scene.bodies[body].acceleration[c] += random.normal();
  }
  const int contacts = 1 + static_cast<int>(random.below(2 * bodies + 2));
  const int pins = static_cast<int>(random.below(bodies));
  auto other_than = [&](int a) {
    const int b = static_cast<int>(random.below(bodies + 1)) - 1;
    return b == a ? -1 : b;
  };
  for (int k = 0; k < pins; ++k) {
    const int a = static_cast<int>(random.below(bodies)), b = other_than(a);
    if (b < 0 && random.unit() < 0.5) continue;
    scene.add_pin(a, b, random.between(-3.0, 3.0), random.between(-3.0, 3.0));
  }
  for (int k = 0; k < contacts; ++k) {
    const int a = static_cast<int>(random.below(bodies)), b = other_than(a);
    const double angle = random.between(0.0, 2.0 * std::numbers::pi);
    const double mu = random.unit() < 0.2 ? 0.0 : random.between(0.05, 1.2);
    const int slip = random.unit() < sliding_share ? (random.unit() < 0.5 ? 1 : -1) : 0;
    scene.add_contact(a, b, random.between(-3.0, 3.0), random.between(-3.0, 3.0), std::cos(angle),
                      std::sin(angle), mu, slip);
  }
  if (random.unit() < 0.3) {
    const int a = static_cast<int>(random.below(bodies));
    ForceRow motor{.low = -random.between(0.0, 5.0), .high = random.between(0.0, 5.0)};
    motor.body_a = a;
    motor.part_a = {0.0, 0.0, 1.0};
    motor.b = random.normal();
    scene.problem.rows.push_back(motor);
  }
  return scene;
}

/// Painleve's rod: uniform, of length 2 and mass 1, its lower end sliding on the floor.
inline PlaneScene painleve_rod(double angle, double mu, int slip, double spin) {
  PlaneScene scene;
  const double c = std::cos(angle), s = std::sin(angle);
  const int rod = scene.add_body(c, s, 1.0, 1.0 / 3.0);  // lower end at the origin
  const int normal = scene.add_contact(rod, -1, 0.0, 0.0, 0.0, 1.0, mu, slip);
  // the end's own acceleration from the rod's turning
  scene.problem.rows[normal].b += spin * spin * s;
  scene.problem.rows[normal + 1].b -= spin * spin * c;
  return scene;
}

}  // namespace repose::mechanism
