#include "repose/check/enclosure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "repose/base/at.h"

namespace repose::check {

namespace {

/// Widths of the cubes that are tried, of the median radius.
constexpr std::array kCells = {0.5, 0.25, 0.125};
/// Times that a cube is halved to see whether several balls hold it together.
constexpr int kHalvings = 4;
/// More cubes are not looked at.
constexpr double kMostCells = 6e7;
/// Bounds the rounding of a distance, of the largest coordinate: a few units in the last place.
constexpr double kRounding = 1e-14;

/// A range of cubes along each axis.
struct Range {
  std::array<int, 3> low, high;
};

class Cubes {
 public:
  Cubes(const Wall& wall, double width) : wall_(wall), width_(width) {
    Vec3 low = wall.centers[0], high = wall.centers[0];
    for (std::size_t k = 0; k < wall.centers.size(); ++k) {
      low = low.cwiseMin(wall.centers[k] - Vec3::Constant(wall.radii[k]));
      high = high.cwiseMax(wall.centers[k] + Vec3::Constant(wall.radii[k]));
    }
    // a layer of cubes all round meets no ball
    low_ = low - Vec3::Constant(2.0 * width);
    slack_ = kRounding * (low_.cwiseAbs().maxCoeff() + high.cwiseAbs().maxCoeff() + width);
    double all = 1.0;
    for (int k = 0; k < 3; ++k) {
      const double count = std::ceil((high[k] - low_[k]) / width) + 2.0;
      all *= count;
      count_[at(k)] = count < kMostCells ? static_cast<int>(count) : 0;
    }
    fits_ = all < kMostCells;
    if (!fits_) return;
    marks_.assign(static_cast<std::size_t>(all), 0);
    for (std::size_t k = 0; k < wall.centers.size(); ++k) mark(wall.centers[k], wall.radii[k]);
    sort_balls();
    flood(kShut, kReached, true);
    flood(kMet, kOpen, false);
  }

  bool fits() const { return fits_; }
  /// A way may lead to the point.
  bool may_be_reached(const Vec3& p) const { return any(p, kReached); }
  /// A way leads to a cube of the point that meets no ball.
  bool is_reached(const Vec3& p) const { return any(p, kOpen); }

 private:
  static constexpr std::uint8_t kShut = 1, kMet = 2, kReached = 4, kOpen = 8;

  /// Cubes share their borders: the same expression, the same double.
  double border(int axis, int i) const { return low_[axis] + i * width_; }
  std::size_t index(int i, int j, int k) const {
    return (at(i) * at(count_[1]) + at(j)) * at(count_[2]) + at(k);
  }
  /// Cubes that hold the coordinate, both where it is a border; outside the first or last.
  std::array<int, 2> holding(int axis, double x) const {
    const int most = count_[at(axis)] - 1;
    auto i = static_cast<int>(
        std::clamp(std::floor((x - low_[axis]) / width_), 0.0, static_cast<double>(most)));
    while (i > 0 && x < border(axis, i)) --i;
    while (i < most && x > border(axis, i + 1)) ++i;
    std::array<int, 2> out{i, i};
    if (x == border(axis, i)) out[0] = std::max(0, i - 1);
    if (x == border(axis, i + 1)) out[1] = std::min(most, i + 1);
    return out;
  }
  Range cubes_of(const Vec3& low, const Vec3& high) const {
    Range out{};
    for (int k = 0; k < 3; ++k) {
      out.low[at(k)] = holding(k, low[k])[0];
      out.high[at(k)] = holding(k, high[k])[1];
    }
    return out;
  }
  bool any(const Vec3& p, std::uint8_t mark) const {
    const Range range = cubes_of(p, p);
    for (int i = range.low[0]; i <= range.high[0]; ++i)
      for (int j = range.low[1]; j <= range.high[1]; ++j)
        for (int k = range.low[2]; k <= range.high[2]; ++k)
          if ((marks_[index(i, j, k)] & mark) != 0) return true;
    return false;
  }

