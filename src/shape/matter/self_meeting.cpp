#include "shape/matter/self_meeting.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <Eigen/Geometry>

#include "repose/base/random.h"
#include "repose/math/exact.h"

namespace repose::shape {
namespace {

using Corners = std::array<int, 3>;
using Sides = std::array<int, 3>;

/// The sign of the turn a, b, c seen along an axis.
int turn(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  const auto flat = [&](const Vec3& p) { return Vec2(p[i], p[j]); };
  return orient2d(flat(a), flat(b), flat(c));
}

struct Triangle {
  Corners number;
  std::array<Vec3, 3> at;
  int axis = -1;   // along which it is seen with an area; -1: it has none
  int facing = 0;  // the sign of its turn seen so
};

Triangle triangle_of(const TriangleMesh& mesh, int t) {
  Triangle out;
  out.number = mesh.triangles[static_cast<std::size_t>(t)];
  for (std::size_t k = 0; k < 3; ++k)
    out.at[k] = mesh.points[static_cast<std::size_t>(out.number[k])];
  const Vec3 n = (out.at[1] - out.at[0]).cross(out.at[2] - out.at[0]);
  int widest = 0;
  n.cwiseAbs().maxCoeff(&widest);
  for (int k = 0; k < 3 && out.facing == 0; ++k) {
    out.axis = (widest + k) % 3;
    out.facing = turn(out.at[0], out.at[1], out.at[2], out.axis);
  }
  if (out.facing == 0) out.axis = -1;
  return out;
}

/// Of the corners from `first` on; the others are on the plane.
Sides sides_of(const Triangle& of, const Triangle& plane, std::size_t first = 0) {
  Sides out{};
  for (std::size_t k = first; k < 3; ++k)
    out[k] = orient3d(plane.at[0], plane.at[1], plane.at[2], of.at[k]);
  return out;
}

/// All three corners lie beyond the plane, on one side of it.
bool beyond(const Sides& s) {
  return std::abs(s[0] + s[1] + s[2]) == 3;
}

/// The segment p q, whose ends lie on either side of the triangle's plane, meets it.
Meeting pierces(const Vec3& p, const Vec3& q, const Triangle& t) {
  int positive = 0, negative = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const int sign = orient3d(p, q, t.at[k], t.at[(k + 1) % 3]);
    positive += sign > 0;
    negative += sign < 0;
  }
  if (positive && negative) return Meeting::none;
  return positive + negative == 3 ? Meeting::cross : Meeting::touch;
}

/// p, a point of the triangle's plane, lies in it or on its border.
bool holds(const Triangle& t, const Vec3& p) {
  for (std::size_t k = 0; k < 3; ++k)
    if (turn(t.at[k], t.at[(k + 1) % 3], p, t.axis) * t.facing < 0) return false;
  return true;
}

/// Two triangles of one plane: an area in common, a point of the border, or nothing. A side of one
/// that has all of the other beyond it parts them.
Meeting in_one_plane(const Triangle& a, const Triangle& b) {
  bool border = false;
  for (const auto* t : {&a, &b}) {
    const Triangle& other = t == &a ? b : a;
    for (std::size_t k = 0; k < 3; ++k) {
      int most = -1;
      for (const Vec3& p : other.at)
        most = std::max(most, turn(t->at[k], t->at[(k + 1) % 3], p, t->axis) * t->facing);
      if (most < 0) return Meeting::none;
      border = border || most == 0;
    }
  }
  if (border) return Meeting::touch;
  const int seen_b = turn(b.at[0], b.at[1], b.at[2], a.axis);
  return seen_b == a.facing ? Meeting::cross : Meeting::touch;
}

Meeting worse(Meeting a, Meeting b) {
  return std::max(a, b);
}

/// A cosine or sine so far from zero that rounding of a few products has not made its sign.
constexpr double kClear = 1e-6;

/// All corners of b lie clearly beyond all corners of a along some direction, so that nothing exact
/// need be asked: it saves the time of flat and nearly flat places.
bool clearly_apart(const Triangle& a, const Triangle& b) {
  const Vec3 d = (b.at[0] + b.at[1] + b.at[2]) - (a.at[0] + a.at[1] + a.at[2]);
  double last_a = -std::numeric_limits<double>::infinity(), first_b = -last_a, far = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3 of_a = a.at[k] - a.at[0], of_b = b.at[k] - a.at[0];
    last_a = std::max(last_a, d.dot(of_a));
    first_b = std::min(first_b, d.dot(of_b));
    far = std::max({far, of_a.norm(), of_b.norm()});
  }
  return first_b - last_a > kClear * d.norm() * far;
}

