#include "shape/define/bezier_cell.h"

#include <algorithm>
#include <limits>

namespace repose::shape {
namespace {

/// Bernstein polynomials of one degree with their first two derivatives at s.
struct Basis {
  std::array<double, kHighestDegree + 1> f{}, d{}, dd{};

  Basis(int degree, double s) {
    // degrees p-2, p-1, p one after the other
    std::array<double, kHighestDegree + 1> low{}, middle{};
    f[0] = 1.0;
    for (int k = 1; k <= degree; ++k) {
      low = middle;
      middle = f;
      for (int i = k; i >= 0; --i) {
        const auto n = static_cast<std::size_t>(i);
        f[n] = (i < k ? (1.0 - s) * middle[n] : 0.0) + (i > 0 ? s * middle[n - 1] : 0.0);
      }
    }
    const double p = degree;
    for (std::size_t i = 0; i <= static_cast<std::size_t>(degree); ++i) {
      const double before = i > 0 ? middle[i - 1] : 0.0;
      d[i] = p * (before - middle[i]);
      const double two_before = i > 1 ? low[i - 2] : 0.0, one_before = i > 0 ? low[i - 1] : 0.0;
      dd[i] = degree > 1 ? p * (p - 1.0) * (two_before - 2.0 * one_before + low[i]) : 0.0;
    }
  }
};

/// The net of the derivative along u: degree * per_u * differences.
Net<Interval> derivative_u(const Net<Interval>& net, double per_u) {
  Net<Interval> out{std::max(0, net.degree_u - 1), net.degree_v, {}};
  out.points.resize(static_cast<std::size_t>(out.degree_u + 1) *
                    static_cast<std::size_t>(out.degree_v + 1));
  const Interval factor = Interval(net.degree_u) * Interval(per_u);
  for (int i = 0; i < net.degree_u; ++i)
    for (int j = 0; j <= net.degree_v; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        out.at(i, j)[k] = factor * (net.at(i + 1, j)[k] - net.at(i, j)[k]);
  return out;
}

Net<Interval> transposed(const Net<Interval>& net) {
  Net<Interval> out{net.degree_v, net.degree_u, net.points};
  for (int i = 0; i <= net.degree_u; ++i)
    for (int j = 0; j <= net.degree_v; ++j) out.at(j, i) = net.at(i, j);
  return out;
}

Net<Interval> derivative_v(const Net<Interval>& net, double per_v) {
  return transposed(derivative_u(transposed(net), per_v));
}

/// Both parameters of a cut, in [0, 1]; each is off by at most four units in the last place.
struct Cut {
  double s1, ratio;

  Cut(double from, double to, double origin, double per) {
    s1 = std::clamp((to - origin) * per, 0.0, 1.0);
    const double s0 = std::clamp((from - origin) * per, 0.0, 1.0);
    // cut to nothing, a row is constant, and any ratio will do
    ratio = s1 > 0.0 ? std::clamp(s0 / s1, 0.0, 1.0) : 0.0;
  }
};

/// One mixture in a cut is off by at most this fraction of the largest coefficient: 2 units for its
/// products and sum, and twice 4 for its parameter, since two coefficients differ by at most twice
/// the largest. Mixtures do not enlarge what is off before.
constexpr double kMixtureError = 12.0 * std::numeric_limits<double>::epsilon();

/// `count` doubles of `to` become rest * from + part * to.
void mix(double* to, const double* from, double rest, double part, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) to[k] = rest * from[k] + part * to[k];
}

/// A net cut to a part of its rectangle in doubles, by de Casteljau: along each parameter first to
/// [0, s1], then to the fraction s0/s1 of that and beyond.
class CutNet {
 public:
  CutNet(const FlatNet& net, const Cut& u, const Cut& v, bool point)
      : rows_(size(net.degree_u) + 1), columns_(size(net.degree_v) + 1) {
    for (std::size_t n = 0; n < net.points.size(); ++n)
      for (std::size_t k = 0; k < 4; ++k) at_[4 * n + k] = net.points[n][k];
    const double mixtures = 2.0 * (net.degree_u + net.degree_v) + 1.0;
    for (std::size_t k = 0; k < 4; ++k)
      error_[k] = net.widest[k] + kMixtureError * mixtures * net.largest[k];
    const std::size_t row = 4 * columns_;
    cut(at_.data(), rows_, row, row, u, point);
    if (point) rows_ = 1;
    for (std::size_t i = 0; i < rows_; ++i) cut(at_.data() + i * row, columns_, 4, 4, v, point);
    if (point) columns_ = 1;
  }

