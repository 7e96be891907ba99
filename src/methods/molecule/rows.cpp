#include "rows.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <tbb/parallel_for.h>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

namespace repose::molecule {

namespace {

/// Rows are made for gaps that close in a step, and for those below so many kept gaps.
constexpr double kRowWithin = 4.0;
/// What stands still comes no nearer than so many kept gaps a step.
constexpr double kStill = 1e-6;
/// Pairs that are looked at together.
constexpr std::size_t kChunk = 8192;

RowKey key_of(const Arena& arena, const PointPair& pair) {
  return {RowKey::points, arena.body_of[at(pair.i)], arena.body_of[at(pair.j)], pair.i, pair.j, 0};
}

RowKey key_of(const Arena& arena, const SolidPair& pair) {
  return {RowKey::solid, arena.body_of[at(pair.point)], pair.rigid, pair.point, pair.rigid,
          pair.piece};
}

/// Molecules that hold a third one between them are one material: they do not rub.
bool hold_a_third(const Arena& arena, int a, int b) {
  const std::span<const int> p = arena.joined(a), q = arena.joined(b);
  for (auto i = p.begin(), j = q.begin(); i != p.end() && j != q.end();) {
    if (*i == *j) return true;
    *i < *j ? ++i : ++j;
  }
  return false;
}

}  // namespace

void aim(Row& row, double h) {
  const double goal =
      row.gap >= row.keep ? row.keep : std::min(row.keep, row.gap + kRecovery * row.keep);
  row.target = (goal - row.gap) / h;
  // standing still is always good enough
  row.least = std::min(0.0, (0.5 * std::min(row.gap, row.keep) - row.gap) / h);
  // where thick skins are into each other already, nothing comes nearer but for rounding
  if (!(row.gap > 0.0)) row.least = -kStill * row.keep / h;
}

void weigh(const Arena& arena, const Motion& motion, Row& row) {
  double diagonal = 0.0;
  for (int k = 0; k < row.points; ++k)
    diagonal += row.weight[at(k)] * row.weight[at(k)] * arena.inverse_mass[at(row.point[at(k)])];
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.rigid[side] < 0) continue;
    diagonal += arena.rigids[at(row.rigid[side])].inverse_mass;
    diagonal +=
        row.turn[side].dot(motion.rigids[at(row.rigid[side])].inverse_inertia * row.turn[side]);
  }
  row.inverse_diagonal = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
}

double speed_of_solids(const Row& row, const std::vector<RigidMotion>& rigids) {
  double out = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.rigid[side] < 0) continue;
    const RigidMotion& rigid = rigids[at(row.rigid[side])];
    out += kSideSign[side] * row.normal.dot(rigid.velocity) + row.turn[side].dot(rigid.angular);
  }
  return out;
}

void push_solids(const Arena& arena, const Row& row, double impulse,
                 std::vector<RigidMotion>& rigids) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (row.rigid[side] < 0) continue;
    RigidMotion& rigid = rigids[at(row.rigid[side])];
    rigid.velocity +=
        (kSideSign[side] * arena.rigids[at(row.rigid[side])].inverse_mass * impulse) * row.normal;
    rigid.angular += rigid.inverse_inertia * (impulse * row.turn[side]);
  }
}

double speed(const Row& row, const Motion& motion) {
  double out = 0.0;
  for (int k = 0; k < row.points; ++k)
    out += row.weight[at(k)] * row.normal.dot(motion.v[at(row.point[at(k)])]);
  return out + speed_of_solids(row, motion.rigids);
}

void push(const Arena& arena, const Row& row, double impulse, Motion& motion) {
  for (int k = 0; k < row.points; ++k) {
    const auto i = at(row.point[at(k)]);
    motion.v[i] += (row.weight[at(k)] * arena.inverse_mass[i] * impulse) * row.normal;
  }
  push_solids(arena, row, impulse, motion.rigids);
}

Row point_row(const Arena& arena, const Motion& motion, const PointPair& pair,
              const RowSettings& s) {
  Row row;
  row.key = key_of(arena, pair);
  const Vec3 way = motion.x[at(pair.j)] - motion.x[at(pair.i)];
  const double length = way.norm();
  const double apart = arena.radius[at(pair.i)] + arena.radius[at(pair.j)];
  row.normal = way / length;
  row.points = 2;
  row.point = {pair.j, pair.i, 0, 0};
  row.weight = {1.0, -1.0, 0.0, 0.0};
  row.gap = length - apart;
  row.keep = s.contact_gap * apart;
  row.foot_lower = row.foot_upper =
      motion.x[at(pair.i)] + (arena.radius[at(pair.i)] + 0.5 * row.gap) * row.normal;
  const bool same = row.key.body_a == row.key.body_b;
  if (!same || !hold_a_third(arena, pair.i, pair.j))
    row.friction = std::min(arena.friction[at(pair.i)], arena.friction[at(pair.j)]);
  aim(row, s.h);
  return row;
}

