#include "step_paper.h"

#include <algorithm>
#include <cmath>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"
#include "repose/shape/cover.h"

#include "elasticity.h"
#include "motion.h"
#include "padded.h"
#include "paper_boxes.h"
#include "paper_look.h"
#include "paper_selves.h"

namespace repose::surfel {

namespace {

/// The share of the stable step that springs leave.
constexpr double kSpringShare = 0.7;
/// A surfel goes no farther in a step than this share of its spacing.
constexpr double kTravel = 0.5;

/// Forces of what contact handling holds, on phyxels.
class Pushing {
 public:
  Pushing(const Stage& stage, const Motion& motion)
      : arena_(stage.arena), motion_(motion), told_(stage.cache.paper_contacts) {
    pad(motion.x, x_);
    pad(motion.v, v_);
    forces_.assign(x_.size(), Vec4::Zero());
    told_.clear();
  }

  /// Phyxels of one body push each other.
  bool within() const { return within_; }
  /// m; how far surfels that push each other have slid along each other.
  double slid() const { return std::sqrt(slid_); }

  /// N, on phyxels.
  std::vector<Vec3> run(const HeldContacts& held, const HeldSelves& selves) {
    const StageScope timed("surfel_forces");
    for (const HeldContact& contact : held.contacts) {
      carry(contact.points, x_, points_);
      carry(contact.points, v_, speeds_);
      for (const HeldSurfel& surfel : contact.surfels)
        contact.solid >= 0 ? push_off(contact, surfel) : push_apart(contact, surfel);
    }
    for (const HeldSelf& self : selves.bodies) push_within(self);
    std::vector<Vec3> out;
    unpad(forces_, out);
    return out;
  }

 private:
  /// Both surfels are drawn to the contact surface between them (equations 4 to 6).
  void push_apart(const HeldContact& contact, const HeldSurfel& surfel) {
    const Vec3 &one = points_[surfel.one], &two = points_[surfel.two];
    // apart again
    if (!((one - two).dot(surfel.normal) > 0.0)) return;
    const Vec3 way = (one - two) - (surfel.from_one - surfel.from_two);
    slid_ = std::max(slid_, (way - way.dot(surfel.normal) * surfel.normal).squaredNorm());
    const Vec3 point = carried_point(contact, surfel, points_);
    const Vec3 speed = speeds_[surfel.one] - speeds_[surfel.two];
    const Vec3 way_one = one - point, way_two = two - point;
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
    const Vec3& one = points_[surfel.one];
    const Pose& pose = motion_.solids[s].world_from_body;
    const Vec3 local = pose.inverse() * one;
    const collide::Plane plane = arena_.solids[s].obstacle->plane(local, surfel.piece);
    const double gap = plane.gap(local);
    if (!(gap < 0.0)) return;
    const Vec3 way = gap * pose.turn(plane.normal);
    const Vec3 speed = speeds_[surfel.one] - motion_.solids[s].velocity_at(one);
    const Vec3 force = surfel.area * (penalty_force(contact.response, way, speed) +
                                      friction_force(contact.response, way, speed));
    spread(contact, surfel.share[0], surfel.share[1], force);
    tell(contact.two, contact.one, one - way, -way.normalized(), force);
  }

  /// The shares sum up to 1, so that the forces sum up to the force.
  void spread(const HeldContact& contact, std::size_t first, std::size_t last, const Vec3& force) {
    Vec4 whole;
    whole << force, 0.0;
    for (std::size_t k = first; k < last; ++k)
      forces_[at(contact.shares[k].phyxel)] += contact.shares[k].share * whole;
  }

