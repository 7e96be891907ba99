#include "shape/trim/cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "shape/tessellate/greedy_triangles.h"
#include "shape/tessellate/polygon_triangles.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;
/// A piece of a curve turns by no more than this in the first try; each further one halves it.
constexpr double kMostTurn = 0.5 * kPi + 1e-6;
constexpr double kFinestTurn = 1.0 / 64.0;
/// Straight pieces are no longer than this share of the longest one.
constexpr double kLongest[] = {1.0, 0.5, 0.25};
constexpr int kMostPieces = 4000;
/// Corners of cells, rad.
constexpr double kLeastCorner = 0.1 * kPi, kMostCorner = 0.88 * kPi;
/// Boxes spent on the proof that a cell does not fold.
constexpr int kFoldBudget = 4000;
/// Pieces shorter than this share of the region are no pieces.
constexpr double kNothing = 1e-12;
/// Lines that turn by less are one, rad.
constexpr double kInLine = 1e-14;
constexpr int kSamples = 16;

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// The angle from a counter-clockwise to b, in [0, 2 pi).
double angle_between(const Vec2& a, const Vec2& b) {
  const double angle = std::atan2(cross(a, b), a.dot(b));
  return angle < 0.0 ? angle + 2.0 * kPi : angle;
}

/// One way between two corners: a piece of the outline, or a straight line inside.
struct Way {
  int from = 0, to = 0;  // corners
  FlatCurve curve;       // from -> to
  bool outline = false;
};

using Triangle = std::array<int, 3>;  // ways by number + 1, negative where run backwards

class Cutting {
 public:
  /// `longest`: m; straight sides of the outline are cut into pieces no longer.
  Cutting(const FlatRegion& region, const Vec2& scale, double most_turn, double longest)
      : scale_(scale), most_turn_(most_turn), longest_(longest) {
    for (const auto& loop : region.loops) add_loop(loop);
  }

  std::optional<std::vector<FlatCell>> run() {
    if (bad_ || corners_.size() > kMostPieces) return std::nullopt;
    if (round_quad()) return checked();
    if (!triangulate_outline()) return std::nullopt;
    improve();
    merge();
    return checked();
  }

 private:
  Vec2 scaled(const Vec2& p) const { return p.cwiseProduct(scale_); }
  Vec2 at(int corner) const { return scaled(corners_[static_cast<std::size_t>(corner)]); }
  const Way& way(int signed_number) const {
    return ways_[static_cast<std::size_t>(std::abs(signed_number) - 1)];
  }
  int begin(int w) const { return w > 0 ? way(w).from : way(w).to; }
  int end(int w) const { return w > 0 ? way(w).to : way(w).from; }
  FlatCurve curve(int w) const { return w > 0 ? way(w).curve : way(w).curve.reversed(); }
  /// Directions of leaving the begin and of arriving at the end, scaled.
  Vec2 leaving(int w) const {
    return scaled(w > 0 ? way(w).curve.tangent(0.0) : -way(w).curve.tangent(1.0));
  }
  Vec2 arriving(int w) const {
    return scaled(w > 0 ? way(w).curve.tangent(1.0) : -way(w).curve.tangent(0.0));
  }
  /// The inner angle between a way that arrives and the one that leaves next.
  double corner_angle(int in, int out) const { return angle_between(leaving(out), -arriving(in)); }

  int add_way(int from, int to, FlatCurve curve, bool outline) {
    ways_.push_back({from, to, std::move(curve), outline});
    return static_cast<int>(ways_.size());
  }
  int add_line(int from, int to) {
    return add_way(from, to,
                   FlatCurve::line(corners_[static_cast<std::size_t>(from)],
                                   corners_[static_cast<std::size_t>(to)]),
                   false);
  }
  int add_corner(const Vec2& p) {
    corners_.push_back(p);
    return static_cast<int>(corners_.size()) - 1;
  }

  /// How far a curve turns, by samples; a closed one turns at least once.
  double turn_of(const FlatCurve& c) const {
    if (c.straight()) return 0.0;
    double turn = 0.0;
    Vec2 last = scaled(c.tangent(0.0));
    for (int i = 1; i <= kSamples; ++i) {
      const Vec2 next = scaled(c.tangent(static_cast<double>(i) / kSamples));
      turn += std::fabs(std::atan2(cross(last, next), last.dot(next)));
      last = next;
    }
    return turn;
  }

  double length_of(const FlatCurve& c) const { return scaled(c.end() - c.begin()).norm(); }

