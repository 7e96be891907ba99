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
/// Slides longer than this share of the longest are halved where they overshoot, so often.
constexpr double kShortSlide = 0.02;
constexpr int kHalvings = 3;
/// A slide is made longer, or shorter, by no more than these factors, and only where slides leave
/// more than this share of the way to go.
constexpr double kMostLonger = 5.0, kMostShorter = 0.5, kSlow = 0.05;
/// Edges whose tangents cross at a smaller sine have no normal of their own: two round rims cross
/// at ever smaller angles until they kiss.
constexpr double kLeastCrossing = 1e-5;
/// The normal of crossing edges may leave the wedge between their faces' normals by this much,
/// sine: what would cross such an edge enters its body all the same. An edge that lies on a face
/// touches both sides of it, and the least turn takes it out of one wedge and into the other. A
/// corner beside an edge has its normal in the wedge.
constexpr double kCrossingSlack = 0.01, kWedgeSlack = 1e-9;
/// No search goes lower than this many times what its next slide gains at first order.
constexpr double kSurely = 4.0;
/// A known row stands for a slide that would end lower by no more than this share of its gain.
constexpr double kNoHigher = 0.25;
/// Edges that would cross no farther beyond their ends than this many of the last slides do cross.
constexpr double kEnds = 4.0;
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

/// One slide of the point over its own surface.
struct Slide {
  Vec2 step = Vec2::Zero();
  bool whole = true;    // not cut to the longest
  bool across = false;  // of two directions one is stiff, the other one not
  bool bowl = false;    // every direction is stiff
};

Slide slide(const Valley& v, int freedoms, double stiff, double longest) {
  const double det = v.metric.determinant(), trace = v.metric.trace();
  Slide out;
  if (freedoms == 1 || det <= kDegenerate * trace * trace) {
    const int k = freedoms == 2 && v.metric(1, 1) > v.metric(0, 0) ? 1 : 0;
    out.step[k] = slide_along(v.gradient[k], v.hessian(k, k), v.metric(k, k), stiff, longest);
    out.bowl = freedoms == 1 && v.hessian(k, k) > stiff * v.metric(k, k);
    return out;
  }
  // principal directions of the gap's bending over the surface's own metric
  const Principal principals = principal(v);
  out.bowl = principals.bending[1] > stiff;
  out.across = principals.bending[0] > stiff && !out.bowl;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!(principals.bending[k] > stiff)) continue;
    const Vec2& e = principals.direction[k];
    const double length = -v.gradient.dot(e) / principals.bending[k];
    out.whole = out.whole && std::fabs(length) <= longest;
    out.step += std::clamp(length, -longest, longest) * e;
  }
  return out;
}

/// The same with parameters held where the domain ends.
Slide slide_inside(const Feature& f, const Valley& v, const Vec2& uv, double stiff,
                   double longest) {
  const Slide free = slide(v, f.freedoms(), stiff, longest);
  if (f.freedoms() < 2) return free;
  const shape::UvBox& d = f.domain;
  const bool out_u = !f.wrap_u && ((uv.x() <= d.u0 && free.step.x() < 0.0) ||
                                   (uv.x() >= d.u1 && free.step.x() > 0.0));
  const bool out_v = !f.wrap_v && ((uv.y() <= d.v0 && free.step.y() < 0.0) ||
                                   (uv.y() >= d.v1 && free.step.y() > 0.0));
  if (!out_u && !out_v) return free;
  Slide out;
  if (out_u && out_v) return out;
  const int k = out_u ? 1 : 0;
  out.step[k] = slide_along(v.gradient[k], v.hessian(k, k), v.metric(k, k), stiff, longest);
  return out;
}

/// Across a valley that falls along itself the stiff direction turns as the point goes, and slides
/// shrink by a fixed share only: the place where they vanish is found from the last two (secant
/// method).
class Secant {
 public:
  /// The slide lengthened or shortened so that the next one would vanish.
  Slide better(const Valley& v, Slide slide) {
    const bool steady = slide.across && slide.whole;
    const double factor = steady && usable_ ? factor_of(v, slide.step) : 1.0;
    usable_ = steady;
    newton_ = slide.step;
    slide.step *= factor;
    return slide;
  }
  void taken(const Vec2& step) { taken_ = step; }

 private:
  double factor_of(const Valley& v, const Vec2& newton) const {
    const Vec2 along = v.metric * taken_;
    const double way = taken_.dot(along), shrunk = newton_.dot(along) - newton.dot(along);
    if (!(way > 0.0) || !(shrunk * kMostLonger > way) || way < kMostShorter * shrunk) return 1.0;
    // what Newton's method leaves by itself is of second order
    return std::fabs(way - shrunk) > kSlow * way ? way / shrunk : 1.0;
  }

