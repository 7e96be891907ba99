// Velocities that change at once: blows, and what brings velocities and places back onto their
// constraints.
#include <algorithm>

#include "dynamics.h"

namespace repose::mechanism {
namespace {

/// Velocities off their constraint by less than this share of the fastest are left.
constexpr double kRateNoise = 1e-13;
/// Joints whose error is below this share of their size are closed.
constexpr double kClosed = 1e-14;
constexpr int kCorrections = 4;

bool struck(const Row& row, double still) {
  return row.row.kind == RowKind::normal && row.rate < -still;
}

double fastest(const Motion& motion, const Machine& machine) {
  double out = 0.0;
  for (std::size_t i = 0; i < motion.rate.size(); ++i)
    out = std::max({out, motion.rate[i].head<2>().norm(),
                    std::fabs(motion.rate[i].z()) * machine.bodies[i].reach});
  return out;
}

}  // namespace

void Dynamics::classify(const Motion& motion, Contacts& contacts) const {
  const bool second = machine_->settings.order == Order::second;
  for (Touching& t : contacts.touching) {
    t.parting = false;
    t.slip = 0;
    if (!second) continue;
    const double still = machine_->still_speed(t.touch);
    const ContactFrame frame = frame_of(t.feature, motion);
    t.parting = frame.normal.dot(frame.slide_rate) > still;
    const double slide = left_of(frame.normal).dot(frame.slide_rate);
    if (!t.sticks && std::fabs(slide) > still) t.slip = slide > 0.0 ? 1 : -1;
    t.sticks = false;
  }
  std::vector<Row> rows;
  for (MetStop& s : contacts.stops) {
    rows.clear();
    const PlaneJoint& joint = machine_->joints[static_cast<std::size_t>(s.joint)];
    stop_rows(joint, motion, rows);
    const double still = machine_->still_speed(machine_->settings.touch_gap * joint.scale);
    s.parting = second && rows[static_cast<std::size_t>(s.which)].rate > still;
  }
}

/// A bounce that would not leave the contact's reach is none: so a ball comes to rest.
double Dynamics::bounce(const Touching& contact, double approach, bool quiet) const {
  if (quiet || approach <= 0.0) return 0.0;
  const double speed = contact.restitution * approach;
  const double height_times_gravity = 0.5 * speed * speed;
  const bool low = height_times_gravity < kTouchReach * contact.touch * machine_->gravity.norm() ||
                   speed < machine_->still_speed(contact.touch);
  return low ? 0.0 : contact.restitution;
}

Dynamics::BlowReport Dynamics::resolve_blows(Motion& motion, Contacts& contacts, bool quiet) {
  BlowReport report;
  if (machine_->settings.order == Order::first) return report;
  for (Touching& t : contacts.touching) t.parting = false;
  for (MetStop& s : contacts.stops) s.parting = false;
  build_rows(motion, contacts);
  bool any = false;
  std::vector<double> restitution(rows_.size(), 0.0);
  for (std::size_t r = joint_rows_; r < rows_.size(); ++r) {
    const bool contact = row_contact_[r] >= 0;
    const double gap = contact
                           ? contacts.touching[static_cast<std::size_t>(row_contact_[r])].touch
                           : machine_->settings.touch_gap *
                                 machine_->joints[static_cast<std::size_t>(row_joint_[r])].scale;
    if (!struck(rows_[r], machine_->still_speed(gap))) continue;
    any = true;
    if (contact)
      restitution[r] = bounce(contacts.touching[static_cast<std::size_t>(row_contact_[r])],
                              -rows_[r].rate, quiet);
  }
  if (!any) return report;
  report.struck = true;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    ForceRow& row = problem_.rows[r];
    row = rows_[r].row;
    row.b = rows_[r].rate;
    row.slip = 0;
    if (r >= joint_rows_) continue;
    // a motor with a greatest torque gives way in a blow
    const PlaneJoint& joint = machine_->joints[static_cast<std::size_t>(row_joint_[r])];
    if (joint.limited_motor()) row.low = row.high = 0.0;
  }
  ImpulseSettings settings;
  settings.law = machine_->settings.blows == BlowLaw::sequential ? ImpulseLaw::sequential
                                                                 : ImpulseLaw::simultaneous;
  const Impulses blow = solve_impulses(problem_, restitution, settings);
  worst_residual_ = std::max(worst_residual_, blow.residual);
  report.trouble.status = blow.status;
  report.trouble.why = blow.why;
  apply(blow.p, motion.rate);
  return report;
}

Trouble Dynamics::resolve_inconsistent(Motion& motion, double time, Contacts& contacts) {
  build_rows(motion, contacts);
  add_loads(motion, time);
  std::vector<double> velocity;
  for (const Row& row : rows_) velocity.push_back(row.rate);
  const Impulses blow = solve_inconsistent(problem_, velocity);
  Trouble out;
  out.status = blow.status;
  out.why = blow.why;
  if (blow.status == ForceStatus::solved) apply(blow.p, motion.rate);
  return out;
}

void Dynamics::settle_rates(Motion& motion, const Contacts& contacts) {
  if (machine_->settings.order == Order::first) return;
  build_rows(motion, contacts);
  const double noise = kRateNoise * fastest(motion, *machine_);
  double worst = 0.0;
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const int c = row_contact_[r];
    bool held = true;
    if (c >= 0) {
      const Touching& t = contacts.touching[static_cast<std::size_t>(c)];
      const bool normal = rows_[r].row.kind == RowKind::normal;
      held = normal ? t.normal_state == RowState::held
                    : t.slip == 0 && t.friction_state == RowState::held;
    } else if (r >= joint_rows_) {
      held = false;
    } else {
      held = !machine_->joints[static_cast<std::size_t>(row_joint_[r])].limited_motor();
    }
    if (!held) continue;
    ForceRow& row = problem_.rows[kept++];
    row = rows_[r].row;
    row.kind = RowKind::bilateral;
    row.low = -kNoLimit;
    row.high = kNoLimit;
    row.b = rows_[r].rate;
    worst = std::max(worst, std::fabs(row.b));
  }
  problem_.rows.resize(kept);
  if (kept == 0 || worst <= noise) return;
  const Forces& forces = linear_.solve(problem_);
  apply(forces.f, motion.rate);
}

void Dynamics::correct_places(Motion& motion, const Contacts& contacts, bool all) {
  for (int round = 0; round < kCorrections; ++round) {
    build_rows(motion, contacts);
    double worst = 0.0;
    std::size_t kept = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      ForceRow row = rows_[r].row;
      if (row.kind == RowKind::friction) continue;
      row.b = rows_[r].value;
      if (r < joint_rows_) {
        const PlaneJoint& joint = machine_->joints[static_cast<std::size_t>(row_joint_[r])];
        if (joint.kind == JointKind::motor) continue;
        row.low = -kNoLimit;
        row.high = kNoLimit;
        if (std::fabs(row.b) > kClosed * joint.scale) worst = std::max(worst, std::fabs(row.b));
      } else {
        if (!all) continue;
        const int c = row_contact_[r];
        if (c >= 0) row.b -= contacts.touching[static_cast<std::size_t>(c)].touch;
        const double reach =
            c >= 0 ? kTouchLeast * contacts.touching[static_cast<std::size_t>(c)].touch : 0.0;
        if (row.b < -reach) worst = std::max(worst, -row.b);
      }
      problem_.rows[kept++] = row;
    }
    problem_.rows.resize(kept);
    if (!(worst > 0.0)) return;
    const Forces& forces = linear_.solve(problem_);
    apply(forces.f, motion.place);
  }
}

}  // namespace repose::mechanism
