#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "repose/math/lanes.h"
#include "repose/math/spline.h"
#include "repose/shape/patches.h"

#include "shape/define/patches.h"
#include "shape/define/spline_curve.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;
/// Frames taken per span of the spine.
constexpr std::size_t kFramesPerSpan = 8;
using Array3 = std::array<double, 3>;

/// Four functions of one variable with their first two derivatives.
template <class T>
struct Jet1 {
  using L = typename LanesOf<T>::Type;
  L f, d, dd;

  friend Jet1 operator+(const Jet1& a, const Jet1& b) {
    return {a.f + b.f, a.d + b.d, a.dd + b.dd};
  }
  friend Jet1 operator-(const Jet1& a, const Jet1& b) {
    return {a.f - b.f, a.d - b.d, a.dd - b.dd};
  }
  friend Jet1 operator*(const Jet1& a, const Jet1& b) {
    return {a.f * b.f, a.d * b.f + a.f * b.d,
            a.dd * b.f + lanes(T(2.0)) * (a.d * b.d) + a.f * b.dd};
  }
  friend Jet1 operator/(const Jet1& a, const Jet1& b) {
    const L q = a.f / b.f;
    const L dq = (a.d - q * b.d) / b.f;
    return {q, dq, (a.dd - lanes(T(2.0)) * (dq * b.d) - q * b.dd) / b.f};
  }
  friend Jet1 square(const Jet1& a) {
    const L two = lanes(T(2.0));
    return {squared(a.f), two * (a.f * a.d), two * (squared(a.d) + a.f * a.dd)};
  }
};

template <int i, int j, int k, int l, class T>
Jet1<T> pick(const Jet1<T>& a) {
  return {repose::pick<i, j, k, l>(a.f), repose::pick<i, j, k, l>(a.d),
          repose::pick<i, j, k, l>(a.dd)};
}
template <int k, class T>
Jet1<T> with_lane(const Jet1<T>& a, const Jet1<T>& b) {
  return {repose::with_lane<k>(a.f, b.f), repose::with_lane<k>(a.d, b.d),
          repose::with_lane<k>(a.dd, b.dd)};
}

template <int N>
SplineJet<N, double> spline_at(const CubicSpline<N>& spline, double t) {
  return spline.jet(t);
}
template <int N>
SplineJet<N, Interval> spline_at(const CubicSpline<N>& spline, Interval t) {
  return spline.enclose(t);
}

/// The first two columns of the rotation by (w, x, y, z)/|(w, x, y, z)|, each in three lanes.
template <class T>
struct FrameJets {
  Jet1<T> n, b;

  explicit FrameJets(const SplineJet<4, T>& q) {
    const Jet1<T> wxyz{lanes(q.f), lanes(q.d), lanes(q.dd)}, squares = square(wxyz);
    const Jet1<T> ww = pick<0, 0, 0, 0>(squares), xx = pick<1, 1, 1, 1>(squares),
                  yy = pick<2, 2, 2, 2>(squares), zz = pick<3, 3, 3, 3>(squares);
    const Jet1<T> length2 = ww + xx + yy + zz;
    const Jet1<T> two{lanes(T(2.0)), lanes(T(0.0)), lanes(T(0.0))};
    const Jet1<T> first = pick<1, 1, 2, 2>(wxyz) * pick<2, 3, 3, 3>(wxyz);   // x y, x z, y z
    const Jet1<T> second = pick<0, 0, 0, 0>(wxyz) * pick<3, 2, 1, 1>(wxyz);  // w z, w y, w x
    const Jet1<T> sum = pick<0, 0, 2, 2>(first + second), rest = pick<0, 0, 1, 1>(first - second);
    // b0, n1, n2, b2
    const Jet1<T> mixed = (two / length2) * with_lane<3>(with_lane<1>(rest, sum), sum);
    // n0, b1
    const Jet1<T> own = with_lane<1>(ww + xx - yy - zz, ww - xx + yy - zz) / length2;
    n = with_lane<0>(mixed, own);
    b = with_lane<1>(pick<0, 0, 3, 3>(mixed), own);
  }
};

/// What the tube's formula takes from v alone: its spine, and the radius times its frame.
template <class T>
struct Section {
  Jet1<T> p, n, b;
};

