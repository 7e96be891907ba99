#include "repose/solve/sparse_blocks.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "repose/base/check.h"

namespace repose::solve {
namespace {

constexpr int kBlock = SparseBlocks::kBlockSize;
constexpr int kLane = SparseBlocks::kRowSize;
std::size_t block(int index) {
  return static_cast<std::size_t>(index) * kBlock;
}

/// target -= left * right
inline void subtract_product(double* target, const double* left, const double* right) {
  double sum[kBlock];
  for (int r = 0; r < 3; ++r) {
    const double l0 = left[kLane * r], l1 = left[kLane * r + 1], l2 = left[kLane * r + 2];
    for (int c = 0; c < kLane; ++c) {
      sum[kLane * r + c] = l0 * right[c] + l1 * right[kLane + c] + l2 * right[2 * kLane + c];
    }
  }
  for (int k = 0; k < kBlock; ++k) target[k] -= sum[k];
}

inline void multiply(double* target, const double* left, const double* right) {
  for (int r = 0; r < 3; ++r) {
    const double l0 = left[kLane * r], l1 = left[kLane * r + 1], l2 = left[kLane * r + 2];
    for (int c = 0; c < kLane; ++c) {
      target[kLane * r + c] = l0 * right[c] + l1 * right[kLane + c] + l2 * right[2 * kLane + c];
    }
  }
}

inline void transpose(double* target, const double* source) {
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) target[kLane * r + c] = source[kLane * c + r];
  }
}

/// Inverse of a 3x3 matrix by elimination with row exchanges; false if it has none. Cofactors would
/// lose the small eigenvalues that redundant contacts leave.
bool invert(const double* source, double* target) {
  double m[3][6] = {};
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) m[r][c] = source[kLane * r + c];
    m[r][3 + r] = 1.0;
  }
  for (int k = 0; k < 3; ++k) {
    int best = k;
    for (int r = k + 1; r < 3; ++r) {
      if (std::abs(m[r][k]) > std::abs(m[best][k])) best = r;
    }
    if (!(std::abs(m[best][k]) > 0.0) || !std::isfinite(m[best][k])) return false;
    if (best != k) std::swap(m[best], m[k]);
    const double over = 1.0 / m[k][k];
    for (int c = k; c < 6; ++c) m[k][c] *= over;
    for (int r = 0; r < 3; ++r) {
      if (r == k) continue;
      const double factor = m[r][k];
      for (int c = k; c < 6; ++c) m[r][c] -= factor * m[k][c];
    }
  }
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) target[kLane * r + c] = m[r][3 + c];
  }
  return true;
}

}  // namespace

bool SparseBlocks::covers(int bodies, std::span<const std::pair<int, int>> pairs) const {
  if (bodies != bodies_) return false;
  return std::all_of(pairs.begin(), pairs.end(),
                     [&](const auto& pair) { return pair_place(pair.first, pair.second) >= 0; });
}

int SparseBlocks::pair_place(int body_a, int body_b) const {
  const int column = std::min(place_[body_a], place_[body_b]);
  const int row = std::max(place_[body_a], place_[body_b]);
  const auto begin = row_of_.begin() + column_start_[column];
  const auto end = row_of_.begin() + column_start_[column + 1];
  const auto found = std::lower_bound(begin, end, row);
  return found != end && *found == row ? static_cast<int>(found - row_of_.begin()) : -1;
}

void SparseBlocks::analyze(int bodies, std::span<const std::pair<int, int>> pairs) {
  if (covers(bodies, pairs)) return;
  bodies_ = bodies;
  std::vector<std::vector<int>> neighbors(bodies);
  for (const auto& [a, b] : pairs) {
    neighbors[a].push_back(b);
    neighbors[b].push_back(a);
  }
  for (auto& list : neighbors) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  order_by_degree(bodies, neighbors);
  list_updates();
  diagonal_.resize(block(bodies));
  inverse_.resize(block(bodies));
  lower_.resize(block(static_cast<int>(row_of_.size())));
  upper_.resize(lower_.size());
  work_.resize(3 * static_cast<std::size_t>(bodies));
}

void SparseBlocks::order_by_degree(int bodies, std::vector<std::vector<int>>& neighbors) {
  std::set<std::pair<int, int>> queue;  // degree, body: the least index wins among equals
  for (int i = 0; i < bodies; ++i) queue.insert({static_cast<int>(neighbors[i].size()), i});
  place_.assign(bodies, -1);
  body_at_.resize(bodies);
  std::vector<std::vector<int>> reached(bodies);
  std::vector<int> merged;
  for (int k = 0; k < bodies; ++k) {
    const int body = queue.begin()->second;
    queue.erase(queue.begin());
    place_[body] = k;
    body_at_[k] = body;
    reached[k] = neighbors[body];
    // what it touched becomes a clique
    for (const int other : reached[k]) {
      queue.erase({static_cast<int>(neighbors[other].size()), other});
      merged.clear();
      std::set_union(neighbors[other].begin(), neighbors[other].end(), reached[k].begin(),
                     reached[k].end(), std::back_inserter(merged));
      std::erase_if(merged, [&](int i) { return i == body || i == other; });
      neighbors[other].swap(merged);
      queue.insert({static_cast<int>(neighbors[other].size()), other});
    }
  }
  column_start_.assign(1, 0);
  row_of_.clear();
  for (int k = 0; k < bodies; ++k) {
    for (const int body : reached[k]) row_of_.push_back(place_[body]);
    std::sort(row_of_.begin() + column_start_[k], row_of_.end());
    column_start_.push_back(static_cast<int>(row_of_.size()));
  }
}

