#include "paper_contact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "repose/base/at.h"
#include "repose/math/dense.h"

namespace repose::surfel {

namespace {

/// Rounds of a root's bracketing, and the width at which it is found, of the spacing.
constexpr int kRootRounds = 40;
constexpr double kRootWidth = 1e-3;
/// The implicit surface runs within its surfels where it is curved: what is outside by less than
/// this share of the spacing lies upon it.
constexpr double kOffVolume = 0.5;
/// Rounds of relaxation, and the share of a spacing that a surfel goes in one at most.
constexpr int kRelaxRounds = 2;
constexpr double kRelaxShare = 0.25;
/// Surfels nearer than the first share of the spacing are one too many; between two that are
/// farther apart than the second and no farther than the third one is missing.
constexpr double kCrowded = 0.5;
constexpr double kHole = 1.4;
constexpr double kHoleEnd = 2.4;
/// How far a relaxed surfel is drawn back onto the surface, of the spacing.
constexpr double kDrawn = 1.0;
constexpr int kDrawRounds = 8;
/// A neighbourhood of fewer surfels has no principal normal.
constexpr int kFewest = 3;

/// Where F vanishes between two points at which it has different signs: the false position, halved
/// on the side that stays (Dowell and Jarratt 1971). Nothing where the way leaves the volume.
std::optional<Vec3> root_between(const Meeting& meeting, Vec3 a, Vec3 b) {
  double at_a = meeting.value(a), at_b = meeting.value(b);
  if (!(at_a * at_b <= 0.0)) return std::nullopt;
  for (int round = 0; round < kRootRounds; ++round) {
    if (at_a == 0.0) return a;
    if (at_b == 0.0 || (a - b).norm() < kRootWidth * meeting.spacing) return b;
    const Vec3 next = a + at_a / (at_a - at_b) * (b - a);
    const double there = meeting.value(next);
    if (std::isnan(there)) return std::nullopt;
    // as far off as F tells by its slope between the ends
    if (std::fabs(there) * (a - b).norm() < kRootWidth * meeting.spacing * std::fabs(at_a - at_b))
      return next;
    if (there * at_b < 0.0) {
      a = b;
      at_a = at_b;
    } else {
      at_a *= 0.5;
    }
    b = next;
    at_b = there;
  }
  return b;
}

/// A point near the contact surface drawn onto it, along the direction in which F grows, by
/// Newton's steps. Nothing off the volume, or farther away than it may be drawn.
std::optional<Vec3> drawn(const Meeting& meeting, const Vec3& x) {
  Vec3 at = x;
  const double slack = meeting.slack();
  for (int round = 0; round < kDrawRounds; ++round) {
    const auto one = meeting.first.local(at), two = meeting.second.local(at);
    if (!one.known || !two.known || !(one.value(at) <= slack && two.value(at) <= slack))
      return std::nullopt;
    const Vec3 slope = meeting.lambda_first * one.normal - meeting.lambda_second * two.normal;
    const double value = meeting.lambda_first * std::min(one.value(at), meeting.ahead) -
                         meeting.lambda_second * std::min(two.value(at), meeting.ahead);
    const Vec3 step = -value / slope.squaredNorm() * slope;
    if (!step.allFinite()) return std::nullopt;
    at += step;
    if (!((at - x).norm() <= kDrawn * meeting.spacing)) return std::nullopt;
    if (step.norm() < kRootWidth * meeting.spacing) return at;
  }
  return std::nullopt;
}

/// Surfels from `first` on go away from what is nearer than the spacing.
void relax(const Meeting& meeting, std::size_t first, std::vector<Vec3>& surface) {
  const double spacing = meeting.spacing;
  const HashedGrid grid(surface, spacing);
  std::vector<Vec3> next;
  for (std::size_t i = first; i < surface.size(); ++i) {
    Vec3 push = Vec3::Zero();
    grid.near(surface[i], spacing, [&](int j, double squared) {
      if (j == static_cast<int>(i) || !(squared > 0.0)) return;
      const double apart = std::sqrt(squared);
      push += (spacing - apart) / apart * (surface[i] - surface[at(j)]);
    });
    const double most = kRelaxShare * spacing, size = push.norm();
    if (size > most) push *= most / size;
    next.push_back(drawn(meeting, surface[i] + push).value_or(surface[i]));
  }
  std::ranges::copy(next, surface.begin() + static_cast<std::ptrdiff_t>(first));
}

/// Without those that lie nearer than `least` to one before them.
Sampling thinned(const Sampling& all, double least) {
  const HashedGrid grid(all.points, least);
  std::vector<bool> gone(all.points.size(), false);
  Sampling out;
  for (std::size_t i = 0; i < all.points.size(); ++i) {
    grid.near(all.points[i], least, [&](int j, double) {
      if (j < static_cast<int>(i) && !gone[at(j)]) gone[i] = true;
    });
    if (gone[i]) continue;
    out.points.push_back(all.points[i]);
    out.from.push_back(all.from[i]);
  }
  return out;
}

/// Surfels between two that are too far apart and have none between them, where one of the two is
/// new (`from`: -1).
std::vector<Vec3> hole_fillers(const Meeting& meeting, const Sampling& all) {
  const std::vector<Vec3>& surface = all.points;
  const double hole = kHole * meeting.spacing, filled = 0.5 * kHole * meeting.spacing;
  const HashedGrid grid(surface, kHoleEnd * meeting.spacing);
  std::vector<Vec3> out;
  const auto lies_near = [&](const Vec3& middle) {
    return [&, middle](const Vec3& p) { return (p - middle).squaredNorm() < filled * filled; };
  };
  std::vector<int> far;
  std::vector<Vec3> about;  // whatever lies near the middle of a pair lies near its first, too
  for (std::size_t i = 0; i < surface.size(); ++i) {
    if (all.from[i] >= 0) continue;
    far.clear();
    about.clear();
    grid.near(surface[i], kHoleEnd * meeting.spacing, [&](int j, double squared) {
      const bool twice = all.from[at(j)] < 0 && j <= static_cast<int>(i);
      if (!twice && squared > hole * hole) far.push_back(j);
      about.push_back(surface[at(j)]);
    });
    std::sort(far.begin(), far.end());
    for (const int j : far) {
      const Vec3 middle = 0.5 * (surface[i] + surface[at(j)]);
      if (std::ranges::any_of(about, lies_near(middle)) ||
          std::ranges::any_of(out, lies_near(middle)))
        continue;
      if (const auto place = drawn(meeting, middle)) out.push_back(*place);
    }
  }
  return out;
}

}  // namespace

double Meeting::value(const Vec3& x) const {
  const double one = first.value(x), two = second.value(x);
  if (!(one <= slack() && two <= slack())) return std::numeric_limits<double>::quiet_NaN();
  return lambda_first * std::min(one, ahead) - lambda_second * std::min(two, ahead);
}

double Meeting::slack() const {
  return kOffVolume * spacing + ahead;
}

std::vector<int> colliding_surfels(const SurfelCloud& cloud, const ImplicitSurface& other,
                                   const Vec3& low, const Vec3& high) {
  std::vector<int> out;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const Vec3& p = cloud.points[i];
    const bool within = (p.array() >= low.array()).all() && (p.array() <= high.array()).all();
    if (within && other.is_inside(p)) out.push_back(static_cast<int>(i));
  }
  return out;
}

