#pragma once

#include <functional>
#include <numbers>

#include <Eigen/Dense>

#include "repose/shape/make.h"

#include "check/items.h"
#include "check/shapes.h"

// Bodies whose inside and surface are known here in plain formulas, for judging the judge.
namespace repose::check::sweep {

/// A point of a body's surface.
struct Sample {
  Vec3 point, normal;
  const shape::Patch* patch = nullptr;  // nullptr: on a triangle
  Vec2 uv = Vec2::Zero();
};

struct Body {
  std::string kind;
  shape::ShapePtr shape;
  std::function<bool(const Vec3&)> inside;
  std::function<Vec3(const Vec3&)> support;  // empty: not convex, or not known
  std::vector<Sample> samples;
  bool convex = false;
  long number = 0;  // among those drawn
  /// Has one normal everywhere.
  bool smooth() const {
    return kind != "cylinder" && kind != "cone" && kind != "box" && kind != "mesh" &&
           kind != "bezier" && kind != "revolved";
  }
};

/// A grid of points over each face, ends included.
inline void sample_patches(Body& body, int per_side) {
  const auto& solid = std::get<shape::Solid>(body.shape->geometry);
  for (const auto& part : solid.parts)
    for (const auto& face : part.faces) {
      const shape::UvBox d = face.patch->domain();
      for (int i = 0; i <= per_side; ++i)
        for (int j = 0; j <= per_side; ++j) {
          const Vec2 uv(d.u0 + (d.u1 - d.u0) * i / per_side, d.v0 + (d.v1 - d.v0) * j / per_side);
          body.samples.push_back({face.patch->point(uv.x(), uv.y()), face.normal(uv.x(), uv.y()),
                                  face.patch.get(), uv});
        }
    }
}

inline void sample_triangles(Body& body) {
  const auto& mesh = std::get<shape::TriangleMesh>(body.shape->geometry);
  constexpr int kSteps = 3;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.points[static_cast<std::size_t>(t[0])],
               b = mesh.points[static_cast<std::size_t>(t[1])],
               c = mesh.points[static_cast<std::size_t>(t[2])];
    const Vec3 n = (b - a).cross(c - a).normalized();
    for (int i = 0; i <= kSteps; ++i)
      for (int j = 0; i + j <= kSteps; ++j)
        body.samples.push_back({a + (b - a) * (1.0 * i / kSteps) + (c - a) * (1.0 * j / kSteps), n,
                                nullptr, Vec2::Zero()});
  }
}

inline Body sphere_body(Random& random) {
  const double r = random.between(0.3, 1.5);
  Body b{"sphere", shape::make_ball({r}).value(), {}, {}, {}, true};
  b.inside = [r](const Vec3& p) { return p.norm() < r; };
  b.support = [r](const Vec3& n) -> Vec3 { return r * n; };
  constexpr int kPoints = 700;
  for (int k = 0; k < kPoints; ++k) {
    const Vec3 n = random_direction(random);
    b.samples.push_back({r * n, n, nullptr, Vec2::Zero()});
  }
  return b;
}

inline Body ellipsoid_body(Random& random) {
  const Vec3 a(random.between(0.3, 1.5), random.between(0.3, 1.5), random.between(0.3, 1.5));
  Body b{"ellipsoid", shape::make_ellipsoid({a}).value(), {}, {}, {}, true};
  b.inside = [a](const Vec3& p) { return p.cwiseQuotient(a).norm() < 1.0; };
  b.support = [a](const Vec3& n) -> Vec3 {
    const Vec3 s = a.cwiseProduct(a).cwiseProduct(n);
    return s / a.cwiseProduct(n).norm();
  };
  sample_patches(b, 10);
  return b;
}

inline Body superellipsoid_body(Random& random) {
  const Vec3 a(random.between(0.3, 1.5), random.between(0.3, 1.5), random.between(0.3, 1.5));
  const double n = random.between(0.3, 0.95), e = random.between(0.3, 1.0);
  Body b{"superellipsoid", shape::make_superellipsoid({a, n, e}).value(), {}, {}, {}, true};
  b.inside = [a, n, e](const Vec3& p) {
    const Vec3 x = p.cwiseQuotient(a).cwiseAbs();
    const double waist = std::pow(std::pow(x.x(), 2 / e) + std::pow(x.y(), 2 / e), e / n);
    return waist + std::pow(x.z(), 2 / n) < 1.0;
  };
  sample_patches(b, 10);
  return b;
}

