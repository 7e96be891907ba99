#include "step_paper.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"
#include "repose/shape/cover.h"

#include "elasticity.h"
#include "motion.h"
#include "paper_look.h"

namespace repose::surfel {

namespace {

/// The share of the stable step that springs leave.
constexpr double kSpringShare = 0.7;
/// A surfel goes no farther in a step than this share of its spacing.
constexpr double kTravel = 0.5;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Forces of what contact handling holds, on phyxels.
class Pushing {
 public:
  Pushing(const Stage& stage, const Motion& motion, Memory& memory)
      : arena_(stage.arena),
        motion_(motion),
        forces_(memory.paper_forces),
        told_(stage.cache.paper_contacts) {
    forces_.assign(motion.x.size(), Vec3::Zero());
    told_.clear();
  }

  void run(const HeldContacts& held) {
    const StageScope timed("surfel_forces");
    for (const HeldContact& contact : held.contacts)
      for (const HeldSurfel& surfel : contact.surfels)
        contact.solid >= 0 ? push_off(contact, surfel) : push_apart(contact, surfel);
    for (const HeldSelf& self : held.selves) push_within(self);
  }

 private:
  /// Both surfels are drawn to the contact surface between them (equations 4 to 6).
  void push_apart(const HeldContact& contact, const HeldSurfel& surfel) {
    const CarriedSurfel one = surfel_of(arena_, motion_, surfel.one);
    const CarriedSurfel two = surfel_of(arena_, motion_, surfel.two);
    if (!one.known || !two.known) return;
    // apart again
    if (!((one.point - two.point).dot(surfel.normal) > 0.0)) return;
    const Vec3 point = surfel.point + (1.0 - contact.yields_two) * (one.point - surfel.from_one) +
                       contact.yields_two * (two.point - surfel.from_two);
    const Vec3 speed =
        at_ball(arena_, motion_.v, surfel.one) - at_ball(arena_, motion_.v, surfel.two);
    const Vec3 way_one = one.point - point, way_two = two.point - point;
    const Response& response = contact.response;
    const Vec3 force = surfel.area * shared_force(penalty_force(response, way_one, speed) +
                                                      friction_force(response, way_one, speed),
                                                  penalty_force(response, way_two, -speed) +
                                                      friction_force(response, way_two, -speed));
    spread(contact, surfel.share[0], surfel.share[1], force);
    spread(contact, surfel.share[1], surfel.share[2], -force);
    tell(contact.two, contact.one, point, -surfel.normal, force);
  }

  void push_off(const HeldContact& contact, const HeldSurfel& surfel) {
    const auto s = at(contact.solid);
    const CarriedSurfel one = surfel_of(arena_, motion_, surfel.one);
    if (!one.known) return;
    const Pose& pose = motion_.solids[s];
    const Vec3 local = pose.inverse() * one.point;
    const collide::Plane plane = arena_.solids[s].obstacle->plane(local, surfel.piece);
    const double gap = plane.gap(local);
    if (!(gap < 0.0)) return;
    const Vec3 way = gap * pose.turn(plane.normal);
    const Vec3 speed = at_ball(arena_, motion_.v, surfel.one) - motion_.solid_velocities[s];
    const Vec3 force = surfel.area * (penalty_force(contact.response, way, speed) +
                                      friction_force(contact.response, way, speed));
    spread(contact, surfel.share[0], surfel.share[1], force);
    tell(contact.two, contact.one, one.point - way, -way.normalized(), force);
  }

  /// The first share is what the others leave, so that the sum is the force.
  void spread(const HeldContact& contact, std::size_t first, std::size_t last, const Vec3& force) {
    if (first == last) return;
    Vec3 left = force;
    for (std::size_t k = first + 1; k < last; ++k) {
      const Vec3 part = contact.shares[k].share * force;
      forces_[at(contact.shares[k].phyxel)] += part;
      left -= part;
    }
    forces_[at(contact.shares[first].phyxel)] += left;
  }

