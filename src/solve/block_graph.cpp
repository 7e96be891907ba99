#include "repose/solve/block_graph.h"

#include <algorithm>
#include <csignal>
#include <numeric>

#include <metis.h>

#include "repose/base/check.h"

namespace repose::solve {

BlockGraph graph_from_pairs(int blocks, std::span<const std::pair<int, int>> pairs) {
  // counting sort by first end, then each list sorted and freed of repetitions
  std::vector<int> place(static_cast<std::size_t>(blocks) + 1, 0);
  for (const auto& [a, b] : pairs) {
    if (a == b) continue;
    ++place[a + 1];
    ++place[b + 1];
  }
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<int> all(place.back()), next(place.begin(), place.end() - 1);
  for (const auto& [a, b] : pairs) {
    if (a == b) continue;
    all[next[a]++] = b;
    all[next[b]++] = a;
  }
  BlockGraph graph;
  graph.start.assign(static_cast<std::size_t>(blocks) + 1, 0);
  graph.neighbor.reserve(all.size());
  for (int i = 0; i < blocks; ++i) {
    const auto begin = all.begin() + place[i], end = all.begin() + place[i + 1];
    std::sort(begin, end);
    graph.neighbor.insert(graph.neighbor.end(), begin, std::unique(begin, end));
    graph.start[i + 1] = static_cast<int>(graph.neighbor.size());
  }
  return graph;
}

std::vector<int> fill_reducing_order(const BlockGraph& graph, std::span<const int> weights) {
  idx_t count = graph.blocks();
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  if (graph.neighbor.empty()) return order;

  std::vector<idx_t> start(graph.start.begin(), graph.start.end());
  std::vector<idx_t> neighbor(graph.neighbor.begin(), graph.neighbor.end());
  std::vector<idx_t> weight(weights.begin(), weights.end());
  std::vector<idx_t> permutation(order.size()), inverse(order.size());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NUMBERING] = 0;
  const auto ask = [&] {
    return METIS_NodeND(&count, start.data(), neighbor.data(), weight.data(), options,
                        permutation.data(), inverse.data());
  };
  // METIS takes SIGTERM for an error of its own and jumps out of whatever it does, be it malloc,
  // whose lock then stays closed: the signal waits until METIS is done
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  const int answer = ask();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  REPOSE_CHECK(answer == METIS_OK);
  std::copy(permutation.begin(), permutation.end(), order.begin());
  return order;
}

}  // namespace repose::solve