inline Body cylinder_body(Random& random) {
  const double r = random.between(0.3, 1.2), h = random.between(0.4, 2.0);
  Body b{"cylinder", shape::make_cylinder({r, h}).value(), {}, {}, {}, true};
  b.inside = [r, h](const Vec3& p) {
    return std::hypot(p.x(), p.y()) < r && std::fabs(p.z()) < 0.5 * h;
  };
  b.support = [r, h](const Vec3& n) -> Vec3 {
    const double across = std::hypot(n.x(), n.y());
    return {r * n.x() / across, r * n.y() / across, n.z() > 0 ? 0.5 * h : -0.5 * h};
  };
  sample_patches(b, 14);
  return b;
}

inline Body box_body(Random& random) {
  const Vec3 s(random.between(0.3, 1.5), random.between(0.3, 1.5), random.between(0.3, 1.5));
  Body b{"box", shape::make_box({s}).value(), {}, {}, {}, true};
  b.inside = [s](const Vec3& p) { return (p.cwiseAbs().array() < 0.5 * s.array()).all(); };
  b.support = [s](const Vec3& n) -> Vec3 {
    Vec3 p = 0.5 * s;
    for (int k = 0; k < 3; ++k) p[k] = std::copysign(p[k], n[k]);
    return p;
  };
  sample_patches(b, 10);
  return b;
}

inline Body capsule_body(Random& random) {
  const double r = random.between(0.2, 0.6), h = random.between(0.4, 2.0);
  Body b{"capsule", shape::make_capsule({r, h}).value(), {}, {}, {}, true};
  const auto foot = [h](const Vec3& p) { return Vec3(0, 0, std::clamp(p.z(), -0.5 * h, 0.5 * h)); };
  b.inside = [r, foot](const Vec3& p) { return (p - foot(p)).norm() < r; };
  b.support = [r, h](const Vec3& n) -> Vec3 {
    return r * n + Vec3(0, 0, n.z() > 0 ? 0.5 * h : -0.5 * h);
  };
  sample_patches(b, 8);
  return b;
}

inline Body cone_body(Random& random) {
  const double r = random.between(0.3, 1.2), h = random.between(0.4, 2.0);
  Body b{"cone", shape::make_cone({r, h, 0.0}).value(), {}, {}, {}, true};
  b.inside = [r, h](const Vec3& p) {
    return p.z() > 0 && std::hypot(p.x(), p.y()) < r * (1.0 - p.z() / h);
  };
  b.support = [r, h](const Vec3& n) -> Vec3 {
    const double across = std::hypot(n.x(), n.y());
    if (n.z() * h > r * across) return {0, 0, h};
    return {r * n.x() / across, r * n.y() / across, 0.0};
  };
  sample_patches(b, 14);
  return b;
}

inline Body torus_body(Random& random) {
  const double ring = random.between(0.5, 1.2), tube = ring * random.between(0.15, 0.6);
  Body b{"torus", shape::make_torus({ring, tube}).value(), {}, {}, {}, false};
  b.inside = [ring, tube](const Vec3& p) {
    return std::hypot(std::hypot(p.x(), p.y()) - ring, p.z()) < tube;
  };
  sample_patches(b, 28);
  return b;
}

/// A vase: thin neck, round belly, flat foot.
inline Body revolved_body(Random& random) {
  const double s = random.between(0.5, 1.2);
  shape::RevolutionInput in;
  for (const auto& [r, z] : {std::pair(0.6, 0.0), std::pair(random.between(0.7, 1.0), 0.5),
                             std::pair(random.between(0.3, 0.45), 1.1), std::pair(0.5, 1.5)})
    in.profile.emplace_back(s * r, s * z);
  in.profile.emplace_back(0.0, s * 1.6);
  in.corners = {0, 3};
  Body b{"revolved", shape::make_revolution(in).value(), {}, {}, {}, false};
  sample_patches(b, 20);
  // the meridian as a polygon of very short sides
  std::vector<Vec2> outline;
  for (const auto& face : std::get<shape::Solid>(b.shape->geometry).parts[0].faces) {
    if (face.patch->planar()) continue;
    constexpr int kSides = 4000;
    const shape::UvBox d = face.patch->domain();
    for (int k = 0; k <= kSides; ++k) {
      const Vec3 p = face.patch->point(0.0, d.v0 + (d.v1 - d.v0) * k / kSides);
      outline.emplace_back(p.x(), p.z());
    }
  }
  outline.emplace_back(0.0, s * 1.6);
  outline.emplace_back(0.0, 0.0);
  b.inside = [outline](const Vec3& p) {
    const Vec2 x(std::hypot(p.x(), p.y()), p.z());
    bool in_it = false;
    for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
      const Vec2 &a = outline[i], &c = outline[j];
      if ((a.y() > x.y()) != (c.y() > x.y()) &&
          x.x() < (c.x() - a.x()) * (x.y() - a.y()) / (c.y() - a.y()) + a.x())
        in_it = !in_it;
    }
    return in_it;
  };
  return b;
}

