#include "separations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

#include "touch_points.h"

namespace repose::pile {
namespace {

constexpr int kBlock = 256;  // movers handled as one task, whatever the number of threads
constexpr int kPieceBlock = 8;
/// A ball about pieces stands for them where all is farther from it than this share of its radius.
constexpr double kBallTells = 0.5;

/// Movers sorted by the cell of a uniform grid.
struct Buckets {
  double cell = 1.0;
  std::vector<std::array<int, 3>> cell_of;            // by mover
  std::vector<std::pair<std::uint64_t, int>> sorted;  // (cell key, mover)

  static std::uint64_t key(int x, int y, int z) {
    constexpr std::uint64_t kBias = 1ULL << 20, kMask = (1ULL << 21) - 1;
    const auto bits = [](int v) { return (static_cast<std::uint64_t>(v) + kBias) & kMask; };
    return bits(x) << 42 | bits(y) << 21 | bits(z);
  }
};

/// Cells as wide as two bodies; wider where the bodies are spread so far that a key could not tell
/// their cells apart.
double cell_for(std::span<const Vec3> centers, double widest) {
  constexpr double kMostCells = 1 << 19;  // from the origin along an axis
  double farthest = 0.0;
  for (const Vec3& center : centers)
    farthest = std::max(farthest, center.lpNorm<Eigen::Infinity>());
  return std::max(2.0 * widest, farthest / kMostCells);
}

Buckets fill_buckets(std::span<const Vec3> centers, double cell) {
  Buckets out;
  out.cell = cell;
  out.cell_of.resize(centers.size());
  out.sorted.resize(centers.size());
  for (std::size_t i = 0; i < centers.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      out.cell_of[i][k] = static_cast<int>(std::floor(centers[i][k] / cell));
    const auto& c = out.cell_of[i];
    out.sorted[i] = {Buckets::key(c[0], c[1], c[2]), static_cast<int>(i)};
  }
  std::sort(out.sorted.begin(), out.sorted.end());
  return out;
}

/// Where the balls about the pieces of each mover are.
std::vector<std::vector<Vec3>> middles_of(const Arena& arena, const Placement& at) {
  std::vector<std::vector<Vec3>> out(arena.movers.size());
  for (std::size_t i = 0; i < out.size() && !arena.all_balls; ++i) {
    const Mat3 turn = at.poses[i].rotation.toRotationMatrix();
    for (const Convex& piece : arena.movers[i].pieces)
      out[i].push_back(turn * piece.bound_center + at.poses[i].position);
  }
  return out;
}

/// What one block of movers needs to know.
struct Search {
  const Arena& arena;
  const Placement& at;
  std::span<const double> travel;
  std::span<const double> tilt;
  const std::vector<std::vector<Vec3>>& middles;  // of the balls about all pieces, world

  double tilt_of(int i) const { return tilt.empty() ? 0.0 : tilt[i]; }

