#include "guide.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace repose::place {
namespace {

constexpr int kLeastAround = 4;       // cells around a patch that closes on itself
constexpr double kLeastArea = 1e-12;  // of a triangle, over its longest side squared
constexpr double kParallel = 1e-15;

Box box_of(const GuideTriangle& t) {
  return {t.at[0].cwiseMin(t.at[1]).cwiseMin(t.at[2]), t.at[0].cwiseMax(t.at[1]).cwiseMax(t.at[2])};
}

Box united(const Box& a, const Box& b) {
  return {a.low.cwiseMin(b.low), a.high.cwiseMax(b.high)};
}

/// The box around a turned box.
Box turned(const Box& box, const Mat3& turn, const Vec3& shift) {
  const Vec3 middle = turn * (0.5 * (box.low + box.high)) + shift;
  const Vec3 half = turn.cwiseAbs() * (0.5 * (box.high - box.low));
  return {middle - half, middle + half};
}

bool overlap(const Box& a, const Box& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}

/// All of the box lies in one of the balls (same frame).
bool neglected(const Box& box, std::span<const NeglectSphere> balls) {
  return std::any_of(balls.begin(), balls.end(), [&box](const NeglectSphere& ball) {
    const Vec3 far = (box.low - ball.center_world)
                         .cwiseAbs()
                         .cwiseMax((box.high - ball.center_world).cwiseAbs());
    return far.norm() <= ball.radius;
  });
}

/// Where the segment from p to q meets the triangle.
std::optional<Vec3> meet(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
  const Vec3 d = q - p, e1 = t[1] - t[0], e2 = t[2] - t[0], h = d.cross(e2);
  const double det = e1.dot(h);
  if (std::fabs(det) <= kParallel * d.norm() * e1.norm() * e2.norm()) return std::nullopt;
  const Vec3 s = p - t[0], k = s.cross(e1);
  const double u = s.dot(h) / det, v = d.dot(k) / det, along = e2.dot(k) / det;
  if (u < 0.0 || v < 0.0 || u + v > 1.0 || along < 0.0 || along > 1.0) return std::nullopt;
  return p + along * d;
}

std::optional<Vec3> meet(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (auto p = meet(a[k], a[(k + 1) % 3], b)) return p;
    if (auto p = meet(b[k], b[(k + 1) % 3], a)) return p;
  }
  return std::nullopt;
}

Vec2 parameters_at(const GuideTriangle& t, const Vec3& p) {
  const Vec3 e1 = t.at[1] - t.at[0], e2 = t.at[2] - t.at[0], s = p - t.at[0];
  const double a = e1.dot(e1), b = e1.dot(e2), c = e2.dot(e2), d = s.dot(e1), e = s.dot(e2);
  const double det = a * c - b * b;
  const double u = (c * d - b * e) / det, v = (a * e - b * d) / det;
  return (1.0 - u - v) * t.uv[0] + u * t.uv[1] + v * t.uv[2];
}

double box_size(const Box& box) {
  return (box.high - box.low).norm();
}

/// The split by the widest gap between projected boxes; none: at the mean of the middles along the
/// axis on which they vary most.
struct Split {
  int axis = 0;
  double at = 0.0;
};
Split choose_split(std::span<const int> items, const std::vector<Box>& boxes) {
  Split best;
  double widest = 0.0, most = -1.0;
  Split by_spread;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<std::pair<double, double>> spans;
    double mean = 0.0, square = 0.0;
    for (const int i : items) {
      const Box& b = boxes[static_cast<std::size_t>(i)];
      spans.emplace_back(b.low[axis], b.high[axis]);
      const double middle = 0.5 * (b.low[axis] + b.high[axis]);
      mean += middle;
      square += middle * middle;
    }
    const auto count = static_cast<double>(items.size());
    mean /= count;
    const double spread = square / count - mean * mean;
    if (spread > most) {
      most = spread;
      by_spread = {axis, mean};
    }
    std::sort(spans.begin(), spans.end());
    double end = spans.front().second;
    for (const auto& [low, high] : spans) {
      if (low - end > widest) {
        widest = low - end;
        best = {axis, 0.5 * (low + end)};
      }
      end = std::max(end, high);
    }
  }
  return widest > 0.0 ? best : by_spread;
}

}  // namespace

