#include <algorithm>

#include "repose/base/check.h"
#include "repose/solve/sparse_cholesky.h"

namespace repose::solve {
namespace {

/// A new order is sought when the kept one costs this much more than when it was made.
constexpr double kOrderGrowth = 1.2;
/// Updates are kept allocated between factorisations while they need no more numbers than this.
constexpr std::int64_t kKeptUpdates = 40'000'000;

constexpr std::int64_t kNoPlace = -1;

/// Where b stands in the list of a; its end if they are no neighbours.
int neighbor_index(const BlockGraph& graph, int a, int b) {
  const auto list = graph.neighbors(a);
  const auto found = std::lower_bound(list.begin(), list.end(), b);
  const bool there = found != list.end() && *found == b;
  return there ? graph.start[a] + static_cast<int>(found - list.begin()) : graph.start[a + 1];
}

}  // namespace

bool SparseCholesky::analyze(const BlockGraph& graph, std::span<const int> block_start) {
  const bool same_blocks =
      std::equal(block_start.begin(), block_start.end(), block_start_.begin(), block_start_.end());
  const bool known = same_blocks && places_hold_;
  if (known && graph == graph_) return false;
  if (!same_blocks) load_blocks(block_start);
  const bool grown = known && keep_places(graph);
  if (!grown) new_places(graph);
  places_hold_ = true;
  const auto has_room_for = [this](const auto& pair) { return has_room(pair); };
  if (!grown || !std::all_of(new_pairs_.begin(), new_pairs_.end(), has_room_for)) find_fronts();
  find_entries();
  return !grown;
}

void SparseCholesky::resume(const EliminationPtr& kept) {
  places_hold_ = false;
  if (kept == elimination_) return;
  load_blocks(kept ? std::span<const int>(kept->block_start) : std::span<const int>());
  elimination_ = kept;
  if (kept) tree_ = build_fronts(kept->graph, block_size_, kept->order);
}

void SparseCholesky::load_blocks(std::span<const int> block_start) {
  block_start_.assign(block_start.begin(), block_start.end());
  block_size_.clear();
  variable_block_.clear();
  for (std::size_t b = 0; b + 1 < block_start.size(); ++b) {
    block_size_.push_back(block_start[b + 1] - block_start[b]);
    variable_block_.insert(variable_block_.end(), block_size_.back(), static_cast<int>(b));
  }
  elimination_ = nullptr;
}

/// Takes a graph that holds all pairs of the one at hand: new pairs get places behind the others.
/// False if it does not.
bool SparseCholesky::keep_places(const BlockGraph& graph) {
  std::vector<std::int64_t> beside(graph.neighbor.size(), kNoPlace);
  for (int a = 0; a < graph.blocks(); ++a) {
    int at = graph.start[a];
    for (int old = graph_.start[a]; old < graph_.start[a + 1]; ++old, ++at) {
      while (at < graph.start[a + 1] && graph.neighbor[at] < graph_.neighbor[old]) ++at;
      if (at == graph.start[a + 1] || graph.neighbor[at] != graph_.neighbor[old]) return false;
      beside[at] = beside_[old];
    }
  }
  new_pairs_.clear();
  std::int64_t next = static_cast<std::int64_t>(values_.size());
  for (int a = 0; a < graph.blocks(); ++a)
    for (int at = graph.start[a]; at < graph.start[a + 1]; ++at) {
      const int b = graph.neighbor[at];
      if (b > a || beside[at] != kNoPlace) continue;
      new_pairs_.emplace_back(a, b);
      beside[at] = beside[neighbor_index(graph, b, a)] = next;
      next += block_size_[a] * block_size_[b];
    }
  values_.resize(static_cast<std::size_t>(next));
  beside_ = std::move(beside);
  graph_ = graph;
  return true;
}

void SparseCholesky::new_places(const BlockGraph& graph) {
  graph_ = BlockGraph{.start = std::vector<int>(graph.start.size(), 0), .neighbor = {}};
  beside_.clear();
  diagonal_.clear();
  std::int64_t next = 0;
  for (const int size : block_size_) {
    diagonal_.push_back(next);
    next += size * size;
  }
  values_.resize(static_cast<std::size_t>(next));
  keep_places(graph);
}

SparseCholesky::BlockPlace SparseCholesky::block_place(int row_block, int column_block) const {
  if (row_block == column_block) return {diagonal_[row_block], 1, block_size_[row_block]};
  const int at = neighbor_index(graph_, row_block, column_block);
  REPOSE_DCHECK(at < graph_.start[row_block + 1]);
  // column after column of the square whose rows belong to the later block
  const int step = block_size_[std::max(row_block, column_block)];
  return {beside_[at], row_block > column_block ? 1 : step, row_block > column_block ? step : 1};
}

std::int64_t SparseCholesky::place(int row, int column) const {
  const int br = variable_block_[row], bc = variable_block_[column];
  if (br == bc && row < column) std::swap(row, column);
  return block_place(br, bc).at(row - block_start_[br], column - block_start_[bc]);
}

/// True if the fronts at hand hold this pair: it is of their pattern or filled in.
bool SparseCholesky::has_room(std::pair<int, int> blocks) const {
  auto [row_block, column_block] = blocks;
  if (tree_.rank[row_block] < tree_.rank[column_block]) std::swap(row_block, column_block);
  const int index = tree_.block_front[column_block];
  if (tree_.block_front[row_block] == index) return true;
  const std::span<const int> rows = tree_.fronts[index].rows;
  return std::binary_search(rows.begin(), rows.end(), row_block,
                            [this](int a, int b) { return tree_.rank[a] < tree_.rank[b]; });
}

/// Where pairs have come in between subtrees that did not know of each other, one block of each is
/// put off to where those subtrees meet: left in its place it would couple all that lies above the
/// two.
std::vector<int> SparseCholesky::mended_order() const {
  std::vector<int> front = tree_.block_front;  // in which each block will be eliminated
  std::vector<int> key(front.size());
  for (std::size_t b = 0; b < key.size(); ++b) key[b] = 2 * tree_.rank[b];
  const int end = 2 * static_cast<int>(key.size());
  const auto meeting = [this](int f, int g) {
    while (f != g && f >= 0 && g >= 0) (f < g ? f : g) = tree_.fronts[std::min(f, g)].parent;
    return f == g ? f : -1;  // -1: in no front, after all
  };
  const auto degree = [this](int b) { return graph_.neighbors(b).size(); };
  for (const auto& [a, b] : new_pairs_) {
    if (front[a] < 0 || front[b] < 0 || has_room({a, b})) continue;
    const int meet = meeting(front[a], front[b]);
    if (meet == front[a] || meet == front[b]) continue;
    const int later = degree(a) < degree(b) ? a : b;
    front[later] = meet;
    key[later] = meet < 0 ? end : 2 * tree_.rank[tree_.fronts[meet].pivots.front()] - 1;
  }
  std::vector<int> order = elimination_->order;
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return key[a] != key[b] ? key[a] < key[b] : tree_.rank[a] < tree_.rank[b];
  });
  return order;
}

