#include "paper_contacts.h"

#include <algorithm>

#include "repose/base/stage_clock.h"

#include "foot.h"

namespace repose::place {
namespace {

/// Interface points of the same body nearer than this over the reach are one.
constexpr double kTooClose = 0.01;
/// Least radius of a sphere of neglect over the reach, and how much wider than the way of creation
/// it is.
constexpr double kLeastNeglect = 0.01, kNeglect = 1.5;
/// Sharp features nearer to a collision than this over the reach may carry its contact; no more
/// than so many are tried.
constexpr double kSharpNear = 0.15;
constexpr std::size_t kMostSharp = 6;
/// With more interface points than this no further collision is converted: the systems to solve
/// grow with the cube of their number.
constexpr std::size_t kMostPoints = 30;
/// A separation above this over the reach is positive.
constexpr double kApart = 1e-9;

const Posed& held(const PaperScene& scene, const InterfacePoint& p) {
  return scene.places[static_cast<std::size_t>(p.body_b)];
}

/// A point that left a patch over a smooth seam goes on on its neighbour: the feature of the
/// guide's nearest triangle there.
bool reseat(const Guide& guide, const Posed& body, const Vec3& world, int& feature, Vec2& uv) {
  const Vec3 p = body.to_body(world);
  const int next = guide.nearest(p, feature);
  if (next < 0) return false;
  const GuideTriangle& t = guide.triangles()[static_cast<std::size_t>(next)];
  const Feature& f = body.surface->feature(t.feature);
  if (f.kind != FeatureKind::patch) return false;
  const Foot foot = find_foot(f, p, (t.uv[0] + t.uv[1] + t.uv[2]) / 3.0);
  if (!foot.valid) return false;
  feature = t.feature;
  uv = foot.uv;
  return true;
}

/// True if the point is on its domains, after going over to a neighbouring patch if need be.
bool on_surface(const PaperScene& scene, InterfacePoint& p) {
  const Posed& b = held(scene, p);
  if (!off_domain(scene.body(), b, p)) return true;
  const PairView v = scene.view(p);
  InterfacePoint next = p;
  const Feature& fa = scene.body().surface->feature(p.feature_a);
  if (fa.kind == FeatureKind::patch)
    reseat(scene.guides[static_cast<std::size_t>(scene.active)], scene.body(), v.point,
           next.feature_a, next.uv_a);
  const Feature& fb = b.surface->feature(p.feature_b);
  if (fb.kind == FeatureKind::patch && !scene.guides[static_cast<std::size_t>(p.body_b)].empty())
    reseat(scene.guides[static_cast<std::size_t>(p.body_b)], b, v.foot, next.feature_b, next.uv_b);
  // either side may have left its patch, or both
  for (const auto& [a_moves, b_moves] : {std::pair(true, false), {false, true}, {true, true}}) {
    InterfacePoint mixed = p;
    if (a_moves) {
      mixed.feature_a = next.feature_a;
      mixed.uv_a = next.uv_a;
    }
    if (b_moves) {
      mixed.feature_b = next.feature_b;
      mixed.uv_b = next.uv_b;
    }
    if (mixed.feature_a == p.feature_a && mixed.feature_b == p.feature_b) continue;
    if (onto_extremal(scene.body(), b, scene.newton(), mixed) == Newton::failed) continue;
    if (off_domain(scene.body(), b, mixed)) continue;
    p = mixed;
    return true;
  }
  return false;
}

/// An edge or a corner near a collision.
struct Sharp {
  int feature = -1;
  Vec2 uv = Vec2::Zero();
  double distance = 0.0;
};

std::vector<Sharp> sharp_near(const Posed& body, const Vec3& world, double within) {
  std::vector<Sharp> out;
  const Vec3 p = body.to_body(world);
  const auto& features = body.surface->features();
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Feature& f = features[i];
    Sharp best{static_cast<int>(i), Vec2::Zero(), within};
    if (f.kind == FeatureKind::point && f.radius == 0.0) {
      best.distance = (f.point - p).norm();
    } else if (f.kind == FeatureKind::curve) {
      const auto samples = std::max<std::size_t>(f.normals_left.size(), 9);
      for (std::size_t k = 0; k < samples; ++k) {
        const double t = f.domain.u0 + (f.domain.u1 - f.domain.u0) * static_cast<double>(k) /
                                           static_cast<double>(samples - 1);
        const double d = (f.curve->jet(t).c - p).norm();
        if (d < best.distance) best = {best.feature, {t, 0.0}, d};
      }
    } else {
      continue;
    }
    if (best.distance < within) out.push_back(best);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Sharp& l, const Sharp& r) { return l.distance < r.distance; });
  if (out.size() > kMostSharp) out.resize(kMostSharp);
  return out;
}

InterfacePoint start_of(const Collision& c, int body_b) {
  InterfacePoint p;
  p.body_b = body_b;
  p.feature_a = c.feature_a;
  p.feature_b = c.feature_b;
  p.uv_a = c.uv_a;
  p.uv_b = c.uv_b;
  return p;
}

