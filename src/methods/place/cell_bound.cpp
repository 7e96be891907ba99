#include "cell_bound.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "repose/math/lanes.h"

namespace repose::place {
namespace {

/// Rounding of the test itself, over the coordinates' size.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
constexpr std::size_t kLanes = 4;  // of Lanes
/// Remainders below this share of a piece's radius: its parallelogram speaks for it.
constexpr double kNearlyFlat = 0.05;
/// Pieces whose normals oppose each other at least this much (cosine) may be told apart by a curved
/// sheet, unless a plane lacks more than this many times their bulges.
constexpr double kFacing = -0.3, kWorthSheet = 16.0;

/// A ball or a triangle and a piece: along the way between the one's middle and the other's
/// nearest point. `apart`: to that middle from c's, `sign` turns it from q to p.
template <class Attempt>
bool attempt_nearest(const Cell& c, const Posed& posed, const Vec3& apart, double sign,
                     Attempt attempt) {
  const Vec3 way = posed.rotation * way_from(c, posed.rotation.transpose() * apart);
  const double length = way.norm();
  return length > 0.0 && attempt(sign / length * way);
}

/// A long piece and one beside it are told apart square to its length, in its own plane.
template <class Attempt>
bool attempt_across(const Cell& c, const Posed& posed, const Vec3& apart, Attempt attempt) {
  const Vec3& along = c.g0.squaredNorm() > c.g1.squaredNorm() ? c.g0 : c.g1;
  const Vec3 across = posed.rotation * c.normal.cross(along);
  const double length = across.norm();
  if (!(length > 0.0)) return false;
  return attempt(across.dot(apart) > 0.0 ? Vec3(across / length) : Vec3(-across / length));
}

/// A triangle, or a piece that is nearly the parallelogram which holds it.
bool nearly_flat(const Cell& c) {
  return c.triangle || (c.normal != Vec3::Zero() && !c.boxed && c.ball == 0.0 &&
                        c.rad.maxCoeff() <= kNearlyFlat * c.radius);
}

}  // namespace

CellBounds::CellBounds(const Journey& p, const Journey& q, std::span<const Hint> hints)
    : p_(p), q_(q), hints_(hints), turn_p_(p.turn.norm()), turn_q_(q.turn.norm()) {
  const std::size_t whole = (hints.size() + kLanes - 1) / kLanes * kLanes;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto& points = hint_points_[axis];
    points.assign(whole, std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < hints.size(); ++k)
      points[k] = hints[k].point[static_cast<Eigen::Index>(axis)];
  }
}

CellBounds::Approach CellBounds::approach_of(const Around& a, const Around& b,
                                             const Span& span) const {
  const Vec3 arm_p = a.at - span.p.center, arm_q = b.at - span.q.center;
  const double half = span.half;
  const double long_p = arm_p.norm(), long_q = arm_q.norm();
  Approach out;
  out.v = half * (p_.move + p_.turn.cross(arm_p) - q_.move - q_.turn.cross(arm_q));
  out.radius_p = half * a.radius;
  out.radius_q = half * b.radius;
  out.second = 0.5 * half * half *
               (turn_p_ * turn_p_ * (long_p + a.radius) + turn_q_ * turn_q_ * (long_q + b.radius));
  out.rounding = kRounding * (a.at.norm() + long_p + long_q);
  return out;
}

Bound CellBounds::bound_of(const Vec3& n, double gap, const Approach& approach) const {
  Bound out;
  out.direction = n;
  out.middle = gap;
  out.time = std::fabs(n.dot(approach.v)) + approach.second;
  if (turn_p_ > 0.0) out.time += p_.turn.cross(n).norm() * approach.radius_p;
  if (turn_q_ > 0.0) out.time += q_.turn.cross(n).norm() * approach.radius_q;
  out.middle_time = out.time;
  out.lower = gap - out.time - approach.rounding;
  return out;
}

