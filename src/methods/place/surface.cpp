#include "surface.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "repose/base/check.h"
#include "repose/shape/enclose_about.h"

namespace repose::place {
namespace {

/// Rounding of a cell's own numbers, over its largest coordinate.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
/// A direction that adds less than this share to a cell's thickness is not worth halving.
constexpr double kWorthHalving = 1e-3;
/// Taylor's remainder is of no use when it takes this share of the box of S.
constexpr double kPoorRemainder = 0.5;
/// Where it takes more than this many times the box, the halves' halves are not worth asking.
constexpr double kHopelessRemainder = 16.0;
/// Parameter boxes narrower than this share of the domain are not halved further.
constexpr double kNarrowest = 1e-13;
/// Metric below this share of its squared trace: the chart is degenerate there.
constexpr double kDegenerate = 1e-10;

struct Bulge {
  Vec3 middle = Vec3::Zero(), rad = Vec3::Zero();
};

/// Middle and half width of k * second over k in [0, 1] * half^2 / 2 (or [-1, 1] if mixed).
Bulge remainder(const IVec3& second, Interval factor) {
  Bulge out;
  for (int i = 0; i < 3; ++i) {
    const Interval e = second[static_cast<std::size_t>(i)] * factor;
    out.middle[i] = e.mid();
    out.rad[i] = 0.5 * e.width();
  }
  return out;
}

/// -S G^-1 L G^-1 S^T with the fundamental forms of the outward side; zero where the chart is
/// degenerate.
Mat3 bending_of(const shape::PatchJet& jet, const Vec3& n) {
  Mat2 first, form;
  first << jet.su.squaredNorm(), jet.su.dot(jet.sv), jet.su.dot(jet.sv), jet.sv.squaredNorm();
  form << n.dot(jet.suu), n.dot(jet.suv), n.dot(jet.suv), n.dot(jet.svv);
  const double trace = first.trace();
  if (!(first.determinant() > kDegenerate * trace * trace)) return Mat3::Zero();
  Eigen::Matrix<double, 3, 2> s;
  s << jet.su, jet.sv;
  const Eigen::Matrix<double, 3, 2> lifted = s * first.inverse();
  return -lifted * form * lifted.transpose();
}

Curving curving_of(const shape::PatchJet& jet, const shape::PatchEnclosure& e, double du, double dv,
                   const Vec3& n) {
  Curving out;
  out.middle = jet.s;
  const std::array<const IVec3*, 3> box{&e.suu, &e.suv, &e.svv};
  const std::array<double, 3> scale{0.5 * du * du, du * dv, 0.5 * dv * dv};
  for (std::size_t k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) {
      const Interval& w = (*box[k])[static_cast<std::size_t>(i)];
      out.second[k][i] = scale[k] * w.mid();
      out.rad[k][i] = 0.5 * scale[k] * w.width();
    }
    out.most += (out.second[k].cwiseAbs() + out.rad[k]).norm();
  }
  out.bending = bending_of(jet, n);
  return out;
}

/// Outward normal at (u, v), whose jet is known.
Vec3 normal_of(const Feature& f, const shape::PatchJet& jet, const Vec2& uv) {
  const Vec3 cross = jet.su.cross(jet.sv);
  const double area = cross.norm(), scale = jet.su.squaredNorm() + jet.sv.squaredNorm();
  if (!(area * area > kDegenerate * scale * scale)) return f.face.normal(uv.x(), uv.y());
  return f.face.outward / area * cross;
}

Vec3 half_extent(const Cell& c) {
  return c.g0.cwiseAbs() + c.g1.cwiseAbs() + c.rad + Vec3::Constant(c.ball);
}

Cell box_over(const std::vector<Cell>& cells, std::span<const int> items) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const int i : items) {
    const Cell& c = cells[static_cast<std::size_t>(i)];
    const Vec3 h = half_extent(c);
    low = low.cwiseMin(c.center - h);
    high = high.cwiseMax(c.center + h);
  }
  Cell out;
  out.center = 0.5 * (low + high);
  out.rad = 0.5 * (high - low) + kRounding * out.center.cwiseAbs();
  out.radius = out.rad.norm();
  return out;
}

