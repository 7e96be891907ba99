#include "check/exact/exact_point.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace repose::check {

namespace {

using Matrix = std::array<std::array<Exact, 3>, 3>;

/// The rotation that q stands for, times `weight` > 0.
struct Turn {
  Matrix matrix;
  Exact weight;
};
Turn turn_of(const Quat& q) {
  const Exact w = q.w(), x = q.x(), y = q.y(), z = q.z(), two = 2.0;
  const Exact ww = w * w, xx = x * x, yy = y * y, zz = z * z;
  const Exact xy = two * x * y, xz = two * x * z, yz = two * y * z;
  const Exact wx = two * w * x, wy = two * w * y, wz = two * w * z;
  Turn out{{{{ww + xx - yy - zz, xy - wz, xz + wy},
             {xy + wz, ww - xx + yy - zz, yz - wx},
             {xz - wy, yz + wx, ww - xx - yy + zz}}},
           ww + xx + yy + zz};
  // quarter turns swap axes: ones and zeros, without the common weight
  bool swaps = true;
  for (const auto& row : out.matrix)
    for (const Exact& m : row)
      swaps = swaps && (m.sign() == 0 || m == out.weight || -m == out.weight);
  if (!swaps) return out;
  for (auto& row : out.matrix)
    for (Exact& m : row) m = Exact(m.sign());
  out.weight = 1.0;
  return out;
}

}  // namespace

ExactPoint::ExactPoint(std::array<Exact, 4> coordinates) : at(std::move(coordinates)) {
  const double w = at[3].rounded();
  rounded = Vec3(at[0].rounded(), at[1].rounded(), at[2].rounded()) / w;
  error = kSumError * rounded.norm();
}

ExactPoint between(const ExactPoint& p, const Exact& m, const ExactPoint& q, const Exact& n) {
  std::array<Exact, 4> at;
  for (std::size_t k = 0; k < 4; ++k) at[k] = p.at[k] * m + q.at[k] * n;
  return ExactPoint(std::move(at));
}

ExactPoint centroid(const ExactPoint& p, const ExactPoint& q, const ExactPoint& r) {
  const Exact pq = p.at[3] * q.at[3], pr = p.at[3] * r.at[3], qr = q.at[3] * r.at[3];
  std::array<Exact, 4> at;
  for (std::size_t k = 0; k < 4; ++k) at[k] = p.at[k] * qr + q.at[k] * pr + r.at[k] * pq;
  return ExactPoint(std::move(at));
}

ExactFrame::ExactFrame(const PlacedBody& b, const PlacedBody& a) : rounded_(relative_frame(b, a)) {
  // x_b = R_b^T (R_a x + t_a - t_b), times the weights of both turns
  const Pose &pa = a.world_from_body, &pb = b.world_from_body;
  const auto [ma, wa] = turn_of(pa.rotation);
  const auto [mb, wb] = turn_of(pb.rotation);
  weight_ = wa * wb;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto at = static_cast<Eigen::Index>(k);
      for (std::size_t j = 0; j < 3; ++j) rows_[i][j] = rows_[i][j] + mb[k][i] * ma[k][j];
      rows_[i][3] = rows_[i][3] + mb[k][i] * wa * (Exact(pa.position[at]) - pb.position[at]);
    }
}

ExactPoint ExactFrame::operator*(const Vec3& x) const {
  ExactPoint out;
  for (std::size_t i = 0; i < 3; ++i)
    out.at[i] = rows_[i][0] * x.x() + rows_[i][1] * x.y() + rows_[i][2] * x.z() + rows_[i][3];
  out.at[3] = weight_;
  out.rounded = rounded_ * x;
  out.error = rounded_.error(x.norm());
  return out;
}

int compare(const ExactPoint& p, const ExactPoint& q, Doubts& doubts) {
  const double slack = p.error + q.error;
  for (int k = 0; k < 3; ++k) {
    const double d = p.rounded[k] - q.rounded[k];
    if (std::fabs(d) > slack + kUlp * std::fabs(d)) return d > 0.0 ? 1 : -1;
    const auto i = static_cast<std::size_t>(k);
    const int sign = doubts.sign(p.at[i] * q.at[3] - q.at[i] * p.at[3]);
    if (sign != 0) return sign;
  }
  return 0;
}

ExactVector difference(const ExactPoint& q, const ExactPoint& p) {
  ExactVector out;
  const bool same = p.at[3] == q.at[3];
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = same ? q.at[k] - p.at[k] : q.at[k] * p.at[3] - p.at[k] * q.at[3];
  return out;
}

ExactVector cross(const ExactVector& u, const ExactVector& v) {
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

Exact dot(const ExactVector& u, const ExactVector& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

namespace {

/// How far the volume of three edges, none longer than `longest`, whose ends are off by `e`, may be
/// from that of their computed vectors.
double volume_error(double longest, double e) {
  constexpr double kDifferences = 8.0;
  return kDifferences * (e + kSumError * longest) * (longest + e) * (longest + e);
}

}  // namespace

int orient(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c, const ExactPoint& d,
           Doubts& doubts) {
  const Vec3 u = a.rounded - d.rounded, v = b.rounded - d.rounded, w = c.rounded - d.rounded;
  const double volume = u.dot(w.cross(v));
  const double e = d.error + std::max({a.error, b.error, c.error});
  if (std::fabs(volume) > volume_error(std::max({u.norm(), v.norm(), w.norm()}), e))
    return volume > 0.0 ? 1 : -1;
  return doubts.sign(dot(difference(a, d), cross(difference(c, d), difference(b, d))));
}

ExactPlane::ExactPlane(const ExactPoint& a, const ExactPoint& b, const ExactPoint& c,
                       Doubts& doubts)
    : normal_(cross(difference(b, a), difference(c, a))), on_(a) {
  offset_ = normal_[0] * a.at[0] + normal_[1] * a.at[1] + normal_[2] * a.at[2];
  rounded_normal_ = (b.rounded - a.rounded).cross(c.rounded - a.rounded);
  reach_ = std::max((b.rounded - a.rounded).norm(), (c.rounded - a.rounded).norm());
  error_ = 2.0 * std::max({a.error, b.error, c.error});
  none_ =
      doubts.sign(normal_[0]) == 0 && doubts.sign(normal_[1]) == 0 && doubts.sign(normal_[2]) == 0;
}

Exact ExactPlane::value(const ExactPoint& p) const {
  const Exact along = normal_[0] * p.at[0] + normal_[1] * p.at[1] + normal_[2] * p.at[2];
  return along * on_.at[3] - offset_ * p.at[3];
}

int ExactPlane::side(const ExactPoint& p, Doubts& doubts) const {
  // the volume in doubles: each of three differences off by e, rounding of a few products
  const Vec3 from = p.rounded - on_.rounded;
  const double longest = std::max(reach_, from.norm()), e = error_ + 2.0 * p.error;
  const double volume = rounded_normal_.dot(from);
  if (std::fabs(volume) > volume_error(longest, e)) return volume > 0.0 ? 1 : -1;
  return doubts.sign(value(p));
}

}  // namespace repose::check