/// Where the ray from the origin through p leaves a body that every such ray leaves once.
inline bool inside_star(const std::vector<std::array<Vec3, 3>>& triangles, const Vec3& p) {
  for (const auto& [a, b, c] : triangles) {
    Mat3 m;
    m << a, b, c;
    const Vec3 w = m.fullPivLu().solve(p);
    if (w.minCoeff() >= -1e-12) return w.sum() < 1.0;
  }
  return false;
}

/// A dented cube of six bicubic patches, seen whole from its middle.
inline Body bezier_body(Random& random) {
  const double s = random.between(0.4, 1.0), dent = random.between(-0.5, 0.35);
  shape::BezierInput in;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      std::array<std::array<Vec3, 4>, 4> net;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          Vec3 p;
          p[axis] = sign;
          p[(axis + 1) % 3] = (2.0 * i / 3.0 - 1.0) * sign;
          p[(axis + 2) % 3] = 2.0 * j / 3.0 - 1.0;
          const bool middle = i % 3 && j % 3;
          net[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
              s * (middle ? Vec3(p * (1.0 - dent)) : p);
        }
      in.patches.push_back(net);
    }
  Body b{"bezier", shape::make_bezier(in).value(), {}, {}, {}, false};
  sample_patches(b, 12);
  const auto faces = std::get<shape::Solid>(b.shape->geometry).parts[0].faces;
  b.inside = [faces](const Vec3& p) {
    // p = t S(u, v), by Newton's method on each face that it may belong to
    for (const auto& face : faces) {
      if (face.normal(0.5, 0.5).dot(p) <= 0.0) continue;
      Vec3 x(0.5, 0.5, 1.0);
      for (int k = 0; k < 30; ++k) {
        const shape::PatchJet j =
            face.patch->jet(std::clamp(x[0], 0.0, 1.0), std::clamp(x[1], 0.0, 1.0));
        Mat3 m;
        m << x[2] * j.su, x[2] * j.sv, j.s;
        x -= m.fullPivLu().solve(x[2] * j.s - p);
        x[0] = std::clamp(x[0], -0.2, 1.2);
        x[1] = std::clamp(x[1], -0.2, 1.2);
      }
      const bool on_face =
          x[0] >= -1e-9 && x[0] <= 1 + 1e-9 && x[1] >= -1e-9 && x[1] <= 1 + 1e-9 && x[2] > 0.0;
      if (on_face &&
          (x[2] * face.patch->point(std::clamp(x[0], 0.0, 1.0), std::clamp(x[1], 0.0, 1.0)) - p)
                  .norm() < 1e-7)
        return x[2] < 1.0;
    }
    return false;
  };
  return b;
}

inline Body mesh_body(Random& random) {
  Body b{"mesh", round_mesh(14, 9, random.between(0.4, 1.2), random.between(0.0, 0.15)), {}, {}, {},
         false};
  const auto& mesh = std::get<shape::TriangleMesh>(b.shape->geometry);
  std::vector<std::array<Vec3, 3>> triangles;
  for (const auto& t : mesh.triangles)
    triangles.push_back({mesh.points[static_cast<std::size_t>(t[0])],
                         mesh.points[static_cast<std::size_t>(t[1])],
                         mesh.points[static_cast<std::size_t>(t[2])]});
  b.inside = [triangles](const Vec3& p) { return inside_star(triangles, p); };
  sample_triangles(b);
  return b;
}

using Maker = Body (*)(Random&);
inline const std::vector<Maker>& makers() {
  static const std::vector<Maker> all{
      sphere_body, ellipsoid_body, torus_body, superellipsoid_body, cylinder_body, revolved_body,
      bezier_body, mesh_body,      box_body,   capsule_body,        cone_body};
  return all;
}

}  // namespace repose::check::sweep
