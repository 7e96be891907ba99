#include "check/verdict/skin_way.h"

#include <cmath>

#include "repose/base/at.h"

#include "check/exact/rounding.h"
#include "check/verdict/skin_passage.h"

namespace repose::check {

namespace {

/// Planes that are tried for two triangles before their way is halved, and how often it is.
constexpr int kPlanes = 48;
constexpr int kHalvings = 6;
/// Pairs of triangles that no plane parts and that are not shown to cross, after which two skins
/// are left undecided.
constexpr int kOpenPairs = 64;

/// A triangle on a part of its way: its corners at both ends. They go straight, so that the
/// triangle lies within the hull of the six at every moment.
struct Passage {
  std::array<Vec3, 6> corner;
  double error = 0.0;  // m; how far each coordinate may be off

  Vec3 middle() const {
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : corner) sum += p;
    return sum / static_cast<double>(corner.size());
  }
  /// Farthest along a direction.
  const Vec3& support(const Vec3& way) const {
    std::size_t best = 0;
    double most = way.dot(corner[0]);
    for (std::size_t k = 1; k < corner.size(); ++k)
      if (const double now = way.dot(corner[k]); now > most) {
        most = now;
        best = k;
      }
    return corner[best];
  }
  /// m; no coordinate is larger.
  double reach() const {
    double out = 0.0;
    for (const Vec3& p : corner) out = std::max(out, p.cwiseAbs().maxCoeff());
    return out + error;
  }
  Passage half(bool second) const {
    Passage out = *this;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 middle = 0.5 * (corner[k] + corner[k + 3]);
      out.corner[second ? k : k + 3] = middle;
    }
    out.error += kSumError * reach();
    return out;
  }
};

Passage passage_of(const SkinMesh& mesh, int triangle) {
  Passage out;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto i = at(mesh.triangles()[at(triangle)][k]);
    out.corner[k] = mesh.points[i];
    out.corner[k + 3] = mesh.later[i];
  }
  return out;
}

/// All of b lies farther along `way` than all of a, whatever rounding did.
bool parts(const Vec3& way, const Passage& a, const Passage& b) {
  const double size = way.cwiseAbs().sum();
  const double off = kSumError * (a.reach() + b.reach()) + a.error + b.error;
  return way.dot(b.support(-way)) - way.dot(a.support(way)) > size * off;
}

Vec3 nearest_on(const Vec3& from, const Vec3& to) {
  const Vec3 way = to - from;
  const double length = way.squaredNorm();
  if (!(length > 0.0)) return from;
  return from + std::clamp(-from.dot(way) / length, 0.0, 1.0) * way;
}

/// A plane that parts the two is sought as the shortest way between their hulls (Gilbert 1966):
/// where they are well apart, it is found long before that way is. Finding is not trusted.
bool are_parted(const Passage& a, const Passage& b) {
  Vec3 way = b.middle() - a.middle();
  for (int k = 0; k < kPlanes; ++k) {
    if (parts(way, a, b)) return true;
    const Vec3 next = nearest_on(way, b.support(-way) - a.support(way));
    if (next == way || !(next.squaredNorm() > 0.0)) return false;
    way = next;
  }
  return false;
}

bool are_apart(const Passage& a, const Passage& b, int halvings) {
  if (are_parted(a, b)) return true;
  if (halvings == 0) return false;
  return are_apart(a.half(false), b.half(false), halvings - 1) &&
         are_apart(a.half(true), b.half(true), halvings - 1);
}

MovingTriangle moving(const Passage& p) {
  return {{p.corner[0], p.corner[1], p.corner[2]}, {p.corner[3], p.corner[4], p.corner[5]}};
}

}  // namespace

prove::Answer apart_on_way(const SkinMesh& a, const SkinMesh& b, long& compared) {
  if (!a.box.meets(b.box)) return prove::Answer::proven;
  prove::Answer out = prove::Answer::proven;
  int open = 0;
  for_near_triangles(a, b, [&](int i, int j) {
    ++compared;
    const Passage one = passage_of(a, i), other = passage_of(b, j);
    if (are_apart(one, other, kHalvings)) return true;
    const bool cross = pass_through(moving(one), moving(other));
    out = cross ? prove::Answer::missed : prove::Answer::undecided;
    return !cross && ++open < kOpenPairs;
  });
  return out;
}

}  // namespace repose::check
