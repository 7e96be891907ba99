#include "check/gap/gjk.h"

namespace repose::check {

template <class Real>
ConvexPairOf<Real>::ConvexPairOf(const ConvexBody& first, const ConvexBody& second,
                                 const FrameOf<Real>& b_in_a)
    : a(first), b(second), frame(b_in_a) {
  const Real reach_a = a.reach(), reach_b = b.reach();
  error = frame.error(reach_b) + frame.turn_error * reach_b + a.error_in(kFiner<Real>) +
          b.error_in(kFiner<Real>) +
          2.0 * kFiner<Real> * kSumError * (reach_a + reach_b + frame.shift.norm());
}

template <class Real>
Real ConvexPairOf<Real>::plane_bound(const Vec3& d) const {
  return d.dot(farthest_b(d) - farthest_a(d)) - Real(a.skin()) - Real(b.skin()) - error;
}

template <class Real>
CoreDistanceOf<Real> core_distance(const ConvexPairOf<Real>& pair, const VecOf<Real>& shift,
                                   Real width, Real enough) {
  using Vec = VecOf<Real>;
  constexpr double kNothing = 1e-14;  // of the bodies' reach: no distance
  const Real nothing =
      kFiner<Real> * kNothing *
      (Real(pair.a.reach()) + Real(pair.b.reach()) + (pair.frame.shift + shift).norm());
  Vec start = pair.frame * pair.b.center().template cast<Real>() + shift -
              pair.a.center().template cast<Real>();
  if (!(start.norm() > nothing)) start = Vec::UnitZ();
  const auto farthest_a = [&](const Vec& d) { return pair.farthest_a(d); };
  const auto farthest_b = [&](const Vec& d) -> Vec { return pair.farthest_b(d) + shift; };
  return gjk_of<decltype(farthest_a), decltype(farthest_b), Real>(farthest_a, farthest_b, start,
                                                                  width, enough, nothing);
}

template struct ConvexPairOf<double>;
template struct ConvexPairOf<long double>;
template CoreDistanceOf<double> core_distance(const ConvexPairOf<double>&, const VecOf<double>&,
                                              double, double);
template CoreDistanceOf<long double> core_distance(const ConvexPairOf<long double>&,
                                                   const VecOf<long double>&, long double,
                                                   long double);

}  // namespace repose::check
