#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>

#include "repose/base/at.h"

#include "near.h"

namespace repose::molecule {

namespace {

/// Cells along one side of a grid at most.
constexpr double kMostCells = 1048576.0;
constexpr int kCellBits = 21;
/// Cells that are searched together.
constexpr std::size_t kChunk = 1024;

/// Molecules in cells of a grid, sorted by cell.
struct Grid {
  struct Entry {
    std::uint64_t cell;
    int point;
    bool operator<(const Entry& other) const {
      return cell != other.cell ? cell < other.cell : point < other.point;
    }
  };
  /// What the test of a pair needs first, in the order of entries.
  struct Ball {
    Vec3 center;
    double radius;
  };
  std::vector<Entry> entries;
  std::vector<Ball> balls;
  std::vector<std::size_t> first;  // of each cell that has any, and one past the end
};

Grid make_grid(const Arena& arena, const std::vector<Vec3>& x, const std::vector<int>& listed,
               double cell) {
  Grid out;
  Vec3 low = x[at(listed.front())], high = low;
  for (const int i : listed) {
    low = low.cwiseMin(x[at(i)]);
    high = high.cwiseMax(x[at(i)]);
  }
  const double side = std::max(cell, (high - low).maxCoeff() / kMostCells);
  out.entries.reserve(listed.size());
  for (const int i : listed) {
    std::uint64_t key = 0;
    // one cell is left free below, so that neighbours need no test of the border
    for (int k = 2; k >= 0; --k)
      key = (key << kCellBits) |
            (static_cast<std::uint64_t>((x[at(i)][k] - low[k]) / side) + std::uint64_t{1});
    out.entries.push_back({key, i});
  }
  tbb::parallel_sort(out.entries.begin(), out.entries.end());
  for (std::size_t e = 0; e < out.entries.size(); ++e)
    if (e == 0 || out.entries[e].cell != out.entries[e - 1].cell) out.first.push_back(e);
  out.first.push_back(out.entries.size());
  out.balls.reserve(out.entries.size());
  for (const Grid::Entry& entry : out.entries)
    out.balls.push_back({x[at(entry.point)], arena.radius[at(entry.point)]});
  return out;
}

/// Rows of three cells along x, the later half of a cell's surroundings: every pair of cells once.
constexpr std::array<std::array<int, 2>, 4> kLaterRows{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};

class GridSearch {
 public:
  GridSearch(const Arena& arena, const Grid& grid, double within, bool same_body)
      : arena_(arena), grid_(grid), within_(within), same_body_(same_body) {}

  void cells(std::size_t first, std::size_t last, std::vector<PointPair>& out) const {
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t begin = grid_.first[c], end = grid_.first[c + 1];
      for (std::size_t e = begin; e < end; ++e)
        for (std::size_t f = e + 1; f < end; ++f) test(e, f, out);
      const std::uint64_t cell = grid_.entries[begin].cell;
      range(begin, end, cell + 1, cell + 1, out);
      for (const auto& [y, z] : kLaterRows) {
        const std::uint64_t middle =
            cell + (static_cast<std::uint64_t>(static_cast<std::int64_t>(z)) << (2 * kCellBits)) +
            (static_cast<std::uint64_t>(static_cast<std::int64_t>(y)) << kCellBits);
        range(begin, end, middle - 1, middle + 1, out);
      }
    }
  }

 private:
  void range(std::size_t begin, std::size_t end, std::uint64_t low, std::uint64_t high,
             std::vector<PointPair>& out) const {
    const auto from = std::lower_bound(grid_.entries.begin() + static_cast<std::ptrdiff_t>(end),
                                       grid_.entries.end(), Grid::Entry{low, -1});
    for (auto f = static_cast<std::size_t>(from - grid_.entries.begin());
         f < grid_.entries.size() && grid_.entries[f].cell <= high; ++f)
      for (std::size_t e = begin; e < end; ++e) test(e, f, out);
  }

  void test(std::size_t e, std::size_t f, std::vector<PointPair>& out) const {
    const Grid::Ball &one = grid_.balls[e], &other = grid_.balls[f];
    const double reach = one.radius + other.radius + within_;
    if ((other.center - one.center).squaredNorm() >= reach * reach) return;
    int i = grid_.entries[e].point, j = grid_.entries[f].point;
    if (i > j) std::swap(i, j);
    if (arena_.inverse_mass[at(i)] == 0.0 && arena_.inverse_mass[at(j)] == 0.0) return;
    const bool same = arena_.body_of[at(i)] == arena_.body_of[at(j)];
    if (same != same_body_ || (same && arena_.are_joined(i, j))) return;
    out.push_back({i, j});
  }

  const Arena& arena_;
  const Grid& grid_;
  double within_;
  bool same_body_;
};

}  // namespace

std::vector<std::array<int, 2>> near_boxes(const std::vector<Box3>& boxes, BroadPhase broad) {
  std::vector<std::array<int, 2>> out;
  const int n = static_cast<int>(boxes.size());
  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  if (broad == BroadPhase::sweep)
    std::stable_sort(order.begin(), order.end(),
                     [&](int p, int q) { return boxes[at(p)].low.x() < boxes[at(q)].low.x(); });
  for (int p = 0; p < n; ++p)
    for (int q = p + 1; q < n; ++q) {
      const int a = order[at(p)], b = order[at(q)];
      if (broad == BroadPhase::sweep && boxes[at(b)].low.x() > boxes[at(a)].high.x()) break;
      if (boxes[at(a)].overlaps(boxes[at(b)])) out.push_back({std::min(a, b), std::max(a, b)});
    }
  std::sort(out.begin(), out.end());
  return out;
}

void near_points(const Arena& arena, const std::vector<Vec3>& x, const std::vector<int>& listed,
                 double within, bool same_body, std::vector<PointPair>& out) {
  if (listed.size() < 2) return;
  double largest = 0.0;
  for (const int i : listed) largest = std::max(largest, arena.radius[at(i)]);
  const Grid grid = make_grid(arena, x, listed, 2.0 * largest + within);
  const GridSearch search(arena, grid, within, same_body);
  const std::size_t cells = grid.first.size() - 1, chunks = (cells + kChunk - 1) / kChunk;
  std::vector<std::vector<PointPair>> found(chunks);
  tbb::parallel_for(std::size_t{0}, chunks, [&](std::size_t c) {
    search.cells(c * kChunk, std::min(cells, (c + 1) * kChunk), found[c]);
  });
  for (const auto& some : found) out.insert(out.end(), some.begin(), some.end());
}

}  // namespace repose::molecule
