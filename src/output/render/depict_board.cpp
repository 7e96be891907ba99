// Machines of the plane as on a drawing board: outlines, signs of joints, paper and a grid.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "repose/render/depict.h"

namespace repose::render {
namespace {

using Segment = std::array<Eigen::Vector2f, 2>;

const Color kBoardInk{0.07F, 0.075F, 0.085F}, kGridInk{0.80F, 0.82F, 0.85F},
    kPale{0.93F, 0.93F, 0.91F};
/// Of paper and its corners.
const Color kPaper{1.75F, 1.75F, 1.72F}, kPaperEdge{1.45F, 1.46F, 1.46F};
/// Half widths of lines, size of signs, and the way from layer to layer: shares of the picture's
/// width.
constexpr double kOutline = 0.0011, kSignLine = 0.0014, kGridLine = 0.0005;
constexpr double kSign = 0.011, kApart = 0.0006, kPaperBehind = 0.012;
/// At least so many lines across the picture, and how far beyond its edge the grid goes.
constexpr double kGridLines = 16.0, kBeyond = 0.75;
/// Triangles that look this much along z are a body's front.
constexpr float kFacing = 0.7F;
constexpr int kAround = 28;  // corners of a circle

/// Flat strips in the plane z = `height`, seen from in front. They end square, half a width beyond
/// their ends, so that corners close.
class Strips {
 public:
  Strips(double half_width, double height)
      : half_(static_cast<float>(half_width)), height_(static_cast<float>(height)) {}

  void add(const Eigen::Vector2f& from, const Eigen::Vector2f& to) {
    Eigen::Vector2f along = to - from;
    if (!(along.norm() > 0.0F)) return;
    along *= half_ / along.norm();
    const Eigen::Vector2f side(-along.y(), along.x());
    const int first = static_cast<int>(mesh_->points.size());
    for (const Eigen::Vector2f& p :
         {Eigen::Vector2f(from - along - side), Eigen::Vector2f(to + along - side),
          Eigen::Vector2f(to + along + side), Eigen::Vector2f(from - along + side)})
      mesh_->points.emplace_back(p.x(), p.y(), height_);
    mesh_->triangles.push_back({first, first + 1, first + 2});
    mesh_->triangles.push_back({first, first + 2, first + 3});
  }
  /// A full disc.
  void add_disc(const Eigen::Vector2f& center, float radius) {
    const int first = static_cast<int>(mesh_->points.size());
    for (int k = 0; k < kAround; ++k) {
      const float angle = 2.0F * std::numbers::pi_v<float> * static_cast<float>(k) / kAround;
      mesh_->points.emplace_back(center.x() + radius * std::cos(angle),
                                 center.y() + radius * std::sin(angle), height_);
      if (k > 1) mesh_->triangles.push_back({first, first + k - 1, first + k});
    }
  }
  MeshPtr mesh() const { return mesh_; }