  /// Rows between the pieces of two movers, one of which is no ball.
  void add_pieces(int i, int j, std::vector<Separation>& out) const {
    const Mover &a = arena.movers[i], &b = arena.movers[j];
    if (a.tree.root >= 0 || b.tree.root >= 0) {
      // pieces without a tree one by one, so that each pair is met once
      const auto roots = [](const Mover& m) {
        return m.tree.root >= 0 ? std::pair{m.tree.root, m.tree.root + 1}
                                : std::pair{0, static_cast<int>(m.pieces.size())};
      };
      for (int p = roots(a).first; p < roots(a).second; ++p)
        for (int q = roots(b).first; q < roots(b).second; ++q) add_near(i, j, p, q, out);
      return;
    }
    for (int p = 0; p < static_cast<int>(a.pieces.size()); ++p)
      for (int q = 0; q < static_cast<int>(b.pieces.size()); ++q) add_piece(i, j, p, q, out);
  }
  void add_piece(int i, int j, int p, int q, std::vector<Separation>& out) const {
    thread_local std::vector<TouchPoint> points;
    const Convex &a = arena.movers[i].pieces[p], &b = arena.movers[j].pieces[q];
    const Vec3 apart = middles[j][q] - middles[i][p];
    const double far = a.bound_radius + b.bound_radius + travel[i] + travel[j];
    if (apart.squaredNorm() > far * far) return;
    points.clear();
    find_touch_points(a, at.poses[i], b, at.poses[j], travel[i] + travel[j],
                      tilt_of(i) + tilt_of(j), points);
    for (const TouchPoint& t : points)
      out.push_back({i, j, t.normal, t.gap, t.point, -1, p, q, false, t.passes});
  }
  /// ... of two pieces or balls about pieces: balls that are well apart stand for what they hold.
  void add_near(int i, int j, int p, int q, std::vector<Separation>& out) const {
    const Mover &a = arena.movers[i], &b = arena.movers[j];
    const Convex &on_a = a.pieces[p], &on_b = b.pieces[q];
    const Vec3& from = middles[i][p];
    const Vec3 apart = middles[j][q] - from;
    const double radii = on_a.bound_radius + on_b.bound_radius,
                 reach = radii + travel[i] + travel[j];
    if (apart.squaredNorm() > reach * reach) return;
    const double distance = apart.norm(), gap = distance - radii;
    const bool ball_a = a.tree.root >= 0 && a.tree.is_ball(p);
    const bool ball_b = b.tree.root >= 0 && b.tree.is_ball(q);
    if (!ball_a && !ball_b) return add_piece(i, j, p, q, out);
    const double larger =
        std::max(ball_a ? on_a.bound_radius : 0.0, ball_b ? on_b.bound_radius : 0.0);
    if (gap > kBallTells * larger) {
      const Vec3 normal = apart / distance;
      out.push_back({i, j, normal, gap, from + (on_a.bound_radius + 0.5 * gap) * normal, -1, p, q});
      return;
    }
    const bool split_a = ball_a && (!ball_b || on_a.bound_radius >= on_b.bound_radius);
    for (const int child : (split_a ? a.tree.children[p] : b.tree.children[q]))
      add_near(i, j, split_a ? child : p, split_a ? q : child, out);
  }
  void add_balls(int i, int j, double distance, std::vector<Separation>& out) const {
    Separation s;
    s.a = i;
    s.b = j;
    // balls about one point are parted along any direction
    s.normal =
        distance > 0.0 ? Vec3((at.centers[j] - at.centers[i]) / distance) : Vec3(Vec3::UnitZ());
    s.gap = distance - (arena.movers[i].radius + arena.movers[j].radius);
    s.point = at.centers[j] - (arena.movers[j].radius + 0.5 * s.gap) * s.normal;
    out.push_back(s);
  }
  void add_pairs(const Buckets& buckets, int i, std::vector<Separation>& out) const;
  void add_walls(int i, std::vector<Separation>& out) const;
  void add_wall_piece(int i, int p, int part, std::vector<Separation>& out) const;
};

void Search::add_pairs(const Buckets& buckets, int i, std::vector<Separation>& out) const {
  const std::size_t first = out.size();
  const auto& c = buckets.cell_of[i];
  for (int dx = -1; dx <= 1; ++dx)
    for (int dy = -1; dy <= 1; ++dy) {
      // the three cells above one another lie side by side in the order
      const std::uint64_t last = Buckets::key(c[0] + dx, c[1] + dy, c[2] + 1);
      const std::pair<std::uint64_t, int> low{Buckets::key(c[0] + dx, c[1] + dy, c[2] - 1), 0};
      auto found = std::lower_bound(buckets.sorted.begin(), buckets.sorted.end(), low);
      for (; found != buckets.sorted.end() && found->first <= last; ++found) {
        const int j = found->second;
        if (j <= i) continue;
        const double far = arena.movers[i].radius + arena.movers[j].radius + travel[i] + travel[j];
        const double square = (at.centers[j] - at.centers[i]).squaredNorm();
        if (square > far * far) continue;
        if (!arena.movers[i].ball || !arena.movers[j].ball)
          add_pieces(i, j, out);
        else
          add_balls(i, j, std::sqrt(square), out);
      }
    }
  std::stable_sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                   [](const Separation& s, const Separation& t) { return s.b < t.b; });
}

void Search::add_walls(int i, std::vector<Separation>& out) const {
  const Mover& mover = arena.movers[i];
  const Vec3& center = at.centers[i];
  if (mover.ball) {
    thread_local std::vector<Cut> cuts;
    cuts.clear();
    arena.walls.cut(center, mover.radius + travel[i], cuts);
    for (const Cut& cut : cuts) {
      const double gap = (center - cut.point).dot(cut.normal) - mover.radius;
      out.push_back({-1, i, cut.normal, gap, center - (mover.radius + 0.5 * gap) * cut.normal,
                     cut.body, -1, -1, cut.flat});
    }
  }
  if (mover.ball && !arena.walls.curved()) return;
  thread_local std::vector<int> parts;
  arena.walls.parts_near(center, mover.radius + travel[i], parts);
  for (const int part : parts) {
    if (mover.ball && !arena.walls.is_cell(part)) continue;
    if (mover.tree.root >= 0)
      add_wall_piece(i, mover.tree.root, part, out);
    else
      for (int p = 0; p < static_cast<int>(mover.pieces.size()); ++p)
        add_wall_piece(i, p, part, out);
  }
}

/// Rows between a part of the walls and a piece, or a ball about pieces: one that is well apart
/// stands for what it holds.
void Search::add_wall_piece(int i, int p, int part, std::vector<Separation>& out) const {
  const Mover& mover = arena.movers[i];
  const Convex& piece = mover.pieces[p];
  const Pose& pose = at.poses[i];
  if (arena.walls.out_of_reach(part, middles[i][p], piece.bound_radius + travel[i])) return;
  const int body = arena.walls.body_of(part);
  const TouchPoint ball = arena.walls.touch_of_ball(part, middles[i][p], piece.bound_radius);
  if (ball.gap > travel[i]) return;
  if (mover.tree.root >= 0 && mover.tree.is_ball(p)) {
    if (ball.gap > kBallTells * piece.bound_radius)
      out.push_back({-1, i, ball.normal, ball.gap, ball.point, body, part, p});
    else
      for (const int child : mover.tree.children[p]) add_wall_piece(i, child, part, out);
    return;
  }
  thread_local std::vector<TouchPoint> points;
  points.clear();
  arena.walls.touch(part, piece, pose, travel[i], tilt_of(i), points);
  for (const TouchPoint& t : points)
    out.push_back({-1, i, t.normal, t.gap, t.point, body, part, p, false, t.passes});
}

}  // namespace