/// Sections over [0, 1], its halves, their halves and so on: node i holds 2i and 2i + 1, the first
/// is 1. Pieces of a tube that lie around the same stretch share them.
using SectionTree = std::vector<Section<Interval>>;
constexpr int kTreeLevels = 7;

/// The node over exactly [lo, hi]; 0: none.
std::size_t node_over(double lo, double hi) {
  int power = 0;
  const double half = std::frexp(hi - lo, &power);  // hi - lo = half * 2^power
  if (half != 0.5 || power > 1 || power <= 1 - kTreeLevels) return 0;
  const double first = std::ldexp(lo, 1 - power);
  if (first != std::floor(first)) return 0;
  return (std::size_t{1} << (1 - power)) + static_cast<std::size_t>(first);
}

template <bool closed_tube>
struct TubeSide {
  static constexpr bool kClosedU = true, kClosedV = closed_tube, kPlanar = false,
                        kOneFormula = false;
  UvBox domain{-kPi, kPi, 0.0, 1.0};
  CubicSpline<3> spine;
  CubicSpline<1> radius;
  CubicSpline<4> frame;
  std::shared_ptr<const SectionTree> tree;

  TubeSide(const CubicSpline<3>& along, const CubicSpline<1>& wide, const CubicSpline<4>& turned)
      : spine(along), radius(wide), frame(turned) {
    auto nodes = std::make_shared<SectionTree>(std::size_t{1} << kTreeLevels);
    for (std::size_t level = 1; level < nodes->size(); level *= 2)
      for (std::size_t k = 0; k < level; ++k) {
        const double width = 1.0 / static_cast<double>(level);
        const double low = static_cast<double>(k) * width;
        (*nodes)[level + k] = section(Interval(low, low + width));
      }
    tree = std::move(nodes);
  }

  template <class T>
  Section<T> section(T v) const {
    const SplineJet<3, T> p = spline_at(spine, v);
    const SplineJet<1, T> r1 = spline_at(radius, v);
    const Jet1<T> r{lanes(r1.f[0]), lanes(r1.d[0]), lanes(r1.dd[0])};
    const FrameJets<T> turned(spline_at(frame, v));
    return {{lanes(p.f), lanes(p.d), lanes(p.dd)}, r * turned.n, r * turned.b};
  }
  Terms<double> terms(double u, double v) const { return around(u, section(v)); }
  Terms<Interval> terms(Interval u, Interval v) const {
    const std::size_t node = node_over(v.lo, v.hi);
    return node > 0 ? around(u, (*tree)[node]) : around(u, section(v));
  }

  template <class T>
  static Terms<T> around(T u, const Section<T>& at) {
    using std::cos;
    using std::sin;
    const auto c = lanes(cos(u)), s = lanes(sin(u));
    const auto across = c * at.n.f + s * at.b.f;
    const auto part = [](const auto& a) { return std::array<T, 3>{a[0], a[1], a[2]}; };
    return {part(at.p.f + across),
            part(c * at.b.f - s * at.n.f),
            part(at.p.d + c * at.n.d + s * at.b.d),
            part(-across),
            part(c * at.b.d - s * at.n.d),
            part(at.p.dd + c * at.n.dd + s * at.b.dd)};
  }
  Vec3 normal(double u, double v) const {
    const Terms<double> t = terms(u, v);
    return vec3(t.su).cross(vec3(t.sv)).normalized();
  }
};

struct Frame {
  Vec3 tangent, normal;
};

Quat quaternion_of(const Frame& frame) {
  Mat3 axes;
  axes << frame.normal, frame.tangent.cross(frame.normal), frame.tangent;
  return Quat(axes).normalized();
}

/// Carries a frame from p to q by two reflections, without twist to fourth order of the step.
Frame carried(const Frame& frame, const Vec3& p, const Vec3& q, const Vec3& tangent) {
  const Vec3 v1 = q - p;
  const double c1 = v1.squaredNorm();
  const Vec3 normal = frame.normal - (2.0 / c1) * v1.dot(frame.normal) * v1;
  const Vec3 turned = frame.tangent - (2.0 / c1) * v1.dot(frame.tangent) * v1;
  const Vec3 v2 = tangent - turned;
  const double c2 = v2.squaredNorm();
  const Vec3 out = c2 > 0.0 ? Vec3(normal - (2.0 / c2) * v2.dot(normal) * v2) : normal;
  return {tangent, (out - out.dot(tangent) * tangent).normalized()};
}