  bool usable_ = false;
  Vec2 newton_ = Vec2::Zero(), taken_ = Vec2::Zero();  // the last slide as asked for, as gone
};

Row row_at(const Posed& q, const Seed& seed, const Feature& fp, const Feature& fq,
           const Valley& v) {
  Row row;
  row.at = seed;
  row.at.uv_q = v.foot.uv;
  row.normal = q.rotation * v.foot.normal;
  row.gap = v.foot.distance - fp.radius;
  row.point = q.to_world(v.point) - fp.radius * row.normal;
  row.foot = q.to_world(v.foot.point);
  if (fp.kind == FeatureKind::patch) row.jets.p = v.jet_p;
  if (fq.kind == FeatureKind::patch) row.jets.q = v.foot.jet;
  return row;
}

/// A slide by `step`, to second order, ends at a known row that is no higher.
bool meets(const Known& known, const Posed& q, const Seed& seed, const Feature& fp, const Valley& v,
           const Vec2& step, bool bowl) {
  if (known.rows.empty() && (!bowl || known.lowest.empty())) return false;
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
  return std::any_of(known.rows.begin(), known.rows.end(), stands_for) ||
         (bowl && std::any_of(known.lowest.begin(), known.lowest.end(),
                              [&](const Row& r) { return r.bowl && stands_for(r); }));
}

/// A triangle whose longest side is shorter than `length` (m).
bool small_triangle(const Feature& f, double length) {
  if (f.kind != FeatureKind::triangle) return false;
  const auto& c = f.corners;
  return std::max({(c[1] - c[0]).squaredNorm(), (c[2] - c[1]).squaredNorm(),
                   (c[0] - c[2]).squaredNorm()}) < length * length;
}

/// The way of a point over p, its foot over q's face.
class FaceSearch {
 public:
  FaceSearch(const Posed& p, const Posed& q, const Seed& seed, const ValleySettings& s,
             const Known& known)
      : p_(p),
        q_(q),
        fp_(p.surface->feature(seed.feature_p)),
        fq_(q.surface->feature(seed.feature_q)),
        s_(s),
        known_(known),
        over_plane_(fp_.freedoms() > 0 && small_triangle(fq_, s.longest)),
        seed_(seed),
        v_(valley_at(p, q, seed, known.p, {known.q, s.far, over_plane_, s.rising})) {}

  Descent run() {
    for (int i = 0; i < kMaxSlides && fp_.freedoms() > 0; ++i) {
      if (!v_.foot.valid) return {std::nullopt, false, i == 0};
      const Slide slide = next_slide();
      bowl_ = slide.bowl;
      const Way way = way_of(limited(fp_, slide.step));
      const double gain = -v_.gradient.dot(way.moved);
      if (ended(slide, way, gain)) break;
      if (meets(known_, q_, seed_, fp_, v_, way.moved, bowl_)) return {std::nullopt, true};
      go(way);
      // a gain within rounding: where the valley is soft its bottom is not better known than that
      if (gain <= kRounding * v_.point.norm()) break;
    }
    if (!v_.foot.valid || (over_plane_ && !on_triangle(fq_, v_.foot, s_.rising))) return {};
    Row row = row_at(q_, seed_, fp_, fq_, v_);
    row.bowl = bowl_;
    return {row};
  }

 private:
  struct Way {
    Vec2 step, moved, next;  // asked for; what the domain leaves of it; where it ends
    double length = 0.0;     // m
  };
  Slide next_slide() {
    const double stiff = seed_.samples ? s_.stiff : s_.soft;
    const Slide newton = slide_inside(fp_, v_, seed_.uv_p, stiff, s_.longest);
    // rows that bear are sought by Newton's method alone
    return v_.foot.distance - fp_.radius > s_.far ? secant_.better(v_, newton) : newton;
  }

  Way way_of(const Vec2& step) const {
    Way out{step, step, into_domain(fp_, seed_.uv_p + step)};
    // round a closed patch the step itself is the way gone
    if (!fp_.wrap_u) out.moved.x() = out.next.x() - seed_.uv_p.x();
    if (!fp_.wrap_v) out.moved.y() = out.next.y() - seed_.uv_p.y();
    out.length =
        v_.si[0].norm() * std::fabs(out.moved.x()) + v_.si[1].norm() * std::fabs(out.moved.y());
    return out;
  }

