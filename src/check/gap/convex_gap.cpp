#include "check/gap/convex_gap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include <Eigen/Geometry>

#include "repose/prove/placed.h"

#include "check/gap/bracket.h"
#include "check/gap/convex_judge.h"
#include "check/gap/frustum_near.h"

namespace repose::check {

namespace {

template <class Real>
using Judge = ConvexJudge<Real>;

/// The two bodies as they were given.
struct Given {
  const PlacedBody& a;
  const ConvexBody& body_a;
  const PlacedBody& b;
  const ConvexBody& body_b;

  double apart_along(const prove::Convex& of_a, const prove::Convex& of_b, const Vec3& direction,
                     prove::Numbers numbers) const {
    return prove::apart_along(of_a, a.world_from_body, of_b, b.world_from_body, direction, numbers);
  }
};

/// No point of one lies deeper in the other: where its border is drawn in so far, a plane parts
/// them.
double deepest(const Given& given, const Judge<double>& j) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  const auto drawn = [](prove::Convex body, double depth) -> std::optional<prove::Convex> {
    const auto* f = std::get_if<shape::FrustumForm>(&body.core);
    const auto in = f ? prove::drawn_in(*f, depth) : std::nullopt;
    if (!in) return std::nullopt;
    body.core = *in;
    return body;
  };
  const prove::Convex a = given.body_a.proven(), b = given.body_b.proven();
  const auto plain = prove::Numbers::plain;
  if (!(j.drawn_a.depth > 0.0) || !(j.drawn_b.depth > 0.0)) return kUnknown;
  const auto in_a = drawn(a, j.drawn_a.depth), in_b = drawn(b, j.drawn_b.depth);
  if (!in_a || !in_b || !(given.apart_along(*in_a, b, j.drawn_a.direction, plain) > 0.0) ||
      !(given.apart_along(a, *in_b, j.drawn_b.direction, plain) > 0.0))
    return kUnknown;
  return std::max(j.drawn_a.depth, j.drawn_b.depth);
}
double deepest(const Given&, const Judge<long double>&) {
  return std::numeric_limits<double>::infinity();
}

/// What the planes that were found prove, and points from the cores out to the surfaces, in the
/// world. `origin`: of a as it was seen.
template <class Real>
GapBracket told(const Judge<Real>& j, const Given& given, prove::Numbers numbers,
                const Vec3& origin = Vec3::Zero()) {
  GapBracket g;
  g.lower = std::max(given.apart_along(given.body_a.proven(), given.body_b.proven(),
                                       j.direction.template cast<double>(), numbers),
                     -deepest(given, j));
  g.upper = static_cast<double>(j.g.upper);
  if constexpr (!std::is_same_v<Real, double>)
    g.upper = std::nextafter(g.upper, std::numeric_limits<double>::infinity());
  g.tests = j.planes;
  g.status = prove::gap_status(
      g.bracket(),
      {static_cast<double>(j.width), static_cast<double>(j.width), static_cast<double>(j.enough)});
  const Frame wa = world_frame(given.a);
  const Vec3 d = j.direction.template cast<double>();
  g.point_a = wa * Vec3(origin + j.g.point_a.template cast<double>() + d * j.pair.a.skin());
  g.point_b = wa * Vec3(origin + j.g.point_b.template cast<double>() - d * j.pair.b.skin());
  g.normal_a_to_b = wa.turn * d;
  return g;
}

}  // namespace

namespace {

constexpr double kAround = 64.0;  // reaches of the smaller body: what is near it

/// How far points of the body lie from its middle, m.
double extent(const ConvexBody& body) {
  const FacedCore* faced = body.faced();
  if (!faced) return body.reach();
  double out = 0.0;
  for (const Vec3& p : faced->points) out = std::max(out, (p - body.center()).norm());
  return out;
}

/// A body seen from a point near it where its own origin is far.
struct Near {
  Vec3 origin = Vec3::Zero();
  const ConvexBody* given;
  std::shared_ptr<const ConvexBody> seen = nullptr;

  explicit Near(const ConvexBody& whole) : given(&whole) {
    constexpr double kFar = 4.0;  // of its extent
    if (!whole.faced() || !(whole.reach() > kFar * extent(whole))) return;
    seen = whole.seen_from(whole.center());
    origin = whole.center();
  }
  const ConvexBody& body() const { return seen ? *seen : *given; }
};

/// Both bodies so, and b's frame in a's, in long doubles: where coordinates are far larger than
/// what they differ by, differences are taken without rounding.
struct Seen {
  Near a, b;
  FrameOf<long double> frame;

