#include "blocked_seeds.h"

#include <algorithm>

namespace repose::place {
namespace {

/// Cells no larger than this share of the distance asked for tell a place well enough; longest
/// cells against their width.
constexpr double kFine = 0.5, kAspect = 4.0;

/// The nearest cell of a feature.
struct NearFeature {
  int feature = -1;
  Vec2 uv = Vec2::Zero();
  double distance = 0.0;  // m, of its middle
};

void keep_nearest(const NearFeature& found, std::vector<NearFeature>& out) {
  const auto same = std::find_if(out.begin(), out.end(), [&](const NearFeature& other) {
    return other.feature == found.feature;
  });
  if (same == out.end())
    out.push_back(found);
  else if (found.distance < same->distance)
    *same = found;
}

/// Of the hierarchy below `root` (-1: none); `at` in the body's frame.
std::vector<NearFeature> features_near(Surface& surface, int root, const Vec3& at, double near) {
  std::vector<NearFeature> out;
  std::vector<int> stack;
  if (root >= 0) stack.push_back(root);
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    const Cell& c = surface.cell(i);
    const double distance = (c.center - at).norm();
    if (distance > near + c.radius) continue;
    if (c.feature >= 0 && (c.triangle || c.whole || c.radius <= kFine * near)) {
      keep_nearest({c.feature, c.box.center(), distance}, out);
      continue;
    }
    const Vec3 normal = c.normal;
    const int first = surface.split(i, normal, kAspect);
    stack.push_back(first + 1);
    stack.push_back(first);
  }
  return out;
}

/// The features of one body about a place.
struct Around {
  std::vector<NearFeature> points, faces, edges, corners;

  Around(const Posed& body, const Vec3& at, double near) {
    Surface& s = *body.surface;
    if (s.half_space()) {
      faces.push_back({0, Vec2::Zero(), 0.0});
      return;
    }
    const Vec3 here = body.to_body(at);
    points = features_near(s, s.points(), here, near);
    faces = features_near(s, s.faces(), here, near);
    edges = features_near(s, s.edges(), here, near);
    corners = features_near(s, s.corners(), here, near);
  }
};

void add_pairs(int ip, const std::vector<NearFeature>& of_p, int iq,
               const std::vector<NearFeature>& of_q, std::vector<Seed>& out) {
  for (const NearFeature& a : of_p)
    for (const NearFeature& b : of_q) out.push_back({ip, iq, a.feature, b.feature, a.uv, b.uv});
}

}  // namespace

std::vector<Seed> seeds_at(int ip, const Posed& p, int iq, const Posed& q, const Vec3& at,
                           double near) {
  const Around a(p, at, near), b(q, at, near);
  std::vector<Seed> out;
  add_pairs(ip, a.points, iq, b.faces, out);
  add_pairs(iq, b.points, ip, a.faces, out);
  add_pairs(ip, a.edges, iq, b.edges, out);
  add_pairs(ip, a.corners, iq, b.edges, out);
  add_pairs(iq, b.corners, ip, a.edges, out);
  return out;
}

}  // namespace repose::place
