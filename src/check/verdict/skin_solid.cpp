#include "check/verdict/skin_solid.h"

#include <cmath>
#include <deque>
#include <map>
#include <span>

#include "repose/base/at.h"
#include "repose/base/disjoint_sets.h"
#include "repose/check/way.h"
#include "repose/shape/tessellate.h"

#include "check/exact/rounding.h"
#include "check/gap/sphere_sets.h"
#include "check/gap/sphere_tree.h"
#include "check/verdict/skin_planes.h"
#include "check/verdict/skin_side.h"

namespace repose::check {

namespace {

using prove::Answer;

/// Balls that a triangle is covered by at most, after which it is left undecided.
constexpr int kMostBalls = 4000;
/// The bracket of a ball is closed to this share of its size: a ball that it leaves open is
/// divided.
constexpr double kWidth = 0.02;
constexpr int kBudget = 20'000;
/// Operations that bring a solid to the middle of its way, each of which rounds.
constexpr double kOperations = 16.0;
/// Halvings of the way of a solid for the sake of planes.
constexpr int kHalvings = 4;

/// A triangle, or a part of one, whose corners go straight.
struct Facet {
  std::array<Vec3, 3> from, to;
  double error = 0.0;  // m; how far a corner may be off
};

double reach_of(const Facet& f) {
  double out = 0.0;
  for (std::size_t k = 0; k < 3; ++k) out = std::max({out, f.from[k].norm(), f.to[k].norm()});
  return out + f.error;
}

/// The four of the middles of its sides.
std::array<Facet, 4> divided(const Facet& f) {
  const double error = f.error + kSumError * reach_of(f);
  const auto middles = [](const std::array<Vec3, 3>& p) {
    return std::array{Vec3(0.5 * (p[0] + p[1])), Vec3(0.5 * (p[1] + p[2])),
                      Vec3(0.5 * (p[2] + p[0]))};
  };
  const auto m = middles(f.from), n = middles(f.to);
  return {Facet{{f.from[0], m[0], m[2]}, {f.to[0], n[0], n[2]}, error},
          Facet{{m[0], f.from[1], m[1]}, {n[0], f.to[1], n[1]}, error},
          Facet{{m[2], m[1], f.from[2]}, {n[2], n[1], f.to[2]}, error},
          Facet{{m[0], m[1], m[2]}, {n[0], n[1], n[2]}, error}};
}

/// A ball that goes straight and holds points that go straight: the distance of each from its
/// middle is largest at an end.
struct Cover {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  double radius = 0.0;
};

bool is_endless(const PlacedBody& body) {
  return std::holds_alternative<shape::HalfSpace>(body.shape->geometry);
}

class SolidPair {
 public:
  SolidPair(const SkinMesh& skin, const SolidWay& solid, long& compared)
      : skin_(skin),
        later_(skin.later.empty() ? skin.points : skin.later),
        solid_(solid),
        parts_(solid.from, solid.to),
        around_(is_endless(solid.from) ? Cover() : around(solid)),
        compared_(compared) {}

  Answer judge() {
    if (is_endless(solid_.from)) return before_ground();
    std::vector<int> all(skin_.triangles().size());
    for (std::size_t t = 0; t < all.size(); ++t) all[t] = static_cast<int>(t);
    group(all);
    return out_;
  }

 private:
  /// All beside endless ground that no corner reaches.
  Answer before_ground() {
    for (const auto& corners : skin_.triangles())
      for (const int k : corners) {
        ++compared_;
        const GapBracket g =
            gap_of({skin_.points[at(k)], later_[at(k)], point_size(skin_.points[at(k)])});
        if (is_within(g, point_size(skin_.points[at(k)]))) return Answer::missed;
        if (!(g.lower >= 0.0)) out_ = Answer::undecided;
      }
    return out_;
  }

  static double point_size(const Vec3& p) { return 8.0 * kSumError * (1.0 + p.norm()); }
  /// Of a ball so small: more than all of it lies within the solid, its middle does.
  static bool is_within(const GapBracket& g, double radius) {
    return g.status != GapStatus::unjudged && g.upper < -2.0 * radius;
  }

