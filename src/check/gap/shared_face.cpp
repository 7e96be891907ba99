#include "check/gap/shared_face.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

#include "check/exact/rounding.h"
#include "check/gap/polygon.h"
#include "check/gap/prepared.h"

namespace repose::check {

namespace {

constexpr double kAligned = 1.0 - 1e-12;  // cosine: faces that may lie on each other
constexpr double kLeastArea = 1e-6;       // of the end's: less is a point or a line

/// A flat end of a cylinder or cone in its own frame, outward along the axis.
struct End {
  double radius, height, outward;

  Vec3 normal() const { return outward * Vec3::UnitZ(); }
  Vec3 at(const Vec2& p) const { return {p.x(), p.y(), height}; }
};

std::vector<End> ends_of(const shape::FrustumForm& f) {
  const double up = f.z0 < f.z1 ? 1.0 : -1.0;
  std::vector<End> out;
  for (const End& end : {End{f.r0, f.z0, -up}, End{f.r1, f.z1, up}})
    if (end.radius > 0.0) out.push_back(end);
  return out;
}

std::vector<Vec3> rim(const End& end, int corners) {
  std::vector<Vec3> out;
  for (int k = 0; k < corners; ++k) {
    const double turn = 2.0 * std::numbers::pi * k / corners;
    out.push_back(end.at(end.radius * Vec2(std::cos(turn), std::sin(turn))));
  }
  return out;
}

/// A face before an end: its plane and its outline, frame of the end.
struct Facing {
  Vec3 normal, point;
  Polygon outline;
  bool endless = false;
};

Polygon hull(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(), [](const Vec2& p, const Vec2& q) {
    return p.x() != q.x() ? p.x() < q.x() : p.y() < q.y();
  });
  Polygon out;
  const auto add = [&](const Vec2& p, std::size_t least) {
    while (out.size() >= least + 2 &&
           wedge(out.back() - out[out.size() - 2], p - out.back()) <= 0.0)
      out.pop_back();
    out.push_back(p);
  };
  for (const Vec2& p : points) add(p, 0);
  const std::size_t lower = out.size() - 1;
  for (std::size_t k = points.size() - 1; k-- > 0;) add(points[k], lower);
  out.pop_back();
  return out;
}

/// The face of a body with plane faces that looks against d, as far as its corners are `level`.
std::optional<Facing> face_against(const FacedCore& core, const Frame& frame, const Vec3& d,
                                   double level) {
  const Vec3 inward = frame.turn.transpose() * d;
  for (const FacedCore::Face& face : core.faces) {
    if (face.normal.dot(inward) > -kAligned) continue;
    std::vector<Vec2> points;
    const double bottom = static_cast<double>(-face.offset);
    for (const Vec3& p : core.points)
      if (-face.normal.dot(p) <= bottom + level) points.push_back((frame * p).head<2>());
    if (points.size() < 3) return std::nullopt;
    const Vec3& on_face = core.points[static_cast<std::size_t>(face.corners.front())];
    return Facing{frame.turn * face.normal, frame * on_face, hull(points)};
  }
  return std::nullopt;
}

std::optional<Facing> facing(const PlacedBody& other, const Frame& frame, const End& end,
                             const FaceSettings& s) {
  const Vec3 d = end.normal();
  if (std::holds_alternative<shape::HalfSpace>(other.shape->geometry)) {
    const Vec3 up = frame.turn.col(2);
    if (up.dot(d) > -kAligned) return std::nullopt;
    return Facing{up, frame.shift, {}, true};
  }
  const auto kept = prepared(other.shape);
  const ConvexBody* body = kept->convex();
  if (body == nullptr || body->skin() > 0.0) return std::nullopt;
  if (const FacedCore* core = body->faced()) return face_against(*core, frame, d, s.touch);
  if (body->frustum() == nullptr) return std::nullopt;
  for (const End& there : ends_of(*body->frustum())) {
    const Vec3 normal = frame.turn * there.normal();
    if (normal.dot(d) > -kAligned) continue;
    Facing out{normal, frame * there.at(Vec2::Zero()), {}};
    for (const Vec3& p : rim(there, s.rim_corners)) out.outline.push_back((frame * p).head<2>());
    if (area(out.outline) < 0.0) std::reverse(out.outline.begin(), out.outline.end());
    return out;
  }
  return std::nullopt;
}

/// What one end shares with the other body; corners in the frame of the end's body.
std::optional<SharedFace> shared_with(const End& end, const PlacedBody& other, const Frame& frame,
                                      const FaceSettings& s) {
  const auto face = facing(other, frame, end, s);
  if (!face) return std::nullopt;
  Polygon shared;
  for (const Vec3& p : rim(end, s.rim_corners)) shared.push_back(p.head<2>());
  if (!face->endless) shared = common_part(shared, face->outline);
  if (!(area(shared) > kLeastArea * end.radius * end.radius)) return std::nullopt;
  SharedFace out{end.normal(), {}, {}};
  for (const Vec2& p : shared) {
    if (!out.corners.empty() && (end.at(p) - out.corners.back()).norm() <= s.touch) continue;
    out.corners.push_back(end.at(p));
    out.gaps.push_back(face->normal.dot(out.corners.back() - face->point));
    if (!(std::fabs(out.gaps.back()) <= s.touch)) return std::nullopt;
  }
  return out;
}

}  // namespace

std::optional<SharedFace> shared_face(const PlacedBody& a, const PlacedBody& b,
                                      const FaceSettings& s) {
  for (const bool a_stands : {true, false}) {
    const PlacedBody &one = a_stands ? a : b, &other = a_stands ? b : a;
    const auto kept = prepared(one.shape);
    const ConvexBody* body = kept->convex();
    if (body == nullptr || body->frustum() == nullptr || body->skin() > 0.0) continue;
    const Frame frame = relative_frame(one, other);
    for (const End& end : ends_of(*body->frustum())) {
      auto out = shared_with(end, other, frame, s);
      if (!out) continue;
      const Frame world = world_frame(one);
      out->normal_a_to_b = world.turn * ((a_stands ? 1.0 : -1.0) * out->normal_a_to_b);
      for (Vec3& p : out->corners) p = world * p;
      return out;
    }
  }
  return std::nullopt;
}

}  // namespace repose::check
