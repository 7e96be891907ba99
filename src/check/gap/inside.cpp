#include "check/gap/inside.h"

#include <algorithm>
#include <cmath>

#include "repose/math/exact.h"

#include "check/gap/ray.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

constexpr int kContractions = 12;
constexpr double kSmallest = 1e-13;  // of the reach: pieces below are not split

/// How a ray meets a piece: not, once from inside out, once from outside in. `starts`: its point
/// lies on the surface there, or too near to be told from it.
enum class Cross { none, leaves, enters, unsure, starts };

/// What a ray tells. `starts`: nothing, and no other ray from its point will.
enum class Told { side, nothing, starts };

Interval dot(const Vec3& d, const IVec3& box, const Vec3& origin) {
  return Interval(d.x()) * (box[0] - Interval(origin.x())) +
         Interval(d.y()) * (box[1] - Interval(origin.y())) +
         Interval(d.z()) * (box[2] - Interval(origin.z()));
}
Interval dot(const Vec3& d, const IVec3& box) {
  return dot(d, box, Vec3::Zero());
}

/// Exact: unsure only where the line meets a side of the triangle or the point lies on it.
Cross cross_triangle(const Piece& p, const Ray& ray) {
  int positive = 0, negative = 0;
  for (int k = 0; k < 3; ++k) {
    const int sign = orient_about(ray.point, ray.along, p.corner[k], p.corner[(k + 1) % 3]);
    positive += sign > 0;
    negative += sign < 0;
  }
  if (positive && negative) return Cross::none;
  if (positive + negative < 3) return Cross::unsure;
  // the point's side of the plane tells whether the crossing lies ahead or behind
  const int side = orient3d(p.corner[0], p.corner[1], p.corner[2], ray.point);
  if (side == 0) return Cross::unsure;
  if ((side > 0) != (negative > 0)) return Cross::none;
  return negative > 0 ? Cross::enters : Cross::leaves;
}

/// Krawczyk's operator for t1.(S - p) = t2.(S - p) = 0 over a box of parameters.
struct Krawczyk {
  bool usable = false, none = false, once = false;
  int turn = 0;      // once: the sign of t1 x t2 . Su x Sv, the same all over the box; 0: not known
  shape::UvBox box;  // holds every root
};
Krawczyk krawczyk(const shape::Patch& patch, const shape::UvBox& uv, const Ray& ray) {
  ++tally.steps;
  Krawczyk out;
  out.box = uv;
  const Vec2 m = uv.center();
  const shape::PatchEnclosure all = patch.enclose(uv);
  const shape::PatchEnclosure here = patch.enclose({m.x(), m.x(), m.y(), m.y()});
  const Interval f[2] = {dot(ray.t1, here.s, ray.point), dot(ray.t2, here.s, ray.point)};
  const Interval j[2][2] = {{dot(ray.t1, all.su), dot(ray.t1, all.sv)},
                            {dot(ray.t2, all.su), dot(ray.t2, all.sv)}};
  Mat2 middle;
  middle << j[0][0].mid(), j[0][1].mid(), j[1][0].mid(), j[1][1].mid();
  const double det = middle.determinant();
  if (!(std::fabs(det) > 0.0) || !std::isfinite(det)) return out;
  const Mat2 c = middle.inverse();
  if (!c.allFinite()) return out;
  const Interval x[2] = {Interval(uv.u0, uv.u1) - Interval(m.x()),
                         Interval(uv.v0, uv.v1) - Interval(m.y())};
  Interval k[2];
  for (int r = 0; r < 2; ++r) {
    k[r] = Interval(m[r]) - (Interval(c(r, 0)) * f[0] + Interval(c(r, 1)) * f[1]);
    for (int s = 0; s < 2; ++s) {
      const Interval product = Interval(c(r, 0)) * j[0][s] + Interval(c(r, 1)) * j[1][s];
      k[r] += (Interval(r == s ? 1.0 : 0.0) - product) * x[s];
    }
  }
  out.usable = true;
  out.none = k[0].hi < uv.u0 || k[0].lo > uv.u1 || k[1].hi < uv.v0 || k[1].lo > uv.v1;
  out.once = k[0].lo > uv.u0 && k[0].hi < uv.u1 && k[1].lo > uv.v0 && k[1].hi < uv.v1;
  // a contraction: no matrix of C J is singular, so that det J has the sign of det C throughout
  const Interval turn =
      Interval(c(0, 0)) * Interval(c(1, 1)) - Interval(c(0, 1)) * Interval(c(1, 0));
  out.turn = turn.lo > 0.0 ? 1 : turn.hi < 0.0 ? -1 : 0;
  if (!out.none)
    out.box = {std::max(uv.u0, k[0].lo), std::min(uv.u1, k[0].hi), std::max(uv.v0, k[1].lo),
               std::min(uv.v1, k[1].hi)};
  return out;
}

