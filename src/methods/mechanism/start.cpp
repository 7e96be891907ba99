#include "start.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/fault.h"

namespace repose::mechanism {
namespace {

/// An overlap or an open joint up to this share of size is rounding of the scene's numbers.
constexpr double kSceneRounding = 1e-6;
/// After correction nothing may be left above this share.
constexpr double kCorrected = 1e-9;
constexpr int kRounds = 40;

std::string joint_name(const Problem& problem, int joint) {
  const Joint& j = problem.joints[static_cast<std::size_t>(joint)];
  if (!j.name.empty()) return j.name;
  return fmt::format("{} of {} and {}", name_of(j.kind), j.body_a,
                     j.body_b.empty() ? "the world" : j.body_b);
}

struct Overlap {
  double depth = 0.0;  // m
  double relative = 0.0;
  int a = -1, b = -1;
};

Overlap worst_overlap(const Machine& machine, const Stepper& stepper, const Motion& motion,
                      const Contacts& contacts) {
  // a bar across another has no corner in it, and no contact
  const Stepper::Crossing crossing = stepper.worst_crossing();
  Overlap out{crossing.depth, crossing.relative, crossing.a, crossing.b};
  for (const Touching& t : contacts.touching) {
    const double depth = -frame_of(t.feature, motion).gap;
    const int a = t.feature.point_body, b = t.feature.side_body;
    const double size = machine.touch(a, b) / machine.settings.touch_gap;
    if (depth <= out.relative * size) continue;
    out = {depth, depth / size, std::min(a, b), std::max(a, b)};
  }
  // the one that moves is the one to put elsewhere
  const auto moves = [&](int i) { return machine.bodies[static_cast<std::size_t>(i)].moves(); };
  if (out.a >= 0 && !moves(out.a) && moves(out.b)) std::swap(out.a, out.b);
  return out;
}

/// Joints whose error of place is above `share` of their size, or of velocity above `speed`.
std::vector<int> open_joints(const Machine& machine, const Motion& motion, double share,
                             double speed) {
  std::vector<int> out;
  std::vector<Row> rows;
  for (const PlaneJoint& joint : machine.joints) {
    rows.clear();
    joint_rows(joint, motion, rows);
    for (const Row& row : rows) {
      const bool turn = row.row.part_a[0] == 0.0 && row.row.part_a[1] == 0.0;
      const double scale = turn ? 1.0 : joint.scale;
      const bool place_open = std::fabs(row.value) > share * scale;
      const bool rate_open = !joint.limited_motor() && std::fabs(row.rate) > speed * scale;
      if ((place_open || rate_open) && (out.empty() || out.back() != joint.joint))
        out.push_back(joint.joint);
    }
  }
  return out;
}

/// Two bodies that touch though a joint among these holds one of them; -1 where there are none.
collide::IndexPair held_against(const Problem& problem, const Contacts& contacts,
                                const std::vector<int>& joints) {
  for (const Touching& t : contacts.touching)
    for (const int j : joints) {
      const Joint& joint = problem.joints[static_cast<std::size_t>(j)];
      for (const int body : {t.feature.point_body, t.feature.side_body}) {
        const std::string& name = problem.bodies[static_cast<std::size_t>(body)].name;
        if (name == joint.body_a || name == joint.body_b)
          return {t.feature.point_body, t.feature.side_body};
      }
    }
  return {-1, -1};
}

InputError joints_do_not_hold(const Problem& problem, const Machine& machine,
                              const Contacts& contacts, const std::vector<int>& joints) {
  const auto [a, b] = held_against(problem, contacts, joints);
  const std::string place = fmt::format("/joints/{}", joints.front());
  const std::string names = names_of(problem, joints);
  if (a < 0)
    return fault(place, names, "these joints contradict each other or the bodies they hold",
                 "joints that can hold together");
  const auto name = [&](int i) { return problem.bodies[static_cast<std::size_t>(i)].name; };
  return fault(place, names,
               fmt::format("these joints leave no room between '{}' and '{}', which touch", name(a),
                           name(b)),
               fmt::format("{:.2g} m or more between them, or other layers", machine.touch(a, b)));
}

Result<Done> check_as_given(const Problem& problem, const Machine& machine, const Stepper& stepper,
                            const Motion& motion, const Contacts& contacts) {
  const Overlap overlap = worst_overlap(machine, stepper, motion, contacts);
  if (overlap.relative > kSceneRounding) {
    const auto name = [&](int i) { return problem.bodies[static_cast<std::size_t>(i)].name; };
    return fault(
        fmt::format("/bodies/{}", overlap.a), name(overlap.a),
        fmt::format("overlaps '{}' at the start by {:.3g} m", name(overlap.b), overlap.depth),
        "bodies apart, other layers, or \"repair_start\": true in \"method\" (--set "
        "mechanism.repair_start=true), which moves them apart");
  }
  constexpr double kAnySpeed = kNoLimit;
  const auto open = open_joints(machine, motion, kSceneRounding, kAnySpeed);
  if (!open.empty())
    return fault(
        fmt::format("/joints/{}", open.front()), names_of(problem, open),
        "the joint's points do not meet at the start",
        "points that meet, or \"repair_start\": true in \"method\", which brings them together");
  return Done{};
}

}  // namespace

std::string names_of(const Problem& problem, const std::vector<int>& joints) {
  std::string out;
  for (const int j : joints) out += (out.empty() ? "" : ", ") + joint_name(problem, j);
  return out;
}

Result<Done> make_start_hold(const Problem& problem, const Machine& machine, Stepper& stepper,
                             Motion& motion, Contacts& contacts) {
  contacts = stepper.look(motion, contacts);
  if (!machine.settings.repair_start)
    if (auto done = check_as_given(problem, machine, stepper, motion, contacts); !done) return done;
  for (int round = 0; round < kRounds; ++round) {
    stepper.dynamics().correct_places(motion, contacts, true);
    contacts = stepper.look(motion, contacts);
    const bool apart = worst_overlap(machine, stepper, motion, contacts).relative <= 0.0;
    if (apart && stepper.dynamics().drift(motion).relative <= kCorrected) break;
  }
  auto left = open_joints(machine, motion, kCorrected, kNoLimit);
  if (left.empty()) {
    stepper.dynamics().settle_rates(motion, contacts);
    double fastest = 0.0;
    for (std::size_t i = 0; i < motion.rate.size(); ++i)
      fastest = std::max({fastest, motion.rate[i].head<2>().norm() / machine.bodies[i].size,
                          std::fabs(motion.rate[i].z())});
    for (const PlaneJoint& j : machine.joints) fastest = std::max(fastest, std::fabs(j.speed));
    if (machine.settings.order == Order::second)
      left = open_joints(machine, motion, kNoLimit, kSceneRounding * fastest);
  }
  if (!left.empty()) return joints_do_not_hold(problem, machine, contacts, left);
  const Overlap overlap = worst_overlap(machine, stepper, motion, contacts);
  if (overlap.relative > kCorrected) {
    const auto name = [&](int i) { return problem.bodies[static_cast<std::size_t>(i)].name; };
    return fault(fmt::format("/bodies/{}", overlap.a), name(overlap.a),
                 fmt::format("overlaps '{}' by {:.3g} m and cannot be moved apart", name(overlap.b),
                             overlap.depth),
                 "bodies with room between them");
  }
  return Done{};
}

}  // namespace repose::mechanism
