#include "patch_cell.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "repose/math/dense.h"

#include "convex.h"

namespace repose::pile {
namespace {

/// Cells of one solid, at most about; beyond them cells are made wider.
constexpr std::size_t kMostCells = 40000;
/// A patch is cut in halves no more often than this.
constexpr int kMostCuts = 18;
constexpr double kWider = 1.5;
constexpr int kMostRounds = 24;
/// Where a pole leaves no curvature to be told, it is taken this share of the way to the cell's
/// middle.
constexpr double kOffPole = 1e-2;
/// Newton's method for a foot: steps, and where it ends, of the cell's width.
constexpr int kFootSteps = 30;
constexpr double kFootEnd = 1e-14;
/// Curvature that a Newton step is given at least, of that of the surface's own measure.
constexpr double kLeastCurvature = 1e-3;
constexpr int kMaxHalvings = 8;
/// The sine between a normal and the surface's own up to which they are one.
constexpr double kSameNormal = 1e-4;
/// ... within which a place at a side may be a contact of the surface.
constexpr double kPassing = 2e-7;
/// A tip this near the middle of a side, of its distance, is that side.
constexpr double kTip = 1e-12;
/// Rounding of corners and bounds, of the cell's coordinates.
constexpr double kRounding = 1e-15;

double largest(const IVec3& v) {
  return std::sqrt(v[0].mag() * v[0].mag() + v[1].mag() * v[1].mag() + v[2].mag() * v[2].mag());
}

Vec2 clamped(const shape::UvBox& box, const Vec2& uv) {
  return {std::clamp(uv[0], box.u0, box.u1), std::clamp(uv[1], box.v0, box.v1)};
}

/// How wide the cell is along u and along v, m.
Vec2 width_of(const PatchCell& cell) {
  const auto& c = cell.corner;
  return {std::max((c[1] - c[0]).norm(), (c[3] - c[2]).norm()),
          std::max((c[2] - c[0]).norm(), (c[3] - c[1]).norm())};
}

double area_of(const shape::UvBox& box) {
  return (box.u1 - box.u0) * (box.v1 - box.v0);
}

/// What |Su x Sv| times the domain's area is compared with, m^2.
double size_of(const shape::PatchJet& j, const shape::UvBox& domain) {
  const double du = domain.u1 - domain.u0, dv = domain.v1 - domain.v0;
  return std::max(j.su.squaredNorm() * du * du, j.sv.squaredNorm() * dv * dv);
}

PatchCell bounded(const shape::PatchPtr& patch, const shape::UvBox& box,
                  const std::array<bool, 4>& sharp) {
  PatchCell out;
  out.patch = patch;
  out.box = box;
  const shape::UvBox all_of_it = patch->domain();
  out.sharp = {sharp[0] && box.u0 == all_of_it.u0, sharp[1] && box.u1 == all_of_it.u1,
               sharp[2] && box.v0 == all_of_it.v0, sharp[3] && box.v1 == all_of_it.v1};
  out.corner = {patch->point(box.u0, box.v0), patch->point(box.u1, box.v0),
                patch->point(box.u0, box.v1), patch->point(box.u1, box.v1)};
  const shape::PatchEnclosure all = patch->enclose(box);
  out.most_uu = largest(all.suu);
  out.most_vv = largest(all.svv);
  if (patch->planar()) {
    const Vec2 middle = patch->domain().center();
    out.flat = patch->normal(middle[0], middle[1]);
  }
  return out;
}

void cut(const PatchCell& cell, double width, double swell, int depth,
         std::vector<PatchCell>& out) {
  const Vec2 wide = width_of(cell);
  const bool fine = cell.swell() <= swell && wide.maxCoeff() <= width;
  if (fine || depth >= kMostCuts || out.size() > kMostCells) {
    out.push_back(cell);
    return;
  }
  const shape::UvBox& b = cell.box;
  const bool swollen = cell.swell() > swell;
  bool along_u = swollen ? cell.swell_u() >= cell.swell_v() : wide[0] >= wide[1];
  if (!std::isfinite(cell.swell())) along_u = depth % 2 == 0;  // no bound yet: by turns
  const Vec2 middle = b.center();
  for (const bool second : {false, true}) {
    shape::UvBox half = b;
    if (along_u)
      (second ? half.u0 : half.u1) = middle[0];
    else
      (second ? half.v0 : half.v1) = middle[1];
    cut(bounded(cell.patch, half, cell.sharp), width, swell, depth + 1, out);
  }
}

}  // namespace

bool PatchCell::passes(const Vec2& uv) const {
  return (uv[0] <= box.u0 && !sharp[0]) || (uv[0] >= box.u1 && !sharp[1]) ||
         (uv[1] <= box.v0 && !sharp[2]) || (uv[1] >= box.v1 && !sharp[3]);
}

bool PatchCell::ends(const Vec2& uv) const {
  return (uv[0] <= box.u0 && sharp[0]) || (uv[0] >= box.u1 && sharp[1]) ||
         (uv[1] <= box.v0 && sharp[2]) || (uv[1] >= box.v1 && sharp[3]);
}

double PatchCell::swell_u() const {
  const double d = box.u1 - box.u0;
  return 0.125 * d * d * most_uu;
}
double PatchCell::swell_v() const {
  const double d = box.v1 - box.v0;
  return 0.125 * d * d * most_vv;
}

Convex PatchCell::hull() const {
  Convex out;
  double far = 0.0;
  for (const Vec3& c : corner) {
    far = std::max(far, c.norm());
    if (flat.isZero()) {
      out.points.push_back(c);
      continue;
    }
    // a square in the plane holds the disc by which the corner is grown
    const Vec3 e = flat.unitOrthogonal(), f = flat.cross(e);
    const double wide = swell();
    for (const double s : {-wide, wide})
      for (const double t : {-wide, wide}) out.points.push_back(c + s * e + t * f);
  }
  out.radius = kRounding * far + (flat.isZero() ? swell() : 0.0);
  if (!flat.isZero()) out.faces = {flat};
  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : out.points) middle += p / static_cast<double>(out.points.size());
  out.bound_center = middle;
  for (const Vec3& p : out.points)
    out.bound_radius = std::max(out.bound_radius, (p - middle).norm() + out.radius);
  return out;
}