/// The pair itself, then pairs with sharp features near it.
std::vector<InterfacePoint> candidates(const PaperScene& scene, const Collision& c, int body_b) {
  std::vector<InterfacePoint> out{start_of(c, body_b)};
  const double within = kSharpNear * scene.mover().reach;
  const auto on_a = sharp_near(scene.body(), c.point_world, within);
  const auto on_b =
      sharp_near(scene.places[static_cast<std::size_t>(body_b)], c.point_world, within);
  for (const Sharp& a : on_a) {
    InterfacePoint p = out.front();
    p.feature_a = a.feature;
    p.uv_a = a.uv;
    out.push_back(p);
  }
  for (const Sharp& b : on_b) {
    InterfacePoint p = out.front();
    p.feature_b = b.feature;
    p.uv_b = b.uv;
    out.push_back(p);
  }
  for (const Sharp& a : on_a)
    for (const Sharp& b : on_b) {
      InterfacePoint p = out.front();
      p.feature_a = a.feature;
      p.uv_a = a.uv;
      p.feature_b = b.feature;
      p.uv_b = b.uv;
      out.push_back(p);
    }
  return out;
}

/// Figure 7, steps 2 to 5, from one start.
Conversion create(const PlaceSettings& s, const Collision& c, InterfacePoint p, bool sharp,
                  PaperScene& scene) {
  const Posed& b = held(scene, p);
  const NewtonSettings newton = scene.newton();
  const double reach = scene.mover().reach;
  const auto moved = [&](const InterfacePoint& q, const PaperScene& in) {
    return (in.view(q).point - c.point_world).norm();
  };
  if (sharp || onto_intersection(scene.body(), b, newton, p) == Newton::failed) {
    // the guides cross and the surfaces do not: an extremal pair stands for the collision
    if (onto_extremal(scene.body(), b, newton, p) == Newton::failed) return Conversion::failed;
    if (moved(p, scene) > s.paper_distance * reach || !on_surface(scene, p))
      return Conversion::failed;
    if (scene.view(p).separation > kApart * reach) {
      if (sharp) return Conversion::failed;
      p.neglect = std::max(kNeglect * moved(p, scene), kLeastNeglect * reach);
      scene.points.push_back(p);
      return Conversion::added;
    }
  } else {
    towards_deepest(scene.body(), b, newton, p);
    onto_extremal(scene.body(), b, newton, p);
  }
  PaperScene next = scene;
  p.contact = true;
  next.points.push_back(p);
  if (onto_contacts(next.body(), next.center_body(), next.places, next.frozen(), newton,
                    next.points) == Newton::failed)
    return Conversion::failed;
  InterfacePoint& made = next.points.back();
  const double way = moved(made, next);
  if (way > s.paper_distance * reach || !on_surface(next, made)) return Conversion::failed;
  made.neglect = std::max(kNeglect * way, kLeastNeglect * reach);
  scene.points = std::move(next.points);
  scene.body() = next.body();
  return Conversion::added;
}

}  // namespace

void make_transitions(const PlaceSettings& s, PaperScene& scene) {
  const double reach = scene.mover().reach;
  std::vector<InterfacePoint> kept;
  for (InterfacePoint p : scene.points) {
    if (!on_surface(scene, p)) continue;
    const PairView v = scene.view(p);
    if (!p.contact && v.separation < 0.0) p.contact = true;
    if (!p.contact && v.separation > s.paper_separation * reach) continue;
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const InterfacePoint& q) {
      return q.body_b == p.body_b && (scene.view(q).point - v.point).norm() < kTooClose * reach;
    });
    if (!known) kept.push_back(p);
  }
  scene.points = std::move(kept);
}

bool track_points(PaperScene& scene) {
  const StageScope timed("track_points");
  std::vector<InterfacePoint> conditioned;
  for (InterfacePoint p : scene.points) {
    const bool found =
        onto_extremal(scene.body(), held(scene, p), scene.newton(), p) == Newton::converged;
    if (!found && p.contact) return false;
    if (found) conditioned.push_back(p);
  }
  scene.points = std::move(conditioned);
  return onto_contacts(scene.body(), scene.center_body(), scene.places, scene.frozen(),
                       scene.newton(), scene.points) == Newton::converged;
}

Conversion convert_collision(const PlaceSettings& s, PaperScene& scene) {
  const StageScope timed("convert_collision");
  for (const Pairing& pair : scene.arena->pairs) {
    const int b = pair.p == scene.active ? pair.q : pair.p;
    std::vector<NeglectSphere> neglect;
    for (const InterfacePoint& p : scene.points)
      if (p.body_b == b) neglect.push_back({scene.view(p).point, p.neglect});
    const auto hit = find_collision(scene.guides[static_cast<std::size_t>(scene.active)],
                                    scene.body(), scene.guides[static_cast<std::size_t>(b)],
                                    scene.places[static_cast<std::size_t>(b)], neglect);
    if (!hit) continue;
    if (scene.points.size() >= kMostPoints) return Conversion::failed;
    const auto starts = candidates(scene, *hit, b);
    for (std::size_t i = 0; i < starts.size(); ++i)
      if (create(s, *hit, starts[i], i > 0, scene) == Conversion::added) return Conversion::added;
    return Conversion::failed;
  }
  return Conversion::none;
}

}  // namespace repose::place