Row spring_row(const Arena& arena, const Motion& motion, int spring, const RowSettings& s) {
  Row row;
  const Spring& joined = arena.springs[at(spring)];
  const int body = arena.body_of[at(joined.a)];
  row.key = {RowKey::spring, body, body, joined.a, joined.b, 0};
  const Vec3 way = motion.x[at(joined.b)] - motion.x[at(joined.a)];
  const double length = way.norm();
  row.normal = way / length;
  row.points = 2;
  row.point = {joined.b, joined.a, 0, 0};
  row.weight = {1.0, -1.0, 0.0, 0.0};
  row.gap = length - s.least_length * joined.length;
  row.keep = s.contact_gap * joined.length;
  aim(row, s.h);
  // a spring may be shorter for a while; it must not get much shorter still
  if (row.gap < row.keep) row.target = std::min(row.target, 0.0);
  return row;
}

Row solid_row(const Arena& arena, const Motion& motion, const SolidPair& pair,
              const RowSettings& s) {
  Row row;
  row.key = key_of(arena, pair);
  const Vec3& center = motion.x[at(pair.point)];
  const double radius = arena.radius[at(pair.point)];
  const Rigid& solid = arena.rigids[at(pair.rigid)];
  const RigidMotion& pose = motion.rigids[at(pair.rigid)];
  const Vec3 center_body = pose.world_from_body.inverse() * center;
  const collide::Plane plane = solid.obstacle->plane(center_body, pair.piece);
  row.normal = pose.world_from_body.turn(plane.normal);
  row.gap = plane.gap(center_body) - radius;
  row.keep = s.contact_gap * radius;
  row.foot_upper = center - radius * row.normal;
  row.foot_lower = row.foot_upper;
  row.points = 1;
  row.point[0] = pair.point;
  row.weight[0] = 1.0;
  row.friction = std::min(arena.friction[at(pair.point)], solid.friction);
  row.rigid[1] = pair.rigid;
  // the plane turns with the solid about its centre of mass: its speed is that at the ball's centre
  row.turn[1] = -(center - pose.center).cross(row.normal);
  aim(row, s.h);
  return row;
}

void rigid_rows(const Arena& arena, const Motion& motion, const rigid::RigidPair& pair,
                const RowSettings& s, std::vector<Row>& rows) {
  const Rigid &above = arena.rigids[at(pair.upper)], &below = arena.rigids[at(pair.lower)];
  const RigidMotion &moving = motion.rigids[at(pair.upper)], &under = motion.rigids[at(pair.lower)];
  Row row;
  row.normal = pair.parting.normal;
  row.rigid = {pair.upper, pair.lower};
  row.keep = s.contact_gap * std::min(above.reach, below.reach);
  row.friction = std::min(above.friction, below.friction);
  std::vector<rigid::Touch> touches;
  rigid::find_touches(arena.rigids, motion.rigids, pair, pair.needed + row.keep, touches);
  for (const rigid::Touch& touch : touches) {
    row.gap = touch.gap;
    // rows of one pair of solids stand together: their order is that of pieces and corners
    row.key = {RowKey::rigids,   above.body,       below.body,
               pair.upper_piece, pair.lower_piece, touch.corner};
    row.foot_upper = row.foot_lower = touch.point;
    row.turn[0] = (touch.point - moving.center).cross(row.normal);
    row.turn[1] = -(touch.point - under.center).cross(row.normal);
    aim(row, s.h);
    rows.push_back(row);
  }
}

namespace {

void add_rigid_rows(const Arena& arena, const Motion& motion, const Near& near,
                    const RowSettings& s, std::vector<Row>& rows) {
  const auto before = static_cast<std::ptrdiff_t>(rows.size());
  for (const rigid::RigidPair& pair : near.rigids) rigid_rows(arena, motion, pair, s, rows);
  std::sort(rows.begin() + before, rows.end(),
            [](const Row& p, const Row& q) { return p.key < q.key; });
}

/// What `make` answers for the pairs of a list, in the list's order.
template <class Pair, class Make>
void add_rows(const std::vector<Pair>& pairs, const Make& make, std::vector<Row>& out) {
  const auto chunk = [&](std::size_t c, std::vector<Row>& found) {
    const std::size_t last = std::min(pairs.size(), (c + 1) * kChunk);
    for (std::size_t p = c * kChunk; p < last; ++p)
      if (const std::optional<Row> row = make(pairs[p])) found.push_back(*row);
  };
  const std::size_t chunks = (pairs.size() + kChunk - 1) / kChunk;
  if (chunks == 1) return chunk(0, out);
  std::vector<std::vector<Row>> found(chunks);
  tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t c) { chunk(c, found[c]); });
  for (const auto& some : found) out.insert(out.end(), some.begin(), some.end());
}