/// Snyder 1995, 3.1: the widest gap of the projected boxes on any axis, else the middle of the
/// centres along the axis where they scatter most. Answers the axis and the place of the cut.
std::pair<int, double> partition(const std::vector<Cell>& cells, std::span<const int> items) {
  int axis = 0;
  double cut = 0.0, widest = 0.0;
  for (int k = 0; k < 3; ++k) {
    std::vector<std::pair<double, double>> spans;
    for (const int i : items) {
      const Cell& c = cells[static_cast<std::size_t>(i)];
      const double h = half_extent(c)[k];
      spans.emplace_back(c.center[k] - h, c.center[k] + h);
    }
    std::sort(spans.begin(), spans.end());
    double end = spans.front().second;
    for (const auto& [low, high] : spans) {
      if (low - end > widest) {
        widest = low - end;
        axis = k;
        cut = 0.5 * (low + end);
      }
      end = std::max(end, high);
    }
  }
  if (widest > 0.0) return {axis, cut};
  Vec3 mean = Vec3::Zero(), square = Vec3::Zero();
  for (const int i : items) mean += cells[static_cast<std::size_t>(i)].center;
  mean /= static_cast<double>(items.size());
  for (const int i : items)
    square += (cells[static_cast<std::size_t>(i)].center - mean).cwiseAbs2();
  square.maxCoeff(&axis);
  return {axis, mean[axis]};
}

}  // namespace

Surface::Surface(const shape::Shape& shape)
    : features_(features_of(shape)),
      swept_(swept_of(shape)),
      turned_(turned_of(shape)),
      radius_(shape.bounding_radius),
      center_(shape.bounding_center) {
  std::vector<int> faces, points, edges, corners;
  for (std::size_t i = 0; i < features_.size(); ++i) {
    const Feature& f = features_[i];
    const int index = static_cast<int>(i), cell = static_cast<int>(cells_.size());
    if (f.kind == FeatureKind::half_space) {
      half_space_ = true;
      continue;
    }
    Cell c;
    if (f.kind == FeatureKind::patch) {
      c = patch_cell(index, f.domain);
    } else if (f.kind == FeatureKind::curve) {
      c = curve_cell(index, f.domain);
      edges.push_back(cell);
    } else if (f.kind == FeatureKind::triangle) {
      c.center = f.corners[0];
      c.g0 = f.corners[1] - f.corners[0];
      c.g1 = f.corners[2] - f.corners[0];
      c.normal = f.normal;
      c.triangle = c.whole = true;
      c.radius = std::max(c.g0.norm(), c.g1.norm());
    } else {
      c.center = f.point;
      c.ball = c.radius = f.radius;
      c.whole = true;
      if (f.radius == 0.0) corners.push_back(cell);
    }
    c.feature = index;
    cells_.push_back(c);
    if (f.takes_feet()) faces.push_back(cell);
    if (f.gives_points()) points.push_back(cell);
  }
  faces_ = add_tree(std::move(faces));
  points_ = add_tree(std::move(points));
  edges_ = add_tree(std::move(edges));
  corners_ = add_tree(std::move(corners));
}

int Surface::add_tree(std::vector<int> items) {
  if (items.empty()) return -1;
  return build(items);
}

// children are copies, so that two of them always stand side by side; all copies of a piece share
// its halves
int Surface::build(std::vector<int>& items) {
  if (items.size() == 1) return items.front();
  auto [axis, cut] = partition(cells_, items);
  const auto middle =
      std::stable_partition(items.begin(), items.end(), [&, axis = axis, cut = cut](int i) {
        return cells_[static_cast<std::size_t>(i)].center[axis] < cut;
      });
  std::vector<int> left(items.begin(), middle), right(middle, items.end());
  if (left.empty() || right.empty()) {
    left.assign(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2));
    right.assign(items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2), items.end());
  }
  Cell node = box_over(cells_, items);
  const int l = build(left), r = build(right);
  node.kids = static_cast<int>(cells_.size());
  for (const int of : {l, r}) {
    Cell copy = cells_[static_cast<std::size_t>(of)];
    if (copy.feature >= 0) copy.origin = of;
    cells_.push_back(copy);
  }
  cells_.push_back(node);
  return static_cast<int>(cells_.size()) - 1;
}