  /// The point stays where it is: another slide would change nothing that counts.
  bool ended(const Slide& slide, const Way& way, double gain) const {
    const double gap = v_.foot.distance - fp_.radius;
    if (way.length <= s_.converged) return true;
    if (seed_.samples && gap > s_.rough_gap && way.length <= s_.rough) return true;
    if (gain <= 0.0 && gap > s_.far) return true;
    return slide.whole && gap - kSurely * gain > known_.within;
  }

  /// Goes there, or half as far where a long slide would end higher than it began, and so on.
  void go(Way way) {
    for (int k = 0;; ++k) {
      Seed there = seed_;
      there.uv_p = way.next;
      there.uv_q = foot_after(fq_, v_.foot, way.moved.x() * v_.si[0] + way.moved.y() * v_.si[1]);
      const Valley v = valley_at(p_, q_, there, nullptr, {nullptr, s_.far, over_plane_, s_.rising});
      const bool over = v.foot.valid && v.foot.distance > v_.foot.distance &&
                        way.length > kShortSlide * s_.longest;
      if (!over || k == kHalvings) {
        secant_.taken(way.moved);
        seed_ = there;
        v_ = v;
        return;
      }
      way = way_of(0.5 * way.step);
    }
  }

  const Posed &p_, &q_;
  const Feature &fp_, &fq_;
  const ValleySettings& s_;
  const Known& known_;
  /// A triangle may be smaller than a slide: the way to the lowest place over its plane may begin
  /// and pass beside it, and only where it ends counts.
  const bool over_plane_;
  Seed seed_;
  Valley v_;
  Secant secant_;
  bool bowl_ = false;
};

Vec3 between(const std::vector<Vec3>& normals, double share) {
  const double at = share * static_cast<double>(normals.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), normals.size() - 2);
  const double w = at - static_cast<double>(i);
  return ((1.0 - w) * normals[i] + w * normals[i + 1]).normalized();
}

/// n lies in the wedge spanned by the edge's two face normals.
bool in_wedge(const Feature& f, double t, const Vec3& tangent, const Vec3& n, double slack) {
  const double share = (t - f.domain.u0) / (f.domain.u1 - f.domain.u0);
  const Vec3 l = between(f.normals_left, share), r = between(f.normals_right, share);
  const Vec3 axis = l.cross(r).dot(tangent) >= 0.0 ? tangent : Vec3(-tangent);
  return l.cross(n).dot(axis) >= -slack && n.cross(r).dot(axis) >= -slack && n.dot(l + r) > 0.0;
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
  if (!in_wedge(fq, seed.uv_q.x(), q.rotation.transpose() * tb, q.rotation.transpose() * n,
                kWedgeSlack))
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
  const auto fits_q = [&] {
    return in_wedge(fq, seed.uv_q.x(), qb, q.rotation.transpose() * n, kCrossingSlack);
  };
  if (!fits_q()) n = -n;
  if (!fits_q()) return std::nullopt;
  if (!in_wedge(fp, seed.uv_p.x(), p.rotation.transpose() * ta, -(p.rotation.transpose() * n),
                kCrossingSlack))
    return std::nullopt;
  const Vec3 r = e.a - e.b;
  const double beyond = (r - r.dot(n) * n).norm();
  if (beyond > std::max({kEnds * s.converged, s.beyond, seed.beyond})) return std::nullopt;
  Row row;
  row.at = seed;
  row.beyond = beyond > kEnds * s.converged ? beyond : 0.0;
  row.normal = n;
  row.gap = r.dot(n);
  row.point = e.a;
  row.foot = e.b;
  return row;
}

}  // namespace

Descent descend(const Posed& p, const Posed& q, const Seed& seed, const ValleySettings& settings,
                const Known& known) {
  if (q.surface->feature(seed.feature_q).kind == FeatureKind::curve)
    return {p.surface->feature(seed.feature_p).kind == FeatureKind::point
                ? descend_corner(p, q, seed, settings)
                : descend_edges(p, q, seed, settings)};
  return FaceSearch(p, q, seed, settings, known).run();
}

std::optional<Row> descend(const Posed& p, const Posed& q, const Seed& seed,
                           const ValleySettings& settings) {
  return descend(p, q, seed, settings, Known{}).row;
}

std::optional<Row> follow(const Posed& p, const Posed& q, const Row& row,
                          const ValleySettings& settings, double within) {
  Known known;
  known.p = row.jets.of_p();
  known.q = row.jets.of_q();
  known.within = within;
  return descend(p, q, row.at, settings, known).row;
}

}  // namespace repose::place