  void add_loop(const std::vector<FlatCurve>& loop) {
    std::vector<FlatCurve> pieces;
    for (const FlatCurve& c : loop) {
      const double share =
          std::ceil(c.straight() ? length_of(c) / longest_ : turn_of(c) / most_turn_);
      if (!(share < kMostPieces)) {
        bad_ = true;
        return;
      }
      const int count = std::max(1, static_cast<int>(share));
      for (int i = 0; i < count; ++i)
        pieces.push_back(count == 1 ? c
                                    : c.part(static_cast<double>(i) / count,
                                             static_cast<double>(i + 1) / count));
    }
    // outlines run counter-clockwise around the region
    double twice = 0.0;
    for (const FlatCurve& c : pieces)
      for (int i = 0; i < kSamples; ++i)
        twice += cross(scaled(c.point(static_cast<double>(i) / kSamples)),
                       scaled(c.point(static_cast<double>(i + 1) / kSamples)));
    if ((twice > 0.0) != loops_.empty()) {
      std::reverse(pieces.begin(), pieces.end());
      for (FlatCurve& c : pieces) c = c.reversed();
    }
    if (pieces.size() < 3) {
      std::vector<FlatCurve> halves;
      for (const FlatCurve& c : pieces)
        for (const double h : {0.0, 0.5}) halves.push_back(c.part(h, h + 0.5));
      pieces = std::move(halves);
    }
    if (pieces.size() < 3) {
      bad_ = true;
      return;
    }
    const int first = static_cast<int>(corners_.size());
    const int n = static_cast<int>(pieces.size());
    loops_.emplace_back();
    for (int i = 0; i < n; ++i) {
      add_corner(pieces[static_cast<std::size_t>(i)].begin());
      loops_.back().push_back(
          add_way(first + i, first + (i + 1) % n, pieces[static_cast<std::size_t>(i)], true));
    }
    const std::vector<int>& ring = loops_.back();
    for (std::size_t i = 0; i < ring.size(); ++i)
      sides_.push_back({ring[(i + ring.size() - 1) % ring.size()], ring[i]});
  }