Bound CellBounds::corner_bound(const Vec3& n, const Corners& p, const Vec3& loose_p,
                               const Corners& q, const Vec3& loose_q, const Span& span,
                               const Approach& approach) const {
  const double half = span.half;
  // n.(a + t w x (a - c) + t v) over the corners at a time t from the span's middle
  const auto least = [&](const Corners& c, const Journey& j, const Posed& at, const Vec3& m,
                         double t) {
    const Vec3 turned = m + t * m.cross(j.turn);
    double out = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < c.count; ++k) out = std::min(out, turned.dot(c.at[k] - at.center));
    return out + m.dot(at.center) + t * m.dot(j.move);
  };
  const auto loose = [&](const Vec3& rad, const Journey& j, const Posed& at) {
    return (at.rotation.transpose() * n).cwiseAbs().dot(rad) +
           half * j.turn.cross(n).norm() * rad.norm();
  };
  const auto gap_at = [&](double t) {
    return least(p, p_, span.p, n, t) + least(q, q_, span.q, -n, t);
  };
  const double beside = loose(loose_p, p_, span.p) + loose(loose_q, q_, span.q);
  Bound out;
  out.direction = n;
  out.middle = gap_at(0.0) - beside;
  // the least of linear functions is least at one of the span's ends
  const double ends = std::min(gap_at(-half), gap_at(half)) - beside - approach.second;
  out.time = out.middle_time = std::max(0.0, out.middle - ends);
  out.lower = ends - approach.rounding;
  return out;
}

const Hint* CellBounds::nearest_hint(const Vec3& at) const {
  const auto four_of = [this](std::size_t axis, std::size_t first) {
    Lanes out;
    std::memcpy(&out, hint_points_[axis].data() + first, sizeof(out));
    return out;
  };
  Lanes least = lanes(std::numeric_limits<double>::infinity()), block = lanes(0.0);
  for (std::size_t first = 0; first < hint_points_[0].size(); first += kLanes) {
    const Lanes x = four_of(0, first) - at.x(), y = four_of(1, first) - at.y(),
                z = four_of(2, first) - at.z();
    const Lanes d = x * x + y * y + z * z;
    const auto nearer = d < least;
    least = nearer ? d : least;
    block = nearer ? lanes(static_cast<double>(first)) : block;
  }
  int best = 0;
  for (int k = 1; k < static_cast<int>(kLanes); ++k)
    if (least[k] < least[best]) best = k;
  if (!std::isfinite(least[best])) return nullptr;
  return &hints_[static_cast<std::size_t>(block[best]) + static_cast<std::size_t>(best)];
}

Bound CellBounds::against_plane(const Span& span, int cell_p) const {
  const Cell& c = p_.surface->cell(cell_p);
  const Posed &p = span.p, &q = span.q;
  const Vec3 n = q.rotation.col(2);
  const Vec3 at = p.rotation * c.center + p.position;
  const Vec3 np = p.rotation.transpose() * n;
  const Curving* second = p_.surface->curving(c);
  const double low =
      second != nullptr ? least_along(c, *second, np) : np.dot(c.center) - reach_along(c, -np);
  const Approach approach = approach_of({at, c.radius}, {at, 0.0}, span);
  Bound best = bound_of(n, low + n.dot(p.position - q.position), approach);
  if (c.triangle && !(best.lower > 0.0) && turn_q_ == 0.0)
    best.take(corner_bound(n, corners_of(c, p.rotation, p.position), c.rad,
                           {{q.position, q.position, q.position, q.position}, 1}, Vec3::Zero(),
                           span, approach));
  if (second != nullptr && !(best.lower > 0.0)) attempt_turned(c, *second, span, best);
  return best;
}

