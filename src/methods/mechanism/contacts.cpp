#include "contacts.h"

#include <algorithm>
#include <optional>

#include "repose/base/stage_clock.h"
#include "repose/collide/grid_pairs.h"
#include "repose/collide/sweep_pairs.h"

namespace repose::mechanism {
namespace {

/// Indices, the smaller first.
bool may_meet(const Machine& machine, const collide::IndexPair& pair) {
  const PlaneBody &a = machine.bodies[static_cast<std::size_t>(pair.first)],
                  &b = machine.bodies[static_cast<std::size_t>(pair.second)];
  return a.layer == b.layer && a.collides && b.collides && (a.moves() || b.moves()) &&
         !std::binary_search(machine.passing.begin(), machine.passing.end(), pair);
}

Touching touching(const Machine& machine, const Feature& feature) {
  const PlaneBody &a = machine.bodies[static_cast<std::size_t>(feature.point_body)],
                  &b = machine.bodies[static_cast<std::size_t>(feature.side_body)];
  Touching out;
  out.feature = feature;
  out.touch = machine.touch(feature.point_body, feature.side_body);
  out.mu = machine.settings.friction ? std::min(a.friction, b.friction) : 0.0;
  out.restitution = std::max(a.restitution, b.restitution);
  return out;
}

/// Parts of one body may meet a seam of the other twice in the same place.
void drop_doubles(const Machine& machine, const Motion& motion, std::size_t first,
                  std::vector<Touching>& all) {
  for (std::size_t i = first; i < all.size(); ++i) {
    const ContactFrame fi = frame_of(all[i].feature, motion);
    const double near =
        kTouchReach * machine.touch(all[i].feature.point_body, all[i].feature.side_body);
    for (std::size_t j = all.size(); j-- > i + 1;) {
      const ContactFrame fj = frame_of(all[j].feature, motion);
      constexpr double kAlike = 0.999;
      const double sign = all[i].feature.point_body == all[j].feature.point_body ? 1.0 : -1.0;
      if ((fi.point - fj.point).norm() <= near && sign * fi.normal.dot(fj.normal) > kAlike)
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(j));
    }
  }
}

void recall(const Contacts& before, Contacts& now) {
  static thread_local std::vector<std::pair<std::uint64_t, std::size_t>> known;
  known.clear();
  for (std::size_t i = 0; i < before.touching.size(); ++i)
    known.emplace_back(before.touching[i].feature.key, i);
  std::sort(known.begin(), known.end());
  for (Touching& t : now.touching) {
    const auto at =
        std::lower_bound(known.begin(), known.end(), std::pair{t.feature.key, std::size_t{0}});
    if (at == known.end() || at->first != t.feature.key) continue;
    const Touching& old = before.touching[at->second];
    t.normal_state = old.normal_state;
    t.friction_state = old.friction_state;
    t.normal = old.normal;
    t.friction = old.friction;
    t.slip = old.slip;
    t.sticks = old.sticks;
  }
  for (MetStop& s : now.stops)
    for (const MetStop& old : before.stops)
      if (old.joint == s.joint && old.which == s.which) {
        s.state = old.state;
        s.force = old.force;
      }
  now.joint_states = before.joint_states;
  now.joint_forces = before.joint_forces;
}

void find_stops(const Machine& machine, const Motion& motion, std::span<const int> joints,
                std::vector<MetStop>& out) {
  static thread_local std::vector<Row> rows;
  for (const int j : joints) {
    const PlaneJoint& joint = machine.joints[static_cast<std::size_t>(j)];
    rows.clear();
    stop_rows(joint, motion, rows);
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (rows[k].value <= kStopReach * joint.scale) out.push_back({j, static_cast<int>(k)});
  }
}

void place_body(const PlaneBody& body, const Plane3& where, std::vector<PlacedPart>& parts) {
  parts.resize(body.parts.size());
  std::optional<Turn> turn;  // of all parts
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (parts[k].stands(body.parts[k], where)) continue;
    if (!turn) turn.emplace(where.z());
    parts[k].place(body.parts[k], where, *turn);
  }
}

}  // namespace

