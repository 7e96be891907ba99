#include <algorithm>
#include <utility>

#include "repose/solve/sparse_cholesky.h"

namespace repose::solve {
namespace {

/// What a front costs beside its arithmetic, in multiply-adds: set-up of one front, and taking one
/// number of its update into the parent.
constexpr double kFrontOverhead = 1500.0;
constexpr double kGatherCost = 3.0;

double arithmetic(double size, double pivots) {
  const double others = size - pivots;
  return pivots * (pivots * pivots / 6.0 + 0.5 * pivots * others + 0.5 * others * others);
}

double cost(int size, int pivots) {
  const double others = size - pivots;
  return kFrontOverhead + arithmetic(size, pivots) + kGatherCost * others * others;
}

/// Columns with the same structure below them, found while the elimination is played through.
struct Chain {
  std::vector<int> pivots;  // ranks
  std::vector<int> rows;    // ranks above the first pivot, ascending
  std::size_t passed = 0;   // of `rows`: pivots of the chain by now
  int parent = -1;
  int next_waiting = -1;  // for the same rank
  bool merged = false;
  int pivot_size = 0, row_size = 0;

  /// Ranks above the last pivot.
  std::span<const int> above() const { return std::span(rows).subspan(passed); }
};

int total(std::span<const int> ranks, std::span<const int> rank_size) {
  int sum = 0;
  for (const int r : ranks) sum += rank_size[r];
  return sum;
}

/// Plays the elimination through on block level: chains in order of their last pivot.
std::vector<Chain> find_chains(const BlockGraph& graph, std::span<const int> order,
                               std::span<const int> rank, std::span<const int> rank_size) {
  const int count = graph.blocks();
  std::vector<Chain> chains;
  chains.reserve(static_cast<std::size_t>(count));
  std::vector<int> waiting(count, -1);  // chains by the rank of their first row
  std::vector<int> mark(count, -1), structure;
  for (int j = 0; j < count; ++j) {
    // the structure of column j: its own later neighbours and the rows of chains that end here
    structure.clear();
    mark[j] = j;
    const auto take = [&](int r) {
      if (r > j && mark[r] != j) {
        mark[r] = j;
        structure.push_back(r);
      }
    };
    for (int c = waiting[j]; c >= 0; c = chains[c].next_waiting)
      for (const int r : chains[c].above()) take(r);
    const std::size_t known = structure.size();
    for (const int b : graph.neighbors(order[j])) take(rank[b]);
    // one child with nothing new: the chain grows, else a new one begins
    int at = waiting[j];
    if (at >= 0 && chains[at].next_waiting < 0 && structure.size() == known) {
      ++chains[at].passed;
    } else {
      std::sort(structure.begin(), structure.end());
      at = static_cast<int>(chains.size());
      for (int c = waiting[j]; c >= 0; c = chains[c].next_waiting) chains[c].parent = at;
      chains.emplace_back();
      chains[at].rows = structure;
    }
    chains[at].pivots.push_back(j);
    if (!structure.empty())
      chains[at].next_waiting = std::exchange(waiting[chains[at].above()[0]], at);
  }
  for (Chain& c : chains) {
    c.pivot_size = total(c.pivots, rank_size);
    c.row_size = total(c.above(), rank_size);
  }
  return chains;
}

/// Takes children into their parents where one larger front is cheaper than two. A child comes
/// before its parent in `chains`.
void merge_chains(std::vector<Chain>& chains) {
  std::vector<std::vector<int>> children(chains.size());
  for (std::size_t i = 0; i < chains.size(); ++i)
    if (chains[i].parent >= 0) children[chains[i].parent].push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < chains.size(); ++i) {
    Chain& chain = chains[i];
    std::vector<int> kept;
    for (const int c : children[i]) {
      Chain& child = chains[c];
      const int size = chain.pivot_size + chain.row_size;
      const double apart =
          cost(size, chain.pivot_size) + cost(child.pivot_size + child.row_size, child.pivot_size);
      const double together = cost(size + child.pivot_size, chain.pivot_size + child.pivot_size);
      if (together > apart) {
        kept.push_back(c);
        continue;
      }
      child.pivots.insert(child.pivots.end(), chain.pivots.begin(), chain.pivots.end());
      chain.pivots = std::move(child.pivots);
      chain.pivot_size += child.pivot_size;
      child.merged = true;
      for (const int g : children[c]) {
        chains[g].parent = static_cast<int>(i);
        kept.push_back(g);
      }
    }
    children[i] = std::move(kept);
  }
}

/// Children before parents, each subtree in one piece.
std::vector<int> postorder(const std::vector<Chain>& chains) {
  std::vector<std::vector<int>> children(chains.size());
  std::vector<int> roots, out, stack;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    if (chains[i].merged) continue;
    (chains[i].parent >= 0 ? children[chains[i].parent] : roots).push_back(static_cast<int>(i));
  }
  // parents first with children reversed, then the whole list reversed
  for (const int root : roots) stack.push_back(root);
  while (!stack.empty()) {
    const int at = stack.back();
    stack.pop_back();
    out.push_back(at);
    for (const int c : children[at]) stack.push_back(c);
  }
  std::reverse(out.begin(), out.end());
  return out;
}

