#include "shape/trim/flat_curve.h"

#include <cmath>
#include <numbers>

#include "shape/define/validate.h"

namespace repose::shape {

FlatCurve FlatCurve::line(const Vec2& from, const Vec2& to) {
  FlatCurve out;
  out.a_ = from;
  out.b_ = to;
  return out;
}

template <class T>
FlatJet<T> FlatCurve::jet(T s) const {
  using std::cos;
  using std::sin;
  FlatJet<T> out;
  if (kind_ == Kind::line) {
    for (int k = 0; k < 2; ++k) {
      const auto n = static_cast<std::size_t>(k);
      out.d[n] = T(b_[k]) - T(a_[k]);
      // each end by itself, so that both are met to the bit
      out.c[n] = (T(1.0) - s) * T(a_[k]) + s * T(b_[k]);
      out.dd[n] = T(0.0);
    }
    return out;
  }
  const T rate = T(t1_) - T(t0_);
  const T t = (T(1.0) - s) * T(t0_) + s * T(t1_);
  if (kind_ == Kind::arc) {
    const T c = cos(t), q = sin(t);
    for (int k = 0; k < 2; ++k) {
      const auto n = static_cast<std::size_t>(k);
      const T on = T(b_[k]) * c + T(c_[k]) * q;
      out.c[n] = T(a_[k]) + on;
      out.d[n] = rate * (T(c_[k]) * c - T(b_[k]) * q);
      out.dd[n] = -(rate * rate * on);
    }
    return out;
  }
  out = spline_->at(t, run_);
  for (std::size_t k = 0; k < 2; ++k) {
    out.d[k] = out.d[k] * rate;
    out.dd[k] = out.dd[k] * rate * rate;
  }
  return out;
}

FlatJet<double> FlatCurve::at(double s) const {
  return jet(s);
}

FlatJet<Interval> FlatCurve::at(Interval s) const {
  FlatJet<Interval> out = jet(s);
  if (kind_ != Kind::line) return out;
  // s stands twice in the formula of c
  for (int k = 0; k < 2; ++k) {
    const auto n = static_cast<std::size_t>(k);
    out.c[n] = meet(out.c[n], Interval(a_[k]) + s * out.d[n]);
  }
  return out;
}

Vec2 FlatCurve::point(double s) const {
  const auto c = at(s).c;
  return {c[0], c[1]};
}

Vec2 FlatCurve::tangent(double s) const {
  const auto d = at(s).d;
  return {d[0], d[1]};
}

FlatCurve FlatCurve::part(double s0, double s1) const {
  if (kind_ == Kind::line) return line(point(s0), point(s1));
  FlatCurve out = *this;
  out.t0_ = (1.0 - s0) * t0_ + s0 * t1_;
  out.t1_ = (1.0 - s1) * t0_ + s1 * t1_;
  return out;
}

Result<std::vector<FlatCurve>> smooth_pieces(const TrimCurve& curve) {
  std::vector<FlatCurve> out;
  if (const auto* line = std::get_if<TrimLine>(&curve)) {
    if (auto bad = first_fault(check_point("/from", line->from), check_point("/to", line->to)))
      return *bad;
    out.push_back(FlatCurve::line(line->from, line->to));
    return out;
  }
  FlatCurve whole;
  if (const auto* arc = std::get_if<TrimArc>(&curve)) {
    constexpr double kMostTurns = 4.0 * std::numbers::pi;
    if (auto bad = first_fault(check_point("/center", arc->center), check_point("/a", arc->a),
                               check_point("/b", arc->b), check_coordinate("/t0", arc->t0),
                               check_coordinate("/t1", arc->t1)))
      return *bad;
    if (arc->t0 == arc->t1 || !(std::fabs(arc->t1 - arc->t0) <= kMostTurns))
      return fault("/t1", number_text(arc->t1), "the arc is of no use", "t1 up to a turn from t0");
    whole.kind_ = FlatCurve::Kind::arc;
    whole.a_ = arc->center, whole.b_ = arc->a, whole.c_ = arc->b;
    whole.t0_ = arc->t0, whole.t1_ = arc->t1;
    out.push_back(std::move(whole));
    return out;
  }
  const auto& spline = std::get<TrimSpline>(curve);
  auto made = FlatSpline::make(spline);
  if (!made) return made.error();
  whole.kind_ = FlatCurve::Kind::spline;
  whole.spline_ = *made;
  std::vector<double> ends = whole.spline_->kinks(spline.t0, spline.t1);
  ends.push_back(spline.t1);
  double from = spline.t0;
  for (const double to : ends) {
    FlatCurve piece = whole;
    piece.t0_ = from, piece.t1_ = to;
    piece.run_ = piece.spline_->run(from, to);
    out.push_back(std::move(piece));
    from = to;
  }
  return out;
}

}  // namespace repose::shape
