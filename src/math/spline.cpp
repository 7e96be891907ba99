#include "repose/math/spline.h"

#include <algorithm>
#include <cmath>

#include "repose/base/check.h"
#include "repose/math/lanes.h"

namespace repose {
namespace {

/// Solves a tridiagonal system in place (Thomas); row i reads low[i] x[i-1] + mid[i] x[i] +
/// high[i] x[i+1] = right[i]. Diagonal dominance makes pivoting needless.
void solve_tridiagonal(const std::vector<double>& low, std::vector<double> mid,
                       const std::vector<double>& high, std::vector<double>& right) {
  const std::size_t n = mid.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = low[i] / mid[i - 1];
    mid[i] -= factor * high[i - 1];
    right[i] -= factor * right[i - 1];
  }
  right[n - 1] /= mid[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) right[i] = (right[i] - high[i] * right[i + 1]) / mid[i];
}

/// The spline's slopes at its knots, one component, from continuity of the second derivative.
std::vector<double> open_slopes(const std::vector<double>& t, const std::vector<double>& y,
                                SplineEnd begin, SplineEnd end) {
  const std::size_t n = t.size();
  std::vector<double> low(n, 0.0), mid(n, 1.0), high(n, 0.0), right(n, 0.0);
  const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / (t[i + 1] - t[i]); };
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = 1.0 / (t[i] - t[i - 1]), after = 1.0 / (t[i + 1] - t[i]);
    low[i] = before;
    mid[i] = 2.0 * (before + after);
    high[i] = after;
    right[i] = 3.0 * (before * chord(i - 1) + after * chord(i));
  }
  if (begin.clamped) {
    right[0] = begin.slope;
  } else {
    mid[0] = 2.0;
    high[0] = 1.0;
    right[0] = 3.0 * chord(0);
  }
  if (end.clamped) {
    right[n - 1] = end.slope;
  } else {
    low[n - 1] = 1.0;
    mid[n - 1] = 2.0;
    right[n - 1] = 3.0 * chord(n - 2);
  }
  solve_tridiagonal(low, mid, high, right);
  return right;
}

/// The slopes of the closed spline; the cyclic corners by Sherman and Morrison's formula.
std::vector<double> closed_slopes(const std::vector<double>& t, const std::vector<double>& y,
                                  double sign) {
  const std::size_t n = t.size() - 1;
  std::vector<double> low(n), mid(n), high(n), right(n), corner(n, 0.0);
  const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / (t[i + 1] - t[i]); };
  for (std::size_t i = 0; i < n; ++i) {
    // the span before the first knot is the last one, up to the sign
    const std::size_t last = i == 0 ? n - 1 : i - 1;
    const double before = 1.0 / (t[last + 1] - t[last]), after = 1.0 / (t[i + 1] - t[i]);
    low[i] = before;
    mid[i] = 2.0 * (before + after);
    high[i] = after;
    right[i] = 3.0 * (before * chord(last) * (i == 0 ? sign : 1.0) + after * chord(i));
  }
  const double top = sign * low[0], bottom = sign * high[n - 1], gamma = -mid[0];
  mid[0] -= gamma;
  mid[n - 1] -= top * bottom / gamma;
  corner[0] = gamma;
  corner[n - 1] = bottom;
  solve_tridiagonal(low, mid, high, right);
  solve_tridiagonal(low, mid, high, corner);
  const double share =
      (right[0] + top * right[n - 1] / gamma) / (1.0 + corner[0] + top * corner[n - 1] / gamma);
  for (std::size_t i = 0; i < n; ++i) right[i] -= share * corner[i];
  right.push_back(sign * right[0]);
  return right;
}

template <int N>
std::vector<double> component(const std::vector<std::array<double, N>>& points, std::size_t k) {
  std::vector<double> out(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) out[i] = points[i][k];
  return out;
}

template <std::size_t N>
IntervalLanes lanes_of(const std::array<double, N>& a) {
  const Lanes point = lanes(a);
  return {point, point};
}

Interval number(double x, Interval) {
  return x;
}
IntervalLanes number(double x, const IntervalLanes&) {
  return lanes(Interval(x));
}