  /// Squares of the least and the largest distance of a cube's points from x along an axis.
  std::array<double, 2> apart(int axis, int i, double x) const {
    const double below = border(axis, i) - x, above = x - border(axis, i + 1);
    const double least = std::max({0.0, below, above});
    const double most = std::max(std::fabs(below), std::fabs(above));
    return {least * least, most * most};
  }
  void mark(const Vec3& center, double radius) {
    const Vec3 reach = Vec3::Constant(radius + slack_);
    const Range range = cubes_of(center - reach, center + reach);
    const double inner = std::max(0.0, radius - slack_), outer = radius + slack_;
    const double shut = inner * inner * (1.0 - kRounding), met = outer * outer * (1.0 + kRounding);
    for (int i = range.low[0]; i <= range.high[0]; ++i) {
      const auto x = apart(0, i, center.x());
      for (int j = range.low[1]; j <= range.high[1]; ++j) {
        const auto y = apart(1, j, center.y());
        for (int k = range.low[2]; k <= range.high[2]; ++k) {
          const auto z = apart(2, k, center.z());
          std::uint8_t& cube = marks_[index(i, j, k)];
          if (x[0] + y[0] + z[0] <= met) cube |= kMet;
          if (x[1] + y[1] + z[1] <= shut) cube |= kShut;
        }
      }
    }
  }

  /// Balls by the bins of their centres; a bin is as wide as the widest ball's radius, in cubes.
  void sort_balls() {
    const double widest = *std::max_element(wall_.radii.begin(), wall_.radii.end());
    // one more for rounding: what meets a cube lies in its bin or in one beside it
    bin_ = static_cast<int>(std::min(std::ceil(widest / width_) + 1.0, kMostCells));
    for (std::size_t a = 0; a < 3; ++a) bins_[a] = count_[a] / bin_ + 1;
    first_.assign(at(bins_[0]) * at(bins_[1]) * at(bins_[2]) + 1, 0);
    std::vector<std::size_t> bin_of;
    for (const Vec3& center : wall_.centers) {
      std::array<int, 3> bin{};
      for (int a = 0; a < 3; ++a) bin[at(a)] = holding(a, center[a])[0] / bin_;
      bin_of.push_back(bin_index(bin));
      ++first_[bin_of.back() + 1];
    }
    for (std::size_t b = 1; b < first_.size(); ++b) first_[b] += first_[b - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    balls_.resize(bin_of.size());
    for (std::size_t k = 0; k < bin_of.size(); ++k) balls_[next[bin_of[k]]++] = k;
  }
  std::size_t bin_index(const std::array<int, 3>& bin) const {
    return (at(bin[0]) * at(bins_[1]) + at(bin[1])) * at(bins_[2]) + at(bin[2]);
  }

  /// Several balls together hold every point of the cube.
  bool is_covered(const std::array<int, 3>& cube) {
    near_.clear();
    std::array<int, 3> low{}, high{};
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::max(0, cube[a] / bin_ - 1);
      high[a] = std::min(bins_[a] - 1, cube[a] / bin_ + 1);
    }
    Box box;
    for (int a = 0; a < 3; ++a) {
      box.low[a] = border(a, cube[at(a)]);
      box.high[a] = border(a, cube[at(a)] + 1);
    }
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k) {
          const std::size_t bin = bin_index({i, j, k});
          for (std::size_t n = first_[bin]; n < first_[bin + 1]; ++n)
            if (meets(box, balls_[n])) near_.push_back(balls_[n]);
        }
    return is_covered(box, kHalvings);
  }

  struct Box {
    Vec3 low, high;
  };
  bool meets(const Box& box, std::size_t ball) const {
    const Vec3& c = wall_.centers[ball];
    return (c - c.cwiseMax(box.low).cwiseMin(box.high)).norm() <= wall_.radii[ball];
  }
  /// The whole of a box lies in a ball, rounding included.
  bool holds(std::size_t ball, const Box& box) const {
    const Vec3& c = wall_.centers[ball];
    const Vec3 far = (c - box.low).cwiseAbs().cwiseMax((c - box.high).cwiseAbs());
    const double inner = std::max(0.0, wall_.radii[ball] - slack_);
    return far.squaredNorm() <= inner * inner * (1.0 - kRounding);
  }
  bool is_covered(const Box& box, int halvings) const {
    for (const std::size_t ball : near_)
      if (holds(ball, box)) return true;
    if (halvings == 0) return false;
    // where no ball holds the middle, halving is in vain
    const Vec3 middle = 0.5 * (box.low + box.high);
    if (std::none_of(near_.begin(), near_.end(), [&](std::size_t ball) {
          return holds(ball, {middle, middle});
        }))
      return false;
    for (int part = 0; part < 8; ++part) {
      Box half = box;
      for (int a = 0; a < 3; ++a) (part >> a & 1 ? half.low : half.high)[a] = middle[a];
      if (!is_covered(half, halvings - 1)) return false;
    }
    return true;
  }

