#include "dense.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace repose::pile {
namespace {

constexpr int kTileRows = 12;  // three strips
constexpr int kTileColumns = 4;
constexpr int kPanelBlock = 24;  // columns factored before the rest of the panel is updated
/// Stands for an infinite pivot: its reciprocal vanishes beside every other number.
constexpr double kInfinitePivot = 0x1.0p200;

/// sum(12 x 4, column-major) = three strips of A times one strip of B, over the whole depth.
#if defined(__AVX2__) && defined(__FMA__)
void tile_product(const double* a0, const double* a1, const double* a2, const double* b, int depth,
                  double* sum) {
  __m256d s[kTileColumns][3];
  for (auto& column : s)
    for (auto& part : column) part = _mm256_setzero_pd();
  for (int p = 0; p < depth; ++p) {
    const __m256d r0 = _mm256_loadu_pd(a0 + 4 * p);
    const __m256d r1 = _mm256_loadu_pd(a1 + 4 * p);
    const __m256d r2 = _mm256_loadu_pd(a2 + 4 * p);
    for (int j = 0; j < kTileColumns; ++j) {
      const __m256d factor = _mm256_broadcast_sd(b + 4 * p + j);
      s[j][0] = _mm256_fmadd_pd(r0, factor, s[j][0]);
      s[j][1] = _mm256_fmadd_pd(r1, factor, s[j][1]);
      s[j][2] = _mm256_fmadd_pd(r2, factor, s[j][2]);
    }
  }
  for (int j = 0; j < kTileColumns; ++j)
    for (int part = 0; part < 3; ++part)
      _mm256_storeu_pd(sum + kTileRows * j + 4 * part, s[j][part]);
}
#else
void tile_product(const double* a0, const double* a1, const double* a2, const double* b, int depth,
                  double* sum) {
  const double* a[3] = {a0, a1, a2};
  std::fill(sum, sum + kTileRows * kTileColumns, 0.0);
  for (int p = 0; p < depth; ++p)
    for (int j = 0; j < kTileColumns; ++j)
      for (int i = 0; i < kTileRows; ++i) {
        double& s = sum[kTileRows * j + i];
        s = std::fma(a[i / 4][4 * p + i % 4], b[4 * p + j], s);
      }
}
#endif

/// Plain Cholesky of the n x n diagonal block, with the same rule for pivots.
int factor_diagonal(double* a, int leading, int n, const double* smallest) {
  int infinite = 0;
  for (int j = 0; j < n; ++j) {
    double* column = a + static_cast<std::size_t>(j) * leading;
    for (int p = 0; p < j; ++p) {
      const double* earlier = a + static_cast<std::size_t>(p) * leading;
      const double factor = earlier[j];
      for (int i = j; i < n; ++i) column[i] -= earlier[i] * factor;
    }
    if (!std::isfinite(column[j])) return -1;
    if (column[j] <= smallest[j]) {
      ++infinite;
      column[j] = kInfinitePivot;
      for (int i = j + 1; i < n; ++i) column[i] = 0.0;
      continue;
    }
    column[j] = std::sqrt(column[j]);
    const double inverse = 1.0 / column[j];
    for (int i = j + 1; i < n; ++i) column[i] *= inverse;
  }
  return infinite;
}

/// Rows below a factored diagonal block: B := B L^-T.
void solve_below(const double* diagonal, double* below, int leading, int rows, int n) {
  for (int j = 0; j < n; ++j) {
    double* column = below + static_cast<std::size_t>(j) * leading;
    for (int p = 0; p < j; ++p) {
      const double* earlier = below + static_cast<std::size_t>(p) * leading;
      const double factor = diagonal[j + static_cast<std::size_t>(p) * leading];
      for (int i = 0; i < rows; ++i) column[i] -= earlier[i] * factor;
    }
    const double inverse = 1.0 / diagonal[j + static_cast<std::size_t>(j) * leading];
    for (int i = 0; i < rows; ++i) column[i] *= inverse;
  }
}

}  // namespace

void Strips::pack(const double* a, int leading, int rows, int depth) {
  rows_ = rows;
  depth_ = depth;
  const std::size_t size = 4 * static_cast<std::size_t>(depth) * static_cast<std::size_t>(count());
  if (data_.size() < size) data_.resize(size);
  for (int s = 0; s < count(); ++s) {
    double* to = data_.data() + 4 * static_cast<std::size_t>(depth) * s;
    const int valid = std::min(4, rows - 4 * s);
    const double* from = a + 4 * s;
    for (int p = 0; p < depth; ++p, to += 4, from += leading) {
      for (int i = 0; i < valid; ++i) to[i] = from[i];
      for (int i = valid; i < 4; ++i) to[i] = 0.0;
    }
  }
}

void subtract_square(const Strips& a, double* c, int leading, int first, int last) {
  double sum[kTileRows * kTileColumns];
  const int strips = a.count();
  for (int j = first; j < last; j += kTileColumns) {
    const int columns = std::min(kTileColumns, last - j);
    for (int s = j / 4; s < strips; s += 3) {
      const int end = strips - 1;
      tile_product(a.strip(s), a.strip(std::min(s + 1, end)), a.strip(std::min(s + 2, end)),
                   a.strip(j / 4), a.depth(), sum);
      const int rows = std::min(kTileRows, a.rows() - 4 * s);
      for (int jj = 0; jj < columns; ++jj) {
        double* to = c + 4 * s + static_cast<std::size_t>(j + jj) * leading;
        for (int i = 0; i < rows; ++i) to[i] -= sum[kTileRows * jj + i];
      }
    }
  }
}

int factor_panel(double* panel, int m, int k, const double* smallest) {
  thread_local Strips below;
  int infinite = 0;
  for (int j = 0; j < k; j += kPanelBlock) {
    const int n = std::min(kPanelBlock, k - j);
    double* diagonal = panel + j + static_cast<std::size_t>(j) * m;
    const int here = factor_diagonal(diagonal, m, n, smallest + j);
    if (here < 0) return -1;
    infinite += here;
    const int rows = m - j - n;
    solve_below(diagonal, diagonal + n, m, rows, n);
    if (j + n >= k) break;
    below.pack(diagonal + n, m, rows, n);
    subtract_square(below, diagonal + n + static_cast<std::size_t>(n) * m, m, 0, k - j - n);
  }
  return infinite;
}

}  // namespace repose::pile