std::array<PatchCell, 2> PatchCell::halves() const {
  const Vec2 middle = box.center();
  const bool along_u = swell_u() >= swell_v();
  shape::UvBox first = box, second = box;
  if (along_u)
    first.u1 = second.u0 = middle[0];
  else
    first.v1 = second.v0 = middle[1];
  // bounds anew: near a pole those of the whole are far too wide
  std::array<PatchCell, 2> out{bounded(patch, first, sharp), bounded(patch, second, sharp)};
  for (PatchCell& half : out) {
    half.most_uu = std::min(half.most_uu, most_uu);
    half.most_vv = std::min(half.most_vv, most_vv);
  }
  return out;
}

CellFoot foot_on_cell(const PatchCell& cell, const Vec3& p, const Vec2& start) {
  const shape::UvBox& box = cell.box;
  Vec2 uv = clamped(box, start);
  shape::PatchJet j = cell.patch->jet(uv[0], uv[1]);
  double square = (p - j.s).squaredNorm();
  const Vec2 span(box.u1 - box.u0, box.v1 - box.v0);
  for (int step = 0; step < kFootSteps; ++step) {
    const Vec3 d = p - j.s;
    const Vec2 slope(-d.dot(j.su), -d.dot(j.sv));
    Mat2 bend;
    bend << j.su.dot(j.su) - d.dot(j.suu), j.su.dot(j.sv) - d.dot(j.suv),
        j.su.dot(j.sv) - d.dot(j.suv), j.sv.dot(j.sv) - d.dot(j.svv);
    // parameters at the border that the slope presses against it stay
    std::array<bool, 2> held{};
    for (int k = 0; k < 2; ++k) {
      const double low = k == 0 ? box.u0 : box.v0, high = k == 0 ? box.u1 : box.v1;
      held[k] = (uv[k] <= low && slope[k] > 0.0) || (uv[k] >= high && slope[k] < 0.0);
    }
    Vec2 way = Vec2::Zero();
    const double measure[2] = {j.su.squaredNorm(), j.sv.squaredNorm()};
    if (!held[0] && !held[1] && bend.determinant() > kLeastCurvature * measure[0] * measure[1] &&
        bend(0, 0) > 0.0)
      way = -bend.inverse() * slope;
    else
      for (int k = 0; k < 2; ++k)
        if (!held[k] && measure[k] > 0.0)
          way[k] = -slope[k] / std::max(bend(k, k), kLeastCurvature * measure[k]);
    // no farther than the cell, and down
    double share = 1.0;
    bool moved = false;
    for (int half = 0; half < kMaxHalvings && !moved; ++half, share *= 0.5) {
      const Vec2 next = clamped(box, uv + share * way);
      const shape::PatchJet there = cell.patch->jet(next[0], next[1]);
      const double to = (p - there.s).squaredNorm();
      if (!(to < square)) continue;
      moved = ((next - uv).cwiseAbs().array() > kFootEnd * span.array()).any();
      uv = next;
      j = there;
      square = to;
      break;
    }
    if (!moved) break;
  }
  CellFoot out;
  out.uv = uv;
  out.point = j.s;
  out.normal = cell.flat.isZero() ? cell.patch->normal(uv[0], uv[1]) : cell.flat;
  if (out.normal.dot(p - j.s) < 0.0) out.normal = -out.normal;
  return out;
}

