// Threads, rods and springs between bodies, as they stand in a frame.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "repose/render/depict.h"

namespace repose::render {
namespace {

constexpr int kSides = 10;  // of a thread
/// Half its thickness, of the scene and of its length.
constexpr double kOfScene = 0.0025, kOfLength = 0.06;
/// A spring's coil: turns, corners of a turn, half its width over its length, and the share of the
/// length that is straight at each end. Nets of more springs are drawn as threads.
constexpr int kTurns = 9, kCorners = 14;
constexpr double kCoilWidth = 0.07, kWidestOfScene = 0.02, kStraight = 0.12;
constexpr std::size_t kFewSprings = 60;
const Color kInk{0.09F, 0.095F, 0.10F};

/// A round thread through the points; its ends are open.
MeshPtr thread(const std::vector<Vec3>& points, double radius) {
  auto mesh = std::make_shared<Mesh>();
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vec3 along =
        (points[std::min(k + 1, points.size() - 1)] - points[k == 0 ? 0 : k - 1]).normalized();
    const Vec3 side = along.unitOrthogonal(), up = along.cross(side);
    for (int i = 0; i < kSides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kSides;
      const Vec3 out = std::cos(angle) * side + std::sin(angle) * up;
      mesh->points.push_back((points[k] + radius * out).cast<float>());
      mesh->normals.push_back(out.cast<float>());
    }
  }
  // corners of neighbouring rings are joined where they stand nearest
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const int from = static_cast<int>(k) * kSides, to = from + kSides;
    const auto corner = [&](int i) { return mesh->points[static_cast<std::size_t>(i)]; };
    int shift = 0;
    for (int i = 1; i < kSides; ++i)
      if ((corner(to + i) - corner(from)).norm() < (corner(to + shift) - corner(from)).norm())
        shift = i;
    for (int i = 0; i < kSides; ++i) {
      const int a = from + i, b = from + (i + 1) % kSides;
      const int c = to + (i + shift) % kSides, d = to + (i + 1 + shift) % kSides;
      mesh->triangles.push_back({a, b, d});
      mesh->triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

std::vector<Vec3> coil(const Vec3& from, const Vec3& to, double width) {
  const Vec3 along = to - from;
  const Vec3 side = along.unitOrthogonal(), up = along.normalized().cross(side);
  std::vector<Vec3> out{from, from + kStraight * along};
  for (int k = 0; k <= kTurns * kCorners; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / kCorners;
    const double share = kStraight + (1.0 - 2.0 * kStraight) * k / (kTurns * kCorners);
    out.emplace_back(from + share * along +
                     width * (std::cos(angle) * side + std::sin(angle) * up));
  }
  out.emplace_back(to - kStraight * along);
  out.push_back(to);
  return out;
}

}  // namespace

std::vector<Span> spans_of(const Problem& problem) {
  std::vector<Span> out;
  for (const Joint& joint : problem.joints)
    if (joint.kind == JointKind::rod || joint.kind == JointKind::rope)
      out.push_back({joint.body_a, joint.body_b, joint.point_a, joint.point_b, false});
  for (const Force& force : problem.forces)
    if (force.kind == ForceKind::spring || force.kind == ForceKind::connect)
      out.push_back({force.body_a, force.body_b, force.point_a, force.point_b,
                     force.kind == ForceKind::spring});
  return out;
}

/// `scene`: its length, m.
void Depictor::add_spans(const std::vector<RecordedFrame>& frames, const std::vector<Span>& spans,
                         double scene, Picture& picture) const {
  if (spans.empty()) return;
  for (const RecordedFrame& frame : frames) add_spans_of(frame, spans, scene, picture);
}

void Depictor::add_spans_of(const RecordedFrame& frame, const std::vector<Span>& spans,
                            double scene, Picture& picture) const {
  std::map<std::string, Pose> places;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i)
    places.emplace(bodies_[static_cast<std::size_t>(frame.bodies[i])].name, frame.poses[i]);
  const auto end = [&](const std::string& body, const Vec3& point) -> std::optional<Vec3> {
    if (body.empty()) return point;
    const auto at = places.find(body);
    if (at == places.end()) return std::nullopt;
    return at->second * point;
  };
  const auto springs =
      std::count_if(spans.begin(), spans.end(), [](const Span& span) { return span.coiled; });
  for (const Span& span : spans) {
    const auto from = end(span.body_a, span.point_a), to = end(span.body_b, span.point_b);
    if (!from || !to || !((*to - *from).norm() > kOfScene * scene)) continue;
    const double length = (*to - *from).norm();
    const double radius = std::min(kOfScene * scene, kOfLength * length);
    Item item;
    const bool coiled = span.coiled && static_cast<std::size_t>(springs) <= kFewSprings;
    item.mesh =
        coiled ? thread(coil(*from, *to, std::min(kCoilWidth * length, kWidestOfScene * scene)),
                        0.5 * radius)
               : thread({*from, *to}, radius);
    item.look.color = kInk;
    picture.items.push_back(std::move(item));
  }
}

}  // namespace repose::render
