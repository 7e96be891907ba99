#include "panel.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace repose::solve {
namespace {

constexpr int kTileRows = 12;  // three strips
constexpr int kWideRows = 24;  // six strips
constexpr int kTileColumns = 4;
/// Panels of more multiply-adds than this are factored so many columns at a time, those right of
/// them then updated in pieces.
constexpr double kLargePanel = 2e6;
constexpr int kPanelColumns = 96;
/// Stands for an infinite pivot: its reciprocal vanishes beside every other number.
constexpr double kInfinitePivot = 0x1.0p200;

/// sum(12 x 4, column-major) = up to three strips of A times one strip of B, over the whole depth.
/// Rows of strips that are not there stay as they are.
#if defined(__AVX2__) && defined(__FMA__)
template <int strips>
void tile_product_of(const double* const* a, const double* b, int depth, double* sum) {
  __m256d s[kTileColumns][strips];
  for (auto& column : s)
    for (auto& part : column) part = _mm256_setzero_pd();
  for (int p = 0; p < depth; ++p) {
    __m256d r[strips];
    for (int part = 0; part < strips; ++part) r[part] = _mm256_loadu_pd(a[part] + 4 * p);
    for (int j = 0; j < kTileColumns; ++j) {
      const __m256d factor = _mm256_broadcast_sd(b + 4 * p + j);
      for (int part = 0; part < strips; ++part)
        s[j][part] = _mm256_fmadd_pd(r[part], factor, s[j][part]);
    }
  }
  for (int j = 0; j < kTileColumns; ++j)
    for (int part = 0; part < strips; ++part)
      _mm256_storeu_pd(sum + kTileRows * j + 4 * part, s[j][part]);
}

void tile_product(const double* const* a, int strips, const double* b, int depth, double* sum) {
  if (strips >= 3) return tile_product_of<3>(a, b, depth, sum);
  if (strips == 2) return tile_product_of<2>(a, b, depth, sum);
  tile_product_of<1>(a, b, depth, sum);
}
#else
void tile_product(const double* const* a, int strips, const double* b, int depth, double* sum) {
  std::fill(sum, sum + kTileRows * kTileColumns, 0.0);
  for (int p = 0; p < depth; ++p)
    for (int j = 0; j < kTileColumns; ++j)
      for (int i = 0; i < 4 * std::min(strips, 3); ++i) {
        double& s = sum[kTileRows * j + i];
        s = std::fma(a[i / 4][4 * p + i % 4], b[4 * p + j], s);
      }
}
#endif

#if defined(__AVX2__) && defined(__FMA__) && defined(__GNUC__)
/// The same for six strips of A, sum(24 x 4), on machines with wider registers: every number is
/// the same chain of fused products.
__attribute__((target("avx512f"))) void wide_tile_product(const Strips& strips, int s, int column,
                                                          int first, int depth, double* sum) {
  const double* a[6];
  for (int part = 0; part < 6; ++part) a[part] = strips.strip(s + part) + 4 * first;
  const double* b = strips.strip(column) + 4 * first;
  __m512d sums[kTileColumns][3];
  for (auto& of_column : sums)
    for (auto& part : of_column) part = _mm512_setzero_pd();
  for (int p = 0; p < depth; ++p) {
    __m512d r[3];
    for (int part = 0; part < 3; ++part)
      r[part] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(a[2 * part] + 4 * p)),
                                   _mm256_loadu_pd(a[2 * part + 1] + 4 * p), 1);
    for (int j = 0; j < kTileColumns; ++j) {
      const __m512d factor = _mm512_set1_pd(b[4 * p + j]);
      for (int part = 0; part < 3; ++part)
        sums[j][part] = _mm512_fmadd_pd(r[part], factor, sums[j][part]);
    }
  }
  for (int j = 0; j < kTileColumns; ++j)
    for (int part = 0; part < 3; ++part)
      _mm512_storeu_pd(sum + kWideRows * j + 8 * part, sums[j][part]);
}
const bool kWide = __builtin_cpu_supports("avx512f") != 0;
#else
void wide_tile_product(const Strips&, int, int, int, int, double*) {}
constexpr bool kWide = false;
#endif

/// The tile of rows from strip `s` on and columns of strip `column`, over `depth` pivots from
/// `first` on, column-major. Answers how many rows it has.
int tile_of(const Strips& strips, int s, int column, int first, int depth, double* sum) {
  if (kWide && s + kWideRows / 4 <= strips.count()) {
    wide_tile_product(strips, s, column, first, depth, sum);
    return kWideRows;
  }
  const int left = std::min(strips.count() - s, kTileRows / 4);
  const double* a[kTileRows / 4] = {};
  for (int part = 0; part < left; ++part) a[part] = strips.strip(s + part) + 4 * first;
  tile_product(a, left, strips.strip(column) + 4 * first, depth, sum);
  return kTileRows;
}

/// Takes the effect of `depth` pivots from `first` on off the columns [j, j + n) of the panel.
void update_columns(double* panel, int m, int j, int n, int first, int depth,
                    const Strips& strips) {
  double sum[kWideRows * kTileColumns];
  for (int s = j / 4, height = 0; s < strips.count(); s += height / 4) {
    height = tile_of(strips, s, j / 4, first, depth, sum);
    const int rows = std::min(height, m - 4 * s);
    for (int c = 0; c < n; ++c) {
      double* to = panel + 4 * s + static_cast<std::size_t>(j + c) * m;
      for (int i = 0; i < rows; ++i) to[i] -= sum[height * c + i];
    }
  }
}

