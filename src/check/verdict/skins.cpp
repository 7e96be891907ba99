#include "repose/check/skins.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "repose/base/disjoint_sets.h"
#include "repose/base/stage_clock.h"
#include "repose/math/exact.h"

#include "check/exact/exact_triangles.h"

namespace repose::check {

namespace {

using prove::Answer;
using Place = std::array<int, 3>;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

struct Box {
  Vec3 low, high;
  bool meets(const Box& other) const {
    return (low.array() <= other.high.array()).all() && (other.low.array() <= high.array()).all();
  }
};

struct SkinMesh {
  int body = -1;
  std::vector<Vec3> points;                   // world
  std::vector<std::array<int, 3>> triangles;  // outward on cells
  std::vector<Box> boxes;                     // of triangles
  Box box;
  std::vector<std::array<int, 2>> parts;  // of each connected part a triangle and a point
  std::vector<bool> in_closed;            // per triangle: its part bounds a volume
};

/// The squares of a lattice that are its outside.
class LatticeSkin {
 public:
  explicit LatticeSkin(const std::vector<Place>& places) {
    for (std::size_t i = 0; i < places.size(); ++i) number_.emplace(places[i], static_cast<int>(i));
    for (const Place& place : places)
      for (std::size_t axis = 0; axis < 3; ++axis) add_square(place, axis);
  }
  std::vector<std::array<int, 3>> triangles;

 private:
  int find(const Place& place) const {
    const auto found = number_.find(place);
    return found == number_.end() ? -1 : found->second;
  }
  bool has_cell(const Place& low) const {
    for (int x = 0; x < 2; ++x)
      for (int y = 0; y < 2; ++y)
        for (int z = 0; z < 2; ++z)
          if (find({low[0] + x, low[1] + y, low[2] + z}) < 0) return false;
    return true;
  }
  /// The square at `low` that is square to the axis.
  void add_square(const Place& low, std::size_t axis) {
    Place second = low, fourth = low, below = low;
    second[(axis + 1) % 3] += 1;
    fourth[(axis + 2) % 3] += 1;
    Place third = second;
    third[(axis + 2) % 3] += 1;
    below[axis] -= 1;
    const int a = find(low), b = find(second), c = find(third), d = find(fourth);
    if (a < 0 || b < 0 || c < 0 || d < 0) return;
    const bool over = has_cell(low), under = has_cell(below);
    if (over && under) return;
    // counter-clockwise seen from where there is no cell
    if (over) {
      triangles.push_back({a, c, b});
      triangles.push_back({a, d, c});
    } else {
      triangles.push_back({a, b, c});
      triangles.push_back({a, c, d});
    }
  }

  std::map<Place, int> number_;
};

/// Which triangles hang together, and which of these parts are closed: each side belongs to as many
/// triangles one way round as the other.
void find_parts(SkinMesh& mesh) {
  DisjointSets joined(static_cast<int>(mesh.points.size()));
  std::map<std::array<int, 2>, int> sides;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const int from = t[k], to = t[(k + 1) % 3];
      joined.join(from, to);
      sides[{std::min(from, to), std::max(from, to)}] += from < to ? 1 : -1;
    }
  std::map<int, bool> open;
  for (const auto& [side, count] : sides) open[joined.name_of(side[0])] |= count != 0;
  std::map<int, int> first;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int part = joined.name_of(mesh.triangles[t][0]);
    mesh.in_closed.push_back(!open[part]);
    if (first.emplace(part, static_cast<int>(t)).second)
      mesh.parts.push_back({static_cast<int>(t), mesh.triangles[t][0]});
  }
}