  explicit Seen(const Given& given)
      : a(given.body_a), b(given.body_b), frame(fine_relative_frame(given.a, given.b)) {
    using Fine = VecOf<long double>;
    const Frame wa = world_frame(given.a);
    const Vec3 at_b = world_frame(given.b) * b.origin;
    const Vec3 at_a = wa.turn.transpose() * (at_b - wa.shift);
    // both are there but for rounding, and by how much is known
    const prove::Placed of_a = prove::Placing(given.a.world_from_body, at_b) * at_a;
    const prove::Placed of_b = prove::Placing(given.b.world_from_body, at_b) * b.origin;
    const Quat& turn = given.a.world_from_body.rotation;
    const Fine left = turn.cast<long double>().normalized().toRotationMatrix().transpose() *
                      (of_b.at.cast<long double>() - of_a.at.cast<long double>());
    frame.shift = at_a.cast<long double>() - a.origin.cast<long double>() + left;
    frame.shift_error =
        static_cast<long double>(of_a.error) + static_cast<long double>(of_b.error) +
        kFiner<long double> *
            ((kTurnError + kSumError) * left.norm() + kSumError * frame.shift.norm());
  }
};

/// What was found, in finer numbers; points behind where the two touch are tried where that leaves
/// it open.
template <class Real>
GapBracket told_or_behind(Judge<Real>& j, const Given& given, const Vec3& origin) {
  const GapBracket g = told(j, given, prove::Numbers::fine, origin);
  if (g.status != GapStatus::undecided) return g;
  try_behind(j);
  return told(j, given, prove::Numbers::fine, origin);
}

/// Planes beside `direction` that lie along a whole face or a whole edge of a: one that a part of
/// it suggests may turn away from the rest.
std::array<Vec3, 3> along_whole(const ConvexBody& a, const Vec3& direction) {
  const FacedCore& whole = *a.faced();
  std::array<Vec3, 3> out = {direction, direction, direction};
  double most = -1.0, least = 1.0;
  for (const FacedCore::Face& face : whole.faces)
    if (const double cosine = face.normal.dot(direction); cosine > most) {
      most = cosine;
      out[1] = face.normal;
    }
  for (const Vec3& edge : whole.edges)
    if (const double along = edge.dot(direction); std::fabs(along) < least) {
      least = std::fabs(along);
      out[2] = (direction - edge * along).normalized();
    }
  return out;
}

/// Of a body with plane faces that is much larger than the other only what lies about the other:
/// there numbers are small. The gap is the same, for the rest is `half` less the other away.
GapBracket gap_of_near_part(const Given& given, const Seen& seen, const Judge<double>& asked) {
  GapBracket g;
  const auto& frame = seen.frame;
  const ConvexBody& body_b = seen.b.body();
  const Vec3 middle = frame.shift.cast<double>();
  const double half = kAround * body_b.reach();
  const auto part = seen.a.body().cut_out(middle, half);
  if (!part) return g;
  Frame near{frame.turn.cast<double>(), (frame.shift - middle.cast<long double>()).cast<double>(),
             2.0 * kTurnError + kSumError,
             static_cast<double>(frame.shift_error) + kSumError * body_b.reach()};
  Judge<double> j{{*part, body_b, near}, asked.size, asked.width, asked.enough, {}};
  judge(j);
  // points deep in the larger body may be nearer to what was cut off
  const double rest = half - 2.0 * body_b.reach();
  if (!(j.g.lower > -rest)) return g;
  double best = -std::numeric_limits<double>::infinity();
  for (const Vec3& d : along_whole(given.body_a, j.direction)) {
    const double parted =
        given.apart_along(given.body_a.proven(), given.body_b.proven(), d, prove::Numbers::fine);
    if (!(parted > best)) continue;
    best = parted;
    j.direction = d;
  }
  return told_or_behind(j, given, seen.a.origin + middle);
}

/// What a cone or cylinder a has about a much smaller b is nearly plane, or a short cone: planes
/// and points found there in small numbers, measured on the whole in finer ones. Its side is the
/// plane that touches it beside the point found before, which soon is the right one.
void look_beside(Judge<long double>& j) {
  const shape::FrustumForm* whole = j.pair.a.frustum();
  if (!whole) return;
  constexpr int kMostLooks = 4;
  constexpr double kSharper = 0.25;  // of the width
  const double around = kAround * extent(j.pair.b);
  VecOf<long double> at = j.center_b();
  for (int k = 0; k < kMostLooks && !j.closed(); ++k) {
    const NearPart part = part_beside(*whole, at, around);
    if (!part.body) return;
    const Frame near{j.pair.frame.turn.cast<double>(),
                     (j.pair.frame.shift - part.origin).cast<double>(),
                     2.0 * kTurnError + kSumError, kSumError * around};
    Judge<double> beside{{*part.body, j.pair.b, near},
                         static_cast<double>(j.size),
                         kSharper * static_cast<double>(j.width),
                         static_cast<double>(j.enough),
                         {}};
    judge(beside);
    j.planes += beside.planes;
    j.try_plane(beside.direction.cast<long double>().normalized());
    at = beside.g.point_b.cast<long double>() + part.origin;
    // one point of both is measured as it is; else the second is of b's core but for rounding
    if (beside.g.point_a == beside.g.point_b)
      j.try_common(at);
    else
      j.try_points(nearest_in(*whole, at), at, beside.pair.error);
  }
}

GapBracket fine_gap(const Given& given, const Seen& seen, const Judge<double>& asked) {
  Judge<long double> j{
      {seen.a.body(), seen.b.body(), seen.frame}, asked.size, asked.width, asked.enough, {}};
  look_beside(j);
  if (!j.closed()) judge(j);
  return told_or_behind(j, given, seen.a.origin);
}

/// By smaller or finer numbers what those of doubles left open; the larger body first.
GapBracket sharper(const Given& given, const GapBracket& plain, const Judge<double>& asked,
                   const GapSettings& settings) {
  const Seen seen(given);
  GapBracket g = plain;
  const auto take = [&](const GapBracket& more) {
    const long tests = g.tests + more.tests;
    const double lower = std::max(g.lower, more.lower);
    if (more.upper < g.upper) g = more;
    g.lower = lower;
    g.tests = tests;
    g.status = status_of(g, settings, static_cast<double>(asked.size));
  };
  take(gap_of_near_part(given, seen, asked));
  if (g.status == GapStatus::undecided) take(fine_gap(given, seen, asked));
  return g;
}

}  // namespace

