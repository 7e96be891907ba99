#include "shape/sew/sew_sharp.h"

#include <algorithm>
#include <cmath>

#include "shape/sew/near_points.h"

namespace repose::shape {
namespace {

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

Vec3 normal_at(const PatchPtr& patch, double outward, const SewSide& side, double t) {
  const Vec2 at = side.curve.uv(t);
  return outward * patch->normal(at.x(), at.y());
}

Crease crease_along(const std::vector<PatchPtr>& patches, const std::vector<double>& outward,
                    const std::vector<SewSide>& sides, const Stretch& a, const Stretch& b,
                    double smooth_angle) {
  const SewSide &side_a = sides[a.side], &side_b = sides[b.side];
  Crease crease;
  double widest = 0.0;
  for (const double at : {0.25, 0.5, 0.75}) {
    const double ta = a.t0 + at * (a.t1 - a.t0);
    double distance = 0.0;
    const double tb =
        nearest_parameter(side_b.curve, {b.t0, b.t1}, side_a.curve.point(ta), &distance);
    const Vec3 na = normal_at(patches[side_a.face], outward[side_a.face], side_a, ta);
    const Vec3 nb = normal_at(patches[side_b.face], outward[side_b.face], side_b, tb);
    const double angle = angle_between(na, nb);
    if (angle <= widest) continue;
    widest = angle;
    // into face a, square to the edge
    const Vec3 along = side_a.curve.jet(ta).ct.normalized();
    Vec3 into = side_a.curve.inward(ta);
    into -= along * along.dot(into);
    crease.convex = nb.dot(into) < 0.0;
  }
  crease.sharp = widest > smooth_angle;
  return crease;
}

struct EdgeEnd {
  Vec3 point, leaving;  // unit, away from the point along the edge
  int part, edge;
};

void add_edge(const Sewn& sewn, int first, int last, Solid* solid, std::vector<EdgeEnd>* ends) {
  const Stretch &a = sewn.stretches[first], &z = sewn.stretches[last];
  const SewSide& side = sewn.sides[a.side];
  const int part = sewn.part_of[side.face];
  const PatchPtr& patch = sewn.patches[side.face];
  auto curve = std::make_shared<SideCurve>(patch, side.side, Interval(a.t0, z.t1));
  const int mate = sewn.sides[sewn.stretches[a.mate].side].face;
  auto& edges = solid->parts[part].edges;
  edges.push_back({curve, sewn.place[side.face], sewn.place[mate], sewn.creases[first].convex});
  if (curve->closed()) return;
  const int number = static_cast<int>(edges.size()) - 1;
  const CurveJet begin = curve->jet(a.t0), end = curve->jet(z.t1);
  ends->push_back({begin.c, begin.ct.normalized(), part, number});
  ends->push_back({end.c, -end.ct.normalized(), part, number});
}

/// Runs of sharp stretches along the sides, closed sides first.
void add_edges(const Sewn& sewn, Solid* solid, std::vector<EdgeEnd>* ends) {
  const int count = static_cast<int>(sewn.stretches.size());
  std::vector<char> used(count, 0);
  const auto mate_face = [&](int i) {
    return sewn.sides[sewn.stretches[sewn.stretches[i].mate].side].face;
  };
  for (const bool closed_sides : {true, false})
    for (int i = 0; i < count; ++i) {
      const SewSide& side = sewn.sides[sewn.stretches[i].side];
      if (used[i] || !sewn.creases[i].sharp || side.curve.closed() != closed_sides) continue;
      int last = i;
      while (last + 1 < count && sewn.stretches[last + 1].side == sewn.stretches[i].side &&
             !used[last + 1] && sewn.creases[last + 1].sharp &&
             sewn.creases[last + 1].convex == sewn.creases[i].convex &&
             mate_face(last + 1) == mate_face(i))
        ++last;
      for (int k = i; k <= last; ++k) used[k] = used[sewn.stretches[k].mate] = 1;
      add_edge(sewn, i, last, solid, ends);
    }
}

/// The vertices of each part so far, found by place.
class Vertices {
 public:
  Vertices(const Sewn& sewn, Solid* solid) : solid_(*solid) {
    const PatchPtr& patch = sewn.patches[0];
    const Vec3 origin = patch->point(patch->domain().u0, patch->domain().v0);
    for (std::size_t p = 0; p < solid->parts.size(); ++p)
      near_.emplace_back(2.0 * sewn.gap, origin, sewn.size);
  }