SkinMesh skin_mesh(const Input& input, int body) {
  SkinMesh out;
  out.body = body;
  const PlacedBody& placed = input.bodies[at(body)];
  const auto* set = std::get_if<shape::SphereSet>(&placed.shape->geometry);
  if (set == nullptr || set->lattice.size() != set->centers.size() ||
      placed.points_world.size() != set->centers.size() || !placed.collides)
    return out;
  out.points = placed.points_world;
  out.triangles = LatticeSkin(set->lattice).triangles;
  if (out.triangles.empty()) return out;
  for (const auto& [a, b, c] : out.triangles) {
    const Vec3 &p = out.points[at(a)], &q = out.points[at(b)], &r = out.points[at(c)];
    out.boxes.push_back({p.cwiseMin(q).cwiseMin(r), p.cwiseMax(q).cwiseMax(r)});
  }
  out.box = out.boxes[0];
  for (const Box& box : out.boxes) {
    out.box.low = out.box.low.cwiseMin(box.low);
    out.box.high = out.box.high.cwiseMax(box.high);
  }
  find_parts(out);
  return out;
}

ExactTriangle exact(const SkinMesh& mesh, int triangle, Doubts& doubts) {
  const auto& [a, b, c] = mesh.triangles[at(triangle)];
  return {ExactPoint(mesh.points[at(a)]), ExactPoint(mesh.points[at(b)]),
          ExactPoint(mesh.points[at(c)]), doubts};
}

/// Triangles of a mesh whose boxes meet a box, sorted as they are.
std::vector<int> triangles_in(const SkinMesh& mesh, const Box& box) {
  std::vector<int> out;
  for (std::size_t t = 0; t < mesh.boxes.size(); ++t)
    if (mesh.boxes[t].meets(box)) out.push_back(static_cast<int>(t));
  return out;
}

/// Both triangles lie on one side of each other's planes for sure, in doubles with room for
/// rounding: most pairs need no more.
bool surely_apart(const SkinMesh& a, int i, const SkinMesh& b, int j) {
  constexpr double kRounding = 1e-12;  // of the products that are summed
  const auto beside = [](const SkinMesh& one, int t, const SkinMesh& other, int u) {
    const auto& [p, q, r] = one.triangles[at(t)];
    const Vec3& corner = one.points[at(p)];
    const Vec3 edge = one.points[at(q)] - corner, next = one.points[at(r)] - corner;
    const Vec3 normal = edge.cross(next);
    int above = 0, below = 0;
    for (const int k : other.triangles[at(u)]) {
      const Vec3 way = other.points[at(k)] - corner;
      const double height = normal.dot(way);
      const double off = kRounding * (edge.norm() * next.norm() *
                                      (other.points[at(k)].norm() + corner.norm() + way.norm()));
      above += height > off ? 1 : 0;
      below += height < -off ? 1 : 0;
    }
    return above == 3 || below == 3;
  };
  return beside(a, i, b, j) || beside(b, j, a, i);
}

enum class Side { outside, inside, unknown };

/// A point against the closed parts of a skin, by the crossings of a ray; exact signs. The ray goes
/// along nothing that lattices have.
Side side_of(const Vec3& p, const SkinMesh& mesh) {
  const Vec3 ray(0.318309886, 0.141421356, 0.937426252);
  int around = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (!mesh.in_closed[t] || (p.array() > mesh.boxes[t].high.array()).any()) continue;
    const auto& [a, b, c] = mesh.triangles[t];
    const std::array<Vec3, 3> corner{mesh.points[at(a)], mesh.points[at(b)], mesh.points[at(c)]};
    // on which side of each edge the ray passes, seen from its end
    int above = 0, below = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const int turn = orient_about(p, ray, corner[k], corner[(k + 1) % 3]);
      above += turn > 0 ? 1 : 0;
      below += turn < 0 ? 1 : 0;
    }
    if (above > 0 && below > 0) continue;
    if (above < 3 && below < 3) return Side::unknown;  // the ray meets an edge
    const int height = orient3d(corner[0], corner[1], corner[2], p);
    if (height == 0) return Side::unknown;
    // the triangle lies ahead
    if (above == 3 && height < 0) ++around;
    if (below == 3 && height > 0) --around;
  }
  return around != 0 ? Side::inside : Side::outside;
}