/// `too_near`: m, along the ray; a point no farther from its crossing lies on the surface.
Cross cross_face(const shape::Face& face, const shape::UvBox& uv, const Ray& ray, double too_near) {
  const shape::Patch& patch = *face.patch;
  Krawczyk k = krawczyk(patch, uv, ray);
  if (!k.usable) return Cross::unsure;
  if (k.none) return Cross::none;
  if (!k.once || k.turn == 0) return Cross::unsure;
  const Cross way = k.turn * face.outward > 0.0 ? Cross::leaves : Cross::enters;
  // exactly one crossing of the line: narrow it until its place along the ray is sure
  double width = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kContractions; ++step) {
    const Interval place = dot(ray.along, patch.enclose(k.box).s, ray.point);
    if (place.lo > 0.0) return way;
    if (place.hi < 0.0) return Cross::none;
    if (place.width() <= too_near) return Cross::starts;
    if (!(place.width() < width)) break;
    width = place.width();
    const Krawczyk next = krawczyk(patch, k.box, ray);
    if (!next.usable || next.none) break;
    k.box = next.box;
  }
  return Cross::unsure;
}

/// How often each part winds about the ray's point, where all pieces are sure and the point's
/// `splits` are not spent: rays along sheets much thinner than wide come near all of them.
Told count_windings(Surface& surface, const Ray& ray, double slack, std::vector<int>& windings,
                    int& splits) {
  std::vector<int> stack{surface.root()};
  const double smallest = kSmallest * surface.reach();
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    const Piece& p = surface.piece(i);
    if (ray.misses(p, slack)) continue;
    Cross cross = Cross::unsure;
    std::size_t part = 0;
    if (p.kind == PieceKind::triangle) {
      cross = cross_triangle(p, ray);
      if (cross == Cross::unsure) return Told::nothing;
    } else if (p.kind == PieceKind::patch) {
      cross = cross_face(surface.face(p.face), p.uv, ray, smallest);
      part = static_cast<std::size_t>(surface.part_of_face(p.face));
      if (cross == Cross::starts) return Told::starts;
      if (cross == Cross::unsure && p.size < smallest)
        return (p.center - ray.point).norm() <= slack ? Told::starts : Told::nothing;
      if (cross == Cross::unsure && --splits < 0) return Told::nothing;
    }
    if (cross == Cross::leaves) ++windings[part];
    if (cross == Cross::enters) --windings[part];
    if (cross != Cross::unsure) continue;
    const int child = surface.children(i);
    stack.push_back(child + 1);
    stack.push_back(child);
  }
  return Told::side;
}

/// Whether the ray keeps clear of where faces are sewn together: a seam may be open by a little,
/// and a ray that slips through it counts one crossing too few. `side`: it does.
Told clear_of_borders(Surface& surface, const Ray& ray, double slack) {
  Surface* borders = surface.borders();
  if (!borders) return Told::side;
  const double apart = surface.seam_gap() + slack;
  const double smallest = std::max(apart, kSmallest * surface.reach());
  constexpr int kMostLooks = 20'000;
  int looks = 0;
  std::vector<int> stack{borders->root()};
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    if (ray.misses(borders->piece(i), apart)) continue;
    const Piece& p = borders->piece(i);
    if (p.kind != PieceKind::box && p.size <= smallest)
      return (p.center - ray.point).norm() <= apart ? Told::starts : Told::nothing;
    if (++looks > kMostLooks) return Told::nothing;
    const int child = borders->children(i);
    stack.push_back(child + 1);
    stack.push_back(child);
  }
  return Told::side;
}

/// In one part is in the body. What is wound about the wrong way is neither matter nor none.
Side side_of_windings(const std::vector<int>& windings) {
  const auto [least, most] = std::minmax_element(windings.begin(), windings.end());
  if (*most > 0) return Side::inside;
  return *least < 0 ? Side::unknown : Side::outside;
}

}  // namespace

Side side_of(Surface& surface, const Vec3& point, int& splits) {
  if (!surface.closed()) return Side::unknown;
  const double slack = kProductError * (surface.reach() + point.norm());
  if (point.norm() > surface.reach() + slack) return Side::outside;
  Random random(1);
  for (int k = 0; k < kRays && splits >= 0; ++k) {
    ++tally.rays;
    const Ray ray(point, random);
    std::vector<int> windings(static_cast<std::size_t>(surface.parts()), 0);
    Told told = clear_of_borders(surface, ray, slack);
    if (told == Told::side) told = count_windings(surface, ray, slack, windings, splits);
    if (told == Told::starts) return Side::unknown;
    if (told == Told::side) return side_of_windings(windings);
  }
  return Side::unknown;
}

}  // namespace repose::check
