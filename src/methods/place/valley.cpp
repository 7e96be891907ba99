#include "valley.h"

#include <algorithm>
#include <cmath>

namespace repose::place {

Valley valley_at(const Posed& p, const Posed& q, const Seed& seed, const shape::PatchJet* jet_p,
                 const FootHelp& help) {
  const Feature &fp = p.surface->feature(seed.feature_p), &fq = q.surface->feature(seed.feature_q);
  const Mat3 turn = q.rotation.transpose() * p.rotation;
  Valley v;
  const bool patch = fp.kind == FeatureKind::patch;
  if (patch) v.jet_p = jet_p != nullptr ? *jet_p : fp.face.patch->jet(seed.uv_p.x(), seed.uv_p.y());
  const PointJet jet = patch ? point_jet(v.jet_p) : point_jet(fp, seed.uv_p);
  v.point = q.to_body(p.to_world(jet.s));
  v.foot = find_foot(fq, v.point, seed.uv_q, help);
  if (!v.foot.valid || fp.freedoms() == 0) return v;
  add_bending(fq, v.foot);
  for (std::size_t k = 0; k < 2; ++k) v.si[k] = turn * jet.si[k];
  for (std::size_t k = 0; k < 3; ++k) v.sij[k] = turn * jet.sij[k];
  const Vec3& n = v.foot.normal;
  v.gradient = {n.dot(v.si[0]), n.dot(v.si[1])};
  const Vec3 k0 = v.foot.bending * v.si[0], k1 = v.foot.bending * v.si[1];
  const double mixed = n.dot(v.sij[1]) + v.si[0].dot(k1);
  v.hessian << n.dot(v.sij[0]) + v.si[0].dot(k0), mixed, mixed, n.dot(v.sij[2]) + v.si[1].dot(k1);
  v.metric << v.si[0].squaredNorm(), v.si[0].dot(v.si[1]), v.si[0].dot(v.si[1]),
      v.si[1].squaredNorm();
  return v;
}

Principal principal(const Valley& v) {
  // with the metric L L^T, the symmetric matrix L^-1 H L^-T has the same numbers
  const double l00 = std::sqrt(v.metric(0, 0)), l10 = v.metric(1, 0) / l00;
  const double l11 = std::sqrt(std::max(v.metric(1, 1) - l10 * l10, 0.0));
  Mat2 back;
  back << 1.0 / l00, -l10 / (l00 * l11), 0.0, 1.0 / l11;  // L^-T
  const Mat2 m = back.transpose() * v.hessian * back;
  const double mean = 0.5 * (m(0, 0) + m(1, 1)), half = 0.5 * (m(0, 0) - m(1, 1));
  const double spread = std::sqrt(half * half + m(0, 1) * m(0, 1));
  // the half of the angle whose cosine is half / spread, by the larger of its two parts
  Vec2 e = Vec2::UnitX();
  if (spread > 0.0) {
    const double large = std::sqrt(0.5 * (1.0 + std::fabs(half) / spread));
    const double small = 0.5 * m(0, 1) / (spread * large);
    e = half >= 0.0 ? Vec2(large, small) : Vec2(std::fabs(small), std::copysign(large, m(0, 1)));
  }
  Principal out;
  out.bending = {mean + spread, mean - spread};
  out.direction = {back * e, back * Vec2(-e.y(), e.x())};
  return out;
}

EdgePair edges_at(const Posed& p, const Posed& q, const Seed& seed) {
  const PointJet a = point_jet(p.surface->feature(seed.feature_p), seed.uv_p);
  const PointJet b = point_jet(q.surface->feature(seed.feature_q), seed.uv_q);
  return {p.to_world(a.s),      q.to_world(b.s),       p.rotation * a.si[0],
          q.rotation * b.si[0], p.rotation * a.sij[0], q.rotation * b.sij[0]};
}

}  // namespace repose::place