  /// A region all round, as a disc: a quadrilateral inside and one cell along each side.
  bool round_quad() {
    if (loops_.size() != 1 || loops_[0].size() != 4) return false;
    const std::vector<int>& ring = loops_[0];
    Vec2 middle = Vec2::Zero();
    for (std::size_t i = 0; i < 4; ++i) {
      if (corner_angle(ring[(i + 3) % 4], ring[i]) < kMostCorner) return false;
      middle += 0.25 * corners_[static_cast<std::size_t>(begin(ring[i]))];
    }
    std::array<int, 4> inner{}, spokes{}, sides{};
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec2 p = corners_[static_cast<std::size_t>(begin(ring[i]))];
      inner[i] = add_corner(middle + 0.5 * (p - middle));
    }
    for (std::size_t i = 0; i < 4; ++i) {
      spokes[i] = add_line(begin(ring[i]), inner[i]);
      sides[i] = add_line(inner[i], inner[(i + 1) % 4]);
    }
    for (std::size_t i = 0; i < 4; ++i)
      add_cell({ring[i], spokes[(i + 1) % 4], -sides[i], -spokes[i]});
    add_cell({sides[0], sides[1], sides[2], sides[3]});
    return true;
  }

  bool triangulate_outline() {
    Polygon polygon;
    std::map<std::pair<int, int>, int> known;  // ways by their ends
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      auto& loop = k == 0 ? polygon.outer : polygon.holes.emplace_back();
      for (const int w : loops_[k]) {
        loop.push_back(at(begin(w)));
        known[{begin(w), end(w)}] = w;
      }
    }
    // lines along which an outline leaves a corner make cells that fold
    auto cut = greedy_triangles(polygon, [&](int a, int b) { return parts(a, b) && parts(b, a); });
    if (!cut) cut = triangulate(polygon);
    for (const auto& t : *cut) {
      Triangle out{};
      for (std::size_t i = 0; i < 3; ++i) {
        const int a = t[i], b = t[(i + 1) % 3];
        if (a == b) return false;
        if (const auto one = known.find({a, b}); one != known.end()) {
          out[i] = one->second;
        } else {
          out[i] = add_line(a, b);
          known[{a, b}] = out[i];
          known[{b, a}] = -out[i];
        }
      }
      if (!(area(t[0], t[1], t[2]) > 0.0)) return false;
      triangles_.push_back(out);
    }
    return true;
  }
  double area(int a, int b, int c) const { return cross(at(b) - at(a), at(c) - at(a)); }
  /// The line to `to` leaves both sides of the outline at a corner by no small angle.
  bool parts(int corner, int to) const {
    const Vec2 away = at(to) - at(corner);
    const auto angle = [&](const Vec2& side) {
      return std::fabs(std::atan2(cross(side, away), side.dot(away)));
    };
    const auto& [in, out] = sides_[static_cast<std::size_t>(corner)];
    return angle(leaving(out)) >= kLeastCorner && angle(-arriving(in)) >= kLeastCorner;
  }

  /// The two triangles at each inner way.
  std::map<int, std::vector<std::size_t>> neighbours() const {
    std::map<int, std::vector<std::size_t>> out;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (const int w : triangles_[t])
        if (!way(w).outline) out[std::abs(w)].push_back(t);
    return out;
  }
  /// The triangle's ways, begun with the given one.
  Triangle from_way(std::size_t t, int number) const {
    Triangle out = triangles_[t];
    while (std::abs(out[0]) != number) std::rotate(out.begin(), out.begin() + 1, out.end());
    return out;
  }

  /// Delaunay: flips lines inside while the two angles that face one add up to more than pi.
  void improve() {
    for (std::size_t round = 0; round < 8 * triangles_.size(); ++round) {
      bool flipped = false;
      for (const auto& [number, pair] : neighbours()) {
        if (pair.size() == 2 && flip(number, pair[0], pair[1])) {
          flipped = true;
          break;
        }
      }
      if (!flipped) return;
    }
  }
  bool flip(int number, std::size_t one, std::size_t two) {
    const Triangle p = from_way(one, number), q = from_way(two, number);
    const int a = begin(p[0]), b = end(p[0]), c = end(p[1]), d = end(q[1]);
    const auto facing = [&](int top) { return angle_between(at(a) - at(top), at(b) - at(top)); };
    const auto facing_back = [&](int top) {
      return angle_between(at(b) - at(top), at(a) - at(top));
    };
    constexpr double kGain = 1e-9;
    if (facing(c) + facing_back(d) <= kPi + kGain) return false;
    if (!(area(d, c, a) > 0.0 && area(c, d, b) > 0.0)) return false;
    if (parts(a, b) && parts(b, a) && !(parts(c, d) && parts(d, c))) return false;
    ways_[static_cast<std::size_t>(number - 1)] = {
        c, d,
        FlatCurve::line(corners_[static_cast<std::size_t>(c)],
                        corners_[static_cast<std::size_t>(d)]),
        false};
    // p = (a b c), q = (b a d): now (d b c) and (c a d)
    triangles_[one] = {q[2], p[1], number};
    triangles_[two] = {p[2], q[1], -number};
    return true;
  }

  double widest(const Triangle& t) const {
    double out = 0.0;
    for (std::size_t i = 0; i < 3; ++i) out = std::max(out, corner_angle(t[(i + 2) % 3], t[i]));
    return out;
  }

  /// What is left of the pairing: three cells, or nine where a corner is too wide for a cell.
  void add_left(const Triangle& t) {
    if (widest(t) <= kMostCorner) {
      add_three(t);
      return;
    }
    const int middle = add_corner(middle_of(t));
    std::array<int, 3> spokes{};
    for (std::size_t i = 0; i < 3; ++i) spokes[i] = add_line(begin(t[i]), middle);
    for (std::size_t i = 0; i < 3; ++i) add_three({t[i], spokes[(i + 1) % 3], -spokes[i]});
  }
  /// Of its corners and of the middles of its sides, so that bent sides count.
  Vec2 middle_of(const Triangle& t) const {
    Vec2 sum = Vec2::Zero();
    for (const int w : t) sum += curve(w).point(0.0) + curve(w).point(0.5);
    return sum / 6.0;
  }

  /// How square the four corners are: the least distance of one from 0 and pi.
  double quality(const std::array<int, 4>& cell) const {
    double least = kPi;
    for (std::size_t i = 0; i < 4; ++i) {
      const double angle = corner_angle(cell[(i + 3) % 4], cell[i]);
      if (angle < kLeastCorner || angle > kMostCorner) return 0.0;
      least = std::min({least, angle, kPi - angle});
    }
    return least;
  }

  /// Pairs of triangles become cells, the squarest first; each that is left becomes three.
  void merge() {
    struct Choice {
      double quality;
      std::array<int, 4> cell;
      std::size_t one, two;
    };
    std::vector<Choice> choices;
    for (const auto& [number, pair] : neighbours()) {
      if (pair.size() != 2) continue;
      const Triangle p = from_way(pair[0], number), q = from_way(pair[1], number);
      const std::array<int, 4> cell{p[1], p[2], q[1], q[2]};
      if (const double good = quality(cell); good > 0.0)
        choices.push_back({good, cell, pair[0], pair[1]});
    }
    std::stable_sort(choices.begin(), choices.end(),
                     [](const Choice& a, const Choice& b) { return a.quality > b.quality; });
    std::vector<bool> gone(triangles_.size(), false);
    for (const Choice& c : choices) {
      if (gone[c.one] || gone[c.two]) continue;
      gone[c.one] = gone[c.two] = true;
      add_cell(c.cell);
    }
    for (std::size_t t = 0; t < gone.size(); ++t)
      if (!gone[t]) add_left(triangles_[t]);
  }

  void add_three(const Triangle& t) {
    const Vec2 middle = middle_of(t);
    std::array<Vec2, 3> half;
    for (std::size_t i = 0; i < 3; ++i) half[i] = curve(t[i]).point(0.5);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t before = (i + 2) % 3;
      // from the middle of the side before, around the corner, to the middle of this side
      cells_.push_back({curve(t[i]).part(0.0, 0.5), FlatCurve::line(half[i], middle),
                        FlatCurve::line(half[before], middle), curve(t[before]).part(1.0, 0.5)});
    }
  }
  void add_cell(const std::array<int, 4>& w) {
    cells_.push_back({curve(w[0]), curve(w[1]), curve(w[2]).reversed(), curve(w[3]).reversed()});
  }

  std::optional<std::vector<FlatCell>> checked() const {
    for (const FlatCell& cell : cells_)
      if (!cell.regular(kFoldBudget)) return std::nullopt;
    return cells_;
  }

  Vec2 scale_;
  double most_turn_, longest_;
  bool bad_ = false;
  std::vector<Vec2> corners_;
  std::vector<Way> ways_;
  std::vector<std::vector<int>> loops_;
  std::vector<std::array<int, 2>> sides_;  // of the outline at each corner: ways in and out
  std::vector<Triangle> triangles_;
  std::vector<FlatCell> cells_;
};

