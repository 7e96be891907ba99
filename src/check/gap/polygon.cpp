#include "check/gap/polygon.h"

namespace repose::check {

double wedge(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

double area(const Polygon& p) {
  double sum = 0.0;
  for (std::size_t k = 0; k < p.size(); ++k) sum += wedge(p[k], p[(k + 1) % p.size()]);
  return 0.5 * sum;
}

Polygon left_of(const Polygon& in, const Vec2& p, const Vec2& q) {
  Polygon out;
  const auto side = [&](const Vec2& x) { return wedge(q - p, x - p); };
  for (std::size_t k = 0; k < in.size(); ++k) {
    const Vec2 &x = in[k], &y = in[(k + 1) % in.size()];
    const double sx = side(x), sy = side(y);
    if (sx >= 0.0) out.push_back(x);
    if ((sx > 0.0 && sy < 0.0) || (sx < 0.0 && sy > 0.0))
      out.push_back(x + (y - x) * (sx / (sx - sy)));
  }
  return out;
}

Polygon common_part(const Polygon& a, const Polygon& b) {
  Polygon both = a;
  for (std::size_t k = 0; k < b.size() && !both.empty(); ++k)
    both = left_of(both, b[k], b[(k + 1) % b.size()]);
  return both;
}

}  // namespace repose::check