/// c0 + c1 s + c2 s^2 + c3 s^3 and its derivatives over s = middle + offset: each derivative's
/// range gives the one below by the mean value theorem. T is one interval or four.
template <class T>
void enclose_cubic(const std::array<T, 4>& c, const T& s, const T& middle, const T& offset, T& f,
                   T& d, T& dd) {
  const T two = number(2.0, s), d2 = two * c[2], d3 = number(3.0, s) * c[3];
  dd = d2 + two * d3 * s;
  d = c[1] + middle * (d2 + middle * d3) + dd * offset;
  f = c[0] + middle * (c[1] + middle * (c[2] + middle * c[3])) + d * offset;
}

template <int N>
void widen(SplineJet<N, Interval>& a, const SplineJet<N, Interval>& b) {
  for (std::size_t k = 0; k < N; ++k) {
    a.f[k] = hull(a.f[k], b.f[k]);
    a.d[k] = hull(a.d[k], b.d[k]);
    a.dd[k] = hull(a.dd[k], b.dd[k]);
  }
}

}  // namespace

template <int N>
CubicSpline<N>::CubicSpline(const std::vector<double>& knots, const std::vector<Point>& points,
                            const std::vector<Point>& slopes)
    : knots_(knots), spans_(knots.size() - 1) {
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const double h = knots[i + 1] - knots[i];
    for (std::size_t k = 0; k < N; ++k) {
      const double chord = (points[i + 1][k] - points[i][k]) / h;
      spans_[i][0][k] = points[i][k];
      spans_[i][1][k] = slopes[i][k];
      spans_[i][2][k] = (3.0 * chord - 2.0 * slopes[i][k] - slopes[i + 1][k]) / h;
      spans_[i][3][k] = (slopes[i][k] + slopes[i + 1][k] - 2.0 * chord) / (h * h);
    }
  }
  const std::size_t n = spans_.size();
  whole_.resize(2 * n);
  for (std::size_t i = 0; i < n; ++i)
    whole_[n + i] = enclose_in_span(i, {knots_[i], knots_[i + 1]});
  for (std::size_t i = n - 1; i > 0; --i) {
    whole_[i] = whole_[2 * i];
    widen(whole_[i], whole_[2 * i + 1]);
  }
}

template <int N>
CubicSpline<N> CubicSpline<N>::through(const std::vector<double>& knots,
                                       const std::vector<Point>& points, const Ends& begin,
                                       const Ends& end) {
  REPOSE_CHECK(knots.size() == points.size() && knots.size() >= 2);
  std::vector<Point> slopes(points.size());
  for (std::size_t k = 0; k < N; ++k) {
    const auto slope = open_slopes(knots, component<N>(points, k), begin[k], end[k]);
    for (std::size_t i = 0; i < slope.size(); ++i) slopes[i][k] = slope[i];
  }
  return CubicSpline(knots, points, slopes);
}

template <int N>
CubicSpline<N> CubicSpline<N>::through_closed(const std::vector<double>& knots,
                                              const std::vector<Point>& points, double sign) {
  REPOSE_CHECK(knots.size() == points.size() && knots.size() >= 4);
  std::vector<Point> slopes(points.size());
  for (std::size_t k = 0; k < N; ++k) {
    const auto slope = closed_slopes(knots, component<N>(points, k), sign);
    for (std::size_t i = 0; i < slope.size(); ++i) slopes[i][k] = slope[i];
  }
  return CubicSpline(knots, points, slopes);
}

template <int N>
std::size_t CubicSpline<N>::span_at(double t) const {
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), t);
  const auto index = std::max<std::ptrdiff_t>(0, after - knots_.begin() - 1);
  return std::min(static_cast<std::size_t>(index), spans_.size() - 1);
}

