#include "repose/math/dense.h"

#include "row.h"
#include "valley.h"

namespace repose::place {
namespace {

using Mat3x12 = Eigen::Matrix<double, 3, 12>;
using Row12 = Eigen::Matrix<double, 1, 12>;

/// A patch whose metric has a smaller determinant, over the square of its trace, is at a pole; so
/// far beside it, over the domain, its derivatives are taken.
constexpr double kPole = 1e-16, kPoleShift = 1e-4;

/// A corner's distance to an edge bends no more than over this share of the longest slide.
constexpr double kSharpest = 0.01;

Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
  return m;
}

/// n . (theta x (theta x r)) / 2 as a quadratic form in theta.
Mat3 turning(const Vec3& n, const Vec3& r) {
  return 0.5 * (n * r.transpose() + r * n.transpose()) - n.dot(r) * Mat3::Identity();
}

/// What the two rotations alone bend a point's displacement by, along n; rp, rq from the centres of
/// mass to the point.
Mat12 rotation_terms(const Vec3& n, const Vec3& rp, const Vec3& rq) {
  Mat12 h = Mat12::Zero();
  h.block<3, 3>(3, 3) += turning(n, rp);
  h.block<3, 3>(9, 9) += turning(n, rq);
  // -n . (theta_q x (x_p - x_q + theta_p x r_p))
  Mat3x12 y = Mat3x12::Zero();
  y.block<3, 3>(0, 0) = Mat3::Identity();
  y.block<3, 3>(0, 3) = -cross_matrix(rp);
  y.block<3, 3>(0, 6) = -Mat3::Identity();
  const Mat3x12 coupled = cross_matrix(n) * y;
  h.block<3, 12>(9, 0) += coupled;
  h.block<12, 3>(0, 9) += coupled.transpose();
  return h;
}

/// Displacement of the point against q's material.
Mat3x12 relative(const Vec3& rp, const Vec3& rq) {
  Mat3x12 m;
  m << Mat3::Identity(), -cross_matrix(rp), -Mat3::Identity(), cross_matrix(rq);
  return m;
}

/// n . ((theta_p - theta_q) x t).
Row12 turned_along(const Vec3& n, const Vec3& t) {
  Row12 out = Row12::Zero();
  const Vec3 c = t.cross(n);
  out.segment<3>(3) = c.transpose();
  out.segment<3>(9) = -c.transpose();
  return out;
}

/// At a pole, where a patch's parameters say nothing, tangents and bending of p beside it; the gap
/// bends there by p's part along its own normal and by q's as at the row.
void leave_pole(const Posed& p, const Posed& q, const Row& row, Valley& v) {
  const Feature& fp = p.surface->feature(row.at.feature_p);
  const double trace = v.metric.trace();
  if (fp.freedoms() != 2 || v.metric.determinant() > kPole * trace * trace) return;
  const Vec2 beside = row.at.uv_p + kPoleShift * (fp.domain.center() - row.at.uv_p);
  const PointJet jet = point_jet(fp, beside);
  const Mat3 turn = q.rotation.transpose() * p.rotation;
  for (std::size_t k = 0; k < 2; ++k) v.si[k] = turn * jet.si[k];
  for (std::size_t k = 0; k < 3; ++k) v.sij[k] = turn * jet.sij[k];
  const Vec3 own = v.si[0].cross(v.si[1]).normalized();
  const double facing = v.foot.normal.dot(own);
  const auto bent = [&](std::size_t i, std::size_t j) {
    return facing * own.dot(v.sij[i + j]) + v.si[i].dot(v.foot.bending * v.si[j]);
  };
  v.hessian << bent(0, 0), bent(0, 1), bent(1, 0), bent(1, 1);
  v.metric << v.si[0].squaredNorm(), v.si[0].dot(v.si[1]), v.si[0].dot(v.si[1]),
      v.si[1].squaredNorm();
}

Mat12 faces_hessian(const Posed& p, const Posed& q, const Row& row, const ValleySettings& s) {
  const Feature& fp = p.surface->feature(row.at.feature_p);
  Valley v =
      valley_at(p, q, row.at, row.jets.of_p(), {.at_start = row.jets.of_q(), .whole_plane = true});
  if (!v.foot.valid) return Mat12::Zero();
  if (fp.freedoms() == 0) add_bending(q.surface->feature(row.at.feature_q), v.foot);
  leave_pole(p, q, row, v);
  const Vec3 a = q.to_world(v.point), n = q.rotation * v.foot.normal;
  const Mat3 bending = q.rotation * v.foot.bending * q.rotation.transpose();
  const Vec3 rp = a - p.center, rq = a - q.center;
  const Mat3x12 m = relative(rp, rq);
  Mat12 h = rotation_terms(n, rp, rq) + m.transpose() * bending * m;
  // the point slides on p to stay lowest, along the directions that descend() follows
  const double stiff = row.at.samples ? s.stiff : s.firm;
  std::array<Row12, 2> mixed;
  for (std::size_t k = 0; k < 2; ++k) {
    const Vec3 t = q.rotation * v.si[k];
    mixed[k] = (bending * t).transpose() * m + turned_along(n, t);
  }
  if (fp.freedoms() == 1) {
    if (v.hessian(0, 0) > stiff * v.metric(0, 0))
      h -= mixed[0].transpose() * mixed[0] / v.hessian(0, 0);
  } else if (fp.freedoms() == 2 && v.metric.determinant() > 0.0) {
    const Principal principals = principal(v);
    for (std::size_t k = 0; k < 2; ++k) {
      if (!(principals.bending[k] > stiff)) continue;
      const Vec2& e = principals.direction[k];
      const Row12 along = e.x() * mixed[0] + e.y() * mixed[1];
      h -= along.transpose() * along / principals.bending[k];
    }
  }
  return h;
}

/// A corner beside an edge: its distance d to the edge bends by 1/d across it, or by what a step
/// can still follow.
Mat12 corner_hessian(const Posed& p, const Posed& q, const Row& row, const ValleySettings& s) {
  const EdgePair e = edges_at(p, q, row.at);
  const Vec3 &n = row.normal, t = e.tb.normalized();
  const double d = std::max(row.gap, kSharpest * s.longest);
  const double along = 1.0 - d * n.dot(e.kb - e.kb.dot(t) * t) / e.tb.squaredNorm();
  Mat3 bending = (Mat3::Identity() - n * n.transpose()) / d;
  if (along > 0.0) bending -= t * t.transpose() / (d * along);
  const Vec3 rp = e.a - p.center, rq = e.a - q.center;
  const Mat3x12 m = relative(rp, rq);
  return rotation_terms(n, rp, rq) + m.transpose() * bending * m;
}

/// Crossing edges: both points slide along their edges so that the pair stays along the normal.
Mat12 edges_hessian(const Posed& p, const Posed& q, const Row& row) {
  const EdgePair e = edges_at(p, q, row.at);
  const Vec3& n = row.normal;
  const Vec3 rp = e.a - p.center, rq = e.a - q.center;
  const Mat3x12 m = relative(rp, rq);
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  Mat2 tangents;
  tangents << t1.dot(e.ta), -t1.dot(e.tb), t2.dot(e.ta), -t2.dot(e.tb);
  Eigen::Matrix<double, 2, 12> across;
  across << t1.transpose() * m, t2.transpose() * m;
  const Eigen::Matrix<double, 2, 12> slid = -tangents.inverse() * across;
  const Row12 u = slid.row(0), w = slid.row(1);
  const Row12 turned = turned_along(n, e.ta);
  Mat12 h = rotation_terms(n, rp, rq);
  h += turned.transpose() * u + u.transpose() * turned;
  h += n.dot(e.ka) * u.transpose() * u - n.dot(e.kb) * w.transpose() * w;
  return h;
}

}  // namespace

Mat12 row_hessian(const Posed& p, const Posed& q, const Row& row, const ValleySettings& settings) {
  if (q.surface->feature(row.at.feature_q).kind == FeatureKind::curve)
    return p.surface->feature(row.at.feature_p).kind == FeatureKind::point
               ? corner_hessian(p, q, row, settings)
               : edges_hessian(p, q, row);
  return faces_hessian(p, q, row, settings);
}

}  // namespace repose::place
