#include "repose/solve/sparse_cholesky.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include <Eigen/Cholesky>
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "repose/base/random.h"

#include "src/solve/panel.h"

namespace repose::solve {
namespace {

struct Sample {
  BlockGraph graph;
  std::vector<int> block_start{0};
  Eigen::MatrixXd matrix;
};

/// A random positive definite matrix whose blocks meet as in a heap of bodies.
Sample random_sample(Random& random, int blocks, double links_per_block) {
  Sample out;
  for (int b = 0; b < blocks; ++b)
    out.block_start.push_back(out.block_start.back() +
                              (random.unit() < 0.7 ? 3 : 1 + static_cast<int>(random.below(6))));
  const int n = out.block_start.back();
  out.matrix = Eigen::MatrixXd::Identity(n, n) * 0.1;
  std::vector<std::pair<int, int>> pairs;
  for (int l = 0; l < static_cast<int>(blocks * links_per_block); ++l) {
    const int a = static_cast<int>(random.below(blocks));
    const int b = std::min(blocks - 1, a + static_cast<int>(random.below(8)));
    pairs.emplace_back(a, b);
    std::vector<std::pair<int, double>> row;
    for (const int block : {a, b})
      for (int i = out.block_start[block]; i < out.block_start[block + 1]; ++i)
        row.emplace_back(i, random.normal());
    for (const auto& [i, u] : row)
      for (const auto& [j, v] : row) out.matrix(i, j) += u * v;
  }
  out.graph = graph_from_pairs(blocks, pairs);
  return out;
}

void fill(SparseCholesky& cholesky, const Sample& sample) {
  cholesky.clear();
  const auto enter = [&](int a, int b) {
    for (int i = sample.block_start[a]; i < sample.block_start[a + 1]; ++i)
      for (int j = sample.block_start[b]; j < sample.block_start[b + 1]; ++j)
        if (a != b || j <= i) cholesky.values()[cholesky.place(i, j)] = sample.matrix(i, j);
  };
  for (int a = 0; a < sample.graph.blocks(); ++a) {
    enter(a, a);
    for (const int b : sample.graph.neighbors(a))
      if (b < a) enter(a, b);
  }
}

TEST(SparseCholesky, solves_random_block_systems_as_dense_elimination_does) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const Sample sample =
        random_sample(random, 1 + static_cast<int>(random.below(80)), random.between(0.0, 5.0));
    SparseCholesky cholesky;
    cholesky.analyze(sample.graph, sample.block_start);
    fill(cholesky, sample);
    ASSERT_TRUE(cholesky.factor());
    EXPECT_EQ(cholesky.left_out(), 0);
    Eigen::VectorXd b(sample.matrix.rows());
    for (Eigen::Index i = 0; i < b.size(); ++i) b[i] = random.normal();
    const Eigen::VectorXd want = sample.matrix.ldlt().solve(b);
    cholesky.solve({b.data(), static_cast<std::size_t>(b.size())});
    EXPECT_LT((b - want).norm(), 1e-9 * (1.0 + want.norm()));
  }
}

TEST(SparseCholesky, keeps_working_when_the_pattern_changes_on_the_same_blocks) {
  Random random(8);
  SparseCholesky cholesky;
  Sample sample = random_sample(random, 60, 3.0);
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < 60; ++a)
    for (const int b : sample.graph.neighbors(a)) pairs.emplace_back(a, b);
  for (int round = 0; round < 10; ++round) {
    pairs.emplace_back(static_cast<int>(random.below(60)), static_cast<int>(random.below(60)));
    sample.graph = graph_from_pairs(60, pairs);
    cholesky.analyze(sample.graph, sample.block_start);
    fill(cholesky, sample);
    ASSERT_TRUE(cholesky.factor());
    Eigen::VectorXd b = Eigen::VectorXd::Ones(sample.matrix.rows());
    const Eigen::VectorXd want = sample.matrix.ldlt().solve(b);
    cholesky.solve({b.data(), static_cast<std::size_t>(b.size())});
    EXPECT_LT((b - want).norm(), 1e-9 * want.norm());
  }
}