  std::size_t count() const { return rows_ * columns_; }
  /// All that part k of coefficient n may be.
  Interval part(std::size_t n, std::size_t k) const {
    return Interval(at_[4 * n + k]) + Interval(-error_[k], error_[k]);
  }
  Homogeneous<Interval> hull() const {
    Homogeneous<double> low, high;
    for (std::size_t k = 0; k < 4; ++k) low[k] = high[k] = at_[k];
    for (std::size_t n = 1; n < count(); ++n)
      for (std::size_t k = 0; k < 4; ++k) {
        low[k] = std::min(low[k], at_[4 * n + k]);
        high[k] = std::max(high[k], at_[4 * n + k]);
      }
    Homogeneous<Interval> out;
    for (std::size_t k = 0; k < 4; ++k)
      out[k] = Interval(low[k], high[k]) + Interval(-error_[k], error_[k]);
    return out;
  }

 private:
  static std::size_t size(int degree) { return static_cast<std::size_t>(degree); }
  /// Coefficients of `width` doubles each, `step` apart; of a point the first is left.
  static void cut(double* at, std::size_t count, std::size_t step, std::size_t width, const Cut& c,
                  bool point) {
    if (point) {
      for (std::size_t r = 1; r < count; ++r)
        for (std::size_t i = 0; i + r < count; ++i)
          mix(at + i * step, at + (i + 1) * step, c.s1, 1.0 - c.s1, width);
      return;
    }
    for (std::size_t r = 1; r < count; ++r)
      for (std::size_t i = count - 1; i >= r; --i)
        mix(at + i * step, at + (i - 1) * step, 1.0 - c.s1, c.s1, width);
    for (std::size_t r = 1; r < count; ++r)
      for (std::size_t i = 0; i + r < count; ++i)
        mix(at + i * step, at + (i + 1) * step, c.ratio, 1.0 - c.ratio, width);
  }

  static constexpr std::size_t kMost = 4 * (kHighestDegree + 1) * (kHighestDegree + 1);
  std::size_t rows_, columns_;
  std::array<double, kMost> at_;
  Homogeneous<double> error_;
};

/// The hull of the control points themselves, which holds S since all weights are positive.
std::array<Interval, 3> projected_hull(const CutNet& net) {
  std::array<Interval, 3> out;
  for (std::size_t k = 0; k < 3; ++k) {
    out[k] = net.part(0, k) / net.part(0, 3);
    for (std::size_t n = 1; n < net.count(); ++n)
      out[k] = hull(out[k], net.part(n, k) / net.part(n, 3));
  }
  return out;
}

/// The quotient rule for S = A / w; `s` itself is given.
template <class T>
Terms<T> divided(const std::array<Homogeneous<T>, 6>& h, const std::array<T, 3>& s) {
  const T w = h[0][3], wu = h[1][3], wv = h[2][3], wuu = h[3][3], wuv = h[4][3], wvv = h[5][3];
  Terms<T> out;
  out.s = s;
  for (std::size_t k = 0; k < 3; ++k) {
    out.su[k] = (h[1][k] - wu * s[k]) / w;
    out.sv[k] = (h[2][k] - wv * s[k]) / w;
    out.suu[k] = (h[3][k] - T(2.0) * wu * out.su[k] - wuu * s[k]) / w;
    out.suv[k] = (h[4][k] - wu * out.sv[k] - wv * out.su[k] - wuv * s[k]) / w;
    out.svv[k] = (h[5][k] - T(2.0) * wv * out.sv[k] - wvv * s[k]) / w;
  }
  return out;
}

template <class T>
Terms<T> plain(const std::array<Homogeneous<T>, 6>& h) {
  Terms<T> out;
  for (std::size_t k = 0; k < 3; ++k) {
    out.s[k] = h[0][k];
    out.su[k] = h[1][k];
    out.sv[k] = h[2][k];
    out.suu[k] = h[3][k];
    out.suv[k] = h[4][k];
    out.svv[k] = h[5][k];
  }
  return out;
}

}  // namespace

FlatNet::FlatNet(const Net<Interval>& net) : degree_u(net.degree_u), degree_v(net.degree_v) {
  points.reserve(net.points.size());
  for (const auto& p : net.points) {
    points.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      points.back()[k] = p[k].mid();
      largest[k] = std::max(largest[k], p[k].mag());
      widest[k] = std::max(widest[k], p[k].width());
    }
  }
}

