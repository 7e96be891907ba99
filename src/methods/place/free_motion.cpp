#include "free_motion.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "repose/base/check.h"

#include "cell_bound.h"
#include "swept_motion.h"

namespace repose::place {
namespace {

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

double smaller_radius(const Journey& p, const Journey& q) {
  return q.surface->half_space()
             ? p.surface->bounding_radius()
             : std::min(p.surface->bounding_radius(), q.surface->bounding_radius());
}

class Prover {
 public:
  Prover(Journey p, Journey q, std::span<const Hint> hints, double least, long budget)
      : p_(std::move(p)),
        q_(std::move(q)),
        hints_(hints),
        bounds_(p_, q_, hints),
        least_(least),
        least_length_(std::sqrt(least * smaller_radius(p_, q_))),
        budget_(budget) {}

  PassageReport run() {
    if (p_.surface->faces() < 0) return report_;
    const int root_q = q_.surface->half_space() ? -1 : q_.surface->faces();
    if (!q_.surface->half_space() && root_q < 0) return report_;
    auto each = [this](const Span& span, const Pair& pair, auto& pairs, auto& later) {
      visit(span, pair, pairs, later);
    };
    prove_over<Pair>(0.0, 1.0, p_, q_, {{p_.surface->faces(), root_q}}, report_, each);
    return report_;
  }

 private:
  void visit(const Span& span, const Pair& pair, std::vector<Pair>& pairs,
             std::vector<Pair>& later) {
    if (++report_.tests > budget_) return give_up(Passage::out_of_budget, pair, span.middle);
    if (report_.tests > kLookAfter && !looked_ && blocked_in_a_pose()) return;
    const Bound bound = pair.q < 0 ? bounds_.against_plane(span, pair.p)
                                   : bounds_.against_cell(span, pair.p, pair.q);
    if (!(bound.lower > 0.0)) halve(span, pair, bound, pairs, later);
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

  void halve(const Span& span, const Pair& pair, const Bound& bound, std::vector<Pair>& pairs,
             std::vector<Pair>& later) {
    const Vec3 np = span.p.rotation.transpose() * bound.direction;
    const Vec3 nq = span.q.rotation.transpose() * bound.direction;
    const Cell& cp = p_.surface->tight(pair.p);
    const bool can_p = p_.surface->can_split(pair.p);
    const bool can_q = pair.q >= 0 && q_.surface->can_split(pair.q);
    double thick = can_p ? reach_along(cp, -np) : 0.0, length = can_p ? cp.radius : 0.0;
    bool split_q = false;
    if (can_q) {
      const Cell& cq = q_.surface->tight(pair.q);
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
    if (span.half > kShortestSpan && (bound.middle > kMiddleShare * bound.middle_time ||
                                      bound.time > kTimeShare * space || (!split_p && !split_q))) {
      later.push_back(pair);
      return;
    }
    const bool small = thick < least_ && (!(exact || level) || length < least_length_);
    if ((!split_p && !split_q) || small) {
      give_up(Passage::blocked, pair, span.middle);
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

  void give_up(Passage passage, const Pair& pair, double time) {
    report_.passage = passage;
    report_.cell_p = pair.p;
    report_.cell_q = pair.q;
    report_.time = time;
  }

  Journey p_, q_;
  std::span<const Hint> hints_;
  CellBounds bounds_;
  double least_;         // m, thickness of pieces below which they block
  double least_length_;  // m, length of a piece beside a ball below which it does
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
