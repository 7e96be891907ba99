#include "shape/trim/flat_spline.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "shape/define/validate.h"

namespace repose::shape {
namespace {

constexpr std::size_t kMostPoints = 100000;
constexpr int kSmooth = 2;
constexpr double kLeastWeight = 1e-6, kLargestWeight = 1e6;

Fault check(const TrimSpline& in) {
  if (in.degree < 1 || in.degree > FlatSpline::kHighestDegree)
    return fault("/degree", fmt::format("{}", in.degree), "not a usable degree",
                 fmt::format("1 to {}", FlatSpline::kHighestDegree));
  const auto p = static_cast<std::size_t>(in.degree);
  if (auto bad = check_count("/points", in.points.size(), p + 1, kMostPoints)) return bad;
  if (in.knots.size() != in.points.size() + p + 1)
    return fault("/knots", fmt::format("{} knots", in.knots.size()), "wrong number of knots",
                 fmt::format("{} (points + degree + 1)", in.points.size() + p + 1));
  if (!in.weights.empty() && in.weights.size() != in.points.size())
    return fault("/weights", "", "not as many as points", "one weight for each point");
  for (std::size_t i = 0; i < in.knots.size(); ++i) {
    if (!(std::fabs(in.knots[i]) <= kMaxLength))
      return fault("/knots", number_text(in.knots[i]), "not a usable knot", "a finite number");
    if (i > 0 && in.knots[i] < in.knots[i - 1])
      return fault("/knots", number_text(in.knots[i]), "the knots fall", "knots that never fall");
    const bool inner = in.knots[i] > in.knots[p] && in.knots[i] < in.knots[in.points.size()];
    if (inner && in.knots[i] == in.knots[i - p])
      return fault("/knots", number_text(in.knots[i]), "a knot repeats too often: the curve tears",
                   "at most as often as the degree");
  }
  for (const Vec2& point : in.points)
    if (auto bad = check_point("/points", point)) return bad;
  for (const double w : in.weights)
    if (!(w >= kLeastWeight && w <= kLargestWeight))
      return fault("/weights", number_text(w), "not a usable weight",
                   fmt::format("a number in [{}, {}]", kLeastWeight, kLargestWeight));
  const double low = in.knots[p], high = in.knots[in.points.size()];
  for (const auto& [name, t] : {std::pair{"/t0", in.t0}, std::pair{"/t1", in.t1}})
    if (!(t >= low && t <= high))
      return fault(name, number_text(t), "beyond the spline's ends",
                   fmt::format("a parameter in [{}, {}]", low, high));
  if (in.t0 == in.t1)
    return fault("/t1", number_text(in.t1), "the curve has no length", "t1 other than t0");
  return {};
}

template <class T>
using Point = std::array<T, 3>;

/// The point of a Bezier curve at s and its first two derivatives, by de Casteljau.
std::array<Point<double>, 3> bezier_at(const std::vector<Point<double>>& points, double s) {
  const std::size_t n = points.size() - 1;
  std::vector<Point<double>> at = points;
  const auto degree = static_cast<double>(n);
  Point<double> d{}, dd{};
  for (std::size_t r = 1; r <= n; ++r) {
    const std::size_t left = n - r + 1;  // mixtures still to come, this one included
    for (std::size_t k = 0; k < 3; ++k) {
      if (left == 2)
        dd[k] = degree * (degree - 1.0) * ((at[2][k] - at[1][k]) - (at[1][k] - at[0][k]));
      if (left == 1) d[k] = degree * (at[1][k] - at[0][k]);
    }
    for (std::size_t i = 0; i + r <= n; ++i)
      for (std::size_t k = 0; k < 3; ++k) at[i][k] = (1.0 - s) * at[i][k] + s * at[i + 1][k];
  }
  return {at[0], d, dd};
}

/// Control points of the derivative.
std::vector<Point<Interval>> slopes(const std::vector<Point<Interval>>& points) {
  const auto degree = static_cast<double>(points.size() - 1);
  std::vector<Point<Interval>> out;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    out.emplace_back();
    for (std::size_t k = 0; k < 3; ++k)
      out.back()[k] = Interval(degree) * (points[i + 1][k] - points[i][k]);
  }
  if (out.empty()) out.push_back({Interval(0.0), Interval(0.0), Interval(0.0)});
  return out;
}

/// All that the curve is over [low, high]: the hull of its control points cut to that stretch, by
/// de Casteljau with parameters that are points. 0 <= low <= high.
Point<Interval> hull_over(std::vector<Point<Interval>> at, double low, double high) {
  const std::size_t n = at.size() - 1;
  const auto mix = [](const Point<Interval>& a, const Point<Interval>& b, Interval s) {
    Point<Interval> out;
    for (std::size_t k = 0; k < 3; ++k) out[k] = (Interval(1.0) - s) * a[k] + s * b[k];
    return out;
  };
  const Interval end(high);
  for (std::size_t r = 1; r <= n; ++r)
    for (std::size_t i = n; i >= r; --i) at[i] = mix(at[i - 1], at[i], end);
  if (high > 0.0) {
    const Interval begin = Interval(low) / end;
    for (std::size_t r = 1; r <= n; ++r)
      for (std::size_t i = 0; i + r <= n; ++i) at[i] = mix(at[i], at[i + 1], begin);
  }
  Point<Interval> out = at[0];
  for (std::size_t i = 1; i <= n; ++i)
    for (std::size_t k = 0; k < 3; ++k) out[k] = hull(out[k], at[i][k]);
  return out;
}

}  // namespace