  /// The first within twice the gap, or a new one.
  Vertex& at(const Vec3& point, int part) {
    auto& vertices = solid_.parts[part].vertices;
    if (const auto& found = near_[part].within(point); !found.empty()) return vertices[found[0]];
    near_[part].add(point);
    vertices.push_back({point, {}, {}});
    return vertices.back();
  }

 private:
  Solid& solid_;
  std::vector<NearPoints> near_;  // by part
};

void add_once(std::vector<int>* list, int value) {
  if (std::find(list->begin(), list->end(), value) == list->end()) list->push_back(value);
}

/// An edge that merely goes on in another one leaves no corner. `near`: the ends about ends[end].
bool goes_on(int end, const std::vector<EdgeEnd>& ends, const std::vector<int>& near,
             double smooth) {
  int met = 0;
  bool straight = false;
  for (const int other : near) {
    if (other == end || ends[other].part != ends[end].part) continue;
    ++met;
    straight = angle_between(ends[other].leaving, -ends[end].leaving) <= smooth;
  }
  return met == 1 && straight;
}

void add_corners(const Sewn& sewn, const std::vector<EdgeEnd>& ends, Vertices* vertices,
                 Solid* solid) {
  if (ends.empty()) return;
  NearPoints near(2.0 * sewn.gap, ends[0].point, sewn.size);
  for (const EdgeEnd& end : ends) near.add(end.point);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const EdgeEnd& end = ends[i];
    if (goes_on(static_cast<int>(i), ends, near.within(end.point), sewn.smooth_angle)) continue;
    Part& part = solid->parts[end.part];
    Vertex& vertex = vertices->at(end.point, end.part);
    add_once(&vertex.edges, end.edge);
    add_once(&vertex.faces, part.edges[end.edge].left_face);
    add_once(&vertex.faces, part.edges[end.edge].right_face);
  }
}

/// Sides shrunk to a point around which the normals differ.
void add_tips(const Sewn& sewn, Vertices* vertices) {
  constexpr int kSamples = 16;
  for (const SewSide& side : sewn.sides) {
    if (!side.shrunk) continue;
    const Interval range = side.curve.domain();
    const PatchPtr& patch = sewn.patches[side.face];
    const Vec3 first = normal_at(patch, sewn.outward[side.face], side, range.lo);
    double widest = 0.0;
    for (int i = 1; i <= kSamples; ++i) {
      const double t = range.lo + i * range.width() / kSamples;
      widest = std::max(widest,
                        angle_between(first, normal_at(patch, sewn.outward[side.face], side, t)));
    }
    if (widest <= sewn.smooth_angle) continue;
    Vertex& vertex = vertices->at(side.curve.point(range.lo), sewn.part_of[side.face]);
    add_once(&vertex.faces, sewn.place[side.face]);
  }
}

}  // namespace

std::vector<Crease> find_creases(const std::vector<PatchPtr>& patches,
                                 const std::vector<double>& outward,
                                 const std::vector<SewSide>& sides,
                                 const std::vector<Stretch>& stretches, double smooth_angle) {
  std::vector<Crease> out(stretches.size());
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const int mate = stretches[i].mate;
    if (mate < static_cast<int>(i)) continue;
    out[i] = crease_along(patches, outward, sides, stretches[i], stretches[mate], smooth_angle);
    out[mate] = out[i];
  }
  return out;
}

void add_sharp_features(const Sewn& sewn, Solid* solid) {
  std::vector<EdgeEnd> ends;
  add_edges(sewn, solid, &ends);
  Vertices vertices(sewn, solid);
  add_corners(sewn, ends, &vertices, solid);
  add_tips(sewn, &vertices);
}

}  // namespace repose::shape
