#include "motion.h"

#include "repose/base/at.h"

namespace repose::molecule {

Motion read_motion(const Arena& arena, const State& state) {
  Motion out;
  out.x.reserve(arena.mass.size());
  out.v.reserve(arena.mass.size());
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    if (arena.first_point[b] == arena.first_point[b + 1]) continue;
    const SoftState& soft = state.bodies[b].soft;
    out.x.insert(out.x.end(), soft.positions.begin(), soft.positions.end());
    out.v.insert(out.v.end(), soft.velocities.begin(), soft.velocities.end());
  }
  for (std::size_t i = 0; i < out.v.size(); ++i)
    if (arena.inverse_mass[i] == 0.0) out.v[i].setZero();
  for (const Rigid& rigid : arena.rigids)
    out.rigids.push_back(rigid::motion_of(rigid, state.bodies[at(rigid.body)]));
  return out;
}

void write_motion(const Arena& arena, const Motion& motion, State& state) {
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const int first = arena.first_point[b], last = arena.first_point[b + 1];
    bool moves = false;
    for (int i = first; i < last; ++i) moves |= arena.inverse_mass[at(i)] > 0.0;
    if (!moves) continue;
    SoftState& soft = state.bodies[b].soft;
    soft.positions = std::vector<Vec3>(motion.x.begin() + first, motion.x.begin() + last);
    soft.velocities = std::vector<Vec3>(motion.v.begin() + first, motion.v.begin() + last);
  }
  for (std::size_t r = 0; r < arena.rigids.size(); ++r)
    rigid::write(arena.rigids[r], motion.rigids[r], state.bodies[at(arena.rigids[r].body)]);
}

double kinetic_energy(const Arena& arena, const Motion& motion) {
  double out = 0.0;
  for (std::size_t i = 0; i < motion.v.size(); ++i)
    if (arena.inverse_mass[i] > 0.0) out += 0.5 * arena.mass[i] * motion.v[i].squaredNorm();
  for (std::size_t r = 0; r < arena.rigids.size(); ++r)
    if (arena.rigids[r].is_free()) out += kinetic_energy(arena.rigids[r], motion.rigids[r]);
  return out;
}

double gravity_energy(const Arena& arena, const Motion& motion) {
  double out = 0.0;
  for (std::size_t i = 0; i < motion.x.size(); ++i)
    if (arena.inverse_mass[i] > 0.0) out -= arena.mass[i] * arena.gravity.dot(motion.x[i]);
  for (std::size_t r = 0; r < arena.rigids.size(); ++r)
    if (arena.rigids[r].inverse_mass > 0.0)
      out -= arena.gravity.dot(motion.rigids[r].center) / arena.rigids[r].inverse_mass;
  return out;
}

std::array<int, 2> bodies_of(const Arena& arena, const Row& row) {
  std::array<int, 2> out{-1, -1};
  for (int k = 0; k < row.points; ++k)
    out[row.weight[at(k)] > 0.0 ? 1 : 0] = arena.body_of[at(row.point[at(k)])];
  for (std::size_t side = 0; side < 2; ++side)
    if (row.rigid[side] >= 0) out[1 - side] = arena.rigids[at(row.rigid[side])].body;
  return out;
}

std::vector<Contact> contacts_of(const Arena& arena, const std::vector<Row>& rows, double h) {
  std::vector<Contact> out;
  for (const Row& row : rows) {
    if (!(row.impulse > 0.0) || row.key.kind == RowKey::spring) continue;
    const auto [lower, upper] = bodies_of(arena, row);
    if (lower == upper) continue;
    Contact contact;
    contact.body_a = lower;
    contact.body_b = upper;
    contact.point_world = 0.5 * (row.foot_upper + row.foot_lower);
    contact.normal_a_to_b = row.normal;
    contact.gap = row.gap;
    contact.force_on_b = (row.impulse * row.normal + row.drag) / h;
    out.push_back(contact);
  }
  return out;
}

}  // namespace repose::molecule
