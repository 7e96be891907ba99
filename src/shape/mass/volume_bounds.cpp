#include "shape/mass/volume_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "repose/base/work.h"
#include "repose/math/quadrature.h"

namespace repose::shape {
namespace {

/// Rounding of the flux at a cell's middle, as a part of the product of its factors.
constexpr double kRounding = 1e-12;
/// Of an enclosure, in units of WorkLimit.
constexpr int kEnclosureWork = 8;
constexpr int kNodes = 3;

IVec3 cross(const IVec3& a, const IVec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

IVec3 sum(const IVec3& a, const IVec3& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}

Interval dot(const IVec3& a, const IVec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

struct Cell {
  const Face* face = nullptr;
  UvBox box;
  Interval volume;      // what it adds
  bool halve_u = true;  // along which parameter it is less sure

  double doubt() const {
    const double width = volume.width();
    return std::isnan(width) ? std::numeric_limits<double>::infinity() : width;
  }
};

bool surer(const Cell& a, const Cell& b) {
  return a.doubt() < b.doubt();
}

/// Bounds of the integral of f = x . (Su x Sv), x = S - reference, over a box: its area times f
/// over all of it; and, as linear terms cancel about the middle, its area times f there, widened
/// by a quarter of the extents times half the ranges of
///   fu = x . (Suu x Sv + Su x Suv),   fv = x . (Suv x Sv + Su x Svv).
void bound(const Vec3& reference, Cell* cell) {
  spend_work(kEnclosureWork);
  const UvBox& box = cell->box;
  const Patch& patch = *cell->face->patch;
  const PatchEnclosure e = patch.enclose(box);
  const IVec3 x{e.s[0] - reference.x(), e.s[1] - reference.y(), e.s[2] - reference.z()};
  const Interval f = dot(x, cross(e.su, e.sv));
  const Interval fu = dot(x, sum(cross(e.suu, e.sv), cross(e.su, e.suv)));
  const Interval fv = dot(x, sum(cross(e.suv, e.sv), cross(e.su, e.svv)));
  const double du = box.u1 - box.u0, dv = box.v1 - box.v0;
  const double by_u = du * fu.width() / 8.0, by_v = dv * fv.width() / 8.0;
  const Vec2 c = box.center();
  const PatchJet j = patch.jet(c.x(), c.y());
  const Vec3 away = j.s - reference;
  const double middle = away.dot(j.su.cross(j.sv));
  const double slack =
      by_u + by_v + kRounding * (away.norm() + reference.norm()) * j.su.norm() * j.sv.norm();
  Interval mean = f;
  if (std::isfinite(slack) && std::isfinite(middle))
    mean = {std::max(f.lo, middle - slack), std::min(f.hi, middle + slack)};
  const double factor = cell->face->outward * du * dv / 3.0;
  cell->volume = mean * Interval(factor);
  // where nothing is known yet, the longer side goes first
  const UvBox whole = patch.domain();
  const bool told = std::isfinite(by_u + by_v);
  cell->halve_u = told ? by_u >= by_v : du / (whole.u1 - whole.u0) >= dv / (whole.v1 - whole.v0);
}

/// What a cell adds, by a rule of few nodes.
double by_nodes(const Vec3& reference, const Cell& cell) {
  static const QuadratureRule kRule = gauss_legendre(kNodes);
  spend_work(kNodes * kNodes);
  const UvBox& box = cell.box;
  const double hu = 0.5 * (box.u1 - box.u0), hv = 0.5 * (box.v1 - box.v0);
  double sum = 0.0;
  for (int i = 0; i < kNodes; ++i)
    for (int k = 0; k < kNodes; ++k) {
      const PatchJet j = cell.face->patch->jet(box.u0 + hu * (1.0 + kRule.nodes[i]),
                                               box.v0 + hv * (1.0 + kRule.nodes[k]));
      sum += kRule.weights[i] * kRule.weights[k] * (j.s - reference).dot(j.su.cross(j.sv));
    }
  return cell.face->outward * hu * hv * sum / 3.0;
}

}  // namespace

VolumeBounds volume_bounds(const Part& part, const Vec3& reference, double enough, int max_cells) {
  const WorkStage stage("bounding its volume");
  std::vector<Cell> heap;
  int unknown = 0;     // cells without bounds
  double width = 0.0;  // of all others together
  const auto push = [&](Cell cell) {
    bound(reference, &cell);
    const double doubt = cell.doubt();
    std::isfinite(doubt) ? void(width += doubt) : void(++unknown);
    heap.push_back(std::move(cell));
    std::push_heap(heap.begin(), heap.end(), surer);
  };
  for (const Face& face : part.faces) push({&face, face.patch->domain(), {}, true});
  while ((unknown > 0 || width > enough) && static_cast<int>(heap.size()) < max_cells) {
    std::pop_heap(heap.begin(), heap.end(), surer);
    Cell cell = heap.back();
    heap.pop_back();
    const double doubt = cell.doubt();
    std::isfinite(doubt) ? void(width -= doubt) : void(--unknown);
    const UvBox box = cell.box;
    const Vec2 c = box.center();
    cell.box =
        cell.halve_u ? UvBox{box.u0, c.x(), box.v0, box.v1} : UvBox{box.u0, box.u1, box.v0, c.y()};
    Cell other = cell;
    other.box =
        cell.halve_u ? UvBox{c.x(), box.u1, box.v0, box.v1} : UvBox{box.u0, box.u1, c.y(), box.v1};
    push(std::move(cell));
    push(std::move(other));
  }
  VolumeBounds out;
  for (const Cell& cell : heap) {
    out.volume += cell.volume;
    out.turnover += cell.volume.mag();
  }
  if (unknown > 0 || width > enough) {
    out.by_cells = 0.0;
    for (const Cell& cell : heap) *out.by_cells += by_nodes(reference, cell);
  }
  return out;
}

}  // namespace repose::shape
