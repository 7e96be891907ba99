#include "repose/check/skins.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/at.h"
#include "repose/base/check.h"
#include "repose/base/stage_clock.h"
#include "repose/math/exact.h"

#include "check/exact/exact_triangles.h"
#include "check/verdict/skin_way.h"

namespace repose::check {

namespace {

using prove::Answer;

ExactTriangle exact(const SkinMesh& mesh, int triangle, Doubts& doubts) {
  const auto& [a, b, c] = mesh.triangles()[at(triangle)];
  return {ExactPoint(mesh.points[at(a)]), ExactPoint(mesh.points[at(b)]),
          ExactPoint(mesh.points[at(c)]), doubts};
}

/// Both triangles lie on one side of each other's planes for sure, in doubles with room for
/// rounding: most pairs need no more.
bool surely_apart(const SkinMesh& a, int i, const SkinMesh& b, int j) {
  constexpr double kRounding = 1e-12;  // of the products that are summed
  const auto beside = [](const SkinMesh& one, int t, const SkinMesh& other, int u) {
    const auto& [p, q, r] = one.triangles()[at(t)];
    const Vec3& corner = one.points[at(p)];
    const Vec3 edge = one.points[at(q)] - corner, next = one.points[at(r)] - corner;
    const Vec3 normal = edge.cross(next);
    int above = 0, below = 0;
    for (const int k : other.triangles()[at(u)]) {
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
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    if (!mesh.shape->in_closed[t] || (p.array() > mesh.boxes[t].high.array()).any()) continue;
    const auto& [a, b, c] = mesh.triangles()[t];
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
  const std::vector<bool>& closed = b.shape->in_closed;
  if (std::none_of(closed.begin(), closed.end(), [](bool is) { return is; })) return Answer::proven;
  for (const auto& [first, point] : a.shape->parts) {
    Side side = side_of(a.points[at(point)], b);
    // a ray through an edge tells nothing: another corner of the same triangle
    for (const int corner : a.triangles()[at(first)])
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
    Answer out = Answer::proven;
    for_near_triangles(a_, b_, [&](int i, int j) {
      if (!surely_apart(a_, i, b_, j)) out = prove::both(out, compare(i, j));
      return out != Answer::missed;
    });
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

namespace {

/// `judge` for all pairs of skins that may meet; `fails` says what it is that they do not.
template <class Judge>
SkinsVerdict judge_pairs(const Input& input, const std::vector<SkinMesh>& skins,
                         const char* crosses, const char* fails, const Judge& judge) {
  SkinsVerdict out;
  out.skins = static_cast<int>(skins.size());
  if (skins.size() < 2) return out;
  out.answer = Answer::proven;
  for (std::size_t i = 0; i < skins.size(); ++i)
    for (std::size_t j = i + 1; j < skins.size(); ++j) {
      if (never_meet(input.bodies[at(skins[i].body)], input.bodies[at(skins[j].body)])) continue;
      const Answer said = judge(skins[i], skins[j], out.pairs);
      if (said == Answer::proven || out.answer == Answer::missed) continue;
      out.answer = prove::both(out.answer, said);
      out.body_a = skins[i].body;
      out.body_b = skins[j].body;
      out.why =
          fmt::format("the skins of {} and {} {}", input.bodies[at(out.body_a)].name,
                      input.bodies[at(out.body_b)].name, said == Answer::missed ? crosses : fails);
    }
  return out;
}

}  // namespace

SkinsVerdict judge_skins(const Input& input) {
  const StageScope timed("judge_skins");
  return judge_pairs(input, skins_of(input), "cross", "are not shown to be apart",
                     [](const SkinMesh& a, const SkinMesh& b, long& compared) {
                       return SkinPair(a, b, compared).judge();
                     });
}

SkinsVerdict judge_skins_way(const Input& from, const Input& to) {
  const StageScope timed("judge_skins");
  REPOSE_CHECK(from.bodies.size() == to.bodies.size());
  return judge_pairs(from, skins_of(from, &to), "cross on the way",
                     "are not shown to be apart on the way",
                     [](const SkinMesh& a, const SkinMesh& b, long& compared) {
                       return apart_on_way(a, b, compared);
                     });
}

}  // namespace repose::check