Cell Surface::patch_cell(int feature, const shape::UvBox& box) {
  const Feature& f = features_[static_cast<std::size_t>(feature)];
  Cell c;
  c.feature = feature;
  c.box = box;
  const Vec2 mid = box.center();
  const double du = 0.5 * (box.u1 - box.u0), dv = 0.5 * (box.v1 - box.v0);
  const shape::PatchJet jet = f.face.patch->jet(mid.x(), mid.y());
  c.jet = static_cast<int>(jets_.size());
  jets_.push_back(jet);
  const shape::PatchEnclosure e = shape::enclose_about(*f.face.patch, box, jet);
  const Bulge uu = remainder(e.suu, Interval(0.0, 0.5 * du * du));
  const Bulge uv = remainder(e.suv, Interval(-du * dv, du * dv));
  const Bulge vv = remainder(e.svv, Interval(0.0, 0.5 * dv * dv));
  c.center = jet.s + uu.middle + uv.middle + vv.middle;
  c.g0 = du * jet.su;
  c.g1 = dv * jet.sv;
  c.bulge_u = uu.rad + 0.5 * uv.rad;
  c.bulge_v = vv.rad + 0.5 * uv.rad;
  c.rad = uu.rad + uv.rad + vv.rad + Vec3::Constant(kRounding * (c.center.norm() + radius_));
  // where Taylor's remainder is wider than the box of S itself, the box holds the piece
  Vec3 low, high;
  for (int i = 0; i < 3; ++i) {
    low[i] = e.s[static_cast<std::size_t>(i)].lo;
    high[i] = e.s[static_cast<std::size_t>(i)].hi;
  }
  c.normal = normal_of(f, jet, mid);
  c.bulge = c.rad.norm();
  c.chord = (0.25 * du * du * jet.suu.cwiseAbs() + du * dv * jet.suv.cwiseAbs() +
             0.25 * dv * dv * jet.svv.cwiseAbs())
                .norm();
  const double box_radius = 0.5 * (high - low).norm();
  const bool known = std::isfinite(c.bulge), boxed = std::isfinite(box_radius);
  if (!known || (boxed && c.bulge > kPoorRemainder * box_radius)) {
    c.center = boxed ? Vec3(0.5 * (low + high)) : center_;
    c.rad = boxed ? Vec3(0.5 * (high - low)) : Vec3::Constant(radius_);
    c.rad += Vec3::Constant(kRounding * (c.center.norm() + radius_));
    c.g0 = c.g1 = Vec3::Zero();
    c.bulge_u = c.bulge_v = c.rad;
    c.boxed = true;
  } else {
    c.curving = static_cast<int>(curvings_.size());
    curvings_.push_back(curving_of(jet, e, du, dv, c.normal));
    c.bent = curvings_.back().bending.norm();
  }
  c.radius = c.g0.norm() + c.g1.norm() + c.rad.norm();
  c.long_u = c.g0.norm() + c.bulge_u.norm();
  c.long_v = c.g1.norm() + c.bulge_v.norm();
  c.whole = too_narrow(f, box);
  return c;
}

Cell Surface::curve_cell(int feature, const shape::UvBox& box) const {
  const Feature& f = features_[static_cast<std::size_t>(feature)];
  Cell c;
  c.feature = feature;
  c.box = box;
  const double dt = 0.5 * (box.u1 - box.u0);
  const shape::CurveJet jet = f.curve->jet(box.u0 + dt);
  const Bulge tt =
      remainder(f.curve->enclose(Interval(box.u0, box.u1)).ctt, Interval(0.0, 0.5 * dt * dt));
  c.center = jet.c + tt.middle;
  c.g0 = dt * jet.ct;
  c.bulge_u = tt.rad;
  c.bulge = c.chord = tt.rad.norm();
  c.rad = tt.rad + Vec3::Constant(kRounding * (c.center.norm() + radius_));
  c.radius = c.g0.norm() + c.rad.norm();
  c.whole = too_narrow(f, box);
  return c;
}

bool Surface::too_narrow(const Feature& f, const shape::UvBox& box) {
  const bool narrow_u = !(box.u1 - box.u0 > kNarrowest * (f.domain.u1 - f.domain.u0));
  const bool narrow_v = !(box.v1 - box.v0 > kNarrowest * (f.domain.v1 - f.domain.v0));
  return narrow_u || (f.kind == FeatureKind::patch && narrow_v);
}