/// The same of two triangles whose first corners are one: along some direction the legs of a point
/// clearly one way and those of b the other.
bool clearly_apart_at_corner(const Triangle& a, const Triangle& b) {
  const auto leg = [](const Triangle& t, std::size_t k) {
    return Vec3((t.at[k] - t.at[0]).normalized());
  };
  const Vec3 a1 = leg(a, 1), a2 = leg(a, 2), b1 = leg(b, 1), b2 = leg(b, 2);
  const Vec3 d = ((a1 + a2).normalized() - (b1 + b2).normalized());
  const double least_a = std::min(d.dot(a1), d.dot(a2)), most_b = std::max(d.dot(b1), d.dot(b2));
  return least_a > kClear && most_b < -kClear;
}

/// p and q lie clearly on opposite sides of the line through from and to, seen along it.
bool clearly_unfolded(const Vec3& p, const Vec3& q, const Vec3& from, const Vec3& to) {
  const Vec3 along = (to - from).normalized();
  const auto off = [&](const Vec3& x) { return Vec3((x - from) - along * along.dot(x - from)); };
  const Vec3 u = off(p), v = off(q);
  const double lu = u.norm(), lv = v.norm();
  return lu > kClear * (p - from).norm() && lv > kClear * (q - from).norm() &&
         u.dot(v) < -kClear * lu * lv;
}

/// No corner in common.
Meeting strangers(const Triangle& a, const Triangle& b) {
  if (clearly_apart(a, b)) return Meeting::none;
  const Sides sb = sides_of(b, a);
  if (beyond(sb)) return Meeting::none;
  if (sb == Sides{0, 0, 0}) return in_one_plane(a, b);
  const Sides sa = sides_of(a, b);
  if (beyond(sa)) return Meeting::none;
  Meeting out = Meeting::none;
  const auto look = [&](const Triangle& of, const Sides& s, const Triangle& at) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      if (s[k] * s[l] < 0) out = worse(out, pierces(of.at[k], of.at[l], at));
      if (s[k] == 0 && holds(at, of.at[k])) out = worse(out, Meeting::touch);
    }
  };
  look(b, sb, a);
  look(a, sa, b);
  return out;
}

/// The triangle with corner k first.
Triangle from_corner(Triangle t, std::size_t k) {
  std::rotate(t.number.begin(), t.number.begin() + static_cast<std::ptrdiff_t>(k), t.number.end());
  std::rotate(t.at.begin(), t.at.begin() + static_cast<std::ptrdiff_t>(k), t.at.end());
  return t;
}

/// Seen along the triangle's axis, p lies within the angle at its first corner (1), on a leg of it
/// or beyond its end (0), or outside (-1).
int in_angle(const Triangle& t, const Vec3& p) {
  const int first = turn(t.at[0], t.at[1], p, t.axis) * t.facing;
  const int last = turn(t.at[2], t.at[0], p, t.axis) * t.facing;
  return std::min(first, last);
}

/// The first corners are one, the others differ, one plane holds both.
Meeting angles_in_one_plane(const Triangle& a, const Triangle& b) {
  const bool same = turn(b.at[0], b.at[1], b.at[2], a.axis) == a.facing;
  const Meeting area = same ? Meeting::cross : Meeting::touch;
  for (const auto* t : {&a, &b}) {
    const Triangle& other = t == &a ? b : a;
    if (in_angle(*t, other.at[1]) > 0 || in_angle(*t, other.at[2]) > 0) return area;
  }
  // legs on both legs: the angles are one; on one leg: they lie side by side
  const bool first = in_angle(a, b.at[1]) == 0, last = in_angle(a, b.at[2]) == 0;
  if (first && last) return area;
  return first || last ? Meeting::touch : Meeting::none;
}