/// To first order of time n.x is that of a turned and shifted n, and least at one of the span's
/// ends. A piece that is straight one way is asked along its borders.
void CellBounds::attempt_turned(const Cell& c, const Curving& second, const Span& span,
                                Bound& best) const {
  const Posed &p = span.p, &q = span.q;
  const Vec3 n = q.rotation.col(2), np = p.rotation.transpose() * n;
  const Vec3 at = p.rotation * c.center + p.position;
  const Approach approach = approach_of({at, c.radius}, {at, 0.0}, span);
  const Vec3 turned = span.half * (p.rotation.transpose() * n.cross(p_.turn));
  const double height = n.dot(p.position - q.position);
  const double shift = span.half * n.dot(p_.move) - turned.dot(p_.center_body);
  const auto attempt = [&](auto least) {
    Bound out;
    out.direction = n;
    out.middle = height + least(np);
    if (!(out.middle > 0.0)) return;
    out.lower = height + std::min(least(np + turned) + shift, least(np - turned) - shift) -
                approach.second - approach.rounding;
    out.time = out.middle_time = out.middle - out.lower;
    best.take(out);
  };
  attempt([&](const Vec3& m) { return least_along(c, second, m); });
  if (best.lower > 0.0) return;
  const Feature& f = p_.surface->feature(c.feature);
  attempt([&](const Vec3& m) { return least_on_borders(f, c, second, m); });
}

Bound CellBounds::against_cell(const Span& span, int cell_p, int cell_q) const {
  p_.surface->tighten(cell_p);
  q_.surface->tighten(cell_q);
  const Cell &cp = p_.surface->tight(cell_p), &cq = q_.surface->tight(cell_q);
  const Posed &p = span.p, &q = span.q;
  const Vec3 a = p.rotation * cp.center + p.position, b = q.rotation * cq.center + q.position;
  const Vec3 apart = a - b;
  const Approach approach = approach_of({a, cp.radius}, {b, cq.radius}, span);
  Bound best;
  best.lower = best.middle = -std::numeric_limits<double>::infinity();
  // between two curved pieces sheets do better
  const auto planar = [](const Surface& surface, const Cell& c) {
    return c.feature >= 0 && surface.feature(c.feature).planar;
  };
  const bool flat =
      (planar(*p_.surface, cp) || planar(*q_.surface, cq)) && nearly_flat(cp) && nearly_flat(cq);
  const Corners corners_p = flat ? corners_of(cp, p.rotation, p.position) : Corners{};
  const Corners corners_q = flat ? corners_of(cq, q.rotation, q.position) : Corners{};
  const auto attempt = [&](const Vec3& n) {
    Bound bound;
    if (flat) {
      bound = corner_bound(n, corners_p, cp.rad, corners_q, cq.rad, span, approach);
    } else {
      const double gap = n.dot(apart) - reach_along(cp, p.rotation.transpose() * -n) -
                         reach_along(cq, q.rotation.transpose() * n);
      bound = bound_of(n, gap, approach);
    }
    best.take(bound);
    return bound.lower > 0.0;
  };
  if ((cp.ball > 0.0 || cq.triangle) && attempt_nearest(cq, q, apart, 1.0, attempt)) return best;
  if ((cq.ball > 0.0 || cp.triangle) && attempt_nearest(cp, p, -apart, -1.0, attempt)) return best;
  const double length = apart.norm();
  if (attempt(length > 0.0 ? Vec3(apart / length) : Vec3(Vec3::UnitZ()))) return best;
  // boxes and pieces that hold each other's middle have nothing to gain from other directions
  if (cp.feature >= 0 && cp.normal != Vec3::Zero() && attempt(p.rotation * -cp.normal)) return best;
  if (cq.feature >= 0 && cq.normal != Vec3::Zero() && attempt(q.rotation * cq.normal)) return best;
  if (cp.feature >= 0 && cq.feature >= 0) {
    if (const Hint* hint = nearest_hint(a)) {
      const Vec3 n = (1.0 - span.middle) * hint->start + span.middle * hint->end;
      if (n.squaredNorm() > 0.0 && attempt(n.normalized())) return best;
    }
    if (attempt_across(cp, p, apart, attempt) || attempt_across(cq, q, apart, attempt)) return best;
    // small pieces are told apart along the way between their nearest points, or not at all
    if (flat) {
      const Vec3 way = way_between(corners_q, corners_p);
      const double far = way.norm();
      if (far > 0.0 && attempt(way / far)) return best;
    }
    attempt_sheets(cp, cq, span, best);
  }
  return best;
}