  /// Phyxels that come near and were no neighbours push each other apart (section 8).
  void push_within(const HeldSelf& self) {
    for (const auto& [a, b] : self.pairs) {
      const Vec3 way = motion_.x[at(a)] - motion_.x[at(b)];
      const double apart = way.norm();
      if (!(apart < self.reach) || !(apart > 0.0)) continue;
      within_ = true;
      Vec4 force;
      force << self.stiffness * (self.reach - apart) / apart * way, 0.0;
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
  std::vector<Contact>& told_;
  std::vector<Vec4> x_, v_;            // of phyxels; m, m/s
  std::vector<Vec4> forces_;           // N
  std::vector<Vec3> points_, speeds_;  // of a contact's surfels; m, m/s
  double slid_ = 0.0;                  // m^2
  bool within_ = false;
};

/// `pushed`: by springs of contacts, beside its own forces.
double step_length(const Stage& stage, const Motion& motion, double most_square, bool pushed) {
  const Arena& arena = stage.arena;
  const double stiffer = std::max(1.0, most_square / 3.0);
  const double share = pushed ? kSpringShare / std::sqrt(1.0 + stage.settings.spring) : 1.0;
  const double stable = std::min(stage.settings.longest_step,
                                 share * stage.settings.stable_share * arena.stable_step / stiffer);
  double fastest = 0.0;
  for (const Vec3& v : motion.v) fastest = std::max(fastest, v.norm());
  const double travel = kTravel * arena.least_radius / shape::kCoverBall;
  return fastest * stable > travel ? travel / fastest : stable;
}

/// Nothing can have begun to collide unseen, and surfels that push are still opposite each other.
bool still_holds(const Arena& arena, const Motion& motion, const Memory& memory) {
  const HeldContacts& held = *memory.paper;
  if (memory.paper_slid > held.most_slid) return false;
  if (come_nearer(arena, held.from, motion) > held.left) return false;
  return arena.solids.empty() ||
         gone_farthest(held.from, motion) + memory.paper_solids <= held.left;
}

/// Contact handling: looks again where something may have begun to collide, else what was found
/// goes on.
void handle_contacts(const Stage& stage, double h, const Motion& motion, Memory& memory) {
  const StageScope timed("handle_contacts");
  memory.paper_solids += h * fastest_solid(stage.arena, motion);
  if (!memory.paper || !still_holds(stage.arena, motion, memory)) {
    memory.paper = std::make_shared<const HeldContacts>(
        look_for_contacts(stage.arena, stage.settings, motion, memory.paper.get()));
    memory.paper_solids = 0.0;
    ++memory.effort.rounds;
  }
  if (!memory.paper_selves || come_nearer_within(stage.arena, memory.paper_selves->from, motion) >
                                  memory.paper_selves->left)
    memory.paper_selves =
        std::make_shared<const HeldSelves>(look_for_selves(stage.arena, stage.settings, motion));
  memory.colliding = memory.paper->colliding;
  Pushing pushing(stage, motion);
  memory.paper_forces = pushing.run(*memory.paper, *memory.paper_selves);
  memory.paper_slid = pushing.slid();
  memory.paper_pushed = !memory.paper->contacts.empty() || pushing.within();
}

}  // namespace

StepOutcome step_paper(const Stage& stage, double time, Motion& motion, Memory& memory) {
  std::vector<Vec3>& forces = stage.cache.forces;
  const Strained strained = elastic_forces(stage.arena, stage.settings.stress, motion, forces);
  if (memory.paper_forces.size() == forces.size())
    for (std::size_t i = 0; i < forces.size(); ++i) forces[i] += memory.paper_forces[i];
  StepOutcome out;
  out.h = step_length(stage, motion, strained.most_square, memory.paper_pushed);
  push_freely(stage.arena, stage.problem, forces, time, out.h, motion);  // animatePhyxels
  advance(stage.arena, time + out.h, out.h, motion);
  flow(stage.arena, out.h, motion);
  handle_contacts(stage, out.h, motion, memory);
  ++memory.effort.steps;
  memory.effort.inverted += strained.inverted;
  memory.inverted = strained.inverted;
  memory.last_step = out.h;
  return out;
}

}  // namespace repose::surfel
