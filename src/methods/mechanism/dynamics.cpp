#include "dynamics.h"

#include <algorithm>

#include "strike.h"

namespace repose::mechanism {
namespace {

double along(const RowPart& part, const Plane3& v) {
  return part[0] * v.x() + part[1] * v.y() + part[2] * v.z();
}

Plane3 accelerated(const InverseInertia& inverse, const Plane3& force) {
  return {inverse[0] * force.x(), inverse[1] * force.y(), inverse[2] * force.z()};
}

}  // namespace

void SolveTally::count(ForceStatus status, double residual) {
  ++solves;
  const bool used = status == ForceStatus::solved || status == ForceStatus::not_converged;
  if (used) worst_residual = std::max(worst_residual, residual);
  if (status == ForceStatus::not_converged) ++not_converged;
  if (status == ForceStatus::impulse_needed) ++inconsistent;
}

void SolveTally::add(const SolveTally& other) {
  solves += other.solves;
  worst_residual = std::max(worst_residual, other.worst_residual);
  not_converged += other.not_converged;
  inconsistent += other.inconsistent;
  stopped += other.stopped;
}

Dynamics::Dynamics(const Machine& machine)
    : machine_(&machine), blow_solver_(mechanism::blow_solver({})) {}

void Dynamics::work_on(const Group& group) {
  place_.resize(machine_->bodies.size(), -1);
  external_.resize(machine_->bodies.size(), Plane3::Zero());
  change_.resize(machine_->bodies.size(), Plane3::Zero());
  for (const int body : placed_) place_[static_cast<std::size_t>(body)] = -1;
  group_ = &group;
  placed_ = group.bodies;
  problem_.bodies.clear();
  for (const int body : group.bodies) {
    const auto i = static_cast<std::size_t>(body);
    place_[i] = static_cast<int>(problem_.bodies.size());
    problem_.bodies.push_back(machine_->bodies[i].inverse);
  }
}

ForceRow Dynamics::seen(const Row& row) const {
  ForceRow out = row.row;
  const auto place = [&](int body) {
    return body < 0 ? -1 : place_[static_cast<std::size_t>(body)];
  };
  out.body_a = place(out.body_a);
  out.body_b = place(out.body_b);
  return out;
}

/// Rows of joints, then of stops, then two of each contact that is not parting.
void Dynamics::build_rows(const Motion& motion, const Contacts& contacts) {
  const Machine& m = *machine_;
  rows_.clear();
  row_joint_.clear();
  row_contact_.clear();
  for (const int j : group_->joints) {
    joint_rows(m.joints[static_cast<std::size_t>(j)], motion, rows_);
    row_joint_.resize(rows_.size(), j);
  }
  joint_rows_ = rows_.size();
  static thread_local std::vector<Row> stops;
  for (const MetStop& s : contacts.stops) {
    if (s.parting) continue;
    stops.clear();
    stop_rows(m.joints[static_cast<std::size_t>(s.joint)], motion, stops);
    rows_.push_back(stops[static_cast<std::size_t>(s.which)]);
    row_joint_.push_back(s.joint);
  }
  row_contact_.assign(rows_.size(), -1);
  for (std::size_t c = 0; c < contacts.touching.size(); ++c) {
    const Touching& t = contacts.touching[c];
    if (t.parting) continue;
    const ContactFrame frame = frame_of(t.feature, motion);
    const int normal_row = static_cast<int>(rows_.size());
    rows_.push_back(contact_row(t.feature, frame, frame.normal, motion));
    row_contact_.push_back(static_cast<int>(c));
    if (!(t.mu > 0.0)) continue;
    Row friction = contact_row(t.feature, frame, left_of(frame.normal), motion);
    friction.row.kind = RowKind::friction;
    friction.row.normal_row = normal_row;
    friction.row.mu = t.mu;
    friction.row.slip = t.slip;
    rows_.push_back(friction);
    row_contact_.push_back(static_cast<int>(c));
  }
  row_joint_.resize(rows_.size(), -1);
  problem_.rows.resize(rows_.size());
}

void Dynamics::add_loads(const Motion& motion, double time) {
  const Machine& m = *machine_;
  const bool first = m.settings.order == Order::first;
  external_forces(m, *group_, motion, time, external_);
  for (const int body : group_->bodies) {
    const auto i = static_cast<std::size_t>(body);
    change_[i] = accelerated(m.bodies[i].inverse, external_[i]);
  }
  const double feedback = m.settings.feedback / m.settings.step_time;  // 1/s
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const Row& row = rows_[r];
    ForceRow& out = problem_.rows[r];
    out = seen(row);
    if (first) {
      out.b = 0.0;
      out.slip = 0;
    }
    if (is_mine(row.row.body_a)) out.b += along(row.row.part_a, change_[row.row.body_a]);
    if (is_mine(row.row.body_b)) out.b += along(row.row.part_b, change_[row.row.body_b]);
    if (r >= joint_rows_) continue;
    const PlaneJoint& joint = m.joints[static_cast<std::size_t>(row_joint_[r])];
    const bool motor = joint.kind == JointKind::motor;
    if (first) {
      // in a world without inertia the row speaks of velocities
      out.b += motor ? -joint.speed : feedback * row.value;
    } else if (joint.limited_motor()) {
      out.b += row.rate / m.settings.step_time;
    } else {
      out.b += 2.0 * feedback * row.rate + feedback * feedback * row.value;
    }
  }
}