Result<std::shared_ptr<const FlatSpline>> FlatSpline::make(const TrimSpline& in) {
  if (auto bad = check(in)) return *bad;
  auto out = std::make_shared<FlatSpline>();
  out->rational_ = !in.weights.empty();
  const auto p = static_cast<std::size_t>(in.degree);
  const std::vector<double>& t = in.knots;
  int multiplicity = 0;
  for (std::size_t span = p; span < in.points.size(); ++span) {
    ++multiplicity;
    if (t[span] == t[span + 1]) continue;
    if (!out->pieces_.empty() && in.degree - multiplicity < kSmooth) out->rough_.push_back(t[span]);
    multiplicity = 0;
    // the blossom at the span's two ends, by de Boor's scheme
    Piece piece{t[span], t[span + 1], std::vector<Homogeneous<double>>(p + 1), {}};
    std::vector<Homogeneous<double>> row(p + 1);
    for (std::size_t m = 0; m <= p; ++m) {
      for (std::size_t j = 0; j <= p; ++j) {
        const double w = in.weights.empty() ? 1.0 : in.weights[span - p + j];
        const Vec2& x = in.points[span - p + j];
        row[j] = {w * x[0], w * x[1], w};
      }
      for (std::size_t r = 1; r <= p; ++r) {
        const double x = r <= m ? t[span + 1] : t[span];
        for (std::size_t j = p; j >= r; --j) {
          const std::size_t k = span - p + j;
          const double alpha = (x - t[k]) / (t[k + p - r + 1] - t[k]);
          for (std::size_t c = 0; c < 3; ++c)
            row[j][c] = (1.0 - alpha) * row[j - 1][c] + alpha * row[j][c];
        }
      }
      piece.points[m] = row[p];
    }
    for (const auto& point : piece.points)
      piece.nets[0].push_back({Interval(point[0]), Interval(point[1]), Interval(point[2])});
    piece.nets[1] = slopes(piece.nets[0]);
    piece.nets[2] = slopes(piece.nets[1]);
    out->pieces_.push_back(std::move(piece));
  }
  return std::shared_ptr<const FlatSpline>(std::move(out));
}

std::size_t FlatSpline::piece_at(double t, const Run& run) const {
  std::size_t at = run.first;
  while (at < run.last && t >= pieces_[at].to) ++at;
  return at;
}

FlatSpline::Run FlatSpline::run(double t0, double t1) const {
  const Run all{0, pieces_.size() - 1};
  Run out{piece_at(std::min(t0, t1), all), piece_at(std::max(t0, t1), all)};
  // a stretch that ends on a knot does not reach the piece after it
  if (out.last > out.first && pieces_[out.last].from >= std::max(t0, t1)) --out.last;
  return out;
}

template <class T>
FlatJet<T> FlatSpline::quotient(const std::array<Homogeneous<T>, 3>& h, T per) const {
  const auto& [f, first, second] = h;
  FlatJet<T> out;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!rational_) {
      out.c[k] = f[k], out.d[k] = first[k] * per, out.dd[k] = second[k] * per * per;
      continue;
    }
    const T c = f[k] / f[2];
    const T d = (first[k] - c * first[2]) / f[2];
    const T dd = (second[k] - T(2.0) * d * first[2] - c * second[2]) / f[2];
    out.c[k] = c, out.d[k] = d * per, out.dd[k] = dd * per * per;
  }
  return out;
}

FlatJet<double> FlatSpline::at(double t, const Run& run) const {
  const Piece& piece = pieces_[piece_at(t, run)];
  const double per = 1.0 / (piece.to - piece.from);
  return quotient(bezier_at(piece.points, (t - piece.from) * per), per);
}

FlatJet<Interval> FlatSpline::on(const Piece& piece, Interval t) const {
  const Interval per = Interval(1.0) / (Interval(piece.to) - Interval(piece.from));
  // parameters a rounding beyond the ends belong to the ends
  const Interval s = (t - Interval(piece.from)) * per;
  const double low = std::clamp(s.lo, 0.0, 1.0), high = std::clamp(s.hi, 0.0, 1.0);
  std::array<Homogeneous<Interval>, 3> h;
  for (std::size_t k = 0; k < 3; ++k) h[k] = hull_over(piece.nets[k], low, high);
  return quotient(h, per);
}

FlatJet<Interval> FlatSpline::at(Interval t, const Run& run) const {
  const std::size_t first = piece_at(t.lo, run), last = piece_at(t.hi, run);
  FlatJet<Interval> out;
  for (std::size_t i = first; i <= last; ++i) {
    const Piece& piece = pieces_[i];
    const Interval here(i == first ? t.lo : piece.from, i == last ? t.hi : piece.to);
    FlatJet<Interval> e = on(piece, here);
    const FlatJet<Interval> middle = on(piece, Interval(here.mid()));
    const Interval step = here - Interval(here.mid());
    for (std::size_t k = 0; k < 2; ++k) {
      // mean value form: de Casteljau with a wide parameter is wide
      e.d[k] = meet(e.d[k], middle.d[k] + e.dd[k] * step);
      e.c[k] = meet(e.c[k], middle.c[k] + e.d[k] * step);
      out.c[k] = i == first ? e.c[k] : hull(out.c[k], e.c[k]);
      out.d[k] = i == first ? e.d[k] : hull(out.d[k], e.d[k]);
      out.dd[k] = i == first ? e.dd[k] : hull(out.dd[k], e.dd[k]);
    }
  }
  return out;
}

std::vector<double> FlatSpline::kinks(double t0, double t1) const {
  std::vector<double> out;
  for (const double t : rough_)
    if (t > std::min(t0, t1) && t < std::max(t0, t1)) out.push_back(t);
  if (t1 < t0) std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace repose::shape