/// One corner in common, the first of both.
Meeting at_a_corner(const Triangle& a, const Triangle& b) {
  if (clearly_apart_at_corner(a, b)) return Meeting::none;
  const Sides sb = sides_of(b, a, 1);
  if (sb[1] != 0 && sb[1] == sb[2]) return Meeting::none;
  if (sb[1] == 0 && sb[2] == 0) return angles_in_one_plane(a, b);
  const Sides sa = sides_of(a, b, 1);
  if (sa[1] != 0 && sa[1] == sa[2]) return Meeting::none;
  Meeting out = Meeting::none;
  const auto look = [&](const Triangle& of, const Sides& s, const Triangle& at) {
    if (s[1] * s[2] < 0) out = worse(out, pierces(of.at[1], of.at[2], at));
    for (std::size_t k = 1; k < 3; ++k)
      if (s[k] == 0 && in_angle(at, of.at[k]) >= 0) out = worse(out, Meeting::touch);
  };
  look(b, sb, a);
  look(a, sa, b);
  return out;
}

/// A side in common; `p` is a's corner beyond it, `q` b's.
Meeting at_a_side(const Triangle& a, const Vec3& p, const Vec3& q, const Vec3& from,
                  const Vec3& to) {
  if (clearly_unfolded(p, q, from, to)) return Meeting::none;
  if (orient3d(a.at[0], a.at[1], a.at[2], q) != 0) return Meeting::none;
  const bool folded = turn(from, to, p, a.axis) == turn(from, to, q, a.axis);
  return folded ? Meeting::touch : Meeting::none;
}

Meeting meet(const Triangle& a, const Triangle& b) {
  std::array<std::size_t, 3> of_a{}, of_b{};
  std::size_t common = 0;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l)
      if (a.number[k] == b.number[l]) {
        of_a[common] = k;
        of_b[common] = l;
        ++common;
      }
  if (common == 0) return strangers(a, b);
  if (common == 1) return at_a_corner(from_corner(a, of_a[0]), from_corner(b, of_b[0]));
  if (common == 2)
    return at_a_side(a, a.at[3 - of_a[0] - of_a[1]], b.at[3 - of_b[0] - of_b[1]], a.at[of_a[0]],
                     a.at[of_a[1]]);
  // all three: a's in order, so b goes round the same way where its second follows its first
  return of_b[1] == (of_b[0] + 1) % 3 ? Meeting::cross : Meeting::touch;
}

struct Box {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());
  bool meets(const Box& b) const {
    return (low.array() <= b.high.array()).all() && (b.low.array() <= high.array()).all();
  }
};

/// Boxes of triangles in a binary tree, halved by number of triangles.
class BoxTree {
 public:
  explicit BoxTree(const TriangleMesh& mesh) : mesh_(mesh), order_(mesh.triangles.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    if (!order_.empty()) build(0, static_cast<int>(order_.size()));
  }

  /// visit(t, s) for pairs of triangles whose boxes meet, until it answers true.
  template <class Visit>
  void each_pair(const Visit& visit) const {
    std::vector<std::array<int, 2>> stack;
    if (!nodes_.empty()) stack.push_back({0, 0});
    while (!stack.empty()) {
      const auto [i, j] = stack.back();
      stack.pop_back();
      const Node &a = nodes_[static_cast<std::size_t>(i)], &b = nodes_[static_cast<std::size_t>(j)];
      if (!a.box.meets(b.box)) continue;
      if (a.left < 0 && b.left < 0) {
        if (i != j && visit(order_[static_cast<std::size_t>(a.first)],
                            order_[static_cast<std::size_t>(b.first)]))
          return;
      } else if (i == j) {
        stack.insert(stack.end(), {{a.left, a.left}, {a.right, a.right}, {a.left, a.right}});
      } else if (b.left < 0 || (a.left >= 0 && a.count >= b.count)) {
        stack.insert(stack.end(), {{a.left, j}, {a.right, j}});
      } else {
        stack.insert(stack.end(), {{i, b.left}, {i, b.right}});
      }
    }
  }

