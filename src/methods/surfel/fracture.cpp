#include "fracture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/disjoint_sets.h"
#include "repose/base/stage_clock.h"
#include "repose/shape/sample.h"

#include "fit.h"
#include "motion.h"

namespace repose::surfel {

namespace {

/// A ball smaller than this share of what it was is left out.
constexpr double kLeastShare = 0.35;
/// A phyxel nearer to the centre of a ball than this share of its radius is held by it.
constexpr double kHeld = 0.8;
/// Of the way to the nearest phyxel of another part: what a ball beside the tear takes at most.
constexpr double kOwnHalf = 0.48;
/// A torn phyxel has a ball of its own, however small, above this share.
constexpr double kLeastTornShare = 0.05;

bool breaks(const SoftBody& soft) {
  return std::any_of(soft.materials.begin(), soft.materials.end(),
                     [](const Material& m) { return m.break_strain > 0.0; });
}

/// The group of every phyxel of a body, numbered from 0: first those that are held, of these and of
/// the others the largest.
class Groups {
 public:
  Groups(const Arena& arena, const Problem& problem, const Motion& motion, std::size_t body)
      : first_(arena.first_phyxel[body]), count_(arena.first_phyxel[body + 1] - first_) {
    const SoftBody& soft = *problem.bodies[body].soft;
    DisjointSets sets(count_);
    for (int i = 0; i < count_; ++i)
      for (const Neighbour& n : arena.near(first_ + i)) {
        const double strain = soft.material(at(i)).break_strain;
        const double far = (1.0 + strain) * n.way.norm();
        const double apart = (motion.x[at(n.j)] - motion.x[at(first_ + i)]).norm();
        if (!(strain > 0.0) || apart <= far) sets.join(i, n.j - first_);
      }
    std::vector<std::vector<int>> members(at(count_));
    for (int i = 0; i < count_; ++i) members[at(sets.name_of(i))].push_back(i);
    std::erase_if(members, [](const auto& m) { return m.empty(); });
    const auto held = [&](const std::vector<int>& m) {
      return std::any_of(m.begin(), m.end(),
                         [&](int i) { return arena.inverse_mass[at(first_ + i)] == 0.0; });
    };
    std::stable_sort(members.begin(), members.end(), [&](const auto& p, const auto& q) {
      return std::pair(held(p), p.size()) > std::pair(held(q), q.size());
    });
    members_ = std::move(members);
  }

  /// Groups too small or too flat for a body of their own stay with the first.
  void merge_crumbs(const std::vector<Vec3>& rest, int neighbours) {
    std::vector<std::vector<int>> kept{members_[0]};
    for (std::size_t g = 1; g < members_.size(); ++g) {
      std::vector<Vec3> own;
      for (const int i : members_[g]) own.push_back(rest[at(i)]);
      int flat = -1;
      const bool fits = own.size() >= at(shape::kFewestPhyxels) &&
                        fit_neighbours(own, neighbours, flat).has_value();
      if (fits)
        kept.push_back(members_[g]);
      else
        kept[0].insert(kept[0].end(), members_[g].begin(), members_[g].end());
    }
    std::sort(kept[0].begin(), kept[0].end());
    members_ = std::move(kept);
    of_.assign(at(count_), 0);
    for (std::size_t g = 0; g < members_.size(); ++g)
      for (const int i : members_[g]) of_[at(i)] = static_cast<int>(g);
  }

  std::size_t size() const { return members_.size(); }
  const std::vector<int>& members(std::size_t group) const { return members_[group]; }
  /// Of a phyxel counted within the body.
  int of(int phyxel) const { return of_[at(phyxel)]; }

