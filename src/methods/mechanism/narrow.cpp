#include "narrow.h"

#include <algorithm>
#include <limits>

namespace repose::mechanism {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Contacts of one pair of parts have normals this near to each other: the cosine.
constexpr double kAlike = 0.99;

double lowest_along(const std::vector<Vec2>& points, const Vec2& n) {
  double low = kInfinity;
  for (const Vec2& p : points) low = std::min(low, n.dot(p));
  return low;
}

/// The best side of `s` to keep `p` off, by all sides and by those that can be touched.
void best_side(const PlacedPart& s, const PlacedPart& p, double sign, PartGap& best) {
  for (std::size_t k = 0; k < s.points.size(); ++k) {
    const double apart = lowest_along(p.points, s.normals[k]) - s.normals[k].dot(s.points[k]);
    if (apart > best.gap) {
      best.gap = apart;
      best.normal = sign * s.normals[k];
    }
    if (s.part->inner[k] == 0 && apart > best.boundary) {
      best.boundary = apart;
      best.boundary_normal = sign * s.normals[k];
    }
  }
}

/// Of a point to a polygon: the nearest side, or the corner where that is nearer.
struct NearPoint {
  double gap = -kInfinity;  // to the polygon, m
  Vec2 normal = Vec2::UnitX();
  int side = 0;
  int corner = -1;  // -1: the side itself
};

NearPoint near_point(const PlacedPart& polygon, const Vec2& p) {
  NearPoint out;
  const std::size_t n = polygon.points.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double apart = polygon.normals[k].dot(p - polygon.points[k]);
    if (apart <= out.gap) continue;
    out.gap = apart;
    out.normal = polygon.normals[k];
    out.side = static_cast<int>(k);
  }
  if (out.gap <= 0.0) return out;
  const auto k = static_cast<std::size_t>(out.side);
  const Vec2 &from = polygon.points[k], &to = polygon.points[(k + 1) % n];
  const Vec2 along = to - from;
  const double t = along.dot(p - from);
  if (t < 0.0) out.corner = out.side;
  if (t > along.squaredNorm()) out.corner = static_cast<int>((k + 1) % n);
  if (out.corner >= 0) {
    // the nearest corner may be farther round a flat polygon
    for (std::size_t c = 0; c < n; ++c)
      if ((p - polygon.points[c]).squaredNorm() <
          (p - polygon.points[static_cast<std::size_t>(out.corner)]).squaredNorm())
        out.corner = static_cast<int>(c);
    const Vec2 away = p - polygon.points[static_cast<std::size_t>(out.corner)];
    out.gap = away.norm();
    out.normal = away / out.gap;
  }
  return out;
}

PartGap round_gap(double gap, const Vec2& normal) {
  return {gap, normal, gap, normal};
}

std::uint64_t feature_key(int point_body, int point_part, std::size_t corner, int side_body,
                          int side_part, std::size_t side) {
  std::uint64_t key = 0x9e3779b97f4a7c15ULL;
  for (const std::uint64_t word :
       {static_cast<std::uint64_t>(point_body), static_cast<std::uint64_t>(point_part),
        static_cast<std::uint64_t>(corner), static_cast<std::uint64_t>(side_body),
        static_cast<std::uint64_t>(side_part), static_cast<std::uint64_t>(side)}) {
    key ^= word + 0x9e3779b97f4a7c15ULL + (key << 6) + (key >> 2);
    key *= 0xff51afd7ed558ccdULL;
    key ^= key >> 32;
  }
  return key;
}

/// One body's part with its indices.
struct Side {
  int body, index;
  const PlacedPart& placed;
};

struct Candidate {
  Feature feature;
  double along = 0.0;  // tangential place, m
  double gap = 0.0;
};

Candidate corner_on_side(const Side& p, std::size_t corner, const Side& s, std::size_t side,
                         const Vec2& tangent, double gap) {
  Candidate out;
  Feature& f = out.feature;
  f.point_body = p.body;
  f.side_body = s.body;
  f.point = p.placed.part->points[corner];
  f.base = s.placed.part->points[side];
  f.side_normal = s.placed.part->normals[side];
  f.key = feature_key(p.body, p.index, corner, s.body, s.index, side);
  out.along = tangent.dot(p.placed.points[corner]);
  out.gap = gap;
  return out;
}

/// Corners of p on sides of s whose normal is like `normal` (from s to p).
void corners_on_sides(const Side& p, const Side& s, const Vec2& normal, const Vec2& tangent,
                      double touch, std::vector<Candidate>& out) {
  const std::size_t n = s.placed.points.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2& side_normal = s.placed.normals[k];
    if (s.placed.part->inner[k] != 0 || side_normal.dot(normal) < kAlike) continue;
    const Vec2 from = s.placed.points[k], along(-side_normal.y(), side_normal.x());
    const double length = (s.placed.points[(k + 1) % n] - from).norm();
    for (std::size_t c = 0; c < p.placed.points.size(); ++c) {
      const Vec2 away = p.placed.points[c] - from;
      const double gap = side_normal.dot(away), at = along.dot(away);
      if (gap <= touch && at >= -touch && at <= length + touch &&
          p.placed.open_towards(c, -side_normal))
        out.push_back(corner_on_side(p, c, s, k, tangent, gap));
    }
  }
}