  /// A ball that holds the solid all along.
  static Cover around(const SolidWay& solid) {
    const BoundingBall a = bounding_ball_world(solid.from), b = bounding_ball_world(solid.to);
    const PlacedBody& body = solid.from;
    const double swing =
        body.points_world.empty()
            ? (body.shape->bounding_center - body.center_body).norm() *
                  body.world_from_body.rotation.angularDistance(solid.to.world_from_body.rotation)
            : 0.0;
    const double rounding = kSumError * (a.center.norm() + b.center.norm() + a.radius);
    return {a.center, b.center,
            (std::max(a.radius, b.radius) + swing) * (1.0 + kSumError) + rounding};
  }

  /// The ball is clearly beside all that the solid passes.
  bool is_far(const Cover& ball) const {
    const Vec3 first = ball.from - around_.from, last = ball.to - around_.to;
    const double way = 0.5 * (last - first).norm();
    const double apart = 0.5 * (first + last).norm();
    const double reach = way + ball.radius + around_.radius;
    return apart > reach + kSumError * (apart + reach + ball.from.norm() + ball.to.norm());
  }

  /// In the middle of the way, less what both go in half of it: no more than the least gap. It
  /// needs one look; balls that are small against the way ask for the way itself.
  GapBracket least_gap(const Cover& ball) const {
    const double go = 0.5 * ((ball.to - ball.from).norm() + parts_.length());
    if (ball.radius < 2.0 * go || !solid_.from.points_world.empty()) return gap_of(ball);
    const PlacedBody middle = ball_at(0.5 * (ball.from + ball.to), ball.radius);
    PlacedBody there = solid_.from;
    there.world_from_body = parts_.pose_at(0.5);
    const double size = pair_size(middle, there);
    GapSettings s;
    s.width = kWidth;
    s.enough = go / size;
    s.budget = kBudget;
    GapBracket g = gap(middle, there, s);
    if (g.status == GapStatus::unjudged) return gap_of(ball);
    const double far = ball.from.norm() + ball.to.norm() + around_.from.norm() + around_.radius;
    g.lower -= go + kOperations * (kTurnError + kSumError) * far;
    return g;
  }

  GapBracket gap_of(const Cover& ball) const {
    const PlacedBody first = ball_at(ball.from, ball.radius), last = ball_at(ball.to, ball.radius);
    GapSettings s;
    s.width = kWidth;
    s.enough = 0.0;
    s.budget = kBudget;
    GapBracket g = gap_on_way(first, last, solid_.from, solid_.to, s);
    if (g.status == GapStatus::unjudged) g.lower = -std::numeric_limits<double>::infinity();
    return g;
  }

  /// Of the corners of triangles.
  Cover cover(std::span<const int> triangles) const {
    Cover out;
    const auto each = [&](const auto& use) {
      for (const int t : triangles)
        for (const int k : skin_.triangles()[at(t)]) use(skin_.points[at(k)], later_[at(k)]);
    };
    const double count = 3.0 * static_cast<double>(triangles.size());
    each([&](const Vec3& p, const Vec3& q) {
      out.from += p / count;
      out.to += q / count;
    });
    each([&](const Vec3& p, const Vec3& q) { hold(p, q, 0.0, out); });
    return out;
  }
  static Cover cover(const Facet& f) {
    Cover out;
    for (std::size_t k = 0; k < 3; ++k) {
      out.from += f.from[k] / 3.0;
      out.to += f.to[k] / 3.0;
    }
    for (std::size_t k = 0; k < 3; ++k) hold(f.from[k], f.to[k], f.error, out);
    return out;
  }
  static void hold(const Vec3& p, const Vec3& q, double error, Cover& out) {
    const double far = std::max((p - out.from).norm(), (q - out.to).norm());
    out.radius = std::max(out.radius, far + error + kSumError * (far + p.norm() + q.norm()));
  }

  /// All triangles of a group by one ball, or in halves.
  void group(std::span<int> triangles) {
    if (triangles.empty() || out_ == Answer::missed) return;
    if (triangles.size() == 1) return one(triangles[0]);
    ++compared_;
    const Cover ball = cover(triangles);
    // planes are quicker than the gap of a group's ball
    if (is_far(ball) || (!parts_.any() && least_gap(ball).lower >= 0.0)) return;
    Vec3 low = ball.from, high = ball.from;
    const auto middle = [&](int t) -> Vec3 {
      const SkinBox& box = skin_.boxes[at(t)];
      return 0.5 * (box.low + box.high);
    };
    for (const int t : triangles) {
      low = low.cwiseMin(middle(t));
      high = high.cwiseMax(middle(t));
    }
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    const std::size_t half = triangles.size() / 2;
    std::nth_element(triangles.begin(), triangles.begin() + static_cast<std::ptrdiff_t>(half),
                     triangles.end(), [&](int s, int t) {
                       const double p = middle(s)[axis], q = middle(t)[axis];
                       return p != q ? p < q : s < t;
                     });
    group(triangles.first(half));
    group(triangles.subspan(half));
  }