Guide::Guide(const Surface& surface, int triangles) {
  if (surface.half_space()) return;
  int curved = 0;
  for (const Feature& f : surface.features())
    curved += f.kind == FeatureKind::patch || (f.kind == FeatureKind::point && f.radius > 0.0);
  const int cells = std::max(1, triangles / std::max(2 * curved, 1));
  for (std::size_t i = 0; i < surface.features().size(); ++i) {
    const Feature& f = surface.features()[i];
    const int index = static_cast<int>(i);
    if (f.kind == FeatureKind::patch) add_patch(surface, index, cells);
    if (f.kind == FeatureKind::point && f.radius > 0.0) add_ball(f, index, cells);
    if (f.kind == FeatureKind::triangle)
      triangles_.push_back({index, f.corners, {Vec2(0, 0), Vec2(1, 0), Vec2(0, 1)}});
  }
  std::vector<int> items(triangles_.size());
  std::iota(items.begin(), items.end(), 0);
  nodes_.emplace_back();
  build(0, items);
}

void Guide::add_patch(const Surface& surface, int feature, int cells) {
  const Feature& f = surface.feature(feature);
  const PointJet middle = point_jet(f, f.domain.center());
  const double span_u = f.domain.u1 - f.domain.u0, span_v = f.domain.v1 - f.domain.v0;
  const double length_u = middle.si[0].norm() * span_u, length_v = middle.si[1].norm() * span_v;
  const double shape = length_v > 0.0 ? std::sqrt(cells * length_u / length_v) : cells;
  const int nu = std::clamp(static_cast<int>(std::lround(shape)), f.wrap_u ? kLeastAround : 1,
                            std::max(cells, kLeastAround));
  const int nv = std::max((cells + nu - 1) / nu, f.wrap_v ? kLeastAround : 1);
  const auto corner = [&](int i, int j, Vec3& at, Vec2& uv) {
    uv = {f.domain.u0 + span_u * i / nu, f.domain.v0 + span_v * j / nv};
    at = f.face.patch->point(uv.x(), uv.y());
  };
  const auto add = [&](std::array<std::array<int, 2>, 3> ij) {
    GuideTriangle t;
    t.feature = feature;
    double longest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) corner(ij[k][0], ij[k][1], t.at[k], t.uv[k]);
    for (std::size_t k = 0; k < 3; ++k)
      longest = std::max(longest, (t.at[k] - t.at[(k + 1) % 3]).squaredNorm());
    if ((t.at[1] - t.at[0]).cross(t.at[2] - t.at[0]).norm() > kLeastArea * longest)
      triangles_.push_back(t);
  };
  for (int i = 0; i < nu; ++i)
    for (int j = 0; j < nv; ++j) {
      add({{{i, j}, {i + 1, j}, {i + 1, j + 1}}});
      add({{{i, j}, {i + 1, j + 1}, {i, j + 1}}});
    }
}

