#include "check/gap/coaxial.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "repose/shape/meridian.h"

namespace repose::check {

namespace {

constexpr double kNegligible = 0.25;  // of the width: second order of the motion
constexpr double kMostTilt = 1e-3;    // rad, and shift over size: beyond it nothing is looked at
constexpr double kNearAxis = 4.0;     // strays: there the second order is as large as the first
constexpr int kMostTests = 100'000;   // pairs of pieces
constexpr int kSectors = 8;           // of azimuth, at first
constexpr double kTestError = 128.0 * kUlp;

/// A piece of a meridian: within `skin` of the segment middle - half .. middle + half.
struct Arc {
  Vec2 middle = Vec2::Zero(), half = Vec2::Zero();
  double skin = 0.0;
  const shape::Patch* curve = nullptr;
  double v0 = 0.0, v1 = 0.0;
  int child = -1;  // first of two; -1: none made yet

  double least_r() const { return middle.x() - std::fabs(half.x()) - skin; }
  /// A point of the meridian, `share` in [-1, 1] of the way along.
  Vec2 point(double share) const {
    if (!curve) return middle + share * half;
    const double v = 0.5 * (v0 + v1) + 0.5 * share * (v1 - v0);
    const Vec3 s = curve->point(0.0, std::clamp(v, v0, v1));
    return {s.x(), s.z()};
  }
};

Arc straight_arc(const shape::Meridian& m) {
  Arc out;
  out.middle = 0.5 * (m.from + m.to);
  out.half = 0.5 * (m.to - m.from);
  out.skin = kSumError * (out.middle.norm() + out.half.norm());
  return out;
}

/// Taylor's formula about the middle; the remainder is centred on its mean.
Arc curved_arc(const shape::Patch& curve, double v0, double v1) {
  const double m = v0 + 0.5 * (v1 - v0);
  const double dv = std::max(v1 - m, m - v0) * (1.0 + kSumError);
  const shape::PatchEnclosure all = curve.enclose({0.0, 0.0, v0, v1});
  const shape::PatchEnclosure here = curve.enclose({0.0, 0.0, m, m});
  Arc out;
  out.curve = &curve;
  out.v0 = v0;
  out.v1 = v1;
  Vec2 spread;
  for (const auto& [k, axis] : {std::pair(0, 0u), std::pair(1, 2u)}) {
    const Interval rest = Interval(0.5) * all.svv[axis] * Interval(0.0, dv * dv);
    out.middle[k] = here.s[axis].mid() + rest.mid();
    out.half[k] = here.sv[axis].mid() * dv;
    spread[k] = 0.5 * rest.width() + here.s[axis].width() + here.sv[axis].width() * dv;
  }
  out.skin = spread.norm() * (1.0 + kSumError) +
             kSumError * (out.middle.norm() + out.half.norm() + spread.norm());
  return out;
}

/// The meridians of a body's turned faces, split as far as is asked.
class Arcs {
 public:
  Arcs(const Surface& surface, const std::vector<char>& turned) {
    for (int i = 0; i < surface.faces(); ++i) {
      if (!turned[static_cast<std::size_t>(i)]) continue;
      const shape::Patch& patch = *surface.face(i).patch;
      const auto m = shape::meridian_of(patch);
      const shape::UvBox d = patch.domain();
      arcs_.push_back(m->curve ? curved_arc(patch, d.v0, d.v1) : straight_arc(*m));
    }
    roots_ = static_cast<int>(arcs_.size());
  }
  int roots() const { return roots_; }
  const Arc& operator[](int i) const { return arcs_[static_cast<std::size_t>(i)]; }
  int children(int i) {
    if ((*this)[i].child >= 0) return (*this)[i].child;
    const Arc whole = (*this)[i];
    const double m = whole.v0 + 0.5 * (whole.v1 - whole.v0);
    const int first = static_cast<int>(arcs_.size());
    arcs_.push_back(curved_arc(*whole.curve, whole.v0, m));
    arcs_.push_back(curved_arc(*whole.curve, m, whole.v1));
    arcs_[static_cast<std::size_t>(i)].child = first;
    return first;
  }