template <int N>
SplineJet<N, double> CubicSpline<N>::jet(double t) const {
  const std::size_t i = span_at(t);
  const double s = t - knots_[i];
  const Span& c = spans_[i];
  SplineJet<N, double> out;
  for (std::size_t k = 0; k < N; ++k) {
    out.f[k] = c[0][k] + s * (c[1][k] + s * (c[2][k] + s * c[3][k]));
    out.d[k] = c[1][k] + s * (2.0 * c[2][k] + s * (3.0 * c[3][k]));
    out.dd[k] = 2.0 * c[2][k] + s * (6.0 * c[3][k]);
  }
  return out;
}

template <int N>
SplineJet<N, Interval> CubicSpline<N>::enclose_in_span(std::size_t span, Interval t) const {
  const Interval s = t - Interval(knots_[span]);
  const Interval middle(s.mid()), offset = s - middle;
  const Span& c = spans_[span];
  SplineJet<N, Interval> out;
  if constexpr (N == 1) {
    enclose_cubic<Interval>({c[0][0], c[1][0], c[2][0], c[3][0]}, s, middle, offset, out.f[0],
                            out.d[0], out.dd[0]);
  } else {
    IntervalLanes f, d, dd;
    enclose_cubic<IntervalLanes>({lanes_of(c[0]), lanes_of(c[1]), lanes_of(c[2]), lanes_of(c[3])},
                                 lanes(s), lanes(middle), lanes(offset), f, d, dd);
    for (std::size_t k = 0; k < N; ++k) {
      out.f[k] = f[static_cast<int>(k)];
      out.d[k] = d[static_cast<int>(k)];
      out.dd[k] = dd[static_cast<int>(k)];
    }
  }
  return out;
}

template <int N>
SplineJet<N, Interval> CubicSpline<N>::enclose(Interval t) const {
  const std::size_t first = span_at(t.lo), last = span_at(t.hi);
  if (first == last) return enclose_in_span(first, t);
  SplineJet<N, Interval> out = enclose_in_span(first, {t.lo, knots_[first + 1]});
  widen(out, enclose_in_span(last, {knots_[last], t.hi}));
  // the whole spans between them
  const std::size_t n = spans_.size();
  for (std::size_t l = n + first + 1, r = n + last; l < r; l /= 2, r /= 2) {
    if (l % 2 == 1) widen(out, whole_[l++]);
    if (r % 2 == 1) widen(out, whole_[--r]);
  }
  return out;
}

template <int N>
double CubicSpline<N>::least(int component) const {
  const auto k = static_cast<std::size_t>(component);
  double out = jet(end()).f[k];
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const Span& c = spans_[i];
    const double h = knots_[i + 1] - knots_[i];
    const auto value = [&](double s) {
      return c[0][k] + s * (c[1][k] + s * (c[2][k] + s * c[3][k]));
    };
    out = std::min(out, c[0][k]);
    // where the slope vanishes: 3 c3 s^2 + 2 c2 s + c1 = 0
    const double root = c[2][k] * c[2][k] - 3.0 * c[3][k] * c[1][k];
    if (root < 0.0) continue;
    const double q = -(c[2][k] + std::copysign(std::sqrt(root), c[2][k]));
    for (const double s : {q / (3.0 * c[3][k]), c[1][k] / q})
      if (s > 0.0 && s < h) out = std::min(out, value(s));
  }
  return out;
}

template <int N>
std::vector<double> chord_knots(const std::vector<std::array<double, N>>& points) {
  std::vector<double> knots(points.size(), 0.0);
  for (std::size_t i = 1; i < points.size(); ++i) {
    double squared = 0.0;
    for (std::size_t k = 0; k < N; ++k)
      squared += (points[i][k] - points[i - 1][k]) * (points[i][k] - points[i - 1][k]);
    knots[i] = knots[i - 1] + std::sqrt(squared);
  }
  const double total = knots.back();
  for (double& knot : knots) knot /= total;
  knots.back() = 1.0;
  return knots;
}

template class CubicSpline<1>;
template class CubicSpline<2>;
template class CubicSpline<3>;
template class CubicSpline<4>;
template std::vector<double> chord_knots<2>(const std::vector<std::array<double, 2>>&);
template std::vector<double> chord_knots<3>(const std::vector<std::array<double, 3>>&);

}  // namespace repose