Mat3 cell_bend(const PatchCell& cell, const Vec3& p, const Vec3& normal, double flat_radius) {
  const CellFoot foot = foot_on_cell(cell, p, cell.box.center());
  if (cell.ends(foot.uv) && foot.normal.cross(normal).norm() > kSameNormal) return Mat3::Zero();
  Vec3 n = foot.normal.dot(normal) < 0.0 ? Vec3(-foot.normal) : foot.normal;
  const Mat3 across = Mat3::Identity() - n * n.transpose();
  if (!cell.flat.isZero()) return flat_radius * across;
  const shape::UvBox domain = cell.patch->domain();
  Vec2 uv = foot.uv;
  shape::PatchJet j = cell.patch->jet(uv[0], uv[1]);
  if (!(j.su.cross(j.sv).norm() * area_of(domain) > kLeastCurvature * size_of(j, domain))) {
    uv += kOffPole * (cell.box.center() - uv);
    j = cell.patch->jet(uv[0], uv[1]);
    n = cell.patch->normal(uv[0], uv[1]);
    if (n.dot(normal) < 0.0) n = -n;
  }
  const Vec3 e = n.unitOrthogonal(), f = n.cross(e);
  // how u and v go along e and f
  Mat2 metric;
  metric << e.dot(j.su), e.dot(j.sv), f.dot(j.su), f.dot(j.sv);
  if (!(std::fabs(metric.determinant()) > 0.0)) return flat_radius * across;
  Mat2 second;
  second << n.dot(j.suu), n.dot(j.suv), n.dot(j.suv), n.dot(j.svv);
  const Mat2 back = metric.inverse();
  const Mat2 curvature = -back.transpose() * second * back;  // above zero: bends away from p
  const SymmetricEigen<Mat2> eigen(curvature);
  Mat3 out = Mat3::Zero();
  for (int k = 0; k < 2; ++k) {
    const double bent = eigen.values[k];
    const Vec3 along = eigen.vectors(0, k) * e + eigen.vectors(1, k) * f;
    const double radius = std::fabs(bent) * flat_radius > 1.0 ? 1.0 / bent : flat_radius;
    out += radius * along * along.transpose();
  }
  return out;
}

bool passes_on(const PatchCell& cell, const Vec2& uv, const Vec3& normal) {
  if (!cell.passes(uv)) return false;
  const Vec3 own = cell.flat.isZero() ? cell.patch->normal(uv[0], uv[1]) : cell.flat;
  return own.cross(normal).norm() > kPassing;
}