void find_runs(Front& front, std::span<const int> block_size) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const int width = block_size[front.rows[i]], from = front.row_place[i] - front.pivot_size;
    const int to = front.child_place[i];
    if (count == 0 || front.runs[count - 1].to + front.runs[count - 1].length != to)
      front.runs[count++] = {from, to, 0};
    front.runs[count - 1].length += width;
    front.row_run[i] = static_cast<int>(count) - 1;
  }
  front.runs = front.runs.first(count);
}

/// Scalar places of blocks in their front and of a front's rows in its parent.
void place_blocks(FrontTree& tree, std::span<const int> block_size) {
  for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
    Front& front = tree.fronts[f];
    front.panel = tree.values;
    tree.values += static_cast<std::int64_t>(front.size) * front.pivot_size;
    const std::int64_t others = front.size - front.pivot_size;
    front.carried = tree.carried;
    tree.carried += others;
    front.update = tree.updates;
    tree.updates += others * others;
    const double own = arithmetic(front.size, front.pivot_size);
    tree.work += own;
    front.subtree_work += own;
    if (front.parent >= 0) tree.fronts[front.parent].subtree_work += front.subtree_work;
  }
  std::vector<int> where(block_size.size(), 0);
  for (Front& parent : tree.fronts) {
    if (parent.children.empty()) continue;
    for (const int b : parent.pivots) where[b] = tree.block_place[b];
    for (std::size_t i = 0; i < parent.rows.size(); ++i)
      where[parent.rows[i]] = parent.row_place[i];
    for (const int c : parent.children) {
      Front& child = tree.fronts[c];
      for (std::size_t i = 0; i < child.rows.size(); ++i)
        child.child_place[i] = where[child.rows[i]];
      find_runs(child, block_size);
    }
  }
}

/// Ranks of the merged order: pivots of a front follow each other.
void place_pivots(FrontTree& tree, const std::vector<Chain>& chains, std::span<const int> sequence,
                  std::span<const int> order, std::span<const int> block_size) {
  tree.rank.resize(order.size());
  tree.block_front.resize(order.size());
  tree.block_place.resize(order.size());
  int next = 0;
  for (std::size_t f = 0; f < sequence.size(); ++f) {
    Front& front = tree.fronts[f];
    for (std::size_t i = 0; i < front.pivots.size(); ++i) {
      const int b = front.pivots[i] = order[chains[sequence[f]].pivots[i]];
      tree.rank[b] = next++;
      tree.block_front[b] = static_cast<int>(f);
      tree.block_place[b] = std::exchange(front.pivot_size, front.pivot_size + block_size[b]);
    }
  }
}