BezierCell::BezierCell(Net<double> net, const UvBox& box, bool rational)
    : box_(box),
      per_u_(1.0 / (box.u1 - box.u0)),
      per_v_(1.0 / (box.v1 - box.v0)),
      rational_(rational),
      net_(std::move(net)) {
  Net<Interval> s{net_.degree_u, net_.degree_v, {}};
  for (const auto& p : net_.points) s.points.push_back({p[0], p[1], p[2], p[3]});
  const Net<Interval> su = derivative_u(s, per_u_), sv = derivative_v(s, per_v_);
  nets_ = {FlatNet(s),
           FlatNet(su),
           FlatNet(sv),
           FlatNet(derivative_u(su, per_u_)),
           FlatNet(derivative_v(su, per_v_)),
           FlatNet(derivative_v(sv, per_v_))};
}

Terms<double> BezierCell::terms(double u, double v) const {
  const Basis bu(net_.degree_u, (u - box_.u0) * per_u_), bv(net_.degree_v, (v - box_.v0) * per_v_);
  std::array<Homogeneous<double>, 6> h{};
  const std::size_t parts = rational_ ? 4 : 3;
  for (int i = 0; i <= net_.degree_u; ++i) {
    // the row's point and its derivatives along v
    Homogeneous<double> f{}, d{}, dd{};
    for (int j = 0; j <= net_.degree_v; ++j) {
      const auto n = static_cast<std::size_t>(j);
      const Homogeneous<double>& p = net_.at(i, j);
      for (std::size_t k = 0; k < parts; ++k) {
        f[k] += bv.f[n] * p[k];
        d[k] += bv.d[n] * p[k];
        dd[k] += bv.dd[n] * p[k];
      }
    }
    const auto n = static_cast<std::size_t>(i);
    for (std::size_t k = 0; k < parts; ++k) {
      h[0][k] += bu.f[n] * f[k];
      h[1][k] += bu.d[n] * f[k];
      h[2][k] += bu.f[n] * d[k];
      h[3][k] += bu.dd[n] * f[k];
      h[4][k] += bu.d[n] * d[k];
      h[5][k] += bu.f[n] * dd[k];
    }
  }
  for (std::size_t k = 0; k < parts; ++k) {
    h[1][k] *= per_u_;
    h[2][k] *= per_v_;
    h[3][k] *= per_u_ * per_u_;
    h[4][k] *= per_u_ * per_v_;
    h[5][k] *= per_v_ * per_v_;
  }
  if (!rational_) return plain(h);
  return divided(h, {h[0][0] / h[0][3], h[0][1] / h[0][3], h[0][2] / h[0][3]});
}

Terms<Interval> BezierCell::terms(const UvBox& box) const {
  const Cut u(box.u0, box.u1, box_.u0, per_u_), v(box.v0, box.v1, box_.v0, per_v_);
  const bool point = box.u0 == box.u1 && box.v0 == box.v1;
  const CutNet s(nets_[0], u, v, point);
  std::array<Homogeneous<Interval>, 6> h;
  h[0] = s.hull();
  for (std::size_t k = 1; k < nets_.size(); ++k) h[k] = CutNet(nets_[k], u, v, point).hull();
  return rational_ ? divided(h, projected_hull(s)) : plain(h);
}

}  // namespace repose::shape
