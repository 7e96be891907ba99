#include "shape/mass/cut_cell.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "repose/base/work.h"
#include "repose/math/quadrature.h"

#include "shape/mass/solid_moments.h"

namespace repose::shape {
namespace {

constexpr int kNodes = 6, kFewNodes = 4;
/// Stretches of a line and of a cell's side that are looked at for one crossing of each cutter.
constexpr int kStretches = 2;
constexpr int kMaxSearch = 40;
/// Crossings are found to this part of the stretch searched.
constexpr double kCrossing = 1e-10;

const QuadratureRule& rule() {
  static const QuadratureRule kRule = gauss_legendre(kNodes);
  return kRule;
}

const QuadratureRule& rough_rule() {
  static const QuadratureRule kRule = gauss_legendre(kFewNodes);
  return kRule;
}

/// A cell seen along its lines: a counts the lines, b runs along them.
struct Lines {
  const Face& face;
  const Vec3& reference;
  bool along_v;
  double a0, a1, b0, b1;

  Vec2 uv(double a, double b) const { return along_v ? Vec2(a, b) : Vec2(b, a); }
  /// One node of the rule.
  Moments element(double a, double b, double weight) const {
    const Vec2 at = uv(a, b);
    const PatchJet s = face.patch->jet(at.x(), at.y());
    return surface_element(s.s - reference, weight * face.outward * s.su.cross(s.sv));
  }
};

Lines lines_of(const Face& face, const UvBox& box, const Vec3& reference, bool along_v) {
  if (along_v) return {face, reference, true, box.u0, box.u1, box.v0, box.v1};
  return {face, reference, false, box.v0, box.v1, box.u0, box.u1};
}

/// A zero of the gap between two places where its signs differ: false position, in which the end
/// that stays counts for less by as much as the other came nearer (Anderson and Bjorck 1973).
template <class Gap>
double crossing(Gap gap, double lo, double at_lo, double hi, double at_hi) {
  const double enough = kCrossing * (hi - lo);
  const auto share = [](double here, double before) {
    return here < before ? 1.0 - here / before : 0.5;
  };
  double last = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMaxSearch && hi - lo > enough; ++step) {
    double mid = (lo * at_hi - hi * at_lo) / (at_hi - at_lo);
    if (!(mid > lo && mid < hi)) mid = 0.5 * (lo + hi);
    if (std::fabs(mid - last) <= enough) return mid;
    last = mid;
    const double here = gap(mid);
    if (here == 0.0) return mid;
    if ((here > 0.0) == (at_lo > 0.0)) {
      at_hi *= share(std::fabs(here), std::fabs(at_lo));
      lo = mid, at_lo = here;
    } else {
      at_lo *= share(std::fabs(here), std::fabs(at_hi));
      hi = mid, at_hi = here;
    }
  }
  return 0.5 * (lo + hi);
}

/// Appends the zeros of the gap between t0 and t1, at most one in each stretch.
template <class Gap>
void find_crossings(Gap gap, double t0, double t1, std::vector<double>* out) {
  double lo = t0, before = gap(t0);
  for (int k = 1; k <= kStretches; ++k) {
    const double hi = k == kStretches ? t1 : t0 + (t1 - t0) * k / kStretches;
    const double here = gap(hi);
    if ((here > 0.0) != (before > 0.0)) out->push_back(crossing(gap, lo, before, hi, here));
    lo = hi;
    before = here;
  }
}

/// The line at a, where it is left.
Moments one_line(const Lines& lines, Cutting& cutting, double a, double weight) {
  std::vector<double> cuts{lines.b0, lines.b1};
  for (int k = 0; k < cutting.cutters(); ++k)
    find_crossings(
        [&](double b) {
          const Vec2 at = lines.uv(a, b);
          return cutting.gap(k, at.x(), at.y());
        },
        lines.b0, lines.b1, &cuts);
  std::sort(cuts.begin(), cuts.end());
  Moments sum;
  for (std::size_t k = 1; k < cuts.size(); ++k) {
    const double h = 0.5 * (cuts[k] - cuts[k - 1]);
    if (!(h > 0.0)) continue;
    const Vec2 middle = lines.uv(a, cuts[k - 1] + h);
    if (!cutting.left(middle.x(), middle.y())) continue;
    for (int j = 0; j < kNodes; ++j)
      sum += lines.element(a, cuts[k - 1] + h * (1.0 + rule().nodes[j]),
                           weight * h * rule().weights[j]);
  }
  return sum;
}

/// The gaps change more along v than along u, seen over the whole cell.
bool changes_along_v(const UvBox& box, Cutting& cutting) {
  const Vec2 c = box.center();
  double by_u = 0.0, by_v = 0.0;
  for (int k = 0; k < cutting.cutters(); ++k) {
    by_u += std::fabs(cutting.gap(k, box.u1, c.y()) - cutting.gap(k, box.u0, c.y()));
    by_v += std::fabs(cutting.gap(k, c.x(), box.v1) - cutting.gap(k, c.x(), box.v0));
  }
  return by_v >= by_u;
}

}  // namespace

CutMoments cut_cell(const Face& face, const UvBox& box, const Vec3& reference, Cutting& cutting) {
  const Lines lines = lines_of(face, box, reference, changes_along_v(box, cutting));
  std::vector<double> breaks{lines.a0, lines.a1};
  for (const double side : {lines.b0, lines.b1})
    for (int k = 0; k < cutting.cutters(); ++k)
      find_crossings(
          [&](double a) {
            const Vec2 at = lines.uv(a, side);
            return cutting.gap(k, at.x(), at.y());
          },
          lines.a0, lines.a1, &breaks);
  std::sort(breaks.begin(), breaks.end());
  const auto bundle = [&](double from, double to, const QuadratureRule& by, Moments& sum) {
    const double h = 0.5 * (to - from);
    for (std::size_t i = 0; i < by.nodes.size() && h > 0.0; ++i)
      sum += one_line(lines, cutting, from + h * (1.0 + by.nodes[i]), h * by.weights[i]);
  };
  CutMoments out;
  for (std::size_t k = 1; k < breaks.size(); ++k) {
    bundle(breaks[k - 1], breaks[k], rule(), out.fine);
    bundle(breaks[k - 1], breaks[k], rough_rule(), out.rough);
  }
  return out;
}

Moments whole_cell(const Face& face, const UvBox& box, const Vec3& reference) {
  const Lines lines = lines_of(face, box, reference, true);
  const double ha = 0.5 * (lines.a1 - lines.a0), hb = 0.5 * (lines.b1 - lines.b0);
  spend_work(kNodes * kNodes);
  Moments sum;
  for (int i = 0; i < kNodes; ++i)
    for (int j = 0; j < kNodes; ++j)
      sum += lines.element(lines.a0 + ha * (1.0 + rule().nodes[i]),
                           lines.b0 + hb * (1.0 + rule().nodes[j]),
                           ha * hb * rule().weights[i] * rule().weights[j]);
  return sum;
}

}  // namespace repose::shape