/// The row of a pair whose gap is below what closes in a step at these velocities, and some kept
/// gaps more.
std::optional<Row> row_if_near(const Arena& arena, const Motion& motion, const PointList& list,
                               const PointPair& pair, const RowSettings& s, double extra) {
  const double apart = arena.radius[at(pair.i)] + arena.radius[at(pair.j)];
  const double squared = (motion.x[at(pair.j)] - motion.x[at(pair.i)]).squaredNorm();
  if (const double far = apart + list.needed; squared >= far * far) return std::nullopt;
  const double nearest = apart * (1.0 + extra * s.contact_gap);
  const double closing = s.h * (motion.v[at(pair.j)] - motion.v[at(pair.i)]).norm();
  const double reach = nearest + closing;
  if (squared >= reach * reach) return std::nullopt;
  return point_row(arena, motion, pair, s);
}

std::optional<Row> row_if_near(const Arena& arena, const Motion& motion, const SolidList& list,
                               const SolidPair& pair, const RowSettings& s, double extra) {
  if (list.is_far(pair)) return std::nullopt;
  const Row row = solid_row(arena, motion, pair, s);
  const Vec3 relative = motion.v[at(pair.point)] -
                        motion.rigids[at(pair.rigid)].velocity_at(motion.x[at(pair.point)]);
  if (row.gap >= s.h * relative.norm() + extra * row.keep) return std::nullopt;
  return row;
}

/// The same of a spring and its least length.
std::optional<Row> row_if_near(const Arena& arena, const Motion& motion, int spring,
                               const RowSettings& s, double extra) {
  const Ends& ends = arena.ends[at(spring)];
  const double rest = arena.rest_length[at(spring)];
  const double closing = s.h * (motion.v[at(ends.b)] - motion.v[at(ends.a)]).norm();
  const double reach = (s.least_length + extra * s.contact_gap) * rest + closing;
  const double squared = (motion.x[at(ends.b)] - motion.x[at(ends.a)]).squaredNorm();
  if (squared >= reach * reach) return std::nullopt;
  return spring_row(arena, motion, spring, s);
}

bool has_row(const std::vector<Row>& rows, const RowKey& key) {
  const auto found = std::lower_bound(rows.begin(), rows.end(), key,
                                      [](const Row& row, const RowKey& k) { return row.key < k; });
  return found != rows.end() && found->key == key;
}

}  // namespace

void make_rows(const Arena& arena, const Motion& motion, const Near& near,
               const std::vector<int>& pressed, const RowSettings& s, std::vector<Row>& rows) {
  const StageScope timed("make_rows");
  rows.clear();
  const auto add = [&](const auto& lists) {
    for (const auto* list : lists)
      add_rows(
          list->pairs,
          [&](const auto& pair) { return row_if_near(arena, motion, *list, pair, s, kRowWithin); },
          rows);
  };
  add(near.points);
  for (const int spring : pressed)
    if (const std::optional<Row> row = row_if_near(arena, motion, spring, s, kRowWithin))
      rows.push_back(*row);
  add(near.solids);
  add_rigid_rows(arena, motion, near, s, rows);
  for (Row& row : rows) weigh(arena, motion, row);
}

std::vector<Row> missed_rows(const Arena& arena, const Motion& motion, const Near& near,
                             const std::vector<int>& pressed, const std::vector<Row>& rows,
                             const RowSettings& s) {
  const StageScope timed("missed_rows");
  std::vector<Row> out;
  const auto is_missed = [&](const std::optional<Row>& row) {
    return row && speed(*row, motion) < row->least && !has_row(rows, row->key);
  };
  const auto collect = [&](const auto& lists) {
    for (const auto* list : lists)
      add_rows(
          list->pairs,
          [&](const auto& pair) {
            std::optional<Row> row = row_if_near(arena, motion, *list, pair, s, 1.0);
            if (!is_missed(row)) row.reset();
            return row;
          },
          out);
  };
  collect(near.points);
  for (const int spring : pressed)
    if (const std::optional<Row> row = row_if_near(arena, motion, spring, s, 1.0); is_missed(row))
      out.push_back(*row);
  collect(near.solids);
  std::vector<Row> between;
  add_rigid_rows(arena, motion, near, s, between);
  for (const Row& row : between)
    if (speed(row, motion) < row.least && !has_row(rows, row.key)) out.push_back(row);
  for (Row& row : out) weigh(arena, motion, row);
  return out;
}

}  // namespace repose::molecule