 private:
  int first_, count_;
  std::vector<std::vector<int>> members_;
  std::vector<int> of_;
};

/// Parts one body.
class Tear {
 public:
  Tear(const Arena& arena, const Problem& problem, const SurfelSettings& settings,
       const Motion& motion, const Groups& groups, std::size_t body)
      : arena_(arena),
        motion_(motion),
        groups_(groups),
        body_(body),
        points_(std::get<shape::PointSet>(problem.bodies[body].shape->geometry)),
        room_(arena, motion, at_balls(arena, motion.x), static_cast<int>(body),
              settings.contact_gap * arena.least_radius) {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::vector<Vec3> rest;
      for (const int i : groups.members(g)) rest.push_back(points_.phyxels[at(i)]);
      grids_.emplace_back(rest);
      rests_.push_back(std::move(rest));
      plans_.push_back({groups.members(g), {}});
      centers_.emplace_back();
      std::vector<Vec3> others;
      for (int i = 0; i < arena.first_phyxel[body + 1] - first(); ++i)
        if (groups.of(i) != static_cast<int>(g)) others.push_back(motion.x[at(first() + i)]);
      other_grids_.emplace_back(others);
      others_.push_back(std::move(others));
    }
  }

  std::vector<PartPlan> run() {
    // balls that stay as they are come first, then those that lost some of what carried them
    std::vector<std::pair<BallPlan, int>> late;
    for (const BallPlan& ball : ball_plans(points_)) {
      const auto [group, whole] = group_of(ball.before);
      if (whole)
        place(ball, group, kLeastShare, false);
      else
        late.emplace_back(ball, group);
    }
    cover_torn_faces();
    for (const auto& [ball, group] : late) place(ball, group, kLeastShare, true);
    return std::move(plans_);
  }

  /// One for each phyxel of a group: it had neighbours in another.
  std::vector<bool> torn(std::size_t group) const {
    std::vector<bool> out;
    for (const int i : groups_.members(group)) out.push_back(!lost_way(i).isZero(0.0));
    return out;
  }

 private:
  int first() const { return arena_.first_phyxel[body_]; }

