#include "foot.h"

#include <algorithm>
#include <cmath>

namespace repose::place {
namespace {

constexpr int kMaxSteps = 24;
/// Newton ends when a step moves the foot by less than this share of the patch's own scale.
constexpr double kStepEnd = 1e-15;
/// One of Newton's own shorter than this leaves no more than its square.
constexpr double kNewtonEnd = 1e-9;
/// The same for feet so far that their own place counts little.
constexpr double kFarEnd = 1e-3;
/// Offsets allowed across a sharp side and across a smooth seam, over the length of the step that
/// the domain cut off: fractions of the local patch scale |Su| + |Sv|.
constexpr double kSharpOffset = 1e-14;
constexpr double kSmoothOffset = 1e-5;
/// A foot step turns or slides by no more than this share of the domain.
constexpr double kLongestStep = 0.25;
/// Below this determinant over its scale the chart is degenerate (a pole).
constexpr double kDegenerate = 1e-16;
/// Where a chart is degenerate, second derivatives are taken this share of the domain inward.
constexpr double kPoleShift = 1e-4;
/// Barycentric slack at the borders of a triangle: rounding, and well below the gap of rest, at
/// which a corner over a ridge would else stand on both its sides.
constexpr double kTriangleSlack = 1e-12;

struct Bounds {
  bool low_u = false, high_u = false, low_v = false, high_v = false;
};

Bounds at_bounds(const Feature& f, const Vec2& uv) {
  const shape::UvBox& d = f.domain;
  return {!f.wrap_u && uv.x() <= d.u0, !f.wrap_u && uv.x() >= d.u1, !f.wrap_v && uv.y() <= d.v0,
          !f.wrap_v && uv.y() >= d.v1};
}

/// What a step of the search was.
struct StepKind {
  bool held = false;    // by the domain
  bool newton = false;  // by the whole matrix of second derivatives
};

/// Newton's step for |S - p|^2 / 2 in (u, v), Gauss's where its matrix is not positive; along one
/// parameter alone where the other is held by the domain.
Vec2 foot_step(const Feature& f, const shape::PatchJet& jet, const Vec3& p, const Vec2& uv,
               StepKind& kind) {
  const Vec3 r = jet.s - p;
  const Vec2 g(r.dot(jet.su), r.dot(jet.sv));
  const double guu = jet.su.squaredNorm(), gvv = jet.sv.squaredNorm(), guv = jet.su.dot(jet.sv);
  double huu = guu + r.dot(jet.suu), hvv = gvv + r.dot(jet.svv), huv = guv + r.dot(jet.suv);
  const double floor = kDegenerate * (guu + gvv) * (guu + gvv);
  kind.newton =
      huu > 0.0 && hvv > 0.0 && huu * hvv - huv * huv > 0.25 * (guu * gvv - guv * guv) + floor;
  if (!kind.newton) {
    huu = guu, hvv = gvv, huv = guv;
  }
  const Bounds b = at_bounds(f, uv);
  const bool hold_u = (b.low_u && g.x() > 0.0) || (b.high_u && g.x() < 0.0);
  const bool hold_v = (b.low_v && g.y() > 0.0) || (b.high_v && g.y() < 0.0);
  kind.held = hold_u || hold_v;
  if (hold_u && hold_v) return Vec2::Zero();
  if (hold_u) return {0.0, hvv > 0.0 ? -g.y() / hvv : 0.0};
  if (hold_v) return {huu > 0.0 ? -g.x() / huu : 0.0, 0.0};
  const double det = huu * hvv - huv * huv;
  if (det > floor) return {(-g.x() * hvv + g.y() * huv) / det, (-g.y() * huu + g.x() * huv) / det};
  return {guu > gvv ? -g.x() / guu : 0.0, gvv >= guu ? -g.y() / gvv : 0.0};
}

/// At a pole the search can be caught on the wrong meridian: the one towards p is tried.
Vec2 off_the_pole(const Feature& f, const Vec2& uv, const Vec3& p) {
  constexpr int kMeridians = 8;
  Vec2 best = uv;
  double least = std::numeric_limits<double>::infinity();
  const double inward = uv.y() <= f.domain.v0 ? 1.0 : -1.0;
  const double dv = inward * kPoleShift * (f.domain.v1 - f.domain.v0);
  for (int k = 0; k < kMeridians; ++k) {
    const Vec2 at(f.domain.u0 + (f.domain.u1 - f.domain.u0) * k / kMeridians, uv.y() + dv);
    const double distance = (f.face.patch->point(at.x(), at.y()) - p).squaredNorm();
    if (distance < least) {
      least = distance;
      best = at;
    }
  }
  return best;
}

Foot patch_foot(const Feature& f, const Vec3& p, const Vec2& start, const FootHelp& help) {
  Foot foot;
  Vec2 uv = into_domain(f, start);
  const Vec2 span(f.domain.u1 - f.domain.u0, f.domain.v1 - f.domain.v0);
  shape::PatchJet jet =
      help.at_start != nullptr && uv == start ? *help.at_start : f.face.patch->jet(uv.x(), uv.y());
  StepKind kind;
  bool left_pole = false;
  for (int i = 0; i < kMaxSteps; ++i) {
    Vec2 step = foot_step(f, jet, p, uv, kind);
    const double longest = std::max(std::fabs(step.x()) / span.x(), std::fabs(step.y()) / span.y());
    if (longest > kLongestStep) step *= kLongestStep / longest;
    const Vec2 next = into_domain(f, uv + step);
    const bool pole = jet.su.norm() <= kPoleShift * kPoleShift * jet.sv.norm();
    if (kind.held && pole && f.wrap_u && !left_pole) {
      left_pole = true;
      uv = off_the_pole(f, uv, p);
      jet = f.face.patch->jet(uv.x(), uv.y());
      continue;
    }
    const double moved =
        (jet.su * (next.x() - uv.x())).norm() + (jet.sv * (next.y() - uv.y())).norm();
    uv = next;
    jet = f.face.patch->jet(uv.x(), uv.y());
    const bool far = kind.newton && !kind.held && (jet.s - p).squaredNorm() > help.far * help.far;
    const double end = far ? kFarEnd : kind.newton ? kNewtonEnd : kStepEnd;
    if (moved <= end * (jet.su.norm() * span.x() + jet.sv.norm() * span.y())) break;
  }
  foot.uv = uv;
  foot.point = jet.s;
  foot.jet = jet;
  const Vec3 cross = jet.su.cross(jet.sv);
  const double area = cross.norm();
  foot.normal = area > kDegenerate * jet.sv.squaredNorm() + std::numeric_limits<double>::min()
                    ? Vec3(f.face.outward * cross / area)
                    : f.face.normal(uv.x(), uv.y());
  const Vec3 r = p - jet.s;
  foot.distance = r.dot(foot.normal);
  foot.offset = (r - foot.distance * foot.normal).norm();
  const double scale = jet.su.norm() * span.x() + jet.sv.norm() * span.y();
  const Bounds b = at_bounds(f, uv);
  bool smooth = true;
  if (b.low_u) smooth = smooth && f.smooth_side[0];
  if (b.high_u) smooth = smooth && f.smooth_side[1];
  if (b.low_v) smooth = smooth && f.smooth_side[2];
  if (b.high_v) smooth = smooth && f.smooth_side[3];
  const double slack = smooth ? kSmoothOffset : kSharpOffset;
  foot.valid = foot.offset <= slack * scale;
  return foot;
}

/// The least barycentric coordinate of a point in the plane square to n.
double least_share(const Vec3& at, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& n) {
  const double area = (b - a).cross(c - a).dot(n);
  const double u = (at - a).cross(c - a).dot(n) / area, v = (b - a).cross(at - a).dot(n) / area;
  return std::min({u, v, 1.0 - u - v});
}

Foot triangle_foot(const Feature& f, const Vec3& p, const FootHelp& help) {
  Foot foot;
  foot.normal = f.normal;
  foot.distance = (p - f.corners[0]).dot(f.normal);
  foot.point = p - foot.distance * f.normal;
  const Vec3 a = f.corners[1] - f.corners[0], b = f.corners[2] - f.corners[0];
  const double area = a.cross(b).dot(f.normal);
  const Vec3 r = foot.point - f.corners[0];
  foot.uv = {r.cross(b).dot(f.normal) / area, a.cross(r).dot(f.normal) / area};
  foot.valid = help.whole_plane || on_triangle(f, foot, help.rising);
  return foot;
}

Foot ball_foot(const Feature& f, const Vec3& p) {
  Foot foot;
  const Vec3 r = p - f.point;
  const double length = r.norm();
  foot.normal = length > 0.0 ? Vec3(r / length) : Vec3(Vec3::UnitZ());
  foot.distance = length - f.radius;
  foot.point = f.point + f.radius * foot.normal;
  foot.valid = true;
  return foot;
}

Mat3 patch_bending(const Feature& f, const Foot& foot) {
  Vec2 uv = foot.uv;
  shape::PatchJet jet = foot.jet;
  Vec3 n = foot.normal;
  Mat2 first, second;
  for (int attempt = 0; attempt < 2; ++attempt) {
    first << jet.su.squaredNorm(), jet.su.dot(jet.sv), jet.su.dot(jet.sv), jet.sv.squaredNorm();
    second << n.dot(jet.suu), n.dot(jet.suv), n.dot(jet.suv), n.dot(jet.svv);
    const double trace = first.trace();
    if (first.determinant() > kPoleShift * kPoleShift * kPoleShift * trace * trace * kPoleShift)
      break;
    // beside the pole, with the normal there
    uv = uv + kPoleShift * (f.domain.center() - uv);
    jet = f.face.patch->jet(uv.x(), uv.y());
    n = f.face.normal(uv.x(), uv.y());
  }
  Eigen::Matrix<double, 3, 2> s;
  s << jet.su, jet.sv;
  const Mat2 grown = first - foot.distance * second;
  if (!(first.determinant() > 0.0) || !(grown.determinant() > 0.0)) return Mat3::Zero();
  return -s * first.inverse() * second * grown.inverse() * s.transpose();
}

}  // namespace

bool on_triangle(const Feature& f, const Foot& foot, double rising) {
  if (std::min({foot.uv.x(), foot.uv.y(), 1.0 - foot.uv.x() - foot.uv.y()}) >= -kTriangleSlack)
    return true;
  for (std::size_t k = 0; k < 3; ++k) {
    if (!f.rising[k]) continue;
    const Vec3 &a = f.corners[k], &b = f.corners[(k + 1) % 3];
    const Vec3 outward = (b - a).normalized().cross(f.normal);
    if ((foot.point - a).dot(outward) <= rising &&
        least_share(foot.point, b, a, *f.rising[k], f.normal) >= -kTriangleSlack)
      return true;
  }
  return false;
}

Foot find_foot(const Feature& f, const Vec3& p, const Vec2& start, const FootHelp& help) {
  if (f.kind == FeatureKind::patch) return patch_foot(f, p, start, help);
  if (f.kind == FeatureKind::triangle) return triangle_foot(f, p, help);
  if (f.kind == FeatureKind::point) return ball_foot(f, p);
  Foot foot;
  foot.distance = p.z();
  foot.point = {p.x(), p.y(), 0.0};
  foot.valid = true;
  return foot;
}

Vec2 foot_after(const Feature& f, const Foot& foot, const Vec3& way) {
  if (f.kind != FeatureKind::patch) return foot.uv;
  // the condition (S - p).Si = 0 of the foot, differentiated
  const shape::PatchJet& jet = foot.jet;
  const Vec3 r = -foot.distance * foot.normal;
  const double guu = jet.su.squaredNorm(), gvv = jet.sv.squaredNorm(), guv = jet.su.dot(jet.sv);
  const double huu = guu + r.dot(jet.suu), hvv = gvv + r.dot(jet.svv), huv = guv + r.dot(jet.suv);
  const double det = huu * hvv - huv * huv;
  if (!(huu > 0.0 && det > 0.25 * (guu * gvv - guv * guv))) return foot.uv;
  const double du = jet.su.dot(way), dv = jet.sv.dot(way);
  return into_domain(f, foot.uv + Vec2(hvv * du - huv * dv, huu * dv - huv * du) / det);
}

void add_bending(const Feature& f, Foot& foot) {
  if (f.kind == FeatureKind::patch && !f.planar) foot.bending = patch_bending(f, foot);
  if (f.kind == FeatureKind::point)
    foot.bending =
        (Mat3::Identity() - foot.normal * foot.normal.transpose()) / (f.radius + foot.distance);
}

}  // namespace repose::place
