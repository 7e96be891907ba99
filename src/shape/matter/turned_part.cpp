#include "shape/matter/turned_part.h"

#include <algorithm>
#include <cmath>

#include "repose/shape/meridian.h"

namespace repose::shape {
namespace {

constexpr int kLines = 96;  // along the meridian of one face

struct Line {
  Vec2 from, to;  // (r, z)
};

/// The lines of one face; `within` grows by how far they may be from it. False: the meridian leaves
/// the half plane, or is not bounded.
bool add_lines(const Meridian& meridian, std::vector<Line>& out, double& within) {
  if (!meridian.curve) {
    out.push_back({meridian.from, meridian.to});
    return meridian.from.x() >= 0.0 && meridian.to.x() >= 0.0;
  }
  const UvBox domain = meridian.curve->domain();
  const double step = (domain.v1 - domain.v0) / kLines;
  const auto at = [&](int k) {
    const Vec3 p = meridian.curve->point(0.0, k == kLines ? domain.v1 : domain.v0 + k * step);
    return Vec2(p.x(), p.z());
  };
  double least = 0.0;
  Vec2 from = at(0);
  for (int k = 0; k < kLines; ++k) {
    const double v = domain.v0 + k * step;
    const PatchEnclosure e =
        meridian.curve->enclose({0.0, 0.0, v, k + 1 == kLines ? domain.v1 : v + step});
    const auto largest = [](const Interval& i) {
      return std::max(std::fabs(i.lo), std::fabs(i.hi));
    };
    // a chord lies within h^2/8 of the largest second derivative of its arc
    const double off = 0.125 * step * step * std::hypot(largest(e.svv[0]), largest(e.svv[2]));
    if (!std::isfinite(off)) return false;
    within = std::max(within, off);
    least = std::min(least, e.s[0].lo);
    const Vec2 to = at(k + 1);
    out.push_back({from, to});
    from = to;
  }
  return least >= -within;
}

double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Inner points of both meet. In doubt they do: the surface is then looked at as a mesh.
bool cross(const Line& a, const Line& b) {
  return turn(a.from, a.to, b.from) * turn(a.from, a.to, b.to) < 0.0 &&
         turn(b.from, b.to, a.from) * turn(b.from, b.to, a.to) < 0.0;
}

bool any_cross(std::vector<Line> lines) {
  const auto low = [](const Line& l) { return std::min(l.from.y(), l.to.y()); };
  const auto high = [](const Line& l) { return std::max(l.from.y(), l.to.y()); };
  std::sort(lines.begin(), lines.end(),
            [&](const Line& a, const Line& b) { return low(a) < low(b); });
  for (std::size_t i = 0; i < lines.size(); ++i)
    for (std::size_t j = i + 1; j < lines.size() && low(lines[j]) <= high(lines[i]); ++j)
      if (cross(lines[i], lines[j])) return true;
  return false;
}

}  // namespace

std::optional<double> turned_without_crossing(const Part& part, double most) {
  std::vector<Line> lines;
  double within = 0.0;
  for (const Face& face : part.faces) {
    const auto meridian = meridian_of(*face.patch);
    if (!meridian || !add_lines(*meridian, lines, within) || within > most) return std::nullopt;
  }
  if (any_cross(std::move(lines))) return std::nullopt;
  return within;
}

}  // namespace repose::shape
