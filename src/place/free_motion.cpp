#include "free_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "repose/base/check.h"

#include "separate.h"
#include "swept_motion.h"

namespace repose::place {
namespace {

/// Rounding of the test itself, over the coordinates' size.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
/// Time is halved rather than cells once it takes this share of what a pair lacks.
constexpr double kTimeShare = 0.5;
/// Or where the pair is apart at the span's middle by this share of what time takes.
constexpr double kMiddleShare = 0.05;
/// Flat pieces thinner than this share of their length lie in one plane.
constexpr double kLevel = 1e-3;
/// Longest pieces against their width, where only one direction counts (a plane) and where not.
constexpr double kPlaneAspect = 4096.0, kPairAspect = 8.0;
/// A way whose proof takes more tests than the first is looked at in these poses, each with the
/// second as its budget.
constexpr long kLookAfter = 10'000, kLookBudget = 5000;
constexpr std::array<double, 4> kLookAt{0.5, 0.25, 0.75, 1.0};
/// Pieces of a curve's way (swept_motion.h) before cells are asked.
constexpr long kSweptBudget = 20'000;
constexpr double kShortestSpan = 1e-9;
/// Pieces whose normals oppose each other at least this much (cosine) may be told apart by a curved
/// sheet, unless a plane lacks more than this many times their bulges.
constexpr double kFacing = -0.3, kWorthSheet = 16.0;

struct Pair {
  int p = -1, q = -1;
};

/// The body as it stands at t.
Journey standing(const Journey& j, double t) {
  const Posed at = j.at(t);
  Journey out = j;
  out.rotation = at.rotation;
  out.center = at.center;
  out.move = out.turn = Vec3::Zero();
  return out;
}

class Prover {
 public:
  Prover(Journey p, Journey q, std::span<const Hint> hints, double least, long budget)
      : p_(std::move(p)),
        q_(std::move(q)),
        hints_(hints),
        least_(least),
        least_length_(std::sqrt(least * p_.surface->bounding_radius())),
        turn_p_(p_.turn.norm()),
        turn_q_(q_.turn.norm()),
        budget_(budget) {}

  PassageReport run() {
    if (p_.surface->faces() < 0) return report_;
    const int root_q = q_.surface->half_space() ? -1 : q_.surface->faces();
    if (!q_.surface->half_space() && root_q < 0) return report_;
    prove(0.0, 1.0, {{p_.surface->faces(), root_q}});
    return report_;
  }

 private:
  struct Bound {
    double lower = 0.0;        // of the gap along the direction, over the whole span
    double time = 0.0;         // what the span took of it
    double middle = 0.0;       // largest gap by any direction tried, at the span's middle
    double middle_time = 0.0;  // what the span took of that one
    Vec3 direction = Vec3::UnitZ();

    void take(const Bound& other) {
      if (other.lower > lower) {
        lower = other.lower;
        time = other.time;
        direction = other.direction;
      }
      if (other.middle > middle) {
        middle = other.middle;
        middle_time = other.middle_time;
      }
    }
  };

  void prove(double t0, double t1, std::vector<Pair> pairs) {
    const double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
    const Posed p = p_.at(middle), q = q_.at(middle);
    std::vector<Pair> later;
    while (!pairs.empty() && report_.passage == Passage::free) {
      const Pair pair = pairs.back();
      pairs.pop_back();
      if (++report_.tests > budget_) {
        give_up(Passage::out_of_budget, pair, middle);
        return;
      }
      if (report_.tests > kLookAfter && !looked_ && blocked_in_a_pose()) return;
      const Bound bound = pair.q < 0 ? against_plane(p, q, pair, half, middle)
                                     : against_cell(p, q, pair, half, middle);
      if (bound.lower > 0.0) continue;
      halve(p, q, pair, bound, half, middle, pairs, later);
    }
    if (later.empty() || report_.passage != Passage::free) return;
    prove(t0, middle, later);
    if (report_.passage == Passage::free) prove(middle, t1, std::move(later));
  }