/// Pieces without length go, and straight ones that follow each other in one line become one.
std::vector<FlatCurve> tidy(const std::vector<FlatCurve>& loop, const Vec2& scale) {
  double extent = 0.0;
  for (const FlatCurve& c : loop)
    extent = std::max(extent, (c.point(0.5) - loop[0].begin()).cwiseProduct(scale).norm() +
                                  (c.end() - c.begin()).cwiseProduct(scale).norm());
  std::vector<FlatCurve> out;
  for (const FlatCurve& c : loop) {
    const double length = (c.point(0.5) - c.begin()).cwiseProduct(scale).norm() +
                          (c.end() - c.point(0.5)).cwiseProduct(scale).norm();
    if (!(length > kNothing * extent)) continue;
    if (!out.empty() && out.back().straight() && c.straight()) {
      const Vec2 a = (out.back().end() - out.back().begin()).cwiseProduct(scale);
      const Vec2 b = (c.end() - c.begin()).cwiseProduct(scale);
      const bool in_line =
          a.dot(b) > 0.0 && std::fabs(cross(a, b)) <= kInLine * a.norm() * b.norm();
      if (in_line) {
        out.back() = FlatCurve::line(out.back().begin(), c.end());
        continue;
      }
    }
    out.push_back(c);
  }
  return out;
}

}  // namespace

std::optional<std::vector<FlatCell>> cut_into_cells(const FlatRegion& region, const Vec2& scale) {
  FlatRegion neat;
  double longest = 0.0;
  for (const auto& loop : region.loops) {
    neat.loops.push_back(tidy(loop, scale));
    if (neat.loops.back().empty()) return std::nullopt;
    for (const FlatCurve& c : neat.loops.back())
      longest = std::max(longest, (c.end() - c.begin()).cwiseProduct(scale).norm());
  }
  // straight sides are cut before curved ones are cut finer: few long ones let no line leave a hole
  // but along its side
  for (double most_turn = kMostTurn; most_turn > kMostTurn * kFinestTurn; most_turn *= 0.5)
    for (const double share : kLongest)
      if (auto cells = Cutting(neat, scale, most_turn, share * longest).run()) return cells;
  return std::nullopt;
}

}  // namespace repose::shape