 private:
  std::vector<Arc> arcs_;
  int roots_ = 0;
};

/// Where on a segment, in [-1, 1] of its half, the point nearest to p lies.
double share_nearest(const Vec2& middle, const Vec2& half, const Vec2& p) {
  const double length = half.squaredNorm();
  return length > 0.0 ? std::clamp((p - middle).dot(half) / length, -1.0, 1.0) : 0.0;
}

struct Near {
  double share_a = 0.0, share_b = 0.0, length = std::numeric_limits<double>::infinity();
  double separation = 0.0;  // of the segments along the line of the two points; 0: they may cross
};

/// Where two segments cross, if they do: shares in [-1, 1].
bool cross(const Vec2& ma, const Vec2& ha, const Vec2& mb, const Vec2& hb, double& sa, double& sb) {
  const double area = ha.x() * hb.y() - ha.y() * hb.x();
  if (area == 0.0) return false;
  const Vec2 d = mb - ma;
  sa = (d.x() * hb.y() - d.y() * hb.x()) / area;
  sb = (d.x() * ha.y() - d.y() * ha.x()) / area;
  return std::fabs(sa) <= 1.0 && std::fabs(sb) <= 1.0;
}

/// Nearest points of two segments. Whatever the points, `separation` is never more than the
/// distance but for rounding.
Near nearest(const Vec2& ma, const Vec2& ha, const Vec2& mb, const Vec2& hb) {
  Near out;
  if (cross(ma, ha, mb, hb, out.share_a, out.share_b)) return out;
  Vec2 between = Vec2::Zero();
  const auto offer = [&](double sa, double sb) {
    const Vec2 d = mb + sb * hb - ma - sa * ha;
    if (d.norm() >= out.length) return;
    between = d;
    out = {sa, sb, d.norm(), 0.0};
  };
  for (const double end : {-1.0, 1.0}) {
    offer(end, share_nearest(mb, hb, ma + end * ha));
    offer(share_nearest(ma, ha, mb + end * hb), end);
  }
  if (out.length == 0.0) return out;
  const Vec2 n = between / out.length;
  out.separation = std::max(0.0, n.dot(mb - ma) - std::fabs(n.dot(ha)) - std::fabs(n.dot(hb)));
  return out;
}

struct Entry {
  double lower;
  long order;
  double phi, half;  // sector of azimuth
  int a, b;
  Near near;
};
struct Later {
  bool operator()(const Entry& x, const Entry& y) const {
    return x.lower != y.lower ? x.lower > y.lower : x.order > y.order;
  }
};

/// (r, z) turned to the azimuth of `way`.
Vec3 turned(const Vec2& p, const Vec2& way) {
  const double length = way.norm();
  const Vec2 unit = length > 0.0 ? Vec2(way / length) : Vec2(1.0, 0.0);
  return {p.x() * unit.x(), p.x() * unit.y(), p.y()};
}

/// Best-first over sectors of azimuth and pairs of arcs.
class SectorSearch {
 public:
  SectorSearch(const NearlyOneAxis& at, Arcs& a, Arcs& b) : at_(at), a_(a), b_(b) {}

  Distance distance(const DistanceGoal& goal) {
    const double half = std::numbers::pi / kSectors;
    for (int a = 0; a < a_.roots(); ++a)
      for (int b = 0; b < b_.roots(); ++b)
        for (int k = 0; k < kSectors; ++k) offer((2 * k + 1) * half, half, a, b);
    while (!queue_.empty()) {
      const Entry top = queue_.top();
      d_.lower = top.lower;
      look_at(top);
      if (d_.upper - std::max(d_.lower, 0.0) <= goal.width || d_.upper <= goal.touch ||
          d_.lower >= goal.enough || d_.tests >= kMostTests || goal.spent(d_.tests))
        break;
      queue_.pop();
      if (!split(top)) break;
    }
    if (queue_.empty()) d_.lower = d_.upper;
    d_.clear = d_.lower > 0.0;
    return d_;
  }