/// No part of `a` lies in a closed part of `b`: where no triangles cross, one point tells for all
/// of a part, and any of its points will do.
Answer outside(const SkinMesh& a, const SkinMesh& b) {
  if (!a.box.meets(b.box)) return Answer::proven;
  if (std::none_of(b.in_closed.begin(), b.in_closed.end(), [](bool closed) { return closed; }))
    return Answer::proven;
  for (const auto& [first, point] : a.parts) {
    Side side = side_of(a.points[at(point)], b);
    // a ray through an edge tells nothing: another corner of the same triangle
    for (const int corner : a.triangles[at(first)])
      if (side == Side::unknown) side = side_of(a.points[at(corner)], b);
    if (side == Side::inside) return Answer::missed;
    if (side == Side::unknown) return Answer::undecided;
  }
  return Answer::proven;
}

class SkinPair {
 public:
  SkinPair(const SkinMesh& a, const SkinMesh& b, long& compared)
      : a_(a), b_(b), compared_(compared) {}

  Answer judge() {
    if (!a_.box.meets(b_.box)) return Answer::proven;
    Answer out = crossings();
    if (out == Answer::proven) out = prove::both(outside(a_, b_), outside(b_, a_));
    return out;
  }

 private:
  Answer crossings() {
    const std::vector<int> near_a = triangles_in(a_, b_.box);
    std::vector<int> near_b = triangles_in(b_, a_.box);
    std::sort(near_b.begin(), near_b.end(),
              [&](int s, int t) { return b_.boxes[at(s)].low.x() < b_.boxes[at(t)].low.x(); });
    Answer out = Answer::proven;
    for (const int i : near_a)
      for (const int j : near_b) {
        if (b_.boxes[at(j)].low.x() > a_.boxes[at(i)].high.x()) break;
        if (!a_.boxes[at(i)].meets(b_.boxes[at(j)]) || surely_apart(a_, i, b_, j)) continue;
        out = prove::both(out, compare(i, j));
        if (out == Answer::missed) return out;
      }
    return out;
  }

  /// Touching counts as apart: nothing lies within both.
  Answer compare(int i, int j) {
    ++compared_;
    Doubts doubts;
    const ExactTriangle one = exact(a_, i, doubts), other = exact(b_, j, doubts);
    // a triangle pressed to a line bounds nothing that its neighbours do not
    if (one.plane.none() || other.plane.none()) return Answer::undecided;
    const TriangleContact::Kind kind = meet(one, other, doubts).kind;
    if (doubts.any) return Answer::undecided;
    return kind == TriangleContact::Kind::apart || kind == TriangleContact::Kind::touching ||
                   kind == TriangleContact::Kind::back_area
               ? Answer::proven
               : Answer::missed;
  }

  const SkinMesh &a_, &b_;
  long& compared_;
};

}  // namespace

SkinsVerdict judge_skins(const Input& input) {
  const StageScope timed("judge_skins");
  std::vector<SkinMesh> skins;
  for (int b = 0; b < static_cast<int>(input.bodies.size()); ++b)
    if (SkinMesh mesh = skin_mesh(input, b); !mesh.triangles.empty())
      skins.push_back(std::move(mesh));
  SkinsVerdict out;
  out.skins = static_cast<int>(skins.size());
  if (skins.size() < 2) return out;
  out.answer = Answer::proven;
  for (std::size_t i = 0; i < skins.size(); ++i)
    for (std::size_t j = i + 1; j < skins.size(); ++j) {
      if (never_meet(input.bodies[at(skins[i].body)], input.bodies[at(skins[j].body)])) continue;
      const Answer said = SkinPair(skins[i], skins[j], out.pairs).judge();
      if (said == Answer::proven || out.answer == Answer::missed) continue;
      out.answer = prove::both(out.answer, said);
      out.body_a = skins[i].body;
      out.body_b = skins[j].body;
      out.why = fmt::format("the skins of {} and {} {}", input.bodies[at(out.body_a)].name,
                            input.bodies[at(out.body_b)].name,
                            said == Answer::missed ? "cross" : "are not shown to be apart");
    }
  return out;
}

}  // namespace repose::check
