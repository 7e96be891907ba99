#pragma once

#include <array>
#include <vector>

#include "repose/math/interval.h"

namespace repose {

/// A curve in N dimensions with its first and second derivative, at one parameter (T = double) or
/// over a range of them (T = Interval).
template <int N, class T>
struct SplineJet {
  std::array<T, N> f, d, dd;
};

/// What fixes an interpolating cubic spline's component at one of its ends.
struct SplineEnd {
  bool clamped = false;  // true: first derivative is `slope`; false: second derivative is 0
  double slope = 0.0;
};

/// Piecewise cubic and twice continuously differentiable over [knots.front(), knots.back()].
template <int N>
class CubicSpline {
 public:
  using Point = std::array<double, N>;
  using Ends = std::array<SplineEnd, N>;

  /// Through points[i] at knots[i]. Requires: growing knots, as many as points, at least two.
  static CubicSpline through(const std::vector<double>& knots, const std::vector<Point>& points,
                             const Ends& begin = {}, const Ends& end = {});
  /// The same closed on itself: points.back() = sign * points.front(), derivatives included.
  /// Requires: at least three spans; sign is +1, or -1 for a curve that closes up to its sign.
  static CubicSpline through_closed(const std::vector<double>& knots,
                                    const std::vector<Point>& points, double sign = 1.0);

  double begin() const { return knots_.front(); }
  double end() const { return knots_.back(); }
  const std::vector<double>& knots() const { return knots_; }

  SplineJet<N, double> jet(double t) const;
  /// Rounding included. Requires: t lies in [begin(), end()].
  SplineJet<N, Interval> enclose(Interval t) const;
  /// The least value of one component over the whole curve.
  double least(int component) const;

 private:
  /// f(t) = c0 + c1 s + c2 s^2 + c3 s^3 with s = t - the span's first knot.
  using Span = std::array<Point, 4>;

  CubicSpline(const std::vector<double>& knots, const std::vector<Point>& points,
              const std::vector<Point>& slopes);
  std::size_t span_at(double t) const;
  SplineJet<N, Interval> enclose_in_span(std::size_t span, Interval t) const;

  std::vector<double> knots_;
  std::vector<Span> spans_;
  /// Enclosures of whole spans in a binary tree: node i holds 2i and 2i + 1, leaves from
  /// spans_.size() on.
  std::vector<SplineJet<N, Interval>> whole_;
};

/// Knots proportional to the distances between successive points, from 0 to 1. A spline over them
/// neither loops nor lags where the points are spaced unevenly.
template <int N>
std::vector<double> chord_knots(const std::vector<std::array<double, N>>& points);

}  // namespace repose