 private:
  std::shared_ptr<Mesh> mesh_ = std::make_shared<Mesh>();
  float half_, height_;
};

Item drawn(const Strips& strips, const Color& color, const Pose& pose = {}) {
  Item item;
  item.mesh = strips.mesh();
  item.world_from_item = pose;
  item.look.color = color;
  item.look.roughness = 1.0F;
  item.frames = false;
  return item;
}

/// The rim of the side of a mesh that faces the viewer.
MeshPtr rim_of(const Mesh& mesh, double half_width, double apart) {
  using Corner = std::array<float, 3>;
  std::map<std::array<Corner, 2>, int> sides;
  float front = -std::numeric_limits<float>::infinity();
  for (const auto& triangle : mesh.triangles) {
    std::array<Eigen::Vector3f, 3> p;
    for (std::size_t k = 0; k < 3; ++k) p[k] = mesh.points[static_cast<std::size_t>(triangle[k])];
    const Eigen::Vector3f normal = (p[1] - p[0]).cross(p[2] - p[0]);
    if (!(normal.z() > kFacing * normal.norm())) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const Eigen::Vector3f &a = p[k], &b = p[(k + 1) % 3];
      front = std::max(front, a.z());
      const Corner from{a.x(), a.y(), a.z()}, to{b.x(), b.y(), b.z()};
      // a side of two such triangles is walked once each way
      if (const auto back = sides.find({to, from}); back != sides.end())
        sides.erase(back);
      else
        ++sides[{from, to}];
    }
  }
  Strips strips(half_width, static_cast<double>(front) + apart);
  for (const auto& [side, times] : sides)
    strips.add({side[0][0], side[0][1]}, {side[1][0], side[1][1]});
  return strips.mesh();
}

MeshPtr rim_of_ball(double radius, double half_width, double apart) {
  Strips strips(half_width, radius + apart);
  const auto at = [&](int k) {
    const double angle = 2.0 * std::numbers::pi * k / kAround;
    return Eigen::Vector2f(static_cast<float>(radius * std::cos(angle)),
                           static_cast<float>(radius * std::sin(angle)));
  };
  for (int k = 0; k < kAround; ++k) strips.add(at(k), at(k + 1));
  return strips.mesh();
}

void add_arc(std::vector<Segment>& out, float radius, float share = 1.0F) {
  const auto at = [&](int k) {
    const float angle = 2.0F * std::numbers::pi_v<float> * static_cast<float>(k) / kAround;
    return Eigen::Vector2f(radius * std::cos(angle), radius * std::sin(angle));
  };
  for (int k = 0; k < static_cast<int>(share * kAround); ++k) out.push_back({at(k), at(k + 1)});
}

/// Lines of a sign, in its sizes; x along its axis. As report pages draw them.
std::vector<Segment> lines_of(SignKind kind) {
  std::vector<Segment> out;
  const auto add = [&](float ax, float ay, float bx, float by) {
    out.push_back({Eigen::Vector2f(ax, ay), Eigen::Vector2f(bx, by)});
  };
  constexpr float kArc = 2.2F, kTooth = 1.3F, kTeeth = 12.0F;
  switch (kind) {
    case SignKind::pin:
      add_arc(out, 1.0F);
      break;
    case SignKind::point_on_line:
      add(-2.5F, 0.0F, 2.5F, 0.0F);
      add_arc(out, 0.6F);
      break;
    case SignKind::slider:
      add(-2.5F, 0.8F, 2.5F, 0.8F);
      add(-2.5F, -0.8F, 2.5F, -0.8F);
      break;
    case SignKind::weld:
      add(-0.8F, -0.8F, 0.8F, 0.8F);
      add(-0.8F, 0.8F, 0.8F, -0.8F);
      break;
    case SignKind::gear:
      add_arc(out, 1.0F);
      for (float k = 0.0F; k < kTeeth; k += 1.0F) {
        const float angle = 2.0F * std::numbers::pi_v<float> * k / kTeeth;
        add(std::cos(angle), std::sin(angle), kTooth * std::cos(angle), kTooth * std::sin(angle));
      }
      break;
    case SignKind::motor:
      add_arc(out, kArc, 0.75F);
      add(0.0F, -kArc, -0.6F, -kArc + 0.6F);
      add(0.0F, -kArc, -0.6F, -kArc - 0.6F);
      break;
    case SignKind::push:
      add(-7.0F, 0.0F, 0.0F, 0.0F);
      add(-2.0F, 0.9F, 0.0F, 0.0F);
      add(-2.0F, -0.9F, 0.0F, 0.0F);
      break;
  }
  return out;
}

/// A pin is seen as one: a pale disc with a dark middle.
bool is_round(SignKind kind) {
  return kind == SignKind::pin || kind == SignKind::motor || kind == SignKind::gear;
}

/// Of the steps 1, 2 and 5 times powers of ten, the least that is not below `length`.
double round_step(double length) {
  const double power = std::pow(10.0, std::floor(std::log10(length)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= length) return step * power;
  return 10.0 * power;
}

/// Lines about the middle of the picture, on round places, far enough for any shape of picture.
Item grid(const Vec3& middle, double reach, double step, double half_width, double height) {
  Strips strips(half_width, height);
  for (const int axis : {0, 1}) {
    const double first = std::ceil((middle[axis] - reach) / step) * step;
    for (int k = 0; first + k * step <= middle[axis] + reach; ++k) {
      Eigen::Vector2d from = middle.head<2>(), to = from;
      from[axis] = to[axis] = first + k * step;
      from[1 - axis] -= reach;
      to[1 - axis] += reach;
      strips.add(from.cast<float>(), to.cast<float>());
    }
  }
  return drawn(strips, kGridInk);
}

}  // namespace

std::vector<Sign> signs_of(const Problem& problem) {
  const auto sign_of = [](JointKind kind) -> std::optional<SignKind> {
    switch (kind) {
      case JointKind::pin:
        return SignKind::pin;
      case JointKind::point_on_line:
        return SignKind::point_on_line;
      case JointKind::slider:
        return SignKind::slider;
      case JointKind::weld:
        return SignKind::weld;
      case JointKind::gear:
        return SignKind::gear;
      case JointKind::motor:
        return SignKind::motor;
      case JointKind::rod:
      case JointKind::rope:
      case JointKind::spring:
        break;
    }
    return std::nullopt;
  };
  std::vector<Sign> out;
  // an end in the world or in a fixed body is seen to be held there
  const auto hold = [&](const std::string& body, const Vec3& point) {
    const bool fixed =
        body.empty() || std::any_of(problem.bodies.begin(), problem.bodies.end(),
                                    [&](const Body& b) { return b.fixed && b.name == body; });
    if (fixed) out.push_back({SignKind::pin, body, point, Vec3::UnitX()});
  };
  for (const Joint& joint : problem.joints)
    if (const auto kind = sign_of(joint.kind))
      out.push_back({*kind, joint.body_a, joint.point_a, joint.axis});
  for (const Span& span : spans_of(problem)) {
    hold(span.body_a, span.point_a);
    hold(span.body_b, span.point_b);
  }
  for (const Force& force : problem.forces)
    if (force.kind == ForceKind::push && force.vector.norm() > 0.0)
      out.push_back({SignKind::push, force.body_a, force.point_a, force.vector.normalized()});
  return out;
}

void Depictor::lay_on_board(const RecordedFrame& frame, const DepictSettings& settings,
                            std::size_t first_span, Picture& picture) const {
  const Camera& camera = picture.camera;
  double back = std::numeric_limits<double>::infinity(), front = -back;
  for (const Item& item : picture.items) {
    const auto reach = [&](double from, double to) {
      back = std::min(back, from);
      front = std::max(front, to);
    };
    const double at = item.world_from_item.position.z();
    if (!item.mesh) reach(at - item.radius, at + item.radius);
    if (!item.mesh) continue;
    for (const auto& p : item.mesh->points) {
      const double z = (item.world_from_item * p.cast<double>()).z();
      reach(z, z);
    }
  }
  if (!(front >= back)) return;
  const Vec3 middle = camera.eye;
  const double tall = 2.0 * std::tan(0.5 * camera.view_angle) * (camera.eye.z() - front);
  const double width = tall * settings.aspect;
  if (!(width > 0.0)) return;

  const std::size_t bodies = first_span;
  for (std::size_t i = first_span; i < picture.items.size(); ++i)
    picture.items[i].world_from_item.position.z() += front + kApart * width;
  std::map<const Mesh*, MeshPtr> rims;
  std::map<double, MeshPtr> ball_rims;
  for (std::size_t i = 0; i < bodies; ++i) {
    const Item body = picture.items[i];
    MeshPtr& rim = body.mesh ? rims[body.mesh.get()] : ball_rims[body.radius];
    if (!rim)
      rim = body.mesh ? rim_of(*body.mesh, kOutline * width, kApart * width)
                      : rim_of_ball(body.radius, kOutline * width, kApart * width);
    if (rim->triangles.empty()) continue;
    Item item = body;
    item.mesh = rim;
    item.look = Look{};
    item.look.color = kBoardInk;
    item.look.roughness = 1.0F;
    item.frames = false;
    picture.items.push_back(std::move(item));
  }

  std::map<std::string, Pose> places;
  for (std::size_t i = 0; i < frame.bodies.size(); ++i)
    places.emplace(bodies_[static_cast<std::size_t>(frame.bodies[i])].name, frame.poses[i]);
  const double size = kSign * width;
  for (const Sign& sign : settings.signs) {
    const auto body = places.find(sign.body);
    if (!sign.body.empty() && body == places.end()) continue;
    Vec3 at = sign.body.empty() ? sign.point : body->second * sign.point;
    Vec3 along = Vec3::UnitX();
    if (sign.kind == SignKind::push) along = sign.axis;
    if (sign.kind == SignKind::slider || sign.kind == SignKind::point_on_line)
      along = sign.body.empty() ? sign.axis : body->second.turn(sign.axis);
    if (!(along.head<2>().norm() > 0.0)) continue;
    at.z() = front + 2.0 * kApart * width;
    const Pose pose{at, Quat(Eigen::AngleAxisd(std::atan2(along.y(), along.x()), Vec3::UnitZ()))};
    if (is_round(sign.kind)) {
      Strips pale(0.0, 0.0), dark(0.0, kApart * width);
      pale.add_disc(Eigen::Vector2f::Zero(), static_cast<float>(size));
      dark.add_disc(Eigen::Vector2f::Zero(), static_cast<float>(0.3 * size));
      picture.items.push_back(drawn(pale, kPale, pose));
      picture.items.push_back(drawn(dark, kBoardInk, pose));
    }
    Strips lines(kSignLine * width, kApart * width);
    for (const Segment& line : lines_of(sign.kind))
      lines.add(static_cast<float>(size) * line[0], static_cast<float>(size) * line[1]);
    picture.items.push_back(drawn(lines, kBoardInk, pose));
  }

  const double paper = back - kPaperBehind * width;
  picture.floor = Floor{Vec3(0.0, 0.0, paper), Vec3::UnitZ()};
  picture.studio.center = kPaper;
  picture.studio.edge = kPaperEdge;
  picture.items.push_back(grid(middle, kBeyond * std::max(width, tall),
                               round_step(std::max(width, tall) / kGridLines), kGridLine * width,
                               paper + kApart * width));
}

}  // namespace repose::render
