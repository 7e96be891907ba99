#include "repose/mechanism/mechanism.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "repose/base/change_settings.h"
#include "repose/base/stage_clock.h"
#include "repose/world/check_problem.h"
#include "repose/world/joined.h"

#include "facts.h"
#include "interact.h"
#include "jam.h"
#include "start.h"
#include "support.h"

namespace repose::mechanism {
namespace {

/// Steps without motion that are rest, at least: one may fall on the turn of a swing.
constexpr double kStillSteps = 2.5;
/// What is driven sets out if it gains speed by more than this share of what its loads alone would
/// give it.
constexpr double kSetsOut = 1e-6;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

class Mechanism final : public Method {
 public:
  explicit Mechanism(const MechanismSettings& settings) { machine_.settings = settings; }

  std::string name() const override { return "mechanism"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> apply(const Edit& edit, Problem& problem, State& state) override;
  Json::Object facts(const Problem& problem, const State& state) override;
  std::vector<Promise> promises(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override {
    return repose::change_settings(settings_table(), values, machine_.settings);
  }

 private:
  Motion motion_of(const Problem& problem, const State& state, const Memory& memory) const;
  void put_back(const Motion& motion, State& state, Memory& memory) const;
  bool slow(const Motion& motion) const;
  StepReport judge(const Problem& problem, const Motion& motion, const Advance& advance,
                   double time, Memory& memory);
  Contacts under_drive_alone(const Motion& motion, double time, const Contacts& contacts);
  bool sets_out(const Motion& motion, double time, const Contacts& contacts,
                const std::vector<int>& driven);
  bool has_endless_motor() const;
  std::string parting_remedy() const;
  std::string blocked_text(const Problem& problem, const Trouble& trouble) const;
  static std::string blocked_remedy(const Trouble& trouble);
  std::string jam_text(const Problem& problem, const Advance& advance,
                       const std::vector<JamContact>& jam) const;
  std::vector<Contact> shown(const Motion& motion, const Contacts& contacts) const;

  Machine machine_;
  std::unique_ptr<Stepper> stepper_;
};

const Memory& memory_of(const State& state) {
  static const Memory none;
  const auto* memory = dynamic_cast<const Memory*>(state.memory.get());
  return memory == nullptr ? none : *memory;
}

Motion Mechanism::motion_of(const Problem& problem, const State& state,
                            const Memory& memory) const {
  Motion out;
  const bool same = memory.turns.size() == problem.bodies.size();
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    double like = 0.0;
    if (same && memory.turns[i].first == problem.bodies[i].name) {
      like = memory.turns[i].second;
    } else {
      for (const auto& [name, turn] : memory.turns)
        if (name == problem.bodies[i].name) like = turn;
    }
    const BodyState& body = state.bodies[i];
    out.place.push_back(place_of(machine_.bodies[i], body.world_from_body, like));
    Plane3 rate(body.velocity.x(), body.velocity.y(), body.angular_velocity.z());
    // what is held does not move, whatever the scene says
    for (int k = 0; k < 3; ++k)
      if (!(machine_.bodies[i].inverse[static_cast<std::size_t>(k)] > 0.0)) rate[k] = 0.0;
    out.rate.push_back(rate);
  }
  return out;
}

void Mechanism::put_back(const Motion& motion, State& state, Memory& memory) const {
  for (std::size_t i = 0; i < state.bodies.size(); ++i) {
    memory.turns[i].second = motion.place[i].z();
    if (!machine_.bodies[i].moves()) continue;
    BodyState& body = state.bodies[i];
    body.world_from_body = pose_of(machine_.bodies[i], motion.place[i], body.world_from_body);
    body.velocity = Vec3(motion.rate[i].x(), motion.rate[i].y(), 0.0);
    body.angular_velocity = Vec3(0.0, 0.0, motion.rate[i].z());
  }
}

Result<Done> Mechanism::prepare(const Problem& problem, State& state) {
  if (auto done = check_problem(problem); !done) return done;
  auto bodies = prepare_bodies(problem, state);
  if (!bodies) return bodies.error();
  machine_.bodies = std::move(*bodies);
  machine_.gravity = problem.gravity.head<2>();
  const Memory& before = memory_of(state);
  Motion motion = motion_of(problem, state, before);
  auto joints = prepare_joints(problem, machine_.bodies, motion, before.starts);
  if (!joints) return joints.error();
  machine_.joints = std::move(*joints);
  machine_.passing = passing_pairs(problem);
  auto loads = prepare_loads(problem, machine_.bodies);
  if (!loads) return loads.error();
  machine_.loads = std::move(*loads);
  machine_.length = 0.0;
  for (const PlaneBody& body : machine_.bodies)
    if (body.moves()) machine_.length = std::max(machine_.length, body.size);
  if (!(machine_.length > 0.0)) machine_.length = 1.0;
  auto memory = std::make_shared<Memory>(before);
  const bool same_bodies = before.turns.size() == problem.bodies.size();
  if (!same_bodies) memory->contacts = {};
  machine_.drags = memory->drags = present_drags(problem, memory->drags);
  memory->turns.clear();
  for (const Body& body : problem.bodies) memory->turns.emplace_back(body.name, 0.0);
  memory->starts.clear();
  for (const PlaneJoint& j : machine_.joints) memory->starts.push_back(j.start);
  memory->still_for = 0.0;
  memory->jam.clear();
  stepper_ = std::make_unique<Stepper>(machine_);
  if (auto done = make_start_hold(problem, machine_, *stepper_, motion, memory->contacts); !done)
    return done;
  put_back(motion, state, *memory);
  state.contacts = shown(motion, memory->contacts);
  state.memory = memory;
  return Done{};
}

/// No body is faster than rest allows.
bool Mechanism::slow(const Motion& motion) const {
  for (std::size_t i = 0; i < motion.rate.size(); ++i) {
    const PlaneBody& body = machine_.bodies[i];
    const double speed =
        motion.rate[i].head<2>().norm() + std::fabs(motion.rate[i].z()) * body.reach;
    if (speed > machine_.settings.rest_speed * body.size) return false;
  }
  return true;
}

std::vector<Contact> Mechanism::shown(const Motion& motion, const Contacts& contacts) const {
  std::vector<Contact> out;
  for (const Touching& t : contacts.touching) {
    const ContactFrame frame = frame_of(t.feature, motion);
    const Vec2 middle = frame.point - 0.5 * frame.gap * frame.normal;
    const Vec2 force = t.normal * frame.normal + t.friction * left_of(frame.normal);
    Contact contact;
    contact.body_a = t.feature.side_body;
    contact.body_b = t.feature.point_body;
    contact.point_world = Vec3(middle.x(), middle.y(), 0.0);
    contact.normal_a_to_b = Vec3(frame.normal.x(), frame.normal.y(), 0.0);
    contact.gap = frame.gap;
    contact.force_on_b = Vec3(force.x(), force.y(), 0.0);
    out.push_back(contact);
  }
  return out;
}

/// What holds a jammed machine: contacts that carry, else what no blow ends the approach of.
std::string Mechanism::jam_text(const Problem& problem, const Advance& advance,
                                const std::vector<JamContact>& jam) const {
  std::vector<collide::IndexPair> pairs;
  for (const JamContact& c : jam) pairs.emplace_back(c.body_a, c.body_b);
  if (pairs.empty()) pairs = advance.blocking;
  std::string out;
  for (const auto& [a, b] : pairs) {
    const std::string pair =
        fmt::format("{} on {}", problem.bodies[static_cast<std::size_t>(b)].name,
                    problem.bodies[static_cast<std::size_t>(a)].name);
    if (out.find(pair) == std::string::npos) out += (out.empty() ? "" : ", ") + pair;
  }
  if (!out.empty()) return out;
  std::vector<int> joints;
  for (const int j : advance.trouble.joints)
    joints.push_back(machine_.joints[static_cast<std::size_t>(j)].joint);
  return joints.empty() ? "its joints" : names_of(problem, joints);
}

/// The contacts with the forces that what drives the machine causes without gravity: those that
/// carry none of them do not jam it. As they are where no such forces exist.
Contacts Mechanism::under_drive_alone(const Motion& motion, double time, const Contacts& contacts) {
  Contacts out = contacts;
  Derivative unused;
  unused.clear(motion.place.size());
  const Vec2 gravity = std::exchange(machine_.gravity, Vec2(Vec2::Zero()));
  const Trouble trouble = stepper_->dynamics().derivative(motion, time, out, unused);
  machine_.gravity = gravity;
  return trouble.status == ForceStatus::solved ? out : contacts;
}

/// What is driven is slow, but on its way: a body of any size that lacks no force to move is not
/// jammed.
bool Mechanism::sets_out(const Motion& motion, double time, const Contacts& contacts,
                         const std::vector<int>& driven) {
  if (machine_.settings.order == Order::first) return false;
  Contacts now = contacts;
  Derivative change;
  change.clear(motion.place.size());
  std::vector<Plane3> loads;
  external_forces(machine_, whole_of(machine_), motion, time, loads);
  if (stepper_->dynamics().derivative(motion, time, now, change).status != ForceStatus::solved)
    return false;
  return std::any_of(driven.begin(), driven.end(), [&](int i) {
    const auto n = static_cast<std::size_t>(i);
    const PlaneBody& body = machine_.bodies[n];
    // against what the loads would do to it alone
    const double free = loads[n].head<2>().norm() / body.mass;
    return change.rate[n].head<2>().norm() > kSetsOut * free &&
           change.rate[n].head<2>().dot(motion.rate[n].head<2>()) > 0.0;
  });
}

/// Whether a motor gives way to nothing.
bool Mechanism::has_endless_motor() const {
  return std::any_of(machine_.joints.begin(), machine_.joints.end(), [](const PlaneJoint& j) {
    return j.kind == JointKind::motor && !j.limited_motor();
  });
}

/// What helps where a joint parts.
std::string Mechanism::parting_remedy() const {
  return has_endless_motor()
             ? "max_torque for the motor, which may drive it past the end of its reach; slower "
               "motors; a shorter step (--set mechanism.step_time=...)"
             : "a shorter step (--set mechanism.step_time=...), or less mass at long levers";
}

/// Why no forces hold the machine, with the joints that ask for endless ones.
std::string Mechanism::blocked_text(const Problem& problem, const Trouble& trouble) const {
  if (trouble.joints.empty() || !trouble.contacts.empty()) return trouble.why;
  std::vector<int> joints;
  for (const int j : trouble.joints)
    joints.push_back(machine_.joints[static_cast<std::size_t>(j)].joint);
  return fmt::format("{}: {}. Parts in a line between fixed points would need endless forces",
                     trouble.why, names_of(problem, joints));
}

std::string Mechanism::blocked_remedy(const Trouble& trouble) {
  if (trouble.contacts.empty())
    return "a part longer than its span, or one end that slides (point_on_line)";
  return "room between bodies that touch, or joints that leave them a way out of each other";
}

StepReport Mechanism::judge(const Problem& problem, const Motion& motion, const Advance& advance,
                            double time, Memory& memory) {
  StepReport report;
  memory.jam.clear();
  const bool blocked = advance.trouble.status == ForceStatus::contradictory;
  memory.still_for = slow(motion) || blocked ? memory.still_for + machine_.settings.step_time : 0.0;
  const auto name = [&](int i) {
    return i < 0 ? std::string("a joint") : problem.bodies[static_cast<std::size_t>(i)].name;
  };
  if (advance.parting >= 0) {
    const PlaneJoint& joint = machine_.joints[static_cast<std::size_t>(advance.parting)];
    report.status = RunStatus::stuck;
    report.body = std::max(joint.a.body, joint.b.body);
    report.why = fmt::format("the joint of {} can no longer be held", name(report.body));
    report.remedy = parting_remedy();
    return report;
  }
  if (advance.cramped.first >= 0) {
    report.status = RunStatus::stuck;
    report.body = std::max(advance.cramped.first, advance.cramped.second);
    report.why = fmt::format("joints and contacts leave no room between {} and {}",
                             name(advance.cramped.first), name(advance.cramped.second));
    report.remedy = parting_remedy();
    return report;
  }
  if (advance.stalled) {
    report.status = RunStatus::stuck;
    const bool bodies = advance.pair.first >= 0;
    report.why = bodies ? fmt::format("collisions of {} and {} follow each other without an end",
                                      name(advance.pair.first), name(advance.pair.second))
                        : "a rope or a joint's stop is met again and again without an end";
    report.remedy = bodies ? "more room between the two, or less restitution"
                           : "a shorter step (--set mechanism.step_time=...), or points of ropes "
                             "nearer to the bodies' centres";
    return report;
  }
  if (advance.trouble.status != ForceStatus::solved && !blocked) {
    report.status = RunStatus::stuck;
    report.why = "no forces were found: " + advance.trouble.why;
    report.remedy =
        "a shorter step (--set mechanism.step_time=...); less friction where bodies wedge "
        "(--set mechanism.friction=false tells whether it is that)";
    return report;
  }
  const double enough =
      std::max(machine_.settings.rest_time, kStillSteps * machine_.settings.step_time);
  if (!blocked && (memory.still_for < enough || !machine_.settings.end_at_rest)) return report;
  // what is still to come may set it free
  const bool to_come =
      std::any_of(problem.events.begin(), problem.events.end(), [&](const TimedEvent& e) {
        const auto* at = std::get_if<AtTime>(&e.when);
        return at != nullptr && at->time > time;
      });
  const auto driven = driven_bodies(machine_, motion, time);
  if (!driven.empty() && to_come && !blocked) return report;
  if (!driven.empty() && !blocked && sets_out(motion, time, memory.contacts, driven)) return report;
  if (!driven.empty())
    memory.jam = jam_contacts(machine_, motion, memory.contacts,
                              under_drive_alone(motion, time, memory.contacts), driven);
  if (!driven.empty() && (!memory.jam.empty() || blocked)) {
    report.status = RunStatus::jammed;
    report.why = "it stands still under load, held by " + jam_text(problem, advance, memory.jam);
    if (blocked && has_endless_motor())
      report.remedy = "max_torque for the motor: without it no forces hold what it drives";
    return report;
  }
  report.status = blocked ? RunStatus::stuck : RunStatus::rest;
  report.why = blocked ? blocked_text(problem, advance.trouble)
                       : fmt::format("nothing has moved for {:.3g} s", memory.still_for);
  if (blocked) report.remedy = blocked_remedy(advance.trouble);
  return report;
}

StepReport Mechanism::step(const Problem& problem, State& state) {
  const StageScope timed("step");
  const Memory& before = memory_of(state);
  auto memory = std::make_shared<Memory>(before);
  machine_.drags = memory->drags;
  Motion motion = motion_of(problem, state, before);
  stepper_->take_tally();
  const Advance advance =
      stepper_->advance(motion, memory->contacts, state.time, machine_.settings.step_time);
  state.time += advance.trouble.status == ForceStatus::contradictory ? machine_.settings.step_time
                                                                     : advance.time_taken;
  state.step += 1;
  const Dynamics::Drift drift = stepper_->dynamics().drift(motion);
  if (drift.relative > memory->worst_drift.relative) memory->worst_drift.relative = drift.relative;
  if (drift.absolute > memory->worst_drift.absolute) memory->worst_drift.absolute = drift.absolute;
  const SolveTally solves = stepper_->take_tally();
  memory->solves.add(solves);
  memory->step_residual = solves.worst_residual;
  memory->events = advance.events;
  memory->blows = advance.blows;
  put_back(motion, state, *memory);
  state.contacts = shown(motion, memory->contacts);
  const StepReport report = judge(problem, motion, advance, state.time, *memory);
  state.memory = memory;
  return report;
}

Audit Mechanism::audit(const Problem& problem, const State& state) {
  const Memory& memory = memory_of(state);
  const Motion motion = motion_of(problem, state, memory);
  Audit out;
  const double kinetic = kinetic_energy(machine_, motion);
  out.energy = potential_energy(machine_, motion) + kinetic;
  out.force_residual = out.torque_residual = kUnknown;
  for (const Touching& t : memory.contacts.touching) {
    const double gap = frame_of(t.feature, motion).gap;
    const double size = t.touch / machine_.settings.touch_gap;
    out.worst_gap = std::min(out.worst_gap, gap);
    out.worst_gap_relative = std::min(out.worst_gap_relative, gap / size);
  }
  out.series = {{"kinetic energy", kinetic},
                {"contacts", static_cast<double>(memory.contacts.touching.size())},
                {"events", static_cast<double>(memory.events)},
                {"blows", static_cast<double>(memory.blows)},
                {"joint drift", stepper_->dynamics().drift(motion).absolute},
                {"force residual", memory.step_residual}};
  return out;
}

Result<Done> Mechanism::apply(const Edit& edit, Problem& problem, State& state) {
  auto memory = std::make_shared<Memory>(memory_of(state));
  if (auto done = carry_out_edit(edit, problem, state, *memory); !done) return done;
  state.memory = memory;
  return Done{};
}

Json::Object Mechanism::facts(const Problem& problem, const State& state) {
  const Memory& memory = memory_of(state);
  Json::Object out = {{"joints", joints_fact(memory.worst_drift)},
                      {"forces", forces_fact(memory.solves)}};
  if (!memory.jam.empty()) out.emplace_back("jam", jam_fact(problem, memory.jam));
  return out;
}

std::vector<Promise> Mechanism::promises(const Problem&, const State& state) {
  const Memory& memory = memory_of(state);
  std::vector<Promise> out = {forces_promise(memory.solves)};
  if (!machine_.joints.empty()) out.push_back(joints_promise(memory.worst_drift));
  return out;
}

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return std::unique_ptr<Method>(std::make_unique<Mechanism>(*settings));
}

}  // namespace

MethodInfo method_info() {
  MethodInfo out{"mechanism",
                 "Moves machines of the plane: joints, motors, friction, impacts.",
                 settings_table().rows(),
                 make,
                 {EditKind::drag, EditKind::release, EditKind::join}};
  out.support = support();
  return out;
}

}  // namespace repose::mechanism
