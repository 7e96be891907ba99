#include "repose/collide/obstacle.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "repose/shape/form.h"
#include "repose/shape/tessellate.h"

namespace repose::collide {

namespace {

/// Chord error of curved solids that are met by their triangles, of the bounding radius.
constexpr double kChord = 1e-3;
constexpr int kMostTriangles = 400000;
/// Rounds of the search for the foot on an ellipsoid; the plane is true after any of them.
constexpr int kFootRounds = 60;
/// Points of a rim that hold it.
constexpr int kRimPoints = 8;

struct BallShape;

/// One convex piece: a shape knows the foot of a point and how far it extends in a direction.
template <class Shape>
class ConvexObstacle final : public Obstacle {
 public:
  ConvexObstacle(const Shape& shape, double margin) : shape_(shape), margin_(margin) {}

  void near(const Vec3& point, double within, std::vector<int>& pieces) const override {
    if (plane(point, 0).gap(point) < within) pieces.push_back(0);
  }
  Plane plane(const Vec3& point, int) const override {
    Plane out;
    out.foot = shape_.foot(point);
    const Vec3 way = point - out.foot;
    const double length = way.norm();
    out.normal = length > 0.0 ? Vec3(way / length) : shape_.outward(point);
    out.offset = shape_.extent(out.normal) + margin_;
    return out;
  }
  Vec3 support(const Vec3& direction, int) const override {
    return shape_.farthest(direction) + margin_ * direction;
  }
  void corners(const Vec3& down, int, std::vector<Corner>& out) const override {
    shape_.corners(down, out);
    for (Corner& corner : out) corner.point += margin_ * down;
  }
  double ball_radius() const override {
    if constexpr (std::is_same_v<Shape, BallShape>) return shape_.radius + margin_;
    return 0.0;
  }

 private:
  Shape shape_;
  double margin_;  // m
};

template <class Shape>
std::shared_ptr<const Obstacle> convex(const Shape& shape, double margin) {
  return std::make_shared<ConvexObstacle<Shape>>(shape, margin);
}

/// The half-space's one plane, whatever the point.
class HalfSpaceObstacle final : public Obstacle {
 public:
  void near(const Vec3& point, double within, std::vector<int>& pieces) const override {
    if (point.z() < within) pieces.push_back(0);
  }
  Plane plane(const Vec3& point, int) const override {
    return {Vec3::UnitZ(), 0.0, {point.x(), point.y(), 0.0}};
  }
  bool endless() const override { return true; }
  Vec3 support(const Vec3&, int) const override { return Vec3::Zero(); }
  void corners(const Vec3&, int, std::vector<Corner>&) const override {}
};

struct BallShape {
  double radius;
  Vec3 foot(const Vec3& p) const {
    const double length = p.norm();
    return length > radius ? Vec3(p * (radius / length)) : p;
  }
  Vec3 outward(const Vec3& p) const { return p.norm() > 0.0 ? p.normalized() : Vec3::UnitZ(); }
  double extent(const Vec3&) const { return radius; }
  Vec3 farthest(const Vec3& d) const { return radius * d; }
  void corners(const Vec3& down, std::vector<Corner>& out) const {
    out.push_back({radius * down, 0});
  }
};

struct BoxShape {
  Vec3 low, high;
  Vec3 foot(const Vec3& p) const { return p.cwiseMax(low).cwiseMin(high); }
  Vec3 outward(const Vec3& p) const {
    Vec3 out = Vec3::UnitZ();
    double least = high.z() - p.z();
    for (int k = 0; k < 3; ++k) {
      if (high[k] - p[k] < least) least = high[k] - p[k], out = Vec3::Unit(k);
      if (p[k] - low[k] < least) least = p[k] - low[k], out = -Vec3::Unit(k);
    }
    return out;
  }
  double extent(const Vec3& n) const {
    double out = 0.0;
    for (int k = 0; k < 3; ++k) out += std::max(n[k] * low[k], n[k] * high[k]);
    return out;
  }
  Vec3 farthest(const Vec3& d) const {
    return (d.array() > 0.0).select(high.array(), low.array()).matrix();
  }
  void corners(const Vec3&, std::vector<Corner>& out) const {
    for (int c = 0; c < 8; ++c)
      out.push_back(
          {Vec3((c & 1 ? high : low).x(), (c & 2 ? high : low).y(), (c & 4 ? high : low).z()), c});
  }
};

struct PolyhedronShape {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<Plane> faces;  // outward

