#include <numbers>

#include <fmt/format.h>

#include "repose/math/spline.h"
#include "repose/shape/patches.h"

#include "shape/define/patches.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;
using Profile = CubicSpline<2>;

inline SplineJet<2, double> profile_at(const Profile& profile, double v) {
  return profile.jet(v);
}
inline SplineJet<2, Interval> profile_at(const Profile& profile, Interval v) {
  return profile.enclose(v);
}

/// (r(v) cos u, r(v) sin u, z(v)).
template <bool closed_profile>
struct Revolved {
  static constexpr bool kClosedU = true, kClosedV = closed_profile, kPlanar = false,
                        kOneFormula = false;
  UvBox domain{-kPi, kPi, 0.0, 1.0};
  Profile profile;

  template <class T>
  Terms<T> terms(T u, T v) const {
    using std::cos;
    using std::sin;
    const T c = cos(u), s = sin(u), zero(0.0);
    const SplineJet<2, T> p = profile_at(profile, v);
    const T r = p.f[0], d = p.d[0], dd = p.dd[0];
    return {{r * c, r * s, p.f[1]}, {-r * s, r * c, zero}, {d * c, d * s, p.d[1]},
            {-r * c, -r * s, zero}, {-d * s, d * c, zero}, {dd * c, dd * s, p.dd[1]}};
  }
  /// Su x Sv divided by r: good on the axis too.
  Vec3 normal(double u, double v) const {
    const auto p = profile.jet(v);
    return Vec3(p.d[1] * std::cos(u), p.d[1] * std::sin(u), -p.d[0]).normalized();
  }
};

std::string place(std::size_t index) {
  return fmt::format("profile/{}", index);
}

Fault check_profile(const std::vector<ProfilePoint>& points, bool closed) {
  const std::size_t least = closed ? 3 : 2;
  if (points.size() < least)
    return fault("/profile", fmt::format("{} points", points.size()), "too few points",
                 fmt::format("at least {}", least));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const ProfilePoint& p = points[i];
    const bool inner = closed || (i > 0 && i + 1 < points.size());
    auto error = first_fault(inner ? check_length("", p.r) : check_length_or_zero("", p.r),
                             check_coordinate("", p.z));
    if (error) {
      error->pointer = "/" + place(i);
      if (inner && p.r == 0.0) error->wrong = "only the first and last point may touch the axis";
      return error;
    }
    const std::size_t next = (i + 1) % points.size();
    if ((next > i || closed) && p.r == points[next].r && p.z == points[next].z)
      return fault("/" + place(next), "", "the same as the point before it", "a distinct point");
  }
  if (points.size() == 2 && points[0].r == 0.0 && points[1].r == 0.0)
    return fault("/profile", "", "the profile lies on the axis", "a point with r > 0");
  return std::nullopt;
}

/// A straight piece: cone, cylinder, flat ring or disc.
Result<PatchPtr> straight(const ProfilePoint& a, const ProfilePoint& b) {
  if (a.z != b.z) return cone_side(a.r, b.r, a.z, b.z);
  const bool outward = b.r > a.r;  // then Su x Sv points down
  const double inner = std::min(a.r, b.r), outer = std::max(a.r, b.r);
  const Vec3 shift(0.0, 0.0, a.z);
  const Mat3 half_turn = Vec3(1.0, -1.0, -1.0).asDiagonal();
  auto flat = inner == 0.0 ? disc_patch(outer) : annulus_patch(inner, outer);
  if (!flat) return flat.error();
  const bool turn = inner == 0.0 ? outward : !outward;
  return mapped(*flat, turn ? half_turn : Mat3(Mat3::Identity()), shift);
}

/// On the axis r goes through odd and z even, so that the surface is C2 across the pole.
Profile::Ends end_at(const ProfilePoint& p) {
  Profile::Ends ends;
  if (p.r == 0.0 && !p.corner) ends[1].clamped = true;
  return ends;
}

Result<PatchPtr> turned(Profile profile, bool closed) {
  // the least radius may be 0 only at an end; rounding may show it a little below
  constexpr double kRounding = 1e-12;
  const double low = profile.least(0);
  double high = 0.0;
  for (const double t : profile.knots()) high = std::max(high, profile.jet(t).f[0]);
  if (low < -kRounding * high)
    return fault("/profile", fmt::format("r = {}", low),
                 "the spline through the points swings across the axis",
                 "more points where the profile turns, or corners");
  if (closed) return make_patch(Revolved<true>{.profile = std::move(profile)});
  return make_patch(Revolved<false>{.profile = std::move(profile)});
}

Result<PatchPtr> turned_piece(const std::vector<ProfilePoint>& piece) {
  const bool smooth_pole = (piece.front().r == 0.0 && !piece.front().corner) ||
                           (piece.back().r == 0.0 && !piece.back().corner);
  const bool square_to_axis = piece.front().z == piece.back().z;
  if (piece.size() == 2 && (square_to_axis || !smooth_pole))
    return straight(piece.front(), piece.back());
  std::vector<Profile::Point> points;
  for (const ProfilePoint& p : piece) points.push_back({p.r, p.z});
  return turned(
      Profile::through(chord_knots<2>(points), points, end_at(piece.front()), end_at(piece.back())),
      false);
}

Result<std::vector<PatchPtr>> smooth_ring(const std::vector<ProfilePoint>& profile) {
  std::vector<Profile::Point> points;
  for (const ProfilePoint& p : profile) points.push_back({p.r, p.z});
  points.push_back(points.front());
  auto patch = turned(Profile::through_closed(chord_knots<2>(points), points), true);
  if (!patch) return patch.error();
  return std::vector<PatchPtr>{*patch};
}

}  // namespace

Result<std::vector<PatchPtr>> revolved_patches(const std::vector<ProfilePoint>& profile,
                                               bool closed) {
  if (auto error = check_profile(profile, closed)) return *error;
  // a closed profile is read from its first corner round to that corner again
  std::vector<ProfilePoint> points = profile;
  if (closed) {
    const auto corner =
        std::find_if(points.begin(), points.end(), [](const ProfilePoint& p) { return p.corner; });
    if (corner == points.end()) return smooth_ring(profile);
    std::rotate(points.begin(), corner, points.end());
    points.push_back(points.front());
  }
  std::vector<PatchPtr> out;
  std::vector<ProfilePoint> piece{points.front()};
  for (std::size_t i = 1; i < points.size(); ++i) {
    piece.push_back(points[i]);
    if (!points[i].corner && i + 1 < points.size()) continue;
    auto patch = turned_piece(piece);
    if (!patch) return patch.error();
    out.push_back(*patch);
    piece.assign(1, points[i]);
  }
  return out;
}

bool turned_profile(const Patch& patch) {
  return kind_of<Revolved<true>>(patch) || kind_of<Revolved<false>>(patch);
}

}  // namespace repose::shape