  /// A pose on the way that overlaps is found at once, while the proof of all of it would halve
  /// time and pieces in vain.
  bool blocked_in_a_pose() {
    looked_ = true;
    if (p_.move.isZero() && p_.turn.isZero() && q_.move.isZero() && q_.turn.isZero()) return false;
    for (const double t : kLookAt) {
      PassageReport there =
          Prover(standing(p_, t), standing(q_, t), hints_, least_, kLookBudget).run();
      there.tests += report_.tests;
      there.time = t;
      report_.tests = there.tests;
      if (there.passage != Passage::blocked) continue;
      report_ = there;
      return true;
    }
    return false;
  }

  void halve(const Posed& p, const Posed& q, const Pair& pair, const Bound& bound, double half,
             double middle, std::vector<Pair>& pairs, std::vector<Pair>& later) {
    const Vec3 np = p.rotation.transpose() * bound.direction;
    const Vec3 nq = q.rotation.transpose() * bound.direction;
    const Cell& cp = p_.surface->cell(pair.p);
    const bool can_p = p_.surface->can_split(pair.p);
    const bool can_q = pair.q >= 0 && q_.surface->can_split(pair.q);
    double thick = can_p ? reach_along(cp, -np) : 0.0, length = can_p ? cp.radius : 0.0;
    bool split_q = false;
    if (can_q) {
      const Cell& cq = q_.surface->cell(pair.q);
      thick += reach_along(cq, nq);
      length += cq.radius;
      // the larger is halved (Snyder 1995, 3.2)
      split_q = cq.radius > cp.radius || !can_p;
    }
    // beside a ball or a triangle, which are exact, it is a piece's length that counts: a flat one
    // has no thickness and may still be apart to the side; so may two in one plane
    const bool exact = !can_p || (pair.q >= 0 && !can_q);
    const bool level = thick < kLevel * length && flat(p_, pair.p) && flat(q_, pair.q);
    const double space = exact || level ? length : thick;
    const bool split_p = !split_q && can_p;
    if (half > kShortestSpan && (bound.middle > kMiddleShare * bound.middle_time ||
                                 bound.time > kTimeShare * space || (!split_p && !split_q))) {
      later.push_back(pair);
      return;
    }
    const bool small = (exact || thick < least_) && (!(exact || level) || length < least_length_);
    if ((!split_p && !split_q) || small) {
      give_up(Passage::blocked, pair, middle);
      return;
    }
    if (split_p) {
      const int first = p_.surface->split(pair.p, np, pair.q < 0 ? kPlaneAspect : kPairAspect);
      pairs.push_back({first + 1, pair.q});
      pairs.push_back({first, pair.q});
    } else {
      const int first = q_.surface->split(pair.q, nq, kPairAspect);
      pairs.push_back({pair.p, first + 1});
      pairs.push_back({pair.p, first});
    }
  }

  static bool flat(const Journey& j, int cell) {
    if (cell < 0) return false;
    const int feature = j.surface->cell(cell).feature;
    return feature >= 0 && j.surface->feature(feature).planar;
  }

  Bound against_plane(const Posed& p, const Posed& q, const Pair& pair, double half, double) const {
    const Cell& c = p_.surface->cell(pair.p);
    const Vec3 n = q.rotation.col(2);
    const Vec3 at = p.rotation * c.center + p.position;
    const Vec3 np = p.rotation.transpose() * n;
    const Curving* second = p_.surface->curving(c);
    const double low =
        second != nullptr ? least_along(c, *second, np) : np.dot(c.center) - reach_along(c, -np);
    Bound best = bound_of(n, low + n.dot(p.position - q.position),
                          approach_of(at, c.radius, at, 0.0, p, q, half));
    if (second != nullptr && !(best.lower > 0.0)) attempt_turned(c, *second, p, q, half, best);
    return best;
  }