std::vector<double> frame_knots(const std::vector<double>& knots) {
  std::vector<double> out{knots.front()};
  for (std::size_t i = 0; i + 1 < knots.size(); ++i)
    for (std::size_t k = 1; k <= kFramesPerSpan; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(kFramesPerSpan);
      out.push_back(k == kFramesPerSpan ? knots[i + 1]
                                        : knots[i] + part * (knots[i + 1] - knots[i]));
    }
  return out;
}

std::vector<Frame> frames_along(const CubicSpline<3>& spine, const std::vector<double>& knots) {
  std::vector<Frame> frames;
  Vec3 before = Vec3::Zero();
  for (const double t : knots) {
    const auto j = spine.jet(t);
    const Vec3 point = vec3(j.f), tangent = vec3(j.d).normalized();
    frames.push_back(frames.empty() ? Frame{tangent, tangent.unitOrthogonal()}
                                    : carried(frames.back(), before, point, tangent));
    before = point;
  }
  return frames;
}

/// Turns the frames of a closed spine evenly, so that the last meets the first.
void close_frames(std::vector<Frame>& frames, const std::vector<double>& knots) {
  const Frame& last = frames.back();
  const Vec3 target = frames.front().normal, side = last.tangent.cross(last.normal);
  const double angle = std::atan2(target.dot(side), target.dot(last.normal));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Frame& f = frames[i];
    const double part = angle * knots[i];
    f.normal = std::cos(part) * f.normal + std::sin(part) * f.tangent.cross(f.normal);
  }
  frames.back() = frames.front();
}

CubicSpline<4> frame_spline(const CubicSpline<3>& spine, bool closed) {
  const auto knots = frame_knots(spine.knots());
  auto frames = frames_along(spine, knots);
  if (closed) close_frames(frames, knots);
  std::vector<std::array<double, 4>> points;
  for (const Frame& f : frames) {
    const Quat q = quaternion_of(f);
    std::array<double, 4> wxyz{q.w(), q.x(), q.y(), q.z()};
    double along = 1.0;
    if (!points.empty()) {
      along = 0.0;
      for (std::size_t k = 0; k < 4; ++k) along += wxyz[k] * points.back()[k];
    }
    if (along < 0.0)
      for (double& part : wxyz) part = -part;
    points.push_back(wxyz);
  }
  if (!closed) return CubicSpline<4>::through(knots, points);
  double along = 0.0;
  for (std::size_t k = 0; k < 4; ++k) along += points.front()[k] * points.back()[k];
  const double sign = along < 0.0 ? -1.0 : 1.0;
  for (std::size_t k = 0; k < 4; ++k) points.back()[k] = sign * points.front()[k];
  return CubicSpline<4>::through_closed(knots, points, sign);
}

CubicSpline<1> radius_spline(const Tube& tube, const std::vector<double>& knots) {
  std::vector<std::array<double, 1>> points;
  for (std::size_t i = 0; i < tube.spine.size(); ++i)
    points.push_back({tube.radii.size() == 1 ? tube.radii[0] : tube.radii[i]});
  if (tube.closed) {
    points.push_back(points.front());
    return CubicSpline<1>::through_closed(knots, points);
  }
  // a hemisphere joins smoothly where the tube neither widens nor narrows
  const CubicSpline<1>::Ends end{SplineEnd{tube.round_ends, 0.0}};
  return CubicSpline<1>::through(knots, points, end, end);
}

Fault check_tube(const Tube& tube) {
  const std::size_t n = tube.spine.size(), least = tube.closed ? 3 : 2;
  if (n < least)
    return fault("/spine", fmt::format("{} points", n), "too few points",
                 fmt::format("at least {}", least));
  if (tube.radii.size() != 1 && tube.radii.size() != n)
    return fault("/radii", fmt::format("{} radii", tube.radii.size()), "wrong count",
                 fmt::format("1 or {}", n));
  for (std::size_t i = 0; i < tube.radii.size(); ++i)
    if (auto error = check_length(fmt::format("/radii/{}", i).c_str(), tube.radii[i])) return error;
  for (std::size_t i = 0; i < n; ++i) {
    const std::string place = fmt::format("spine/{}", i);
    if (auto error = check_point("/" + place, tube.spine[i])) return error;
    const bool last = i + 1 == n;
    if ((!last || tube.closed) && tube.spine[i] == tube.spine[(i + 1) % n])
      return fault("/" + place, "", "the same as the next point", "distinct points");
  }
  return std::nullopt;
}

