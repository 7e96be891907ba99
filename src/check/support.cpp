#include "support.h"

#include <algorithm>
#include <queue>

namespace repose::check {

namespace {

struct Entry {
  double high;
  long order;
  int piece;
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
      queue.push({high, order++, i});
  };
  offer(surface.root());
  while (!queue.empty()) {
    const Entry top = queue.top();
    out.upper = std::max(top.high, settled);
    if (out.upper - out.lower <= width || top.high <= settled || out.tests >= budget) return out;
    queue.pop();
    const int child = surface.children(top.piece);
    offer(child);
    offer(child + 1);
  }
  out.upper = std::max(settled, out.lower);
  return out;
}

}  // namespace repose::check
