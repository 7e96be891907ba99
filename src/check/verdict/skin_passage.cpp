#include "check/verdict/skin_passage.h"

#include "repose/math/interval.h"

namespace repose::check {

namespace {

/// Parts of the way at whose ends signs are looked at. A prime: what happens at a half or a tenth
/// of the way happens within a part.
constexpr int kLooks = 61;
/// Halvings of the part in which a sign changes: as many as a double has bits.
constexpr int kSharpenings = 52;

/// A corner on its way.
struct Corner {
  Vec3 from, to;

  IVec3 at(Interval share) const {
    IVec3 out;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto axis = static_cast<Eigen::Index>(k);
      const Interval start(from[axis]);
      out[k] = start + share * (Interval(to[axis]) - start);
    }
    return out;
  }
};

Corner corner_of(const MovingTriangle& t, std::size_t k) {
  return {t.from[k % 3], t.to[k % 3]};
}

IVec3 operator-(const IVec3& a, const IVec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Interval dot(const IVec3& a, const IVec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

IVec3 cross(const IVec3& a, const IVec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// -1, 0 (not known) or 1.
int sign(Interval x) {
  return x.lo > 0.0 ? 1 : x.hi < 0.0 ? -1 : 0;
}

/// A corner and a triangle.
struct CornerThrough {
  Corner corner;
  std::array<Corner, 3> triangle;

  /// Of the height of the corner over the plane.
  int side(double share) const {
    const IVec3 a = triangle[0].at(share);
    const IVec3 normal = cross(triangle[1].at(share) - a, triangle[2].at(share) - a);
    return sign(dot(normal, corner.at(share) - a));
  }
  /// The corner's foot lies inside all three sides.
  bool within(Interval share) const {
    const std::array<IVec3, 3> at{triangle[0].at(share), triangle[1].at(share),
                                  triangle[2].at(share)};
    const IVec3 normal = cross(at[1] - at[0], at[2] - at[0]);
    const IVec3 p = corner.at(share);
    for (std::size_t k = 0; k < 3; ++k)
      if (sign(dot(cross(at[(k + 1) % 3] - at[k], p - at[k]), normal)) <= 0) return false;
    return true;
  }
};

/// Two sides.
struct SideThrough {
  std::array<Corner, 2> one, other;

  /// Of the volume between them.
  int side(double share) const {
    const IVec3 p = one[0].at(share), r = other[0].at(share);
    return sign(dot(cross(one[1].at(share) - p, other[1].at(share) - r), r - p));
  }
  /// The feet of their common normal lie between the ends of both.
  bool within(Interval share) const {
    const IVec3 p = one[0].at(share), r = other[0].at(share);
    const IVec3 along = one[1].at(share) - p, across = other[1].at(share) - r;
    const IVec3 normal = cross(along, across);
    const Interval all = dot(normal, normal);
    const auto inside = [&](Interval part) { return sign(part) > 0 && sign(all - part) > 0; };
    return inside(dot(cross(r - p, across), normal)) && inside(dot(cross(r - p, along), normal));
  }
};

/// The side is `low` at the start and another at the end; where it changes is sought until all of
/// what is left lies within.
template <class Meeting>
bool passes_between(const Meeting& m, double start, double end, int low) {
  for (int k = 0; k < kSharpenings; ++k) {
    if (m.within({start, end})) return true;
    // not halves: they may be the moment itself, at which there is no sign
    const double middle = start + 0.4375 * (end - start);
    const int now = m.side(middle);
    if (now == 0) return false;
    (now == low ? start : end) = middle;
  }
  return false;
}

template <class Meeting>
bool passes(const Meeting& m) {
  int last = 0;
  double since = 0.0;
  for (int k = 0; k <= kLooks; ++k) {
    const double share = static_cast<double>(k) / kLooks;
    const int now = m.side(share);
    if (now == 0) continue;
    if (last * now < 0 && passes_between(m, since, share, last)) return true;
    last = now;
    since = share;
  }
  return false;
}

bool corner_passes(const MovingTriangle& a, const MovingTriangle& b) {
  for (std::size_t k = 0; k < 3; ++k)
    if (passes(CornerThrough{corner_of(a, k), {corner_of(b, 0), corner_of(b, 1), corner_of(b, 2)}}))
      return true;
  return false;
}

bool side_passes(const MovingTriangle& a, const MovingTriangle& b) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      if (passes(SideThrough{{corner_of(a, i), corner_of(a, i + 1)},
                             {corner_of(b, j), corner_of(b, j + 1)}}))
        return true;
  return false;
}

}  // namespace

bool pass_through(const MovingTriangle& a, const MovingTriangle& b) {
  return corner_passes(a, b) || corner_passes(b, a) || side_passes(a, b);
}

}  // namespace repose::check