 private:
  struct Node {
    Box box;
    int first = 0, count = 0, left = -1, right = -1;
  };
  int build(int first, int count) {
    const int self = static_cast<int>(nodes_.size());
    nodes_.emplace_back();
    Node node;
    node.first = first;
    node.count = count;
    for (int i = first; i < first + count; ++i)
      for (const int c : triangle(i)) {
        node.box.low = node.box.low.cwiseMin(mesh_.points[static_cast<std::size_t>(c)]);
        node.box.high = node.box.high.cwiseMax(mesh_.points[static_cast<std::size_t>(c)]);
      }
    if (count > 1) {
      int axis = 0;
      (node.box.high - node.box.low).maxCoeff(&axis);
      const auto middle_of = [&](int t) {
        double sum = 0.0;
        for (const int c : mesh_.triangles[static_cast<std::size_t>(t)])
          sum += mesh_.points[static_cast<std::size_t>(c)][axis];
        return sum;
      };
      std::nth_element(order_.begin() + first, order_.begin() + first + count / 2,
                       order_.begin() + first + count, [&](int s, int t) {
                         const double x = middle_of(s), y = middle_of(t);
                         return x != y ? x < y : s < t;
                       });
      node.left = build(first, count / 2);
      node.right = build(first + count / 2, count - count / 2);
    }
    nodes_[static_cast<std::size_t>(self)] = node;
    return self;
  }
  const Corners& triangle(int i) const {
    return mesh_.triangles[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])];
  }

  const TriangleMesh& mesh_;
  std::vector<int> order_;
  std::vector<Node> nodes_;
};

}  // namespace

SelfMeeting self_meeting(const TriangleMesh& mesh) {
  SelfMeeting out;
  BoxTree(mesh).each_pair([&](int s, int t) {
    const Triangle a = triangle_of(mesh, s), b = triangle_of(mesh, t);
    if (a.axis < 0 || b.axis < 0) return false;
    const Meeting kind = meet(a, b);
    if (kind > out.kind) out = {kind, {s, t}};
    return kind == Meeting::cross;
  });
  return out;
}

std::vector<SelfMeeting> all_meetings(const TriangleMesh& mesh, std::size_t most) {
  std::vector<SelfMeeting> out;
  BoxTree(mesh).each_pair([&](int s, int t) {
    const Triangle a = triangle_of(mesh, s), b = triangle_of(mesh, t);
    if (a.axis < 0 || b.axis < 0) return false;
    if (const Meeting kind = meet(a, b); kind != Meeting::none)
      out.push_back({kind, {std::min(s, t), std::max(s, t)}});
    return out.size() >= most;
  });
  std::sort(out.begin(), out.end(),
            [](const SelfMeeting& x, const SelfMeeting& y) { return x.triangles < y.triangles; });
  return out;
}

/// Crossings count 1 where the segment leaves the outward side behind it; nothing is known where it
/// meets a border or an end lies on a plane.
Winding winding_along(const Vec3& p, const Vec3& q, const TriangleMesh& mesh,
                      const std::vector<int>& triangles) {
  Winding out;
  for (const int number : triangles) {
    const Triangle t = triangle_of(mesh, number);
    if (t.axis < 0) continue;
    int positive = 0, negative = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const int sign = orient3d(p, q, t.at[k], t.at[(k + 1) % 3]);
      positive += sign > 0;
      negative += sign < 0;
    }
    if (positive && negative) continue;
    if (positive + negative < 3) return {};
    const int from = orient3d(t.at[0], t.at[1], t.at[2], p);
    const int to = orient3d(t.at[0], t.at[1], t.at[2], q);
    if (from == 0 || to == 0) return {};
    if (from != to) out.number += to;
  }
  out.known = true;
  return out;
}

Winding winding_about(const Vec3& point, const TriangleMesh& mesh,
                      const std::vector<int>& triangles) {
  constexpr int kTries = 12;
  constexpr double kBeyond = 4.0;  // of the farthest point's distance
  double far = 0.0;
  for (const int t : triangles)
    for (const int c : mesh.triangles[static_cast<std::size_t>(t)])
      far = std::max(far, (mesh.points[static_cast<std::size_t>(c)] - point).norm());
  Random random(1);
  for (int k = 0; k < kTries; ++k) {
    const Vec3 way(random.normal(), random.normal(), random.normal());
    const Winding found =
        winding_along(point, point + kBeyond * far * way.normalized(), mesh, triangles);
    if (found.known) return found;
  }
  return {};
}

}  // namespace repose::shape