void Dynamics::start_from(const Contacts& contacts) {
  start_states_.assign(rows_.size(), RowState::unknown);
  start_forces_.assign(rows_.size(), 0.0);
  if (contacts.joint_states.size() == joint_rows_) {
    std::copy(contacts.joint_states.begin(), contacts.joint_states.end(), start_states_.begin());
    std::copy(contacts.joint_forces.begin(), contacts.joint_forces.end(), start_forces_.begin());
  }
  std::size_t r = joint_rows_;
  for (const MetStop& s : contacts.stops) {
    if (s.parting) continue;
    start_states_[r] = s.state;
    start_forces_[r++] = s.force;
  }
  for (const Touching& t : contacts.touching) {
    if (t.parting) continue;
    start_states_[r] = t.normal_state;
    start_forces_[r++] = t.normal;
    if (!(t.mu > 0.0)) continue;
    start_states_[r] = t.friction_state;
    start_forces_[r++] = t.friction;
  }
}

void Dynamics::keep(const Forces& forces, Contacts& contacts) const {
  contacts.joint_states.assign(forces.states.begin(),
                               forces.states.begin() + static_cast<std::ptrdiff_t>(joint_rows_));
  contacts.joint_forces.assign(forces.f.begin(),
                               forces.f.begin() + static_cast<std::ptrdiff_t>(joint_rows_));
  std::size_t r = joint_rows_;
  for (MetStop& s : contacts.stops) {
    if (s.parting) {
      s.state = RowState::open;
      s.force = 0.0;
      continue;
    }
    s.state = forces.states[r];
    s.force = forces.f[r++];
  }
  for (Touching& t : contacts.touching) {
    t.normal = t.friction = 0.0;
    if (t.parting) {
      t.normal_state = t.friction_state = RowState::open;
      continue;
    }
    t.normal_state = forces.states[r];
    t.normal = forces.f[r++];
    if (!(t.mu > 0.0)) continue;
    t.friction_state = forces.states[r];
    t.friction = forces.f[r++];
  }
}

Trouble Dynamics::trouble_of(const Forces& forces, const Contacts&) const {
  Trouble out;
  out.status = forces.status;
  if (forces.status == ForceStatus::solved) return out;
  out.why = forces.why;
  std::vector<int> rows = forces.involved;
  if (rows.empty() && forces.failed_row >= 0) rows.push_back(forces.failed_row);
  for (const int r : rows) {
    const auto i = static_cast<std::size_t>(r);
    auto& list = row_contact_[i] >= 0 ? out.contacts : out.joints;
    const int what = row_contact_[i] >= 0 ? row_contact_[i] : row_joint_[i];
    if (std::find(list.begin(), list.end(), what) == list.end()) list.push_back(what);
  }
  return out;
}

/// Adds M^-1 J^T f.
void Dynamics::apply(const std::vector<double>& f, std::vector<Plane3>& out) const {
  const auto add = [&](int body, const RowPart& part, double strength) {
    if (body < 0) return;
    const InverseInertia& inverse = problem_.bodies[static_cast<std::size_t>(body)];
    out[body_at(body)] +=
        strength * Plane3(inverse[0] * part[0], inverse[1] * part[1], inverse[2] * part[2]);
  };
  for (std::size_t r = 0; r < problem_.rows.size(); ++r) {
    if (f[r] == 0.0) continue;
    add(problem_.rows[r].body_a, problem_.rows[r].part_a, f[r]);
    add(problem_.rows[r].body_b, problem_.rows[r].part_b, f[r]);
  }
}

Trouble Dynamics::derivative(const Motion& motion, double time, Contacts& contacts,
                             Derivative& out) {
  build_rows(motion, contacts);
  add_loads(motion, time);
  for (const int body : group_->bodies) {
    const auto i = static_cast<std::size_t>(body);
    out.rate[i] = change_[i];
  }
  Trouble trouble;
  if (!rows_.empty()) {
    start_from(contacts);
    const Forces& forces = solver_.solve(problem_, {start_states_, start_forces_});
    tally_.count(forces.status, forces.residual);
    trouble = trouble_of(forces, contacts);
    keep(forces, contacts);
    apply(forces.f, out.rate);
  }
  const bool first = machine_->settings.order == Order::first;
  for (const int body : group_->bodies) {
    const auto i = static_cast<std::size_t>(body);
    out.place[i] = first ? out.rate[i] : motion.rate[i];
    if (first) out.rate[i].setZero();
  }
  return trouble;
}

Dynamics::Drift Dynamics::drift(const Motion& motion) {
  Drift out;
  for (const int j : group_->joints) {
    const PlaneJoint& joint = machine_->joints[static_cast<std::size_t>(j)];
    rows_.clear();
    joint_rows(joint, motion, rows_);
    double sum = 0.0;
    for (const Row& row : rows_) {
      const bool turn = row.row.part_a[0] == 0.0 && row.row.part_a[1] == 0.0;
      const double error = turn ? row.value * 0.5 * joint.scale : row.value;
      sum += error * error;
    }
    const double error = std::sqrt(sum);
    out.absolute = std::max(out.absolute, error);
    if (error <= out.relative * joint.scale) continue;
    out.relative = error / joint.scale;
    out.joint = j;
  }
  return out;
}

}  // namespace repose::mechanism
