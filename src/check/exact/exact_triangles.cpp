#include "check/exact/exact_triangles.h"

#include <algorithm>
#include <cmath>

namespace repose::check {

namespace {

using Kind = TriangleContact::Kind;
using Sides = std::array<int, 3>;

Sides sides_of(const ExactTriangle& t, const ExactPlane& plane, Doubts& doubts) {
  Sides out{};
  for (std::size_t k = 0; k < 3; ++k) out[k] = plane.side(t.corner[k], doubts);
  return out;
}
bool one_side(const Sides& s) {
  return s[0] != 0 && s[0] == s[1] && s[0] == s[2];
}
long zeros(const Sides& s) {
  return std::count(s.begin(), s.end(), 0);
}

/// Where a linear function that is at_p in p and at_q in q, signs opposed, is zero between the two.
ExactPoint between_zeros(const ExactPoint& p, const Exact& at_p, const ExactPoint& q,
                         const Exact& at_q) {
  return at_p.sign() > 0 ? between(p, -at_q, q, at_p) : between(p, at_q, q, -at_p);
}

/// The part of a plane's line that lies in a triangle.
struct Stretch {
  ExactPoint low, high;
};
Stretch section(const ExactTriangle& t, const Sides& s, const ExactPlane& plane, Doubts& doubts) {
  std::vector<ExactPoint> found;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t l = (k + 1) % 3;
    if (s[k] == 0) found.push_back(t.corner[k]);
    if (s[k] * s[l] < 0)
      found.push_back(between_zeros(t.corner[k], plane.value(t.corner[k]), t.corner[l],
                                    plane.value(t.corner[l])));
  }
  Stretch out{found.front(), found.back()};
  if (compare(out.low, out.high, doubts) > 0) std::swap(out.low, out.high);
  return out;
}

TriangleContact on_line(const Stretch& a, const Stretch& b, bool inside_both, Doubts& doubts) {
  const ExactPoint& low = compare(a.low, b.low, doubts) >= 0 ? a.low : b.low;
  const ExactPoint& high = compare(a.high, b.high, doubts) <= 0 ? a.high : b.high;
  const int order = compare(low, high, doubts);
  if (order > 0) return {};
  if (order == 0) return {Kind::touching, {low}};
  if (inside_both) return {Kind::crossing, {}};
  return {Kind::touching, {low, high}};
}

/// The corner that stands alone on its side of the other's plane first, then so turned that it
/// stands on the positive side. Requires: no corner on the plane, not all on one side.
std::array<const ExactPoint*, 3> lone_first(const ExactTriangle& t, const Sides& s) {
  std::size_t lone = 0;
  while (s[lone] == s[(lone + 1) % 3] || s[lone] == s[(lone + 2) % 3]) ++lone;
  return {&t.corner[lone], &t.corner[(lone + 1) % 3], &t.corner[(lone + 2) % 3]};
}

/// No corner on the other's plane: two signs tell how their stretches of the common line lie
/// (Guigue and Devillers 2003).
TriangleContact in_general(const ExactTriangle& ta, const Sides& sa, const ExactTriangle& tb,
                           const Sides& sb, Doubts& doubts) {
  auto a = lone_first(ta, sa), b = lone_first(tb, sb);
  const auto side = [](const ExactTriangle& t, const Sides& s, const ExactPoint* lone) {
    return s[static_cast<std::size_t>(lone - t.corner.data())];
  };
  if (side(ta, sa, a[0]) < 0) std::swap(b[1], b[2]);
  if (side(tb, sb, b[0]) < 0) std::swap(a[1], a[2]);
  const int first = orient(*a[0], *a[1], *b[0], *b[1], doubts);
  const int second = orient(*a[0], *a[2], *b[2], *b[0], doubts);
  if (first > 0 || second > 0) return {};
  if (first < 0 && second < 0) return {Kind::crossing, {}};
  // a side of one meets a side of the other
  const ExactPoint &p = *a[0], &q = first == 0 ? *a[1] : *a[2];
  return {Kind::touching, {between_zeros(p, tb.plane.value(p), q, tb.plane.value(q))}};
}

/// Two triangles of one plane seen along an axis: `k`th side of t as a line, positive within t.
class SideLine {
 public:
  SideLine(const ExactTriangle& t, std::size_t k, std::size_t axis, int turn)
      : from(t.corner[k]), to(t.corner[(k + 1) % 3]), i_((axis + 1) % 3), j_((axis + 2) % 3) {
    const ExactVector along = difference(to, from);
    ni_ = turn > 0 ? -along[j_] : along[j_];
    nj_ = turn > 0 ? along[i_] : -along[i_];
    offset_ = ni_ * from.at[i_] + nj_ * from.at[j_];
  }
  Exact value(const ExactPoint& p) const {
    return (ni_ * p.at[i_] + nj_ * p.at[j_]) * from.at[3] - offset_ * p.at[3];
  }
  const ExactPoint &from, &to;

