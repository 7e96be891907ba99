#include "shape/tessellate/greedy_triangles.h"

#include <algorithm>
#include <set>

#include "repose/math/exact.h"

#include "shape/tessellate/polygon_triangles.h"

namespace repose::shape {
namespace {

class Cutting {
 public:
  explicit Cutting(const Polygon& polygon) : holes_(polygon.holes.size()) {
    add_loop(polygon.outer, true);
    for (const auto& hole : polygon.holes) add_loop(hole, false);
  }

  std::optional<std::vector<std::array<int, 3>>> run(const std::function<bool(int, int)>& good) {
    const std::size_t corners = points_.size();
    if (corners < 3) return std::nullopt;
    draw_lines(corners + 3 * holes_ - 3, good);
    auto out = triangles();
    if (out.size() != corners + 2 * holes_ - 2) return std::nullopt;
    return out;
  }

 private:
  struct Line {
    int a, b;
  };

  const Vec2& at(int i) const { return points_[static_cast<std::size_t>(i)]; }
  int turn(int a, int b, int c) const { return orient2d(at(a), at(b), at(c)); }

  /// The region lies on the left of every loop.
  void add_loop(const std::vector<Vec2>& loop, bool counter_clockwise) {
    const int first = static_cast<int>(points_.size()), n = static_cast<int>(loop.size());
    const bool forward = (twice_area(loop) > 0.0) == counter_clockwise;
    for (int i = 0; i < n; ++i) {
      points_.push_back(loop[static_cast<std::size_t>(i)]);
      const int before = first + (i + n - 1) % n, after = first + (i + 1) % n;
      before_.push_back(forward ? before : after);
      after_.push_back(forward ? after : before);
    }
    for (int i = first; i < first + n; ++i) {
      const int next = after_[static_cast<std::size_t>(i)];
      lines_.push_back({i, next});
      ways_.insert({i, next});
    }
  }

  /// q lies strictly between the two loop sides at p, on the region's side.
  bool looks_inward(int p, int q) const {
    const int before = before_[static_cast<std::size_t>(p)];
    const int after = after_[static_cast<std::size_t>(p)];
    if (turn(before, p, after) >= 0) return turn(p, q, before) > 0 && turn(q, p, after) > 0;
    return !(turn(p, q, after) >= 0 && turn(q, p, before) >= 0);
  }
  bool holds_corner(int a, int b) const {
    for (int i = 0; i < static_cast<int>(points_.size()); ++i)
      if (i != a && i != b && turn(a, b, i) == 0 && (at(i) - at(a)).dot(at(i) - at(b)) < 0.0)
        return true;
    return false;
  }
  bool crosses(const Line& line, int a, int b) const {
    if (line.a == a || line.a == b || line.b == a || line.b == b) return false;
    const Vec2 low = at(a).cwiseMin(at(b)), high = at(a).cwiseMax(at(b));
    const Vec2 &p = at(line.a), &q = at(line.b);
    if ((p.cwiseMax(q).array() < low.array()).any() || (p.cwiseMin(q).array() > high.array()).any())
      return false;
    return turn(a, b, line.a) * turn(a, b, line.b) < 0 &&
           turn(line.a, line.b, a) * turn(line.a, line.b, b) < 0;
  }

  void draw_lines(std::size_t wanted, const std::function<bool(int, int)>& good) {
    struct Choice {
      bool bad;
      double length_squared;
      int a, b;
    };
    std::vector<Choice> choices;
    for (int a = 0; a < static_cast<int>(points_.size()); ++a)
      for (int b = a + 1; b < static_cast<int>(points_.size()); ++b)
        if (!ways_.count({a, b}) && !ways_.count({b, a}))
          choices.push_back({good && !good(a, b), (at(a) - at(b)).squaredNorm(), a, b});
    std::stable_sort(choices.begin(), choices.end(), [](const Choice& x, const Choice& y) {
      return std::pair(x.bad, x.length_squared) < std::pair(y.bad, y.length_squared);
    });
    std::size_t drawn = 0;
    for (const auto& [bad, length_squared, a, b] : choices) {
      if (drawn == wanted) return;
      if (!looks_inward(a, b) || !looks_inward(b, a)) continue;
      if (std::any_of(lines_.begin(), lines_.end(),
                      [&, a = a, b = b](const Line& l) { return crosses(l, a, b); }))
        continue;
      if (holds_corner(a, b)) continue;
      lines_.push_back({a, b});
      ways_.insert({a, b});
      ways_.insert({b, a});
      ++drawn;
    }
  }

  /// The corner of the triangle on the left of a way; -1: none.
  int top_of(int u, int v) const {
    int best = -1;
    for (auto it = ways_.lower_bound({v, -1}); it != ways_.end() && it->first == v; ++it) {
      const int w = it->second;
      if (!ways_.count({w, u}) || turn(u, v, w) <= 0) continue;
      if (best < 0 || (turn(v, best, w) >= 0 && turn(best, u, w) >= 0)) best = w;
    }
    return best;
  }
  std::vector<std::array<int, 3>> triangles() const {
    std::vector<std::array<int, 3>> out;
    for (const auto& [u, v] : ways_) {
      const int w = top_of(u, v);
      if (w >= 0 && u < v && u < w) out.push_back({u, v, w});
    }
    return out;
  }

  std::size_t holes_;
  std::vector<Vec2> points_;
  std::vector<int> before_, after_;  // along the loop of each corner
  std::vector<Line> lines_;
  std::set<std::pair<int, int>> ways_;  // with the region on their left
};

}  // namespace

std::optional<std::vector<std::array<int, 3>>> greedy_triangles(
    const Polygon& polygon, const std::function<bool(int, int)>& good) {
  std::size_t corners = polygon.outer.size();
  for (const auto& hole : polygon.holes) corners += hole.size();
  if (corners > kMostGreedyCorners) return std::nullopt;
  return Cutting(polygon).run(good);
}

}  // namespace repose::shape
