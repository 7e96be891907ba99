// Velocities that change at once: blows, and what brings velocities and places back onto their
// constraints.
#include <algorithm>

#include "dynamics.h"
#include "strike.h"

namespace repose::mechanism {
namespace {

/// Velocities off their constraint by less than this share of what they are differences of stay.
constexpr double kRateNoise = 1e-13;
/// Velocities below this share of the largest in a blow, in units of sqrt(A_ii), are rounding and
/// count as none in it: else what carries nothing would be searched for a way to carry rounding.
constexpr double kBlowNoise = 1e-10;
/// Joints whose error is below this share of their size are closed.
constexpr double kClosed = 1e-14;
constexpr int kCorrections = 4;

bool struck(const Row& row, double still) {
  return row.row.kind == RowKind::normal && row.rate < -still;
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

/// Whether a speed apart is so low that gravity ends it within the contact's reach.
bool Dynamics::stays_within_reach(double speed, double touch) const {
  return 0.5 * speed * speed < kTouchReach * touch * machine_->gravity.norm() ||
         speed < machine_->still_speed(touch);
}

/// A bounce that would not leave the contact's reach is none: so a ball comes to rest.
double Dynamics::bounce(const Touching& contact, double approach, bool quiet) const {
  if (quiet || approach <= 0.0) return 0.0;
  return stays_within_reach(contact.restitution * approach, contact.touch) ? 0.0
                                                                           : contact.restitution;
}

/// After a blow, contacts that part within their reach only are held together, and those that stuck
/// before and slide as little stick again: otherwise bodies with several contacts would rock on
/// them for ever. The least change in the kinetic-energy norm,
/// which loses energy; taken back where it would drive other contacts together.
void Dynamics::quiet_small_partings(Motion& motion, const Contacts& contacts) {
  build_rows(motion, contacts);
  std::size_t kept = 0;
  bool any = false, together = false;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const int c = row_contact_[r];
    ForceRow row = seen(rows_[r]);
    if (r < joint_rows_) {
      if (machine_->joints[static_cast<std::size_t>(row_joint_[r])].limited_motor()) continue;
    } else {
      if (c < 0) continue;
      const Touching& t = contacts.touching[static_cast<std::size_t>(c)];
      const double rate = std::fabs(rows_[r].rate);
      const bool friction = row.kind == RowKind::friction;
      if (friction && (t.slip != 0 || !together)) continue;
      const bool small = stays_within_reach(rate, t.touch);
      if (!friction) together = small;
      if (!small) continue;
      any = any || rate > machine_->still_speed(t.touch);
    }
    row.kind = RowKind::bilateral;
    row.b = rows_[r].rate;
    problem_.rows[kept++] = row;
  }
  problem_.rows.resize(kept);
  if (!any) return;
  const std::vector<Plane3> before = motion.rate;
  project_rates(motion);
  for (const Touching& t : contacts.touching) {
    const ContactFrame frame = frame_of(t.feature, motion);
    if (frame.normal.dot(frame.slide_rate) >= -machine_->still_speed(t.touch)) continue;
    motion.rate = before;
    return;
  }
}

/// Sets velocities that are rounding beside the others of the blow to 0.
void Dynamics::silence_rounding() {
  magnitude_.resize(problem_.rows.size());
  double largest = 0.0;
  for (std::size_t r = 0; r < problem_.rows.size(); ++r) {
    const double diagonal = diagonal_of(problem_, problem_.rows[r]);
    magnitude_[r] = diagonal > 0.0 ? std::fabs(problem_.rows[r].b) / std::sqrt(diagonal) : 0.0;
    largest = std::max(largest, magnitude_[r]);
  }
  for (std::size_t r = 0; r < problem_.rows.size(); ++r)
    if (magnitude_[r] <= kBlowNoise * largest) problem_.rows[r].b = 0.0;
}

/// Of contacts and stops, m/s or 1/s; 0: none approaches. `who` names those that do.
double Dynamics::fastest_approach(const Motion& motion, const Contacts& contacts, Trouble& who) {
  build_rows(motion, contacts);
  double out = 0.0;
  for (std::size_t r = joint_rows_; r < rows_.size(); ++r) {
    const double gap = row_contact_[r] >= 0
                           ? contacts.touching[static_cast<std::size_t>(row_contact_[r])].touch
                           : machine_->settings.touch_gap *
                                 machine_->joints[static_cast<std::size_t>(row_joint_[r])].scale;
    if (!struck(rows_[r], machine_->still_speed(gap))) continue;
    out = std::max(out, -rows_[r].rate);
    auto& list = row_contact_[r] >= 0 ? who.contacts : who.joints;
    list.push_back(row_contact_[r] >= 0 ? row_contact_[r] : row_joint_[r]);
  }
  return out;
}

Dynamics::BlowReport Dynamics::resolve_blows(Motion& motion, Contacts& contacts, bool quiet) {
  BlowReport report;
  if (machine_->settings.order == Order::first) return report;
  for (Touching& t : contacts.touching) t.parting = false;
  for (MetStop& s : contacts.stops) s.parting = false;
  Trouble approaching;
  const double approach = fastest_approach(motion, contacts, approaching);
  if (!(approach > 0.0)) return report;
  // one after the other, a blow reaches contacts that did not approach before
  const bool travels = machine_->settings.blows == BlowLaw::sequential;
  std::vector<double> restitution(rows_.size(), 0.0);
  for (std::size_t r = joint_rows_; r < rows_.size(); ++r) {
    if (row_contact_[r] < 0 || rows_[r].row.kind != RowKind::normal) continue;
    restitution[r] = bounce(contacts.touching[static_cast<std::size_t>(row_contact_[r])],
                            travels ? approach : -rows_[r].rate, quiet);
  }
  report.struck = true;
  start_from(contacts);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    ForceRow& row = problem_.rows[r];
    row = seen(rows_[r]);
    row.b = rows_[r].rate;
    row.slip = 0;
    // what carried before the blow carries in it, and what approaches is struck
    if (row.kind == RowKind::normal && row.b < 0.0) start_states_[r] = RowState::held;
    if (r >= joint_rows_) continue;
    // a motor with a greatest torque gives way in a blow
    const PlaneJoint& joint = machine_->joints[static_cast<std::size_t>(row_joint_[r])];
    if (joint.limited_motor()) row.low = row.high = 0.0;
  }
  silence_rounding();
  ImpulseSettings settings;
  settings.law = machine_->settings.blows;
  const Impulses blow = strike(problem_, restitution, settings, start_states_, blow_solver_);
  // its impulses are used whatever they are
  const bool solved = blow.status == ForceStatus::solved;
  tally_.count(solved ? blow.status : ForceStatus::not_converged, blow.residual);
  report.trouble.status = blow.status;
  report.trouble.why = blow.why;
  apply(blow.p, motion.rate);
  quiet_small_partings(motion, contacts);
  report.failed = !solved && fastest_approach(motion, contacts, report.trouble) > 0.0;
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
  if (blow.status != ForceStatus::solved) return out;
  tally_.count(blow.status, blow.residual);
  apply(blow.p, motion.rate);
  return out;
}

/// Whether the row of this contact, stop or joint is to stay at rest relative to its bodies.
bool Dynamics::holds(std::size_t r, const Contacts& contacts) const {
  const int c = row_contact_[r];
  if (c < 0)
    return r < joint_rows_ &&
           !machine_->joints[static_cast<std::size_t>(row_joint_[r])].limited_motor();
  const Touching& t = contacts.touching[static_cast<std::size_t>(c)];
  if (rows_[r].row.kind == RowKind::normal) return t.normal_state == RowState::held;
  return t.slip == 0 && t.friction_state == RowState::held;
}

/// Takes away the rates b of the rows in `problem_`.
void Dynamics::project_rates(Motion& motion) {
  magnitude_.resize(problem_.rows.size());
  for (std::size_t r = 0; r < problem_.rows.size(); ++r) {
    const ForceRow& row = problem_.rows[r];
    magnitude_[r] = std::fabs(row.b);
    for (const auto& [body, part] : {std::pair{row.body_a, &row.part_a}, {row.body_b, &row.part_b}})
      if (body >= 0)
        for (std::size_t k = 0; k < 3; ++k)
          magnitude_[r] += std::fabs((*part)[k] * motion.rate[body_at(body)][static_cast<int>(k)]);
  }
  apply(projection_.solve(problem_, magnitude_, kRateNoise), motion.rate);
}

void Dynamics::settle_rates(Motion& motion, const Contacts& contacts) {
  if (machine_->settings.order == Order::first) return;
  build_rows(motion, contacts);
  std::size_t kept = 0;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (!holds(r, contacts)) continue;
    ForceRow& row = problem_.rows[kept++];
    row = seen(rows_[r]);
    row.kind = RowKind::bilateral;
    row.b = rows_[r].rate;
  }
  problem_.rows.resize(kept);
  if (kept > 0) project_rates(motion);
}

void Dynamics::correct_places(Motion& motion, const Contacts& contacts, bool all) {
  for (int round = 0; round < kCorrections; ++round) {
    build_rows(motion, contacts);
    double worst = 0.0;
    std::size_t kept = 0;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      ForceRow row = seen(rows_[r]);
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
        const double within =
            c >= 0 ? kTouchLeast * contacts.touching[static_cast<std::size_t>(c)].touch : 0.0;
        if (row.b < -within) worst = std::max(worst, -row.b);
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