void SparseCholesky::find_fronts() {
  auto next = std::make_shared<Elimination>();
  next->block_start = block_start_;
  next->graph = graph_;
  if (elimination_) {
    next->order = mended_order();
    next->order_work = elimination_->order_work;
    tree_ = build_fronts(graph_, block_size_, next->order);
  }
  if (!elimination_ || tree_.work > kOrderGrowth * next->order_work) {
    next->order = fill_reducing_order(graph_, block_size_);
    tree_ = build_fronts(graph_, block_size_, next->order);
    next->order_work = tree_.work;
  }
  elimination_ = std::move(next);
  panels_.resize(static_cast<std::size_t>(tree_.values));
  keep_updates_ = tree_.updates <= kKeptUpdates;
  all_updates_.resize(keep_updates_ ? static_cast<std::size_t>(tree_.updates) : 0);
  updates_.clear();
  if (!keep_updates_) updates_.resize(tree_.fronts.size());
  front_left_out_.assign(tree_.fronts.size(), 0);
}

/// Which blocks of the matrix go into each front, and where.
void SparseCholesky::find_entries() {
  entries_.clear();
  entry_start_.assign(1, 0);
  std::vector<int> where(block_size_.size(), 0);  // scalar place in the front
  for (const Front& front : tree_.fronts) {
    for (const int b : front.pivots) where[b] = tree_.block_place[b];
    for (std::size_t i = 0; i < front.rows.size(); ++i) where[front.rows[i]] = front.row_place[i];
    for (const int column : front.pivots) {
      const int size = block_size_[column];
      entries_.push_back({diagonal_[column], where[column], where[column], size, size, 1, size});
      for (int at = graph_.start[column]; at < graph_.start[column + 1]; ++at) {
        const int row = graph_.neighbor[at];
        if (tree_.rank[row] < tree_.rank[column]) continue;
        const int step = block_size_[std::max(row, column)];
        entries_.push_back({beside_[at], where[row], where[column], block_size_[row], size,
                            row > column ? 1 : step, row > column ? step : 1});
      }
    }
    entry_start_.push_back(static_cast<int>(entries_.size()));
  }
}

}  // namespace repose::solve