  /// The group that carries most of a ball, and whether it carries it alone.
  std::pair<int, bool> group_of(int ball) const {
    std::vector<double> weights(groups_.size(), 0.0);
    const Carriers carriers = arena_.carrying(arena_.first_ball[body_] + ball);
    for (std::size_t k = 0; k < carriers.size(); ++k)
      weights[at(groups_.of(carriers.phyxels[k] - first()))] += std::fabs(carriers.weights[k]);
    const auto most = std::max_element(weights.begin(), weights.end());
    const auto there =
        std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0.0; });
    return {static_cast<int>(most - weights.begin()), there == 1};
  }

  /// Sum of the ways to lost neighbours, at rest.
  Vec3 lost_way(int phyxel) const {
    Vec3 out = Vec3::Zero();
    for (const Neighbour& n : arena_.near(first() + phyxel))
      if (groups_.of(n.j - first()) != groups_.of(phyxel)) out += n.way;
    return out;
  }

  /// Where a point of a part at rest is now.
  std::optional<Vec3> now(const Vec3& rest, std::size_t group) const {
    const auto carriers = fit_carriers(rests_[group], grids_[group], rest);
    if (carriers.empty() || !carries_well(carriers)) return std::nullopt;
    Vec3 out = Vec3::Zero();
    for (const Carrier& carrier : carriers)
      out += carrier.weight * motion_.x[at(first() + groups_.members(group)[at(carrier.phyxel)])];
    return out;
  }

  /// Beside the tear each part leaves room for the other.
  double half_way(const Vec3& center, std::size_t group) const {
    const std::vector<int> nearest = other_grids_[group].nearest(center, 1);
    return nearest.empty() ? std::numeric_limits<double>::infinity()
                           : kOwnHalf * (others_[group][at(nearest[0])] - center).norm();
  }

  void place(BallPlan ball, int group, double least, bool beside) {
    const auto center = now(ball.center, at(group));
    if (!center) return;
    const double wanted =
        beside ? std::min(ball.radius, half_way(*center, at(group))) : ball.radius;
    const double radius = room_.radius_for(*center, ball.center, group, wanted);
    if (radius < least * ball.radius) return;
    ball.radius = radius;
    room_.take(*center, ball.center, group, radius);
    plans_[at(group)].balls.push_back(ball);
    centers_[at(group)].push_back(*center);
  }

  /// Phyxels at the tear, and those behind them, that lie in no ball of their part get one of their
  /// own.
  void cover_torn_faces() {
    const double radius = arena_.radius[at(arena_.first_ball[body_])];
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (const int i : groups_.members(g)) {
        const Vec3 way = way_to_tear(i);
        if (way.isZero(0.0) || is_held(i, g)) continue;
        place({points_.phyxels[at(i)], way.normalized(), radius, -1}, static_cast<int>(g),
              kLeastTornShare, true);
      }
  }

  /// Towards lost neighbours, or towards neighbours that have lost some; zero: the tear is far.
  Vec3 way_to_tear(int phyxel) const {
    Vec3 out = lost_way(phyxel);
    if (!out.isZero(0.0)) return out;
    for (const Neighbour& n : arena_.near(first() + phyxel))
      if (!lost_way(n.j - first()).isZero(0.0)) out += n.way;
    return out;
  }

  /// The phyxel lies well within a ball of its part, at rest and now.
  bool is_held(int phyxel, std::size_t group) const {
    const Vec3& rest = points_.phyxels[at(phyxel)];
    const Vec3& here = motion_.x[at(first() + phyxel)];
    const std::vector<BallPlan>& balls = plans_[group].balls;
    for (std::size_t k = 0; k < balls.size(); ++k)
      if ((balls[k].center - rest).norm() < kHeld * balls[k].radius &&
          (centers_[group][k] - here).norm() < kHeld * balls[k].radius)
        return true;
    return false;
  }

  const Arena& arena_;
  const Motion& motion_;
  const Groups& groups_;
  std::size_t body_;
  const shape::PointSet& points_;
  Room room_;
  std::vector<std::vector<Vec3>> rests_;  // of the groups' phyxels
  std::vector<collide::NearestPoints> grids_;
  std::vector<std::vector<Vec3>> others_;  // phyxels of all other groups, now
  std::vector<collide::NearestPoints> other_grids_;
  std::vector<PartPlan> plans_;
  std::vector<std::vector<Vec3>> centers_;  // of the plans' balls, now
};

}  // namespace

std::vector<BodyChange> part_bodies(const Arena& arena, const Problem& problem,
                                    const SurfelSettings& settings, const Motion& motion,
                                    State& state) {
  const StageScope timed("part_bodies");
  std::vector<BodyChange> out;
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const Body& body = problem.bodies[b];
    if (body.soft == nullptr || body.fixed || !breaks(*body.soft)) continue;
    Groups groups(arena, problem, motion, b);
    if (groups.size() == 1) continue;
    const auto& points = std::get<shape::PointSet>(body.shape->geometry);
    groups.merge_crumbs(points.phyxels, settings.neighbours);
    if (groups.size() == 1) continue;
    Tear tear(arena, problem, settings, motion, groups, b);
    const std::vector<PartPlan> plans = tear.run();
    // a part without a surface would be no body: it stays with the others until it has one
    if (std::any_of(plans.begin(), plans.end(), [](const PartPlan& p) { return p.balls.empty(); }))
      continue;
    BodyChange change;
    change.body = static_cast<int>(b);
    std::vector<BodyState> states;
    for (std::size_t g = 0; g < plans.size(); ++g) {
      Part part =
          make_part(problem, state, change.body, plans[g], tear.torn(g), settings.neighbours);
      change.parts.push_back(std::move(part.body));
      change.points_before.push_back(std::move(part.points_before));
      states.push_back(std::move(part.state));
    }
    state.bodies[b] = std::move(states[0]);
    state.bodies.insert(state.bodies.end(), std::make_move_iterator(states.begin() + 1),
                        std::make_move_iterator(states.end()));
    out.push_back(std::move(change));
  }
  return out;
}

}  // namespace repose::surfel