/// The section must not run ahead of its neighbours on the inside of a bend.
Fault check_bends(const Patch& side, const CubicSpline<4>& frame, const CubicSpline<3>& spine) {
  constexpr int kAround = 16;
  for (const double v : frame.knots()) {
    const Vec3 center = vec3(spine.jet(v).f);
    for (int i = 0; i < kAround; ++i) {
      const PatchJet j = side.jet(-kPi + 2.0 * kPi * i / kAround, v);
      if (j.su.cross(j.sv).dot(j.s - center) > 0.0) continue;
      return fault("/radii", "",
                   fmt::format("the tube folds over itself near ({:.6g}, {:.6g}, {:.6g})",
                               center[0], center[1], center[2]),
                   "a radius smaller than the bend's");
    }
  }
  return std::nullopt;
}

std::vector<PatchPtr> cap(const Pose& pose, double radius, bool round) {
  std::vector<PatchPtr> flat;
  if (round) {
    flat = hemisphere_patches(radius).value();
  } else {
    flat.push_back(disc_patch(radius).value());
  }
  for (PatchPtr& patch : flat) patch = placed(patch, pose);
  return flat;
}

Pose end_pose(const CubicSpline<3>& spine, const CubicSpline<4>& frame, double v) {
  const auto q = frame.jet(v).f;
  const Quat along = Quat(q[0], q[1], q[2], q[3]).normalized();
  const Quat back(0.0, 1.0, 0.0, 0.0);  // half a turn about x
  return {vec3(spine.jet(v).f), v > 0.0 ? along : along * back};
}

}  // namespace

Result<TubePatches> tube_patches(const Tube& tube) {
  if (auto error = check_tube(tube)) return *error;
  // three splines over one parameter: centre line, radius, frame
  std::vector<Array3> points;
  for (const Vec3& p : tube.spine) points.push_back({p[0], p[1], p[2]});
  if (tube.closed) points.push_back(points.front());
  const auto knots = chord_knots<3>(points);
  const auto spine = tube.closed ? CubicSpline<3>::through_closed(knots, points)
                                 : CubicSpline<3>::through(knots, points);
  const auto radius = radius_spline(tube, knots);
  if (radius.least(0) < kMinLength)
    return fault("/radii", fmt::format("{}", radius.least(0)),
                 "the spline through the radii reaches zero", "radii that vary more gently");
  const auto frame = frame_spline(spine, tube.closed);
  TubePatches out;
  out.side = tube.closed ? make_patch(TubeSide<true>(spine, radius, frame))
                         : make_patch(TubeSide<false>(spine, radius, frame));
  if (auto error = check_bends(*out.side, frame, spine)) return *error;
  if (tube.closed) return out;
  out.begin_pose = end_pose(spine, frame, 0.0);
  out.end_pose = end_pose(spine, frame, 1.0);
  out.begin_radius = radius.jet(0.0).f[0];
  out.end_radius = radius.jet(1.0).f[0];
  out.begin_cap = cap(out.begin_pose, out.begin_radius, tube.round_ends);
  out.end_cap = cap(out.end_pose, out.end_radius, tube.round_ends);
  return out;
}

namespace {

template <bool closed>
std::optional<TubeForm> numbers_of(const TubeSide<closed>& tube) {
  const double radius = tube.radius.jet(0.0).f[0];
  for (const double t : tube.radius.knots())
    if (tube.radius.jet(t).f[0] != radius) return std::nullopt;
  const Interval all = tube.radius.enclose({tube.radius.begin(), tube.radius.end()}).f[0];
  return TubeForm{std::make_shared<SplineCurve>(tube.spine, closed), all.hi};
}

}  // namespace

std::optional<TubeForm> tube_numbers(const Patch& patch) {
  if (const auto* closed = kind_of<TubeSide<true>>(patch)) return numbers_of(*closed);
  if (const auto* open = kind_of<TubeSide<false>>(patch)) return numbers_of(*open);
  return std::nullopt;
}

}  // namespace repose::shape
