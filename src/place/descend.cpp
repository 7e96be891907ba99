#include <algorithm>
#include <cmath>
#include <limits>

#include "foot.h"
#include "row.h"
#include "valley.h"

namespace repose::place {
namespace {

constexpr int kMaxSlides = 30;
/// Of a gap, over the coordinates it is made from.
constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
/// One slide covers no more than this share of the domain.
constexpr double kShareOfDomain = 0.2;
/// Edges whose tangents cross at a smaller sine have no normal of their own: two round rims cross
/// at ever smaller angles until they kiss.
constexpr double kLeastCrossing = 1e-5;
/// The normal of crossing edges may leave the wedge between their faces' normals by this much.
constexpr double kWedgeSlack = 1e-9;
/// A known row stands for a slide that would end lower by no more than this share of its gain.
constexpr double kNoHigher = 0.25;
/// A squared distance that bends by less than this share of the metric is not followed by Newton.
constexpr double kLeastConvex = 0.1;
/// The way from an edge's foot is square to the edge up to this cosine, unless it is an end.
constexpr double kSquare = 1e-6;
/// Metric below this share of its trace: the chart is degenerate there.
constexpr double kDegenerate = 1e-14;

Vec2 limited(const Feature& f, Vec2 step) {
  const double span_u = f.domain.u1 - f.domain.u0, span_v = f.domain.v1 - f.domain.v0;
  double share = span_u > 0.0 ? std::fabs(step.x()) / span_u : 0.0;
  if (span_v > 0.0) share = std::max(share, std::fabs(step.y()) / span_v);
  return share > kShareOfDomain ? Vec2(step * (kShareOfDomain / share)) : step;
}

/// The slide along one parameter (direction e of the chart).
double slide_along(double g, double h, double metric, double stiff, double longest) {
  if (!(metric > 0.0) || !(h > stiff * metric)) return 0.0;
  const double most = longest / std::sqrt(metric);
  return std::clamp(-g / h, -most, most);
}

Vec2 slide(const Valley& v, int freedoms, double stiff, double longest) {
  const double det = v.metric.determinant(), trace = v.metric.trace();
  if (freedoms == 1 || det <= kDegenerate * trace * trace) {
    const int k = freedoms == 2 && v.metric(1, 1) > v.metric(0, 0) ? 1 : 0;
    Vec2 out = Vec2::Zero();
    out[k] = slide_along(v.gradient[k], v.hessian(k, k), v.metric(k, k), stiff, longest);
    return out;
  }
  // principal directions of the gap's bending over the surface's own metric
  const Principal principals = principal(v);
  Vec2 out = Vec2::Zero();
  for (std::size_t k = 0; k < 2; ++k) {
    if (!(principals.bending[k] > stiff)) continue;
    const Vec2& e = principals.direction[k];
    out += std::clamp(-v.gradient.dot(e) / principals.bending[k], -longest, longest) * e;
  }
  return out;
}

/// The same with parameters held where the domain ends.
Vec2 slide_inside(const Feature& f, const Valley& v, const Vec2& uv, double stiff, double longest) {
  const Vec2 free = slide(v, f.freedoms(), stiff, longest);
  if (f.freedoms() < 2) return free;
  const shape::UvBox& d = f.domain;
  const bool out_u =
      !f.wrap_u && ((uv.x() <= d.u0 && free.x() < 0.0) || (uv.x() >= d.u1 && free.x() > 0.0));
  const bool out_v =
      !f.wrap_v && ((uv.y() <= d.v0 && free.y() < 0.0) || (uv.y() >= d.v1 && free.y() > 0.0));
  if (!out_u && !out_v) return free;
  if (out_u && out_v) return Vec2::Zero();
  const int k = out_u ? 1 : 0;
  Vec2 out = Vec2::Zero();
  out[k] = slide_along(v.gradient[k], v.hessian(k, k), v.metric(k, k), stiff, longest);
  return out;
}

Row row_at(const Posed& q, const Seed& seed, const Feature& fp, const Valley& v) {
  Row row;
  row.at = seed;
  row.at.uv_q = v.foot.uv;
  row.normal = q.rotation * v.foot.normal;
  row.gap = v.foot.distance - fp.radius;
  row.point = q.to_world(v.point) - fp.radius * row.normal;
  row.foot = q.to_world(v.foot.point);
  return row;
}

/// A slide by `step`, to second order, ends at a known row that is no higher.
bool meets(const Known& known, const Posed& q, const Seed& seed, const Feature& fp, const Valley& v,
           const Vec2& step) {
  const Vec3 moved = step.x() * (v.si[0] + 0.5 * step.x() * v.sij[0] + step.y() * v.sij[1]) +
                     step.y() * (v.si[1] + 0.5 * step.y() * v.sij[2]);
  const Vec3 normal = q.rotation * (v.foot.normal + v.foot.bending * moved).normalized();
  const Vec3 point = q.to_world(v.point + moved) - fp.radius * normal;
  const double gain = -v.gradient.dot(step) - 0.5 * step.dot(v.hessian * step);
  const double gap = v.foot.distance - fp.radius - gain;
  const auto stands_for = [&](const Row& r) {
    return r.at.p == seed.p && r.at.q == seed.q && r.at.feature_p == seed.feature_p &&
           r.at.feature_q == seed.feature_q && r.gap <= gap + kNoHigher * gain &&
           (r.point - point).squaredNorm() <= known.near * known.near &&
           r.normal.dot(normal) >= known.alike;
  };
  return std::any_of(known.rows.begin(), known.rows.end(), stands_for);
}

Descent descend_faces(const Posed& p, const Posed& q, Seed seed, const ValleySettings& s,
                      const Known& known) {
  const Feature& fp = p.surface->feature(seed.feature_p);
  const double stiff = seed.samples ? s.stiff : s.soft;
  const Feature& fq = q.surface->feature(seed.feature_q);
  Valley v = valley_at(p, q, seed, known.p, {known.q, s.far});
  for (int i = 0; i < kMaxSlides && fp.freedoms() > 0; ++i) {
    if (!v.foot.valid) return {std::nullopt, false, i == 0};
    const Vec2 step = limited(fp, slide_inside(fp, v, seed.uv_p, stiff, s.longest));
    const Vec2 next = into_domain(fp, seed.uv_p + step);
    // round a closed patch the step itself is the way gone
    const Vec2 moved(fp.wrap_u ? step.x() : next.x() - seed.uv_p.x(),
                     fp.wrap_v ? step.y() : next.y() - seed.uv_p.y());
    const double length =
        v.si[0].norm() * std::fabs(moved.x()) + v.si[1].norm() * std::fabs(moved.y());
    if (length <= s.converged) break;
    const bool rough = seed.samples && v.foot.distance - fp.radius > s.rough_gap;
    if (rough && length <= s.rough) break;
    const double gain = -v.gradient.dot(moved);
    if (gain <= 0.0 && v.foot.distance - fp.radius > s.far) break;
    if (meets(known, q, seed, fp, v, moved)) return {std::nullopt, true};
    seed.uv_p = next;
    seed.uv_q = foot_after(fq, v.foot, moved.x() * v.si[0] + moved.y() * v.si[1]);
    v = valley_at(p, q, seed, nullptr, {nullptr, s.far});
    // a gain within rounding: where the valley is soft its bottom is not better known than that
    if (gain <= kRounding * v.point.norm()) break;
  }
  if (!v.foot.valid) return {};
  return {row_at(q, seed, fp, v)};
}

Vec3 between(const std::vector<Vec3>& normals, double share) {
  const double at = share * static_cast<double>(normals.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), normals.size() - 2);
  const double w = at - static_cast<double>(i);
  return ((1.0 - w) * normals[i] + w * normals[i + 1]).normalized();
}

/// n lies in the wedge spanned by the edge's two face normals.
bool in_wedge(const Feature& f, double t, const Vec3& tangent, const Vec3& n) {
  const double share = (t - f.domain.u0) / (f.domain.u1 - f.domain.u0);
  const Vec3 l = between(f.normals_left, share), r = between(f.normals_right, share);
  const Vec3 axis = l.cross(r).dot(tangent) >= 0.0 ? tangent : Vec3(-tangent);
  return l.cross(n).dot(axis) >= -kWedgeSlack && n.cross(r).dot(axis) >= -kWedgeSlack &&
         n.dot(l + r) > 0.0;
}

/// A corner of p beside a sharp edge of q: Newton on |a - b|^2 / 2 over the edge's parameter. None
/// where the nearest place is an end of the edge, or where a face of q is nearer.
std::optional<Row> descend_corner(const Posed& p, const Posed& q, Seed seed,
                                  const ValleySettings& s) {
  const Feature& fq = q.surface->feature(seed.feature_q);
  EdgePair e = edges_at(p, q, seed);
  for (int i = 0; i < kMaxSlides; ++i) {
    const Vec3 r = e.a - e.b;
    const double metric = e.tb.squaredNorm(), newton = metric - r.dot(e.kb);
    const double step = r.dot(e.tb) / (newton > kLeastConvex * metric ? newton : metric);
    const double w = into_domain(fq, Vec2(seed.uv_q.x() + limited(fq, {step, 0.0}).x(), 0.0)).x();
    const double moved = e.tb.norm() * std::fabs(w - seed.uv_q.x());
    seed.uv_q.x() = w;
    e = edges_at(p, q, seed);
    if (moved <= s.converged) break;
  }
  const Vec3 r = e.a - e.b;
  const double gap = r.norm();
  if (!(gap > s.converged)) return std::nullopt;
  const Vec3 n = r / gap, tb = e.tb.normalized();
  if (std::fabs(n.dot(tb)) > kSquare) return std::nullopt;
  if (!in_wedge(fq, seed.uv_q.x(), q.rotation.transpose() * tb, q.rotation.transpose() * n))
    return std::nullopt;
  Row row;
  row.at = seed;
  row.normal = n;
  row.gap = gap;
  row.point = e.a;
  row.foot = e.b;
  return row;
}

/// Newton on |a - b|^2 / 2 over the two parameters.
std::optional<Row> descend_edges(const Posed& p, const Posed& q, Seed seed,
                                 const ValleySettings& s) {
  const Feature &fp = p.surface->feature(seed.feature_p), &fq = q.surface->feature(seed.feature_q);
  EdgePair e = edges_at(p, q, seed);
  for (int i = 0; i < kMaxSlides; ++i) {
    const Vec3 r = e.a - e.b;
    const Vec2 g(r.dot(e.ta), -r.dot(e.tb));
    Mat2 h;
    h << e.ta.squaredNorm(), -e.ta.dot(e.tb), -e.ta.dot(e.tb), e.tb.squaredNorm();
    const double floor = kDegenerate * h.trace() * h.trace();
    Mat2 newton = h;
    newton(0, 0) += r.dot(e.ka);
    newton(1, 1) -= r.dot(e.kb);
    if (newton.determinant() > kLeastConvex * h.determinant() && newton.trace() > 0.0) h = newton;
    if (h.determinant() <= floor) return std::nullopt;
    const Vec2 step = -(h.inverse() * g);
    const double u =
        into_domain(fp, Vec2(seed.uv_p.x() + limited(fp, {step.x(), 0.0}).x(), 0.0)).x();
    const double w =
        into_domain(fq, Vec2(seed.uv_q.x() + limited(fq, {step.y(), 0.0}).x(), 0.0)).x();
    const double moved =
        e.ta.norm() * std::fabs(u - seed.uv_p.x()) + e.tb.norm() * std::fabs(w - seed.uv_q.x());
    seed.uv_p.x() = u;
    seed.uv_q.x() = w;
    e = edges_at(p, q, seed);
    if (moved <= s.converged) break;
  }
  const Vec3 ta = e.ta.normalized(), tb = e.tb.normalized();
  Vec3 n = ta.cross(tb);
  if (n.norm() < kLeastCrossing) return std::nullopt;
  n.normalize();
  const Vec3 qb = q.rotation.transpose() * tb;
  if (!in_wedge(fq, seed.uv_q.x(), qb, q.rotation.transpose() * n)) n = -n;
  if (!in_wedge(fq, seed.uv_q.x(), qb, q.rotation.transpose() * n)) return std::nullopt;
  if (!in_wedge(fp, seed.uv_p.x(), p.rotation.transpose() * ta, -(p.rotation.transpose() * n)))
    return std::nullopt;
  const Vec3 r = e.a - e.b;
  if ((r - r.dot(n) * n).norm() > 4.0 * s.converged) return std::nullopt;  // ended at a corner
  Row row;
  row.at = seed;
  row.normal = n;
  row.gap = r.dot(n);
  row.point = e.a;
  row.foot = e.b;
  return row;
}

}  // namespace

Valley valley_at(const Posed& p, const Posed& q, const Seed& seed, const shape::PatchJet* jet_p,
                 const FootHelp& help) {
  const Feature &fp = p.surface->feature(seed.feature_p), &fq = q.surface->feature(seed.feature_q);
  const Mat3 turn = q.rotation.transpose() * p.rotation;
  const PointJet jet = jet_p != nullptr ? point_jet(*jet_p) : point_jet(fp, seed.uv_p);
  Valley v;
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

Descent descend(const Posed& p, const Posed& q, const Seed& seed, const ValleySettings& settings,
                const Known& known) {
  if (q.surface->feature(seed.feature_q).kind == FeatureKind::curve)
    return {p.surface->feature(seed.feature_p).kind == FeatureKind::point
                ? descend_corner(p, q, seed, settings)
                : descend_edges(p, q, seed, settings)};
  return descend_faces(p, q, seed, settings, known);
}

std::optional<Row> descend(const Posed& p, const Posed& q, const Seed& seed,
                           const ValleySettings& settings) {
  return descend(p, q, seed, settings, Known{}).row;
}

}  // namespace repose::place
