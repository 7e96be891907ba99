#include "shape/trim/split_region.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace repose::shape {
namespace {

using Loop = std::vector<FlatCurve>;

constexpr int kSamples = 32;
constexpr int kHalvings = 60;
/// Coordinates nearer to the line than this share of the loop's extent lie on it.
constexpr double kOnLine = 1e-11;

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

double twice_area(const Loop& loop) {
  double out = 0.0;
  for (const FlatCurve& c : loop)
    for (int i = 0; i < kSamples; ++i)
      out += cross(c.point(static_cast<double>(i) / kSamples),
                   c.point(static_cast<double>(i + 1) / kSamples));
  return out;
}

void turn(Loop* loop) {
  std::reverse(loop->begin(), loop->end());
  for (FlatCurve& c : *loop) c = c.reversed();
}

/// One side of a line.
class Beside {
 public:
  Beside(const FlatRegion& region, int axis, double at, bool above)
      : axis_(axis), at_(at), sign_(above ? 1.0 : -1.0) {
    double extent = 0.0;
    for (const Loop& loop : region.loops)
      for (const FlatCurve& c : loop)
        extent = std::max(extent, (c.point(0.5) - region.loops[0][0].begin()).norm());
    slack_ = kOnLine * extent;
    for (const Loop& loop : region.loops) add(loop);
  }

  std::vector<FlatRegion> run() {
    while (!chains_.empty()) close_one();
    std::vector<FlatRegion> out;
    for (const Loop& loop : whole_)
      if (twice_area(loop) > 0.0) out.push_back({{loop}});
    for (const Loop& loop : whole_)
      if (twice_area(loop) <= 0.0) add_hole(loop, &out);
    return out;
  }

 private:
  /// Above 0 on the side that is kept.
  double side(const Vec2& p) const { return sign_ * (p[axis_] - at_); }

  /// Pieces of the curve between its crossings of the line.
  std::vector<FlatCurve> pieces(const FlatCurve& c) const {
    std::vector<double> cuts{0.0};
    for (int i = 0; i < kSamples; ++i) {
      double low = static_cast<double>(i) / kSamples, high = static_cast<double>(i + 1) / kSamples;
      const double a = side(c.point(low)), b = side(c.point(high));
      if (std::fabs(a) <= slack_) {
        if (low > cuts.back()) cuts.push_back(low);
        continue;
      }
      if (std::fabs(b) <= slack_ || (a > 0.0) == (b > 0.0)) continue;
      for (int k = 0; k < kHalvings; ++k) {
        const double middle = 0.5 * (low + high);
        ((side(c.point(middle)) > 0.0) == (a > 0.0) ? low : high) = middle;
      }
      cuts.push_back(low);
    }
    cuts.push_back(1.0);
    if (cuts.size() == 2) return {c};
    std::vector<FlatCurve> out;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) out.push_back(c.part(cuts[i], cuts[i + 1]));
    return out;
  }

  void add(const Loop& loop) {
    Loop cut;
    for (const FlatCurve& c : loop)
      for (FlatCurve& piece : pieces(c)) cut.push_back(std::move(piece));
    std::vector<bool> kept;
    for (const FlatCurve& c : cut) {
      double farthest = 0.0;
      for (int i = 1; i < kSamples; ++i) {
        const double s = side(c.point(static_cast<double>(i) / kSamples));
        if (std::fabs(s) > std::fabs(farthest)) farthest = s;
      }
      kept.push_back(farthest > slack_);
    }
    if (std::all_of(kept.begin(), kept.end(), [](bool k) { return k; })) {
      whole_.push_back(std::move(cut));
      return;
    }
    // chains of kept pieces, each from the line to the line
    const std::size_t n = cut.size();
    std::size_t begin = 0;
    while (begin < n && kept[begin]) ++begin;
    for (std::size_t i = 1; i <= n; ++i) {
      const std::size_t k = (begin + i) % n;
      if (!kept[k]) continue;
      if (!kept[(k + n - 1) % n]) chains_.emplace_back();
      chains_.back().push_back(cut[k]);
    }
  }

  /// How far along the line, in the direction that has the region on its left.
  double along(const Vec2& p) const {
    const double forward = (axis_ == 0 ? -1.0 : 1.0) * sign_;
    return forward * p[1 - axis_];
  }

  void close_one() {
    Loop loop = std::move(chains_.back());
    chains_.pop_back();
    const double first = along(loop.front().begin());
    while (true) {
      const double from = along(loop.back().end());
      std::optional<std::size_t> next;
      double nearest = first >= from - slack_ ? first : std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < chains_.size(); ++i) {
        const double entry = along(chains_[i].front().begin());
        if (entry >= from - slack_ && entry < nearest) nearest = entry, next = i;
      }
      const Vec2 to = next ? chains_[*next].front().begin() : loop.front().begin();
      if ((to - loop.back().end()).norm() > slack_)
        loop.push_back(FlatCurve::line(loop.back().end(), to));
      if (!next) break;
      loop.insert(loop.end(), chains_[*next].begin(), chains_[*next].end());
      chains_.erase(chains_.begin() + static_cast<std::ptrdiff_t>(*next));
    }
    whole_.push_back(std::move(loop));
  }

  static bool holds(const Loop& outer, const Vec2& p) {
    double winding = 0.0;
    for (const FlatCurve& c : outer)
      for (int i = 0; i < kSamples; ++i) {
        const Vec2 a = c.point(static_cast<double>(i) / kSamples) - p;
        const Vec2 b = c.point(static_cast<double>(i + 1) / kSamples) - p;
        winding += std::atan2(cross(a, b), a.dot(b));
      }
    return winding > 1.0;
  }
  static void add_hole(const Loop& hole, std::vector<FlatRegion>* regions) {
    for (FlatRegion& r : *regions)
      if (holds(r.loops[0], hole[0].begin())) {
        r.loops.push_back(hole);
        return;
      }
  }

  int axis_;
  double at_, sign_, slack_ = 0.0;
  std::vector<Loop> chains_, whole_;
};

}  // namespace

FlatRegion oriented(FlatRegion region) {
  for (std::size_t i = 0; i < region.loops.size(); ++i)
    if ((twice_area(region.loops[i]) > 0.0) != (i == 0)) turn(&region.loops[i]);
  return region;
}

std::vector<FlatRegion> part_beside(const FlatRegion& region, int axis, double at, bool above) {
  return Beside(region, axis, at, above).run();
}

}  // namespace repose::shape
