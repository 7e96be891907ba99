#include "jam.h"

#include <algorithm>

#include <fmt/format.h>

namespace repose::mechanism {
namespace {

/// A motor lacks speed if it misses this share of it.
constexpr double kLack = 1e-3;
/// A drag is slack below this share of what the body weighs or could be pulled with.
constexpr double kSlack = 1e-6;
/// Forces below this share of the largest are none.
constexpr double kCarries = 1e-6;

}  // namespace

std::vector<int> driven_bodies(const Machine& machine, const Motion& motion, double time) {
  std::vector<int> out;
  std::vector<Row> rows;
  for (const PlaneJoint& j : machine.joints) {
    if (j.kind != JointKind::motor) continue;
    rows.clear();
    joint_rows(j, motion, rows);
    if (std::fabs(rows[0].rate) > kLack * std::fabs(j.speed)) out.push_back(j.a.body);
  }
  for (const Load& load : machine.loads)
    if (load.kind == Load::Kind::push && load.force.norm() > 0.0) out.push_back(load.a.body);
  for (const Drag& d : machine.drags) {
    const double pull = d.stiffness * (d.handle(time) - placed(d.point, motion).at).norm();
    const double weight =
        machine.bodies[static_cast<std::size_t>(d.point.body)].mass * machine.gravity.norm();
    if (pull > kSlack * std::max(weight, d.stiffness * machine.length)) out.push_back(d.point.body);
  }
  std::erase_if(out, [&](int i) { return !machine.bodies[static_cast<std::size_t>(i)].moves(); });
  return out;
}

std::vector<JamContact> jam_contacts(const Machine& machine, const Motion& motion,
                                     const Contacts& contacts, const Contacts& under_drive,
                                     const std::vector<int>& driven) {
  double strongest = 0.0;
  for (const Touching& t : under_drive.touching) strongest = std::max(strongest, t.normal);
  std::vector<char> reached(machine.bodies.size(), 0);
  for (const int i : driven) reached[static_cast<std::size_t>(i)] = 1;
  const auto spreads = [&](int a, int b) {
    if (a < 0 || b < 0) return false;
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    const bool before = reached[i] != 0 && reached[j] != 0;
    if (reached[i] != 0 && machine.bodies[j].moves()) reached[j] = 1;
    if (reached[j] != 0 && machine.bodies[i].moves()) reached[i] = 1;
    return !before && reached[i] != 0 && reached[j] != 0;
  };
  const auto carries = [&](const Touching& t) {
    return strongest > 0.0 && t.normal > kCarries * strongest;
  };
  for (bool more = true; more;) {
    more = false;
    for (const PlaneJoint& j : machine.joints)
      if (j.kind != JointKind::spring) more = spreads(j.a.body, j.b.body) || more;
    for (const Touching& t : under_drive.touching)
      if (carries(t)) more = spreads(t.feature.point_body, t.feature.side_body) || more;
  }
  std::vector<JamContact> out;
  for (std::size_t c = 0; c < contacts.touching.size(); ++c) {
    const Touching& t = contacts.touching[c];
    if (!carries(under_drive.touching[c]) || !(t.normal > 0.0)) continue;
    const auto a = static_cast<std::size_t>(t.feature.side_body),
               b = static_cast<std::size_t>(t.feature.point_body);
    if (reached[a] == 0 && reached[b] == 0) continue;
    const ContactFrame frame = frame_of(t.feature, motion);
    out.push_back({t.feature.side_body, t.feature.point_body, frame.point,
                   t.normal * frame.normal + t.friction * left_of(frame.normal)});
  }
  return out;
}

Json jam_fact(const Problem& problem, const std::vector<JamContact>& jam) {
  Json::Array contacts, forces;
  const auto name = [&](int i) { return problem.bodies[static_cast<std::size_t>(i)].name; };
  for (const JamContact& c : jam) {
    contacts.push_back(
        Json::Object{{"body_a", name(c.body_a)},
                     {"body_b", name(c.body_b)},
                     {"point", Json::Array{known(c.point.x()), known(c.point.y())}}});
    forces.push_back(Json::Array{known(c.force_on_b.x()), known(c.force_on_b.y())});
  }
  return Json::Object{{"contacts", std::move(contacts)}, {"forces", std::move(forces)}};
}

}  // namespace repose::mechanism