  explicit PolyhedronShape(const shape::ConvexPolyhedron& from) : points(from.points) {
    for (const std::vector<int>& face : from.faces) {
      Vec3 normal = Vec3::Zero();
      for (std::size_t k = 2; k < face.size(); ++k) {
        triangles.push_back({face[0], face[k - 1], face[k]});
        normal += (at(face[k - 1]) - at(face[0])).cross(at(face[k]) - at(face[0]));
      }
      if (!(normal.norm() > 0.0)) continue;
      Plane plane;
      plane.normal = normal.normalized();
      plane.offset = extent(plane.normal);
      faces.push_back(plane);
    }
  }
  const Vec3& at(int i) const { return points[static_cast<std::size_t>(i)]; }
  const Plane& nearest_face(const Vec3& p) const {
    return *std::max_element(faces.begin(), faces.end(),
                             [&](const Plane& a, const Plane& b) { return a.gap(p) < b.gap(p); });
  }
  Vec3 foot(const Vec3& p) const {
    if (nearest_face(p).gap(p) <= 0.0) return p;
    Vec3 out = points[0];
    for (const auto& [a, b, c] : triangles)
      if (const Vec3 near = nearest_in_triangle(p, at(a), at(b), at(c));
          (near - p).squaredNorm() < (out - p).squaredNorm())
        out = near;
    return out;
  }
  Vec3 outward(const Vec3& p) const { return nearest_face(p).normal; }
  double extent(const Vec3& n) const { return n.dot(farthest(n)); }
  Vec3 farthest(const Vec3& d) const {
    return *std::max_element(points.begin(), points.end(),
                             [&](const Vec3& a, const Vec3& b) { return d.dot(a) < d.dot(b); });
  }
  void corners(const Vec3&, std::vector<Corner>& out) const {
    for (std::size_t i = 0; i < points.size(); ++i) out.push_back({points[i], static_cast<int>(i)});
  }
};

struct CapsuleShape {
  double radius, z0, z1;
  Vec3 core(const Vec3& p) const { return {0.0, 0.0, std::clamp(p.z(), z0, z1)}; }
  Vec3 foot(const Vec3& p) const {
    const Vec3 way = p - core(p);
    const double length = way.norm();
    return length > radius ? Vec3(core(p) + way * (radius / length)) : p;
  }
  Vec3 outward(const Vec3& p) const {
    const Vec3 way = p - core(p);
    return way.norm() > 0.0 ? way.normalized() : Vec3::UnitX();
  }
  double extent(const Vec3& n) const { return radius + std::max(n.z() * z0, n.z() * z1); }
  Vec3 farthest(const Vec3& d) const { return Vec3(0.0, 0.0, d.z() > 0.0 ? z1 : z0) + radius * d; }
  void corners(const Vec3& down, std::vector<Corner>& out) const {
    out.push_back({Vec3(0.0, 0.0, z0) + radius * down, 0});
    out.push_back({Vec3(0.0, 0.0, z1) + radius * down, 1});
  }
};

/// Convex hull of two circles about z.
struct FrustumShape {
  double r0, r1, z0, z1;
  Vec3 foot(const Vec3& p) const {
    const double rho = std::hypot(p.x(), p.y());
    const Vec2 at(rho, p.z());
    if (inside(at)) return p;
    // the nearest of the profile's three sides: bottom, slant, top
    Vec2 best = on_segment(at, {0.0, z0}, {r0, z0});
    for (const Vec2& other :
         {on_segment(at, {r0, z0}, {r1, z1}), on_segment(at, {r1, z1}, {0.0, z1})})
      if ((other - at).squaredNorm() < (best - at).squaredNorm()) best = other;
    if (!(rho > 0.0)) return {best.x(), 0.0, best.y()};
    return {p.x() * (best.x() / rho), p.y() * (best.x() / rho), best.y()};
  }
  Vec3 outward(const Vec3& p) const {
    return (p.z() > 0.5 * (z0 + z1) ? 1.0 : -1.0) * Vec3::UnitZ();
  }
  double extent(const Vec3& n) const {
    const double across = std::hypot(n.x(), n.y());
    return std::max(r0 * across + z0 * n.z(), r1 * across + z1 * n.z());
  }
  Vec3 farthest(const Vec3& d) const {
    const double across = std::hypot(d.x(), d.y());
    const bool upper = r1 * across + z1 * d.z() > r0 * across + z0 * d.z();
    const double r = across > 0.0 ? (upper ? r1 : r0) / across : 0.0;
    return {r * d.x(), r * d.y(), upper ? z1 : z0};
  }
  /// Of each rim the lowest point and others around, by the same number from step to step.
  void corners(const Vec3& down, std::vector<Corner>& out) const {
    const double turned = std::atan2(down.y(), down.x());
    int number = 0;
    for (const auto& [r, z] : {std::pair{r0, z0}, {r1, z1}})
      for (int k = 0; k < kRimPoints; ++k, ++number) {
        const double angle = turned + 2.0 * std::numbers::pi * k / kRimPoints;
        if (r > 0.0 || k == 0)
          out.push_back({Vec3(r * std::cos(angle), r * std::sin(angle), z), number});
      }
  }