NearSurfels near_surfels(const SurfelCloud& cloud, const ImplicitSurface& other, const Vec3& low,
                         const Vec3& high, double ahead) {
  NearSurfels out;
  for (std::size_t i = 0; i < cloud.points.size(); ++i) {
    const Vec3& p = cloud.points[i];
    if (!((p.array() >= low.array()).all() && (p.array() <= high.array()).all())) continue;
    if (!(other.value(p) < ahead)) continue;
    out.all.push_back(static_cast<int>(i));
    out.colliding += other.is_inside(p) ? 1 : 0;
  }
  return out;
}

std::vector<Vec3> contact_surface(const Meeting& meeting, const std::vector<Vec3>& from_first,
                                  const std::vector<Vec3>& from_second) {
  std::vector<Vec3> out;
  const auto move = [&](const std::vector<Vec3>& from, const ImplicitSurface& onto) {
    for (const Vec3& surfel : from) {
      const auto foot = onto.project(surfel);
      if (!foot.known) continue;
      if (const auto root = root_between(meeting, surfel, foot.point)) out.push_back(*root);
    }
  };
  move(from_first, meeting.second);
  move(from_second, meeting.first);
  return out;
}

Sampling drawn_onto(const Meeting& meeting, const std::vector<Vec3>& carried) {
  Sampling out;
  for (std::size_t i = 0; i < carried.size(); ++i)
    if (const auto place = drawn(meeting, carried[i])) {
      out.points.push_back(*place);
      out.from.push_back(static_cast<int>(i));
    }
  return out;
}

Sampling resampled(const Meeting& meeting, Sampling carried, const std::vector<Vec3>& fresh) {
  const std::size_t first = carried.points.size();
  Sampling all = std::move(carried);
  all.points.insert(all.points.end(), fresh.begin(), fresh.end());
  all.from.resize(all.points.size(), -1);
  if (!fresh.empty())
    for (int round = 0; round < kRelaxRounds; ++round) relax(meeting, first, all.points);
  all = thinned(all, kCrowded * meeting.spacing);
  const std::vector<Vec3> added = hole_fillers(meeting, all);
  all.points.insert(all.points.end(), added.begin(), added.end());
  all.from.resize(all.points.size(), -1);
  return all;
}

std::vector<Vec3> principal_normals(const std::vector<Vec3>& surface, double within,
                                    const std::vector<Vec3>& like) {
  const HashedGrid grid(surface, within);
  std::vector<Vec3> out = like;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    Vec3 sum = Vec3::Zero();  // of the ways from this one
    Mat3 squares = Mat3::Zero();
    int count = 0;
    grid.near(surface[i], within, [&](int j, double) {
      const Vec3 d = surface[at(j)] - surface[i];
      sum += d;
      squares += d * d.transpose();
      ++count;
    });
    if (count < kFewest) continue;
    const Mat3 covariance = squares - sum * sum.transpose() / count;
    const Vec3 normal = SymmetricEigen<Mat3>(covariance).vectors.col(0);
    out[i] = normal.dot(like[i]) < 0.0 ? Vec3(-normal) : normal;
  }
  return out;
}

}  // namespace repose::surfel