void Guide::add_ball(const Feature& f, int index, int cells) {
  const int rings = std::max(3, static_cast<int>(std::lround(std::sqrt(0.5 * cells))));
  const int around = std::max(kLeastAround, 2 * rings);
  const auto corner = [&](int i, int j) {
    const double lift = std::numbers::pi * i / rings, turn = 2.0 * std::numbers::pi * j / around;
    return Vec3(f.point + f.radius * Vec3(std::sin(lift) * std::cos(turn),
                                          std::sin(lift) * std::sin(turn), std::cos(lift)));
  };
  const auto add = [&](const std::array<Vec3, 3>& at) {
    GuideTriangle t;
    t.feature = index;
    t.at = at;
    triangles_.push_back(t);
  };
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < around; ++j) {
      if (i + 1 < rings) add({corner(i, j), corner(i + 1, j), corner(i + 1, j + 1)});
      if (i > 0) add({corner(i, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
}

void Guide::build(int node, std::span<int> items) {
  std::vector<Box> boxes;
  for (const GuideTriangle& t : triangles_) boxes.push_back(box_of(t));
  struct Work {
    int node;
    std::span<int> items;
  };
  std::vector<Work> stack{{node, items}};
  while (!stack.empty()) {
    const Work work = stack.back();
    stack.pop_back();
    Box box = boxes[static_cast<std::size_t>(work.items.front())];
    for (const int i : work.items) box = united(box, boxes[static_cast<std::size_t>(i)]);
    auto& here = nodes_[static_cast<std::size_t>(work.node)];
    here.box = box;
    if (work.items.size() == 1) {
      here.triangle = work.items.front();
      continue;
    }
    const Split split = choose_split(work.items, boxes);
    const auto middle = std::stable_partition(work.items.begin(), work.items.end(), [&](int i) {
      const Box& b = boxes[static_cast<std::size_t>(i)];
      return 0.5 * (b.low[split.axis] + b.high[split.axis]) < split.at;
    });
    auto left = static_cast<std::size_t>(middle - work.items.begin());
    if (left == 0 || left == work.items.size()) left = work.items.size() / 2;
    here.kids = static_cast<int>(nodes_.size());
    const int kids = here.kids;
    nodes_.resize(nodes_.size() + 2);
    stack.push_back({kids, work.items.first(left)});
    stack.push_back({kids + 1, work.items.subspan(left)});
  }
}

int Guide::nearest(const Vec3& point, int skip) const {
  int best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < triangles_.size(); ++i) {
    const GuideTriangle& t = triangles_[i];
    if (t.feature == skip) continue;
    const double d = ((t.at[0] + t.at[1] + t.at[2]) / 3.0 - point).squaredNorm();
    if (d < least) {
      least = d;
      best = static_cast<int>(i);
    }
  }
  return best;
}

namespace {

/// Triangles of `a` below the ground `b`: the lowest corner is where they cross.
std::optional<Collision> collide_ground(const Guide& a, const Posed& at_a, const Posed& at_b,
                                        std::span<const NeglectSphere> neglect) {
  const Mat3 turn = at_b.rotation.transpose() * at_a.rotation;
  const Vec3 shift = at_b.to_body(at_a.position);
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const GuideNode& n = a.node(stack.back());
    stack.pop_back();
    if (turned(n.box, turn, shift).low.z() >= 0.0) continue;
    if (n.triangle < 0) {
      stack.push_back(n.kids + 1);
      stack.push_back(n.kids);
      continue;
    }
    const GuideTriangle& t = a.triangles()[static_cast<std::size_t>(n.triangle)];
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 low = turn * t.at[k] + shift;
      const Vec3 world = at_b.to_world(low);
      const Box here{world, world};
      if (low.z() < 0.0 && !neglected(here, neglect))
        return Collision{t.feature, 0, t.uv[k], low.head<2>(), world};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Collision> find_collision(const Guide& a, const Posed& at_a, const Guide& b,
                                        const Posed& at_b, std::span<const NeglectSphere> neglect) {
  if (b.empty()) return collide_ground(a, at_a, at_b, neglect);
  // all in a's frame
  const Mat3 turn = at_a.rotation.transpose() * at_b.rotation;
  const Vec3 shift = at_a.to_body(at_b.position);
  std::vector<NeglectSphere> balls(neglect.begin(), neglect.end());
  for (NeglectSphere& ball : balls) ball.center_world = at_a.to_body(ball.center_world);
  std::vector<std::array<int, 2>> stack{{0, 0}};
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    const GuideNode &na = a.node(i), &nb = b.node(j);
    const Box box_b = turned(nb.box, turn, shift);
    if (!overlap(na.box, box_b)) continue;
    if (neglected({na.box.low.cwiseMax(box_b.low), na.box.high.cwiseMin(box_b.high)}, balls))
      continue;
    if (na.triangle < 0 && (nb.triangle >= 0 || box_size(na.box) >= box_size(nb.box))) {
      stack.push_back({na.kids + 1, j});
      stack.push_back({na.kids, j});
    } else if (nb.triangle < 0) {
      stack.push_back({i, nb.kids + 1});
      stack.push_back({i, nb.kids});
    } else {
      const GuideTriangle& ta = a.triangles()[static_cast<std::size_t>(na.triangle)];
      const GuideTriangle& tb = b.triangles()[static_cast<std::size_t>(nb.triangle)];
      std::array<Vec3, 3> other;
      for (std::size_t k = 0; k < 3; ++k) other[k] = turn * tb.at[k] + shift;
      const auto point = meet(ta.at, other);
      if (!point || neglected({*point, *point}, balls)) continue;
      const Vec3 world = at_a.to_world(*point);
      return Collision{ta.feature, tb.feature, parameters_at(ta, *point),
                       parameters_at(tb, at_b.to_body(world)), world};
    }
  }
  return std::nullopt;
}

}  // namespace repose::place