  /// From the first cube through all that lack `barred`: by faces, or by edges and corners too.
  void flood(std::uint8_t barred, std::uint8_t reached, bool corners) {
    std::vector<std::array<int, 3>> stack{{0, 0, 0}};
    marks_[0] |= reached;
    while (!stack.empty()) {
      const auto cube = stack.back();
      stack.pop_back();
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
          for (int k = -1; k <= 1; ++k) {
            if (!corners && std::abs(i) + std::abs(j) + std::abs(k) != 1) continue;
            const std::array<int, 3> next{cube[0] + i, cube[1] + j, cube[2] + k};
            bool within = true;
            for (std::size_t a = 0; a < 3; ++a) within &= next[a] >= 0 && next[a] < count_[a];
            if (!within) continue;
            std::uint8_t& mark = marks_[index(next[0], next[1], next[2])];
            if ((mark & (barred | reached)) != 0) continue;
            if (barred == kShut && (mark & kMet) != 0 && is_covered(next)) {
              mark |= kShut;
              continue;
            }
            mark |= reached;
            stack.push_back(next);
          }
    }
  }

  const Wall& wall_;
  double width_;
  Vec3 low_ = Vec3::Zero();
  double slack_ = 0.0;
  std::array<int, 3> count_{};
  bool fits_ = false;
  std::vector<std::uint8_t> marks_;
  int bin_ = 1;                     // cubes along a bin
  std::array<int, 3> bins_{};       // along each axis
  std::vector<std::size_t> first_;  // of each bin, and one past the end
  std::vector<std::size_t> balls_;  // by bins
  std::vector<std::size_t> near_;   // balls that meet the cube that is looked at
};

/// The point lies in a ball for certain: no way leads there but through it.
bool in_ball(const Wall& wall, const Vec3& p) {
  for (std::size_t k = 0; k < wall.centers.size(); ++k) {
    const double slack =
        kRounding * (p.cwiseAbs().maxCoeff() + wall.centers[k].cwiseAbs().maxCoeff());
    const double inner = wall.radii[k] - slack;
    if (inner > 0.0 && (wall.centers[k] - p).squaredNorm() < inner * inner * (1.0 - kRounding))
      return true;
  }
  return false;
}

Enclosure look(const Wall& wall, const Cubes& cubes, double width) {
  // points that surely, and points that perhaps, are not where they should be
  long surely = 0, perhaps = 0;
  Enclosure out;
  out.cell = width;
  for (std::size_t i = 0; i < wall.inner.size(); ++i) {
    surely += cubes.is_reached(wall.inner[i]) ? 1 : 0;
    if (!cubes.may_be_reached(wall.inner[i]) || in_ball(wall, wall.inner[i])) continue;
    ++perhaps;
    if (out.inner < 0) out.inner = static_cast<int>(i);
  }
  for (std::size_t i = 0; i < wall.outer.size(); ++i) {
    if (cubes.is_reached(wall.outer[i])) continue;
    ++perhaps;
    surely += cubes.may_be_reached(wall.outer[i]) ? 0 : 1;
    if (out.outer < 0) out.outer = static_cast<int>(i);
  }
  out.answer = prove::at_most({static_cast<double>(surely), static_cast<double>(perhaps)}, 0.0);
  return out;
}

bool sound(const Wall& wall) {
  if (wall.centers.empty() || wall.centers.size() != wall.radii.size()) return false;
  const auto finite = [](const Vec3& p) { return p.allFinite(); };
  return std::all_of(wall.centers.begin(), wall.centers.end(), finite) &&
         std::all_of(wall.inner.begin(), wall.inner.end(), finite) &&
         std::all_of(wall.outer.begin(), wall.outer.end(), finite) &&
         std::all_of(wall.radii.begin(), wall.radii.end(),
                     [](double r) { return r > 0.0 && std::isfinite(r); });
}

}  // namespace

Enclosure enclosure(const Wall& wall) {
  Enclosure out;
  if (!sound(wall)) return out;
  std::vector<double> radii = wall.radii;
  const auto median = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
  std::nth_element(radii.begin(), median, radii.end());
  for (const double share : kCells) {
    const Cubes cubes(wall, share * *median);
    if (!cubes.fits()) break;
    out = look(wall, cubes, share * *median);
    if (out.answer != prove::Answer::undecided) break;
  }
  return out;
}

}  // namespace repose::check
