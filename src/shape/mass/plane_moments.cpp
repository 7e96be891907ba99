#include "shape/mass/plane_moments.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "repose/base/work.h"
#include "repose/math/quadrature.h"

#include "shape/enclose/plane_gap.h"

namespace repose::shape {
namespace {

/// Crossings and outlines nearer than this count as one. Fraction of the region's size.
constexpr double kCoincident = 1e-10;
/// Arcs are integrated in pieces of at most this angle, rad: the rule is then exact to rounding.
constexpr double kArcPiece = 0.8;
constexpr int kNodes = 10;
/// Outlines that are looked at for about one unit of work.
constexpr std::size_t kOutlinesPerUnit = 8;

/// A directed piece of outline with the material to its left: the segment from a to b, or an arc
/// about a from angle t0 to t1.
struct Outline {
  int piece = 0;  // polygons first, then discs
  bool arc = false;
  Vec2 a = Vec2::Zero(), b = Vec2::Zero();
  double radius = 0.0;

  Vec2 at(double t) const {
    return arc ? Vec2(a + radius * Vec2(std::cos(t), std::sin(t))) : Vec2(a + t * (b - a));
  }
  Vec2 slope(double t) const {
    return arc ? Vec2(radius * Vec2(-std::sin(t), std::cos(t))) : Vec2(b - a);
  }
  double end() const { return arc ? 2.0 * std::numbers::pi : 1.0; }
  double length() const { return arc ? 2.0 * std::numbers::pi * radius : (b - a).norm(); }
  /// Parameter of a point on it.
  double parameter(const Vec2& p) const {
    if (!arc) return (p - a).dot(b - a) / (b - a).squaredNorm();
    const double t = std::atan2(p.y() - a.y(), p.x() - a.x());
    return t < 0.0 ? t + 2.0 * std::numbers::pi : t;
  }
};

std::vector<Outline> outlines_of(const PlaneRegion& region) {
  std::vector<Outline> out;
  int piece = 0;
  const auto add = [&](const std::vector<Vec2>& loop) {
    for (std::size_t i = 0; i < loop.size(); ++i)
      out.push_back({piece, false, loop[i], loop[(i + 1) % loop.size()], 0.0});
  };
  for (const Polygon& polygon : region.polygons) {
    add(polygon.outer);
    for (const auto& hole : polygon.holes) add(hole);
    ++piece;
  }
  for (const Disc& disc : region.discs)
    out.push_back({piece++, true, disc.center, Vec2::Zero(), disc.radius});
  return out;
}

void cross_line_circle(const Vec2& a, const Vec2& b, const Vec2& c, double r,
                       std::vector<Vec2>* points) {
  const Vec2 d = (b - a).normalized();
  const double s = (c - a).dot(d);
  const double away = (a + s * d - c).norm();
  if (away > r) return;
  const double half = std::sqrt(r * r - away * away);
  points->push_back(a + (s - half) * d);
  points->push_back(a + (s + half) * d);
}

/// Points where the two curves, prolonged, meet; ends of parallel overlapping segments too.
std::vector<Vec2> crossings(const Outline& x, const Outline& y) {
  std::vector<Vec2> out;
  if (x.arc && y.arc) {
    const Vec2 d = y.a - x.a;
    const double l = d.norm();
    if (!(l > 0.0) || l > x.radius + y.radius || l < std::fabs(x.radius - y.radius)) return out;
    const double s = (l * l + x.radius * x.radius - y.radius * y.radius) / (2.0 * l);
    const double h = std::sqrt(std::max(0.0, x.radius * x.radius - s * s));
    const Vec2 e = d / l, n(-e.y(), e.x());
    out = {x.a + s * e + h * n, x.a + s * e - h * n};
  } else if (x.arc) {
    cross_line_circle(y.a, y.b, x.a, x.radius, &out);
  } else if (y.arc) {
    cross_line_circle(x.a, x.b, y.a, y.radius, &out);
  } else {
    const Vec2 d = x.b - x.a, e = y.b - y.a;
    const double det = d.x() * e.y() - d.y() * e.x();
    if (std::fabs(det) > kCoincident * d.norm() * e.norm()) {
      const Vec2 w = y.a - x.a;
      out.push_back(x.a + (w.x() * e.y() - w.y() * e.x()) / det * d);
    }
    out.push_back(y.a);
    out.push_back(y.b);
  }
  return out;
}

std::vector<double> splits_of(const Outline& x, const std::vector<Outline>& all) {
  spend_work(1 + all.size() / kOutlinesPerUnit);
  std::vector<double> splits{0.0, x.end()};
  for (const Outline& y : all) {
    if (y.piece == x.piece) continue;
    for (const Vec2& p : crossings(x, y)) {
      const double t = x.parameter(p);
      if (t > 0.0 && t < x.end()) splits.push_back(t);
    }
  }
  std::sort(splits.begin(), splits.end());
  return splits;
}

double piece_gap(const PlaneRegion& region, int piece, const Vec2& p) {
  const int polygons = static_cast<int>(region.polygons.size());
  return piece < polygons ? polygon_gap(region.polygons[piece], p)
                          : disc_gap(region.discs[piece - polygons], p);
}

/// Whether the stretch about parameter t bounds the union; of two alike stretches that coincide
/// the first counts, of two that face each other none.
bool on_union(const PlaneRegion& region, const Outline& x, double t, double size) {
  const int pieces = static_cast<int>(region.polygons.size() + region.discs.size());
  const double near = kCoincident * size;
  const Vec2 p = x.at(t), d = x.slope(t).normalized(), n(d.y(), -d.x());
  for (int j = 0; j < pieces; ++j) {
    if (j == x.piece) continue;
    const double gap = piece_gap(region, j, p);
    if (gap < -2.0 * near) return false;
    if (gap > 2.0 * near) continue;
    const double outer = piece_gap(region, j, p + 4.0 * near * n);
    const double inner = piece_gap(region, j, p - 4.0 * near * n);
    if (!(outer > 0.0 && (inner > 0.0 || x.piece < j))) return false;
  }
  return true;
}

struct PlaneMoments {
  double area = 0.0, outline = 0.0;
  Vec2 first = Vec2::Zero();
  Mat2 second = Mat2::Zero();
};

void add_stretch(const Outline& x, double t0, double t1, const Vec2& reference, PlaneMoments* sum) {
  static const QuadratureRule kRule = gauss_legendre(kNodes);
  const int pieces = x.arc ? static_cast<int>(std::ceil((t1 - t0) / kArcPiece)) : 1;
  for (int k = 0; k < pieces; ++k) {
    const double lo = t0 + (t1 - t0) * k / pieces, h = 0.5 * (t1 - t0) / pieces;
    for (int i = 0; i < kNodes; ++i) {
      const double t = lo + h * (1.0 + kRule.nodes[i]);
      const Vec2 p = x.at(t) - reference, d = h * kRule.weights[i] * x.slope(t);
      const double flux = p.x() * d.y() - p.y() * d.x();  // p . n ds
      sum->area += flux / 2.0;
      sum->first += flux / 3.0 * p;
      sum->second += flux / 4.0 * p * p.transpose();
      sum->outline += d.norm();
    }
  }
}

}  // namespace

VolumeProperties slab_properties(const PlaneRegion& region) {
  const WorkStage stage("uniting its pieces");
  const std::vector<Outline> all = outlines_of(region);
  double size = 0.0;
  const Vec2 reference = all[0].at(0.0);
  for (const Outline& x : all) size = std::max(size, (x.at(0.0) - reference).norm() + x.length());
  PlaneMoments sum;
  for (const Outline& x : all) {
    const std::vector<double> splits = splits_of(x, all);
    for (std::size_t k = 0; k + 1 < splits.size(); ++k) {
      const double middle = 0.5 * (splits[k] + splits[k + 1]);
      spend_work(1 + all.size() / kOutlinesPerUnit);
      if (splits[k + 1] > splits[k] && on_union(region, x, middle, size))
        add_stretch(x, splits[k], splits[k + 1], reference, &sum);
    }
  }
  VolumeProperties out;
  const double h = region.thickness;
  out.volume = sum.area * h;
  out.area = 2.0 * sum.area + sum.outline * h;
  const Vec2 offset = sum.first / sum.area;
  out.center << reference + offset, 0.0;
  const Mat2 central = h * (sum.second - sum.area * offset * offset.transpose());
  const double zz = out.volume * h * h / 12.0;
  out.inertia << central(1, 1) + zz, -central(0, 1), 0.0,  //
      -central(0, 1), central(0, 0) + zz, 0.0,             //
      0.0, 0.0, central(0, 0) + central(1, 1);
  return out;
}

}  // namespace repose::shape