/// The rows of each front in that order, and the children of each.
void place_rows(FrontTree& tree, const std::vector<Chain>& chains, std::span<const int> sequence,
                std::span<const int> order, std::span<const int> block_size) {
  std::vector<int> block_of_rank(order.size());
  for (std::size_t b = 0; b < order.size(); ++b) block_of_rank[tree.rank[b]] = static_cast<int>(b);
  std::vector<std::size_t> children(tree.fronts.size(), 0);
  for (std::size_t f = 0; f < sequence.size(); ++f) {
    Front& front = tree.fronts[f];
    const std::span<const int> above = chains[sequence[f]].above();
    std::transform(above.begin(), above.end(), front.rows.begin(),
                   [&](int r) { return tree.rank[order[r]]; });
    std::sort(front.rows.begin(), front.rows.end());
    front.size = front.pivot_size;
    for (std::size_t i = 0; i < front.rows.size(); ++i) {
      front.rows[i] = block_of_rank[front.rows[i]];
      front.row_place[i] = std::exchange(front.size, front.size + block_size[front.rows[i]]);
    }
    if (front.parent >= 0)
      tree.fronts[front.parent].children[children[front.parent]++] = static_cast<int>(f);
  }
}

/// Gives the fronts their lists: how long they are is known, not yet what they hold.
void divide_pool(FrontTree& tree, const std::vector<Chain>& chains, std::span<const int> sequence) {
  std::vector<std::size_t> children(sequence.size(), 0);
  std::size_t rows = 0, pivots = 0;
  for (std::size_t f = 0; f < sequence.size(); ++f) {
    rows += chains[sequence[f]].above().size();
    pivots += chains[sequence[f]].pivots.size();
    if (tree.fronts[f].parent >= 0) ++children[tree.fronts[f].parent];
  }
  tree.pool.resize(4 * rows + pivots + sequence.size());
  tree.run_pool.resize(rows);
  std::span<int> left = tree.pool;
  std::span<Front::Run> runs_left = tree.run_pool;
  const auto part = [](auto& from, std::size_t size) {
    const auto out = from.first(size);
    from = from.subspan(size);
    return out;
  };
  for (std::size_t f = 0; f < sequence.size(); ++f) {
    const Chain& chain = chains[sequence[f]];
    Front& front = tree.fronts[f];
    const std::size_t count = chain.above().size();
    front.pivots = part(left, chain.pivots.size());
    front.children = part(left, children[f]);
    for (std::span<int>* list : {&front.rows, &front.row_place, &front.child_place, &front.row_run})
      *list = part(left, count);
    front.runs = part(runs_left, count);
  }
}

}  // namespace

FrontTree build_fronts(const BlockGraph& graph, std::span<const int> block_size,
                       std::span<const int> order) {
  const std::size_t count = order.size();
  std::vector<int> rank(count), rank_size(count);
  for (std::size_t i = 0; i < count; ++i) {
    rank[order[i]] = static_cast<int>(i);
    rank_size[i] = block_size[order[i]];
  }
  std::vector<Chain> chains = find_chains(graph, order, rank, rank_size);
  merge_chains(chains);
  const std::vector<int> sequence = postorder(chains);

  FrontTree tree;
  tree.fronts.resize(sequence.size());
  std::vector<int> front_of(chains.size(), -1);
  for (std::size_t f = 0; f < sequence.size(); ++f) front_of[sequence[f]] = static_cast<int>(f);
  for (std::size_t f = 0; f < sequence.size(); ++f)
    if (const int parent = chains[sequence[f]].parent; parent >= 0)
      tree.fronts[f].parent = front_of[parent];
  divide_pool(tree, chains, sequence);
  place_pivots(tree, chains, sequence, order, block_size);
  place_rows(tree, chains, sequence, order, block_size);
  place_blocks(tree, block_size);
  return tree;
}

}  // namespace repose::solve