int Surface::split(int i, const Vec3& n, double aspect) {
  const Cell& c = cell(i);
  if (c.feature < 0) return c.kids;
  if (c.origin >= 0) return split(c.origin, n, aspect);
  const bool curve = feature(c.feature).kind == FeatureKind::curve;
  const double thick_u = std::fabs(n.dot(c.g0)) + n.cwiseAbs().dot(c.bulge_u);
  const double thick_v = std::fabs(n.dot(c.g1)) + n.cwiseAbs().dot(c.bulge_v);
  bool along_u = c.long_u >= c.long_v;
  if (thick_u < kWorthHalving * thick_v && c.long_u < aspect * c.long_v) along_u = false;
  if (thick_v < kWorthHalving * thick_u && c.long_v < aspect * c.long_u) along_u = true;
  if (c.boxed) {
    // no derivatives to go by: towards a square piece of the domain
    const shape::UvBox& d = feature(c.feature).domain;
    along_u = (c.box.u1 - c.box.u0) * (d.v1 - d.v0) >= (c.box.v1 - c.box.v0) * (d.u1 - d.u0);
  }
  if (curve) along_u = true;
  int& kids = along_u ? cells_[static_cast<std::size_t>(i)].kids_u
                      : cells_[static_cast<std::size_t>(i)].kids_v;
  if (kids >= 0) return kids;
  kids = static_cast<int>(cells_.size());
  const int first = kids, of = c.feature;
  shape::UvBox low = c.box, high = c.box;
  if (along_u)
    low.u1 = high.u0 = c.box.u0 + 0.5 * (c.box.u1 - c.box.u0);
  else
    low.v1 = high.v0 = c.box.v0 + 0.5 * (c.box.v1 - c.box.v0);
  const Cell one = curve ? curve_cell(of, low) : patch_cell(of, low);
  const Cell two = curve ? curve_cell(of, high) : patch_cell(of, high);
  cells_.push_back(one);
  cells_.push_back(two);
  return first;
}

void Surface::find_tight(int i) {
  const int of = cell(i).origin >= 0 ? cell(i).origin : i;
  if (of != i) {
    tighten(of);
    cells_[static_cast<std::size_t>(i)].tight = cell(of).tight;
    return;
  }
  const std::optional<Cell> found = held_by_halves(i);
  cells_[static_cast<std::size_t>(i)].tight =
      found ? static_cast<int>(tights_.size()) : Cell::kNone;
  if (found) tights_.push_back(*found);
}

/// Over each half the piece is S = center + a g0 + b g1 + r with its own center, g0, g1 and |r| <=
/// rad; less the whole's tangent parallelogram at the same parameters that is another such sum, and
/// both together are held by the box over the two.
std::optional<Cell> Surface::held_by_halves(int i) {
  if (!(cell(i).bulge <= kHopelessRemainder * cell(i).radius) || cell(i).whole) return std::nullopt;
  const int first = split(i, Vec3::UnitZ(), 1.0);
  for (const int half : {first, first + 1}) tighten(half);
  const Cell& c = cell(i);
  const shape::PatchJet& jet = *this->jet(c);
  const bool along_u = cell(first).box.u1 < c.box.u1;
  Cell out = c;
  out.g0 = 0.5 * (c.box.u1 - c.box.u0) * jet.su;
  out.g1 = 0.5 * (c.box.v1 - c.box.v0) * jet.sv;
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const int k : {0, 1}) {
    const Cell& half = tight(first + k);
    const Vec3 to_half = (k == 0 ? -0.5 : 0.5) * (along_u ? out.g0 : out.g1);
    const Vec3 middle = half.center - (jet.s + to_half);
    const Vec3 extent = (half.g0 - (along_u ? 0.5 : 1.0) * out.g0).cwiseAbs() +
                        (half.g1 - (along_u ? 1.0 : 0.5) * out.g1).cwiseAbs() + half.rad;
    low = low.cwiseMin(middle - extent);
    high = high.cwiseMax(middle + extent);
  }
  out.center = jet.s + 0.5 * (low + high);
  out.rad = 0.5 * (high - low) + Vec3::Constant(kRounding * (out.center.norm() + radius_));
  if (!(out.rad.norm() <= kPoorRemainder * c.radius)) return std::nullopt;
  out.boxed = false;
  out.radius = std::max((out.g0 + out.g1).norm(), (out.g0 - out.g1).norm()) + out.rad.norm();
  return out;
}

}  // namespace repose::place
