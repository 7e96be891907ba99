#include "check/gap/support.h"

#include <algorithm>
#include <queue>

#include "check/gap/least_along.h"

namespace repose::check {

namespace {

struct Entry {
  double high;
  long order;
  int piece;
  bool sharp;  // `high` is the piece's exact extent, or as near as can be
};
struct Lower {
  bool operator()(const Entry& a, const Entry& b) const {
    return a.high != b.high ? a.high < b.high : a.order > b.order;
  }
};

constexpr double kSpanError = 32.0 * kUlp;
constexpr double kSmallest = 64.0 * kUlp;

}  // namespace

Support support(Surface& surface, const Vec3& direction, double width, int budget) {
  const double slack = kSpanError * surface.reach();
  Support out{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
              Vec3::Zero(), 0};
  double settled = out.upper;
  std::priority_queue<Entry, std::vector<Entry>, Lower> queue;
  long order = 0;
  const auto attained = [&](const Vec3& p, double error) {
    const double at = direction.dot(p) - error - slack;
    if (at <= out.lower) return;
    out.lower = at;
    out.point = p;
  };
  const auto offer = [&](int i) {
    const Piece& p = surface.piece(i);
    const double high = span(p, direction).high + slack;
    ++out.tests;
    if (p.kind == PieceKind::triangle)
      for (const Vec3& c : p.corner) attained(c, 0.0);
    else if (p.kind != PieceKind::box)
      attained(p.on_surface, p.on_error);
    if (p.leaf() || p.size < kSmallest * surface.reach())
      settled = std::max(settled, high);
    else if (high >= out.lower)
      queue.push({high, order++, i, false});
  };
  // the exact extent of a piece instead of that of its bounds; true where that is less
  const auto sharpen = [&](const Entry& e) {
    const Piece& p = surface.piece(e.piece);
    if (e.sharp || !p.gentle()) return false;
    const LeastAlong least = least_along(*surface.face(p.face).patch, p.uv, -direction);
    const double high = slack - least.lower;
    ++out.tests;
    attained(least.point, least.error);
    if (!(high < e.high)) return false;
    if (high >= out.lower) queue.push({high, order++, e.piece, true});
    return true;
  };
  offer(surface.root());
  while (!queue.empty()) {
    const Entry top = queue.top();
    out.upper = std::max(top.high, settled);
    if (out.upper - out.lower <= width || top.high <= settled || out.tests >= budget) return out;
    queue.pop();
    if (sharpen(top)) continue;
    const int child = surface.children(top.piece);
    offer(child);
    offer(child + 1);
  }
  out.upper = std::max(settled, out.lower);
  return out;
}

}  // namespace repose::check