 private:
  bool inside(const Vec2& at) const {
    if (at.y() < z0 || at.y() > z1) return false;
    return (z1 - z0) * (at.x() - r0) <= (r1 - r0) * (at.y() - z0);
  }
  static Vec2 on_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 d = b - a;
    const double squared = d.squaredNorm();
    if (!(squared > 0.0)) return a;
    return a + std::clamp((p - a).dot(d) / squared, 0.0, 1.0) * d;
  }
};

struct EllipsoidShape {
  Vec3 semi_axes;
  // p = foot + t grad: one unknown, by bisection (monotone)
  Vec3 foot(const Vec3& p) const {
    if (p.cwiseQuotient(semi_axes).squaredNorm() <= 1.0) return p;
    double low = 0.0, high = p.norm() * semi_axes.maxCoeff();
    for (int round = 0; round < kFootRounds; ++round) {
      const double t = 0.5 * (low + high);
      (at(p, t).cwiseQuotient(semi_axes).squaredNorm() > 1.0 ? low : high) = t;
    }
    return at(p, low);
  }
  Vec3 outward(const Vec3& p) const {
    const Vec3 n = p.cwiseQuotient(semi_axes.cwiseAbs2());
    return n.norm() > 0.0 ? n.normalized() : Vec3::UnitZ();
  }
  double extent(const Vec3& n) const { return semi_axes.cwiseProduct(n).norm(); }
  Vec3 farthest(const Vec3& d) const {
    return semi_axes.cwiseAbs2().cwiseProduct(d) / semi_axes.cwiseProduct(d).norm();
  }
  void corners(const Vec3& down, std::vector<Corner>& out) const {
    out.push_back({farthest(down), 0});
  }

 private:
  Vec3 at(const Vec3& p, double t) const {
    const Vec3 squares = semi_axes.cwiseAbs2();
    return squares.cwiseProduct(p).cwiseQuotient((squares.array() + t).matrix());
  }
};

std::shared_ptr<const Obstacle> from_form(const shape::Form& form) {
  if (const auto* e = std::get_if<shape::EllipsoidForm>(&form.is))
    return convex(EllipsoidShape{e->semi_axes}, form.error);
  if (const auto* f = std::get_if<shape::FrustumForm>(&form.is))
    return convex(FrustumShape{f->r0, f->r1, f->z0, f->z1}, form.error);
  if (const auto* c = std::get_if<shape::CapsuleForm>(&form.is))
    return convex(CapsuleShape{c->radius, c->z0, c->z1}, form.error);
  return nullptr;
}

/// A polyhedron, as a box where its points are the corners of one along the axes.
std::shared_ptr<const Obstacle> convex_piece(const shape::ConvexPolyhedron& polyhedron) {
  BoxShape box{polyhedron.points[0], polyhedron.points[0]};
  for (const Vec3& p : polyhedron.points) {
    box.low = box.low.cwiseMin(p);
    box.high = box.high.cwiseMax(p);
  }
  const bool at_corners =
      std::all_of(polyhedron.points.begin(), polyhedron.points.end(), [&](const Vec3& p) {
        return ((p.array() == box.low.array()) || (p.array() == box.high.array())).all();
      });
  if (polyhedron.points.size() == 8 && at_corners) return convex(box, 0.0);
  return convex(PolyhedronShape(polyhedron), 0.0);
}

}  // namespace

std::shared_ptr<const Obstacle> obstacle_of(const shape::ShapePtr& shape) {
  if (std::holds_alternative<shape::HalfSpace>(shape->geometry))
    return std::make_shared<HalfSpaceObstacle>();
  if (const auto* ball = std::get_if<shape::Ball>(&shape->geometry))
    return convex(BallShape{ball->radius}, 0.0);
  if (const auto polyhedron = shape::convex_of(shape)) return convex_piece(*polyhedron);
  if (auto known = from_form(shape::form_of(*shape))) return known;
  shape::TessellateSettings fine;
  fine.chord_fraction = kChord;
  fine.max_triangles = kMostTriangles;
  shape::Tessellation mesh = shape::tessellate(*shape, fine);
  return triangle_obstacle(std::move(mesh.points), std::move(mesh.triangles), mesh.chord_error);
}

}  // namespace repose::collide