  /// Phyxels that come near and were no neighbours push each other apart (section 8).
  void push_within(const HeldSelf& self) {
    for (const auto& [a, b] : self.pairs) {
      const Vec3 way = motion_.x[at(a)] - motion_.x[at(b)];
      const double apart = way.norm();
      if (!(apart < self.reach) || !(apart > 0.0)) continue;
      const Vec3 force = self.stiffness * (self.reach - apart) / apart * way;
      forces_[at(a)] += force;
      forces_[at(b)] -= force;
    }
  }

  void tell(int a, int b, const Vec3& point, const Vec3& normal, const Vec3& force_on_b) {
    Contact contact;
    contact.body_a = a;
    contact.body_b = b;
    contact.point_world = point;
    contact.normal_a_to_b = normal;
    contact.force_on_b = force_on_b;
    told_.push_back(contact);
  }

  const Arena& arena_;
  const Motion& motion_;
  std::vector<Vec3>& forces_;
  std::vector<Contact>& told_;
};

double step_length(const Stage& stage, const Motion& motion, double most_square) {
  const Arena& arena = stage.arena;
  const double stiffer = std::max(1.0, most_square / 3.0);
  const double springs = std::sqrt(1.0 + stage.settings.spring);
  const double stable =
      std::min(stage.settings.longest_step, kSpringShare * stage.settings.stable_share *
                                                arena.stable_step / (stiffer * springs));
  double fastest = 0.0;
  for (const Vec3& v : motion.v) fastest = std::max(fastest, v.norm());
  const double travel = kTravel * arena.least_radius / shape::kCoverBall;
  return fastest * stable > travel ? travel / fastest : stable;
}

/// m/s; two things come no faster nearer to each other.
double fastest_approach(const Arena& arena, const Motion& motion) {
  Vec3 mean = Vec3::Zero();
  if (arena.solids.empty() && !motion.v.empty()) {
    for (const Vec3& v : motion.v) mean += v;
    mean /= static_cast<double>(motion.v.size());
  }
  double most = 0.0;
  for (const Vec3& v : motion.v) most = std::max(most, (v - mean).norm());
  for (const Vec3& v : motion.solid_velocities) most = std::max(most, v.norm());
  return 2.0 * most;
}

/// Contact handling: looks again where something may have begun to collide, else what was found
/// goes on.
void handle_contacts(const Stage& stage, double h, const Motion& motion, Memory& memory) {
  const StageScope timed("handle_contacts");
  const double gone = h * fastest_approach(stage.arena, motion);
  const bool holds = memory.paper && memory.paper->left - memory.paper_gone >= gone;
  if (holds) {
    memory.paper_gone += gone;
  } else {
    memory.paper = std::make_shared<const HeldContacts>(
        look_for_contacts(stage.arena, stage.settings, motion));
    memory.paper_gone = 0.0;
  }
  memory.colliding = memory.paper->colliding;
  Pushing(stage, motion, memory).run(*memory.paper);
}

}  // namespace

StepOutcome step_paper(const Stage& stage, double time, Motion& motion, Memory& memory) {
  std::vector<Vec3>& forces = stage.cache.forces;
  const Strained strained = elastic_forces(stage.arena, stage.settings.stress, motion, forces);
  if (memory.paper_forces.size() == forces.size())
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += memory.paper_forces[i];
  StepOutcome out;
  out.h = step_length(stage, motion, strained.most_square);
  push_freely(stage.arena, stage.problem, forces, time, out.h, motion);  // animatePhyxels
  advance(stage.arena, out.h, motion);
  flow(stage.arena, out.h, motion);
  handle_contacts(stage, out.h, motion, memory);
  ++memory.effort.steps;
  memory.effort.inverted += strained.inverted;
  memory.inverted = strained.inverted;
  memory.last_step = out.h;
  return out;
}

}  // namespace repose::surfel
