#include "union_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "repose/math/quadrature.h"

#include "part_gap.h"

namespace repose::shape {
namespace {

/// Chord of the meshes that steer the gap search. Fraction of the size.
constexpr double kChord = 5e-3;
/// Halvings of a patch's domain along each parameter before a cut cell is integrated as cut.
/// Unions of many parts are cut more coarsely, which their estimated error tells.
constexpr int kMaxDepth = 5;
constexpr int kMaxDepthOfMany = 2;
constexpr std::size_t kMany = 8;
/// Clear cells are halved until their quarters agree with them to this, relative to powers of the
/// size, or up to that many times in all.
constexpr double kClearTolerance = 1e-12;
constexpr int kMaxClearDepth = 7;
constexpr int kNodes = 8;
/// Surfaces nearer than this count as coincident. Fraction of the size.
constexpr double kCoincident = 1e-9;
/// Samples along a line that look for crossings.
constexpr int kLineSamples = 4;
constexpr int kBisections = 36;
/// Crossings are found to this part of the stretch searched.
constexpr double kCrossing = 1e-9;

struct Scene {
  const Solid& solid;
  std::vector<std::unique_ptr<PartGap>> gaps;
  Vec3 reference;
  double size;
};

/// Indices of the parts whose surfaces may pass through a cell; all others are outside of it.
using Cutters = std::vector<int>;

struct Sum {
  Moments moments;
  double error = 0.0;  // relative to powers of size
};

/// Whether a surface point of part i with outward normal n belongs to the union's surface. Where
/// another part's surface coincides, only the first of two alike ones does, and none of two that
/// face each other.
bool on_union(const Scene& scene, int i, const Cutters& cutters, const Vec3& p, const Vec3& n) {
  const double near = kCoincident * scene.size;
  for (const int j : cutters) {
    const double gap = (*scene.gaps[j])(p);
    if (gap < -2.0 * near) return false;
    if (gap > 2.0 * near) continue;
    const double outer = (*scene.gaps[j])(p + near * n), inner = (*scene.gaps[j])(p - near * n);
    if (!(outer > 0.0 && (inner > 0.0 || i < j))) return false;
  }
  return true;
}

enum class Where { outside, inside, cut };

/// Where a cell lies; `cutters`, those of the cell around it, become its own.
Where classify(const Scene& scene, const Face& face, const UvBox& box, Cutters& cutters) {
  const PatchEnclosure e = face.patch->enclose(box);
  const Vec3 middle(e.s[0].mid(), e.s[1].mid(), e.s[2].mid());
  const double reach = 0.5 * std::hypot(e.s[0].width(), std::hypot(e.s[1].width(), e.s[2].width()));
  Cutters left;
  for (const int j : cutters) {
    const double gap = (*scene.gaps[j])(middle);
    if (gap < -reach) return Where::inside;
    if (gap <= reach) left.push_back(j);
  }
  cutters = std::move(left);
  return cutters.empty() ? Where::outside : Where::cut;
}

Moments element(const Scene& scene, const Face& face, double u, double v, double weight) {
  const PatchJet s = face.patch->jet(u, v);
  return surface_element(s.s - scene.reference, weight * face.outward * s.su.cross(s.sv));
}

const QuadratureRule& rule() {
  static const QuadratureRule kRule = gauss_legendre(kNodes);
  return kRule;
}

Moments whole_cell(const Scene& scene, const Face& face, const UvBox& box) {
  const double hu = 0.5 * (box.u1 - box.u0), hv = 0.5 * (box.v1 - box.v0);
  Moments sum;
  for (int i = 0; i < kNodes; ++i)
    for (int j = 0; j < kNodes; ++j)
      sum += element(scene, face, box.u0 + hu * (1.0 + rule().nodes[i]),
                     box.v0 + hv * (1.0 + rule().nodes[j]),
                     hu * hv * rule().weights[i] * rule().weights[j]);
  return sum;
}

/// Least signed gap to the other parts.
double least_gap(const Scene& scene, const Cutters& cutters, const Vec3& p) {
  double least = std::numeric_limits<double>::infinity();
  for (const int j : cutters) least = std::min(least, (*scene.gaps[j])(p));
  return least;
}

/// Where the line passes from outside to inside or back, between lo and hi: false position on the
/// gap (Illinois), or halving where coincident surfaces leave the gap without a sign.
template <class Outside, class Gap>
double crossing(Outside outside, Gap gap_at, double lo, double hi, bool was) {
  double at_lo = gap_at(lo), at_hi = gap_at(hi);
  const bool signs = (at_lo > 0.0) == was && (at_hi > 0.0) != was;
  if (!signs) {
    for (int step = 0; step < kBisections; ++step) {
      const double mid = 0.5 * (lo + hi);
      (outside(mid) == was ? lo : hi) = mid;
    }
    return 0.5 * (lo + hi);
  }
  const double enough = kCrossing * (hi - lo);
  double mid = lo;
  for (int step = 0; step < kBisections && hi - lo > enough; ++step) {
    mid = (lo * at_hi - hi * at_lo) / (at_hi - at_lo);
    const double at_mid = gap_at(mid);
    if (at_mid == 0.0) return mid;
    if ((at_mid > 0.0) == was) {
      if (std::fabs(mid - lo) <= enough) return mid;
      lo = mid, at_lo = at_mid, at_hi *= 0.5;
    } else {
      if (std::fabs(hi - mid) <= enough) return mid;
      hi = mid, at_hi = at_mid, at_lo *= 0.5;
    }
  }
  return mid;
}

/// Integrates lines across the cell, each cut where it passes into another part.
Moments cut_cell(const Scene& scene, int part, const Cutters& cutters, const Face& face,
                 const UvBox& box, bool along_v) {
  const double a0 = along_v ? box.u0 : box.v0, a1 = along_v ? box.u1 : box.v1;
  const double b0 = along_v ? box.v0 : box.u0, b1 = along_v ? box.v1 : box.u1;
  Moments sum;
  for (int i = 0; i < kNodes; ++i) {
    const double a = a0 + 0.5 * (a1 - a0) * (1.0 + rule().nodes[i]);
    const auto outside = [&](double b) {
      const double u = along_v ? a : b, v = along_v ? b : a;
      return on_union(scene, part, cutters, face.patch->point(u, v), face.normal(u, v));
    };
    const auto gap_at = [&](double b) {
      return least_gap(scene, cutters, face.patch->point(along_v ? a : b, along_v ? b : a));
    };
    // stretches of the line outside all others
    double from = b0;
    bool was = outside(b0);
    const auto add = [&](double begin, double end) {
      const double h = 0.5 * (end - begin);
      for (int j = 0; j < kNodes; ++j) {
        const double b = begin + h * (1.0 + rule().nodes[j]);
        sum += element(scene, face, along_v ? a : b, along_v ? b : a,
                       0.5 * (a1 - a0) * h * rule().weights[i] * rule().weights[j]);
      }
    };
    for (int k = 1; k <= kLineSamples; ++k) {
      const double lo = b0 + (b1 - b0) * (k - 1) / kLineSamples;
      const double hi = k == kLineSamples ? b1 : b0 + (b1 - b0) * k / kLineSamples;
      const bool is = outside(hi);
      if (is == was) continue;
      const double cut = crossing(outside, gap_at, lo, hi, was);
      if (was) add(from, cut);
      from = cut;
      was = is;
    }
    if (was) add(from, b1);
  }
  return sum;
}

std::array<UvBox, 4> quarters_of(const UvBox& b) {
  const Vec2 c = b.center();
  return {UvBox{b.u0, c.x(), b.v0, c.y()}, UvBox{c.x(), b.u1, b.v0, c.y()},
          UvBox{b.u0, c.x(), c.y(), b.v1}, UvBox{c.x(), b.u1, c.y(), b.v1}};
}

void integrate_clear(const Scene& scene, const Face& face, const UvBox& box, const Moments& whole,
                     int depth, Sum* sum) {
  const auto boxes = quarters_of(box);
  std::array<Moments, 4> quarters;
  Moments fine;
  for (int q = 0; q < 4; ++q) fine += quarters[q] = whole_cell(scene, face, boxes[q]);
  const double off = moment_distance(fine, whole, scene.size);
  if (off <= kClearTolerance || depth >= kMaxClearDepth) {
    sum->moments += fine;
    sum->error += off;
    return;
  }
  for (int q = 0; q < 4; ++q) integrate_clear(scene, face, boxes[q], quarters[q], depth + 1, sum);
}

void integrate(const Scene& scene, int part, Cutters cutters, const Face& face, const UvBox& box,
               int depth, Sum* sum) {
  const Where where = classify(scene, face, box, cutters);
  if (where == Where::inside) return;
  if (where == Where::outside) {
    integrate_clear(scene, face, box, whole_cell(scene, face, box), depth, sum);
    return;
  }
  if (depth == (scene.gaps.size() > kMany ? kMaxDepthOfMany : kMaxDepth)) {
    const Moments by_v = cut_cell(scene, part, cutters, face, box, true);
    const Moments by_u = cut_cell(scene, part, cutters, face, box, false);
    Moments both = by_u;
    both += by_v;
    sum->moments += scaled(both, 0.5);
    sum->error += moment_distance(by_u, by_v, scene.size);
    return;
  }
  for (const UvBox& quarter : quarters_of(box))
    integrate(scene, part, cutters, face, quarter, depth + 1, sum);
}

}  // namespace

VolumeProperties union_properties(const Solid& solid, const Vec3& reference, double size) {
  Scene scene{solid, {}, reference, size};
  for (const Part& part : solid.parts)
    scene.gaps.push_back(std::make_unique<PartGap>(part, kChord * size));
  Sum sum;
  for (int p = 0; p < static_cast<int>(solid.parts.size()); ++p) {
    Cutters others;
    for (int j = 0; j < static_cast<int>(solid.parts.size()); ++j)
      if (j != p) others.push_back(j);
    for (const Face& face : solid.parts[p].faces)
      integrate(scene, p, others, face, face.patch->domain(), 0, &sum);
  }
  VolumeProperties out = properties_from(sum.moments, reference);
  out.error = out.volume > 0.0 ? sum.error * size * size * size / out.volume : 0.0;
  return out;
}

}  // namespace repose::shape