  /// To first order of time n.x is that of a turned and shifted n, and least at one of the span's
  /// ends. A piece that is straight one way is asked along its borders.
  void attempt_turned(const Cell& c, const Curving& second, const Posed& p, const Posed& q,
                      double half, Bound& best) const {
    const Vec3 n = q.rotation.col(2), np = p.rotation.transpose() * n;
    const Vec3 at = p.rotation * c.center + p.position;
    const Approach approach = approach_of(at, c.radius, at, 0.0, p, q, half);
    const Vec3 turned = half * (p.rotation.transpose() * n.cross(p_.turn));
    const double height = n.dot(p.position - q.position);
    const double shift = half * n.dot(p_.move) - turned.dot(p_.center_body);
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

  Bound against_cell(const Posed& p, const Posed& q, const Pair& pair, double half,
                     double time) const {
    const Cell &cp = p_.surface->cell(pair.p), &cq = q_.surface->cell(pair.q);
    const Vec3 a = p.rotation * cp.center + p.position, b = q.rotation * cq.center + q.position;
    const Vec3 apart = a - b;
    const Approach approach = approach_of(a, cp.radius, b, cq.radius, p, q, half);
    Bound best;
    best.lower = best.middle = -std::numeric_limits<double>::infinity();
    const auto attempt = [&](const Vec3& n) {
      const double gap = n.dot(apart) - reach_along(cp, p.rotation.transpose() * -n) -
                         reach_along(cq, q.rotation.transpose() * n);
      const Bound bound = bound_of(n, gap, approach);
      best.take(bound);
      return bound.lower > 0.0;
    };
    if ((cp.ball > 0.0 || cq.triangle) && attempt_nearest(cq, q, apart, 1.0, attempt)) return best;
    if ((cq.ball > 0.0 || cp.triangle) && attempt_nearest(cp, p, -apart, -1.0, attempt))
      return best;
    const double length = apart.norm();
    if (attempt(length > 0.0 ? Vec3(apart / length) : Vec3(Vec3::UnitZ()))) return best;
    // boxes and pieces that hold each other's middle have nothing to gain from other directions
    if (cp.feature >= 0 && cp.normal != Vec3::Zero() && attempt(p.rotation * -cp.normal))
      return best;
    if (cq.feature >= 0 && cq.normal != Vec3::Zero() && attempt(q.rotation * cq.normal))
      return best;
    if (cp.feature >= 0 && cq.feature >= 0) {
      if (const Hint* hint = nearest_hint(a)) {
        const Vec3 n = (1.0 - time) * hint->start + time * hint->end;
        if (n.squaredNorm() > 0.0 && attempt(n.normalized())) return best;
      }
      if (attempt_across(cp, p, apart, attempt) || attempt_across(cq, q, apart, attempt))
        return best;
      if (cp.triangle && cq.triangle) separate_triangles(cp, cq, p, q, attempt);
      attempt_sheets(cp, cq, p, q, half, best);
    }
    return best;
  }

  /// Pieces that face each other and bend too much for a plane between them: a curved sheet.
  void attempt_sheets(const Cell& cp, const Cell& cq, const Posed& p, const Posed& q, double half,
                      Bound& best) const {
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
      const Bound bound = sheet_bound(sheet, gap, {a, cp.radius}, {b, cq.radius}, p, q, half);
      best.take(bound);
      if (best.lower > 0.0) return;
    }
  }

  struct Around {
    Vec3 at;
    double radius;
  };