void PlacedBodies::place(const Machine& machine, const Motion& motion) {
  parts.resize(machine.bodies.size());
  for (std::size_t i = 0; i < parts.size(); ++i)
    place_body(machine.bodies[i], motion.place[i], parts[i]);
}

void PlacedBodies::place(const Machine& machine, const Motion& motion,
                         std::span<const int> bodies) {
  for (const int body : bodies) {
    const auto i = static_cast<std::size_t>(body);
    place_body(machine.bodies[i], motion.place[i], parts[i]);
  }
}

bool boxes_near(const collide::Box2& a, const collide::Box2& b, double within) {
  return a.low.x() - b.high.x() <= within && b.low.x() - a.high.x() <= within &&
         a.low.y() - b.high.y() <= within && b.low.y() - a.high.y() <= within;
}

Contacts find_contacts(const Machine& machine, const Motion& motion, const PlacedBodies& placed,
                       std::span<const collide::IndexPair> pairs, std::span<const int> joints,
                       const Contacts& before, PairMemory& memory, collide::IndexPair forced) {
  const StageScope timed("find_contacts");
  Contacts out;
  static thread_local std::vector<Feature> features;
  for (const collide::IndexPair& pair : pairs) {
    const auto a = static_cast<std::size_t>(pair.first), b = static_cast<std::size_t>(pair.second);
    const double within = kTouchReach * machine.touch(pair.first, pair.second);
    const bool asked = pair == forced;
    features.clear();
    for (std::size_t i = 0; i < placed.parts[a].size(); ++i)
      for (std::size_t j = 0; j < placed.parts[b].size(); ++j) {
        const PlacedPart &pa = placed.parts[a][i], &pb = placed.parts[b][j];
        const int part_a = static_cast<int>(i), part_b = static_cast<int>(j);
        if (!boxes_near(pa.box, pb.box, within)) continue;
        if (!asked && memory.apart(pair.first, part_a, pa, pair.second, part_b, pb, within))
          continue;
        find_features(pair.first, part_a, pa, pair.second, part_b, pb, within, asked, features);
      }
    const std::size_t first = out.touching.size();
    for (const Feature& f : features) out.touching.push_back(touching(machine, f));
    if (out.touching.size() > first + 1) drop_doubles(machine, motion, first, out.touching);
  }
  find_stops(machine, motion, joints, out.stops);
  recall(before, out);
  return out;
}

std::vector<collide::IndexPair> all_pairs(const Machine& machine) {
  std::vector<collide::IndexPair> out;
  for (std::size_t i = 0; i < machine.bodies.size(); ++i)
    for (std::size_t j = i + 1; j < machine.bodies.size(); ++j) {
      const collide::IndexPair pair(static_cast<int>(i), static_cast<int>(j));
      if (may_meet(machine, pair)) out.push_back(pair);
    }
  return out;
}

struct PairFinder::Work {
  collide::SweepPairs sweep;
  collide::GridPairs grid;
  std::vector<collide::IndexPair> pairs;
};

PairFinder::PairFinder() : work_(std::make_unique<Work>()) {}
PairFinder::~PairFinder() = default;
PairFinder::PairFinder(PairFinder&&) noexcept = default;
PairFinder& PairFinder::operator=(PairFinder&&) noexcept = default;

std::span<const collide::IndexPair> PairFinder::find(const Machine& machine,
                                                     const std::vector<collide::Box2>& boxes) {
  const StageScope timed("find_pairs");
  const std::vector<collide::IndexPair>* all = nullptr;
  if (machine.settings.broad_phase == BroadPhase::grid) {
    work_->grid.update(boxes);
    all = &work_->grid.pairs();
  } else {
    work_->sweep.update(boxes);
    all = &work_->sweep.pairs();
  }
  work_->pairs.clear();
  for (const collide::IndexPair& pair : *all)
    if (may_meet(machine, pair)) work_->pairs.push_back(pair);
  std::sort(work_->pairs.begin(), work_->pairs.end());
  return work_->pairs;
}

}  // namespace repose::mechanism
