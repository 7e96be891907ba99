#include "repose/check/skins.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/at.h"
#include "repose/base/check.h"
#include "repose/base/stage_clock.h"

#include "check/exact/exact_triangles.h"
#include "check/verdict/skin_side.h"
#include "check/verdict/skin_solid.h"
#include "check/verdict/skin_way.h"

namespace repose::check {

using prove::Answer;

namespace {

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

/// Takes over what is worse: who, and why.
void take(const Input& input, Answer said, int a, int b, const std::string& crosses,
          const std::string& fails, SkinsVerdict& out) {
  if (said == Answer::proven || out.answer == Answer::missed) return;
  out.answer = prove::both(out.answer, said);
  out.body_a = a;
  out.body_b = b;
  const std::string &first = input.bodies[at(a)].name, &second = input.bodies[at(b)].name;
  out.why = said == Answer::missed ? fmt::format(fmt::runtime(crosses), first, second)
                                   : fmt::format(fmt::runtime(fails), first, second);
}

/// `judge` for all pairs of skins that may meet.
template <class Judge>
void judge_pairs(const Input& input, const std::vector<SkinMesh>& skins, const std::string& crosses,
                 const std::string& fails, const Judge& judge, SkinsVerdict& out) {
  for (std::size_t i = 0; i < skins.size(); ++i)
    for (std::size_t j = i + 1; j < skins.size(); ++j) {
      const int a = skins[i].body, b = skins[j].body;
      if (never_meet(input.bodies[at(a)], input.bodies[at(b)])) continue;
      take(input, judge(skins[i], skins[j], out.pairs), a, b, crosses, fails, out);
    }
}

bool has_skin(const std::vector<SkinMesh>& skins, int body) {
  return std::any_of(skins.begin(), skins.end(),
                     [&](const SkinMesh& skin) { return skin.body == body; });
}

/// `judge` for all skins with all bodies that have none; both fixed are left out.
template <class Judge>
void judge_solids(const Input& input, const std::vector<SkinMesh>& skins,
                  const std::string& crosses, const std::string& fails, const Judge& judge,
                  SkinsVerdict& out) {
  for (int b = 0; b < static_cast<int>(input.bodies.size()); ++b) {
    const PlacedBody& solid = input.bodies[at(b)];
    if (has_skin(skins, b)) continue;
    for (const SkinMesh& skin : skins) {
      const PlacedBody& soft = input.bodies[at(skin.body)];
      if (never_meet(soft, solid) || (soft.fixed && solid.fixed)) continue;
      take(input, judge(skin, b, out.pairs), skin.body, b, crosses, fails, out);
    }
  }
}

/// Nothing to say of fewer than two bodies, of which one has a skin.
bool has_pairs(const Input& input, const std::vector<SkinMesh>& skins, SkinsOf of) {
  if (of == SkinsOf::each_other) return skins.size() >= 2;
  return !skins.empty() && std::count_if(input.bodies.begin(), input.bodies.end(),
                                         [](const PlacedBody& b) { return b.collides; }) >= 2;
}

}  // namespace

SkinsVerdict judge_skins(const Input& input, SkinsOf of) {
  const StageScope timed("judge_skins");
  const std::vector<SkinMesh> skins = skins_of(input);
  SkinsVerdict out;
  out.skins = static_cast<int>(skins.size());
  if (!has_pairs(input, skins, of)) return out;
  out.answer = Answer::proven;
  judge_pairs(
      input, skins, "the skins of {} and {} cross",
      "the skins of {} and {} are not shown to be apart",
      [](const SkinMesh& a, const SkinMesh& b, long& compared) {
        return SkinPair(a, b, compared).judge();
      },
      out);
  if (of == SkinsOf::each_other) return out;
  judge_solids(
      input, skins, "the skin of {} meets {}", "the skin of {} is not shown to be apart from {}",
      [&](const SkinMesh& skin, int b, long& compared) {
        const PlacedBody& solid = input.bodies[at(b)];
        const Answer apart = apart_from_solid(skin, {solid, solid}, compared);
        return apart == Answer::proven ? solid_outside(skin, solid) : apart;
      },
      out);
  return out;
}

SkinsVerdict judge_skins_way(const Input& from, const Input& to, SkinsOf of) {
  const StageScope timed("judge_skins");
  REPOSE_CHECK(from.bodies.size() == to.bodies.size());
  const std::vector<SkinMesh> skins = skins_of(from, &to);
  SkinsVerdict out;
  out.skins = static_cast<int>(skins.size());
  if (!has_pairs(from, skins, of)) return out;
  out.answer = Answer::proven;
  judge_pairs(
      from, skins, "the skins of {} and {} cross on the way",
      "the skins of {} and {} are not shown to be apart on the way",
      [](const SkinMesh& a, const SkinMesh& b, long& compared) {
        return apart_on_way(a, b, compared);
      },
      out);
  if (of == SkinsOf::each_other) return out;
  judge_solids(
      from, skins, "the skin of {} meets {} on the way",
      "the skin of {} is not shown to be apart from {} on the way",
      [&](const SkinMesh& skin, int b, long& compared) {
        return apart_from_solid(skin, {from.bodies[at(b)], to.bodies[at(b)]}, compared);
      },
      out);
  return out;
}

}  // namespace repose::check