std::vector<Separation> find_separations(const Arena& arena, const Placement& at,
                                         std::span<const double> travel,
                                         std::span<const double> tilt) {
  const StageScope timed("find_separations");
  double widest = 0.0;
  for (std::size_t i = 0; i < at.centers.size(); ++i)
    widest = std::max(widest, arena.movers[i].radius + travel[i]);
  const Buckets buckets = fill_buckets(at.centers, cell_for(at.centers, widest));
  const std::vector<std::vector<Vec3>> middles = middles_of(arena, at);
  const Search search{arena, at, travel, tilt, middles};
  const int count = static_cast<int>(at.centers.size());
  const int block_size = arena.all_balls ? kBlock : kPieceBlock;
  const int blocks = (count + block_size - 1) / block_size;
  std::vector<std::vector<Separation>> pairs(blocks), walls(blocks);
  tbb::parallel_for(0, blocks, [&](int block) {
    for (int i = block * block_size; i < std::min(count, (block + 1) * block_size); ++i) {
      search.add_pairs(buckets, i, pairs[block]);
      if (!arena.walls.empty()) search.add_walls(i, walls[block]);
    }
  });
  std::vector<Separation> out;
  for (const auto* group : {&pairs, &walls})
    for (const auto& part : *group) out.insert(out.end(), part.begin(), part.end());
  return out;
}

std::vector<Separation> find_separations_of_free(const Arena& arena, const Placement& at,
                                                 std::span<const double> travel,
                                                 std::span<const double> tilt) {
  std::vector<Separation> out = find_separations(arena, at, travel, tilt);
  for (Separation& s : out)
    if (!std::isfinite(s.gap)) s.gap = 0.0;
  return out;
}

}  // namespace repose::pile