/// Pieces that face each other and bend too much for a plane between them: a curved sheet.
void CellBounds::attempt_sheets(const Cell& cp, const Cell& cq, const Span& span,
                                Bound& best) const {
  const Posed &p = span.p, &q = span.q;
  const Curving *sp = p_.surface->curving(cp), *sq = q_.surface->curving(cq);
  if (best.lower > 0.0 || sp == nullptr || sq == nullptr) return;
  const Vec3 np = p.rotation * cp.normal, nq = q.rotation * cq.normal;
  if (np.dot(nq) > kFacing || best.middle < -kWorthSheet * (cp.bulge + cq.bulge)) return;
  const Vec3 a = p.to_world(sp->middle), b = q.to_world(sq->middle);
  const Mat3 turn = q.rotation.transpose() * p.rotation;  // q's frame from p's
  // the same sheet in the frames of p, of q (the other way up) and of the world
  Sheet of_p, of_q, sheet;
  of_p.bending = 0.5 * (turn.transpose() * sq->bending * turn - sp->bending);
  of_q.bending = 0.5 * (turn * sp->bending * turn.transpose() - sq->bending);
  sheet.bending = p.rotation * of_p.bending * p.rotation.transpose();
  for (const bool by_q : {true, false}) {
    sheet.n = by_q ? nq : Vec3(-np);
    sheet.origin = by_q ? b : a;
    of_p.n = by_q ? Vec3(turn.transpose() * cq.normal) : Vec3(-cp.normal);
    of_p.origin = by_q ? p.to_body(b) : sp->middle;
    of_q.n = by_q ? Vec3(-cq.normal) : Vec3(turn * cp.normal);
    of_q.origin = by_q ? sq->middle : q.to_body(a);
    const double gap = least_over(cp, *sp, of_p) + least_over(cq, *sq, of_q);
    const Bound bound = sheet_bound(sheet, gap, {a, cp.radius}, {b, cq.radius}, span);
    best.take(bound);
    if (best.lower > 0.0) return;
  }
}

/// What the rows of a sheet's function can lose within `half` of the span: its gradient at the
/// piece's middle goes with the relative motion, what differs from it over the piece is added.
Bound CellBounds::sheet_bound(const Sheet& sheet, double gap, const Around& a, const Around& b,
                              const Span& span) const {
  const double half = span.half;
  const double bend = sheet.bending.norm();
  const auto spread = [&](const Journey& j, const Vec3& m, const Vec3& v, double arm, double r) {
    const double w = j.turn.norm(), speed = v.norm() + w * r;
    const double second = 0.5 * half * half * w * w * (arm + r);
    const double path = half * speed + second;
    return half * (j.turn.cross(m).norm() * r + bend * r * speed) + second * (m.norm() + bend * r) +
           0.5 * bend * path * path;
  };
  const Vec3 arm_p = a.at - span.p.center, arm_q = b.at - span.q.center;
  const Vec3 vp = p_.move + p_.turn.cross(arm_p), vq = q_.move + q_.turn.cross(arm_q);
  const Vec3 mp = sheet.n + sheet.bending * (a.at - sheet.origin);
  const Vec3 mq = sheet.n + sheet.bending * (b.at - sheet.origin);
  Bound out;
  out.direction = sheet.n;
  out.middle = gap;
  out.time = half * std::fabs(mp.dot(vp) - mq.dot(vq)) +
             spread(p_, mp, vp, arm_p.norm(), a.radius) +
             spread(q_, mq, vq, arm_q.norm(), b.radius);
  out.middle_time = out.time;
  out.lower = gap - out.time - kRounding * (a.at.norm() + arm_p.norm() + arm_q.norm());
  return out;
}

}  // namespace repose::place