/// Factors the columns [j, j + n), n <= 4, which all earlier pivots have been taken off.
int factor_columns(double* panel, int m, int j, int n, const double* smallest) {
  int infinite = 0;
  for (int c = j; c < j + n; ++c) {
    double* column = panel + static_cast<std::size_t>(c) * m;
    for (int p = j; p < c; ++p) {
      const double* earlier = panel + static_cast<std::size_t>(p) * m;
      const double factor = earlier[c];
      for (int i = c; i < m; ++i) column[i] -= earlier[i] * factor;
    }
    if (!std::isfinite(column[c])) return -1;
    if (column[c] <= smallest[c]) {
      ++infinite;
      column[c] = kInfinitePivot;
      for (int i = c + 1; i < m; ++i) column[i] = 0.0;
      continue;
    }
    column[c] = std::sqrt(column[c]);
    const double inverse = 1.0 / column[c];
    for (int i = c + 1; i < m; ++i) column[i] *= inverse;
  }
  return infinite;
}

/// Copies the columns [j, j + n) into the strips that later columns will read.
void pack_columns(const double* panel, int m, int j, int n, Strips& strips) {
  for (int s = j / 4; s < strips.count(); ++s) {
    double* to = strips.strip(s) + 4 * static_cast<std::size_t>(j);
    const int rows = std::min(4, m - 4 * s);
    for (int c = 0; c < n; ++c, to += 4) {
      const double* from = panel + 4 * s + static_cast<std::size_t>(j + c) * m;
      for (int i = 0; i < rows; ++i) to[i] = from[i];
      for (int i = rows; i < 4; ++i) to[i] = 0.0;
    }
  }
}

}  // namespace

void Strips::resize(int rows, int depth) {
  rows_ = rows;
  depth_ = depth;
  const std::size_t size = 4 * static_cast<std::size_t>(depth) * static_cast<std::size_t>(count());
  if (data_.size() < size) data_.resize(size);
}

int factor_panel(double* panel, int m, int k, const double* smallest, Strips& strips,
                 const Pieces& pieces) {
  strips.resize(m, k);
  int infinite = 0;
  const bool large = 0.5 * k * k * (m - 2.0 / 3.0 * k) > kLargePanel;
  for (int first = 0, end = 0; first < k; first = end) {
    end = large ? std::min(k, first + kPanelColumns) : k;
    for (int j = first; j < end; j += kTileColumns) {
      const int n = std::min(kTileColumns, end - j);
      if (j > first) update_columns(panel, m, j, n, first, j - first, strips);
      const int here = factor_columns(panel, m, j, n, smallest);
      if (here < 0) return -1;
      infinite += here;
      pack_columns(panel, m, j, n, strips);
    }
    const int left = k - end, count = (left + kTileColumns - 1) / kTileColumns;
    if (left == 0) break;
    pieces(count, (m - end - 0.5 * left) * left * (end - first), [&](int piece) {
      const int j = end + piece * kTileColumns;
      update_columns(panel, m, j, std::min(kTileColumns, k - j), first, end - first, strips);
    });
  }
  return infinite;
}

void minus_square(const Strips& strips, int first_row, double* c, int leading, int first_strip,
                  int last_strip) {
  double sum[kWideRows * kTileColumns];
  for (int column = first_strip; column < last_strip; ++column) {
    const int from_column = std::max(4 * column, first_row);
    const int end_column = std::min(4 * column + 4, strips.rows());
    for (int s = column, height = 0; s < strips.count(); s += height / 4) {
      height = tile_of(strips, s, column, 0, strips.depth(), sum);
      const int from = std::max(4 * s, first_row);
      const int end = std::min(4 * s + height, strips.rows());
      for (int j = from_column; j < end_column; ++j) {
        const double* tile = sum + height * (j - 4 * column) - 4 * s;
        double* to = c + static_cast<std::ptrdiff_t>(j - first_row) * leading - first_row;
        for (int i = from; i < end; ++i) to[i] = -tile[i];
      }
    }
  }
}

void solve_panel_lower(const double* panel, int m, int k, double* x) {
  int j = 0;
  for (; j + 4 <= k; j += 4) {
    const double* c0 = panel + static_cast<std::size_t>(j) * m;
    const double *c1 = c0 + m, *c2 = c1 + m, *c3 = c2 + m;
    const double x0 = x[j] / c0[j];
    const double x1 = (x[j + 1] - c0[j + 1] * x0) / c1[j + 1];
    const double x2 = (x[j + 2] - c0[j + 2] * x0 - c1[j + 2] * x1) / c2[j + 2];
    const double x3 = (x[j + 3] - c0[j + 3] * x0 - c1[j + 3] * x1 - c2[j + 3] * x2) / c3[j + 3];
    x[j] = x0;
    x[j + 1] = x1;
    x[j + 2] = x2;
    x[j + 3] = x3;
    for (int i = j + 4; i < m; ++i) x[i] -= (c0[i] * x0 + c1[i] * x1) + (c2[i] * x2 + c3[i] * x3);
  }
  for (; j < k; ++j) {
    const double* column = panel + static_cast<std::size_t>(j) * m;
    const double xj = x[j] /= column[j];
    for (int i = j + 1; i < m; ++i) x[i] -= column[i] * xj;
  }
}

namespace {

/// The sum of column[i] x[i] over [from, m), in four lanes from `from` on.
double lane_sum(const double* column, const double* x, int from, int m) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  int i = from;
  for (; i + 4 <= m; i += 4)
    for (int lane = 0; lane < 4; ++lane) sum[lane] += column[i + lane] * x[i + lane];
  for (; i < m; ++i) sum[0] += column[i] * x[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

void solve_panel_upper(const double* panel, int m, int k, double* x) {
  for (int j = k - 1; j >= 0; --j) {
    const double* column = panel + static_cast<std::size_t>(j) * m;
    x[j] = (x[j] - lane_sum(column, x, j + 1, m)) / column[j];
  }
}

}  // namespace repose::solve
