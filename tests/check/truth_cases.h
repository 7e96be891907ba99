#pragma once

#include <functional>

#include "repose/shape/make.h"

#include "check/items.h"

// Pairs whose gap is known in closed form.
namespace repose::check::truth {

enum class Contact { point, curve, area };

struct Case {
  std::string name;
  Contact contact;
  PlacedBody a, b;
  double gap;  // m
};

inline shape::ShapePtr box(const Vec3& size) {
  return shape::make_box({size}).value();
}
inline shape::ShapePtr ellipsoid(const Vec3& radii) {
  return shape::make_ellipsoid({radii}).value();
}
inline shape::ShapePtr torus(double ring, double tube) {
  return shape::make_torus({ring, tube}).value();
}
/// Base at z = 0, apex at `height`.
inline shape::ShapePtr cone(double radius, double height) {
  return shape::make_cone({radius, height, 0.0}).value();
}

/// A block with a conical hole, apex down at the origin, 30 degrees to its axis.
inline shape::ShapePtr funnel(double s) {
  shape::RevolutionInput in;
  const double t = std::tan(std::numbers::pi / 6);
  in.profile = {s * Vec2(0, -1), s * Vec2(2, -1), s * Vec2(2, 3), s * Vec2(3 * t, 3), Vec2(0, 0)};
  in.corners = {0, 1, 2, 3, 4};
  return shape::make_revolution(in).value();
}

/// The coordinate x in [-1, 1] of control point i of a cubic, or its square.
inline double net_x(int i) {
  return 2.0 * i / 3.0 - 1.0;
}
inline double net_square(int i) {
  return i == 0 || i == 3 ? 1.0 : -1.0 / 3.0;
}

/// A square block whose upper face is the paraboloid z = (x^2 + y^2) / (4 f), as bicubic patches.
inline shape::ShapePtr paraboloid(double half, double f) {
  shape::BezierInput in;
  const double deep = half;
  const auto top = [&](int i, int j) {
    return Vec3(half * net_x(i), half * net_x(j),
                half * half * (net_square(i) + net_square(j)) / (4.0 * f));
  };
  const auto add = [&](const std::function<Vec3(int, int)>& at) {
    std::array<std::array<Vec3, 4>, 4> net;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        net[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = at(i, j);
    in.patches.push_back(net);
  };
  add(top);
  add([&](int i, int j) { return Vec3(half * net_x(j), half * net_x(i), -deep); });
  // four walls, straight from the floor up to the rim
  const auto wall = [&](const std::function<Vec3(int)>& rim) {
    add([&](int i, int j) {
      const Vec3 up = rim(i), low(up.x(), up.y(), -deep);
      return Vec3(low + (up - low) * (j / 3.0));
    });
  };
  wall([&](int i) { return top(i, 0); });
  wall([&](int i) { return top(3 - i, 3); });
  wall([&](int i) { return top(0, 3 - i); });
  wall([&](int i) { return top(3, i); });
  return shape::make_bezier(in).value();
}

/// All cases, blown up by s.
inline std::vector<Case> cases(double s) {
  const double pi = std::numbers::pi;
  const Vec3 zero = Vec3::Zero();
  const Quat over = rotation_from_vector(Vec3(pi, 0, 0));
  const auto z = [&](double h) { return Vec3(0, 0, s * h); };
  std::vector<Case> out;
  const auto add = [&](const char* name, Contact contact, const PlacedBody& a, const PlacedBody& b,
                       double gap) {
    out.push_back({name, contact, a, b, s * gap});
  };
  const Quat tipped = rotation_between(Vec3(1, 1, 1), Vec3::UnitZ());
  add("ellipsoid on ground", Contact::point, at(ground(), zero),
      at(ellipsoid(s * Vec3(3, 2, 1)), z(std::sqrt(14.0 / 3.0)), tipped), 0.0);
  add("ellipsoid on box", Contact::point, at(box(s * Vec3(8, 8, 2)), z(-1)),
      at(ellipsoid(s * Vec3(3, 2, 1)), z(std::sqrt(14.0 / 3.0)), tipped), 0.0);
  add("ball in paraboloid, vertex", Contact::point, at(paraboloid(s, 0.25 * s), zero),
      at(ball(0.4 * s), z(0.4)), 0.0);
  add("ellipsoids, tip to tip", Contact::point, at(ellipsoid(s * Vec3(1, 2, 3)), zero),
      at(ellipsoid(s * Vec3(2, 1, 1.5)), z(4.5)), 0.0);
  add("cone's apex on box", Contact::point, at(box(s * Vec3(2, 2, 1)), z(-0.5)),
      at(cone(0.5 * s, s), Vec3(0.1 * s, 0.2 * s, s), over), 0.0);
  add("box corner on box", Contact::point, at(box(s * Vec3(4, 4, 1)), z(-0.5)),
      at(box(s * Vec3::Ones()), z(0.5 * std::sqrt(3.0)), tipped), 0.0);
  add("ball on torus", Contact::point, at(torus(s, 0.25 * s), zero),
      at(ball(0.5 * s), Vec3(s, 0, 0.75 * s)), 0.0);
  add("ball in cone", Contact::curve, at(funnel(s), zero), at(ball(s), z(2)), 0.0);
  add("ball in paraboloid, r = 1", Contact::curve, at(paraboloid(1.5 * s, 0.25 * s), zero),
      at(ball(s), z(1.25)), 0.0);
  add("ball in paraboloid, r = 2", Contact::curve, at(paraboloid(2.5 * s, 0.25 * s), zero),
      at(ball(2 * s), z(4.25)), 0.0);
  add("torus over cone", Contact::curve, at(cone(3 * std::tan(pi / 6) * s, 3 * s), z(-3)),
      at(torus(s, 0.25 * s), z((0.25 - std::cos(pi / 6)) / 0.5)), 0.0);
  add("coaxial tori", Contact::curve, at(torus(2 * s, 0.5 * s), zero),
      at(torus(1.2 * s, 0.3 * s), z(1.5)), 0.9);
  add("linked tori", Contact::curve, at(torus(s, 0.25 * s), zero),
      at(torus(s, 0.25 * s), Vec3(s, 0, 0), rotation_from_vector(Vec3(pi / 2, 0, 0))), 0.5);
  add("box on box", Contact::area, at(box(s * Vec3(2, 2, 1)), z(-0.5)),
      at(box(s * Vec3(1, 2, 3)), Vec3(0.7, 0.3, 1.5) * s, rotation_from_vector(Vec3(0, 0, 0.3))),
      0.0);
  add("cylinder on box", Contact::area, at(box(s * Vec3(2, 2, 1)), z(-0.5)),
      at(shape::make_cylinder({0.5 * s, s}).value(), Vec3(0.8, 0.3, 0.5) * s), 0.0);
  add("box sunk into box", Contact::area, at(box(s * Vec3(2, 2, 1)), z(-0.5)),
      at(box(s * Vec3(1, 1, 1)), Vec3(0.3, 0.2, 0.499) * s), -0.001);
  return out;
}

/// The same pair elsewhere.
inline Case moved(Case c, const Pose& by) {
  c.a.world_from_body = by * c.a.world_from_body;
  c.b.world_from_body = by * c.b.world_from_body;
  return c;
}
inline Pose random_motion(Random& random, double s) {
  return {3.0 * s * random_direction(random), random_rotation(random)};
}

/// The bracket's width that is asked for, over the smaller body's size.
inline double width_asked(Contact contact) {
  return contact == Contact::curve ? 1e-6 : 1e-9;
}

}  // namespace repose::check::truth
