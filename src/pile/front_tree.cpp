#include <algorithm>
#include <utility>

#include "sparse_cholesky.h"

namespace repose::pile {
namespace {

/// What a front costs beside its arithmetic, in multiply-adds: set-up of one front, and taking one
/// number of its update into the parent.
constexpr double kFrontOverhead = 1500.0;
constexpr double kGatherCost = 3.0;

double arithmetic(double size, double pivots) {
  const double rest = size - pivots;
  return pivots * (pivots * pivots / 6.0 + 0.5 * pivots * rest + 0.5 * rest * rest);
}

double cost(int size, int pivots) {
  const double rest = size - pivots;
  return kFrontOverhead + arithmetic(size, pivots) + kGatherCost * rest * rest;
}

/// Columns with the same structure below them, found while the elimination is played through.
struct Chain {
  std::vector<int> pivots;  // ranks
  std::vector<int> rows;    // ranks above the last pivot, ascending
  int parent = -1;
  bool merged = false;
  int pivot_size = 0, row_size = 0;
};

int total(const std::vector<int>& ranks, std::span<const int> rank_size) {
  int sum = 0;
  for (const int r : ranks) sum += rank_size[r];
  return sum;
}

/// Plays the elimination through on block level: chains in order of their last pivot.
std::vector<Chain> find_chains(const BlockGraph& graph, std::span<const int> order,
                               std::span<const int> rank, std::span<const int> rank_size) {
  const int count = graph.blocks();
  std::vector<Chain> chains;
  std::vector<std::vector<int>> waiting(count);  // chains by the rank of their first row
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
    for (const int c : waiting[j])
      for (const int r : chains[c].rows) take(r);
    const std::size_t known = structure.size();
    for (const int b : graph.neighbors(order[j])) take(rank[b]);
    // the rows of one chain are in order as they are
    if (waiting[j].size() != 1 || structure.size() > known)
      std::sort(structure.begin(), structure.end());
    // one child with nothing new: the chain grows, else a new one begins
    int at = -1;
    if (waiting[j].size() == 1 && chains[waiting[j][0]].rows.size() == structure.size() + 1) {
      at = waiting[j][0];
    } else {
      at = static_cast<int>(chains.size());
      for (const int c : waiting[j]) chains[c].parent = at;
      chains.emplace_back();
    }
    chains[at].pivots.push_back(j);
    chains[at].rows = structure;
    if (!structure.empty()) waiting[structure.front()].push_back(at);
    waiting[j] = {};
  }
  for (Chain& c : chains) {
    c.pivot_size = total(c.pivots, rank_size);
    c.row_size = total(c.rows, rank_size);
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
  for (std::size_t i = 0; i < front.rows.size(); ++i) {
    const int width = block_size[front.rows[i]], from = front.row_place[i] - front.pivot_size;
    const int to = front.child_place[i];
    if (front.runs.empty() || front.runs.back().to + front.runs.back().length != to)
      front.runs.push_back({from, to, 0});
    front.runs.back().length += width;
    front.row_run.push_back(static_cast<int>(front.runs.size()) - 1);
  }
}

/// Scalar places of blocks in their front and of a front's rows in its parent.
void place_blocks(FrontTree& tree, std::span<const int> block_size) {
  for (std::size_t f = 0; f < tree.fronts.size(); ++f) {
    Front& front = tree.fronts[f];
    front.panel = tree.values;
    tree.values += static_cast<std::int64_t>(front.size) * front.pivot_size;
    const std::int64_t rest = front.size - front.pivot_size;
    front.carried = tree.carried;
    tree.carried += rest;
    front.update = tree.updates;
    tree.updates += rest * rest;
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
      child.child_place.clear();
      for (const int b : child.rows) child.child_place.push_back(where[b]);
      find_runs(child, block_size);
    }
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

  // ranks of the merged order: pivots of a front follow each other
  FrontTree tree;
  tree.rank.resize(count);
  tree.block_front.resize(count);
  tree.block_place.resize(count);
  tree.fronts.resize(sequence.size());
  std::vector<int> front_of(chains.size(), -1);
  int next = 0;
  for (std::size_t f = 0; f < sequence.size(); ++f) {
    Front& front = tree.fronts[f];
    front_of[sequence[f]] = static_cast<int>(f);
    for (const int r : chains[sequence[f]].pivots) {
      const int b = order[r];
      front.pivots.push_back(b);
      tree.rank[b] = next++;
      tree.block_front[b] = static_cast<int>(f);
      tree.block_place[b] = front.pivot_size;
      front.pivot_size += block_size[b];
    }
  }
  for (std::size_t f = 0; f < sequence.size(); ++f) {
    Front& front = tree.fronts[f];
    const Chain& chain = chains[sequence[f]];
    front.size = front.pivot_size;
    for (const int r : chain.rows) {
      front.rows.push_back(order[r]);
    }
    std::sort(front.rows.begin(), front.rows.end(),
              [&](int a, int b) { return tree.rank[a] < tree.rank[b]; });
    for (const int b : front.rows)
      front.row_place.push_back(std::exchange(front.size, front.size + block_size[b]));
    if (chain.parent >= 0) {
      front.parent = front_of[chain.parent];
      tree.fronts[front.parent].children.push_back(static_cast<int>(f));
    }
  }
  place_blocks(tree, block_size);
  return tree;
}

}  // namespace repose::pile
