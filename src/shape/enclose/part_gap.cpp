#include "shape/enclose/part_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/work.h"

#include "shape/tessellate/tessellate.h"

namespace repose::shape {
namespace {

/// Feet whose distances differ by less, relatively, are one place on an edge.
constexpr double kTie = 1e-12;
/// A walk ends when its next step would shorten the squared distance by less, relatively.
constexpr double kSettled = 1e-15;
/// Rounding of a way between two points, as a share of their coordinates.
constexpr double kWayRounding = 2.0 * std::numeric_limits<double>::epsilon();

struct Foot {
  double distance = std::numeric_limits<double>::infinity();
  double along_normal = 0.0;  // of the way from the foot to the point
  Vec2 uv = Vec2::Zero();
  PatchJet jet;  // there
};

/// Walks (u, v) to a nearest point of the face within its domain: Newton where the squared distance
/// is convex, Gauss-Newton elsewhere, steps halved until it falls. `known` is the face's jet at the
/// start, which then lies within its domain.
Foot foot_on(const Face& face, Vec2 at, const Vec3& p, const PatchJet* known = nullptr) {
  constexpr int kMaxSteps = 40, kMaxHalvings = 30, kUsualSteps = 4;
  const UvBox d = face.patch->domain();
  const auto clamped = [&](const Vec2& q) {
    return Vec2(std::clamp(q.x(), d.u0, d.u1), std::clamp(q.y(), d.v0, d.v1));
  };
  at = clamped(at);
  spend_work(kUsualSteps);
  const double rounding = kWayRounding * p.cwiseAbs().maxCoeff();
  PatchJet j = known ? *known : face.patch->jet(at.x(), at.y());
  double value = (j.s - p).squaredNorm();
  for (int step = 0; step < kMaxSteps; ++step) {
    const Vec3 away = j.s - p;
    Vec2 slope(away.dot(j.su), away.dot(j.sv));
    Mat2 bend;
    bend << j.su.dot(j.su) + away.dot(j.suu), j.su.dot(j.sv) + away.dot(j.suv),
        j.su.dot(j.sv) + away.dot(j.suv), j.sv.dot(j.sv) + away.dot(j.svv);
    if (!(bend.determinant() > 0.0 && bend(0, 0) > 0.0))
      bend << j.su.dot(j.su), j.su.dot(j.sv), j.su.dot(j.sv), j.sv.dot(j.sv);
    // a parameter pressed against its limit stays there
    const bool hold_u = (at.x() <= d.u0 && slope.x() > 0.0) || (at.x() >= d.u1 && slope.x() < 0.0);
    const bool hold_v = (at.y() <= d.v0 && slope.y() > 0.0) || (at.y() >= d.v1 && slope.y() < 0.0);
    Vec2 move = Vec2::Zero();
    if (!hold_u && !hold_v) {
      const double det = bend.determinant();
      if (!(det > 0.0)) break;
      move = -Vec2(bend(1, 1) * slope.x() - bend(0, 1) * slope.y(),
                   bend(0, 0) * slope.y() - bend(0, 1) * slope.x()) /
             det;
    } else if (!hold_u && bend(0, 0) > 0.0) {
      move.x() = -slope.x() / bend(0, 0);
    } else if (!hold_v && bend(1, 1) > 0.0) {
      move.y() = -slope.y() / bend(1, 1);
    }
    // the squared distance falls by half of this: below rounding there is nothing left to win
    const double unseen = rounding * (2.0 * std::sqrt(value) + rounding);
    if (-slope.dot(move) <= kSettled * value + unseen) break;
    bool moved = false;
    for (int half = 0; half < kMaxHalvings && !moved; ++half, move *= 0.5) {
      const Vec2 next = clamped(at + move);
      if (next == at) break;
      const PatchJet there = face.patch->jet(next.x(), next.y());
      const double next_value = (there.s - p).squaredNorm();
      if (next_value < value) at = next, value = next_value, j = there, moved = true;
    }
    if (!moved) break;
  }
  const Vec3 from_foot = p - j.s;
  return {std::sqrt(value), from_foot.dot(face.normal(at.x(), at.y())), at, j};
}

/// The same on a face that closes on itself: a walk stopped at the seam goes on behind it.
Foot foot_across_seams(const Face& face, const Vec2& start, const Vec3& p) {
  const UvBox d = face.patch->domain();
  Foot best = foot_on(face, start, p);
  const Vec2 at = best.uv;
  const bool at_u = face.patch->closed_u() && (at.x() <= d.u0 || at.x() >= d.u1);
  const bool at_v = face.patch->closed_v() && (at.y() <= d.v0 || at.y() >= d.v1);
  const double other_u = at.x() <= d.u0 ? d.u1 : d.u0, other_v = at.y() <= d.v0 ? d.v1 : d.v0;
  const auto try_from = [&](double u, double v) {
    const Foot foot = foot_on(face, {u, v}, p);
    if (foot.distance < best.distance) best = foot;
  };
  if (at_u) try_from(other_u, at.y());
  if (at_v) try_from(at.x(), other_v);
  if (at_u && at_v) try_from(other_u, other_v);
  return best;
}

/// The place lies inside the face, not on its border.
bool within(const Face& face, const Vec2& uv) {
  const UvBox d = face.patch->domain();
  return uv.x() > d.u0 && uv.x() < d.u1 && uv.y() > d.v0 && uv.y() < d.v1;
}

}  // namespace

std::unique_ptr<TriangleTree> tree_of(const Tessellation& mesh) {
  std::vector<Vec3> points(mesh.welded_count, Vec3::Zero());
  for (std::size_t i = 0; i < mesh.points.size(); ++i) points[mesh.welded[i]] = mesh.points[i];
  std::vector<std::array<int, 3>> triangles;
  for (const auto& t : mesh.triangles)
    triangles.push_back({mesh.welded[t[0]], mesh.welded[t[1]], mesh.welded[t[2]]});
  return std::make_unique<TriangleTree>(std::move(points), std::move(triangles));
}

PartGap::PartGap(const Part& part, double chord) : part_(&part) {
  Solid alone;
  alone.parts.push_back(part);
  TessellateSettings settings;
  settings.max_triangles = 20000;
  mesh_ = tessellate_patches(alone, chord, settings);
  tree_ = tree_of(mesh_);
}

double PartGap::operator()(const Vec3& p) const {
  return exact(p, tree_->nearest(p));
}

double PartGap::rough(const Vec3& p) const {
  const NearestOnMesh near = tree_->nearest(p);
  return near.inside ? -near.distance : near.distance;
}

double PartGap::exact_when_near(const Vec3& p, int* hint) const {
  const NearestOnMesh near = tree_->nearest(p, *hint);
  *hint = near.triangle;
  if (near.distance <= 2.0 * mesh_.chord_error) return exact(p, near);
  return near.inside ? -near.distance : near.distance;
}

double PartGap::follow(const Vec3& p, PartPlace* place) const {
  if (place->face >= 0) {
    const Face& face = part_->faces[place->face];
    const Foot foot = foot_on(face, place->uv, p, &place->jet);
    if (within(face, foot.uv)) {
      place->uv = foot.uv;
      place->jet = foot.jet;
      return foot.along_normal < 0.0 ? -foot.distance : foot.distance;
    }
  }
  return exact(p, tree_->nearest(p), place);
}

double PartGap::exact(const Vec3& p, const NearestOnMesh& near, PartPlace* place) const {
  const bool clear = near.distance > 2.0 * mesh_.chord_error;
  const auto signed_by = [&](const Foot& foot) {
    const bool inside = clear ? near.inside : foot.along_normal < 0.0;
    return inside ? -foot.distance : foot.distance;
  };
  // on a surface without edges a foot within its face is the one; else its neighbours have a say
  if (part_->edges.empty() && part_->vertices.empty()) {
    const auto& c = mesh_.triangles[near.triangle];
    const Vec3& w = near.weights;
    const int number = mesh_.face[c[0]];
    const Face& face = part_->faces[number];
    const Foot foot =
        foot_on(face, w[0] * mesh_.uv[c[0]] + w[1] * mesh_.uv[c[1]] + w[2] * mesh_.uv[c[2]], p);
    if (within(face, foot.uv)) {
      if (place) *place = {number, foot.uv, foot.jet};
      return signed_by(foot);
    }
  }
  // every face that might hold the true nearest point, from its best triangle
  struct Start {
    double distance = std::numeric_limits<double>::infinity();
    Vec2 uv = Vec2::Zero();
  };
  std::vector<Start> starts(part_->faces.size());
  tree_->within(p, near.distance + 2.0 * mesh_.chord_error, [&](int t, const Vec3& w, double d) {
    const auto& c = mesh_.triangles[t];
    Start& start = starts[mesh_.face[c[0]]];
    if (d < start.distance)
      start = {d, w[0] * mesh_.uv[c[0]] + w[1] * mesh_.uv[c[1]] + w[2] * mesh_.uv[c[2]]};
  });
  Foot best;
  for (std::size_t f = 0; f < starts.size(); ++f) {
    if (!std::isfinite(starts[f].distance)) continue;
    const Foot foot = foot_across_seams(part_->faces[f], starts[f].uv, p);
    // of two faces meeting at the foot, the one seen more squarely says the side
    const bool tie = std::fabs(foot.distance - best.distance) <= kTie * foot.distance;
    if (tie ? std::fabs(foot.along_normal) > std::fabs(best.along_normal)
            : foot.distance < best.distance) {
      best = foot;
      if (place) *place = {static_cast<int>(f), foot.uv, foot.jet};
    }
  }
  return signed_by(best);
}

}  // namespace repose::shape
