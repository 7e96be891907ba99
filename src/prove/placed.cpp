#include "repose/prove/placed.h"

#include "prove/turn.h"

namespace repose::prove {

namespace {

/// An exact number between doubles; all numbers where it left their range.
Interval enclosed(const Exact& value) {
  constexpr double kFewUlp = 8.0 * detail::kEps;  // `rounded` is nearer than that
  if (!value.sure()) return {-detail::kInf, detail::kInf};
  return Interval(value.rounded()) * Interval(1.0 - kFewUlp, 1.0 + kFewUlp);
}

Placed middle(const IVec3& box) {
  Placed out{Vec3(box[0].mid(), box[1].mid(), box[2].mid()), 0.0};
  Interval squares = 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    squares += square(Interval(box[k]) - Interval(out.at[static_cast<Eigen::Index>(k)]));
  out.error = sqrt(squares).hi;
  return out;
}

}  // namespace

Placing::Placing(const Pose& world_from_body, const Vec3& origin)
    : pose_(world_from_body), origin_(origin) {
  const auto [rows, weight] = turn_of<Interval>(pose_.rotation);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) rows_[i][j] = rows[i][j] / weight;
}

IVec3 Placing::enclose(const Vec3& p) const {
  IVec3 out = turn(p);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    out[k] += Interval(pose_.position[at]) - Interval(origin_[at]);
  }
  return out;
}

IVec3 Placing::turn(const Vec3& v) const {
  IVec3 out;
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = rows_[k][0] * Interval(v.x()) + rows_[k][1] * Interval(v.y()) +
             rows_[k][2] * Interval(v.z());
  return out;
}

IVec3 Placing::turn_back(const IVec3& v) const {
  IVec3 out;
  for (std::size_t k = 0; k < 3; ++k)
    out[k] = rows_[0][k] * v[0] + rows_[1][k] * v[1] + rows_[2][k] * v[2];
  return out;
}

IVec3 Placing::enclose_exactly(const Vec3& p) const {
  const auto [rows, weight] = turn_of<Exact>(pose_.rotation);
  const Interval divisor = enclosed(weight);
  IVec3 out;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    const Exact shift = weight * (Exact(pose_.position[at]) - Exact(origin_[at]));
    const Exact turned = rows[k][0] * p.x() + rows[k][1] * p.y() + rows[k][2] * p.z();
    out[k] = enclosed(turned + shift) / divisor;
  }
  return out;
}

Placed Placing::operator*(const Vec3& p) const {
  constexpr double kCancelled = 64.0 * detail::kEps;  // of the point's distance from the origin
  const Placed plain = middle(enclose(p));
  if (plain.error <= kCancelled * plain.at.norm()) return plain;
  const Placed sharp = middle(enclose_exactly(p));
  return sharp.error < plain.error ? sharp : plain;
}

}  // namespace repose::prove