/// The outermost two, or one where they are nearer together than `touch`.
void keep_outermost(std::vector<Candidate>& candidates, double touch, std::vector<Feature>& out) {
  if (candidates.empty()) return;
  const Candidate *low = &candidates[0], *high = &candidates[0];
  for (const Candidate& c : candidates) {
    if (c.along < low->along - touch || (c.along < low->along + touch && c.gap < low->gap))
      low = &c;
    if (c.along > high->along + touch || (c.along > high->along - touch && c.gap < high->gap))
      high = &c;
  }
  out.push_back(low->feature);
  if (high->along > low->along + 2.0 * touch) out.push_back(high->feature);
}

void polygon_features(const Side& a, const Side& b, double touch, bool forced,
                      std::vector<Feature>& out) {
  const PartGap near = gap_between(a.placed, b.placed);
  if (!forced && (near.gap > touch || near.boundary == -kInfinity)) return;
  Vec2 normal = near.boundary_normal;
  // where a side that cannot be touched separates them, they are only neighbours of a seam
  if (!forced && near.gap > near.boundary + touch && near.gap > 0.0) return;
  if (near.boundary == -kInfinity) normal = near.normal;
  const Vec2 tangent = left_of(normal);
  static thread_local std::vector<Candidate> candidates;
  candidates.clear();
  corners_on_sides(a, b, normal, tangent, touch, candidates);
  corners_on_sides(b, a, -normal, tangent, touch, candidates);
  if (candidates.empty() && (forced || near.boundary < 0.0)) {
    const double wide = 2.0 * std::max(std::fabs(near.gap), touch);
    corners_on_sides(a, b, normal, tangent, wide, candidates);
    corners_on_sides(b, a, -normal, tangent, wide, candidates);
  }
  keep_outermost(candidates, touch, out);
}

void disc_on_polygon(const Side& d, const Side& s, double touch, bool forced,
                     std::vector<Feature>& out) {
  const NearPoint near = near_point(s.placed, d.placed.points[0]);
  const double radius = d.placed.part->radius;
  if (!forced && near.gap - radius > touch) return;
  const auto k = static_cast<std::size_t>(near.side);
  Feature f;
  f.point_body = d.body;
  f.side_body = s.body;
  f.point = d.placed.part->points[0];
  f.point_radius = radius;
  const std::size_t n = s.placed.points.size();
  if (near.corner >= 0) {
    const auto c = static_cast<std::size_t>(near.corner);
    if (!forced && !s.placed.open_towards(c, near.normal)) return;
    f.curved = true;
    f.base = s.placed.part->points[c];
    f.key = feature_key(d.body, d.index, 0, s.body, s.index, n + c);
  } else {
    if (!forced && s.placed.part->inner[k] != 0) return;
    f.base = s.placed.part->points[k];
    f.side_normal = s.placed.part->normals[k];
    f.key = feature_key(d.body, d.index, 0, s.body, s.index, k);
  }
  out.push_back(f);
}

}  // namespace

PartGap gap_between(const PlacedPart& a, const PlacedPart& b) {
  if (a.part->disc() && b.part->disc()) {
    const Vec2 away = a.points[0] - b.points[0];
    const double apart = away.norm();
    return round_gap(apart - a.part->radius - b.part->radius,
                     apart > 0.0 ? Vec2(away / apart) : Vec2(Vec2::UnitX()));
  }
  if (a.part->disc()) {
    const NearPoint near = near_point(b, a.points[0]);
    return round_gap(near.gap - a.part->radius, near.normal);
  }
  if (b.part->disc()) {
    const NearPoint near = near_point(a, b.points[0]);
    return round_gap(near.gap - b.part->radius, -near.normal);
  }
  PartGap out;
  out.gap = out.boundary = -kInfinity;
  best_side(b, a, 1.0, out);
  best_side(a, b, -1.0, out);
  return out;
}

double separation_along(const PlacedPart& a, const PlacedPart& b, const Vec2& direction) {
  return lowest_along(a.points, direction) + lowest_along(b.points, -direction) - a.part->radius -
         b.part->radius;
}

void find_features(int body_a, int part_a, const PlacedPart& a, int body_b, int part_b,
                   const PlacedPart& b, double touch, bool forced, std::vector<Feature>& out) {
  const Side sa{body_a, part_a, a}, sb{body_b, part_b, b};
  if (a.part->disc() && b.part->disc()) {
    if (!forced && gap_between(a, b).gap > touch) return;
    Feature f;
    f.point_body = body_a;
    f.side_body = body_b;
    f.point = a.part->points[0];
    f.point_radius = a.part->radius;
    f.curved = true;
    f.base = b.part->points[0];
    f.base_radius = b.part->radius;
    f.key = feature_key(body_a, part_a, 0, body_b, part_b, 0);
    out.push_back(f);
    return;
  }
  if (a.part->disc()) return disc_on_polygon(sa, sb, touch, forced, out);
  if (b.part->disc()) return disc_on_polygon(sb, sa, touch, forced, out);
  polygon_features(sa, sb, touch, forced, out);
}

}  // namespace repose::mechanism
