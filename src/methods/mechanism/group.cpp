#include "group.h"

#include <algorithm>

#include "repose/base/at.h"
#include "repose/base/disjoint_sets.h"

namespace repose::mechanism {
namespace {

/// Ways are so many times what velocities and loads alone would make ...
constexpr double kWayRoom = 1.5;
/// ... and this share of the body's size in a whole step, so that what is touched may give way.
constexpr double kWayLeast = 0.01;

bool moves(const Machine& machine, int body) {
  return body >= 0 && machine.bodies[at(body)].moves();
}

collide::Box2 box_about(const std::vector<PlacedPart>& parts) {
  collide::Box2 out = parts.front().box;
  for (const PlacedPart& part : parts) {
    out.low = out.low.cwiseMin(part.box.low);
    out.high = out.high.cwiseMax(part.box.high);
  }
  return out;
}

bool come_near(const PlacedBodies& placed, const collide::IndexPair& pair, double within,
               PairMemory& memory) {
  const auto &parts_a = placed.parts[at(pair.first)], &parts_b = placed.parts[at(pair.second)];
  for (std::size_t i = 0; i < parts_a.size(); ++i)
    for (std::size_t j = 0; j < parts_b.size(); ++j) {
      const PlacedPart &a = parts_a[i], &b = parts_b[j];
      if (!boxes_near(a.box, b.box, within)) continue;
      if (memory.apart(pair.first, static_cast<int>(i), a, pair.second, static_cast<int>(j), b,
                       within))
        continue;
      if (gap_between(a, b).gap <= within) return true;
    }
  return false;
}

/// Joints, loads and pairs go to the groups of their bodies that move.
class Sharing {
 public:
  Sharing(const Machine& machine, const Group& parent, std::span<const collide::IndexPair> near)
      : machine_(machine), sets_(static_cast<int>(machine.bodies.size())) {
    for (const int j : parent.joints)
      together(machine.joints[at(j)].a.body, machine.joints[at(j)].b.body);
    for (const int k : parent.loads)
      together(machine.loads[at(k)].a.body, machine.loads[at(k)].b.body);
    for (const collide::IndexPair& pair : near) together(pair.first, pair.second);
    place_.assign(machine.bodies.size(), -1);
    for (const int i : parent.bodies) {
      int& place = place_[at(sets_.name_of(i))];
      if (place < 0) {
        place = static_cast<int>(groups_.size());
        groups_.emplace_back();
      }
      groups_[at(place)].bodies.push_back(i);
    }
    if (groups_.empty()) groups_.emplace_back();
  }

  /// What holds nothing that moves is the first group's.
  Group& of(int a, int b) {
    if (moves(machine_, a)) return groups_[at(place_[at(sets_.name_of(a))])];
    if (moves(machine_, b)) return groups_[at(place_[at(sets_.name_of(b))])];
    return groups_.front();
  }
  std::vector<Group> take() { return std::move(groups_); }

 private:
  void together(int a, int b) {
    if (moves(machine_, a) && moves(machine_, b)) sets_.join(a, b);
  }