  /// One triangle, its largest open parts first.
  void one(int triangle) {
    Facet whole;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto i = at(skin_.triangles()[at(triangle)][k]);
      whole.from[k] = skin_.points[i];
      whole.to[k] = later_[i];
    }
    if (is_far(cover(whole)) || parts_.are_apart({whole.from, whole.to}, kHalvings)) return;
    std::deque<Facet> open{whole};
    for (int balls = 0; !open.empty(); ++balls) {
      if (balls == kMostBalls) {
        out_ = prove::both(out_, Answer::undecided);
        return;
      }
      const Facet part = open.front();
      open.pop_front();
      ++compared_;
      Cover ball = cover(part);
      const GapBracket g = least_gap(ball);
      if (g.status == GapStatus::unjudged) {
        out_ = prove::both(out_, Answer::undecided);
        return;
      }
      if (g.lower >= 0.0) continue;
      if (g.upper < 0.0) {
        ball.radius = point_size(ball.from) + point_size(ball.to) + part.error;
        if (is_within(gap_of(ball), ball.radius)) {
          out_ = Answer::missed;
          return;
        }
      }
      for (const Facet& quarter : divided(part)) open.push_back(quarter);
    }
  }

  const SkinMesh& skin_;
  const std::vector<Vec3>& later_;
  const SolidWay& solid_;
  ConvexParts parts_;
  Cover around_;
  long& compared_;
  Answer out_ = Answer::proven;
};

/// A point of each piece of a shape's surface that hangs together, from this thread's store.
std::shared_ptr<const std::vector<Vec3>> pieces_of(const shape::ShapePtr& shape) {
  constexpr int kCells = 4;
  struct Known {
    std::weak_ptr<const shape::Shape> shape;
    std::shared_ptr<const std::vector<Vec3>> points;
  };
  constexpr std::size_t kStored = 4096;
  thread_local std::map<const shape::Shape*, Known> store;
  Known& known = store[shape.get()];
  if (known.points && !known.shape.expired()) return known.points;
  if (store.size() > kStored)
    std::erase_if(store, [](const auto& entry) { return entry.second.shape.expired(); });
  const shape::Tessellation surface = shape::tessellate(*shape, {.cells_per_side = kCells});
  DisjointSets pieces(surface.welded_count);
  for (const auto& triangle : surface.triangles)
    for (const int corner : triangle)
      pieces.join(surface.welded[at(triangle[0])], surface.welded[at(corner)]);
  std::map<int, Vec3> first;
  for (std::size_t k = 0; k < surface.points.size(); ++k)
    first.emplace(pieces.name_of(surface.welded[k]), surface.points[k]);
  std::vector<Vec3> points;
  for (const auto& [name, point] : first) points.push_back(point);
  store[shape.get()] = {shape, std::make_shared<const std::vector<Vec3>>(std::move(points))};
  return store[shape.get()].points;
}

/// A point of each piece of the solid, world.
std::vector<Vec3> pieces_of(const PlacedBody& solid) {
  if (const WorldBalls balls = WorldBalls::of(solid); !balls.empty()) return balls.centers;
  std::vector<Vec3> out;
  for (const Vec3& point : *pieces_of(solid.shape)) out.push_back(solid.world_from_body * point);
  return out;
}

}  // namespace

Answer apart_from_solid(const SkinMesh& skin, const SolidWay& solid, long& compared) {
  return SolidPair(skin, solid, compared).judge();
}

Answer solid_outside(const SkinMesh& skin, const PlacedBody& solid) {
  const std::vector<bool>& closed = skin.shape->in_closed;
  if (is_endless(solid) || std::none_of(closed.begin(), closed.end(), [](bool is) { return is; }))
    return Answer::proven;
  Answer out = Answer::proven;
  for (const Vec3& p : pieces_of(solid)) {
    if (!skin.box.meets({p, p})) continue;
    const Side side = side_of(p, skin);
    if (side == Side::inside) return Answer::missed;
    if (side == Side::unknown) out = Answer::undecided;
  }
  return out;
}

}  // namespace repose::check