void SparseBlocks::list_updates() {
  update_.clear();
  for (int k = 0; k < bodies_; ++k) {
    const int begin = column_start_[k], end = column_start_[k + 1];
    for (int j = begin; j < end; ++j) {
      for (int i = j + 1; i < end; ++i) {
        const int place = pair_place(body_at_[row_of_[i]], body_at_[row_of_[j]]);
        REPOSE_DCHECK(place >= 0);
        update_.push_back(place);
      }
    }
  }
}

void SparseBlocks::clear(double diagonal) {
  std::fill(diagonal_.begin(), diagonal_.end(), 0.0);
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(upper_.begin(), upper_.end(), 0.0);
  for (int i = 0; i < bodies_; ++i) {
    for (int c = 0; c < 3; ++c)
      diagonal_[block(i) + static_cast<std::size_t>(c) * (kLane + 1)] = diagonal;
  }
}

void SparseBlocks::add_pair(int pair_place, bool a_before_b, const double* left_a,
                            const double* right_b, const double* left_b, const double* right_a) {
  double* ab = a_before_b ? &upper_[block(pair_place)] : &lower_[block(pair_place)];
  double* ba = a_before_b ? &lower_[block(pair_place)] : &upper_[block(pair_place)];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c) {
      ab[kLane * r + c] += left_a[r] * right_b[c];
      ba[kLane * r + c] += left_b[r] * right_a[c];
    }
  }
}

bool SparseBlocks::factor(bool symmetric) {
  symmetric_ = symmetric;
  return symmetric ? eliminate<true>() : eliminate<false>();
}

template <bool symmetric>
bool SparseBlocks::eliminate() {
  const int* update = update_.data();
  for (int k = 0; k < bodies_; ++k) {
    double* inverse = &inverse_[block(k)];
    if (!invert(&diagonal_[block(k)], inverse)) return false;
    const int begin = column_start_[k], end = column_start_[k + 1];
    // lower := lower * inverse; the old lower's transpose is the upper of a symmetric matrix
    for (int i = begin; i < end; ++i) {
      double* lower = &lower_[block(i)];
      double product[kBlock];
      multiply(product, lower, inverse);
      if constexpr (symmetric) transpose(&upper_[block(i)], lower);
      std::copy(product, product + kBlock, lower);
    }
    for (int j = begin; j < end; ++j) {
      const double* upper_j = &upper_[block(j)];
      const double* lower_j = &lower_[block(j)];
      subtract_product(&diagonal_[block(row_of_[j])], lower_j, upper_j);
      for (int i = j + 1; i < end; ++i, ++update) {
        subtract_product(&lower_[block(*update)], &lower_[block(i)], upper_j);
        if constexpr (!symmetric) {
          subtract_product(&upper_[block(*update)], lower_j, &upper_[block(i)]);
        }
      }
    }
  }
  return true;
}

void SparseBlocks::solve(std::span<double> x) {
  for (int k = 0; k < bodies_; ++k) {
    for (int c = 0; c < 3; ++c) work_[3 * k + c] = x[3 * body_at_[k] + c];
  }
  for (int k = 0; k < bodies_; ++k) {
    const double x0 = work_[3 * k], x1 = work_[3 * k + 1], x2 = work_[3 * k + 2];
    for (int i = column_start_[k]; i < column_start_[k + 1]; ++i) {
      const double* l = &lower_[block(i)];
      double* y = &work_[3 * static_cast<std::size_t>(row_of_[i])];
      for (int r = 0; r < 3; ++r)
        y[r] -= l[kLane * r] * x0 + l[kLane * r + 1] * x1 + l[kLane * r + 2] * x2;
    }
  }
  for (int k = bodies_ - 1; k >= 0; --k) {
    double sum[3] = {work_[3 * k], work_[3 * k + 1], work_[3 * k + 2]};
    for (int i = column_start_[k]; i < column_start_[k + 1]; ++i) {
      const double* u = &upper_[block(i)];
      const double* y = &work_[3 * static_cast<std::size_t>(row_of_[i])];
      for (int r = 0; r < 3; ++r) {
        sum[r] -= u[kLane * r] * y[0] + u[kLane * r + 1] * y[1] + u[kLane * r + 2] * y[2];
      }
    }
    const double* inverse = &inverse_[block(k)];
    for (int r = 0; r < 3; ++r) {
      work_[3 * k + r] = inverse[kLane * r] * sum[0] + inverse[kLane * r + 1] * sum[1] +
                         inverse[kLane * r + 2] * sum[2];
    }
  }
  for (int k = 0; k < bodies_; ++k) {
    for (int c = 0; c < 3; ++c) x[3 * body_at_[k] + c] = work_[3 * k + c];
  }
}

}  // namespace repose::solve