  const Machine& machine_;
  DisjointSets sets_;
  std::vector<int> place_;  // by name of a set
  std::vector<Group> groups_;
};

/// Where the rows of a parent's joint begin among the parent's own.
std::vector<int> rows_before(const Group& parent, const std::vector<int>& first_row) {
  std::vector<int> out{0};
  for (const int j : parent.joints)
    out.push_back(out.back() + first_row[at(j) + 1] - first_row[at(j)]);
  return out;
}

/// Calls use(row of the parent, row of the group) for every row of the group's joints.
template <class Use>
void match_rows(const Group& parent, const Group& group, const std::vector<int>& first_row,
                const Use& use) {
  const std::vector<int> before = rows_before(parent, first_row);
  std::size_t mine = 0;
  for (const int j : group.joints) {
    const auto found = std::lower_bound(parent.joints.begin(), parent.joints.end(), j);
    const auto place = static_cast<std::size_t>(found - parent.joints.begin());
    for (int r = before[place]; r < before[place + 1]; ++r) use(at(r), mine++);
  }
}

std::size_t row_count(const Group& group, const std::vector<int>& first_row) {
  return at(rows_before(group, first_row).back());
}

}  // namespace

Group whole_of(const Machine& machine) {
  Group out;
  for (int i = 0; i < static_cast<int>(machine.bodies.size()); ++i)
    if (moves(machine, i)) out.bodies.push_back(i);
  for (int j = 0; j < static_cast<int>(machine.joints.size()); ++j) out.joints.push_back(j);
  for (int k = 0; k < static_cast<int>(machine.loads.size()); ++k) out.loads.push_back(k);
  return out;
}

std::vector<Group> find_groups(const Machine& machine, const Group& parent,
                               std::span<const collide::IndexPair> near) {
  Sharing sharing(machine, parent, near);
  for (const int j : parent.joints)
    sharing.of(machine.joints[at(j)].a.body, machine.joints[at(j)].b.body).joints.push_back(j);
  for (const int k : parent.loads)
    sharing.of(machine.loads[at(k)].a.body, machine.loads[at(k)].b.body).loads.push_back(k);
  for (const collide::IndexPair& pair : near)
    sharing.of(pair.first, pair.second).pairs.push_back(pair);
  return sharing.take();
}

void expected_ways(const Machine& machine, const Group& group, const Motion& motion, double time,
                   double step, std::vector<Plane3>& forces, std::vector<double>& out) {
  external_forces(machine, group, motion, time, forces);
  out.resize(machine.bodies.size(), 0.0);
  const bool second = machine.settings.order == Order::second;
  for (const int b : group.bodies) {
    const PlaneBody& body = machine.bodies[at(b)];
    const auto size = [&](const Plane3& v) {
      return v.head<2>().norm() + std::fabs(v.z()) * body.reach;
    };
    const Plane3& force = forces[at(b)];
    const double change = size(
        {body.inverse[0] * force.x(), body.inverse[1] * force.y(), body.inverse[2] * force.z()});
    const double speed = size(motion.rate[at(b)]);
    const double way = step * (second ? speed + step * change : std::max(speed, change));
    out[at(b)] = kWayRoom * way + kWayLeast * body.size * step / machine.settings.step_time;
  }
}

void NearPairs::choose(const Machine& machine, std::span<const collide::IndexPair> pairs,
                       const PlacedBodies& placed, const std::vector<double>& ways,
                       PairMemory& memory, std::vector<collide::IndexPair>& out) {
  out.clear();
  for (const collide::IndexPair& pair : pairs) {
    const double within = ways[at(pair.first)] + ways[at(pair.second)] +
                          kTouchReach * machine.touch(pair.first, pair.second);
    if (std::isinf(within) || come_near(placed, pair, within, memory)) out.push_back(pair);
  }
}

void NearPairs::find(const Machine& machine, const PlacedBodies& placed,
                     const std::vector<double>& ways, PairMemory& memory,
                     std::vector<collide::IndexPair>& out) {
  if (std::any_of(ways.begin(), ways.end(), [](double way) { return std::isinf(way); }))
    return choose(machine, all_pairs(machine), placed, ways, memory, out);
  boxes_.resize(machine.bodies.size());
  for (std::size_t i = 0; i < boxes_.size(); ++i) {
    boxes_[i] = box_about(placed.parts[i]);
    const double grow = ways[i] + kTouchReach * machine.settings.touch_gap * machine.bodies[i].size;
    boxes_[i].low.array() -= grow;
    boxes_[i].high.array() += grow;
  }
  choose(machine, finder_.find(machine, boxes_), placed, ways, memory, out);
}

Contacts part_of(const Contacts& contacts, const Group& parent, const Group& group,
                 const std::vector<int>& first_row) {
  Contacts out;
  const auto of_group = [&](int body) {
    return std::binary_search(group.bodies.begin(), group.bodies.end(), body);
  };
  for (const Touching& t : contacts.touching)
    if (of_group(t.feature.point_body) || of_group(t.feature.side_body)) out.touching.push_back(t);
  for (const MetStop& s : contacts.stops)
    if (std::binary_search(group.joints.begin(), group.joints.end(), s.joint))
      out.stops.push_back(s);
  if (contacts.joint_states.size() != row_count(parent, first_row)) return out;
  match_rows(parent, group, first_row, [&](std::size_t from, std::size_t) {
    out.joint_states.push_back(contacts.joint_states[from]);
    out.joint_forces.push_back(contacts.joint_forces[from]);
  });
  return out;
}

void add_part(const Contacts& part, const Group& group, const Group& parent,
              const std::vector<int>& first_row, Contacts& all) {
  all.touching.insert(all.touching.end(), part.touching.begin(), part.touching.end());
  all.stops.insert(all.stops.end(), part.stops.begin(), part.stops.end());
  all.joint_states.resize(row_count(parent, first_row), RowState::unknown);
  all.joint_forces.resize(all.joint_states.size(), 0.0);
  if (part.joint_states.size() != row_count(group, first_row)) return;
  match_rows(parent, group, first_row, [&](std::size_t to, std::size_t from) {
    all.joint_states[to] = part.joint_states[from];
    all.joint_forces[to] = part.joint_forces[from];
  });
}

void finish_contacts(Contacts& all) {
  const auto pair_of = [](const Touching& t) {
    return std::minmax(t.feature.point_body, t.feature.side_body);
  };
  std::stable_sort(all.touching.begin(), all.touching.end(),
                   [&](const Touching& x, const Touching& y) {
                     const auto [x0, x1] = pair_of(x);
                     const auto [y0, y1] = pair_of(y);
                     return x0 != y0 ? x0 < y0 : x1 < y1;
                   });
  std::stable_sort(all.stops.begin(), all.stops.end(),
                   [](const MetStop& x, const MetStop& y) { return x.joint < y.joint; });
}

}  // namespace repose::mechanism