GapBracket convex_convex(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                         const ConvexBody& body_b, const GapSettings& settings) {
  const double size = pair_size(a, b);
  Judge<double> j{{body_a, body_b, relative_frame(a, b)},
                  size,
                  settings.width * size,
                  settings.enough * size,
                  {}};
  judge(j);
  const Given given{a, body_a, b, body_b};
  const GapBracket plain = told(j, given, prove::Numbers::plain);
  // where rounding of doubles or one body's size is what keeps the bracket open, smaller or finer
  // numbers close it
  constexpr double kMatters = 1e-3;  // of the width
  const double reach_a = extent(body_a), reach_b = extent(body_b);
  const bool unlike = std::max(reach_a, reach_b) > kAround * std::min(reach_a, reach_b);
  if (plain.status != GapStatus::undecided || (!unlike && j.pair.error < kMatters * j.width))
    return plain;
  return reach_b > reach_a ? swapped(sharper({b, body_b, a, body_a}, swapped(plain), j, settings))
                           : sharper(given, plain, j, settings);
}

GapBracket ground_convex(const PlacedBody& ground, const PlacedBody& b, const ConvexBody& body,
                         const GapSettings& settings) {
  const Frame wg = world_frame(ground), wb = world_frame(b);
  const Vec3 up = wg.turn.col(2), down = -(wb.turn.transpose() * up);
  const prove::Bracket height =
      prove::Ground(ground.world_from_body).gap(body.proven(), b.world_from_body);
  GapBracket g;
  g.lower = height.lower();
  g.upper = height.upper();
  g.normal_a_to_b = up;
  g.point_b = wb * body.farthest(down) - up * body.skin();
  g.point_a = g.point_b - up * up.dot(g.point_b - wg.shift);
  g.tests = 1;
  // nothing but rounding is left open
  g.status = prove::gap_status(g.bracket(), {g.width(), 0.0, settings.enough * b.size()});
  return g;
}

}  // namespace repose::check