 private:
  std::size_t i_, j_;
  Exact ni_, nj_, offset_;
};

/// On which side of each line each corner lies.
using SideTable = std::array<Sides, 3>;
SideTable table_of(const std::array<SideLine, 3>& lines, const ExactTriangle& t, Doubts& doubts) {
  SideTable out{};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t c = 0; c < 3; ++c) out[k][c] = doubts.sign(lines[k].value(t.corner[c]));
  return out;
}
bool any_line(const SideTable& table, int most) {
  return std::any_of(table.begin(), table.end(),
                     [&](const Sides& s) { return *std::max_element(s.begin(), s.end()) <= most; });
}

void add_corners_within(const SideTable& table, const ExactTriangle& t,
                        std::vector<ExactPoint>& out) {
  for (std::size_t c = 0; c < 3; ++c)
    if (table[0][c] >= 0 && table[1][c] >= 0 && table[2][c] >= 0) out.push_back(t.corner[c]);
}

TriangleContact in_one_plane(const ExactTriangle& a, const ExactTriangle& b, Doubts& doubts) {
  // seen along an axis that the plane does not hold
  const ExactVector &na = a.plane.normal(), &nb = b.plane.normal();
  std::size_t axis = 0;
  for (std::size_t k = 1; k < 3; ++k)
    if (std::fabs(nb[k].rounded()) > std::fabs(nb[axis].rounded())) axis = k;
  const int turn_a = doubts.sign(na[axis]), turn_b = doubts.sign(nb[axis]);
  const auto lines = [&](const ExactTriangle& t, int turn) {
    return std::array<SideLine, 3>{SideLine(t, 0, axis, turn), SideLine(t, 1, axis, turn),
                                   SideLine(t, 2, axis, turn)};
  };
  const auto lines_a = lines(a, turn_a), lines_b = lines(b, turn_b);
  const SideTable of_b = table_of(lines_a, b, doubts), of_a = table_of(lines_b, a, doubts);
  if (any_line(of_b, -1) || any_line(of_a, -1)) return {};
  TriangleContact out;
  out.kind = any_line(of_b, 0) || any_line(of_a, 0) ? Kind::touching
             : turn_a == turn_b                     ? Kind::same_area
                                                    : Kind::back_area;
  add_corners_within(of_a, a, out.points);
  add_corners_within(of_b, b, out.points);
  // sides that cross
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l) {
      const std::size_t k1 = (k + 1) % 3, l1 = (l + 1) % 3;
      if (of_a[l][k] * of_a[l][k1] < 0 && of_b[k][l] * of_b[k][l1] < 0)
        out.points.push_back(between_zeros(a.corner[k], lines_b[l].value(a.corner[k]), a.corner[k1],
                                           lines_b[l].value(a.corner[k1])));
    }
  if (out.points.empty()) return {};
  return out;
}

}  // namespace

TriangleContact meet(const ExactTriangle& a, const ExactTriangle& b, Doubts& doubts) {
  const Sides sa = sides_of(a, b.plane, doubts);
  if (one_side(sa)) return {};
  const Sides sb = sides_of(b, a.plane, doubts);
  if (one_side(sb)) return {};
  if (zeros(sa) == 3) return in_one_plane(a, b, doubts);
  if (zeros(sa) == 0 && zeros(sb) == 0) return in_general(a, sa, b, sb, doubts);
  const bool inside_both = zeros(sa) < 2 && zeros(sb) < 2;
  return on_line(section(a, sa, b.plane, doubts), section(b, sb, a.plane, doubts), inside_both,
                 doubts);
}

}  // namespace repose::check