CellFoot lowest_on_cell(const PatchCell& cell, const Vec3& along) {
  const shape::UvBox& box = cell.box;
  Vec2 uv = box.center();
  for (const Vec2& corner :
       {Vec2(box.u0, box.v0), Vec2(box.u1, box.v0), Vec2(box.u0, box.v1), Vec2(box.u1, box.v1)})
    if (along.dot(cell.patch->point(corner[0], corner[1])) <
        along.dot(cell.patch->point(uv[0], uv[1])))
      uv = corner;
  shape::PatchJet j = cell.patch->jet(uv[0], uv[1]);
  const Vec2 span(box.u1 - box.u0, box.v1 - box.v0);
  for (int step = 0; step < kFootSteps; ++step) {
    const Vec2 slope(along.dot(j.su), along.dot(j.sv));
    Mat2 bend;
    bend << along.dot(j.suu), along.dot(j.suv), along.dot(j.suv), along.dot(j.svv);
    Vec2 way = Vec2::Zero();
    std::array<bool, 2> held{};
    for (int k = 0; k < 2; ++k)
      held[k] = (uv[k] <= (k == 0 ? box.u0 : box.v0) && slope[k] >= 0.0) ||
                (uv[k] >= (k == 0 ? box.u1 : box.v1) && slope[k] <= 0.0);
    if (held[0] && held[1]) break;
    if (!held[0] && !held[1] && bend(0, 0) > 0.0 && bend.determinant() > 0.0)
      way = -bend.inverse() * slope;
    else
      for (int k = 0; k < 2; ++k)
        if (!held[k])
          way[k] = bend(k, k) > 0.0 ? -slope[k] / bend(k, k) : std::copysign(span[k], -slope[k]);
    double share = 1.0;
    bool moved = false;
    for (int half = 0; half < kFootSteps && !moved; ++half, share *= 0.5) {
      const Vec2 next = clamped(box, uv + share * way);
      const shape::PatchJet there = cell.patch->jet(next[0], next[1]);
      if (!(along.dot(there.s - j.s) < 0.0)) continue;
      moved = true;
      uv = next;
      j = there;
    }
    if (!moved) break;
  }
  CellFoot out;
  out.uv = uv;
  out.point = j.s;
  out.normal = -along;
  return out;
}

namespace {

/// Which sides of a face end in an edge or a tip.
std::array<bool, 4> sharp_sides(const shape::Part& part, int face) {
  std::array<bool, 4> out{};
  for (const shape::Seam& seam : part.seams)
    for (const shape::SideStretch& side : {seam.left, seam.right})
      if (seam.sharp && side.face == face) out[static_cast<std::size_t>(side.side)] = true;
  const shape::Patch& patch = *part.faces[static_cast<std::size_t>(face)].patch;
  const shape::UvBox box = patch.domain();
  const Vec2 m = box.center();
  const std::array<Vec3, 4> middles{patch.point(box.u0, m[1]), patch.point(box.u1, m[1]),
                                    patch.point(m[0], box.v0), patch.point(m[0], box.v1)};
  for (const shape::Vertex& tip : part.vertices)
    for (std::size_t k = 0; k < middles.size(); ++k)
      if (tip.edges.empty() &&
          (tip.point - middles[k]).norm() <= part.seam_gap + kTip * tip.point.norm())
        out[k] = true;
  return out;
}

}  // namespace

std::vector<PatchCell> cells_of(const shape::Solid& solid, double width, double swell) {
  for (int round = 0; round < kMostRounds; ++round, width *= kWider, swell *= kWider) {
    std::vector<PatchCell> out;
    for (const shape::Part& part : solid.parts)
      for (std::size_t f = 0; f < part.faces.size() && out.size() <= kMostCells; ++f) {
        const shape::PatchPtr& patch = part.faces[f].patch;
        cut(bounded(patch, patch->domain(), sharp_sides(part, static_cast<int>(f))), width, swell,
            0, out);
      }
    if (out.size() > kMostCells) continue;
    const bool bound = std::all_of(out.begin(), out.end(),
                                   [](const PatchCell& c) { return std::isfinite(c.swell()); });
    if (bound) return out;
  }
  return {};
}

Convex cell_piece(const PatchCell& cell) {
  Convex out = cell.hull();
  out.core = Convex::Core::cell;
  out.radius = 0.0;
  out.faces.clear();
  out.cell = std::make_shared<const PatchCell>(cell);
  return out;
}

}  // namespace repose::pile