 private:
  void offer(double phi, double half, int a, int b) {
    const Arc &of_a = a_[a], &of_b = b_[b];
    ++d_.tests;
    Entry e{0.0, order_++, phi, half, a, b, {}};
    e.near = nearest(of_a.middle, of_a.half, at_.point(of_b.middle, phi), at_.way(of_b.half, phi));
    e.lower = e.near.separation - of_a.skin - of_b.skin * (1.0 + kMostTilt) - at_.stray * half -
              at_.second_order(of_b.least_r()) - at_.slack;
    if (e.lower <= d_.upper) queue_.push(e);
  }
  /// Halves what leaves most open; false where nothing but rounding does.
  bool split(const Entry& e) {
    const double skin_a = a_[e.a].skin, skin_b = b_[e.b].skin;
    const bool curved_a = a_[e.a].curve != nullptr, curved_b = b_[e.b].curve != nullptr;
    if (at_.stray * e.half >= std::max(skin_a, skin_b)) {
      for (const double side : {-0.5, 0.5}) offer(e.phi + side * e.half, 0.5 * e.half, e.a, e.b);
    } else if (curved_a && (skin_a >= skin_b || !curved_b)) {
      const int child = a_.children(e.a);
      for (int k = 0; k < 2; ++k) offer(e.phi, e.half, child + k, e.b);
    } else if (curved_b) {
      const int child = b_.children(e.b);
      for (int k = 0; k < 2; ++k) offer(e.phi, e.half, e.a, child + k);
    } else {
      return false;
    }
    return true;
  }
  /// The distance of two points of the surfaces, turned to one azimuth.
  void look_at(const Entry& e) {
    const Vec2 on_a = a_[e.a].point(e.near.share_a), on_b = b_[e.b].point(e.near.share_b);
    const Frame& frame = at_.b_in_a;
    const Vec3 way = frame.turn.transpose() * Vec3(std::cos(e.phi), std::sin(e.phi), 0.0);
    const Vec3 point_b = frame * turned(on_b, way.head<2>());
    const Vec3 point_a = turned(on_a, point_b.head<2>());
    const double upper = (point_b - point_a).norm() + at_.slack;
    if (upper >= d_.upper) return;
    d_.upper = upper;
    d_.point_a = point_a;
    d_.point_b = point_b;
  }

  const NearlyOneAxis& at_;
  Arcs& a_;
  Arcs& b_;
  Distance d_;
  long order_ = 0;
  std::priority_queue<Entry, std::vector<Entry>, Later> queue_;
};

std::vector<char> turned_faces(const Surface& surface) {
  std::vector<char> out(static_cast<std::size_t>(surface.faces()), 0);
  for (int i = 0; i < surface.faces(); ++i)
    if (surface.face(i).patch && shape::meridian_of(*surface.face(i).patch))
      out[static_cast<std::size_t>(i)] = 1;
  return out;
}

bool any(const std::vector<char>& flags) {
  return std::find(flags.begin(), flags.end(), 1) != flags.end();
}

}  // namespace

Vec2 NearlyOneAxis::way(const Vec2& p, double phi) const {
  const double w = tilt.y() * std::cos(phi) - tilt.x() * std::sin(phi), z = over * p.y();
  return {p.x() + z * w, z - p.x() * w};
}

Vec2 NearlyOneAxis::point(const Vec2& p, double phi) const {
  const double across = shift.x() * std::cos(phi) + shift.y() * std::sin(phi);
  return way(p, phi) + Vec2(across, rise);
}

double NearlyOneAxis::second_order(double r) const {
  return r > kNearAxis * stray ? stray * stray / r : 3.0 * stray;
}

Coaxial::Coaxial(const Surface& a, const Surface& b, const Frame& b_in_a) : a_(a), b_(b) {
  at_.b_in_a = b_in_a;
  const Vec3 axis = b_in_a.turn.col(2);
  at_.over = axis.z() < 0.0 ? -1.0 : 1.0;
  at_.tilt = at_.over * Vec2(-axis.y(), axis.x());
  at_.shift = b_in_a.shift.head<2>();
  at_.rise = b_in_a.shift.z();
  const double tilt = at_.tilt.norm() + b_in_a.turn_error, shift = at_.shift.norm();
  if (tilt > kMostTilt || shift > kMostTilt * std::min(a.reach(), b.reach())) return;
  at_.stray = shift + (tilt + tilt * tilt) * b.reach();
  at_.slack = b_in_a.error(b.reach()) + tilt * tilt * b.reach() +
              kTestError * (a.reach() + b.reach() + b_in_a.shift.norm());
  turned_a_ = turned_faces(a);
  if (any(turned_a_)) turned_b_ = turned_faces(b);
}

bool Coaxial::applies(double width) const {
  const double size = std::min(a_.reach(), b_.reach());
  return any(turned_b_) && at_.stray * at_.stray <= kNegligible * width * size;
}

bool Coaxial::covers(int face_a, int face_b) const {
  return turned_a_[static_cast<std::size_t>(face_a)] && turned_b_[static_cast<std::size_t>(face_b)];
}

Distance Coaxial::distance(const DistanceGoal& goal) const {
  Arcs arcs_a(a_, turned_a_), arcs_b(b_, turned_b_);
  return SectorSearch(at_, arcs_a, arcs_b).distance(goal);
}

}  // namespace repose::check
