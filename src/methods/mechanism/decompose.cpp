#include "decompose.h"

#include <algorithm>
#include <limits>
#include <map>

#include "repose/base/check.h"

#include "plane.h"

namespace repose::mechanism {
namespace {

using Loop = std::vector<int>;

class Cutter {
 public:
  explicit Cutter(const shape::Polygon& polygon) {
    add_loop(polygon.outer);
    Loop around(points_.size());
    for (std::size_t i = 0; i < around.size(); ++i) around[i] = static_cast<int>(i);
    std::vector<Loop> holes;
    for (const auto& hole : polygon.holes) {
      const int first = static_cast<int>(points_.size());
      add_loop(hole);
      Loop loop;
      for (int i = first; i < static_cast<int>(points_.size()); ++i) loop.push_back(i);
      holes.push_back(std::move(loop));
    }
    bridge_holes(around, holes);
    clip_ears(around);
    join_pieces();
  }

  std::vector<ConvexPiece> pieces() const {
    std::vector<ConvexPiece> out;
    for (const Loop& loop : loops_) {
      ConvexPiece piece;
      for (std::size_t k = 0; k < loop.size(); ++k) {
        piece.points.push_back(points_[loop[k]]);
        piece.inner.push_back(next_[loop[k]] == loop[(k + 1) % loop.size()] ? 0 : 1);
      }
      out.push_back(std::move(piece));
    }
    return out;
  }

 private:
  void add_loop(const std::vector<Vec2>& loop) {
    const int first = static_cast<int>(points_.size()), n = static_cast<int>(loop.size());
    for (int i = 0; i < n; ++i) {
      points_.push_back(loop[i]);
      next_.push_back(first + (i + 1) % n);
    }
  }
  double turn(int a, int b, int c) const {
    return cross(points_[b] - points_[a], points_[c] - points_[b]);
  }
  bool in_triangle(int p, int a, int b, int c) const {
    const auto side = [&](int i, int j) {
      return cross(points_[j] - points_[i], points_[p] - points_[i]);
    };
    return side(a, b) >= 0.0 && side(b, c) >= 0.0 && side(c, a) >= 0.0;
  }
  bool same_place(int a, int b) const { return points_[a] == points_[b]; }
  bool crosses(int a, int b, int c, int d) const;
  bool sees(const Loop& around, const std::vector<Loop>& holes, int a, int b) const;
  void bridge_holes(Loop& around, std::vector<Loop> holes);
  bool is_ear(const Loop& loop, std::size_t k) const;
  void clip_ears(Loop loop);
  bool convex(const Loop& loop) const;
  void join_pieces();