TEST(SparseCholesky, keeps_places_and_numbers_while_the_pattern_grows) {
  Random random(10);
  Sample sample = random_sample(random, 150, 3.0);
  SparseCholesky cholesky;
  EXPECT_TRUE(cholesky.analyze(sample.graph, sample.block_start));
  EXPECT_FALSE(cholesky.analyze(sample.graph, sample.block_start));
  fill(cholesky, sample);
  std::vector<std::pair<int, int>> pairs;
  for (int a = 0; a < 150; ++a)
    for (const int b : sample.graph.neighbors(a)) pairs.emplace_back(a, b);
  for (int round = 0; round < 40; ++round) {
    // near ones, most of them filled in, and now and then a far one
    const int a = 1 + static_cast<int>(random.below(149));
    const int b = round % 8 == 0 ? 0 : std::max(0, a - 1 - static_cast<int>(random.below(12)));
    pairs.emplace_back(a, b);
    EXPECT_FALSE(cholesky.analyze(graph_from_pairs(150, pairs), sample.block_start));
    const int i = sample.block_start[a], j = sample.block_start[b];
    sample.matrix(i, j) = sample.matrix(j, i) += 1e-3;
    cholesky.values()[cholesky.place(i, j)] += 1e-3;
    ASSERT_TRUE(cholesky.factor());
    Eigen::VectorXd x = Eigen::VectorXd::Ones(sample.matrix.rows());
    const Eigen::VectorXd want = sample.matrix.llt().solve(x);
    cholesky.solve({x.data(), static_cast<std::size_t>(x.size())});
    ASSERT_LT((x - want).norm(), 1e-9 * want.norm());
  }
  std::erase_if(pairs, [&](const auto& pair) { return std::min(pair.first, pair.second) < 3; });
  EXPECT_TRUE(cholesky.analyze(graph_from_pairs(150, pairs), sample.block_start));
}

TEST(SparseCholesky, gives_the_same_bits_for_any_number_of_threads) {
  Random random(9);
  const Sample sample = random_sample(random, 900, 4.0);
  std::vector<double> first;
  for (const int threads : {1, 2, 4}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    SparseCholesky cholesky;
    cholesky.analyze(sample.graph, sample.block_start);
    fill(cholesky, sample);
    ASSERT_TRUE(cholesky.factor());
    std::vector<double> answer(cholesky.panels().begin(), cholesky.panels().end());
    std::vector<double> b(static_cast<std::size_t>(sample.matrix.rows()), 1.0);
    cholesky.solve(b);
    answer.insert(answer.end(), b.begin(), b.end());
    if (first.empty()) first = answer;
    EXPECT_EQ(answer, first);
  }
}

TEST(SparseCholesky, leaves_out_directions_without_curvature_and_refuses_nan) {
  const std::vector<int> block_start{0, 2, 3};
  const std::vector<std::pair<int, int>> pairs{{0, 1}};
  SparseCholesky cholesky;
  cholesky.analyze(graph_from_pairs(2, pairs), block_start);
  cholesky.clear();
  cholesky.values()[cholesky.place(0, 0)] = 2.0;  // variable 1 has no curvature at all
  cholesky.values()[cholesky.place(2, 2)] = 3.0;
  ASSERT_TRUE(cholesky.factor());
  EXPECT_EQ(cholesky.left_out(), 1);
  std::vector<double> b{4.0, 1.0, 9.0};
  cholesky.solve(b);
  EXPECT_DOUBLE_EQ(b[0], 2.0);
  EXPECT_NEAR(b[1], 0.0, 1e-30);
  EXPECT_NEAR(b[2], 3.0, 1e-15);
  cholesky.clear();
  cholesky.values()[cholesky.place(1, 1)] = std::nan("");
  EXPECT_FALSE(cholesky.factor());
}