  /// What the rows of a sheet's function can lose within `half` of the span: its gradient at the
  /// piece's middle goes with the relative motion, what differs from it over the piece is added.
  Bound sheet_bound(const Sheet& sheet, double gap, const Around& a, const Around& b,
                    const Posed& p, const Posed& q, double half) const {
    const double bend = sheet.bending.norm();
    const auto spread = [&](const Journey& j, const Vec3& m, const Vec3& v, double arm, double r) {
      const double w = j.turn.norm(), speed = v.norm() + w * r;
      const double second = 0.5 * half * half * w * w * (arm + r);
      const double path = half * speed + second;
      return half * (j.turn.cross(m).norm() * r + bend * r * speed) +
             second * (m.norm() + bend * r) + 0.5 * bend * path * path;
    };
    const Vec3 arm_p = a.at - p.center, arm_q = b.at - q.center;
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

  /// A ball or a triangle and a piece: along the way between the one's middle and the other's
  /// nearest point. `apart`: to that middle from c's, `sign` turns it from q to p.
  template <class Attempt>
  static bool attempt_nearest(const Cell& c, const Posed& posed, const Vec3& apart, double sign,
                              Attempt attempt) {
    const Vec3 way = posed.rotation * way_from(c, posed.rotation.transpose() * apart);
    const double length = way.norm();
    return length > 0.0 && attempt(sign / length * way);
  }

  /// A long piece and one beside it are told apart square to its length, in its own plane.
  template <class Attempt>
  static bool attempt_across(const Cell& c, const Posed& posed, const Vec3& apart,
                             Attempt attempt) {
    const Vec3& along = c.g0.squaredNorm() > c.g1.squaredNorm() ? c.g0 : c.g1;
    const Vec3 across = posed.rotation * c.normal.cross(along);
    const double length = across.norm();
    if (!(length > 0.0)) return false;
    return attempt(across.dot(apart) > 0.0 ? Vec3(across / length) : Vec3(-across / length));
  }

  /// Two triangles that are apart are so along a cross product of edges, if along no normal.
  template <class Attempt>
  static void separate_triangles(const Cell& cp, const Cell& cq, const Posed& p, const Posed& q,
                                 Attempt attempt) {
    const std::array<Vec3, 3> ep{p.rotation * cp.g0, p.rotation * cp.g1,
                                 p.rotation * (cp.g1 - cp.g0)};
    const std::array<Vec3, 3> eq{q.rotation * cq.g0, q.rotation * cq.g1,
                                 q.rotation * (cq.g1 - cq.g0)};
    for (const Vec3& l : ep)
      for (const Vec3& r : eq) {
        const Vec3 n = l.cross(r);
        const double length = n.norm();
        if (length == 0.0) continue;
        if (attempt(n / length) || attempt(-n / length)) return;
      }
  }

  const Hint* nearest_hint(const Vec3& at) const {
    const Hint* best = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Hint& hint : hints_) {
      const double d = (hint.point - at).squaredNorm();
      if (d < least) {
        least = d;
        best = &hint;
      }
    }
    return best;
  }

  /// How two cells go towards each other within `half` of the span, in any direction.
  struct Approach {
    Vec3 v = Vec3::Zero();  // m, of p's middle against q's
    double radius_p = 0.0, radius_q = 0.0;
    double second = 0.0;    // m, second order of the turns
    double rounding = 0.0;  // m
  };
  Approach approach_of(const Vec3& a, double radius_p, const Vec3& b, double radius_q,
                       const Posed& p, const Posed& q, double half) const {
    const Vec3 arm_p = a - p.center, arm_q = b - q.center;
    const double long_p = arm_p.norm(), long_q = arm_q.norm();
    Approach out;
    out.v = half * (p_.move + p_.turn.cross(arm_p) - q_.move - q_.turn.cross(arm_q));
    out.radius_p = half * radius_p;
    out.radius_q = half * radius_q;
    out.second =
        0.5 * half * half *
        (turn_p_ * turn_p_ * (long_p + radius_p) + turn_q_ * turn_q_ * (long_q + radius_q));
    out.rounding = kRounding * (a.norm() + long_p + long_q);
    return out;
  }

  Bound bound_of(const Vec3& n, double gap, const Approach& approach) const {
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

  void give_up(Passage passage, const Pair& pair, double time) {
    report_.passage = passage;
    report_.cell_p = pair.p;
    report_.cell_q = pair.q;
    report_.time = time;
  }

  Journey p_, q_;
  std::span<const Hint> hints_;
  double least_;            // m, thickness of pieces below which they block
  double least_length_;     // m, length of a piece beside a ball below which it does
  double turn_p_, turn_q_;  // rad, over the whole way
  long budget_;
  bool looked_ = false;
  PassageReport report_;
};

}  // namespace

Posed Journey::at(double t) const {
  Posed out;
  out.surface = surface;
  out.rotation = rotation_from_vector(t * turn).toRotationMatrix() * rotation;
  out.center = center + t * move;
  out.position = out.center - out.rotation * center_body;
  return out;
}

PassageReport prove_free(const Journey& p, const Journey& q, std::span<const Hint> hints,
                         double least, long budget) {
  REPOSE_CHECK(!p.surface->half_space());
  long tests = 0;
  if (one_formula(p, q)) {
    const PassageReport report = prove_swept_free(p, q, kSweptBudget);
    if (report.passage == Passage::free) return report;
    tests += report.tests;
  }
  PassageReport report = Prover(p, q, hints, least, budget).run();
  report.tests += tests;
  return report;
}

}  // namespace repose::place
