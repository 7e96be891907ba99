#pragma once

#include <array>
#include <memory>
#include <vector>

#include "repose/base/result.h"
#include "repose/math/interval.h"
#include "repose/shape/trim.h"

namespace repose::shape {

/// A place in the (u, v) plane with its first two derivatives along a curve.
template <class T>
struct FlatJet {
  std::array<T, 2> c, d, dd;
};

/// A (rational) B-spline in the plane, as Bezier pieces.
class FlatSpline {
 public:
  static constexpr int kHighestDegree = 25;

  static Result<std::shared_ptr<const FlatSpline>> make(const TrimSpline& in);

  /// Bezier pieces that follow each other smoothly.
  struct Run {
    std::size_t first = 0, last = 0;
  };
  /// The run that holds the parameters between t0 and t1; no kink lies between them.
  Run run(double t0, double t1) const;
  /// With derivatives along the spline's own parameter; beyond the run its end pieces go on.
  FlatJet<double> at(double t, const Run& run) const;
  FlatJet<Interval> at(Interval t, const Run& run) const;
  /// Parameters strictly between t0 and t1 where it is less than twice continuously differentiable.
  std::vector<double> kinks(double t0, double t1) const;

 private:
  template <class T>
  using Homogeneous = std::array<T, 3>;  // (w u, w v, w)
  struct Piece {
    double from, to;
    std::vector<Homogeneous<double>> points;
    /// Control points of value, first and second derivative along the piece's share in [0, 1].
    std::array<std::vector<Homogeneous<Interval>>, 3> nets;
  };
  std::size_t piece_at(double t, const Run& run) const;
  template <class T>
  FlatJet<T> quotient(const std::array<Homogeneous<T>, 3>& h, T per) const;
  FlatJet<Interval> on(const Piece& piece, Interval t) const;

  std::vector<Piece> pieces_;
  std::vector<double> rough_;  // inner knots less than C2
  bool rational_ = false;
};

}  // namespace repose::shape