  std::vector<Vec2> points_;
  std::vector<int> next_;  // along the outline
  std::vector<Loop> loops_;
};

/// Segments a-b and c-d meet other than at a shared end.
bool Cutter::crosses(int a, int b, int c, int d) const {
  const auto shared = [&](int p) { return same_place(p, a) || same_place(p, b); };
  if (shared(c) || shared(d)) return false;
  const auto side = [&](int i, int j, int p) {
    return cross(points_[j] - points_[i], points_[p] - points_[i]);
  };
  return side(a, b, c) * side(a, b, d) <= 0.0 && side(c, d, a) * side(c, d, b) <= 0.0;
}

bool Cutter::sees(const Loop& around, const std::vector<Loop>& holes, int a, int b) const {
  const auto clear = [&](const Loop& loop) {
    for (std::size_t k = 0; k < loop.size(); ++k)
      if (crosses(a, b, loop[k], loop[(k + 1) % loop.size()])) return false;
    return true;
  };
  return clear(around) && std::all_of(holes.begin(), holes.end(), clear);
}

/// Each hole is joined to the outline by a cut there and back, between the nearest two corners that
/// see each other.
void Cutter::bridge_holes(Loop& around, std::vector<Loop> holes) {
  while (!holes.empty()) {
    double best = std::numeric_limits<double>::infinity();
    std::size_t best_hole = 0, best_corner = 0, best_place = 0;
    for (std::size_t h = 0; h < holes.size(); ++h)
      for (std::size_t i = 0; i < holes[h].size(); ++i)
        for (std::size_t j = 0; j < around.size(); ++j) {
          const double away = (points_[holes[h][i]] - points_[around[j]]).squaredNorm();
          if (away >= best || !sees(around, holes, around[j], holes[h][i])) continue;
          best = away;
          best_hole = h;
          best_corner = i;
          best_place = j;
        }
    REPOSE_CHECK(best < std::numeric_limits<double>::infinity(), "a hole sees no corner");
    const Loop hole = holes[best_hole];
    Loop joined(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(best_place) + 1);
    for (std::size_t i = 0; i <= hole.size(); ++i)
      joined.push_back(hole[(best_corner + i) % hole.size()]);
    joined.insert(joined.end(), around.begin() + static_cast<std::ptrdiff_t>(best_place),
                  around.end());
    around = std::move(joined);
    holes.erase(holes.begin() + static_cast<std::ptrdiff_t>(best_hole));
  }
}

bool Cutter::is_ear(const Loop& loop, std::size_t k) const {
  const std::size_t n = loop.size();
  const int a = loop[(k + n - 1) % n], b = loop[k], c = loop[(k + 1) % n];
  if (turn(a, b, c) <= 0.0) return false;
  for (const int p : loop)
    if (!same_place(p, a) && !same_place(p, b) && !same_place(p, c) && in_triangle(p, a, b, c))
      return false;
  return true;
}

/// The ear of the largest least angle goes first, so that few slivers are left.
void Cutter::clip_ears(Loop loop) {
  const auto quality = [&](std::size_t k) {
    const std::size_t n = loop.size();
    const Vec2 &a = points_[loop[(k + n - 1) % n]], &b = points_[loop[k]],
               &c = points_[loop[(k + 1) % n]];
    const double longest =
        std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return longest > 0.0 ? cross(b - a, c - b) / longest : 0.0;
  };
  while (loop.size() > 3) {
    std::size_t best = loop.size(), flattest = 0;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      if (is_ear(loop, k) && (best == loop.size() || quality(k) > quality(best))) best = k;
      if (std::fabs(quality(k)) < std::fabs(quality(flattest))) flattest = k;
    }
    // only flat corners are left: they take no area with them
    const bool flat = best == loop.size();
    if (flat) best = flattest;
    const std::size_t n = loop.size();
    if (!flat) loops_.push_back({loop[(best + n - 1) % n], loop[best], loop[(best + 1) % n]});
    loop.erase(loop.begin() + static_cast<std::ptrdiff_t>(best));
  }
  if (turn(loop[0], loop[1], loop[2]) > 0.0) loops_.push_back(loop);
}

bool Cutter::convex(const Loop& loop) const {
  const std::size_t n = loop.size();
  for (std::size_t k = 0; k < n; ++k)
    if (turn(loop[k], loop[(k + 1) % n], loop[(k + 2) % n]) < 0.0) return false;
  return true;
}

/// Takes back every cut whose two pieces are convex together.
void Cutter::join_pieces() {
  std::map<std::pair<int, int>, std::size_t> owner;  // of a directed cut
  const auto own = [&](std::size_t piece) {
    const Loop& loop = loops_[piece];
    for (std::size_t k = 0; k < loop.size(); ++k)
      owner[{loop[k], loop[(k + 1) % loop.size()]}] = piece;
  };
  for (std::size_t i = 0; i < loops_.size(); ++i) own(i);
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    for (std::size_t k = 0; k < loops_[i].size();) {
      const Loop& loop = loops_[i];
      const int a = loop[k], b = loop[(k + 1) % loop.size()];
      const auto other = owner.find({b, a});
      if (other == owner.end() || other->second == i || next_[a] == b) {
        ++k;
        continue;
      }
      const std::size_t j = other->second;
      const Loop& second = loops_[j];
      const auto at = static_cast<std::size_t>(std::find(second.begin(), second.end(), a) -
                                               second.begin());  // b precedes a in it
      Loop joined(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      for (std::size_t m = 1; m + 1 < second.size(); ++m)
        joined.push_back(second[(at + m) % second.size()]);
      for (std::size_t m = k + 1; m < loop.size(); ++m) joined.push_back(loop[m]);
      if (!convex(joined)) {
        ++k;
        continue;
      }
      owner.erase({a, b});
      owner.erase({b, a});
      loops_[i] = std::move(joined);
      loops_[j].clear();
      own(i);
      k = 0;
    }
  }
  std::erase_if(loops_, [](const Loop& loop) { return loop.empty(); });
}

}  // namespace

std::vector<ConvexPiece> convex_pieces(const shape::Polygon& polygon) {
  return Cutter(polygon).pieces();
}

}  // namespace repose::mechanism