TEST(Dense, panel_update_and_solves_agree_with_plain_cholesky_at_every_size) {
  Random random(10);
  for (int round = 0; round < 60; ++round) {
    const int m = 1 + static_cast<int>(random.below(round % 10 == 0 ? 320 : 60));
    const int k = 1 + static_cast<int>(random.below(m));
    Eigen::MatrixXd g(m, m);
    for (int i = 0; i < m * m; ++i) g.data()[i] = random.normal();
    const Eigen::MatrixXd a = g * g.transpose() + Eigen::MatrixXd::Identity(m, m);
    Eigen::MatrixXd panel = a.leftCols(k);
    const std::vector<double> smallest(static_cast<std::size_t>(k), 0.0);
    Strips strips;
    const auto backwards = [](int count, double, const std::function<void(int)>& body) {
      while (count-- > 0) body(count);
    };
    ASSERT_EQ(factor_panel(panel.data(), m, k, smallest.data(), strips, backwards), 0);
    const Eigen::MatrixXd l = a.llt().matrixL();
    for (int j = 0; j < k; ++j)
      for (int i = j; i < m; ++i) ASSERT_NEAR(panel(i, j), l(i, j), 1e-9 * a.norm());
    const int rest = m - k;
    Eigen::VectorXd x = Eigen::VectorXd::Ones(m), want_x = x;
    solve_panel_lower(panel.data(), m, k, x.data());
    want_x.head(k) = l.topLeftCorner(k, k).triangularView<Eigen::Lower>().solve(want_x.head(k));
    want_x.tail(rest) -= l.bottomLeftCorner(rest, k) * want_x.head(k);
    ASSERT_LT((x - want_x).norm(), 1e-9 * a.norm());
    solve_panel_upper(panel.data(), m, k, x.data());
    want_x.head(k) -= l.bottomLeftCorner(rest, k).transpose() * want_x.tail(rest);
    want_x.head(k) =
        l.topLeftCorner(k, k).triangularView<Eigen::Lower>().transpose().solve(want_x.head(k));
    ASSERT_LT((x - want_x).norm(), 1e-9 * a.norm());
    if (rest == 0) continue;
    Eigen::MatrixXd update(rest, rest);
    minus_square(strips, k, update.data(), rest, k / 4, strips.count());
    update += a.bottomRightCorner(rest, rest);
    const Eigen::MatrixXd tail = l.bottomRightCorner(rest, rest);
    const Eigen::MatrixXd want = tail * tail.transpose();
    for (int j = 0; j < rest; ++j)
      for (int i = j; i < rest; ++i) ASSERT_NEAR(update(i, j), want(i, j), 1e-9 * a.norm());
  }
}

}  // namespace

std::atomic<int> terminations = 0;

// a cube of blocks, each beside its neighbours along the axes
BlockGraph cube_graph(int side) {
  std::vector<std::pair<int, int>> pairs;
  const int count = side * side * side;
  for (int i = 0; i < count; ++i) {
    if (i % side + 1 < side) pairs.emplace_back(i, i + 1);
    if (i / side % side + 1 < side) pairs.emplace_back(i, i + side);
    if (i + side * side < count) pairs.emplace_back(i, i + side * side);
  }
  return graph_from_pairs(count, pairs);
}

TEST(BlockGraph,
     an_order_asked_for_while_the_program_is_told_to_end_is_the_same_and_the_word_heard) {
  const BlockGraph graph = cube_graph(24);
  const std::vector<int> weights(static_cast<std::size_t>(graph.blocks()), 1);
  const std::vector<int> undisturbed = fill_reducing_order(graph, weights);

  const auto before = std::signal(SIGTERM, [](int) { ++terminations; });
  const pthread_t here = pthread_self();
  std::atomic<bool> begun = false;
  std::thread sender([&] {
    while (!begun) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pthread_kill(here, SIGTERM);
  });
  begun = true;
  const std::vector<int> disturbed = fill_reducing_order(graph, weights);
  sender.join();
  std::signal(SIGTERM, before);
  EXPECT_EQ(disturbed, undisturbed);
  EXPECT_EQ(terminations, 1);
}

}  // namespace repose::solve
