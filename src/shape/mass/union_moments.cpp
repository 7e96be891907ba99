#include "shape/mass/union_moments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "repose/base/work.h"

#include "shape/enclose/part_gap.h"
#include "shape/mass/cut_cell.h"

namespace repose::shape {
namespace {

/// Chord of the meshes that steer the gap search. Fraction of a part's least extent.
constexpr double kChord = 2e-2;
/// Refinement ends at this estimated error, relative to powers of the size, or with that many cut
/// cells.
constexpr double kTolerance = 3e-6;
constexpr int kMaxCutCells = 4000;
/// A cell is looked at on a grid of that many points each way.
constexpr int kGrid = 5;
static_assert(kGrid % 2 == 1, "a quarter's corners lie on the grid of the cell it is cut from");
/// A cell is cut by a simple curve if the dip of its gap is at most this part of its range.
constexpr double kBent = 0.125;
/// Share of a cell that a bent curve along the lines may hide, for each unit of its bend.
constexpr double kBulge = 0.1;
/// Parts that may poke through a cell by less than this are let go. Fraction of the size.
constexpr double kIsland = 1e-3;
constexpr int kMaxDepth = 20;
/// So many parts are looked at by their boxes for one unit of work.
constexpr std::size_t kCheapParts = 32;
/// Clear cells are halved until their halves agree with them to this, relative to powers of the
/// size, or up to that many times in all.
constexpr double kClearTolerance = 1e-12;
constexpr int kMaxClearDepth = 14;
constexpr double kFar = std::numeric_limits<double>::infinity();
/// Surfaces nearer than this count as coincident. Fraction of the size.
constexpr double kCoincident = 1e-9;

struct PartTest {
  PartGap gap;
  Vec3 low, high;  // box around the part
};

struct Scene {
  const Solid& solid;
  std::vector<PartTest> parts;
  Vec3 reference;
  double size;
};

/// Indices of the parts whose surfaces may pass through a cell; all others are outside of it.
using Cutters = std::vector<int>;

/// Gaps to a part over the grid of a cell; not a number where nobody has looked.
using Grid = std::array<std::array<double, kGrid>, kGrid>;

Grid unknown_grid() {
  Grid out;
  for (auto& line : out) line.fill(std::numeric_limits<double>::quiet_NaN());
  return out;
}

/// A cell that other parts cut, with what its own lines say.
struct CutCell {
  int part = 0;
  const Face* face = nullptr;
  UvBox box;
  int depth = 0;
  Cutters cutters;
  std::vector<Grid> gaps;  // of each cutter, as far as they are known
  double reach = 0.0;      // m, radius of a ball around it
  double bend = 0.0;       // worst dip of a cutter's gap over its range
  Moments moments;
  double error = 0.0;  // estimated, relative to powers of the size; infinite: not known yet
};

struct WorstFirst {
  bool operator()(const CutCell& a, const CutCell& b) const { return a.error < b.error; }
};

struct Sum {
  Moments moments;           // of clear cells
  double error = 0.0;        // of clear cells
  std::vector<int> hints;    // for each part, where the last point near it was
  std::vector<CutCell> cut;  // a heap, the worst first

  void add_cut(CutCell cell) {
    cut.push_back(std::move(cell));
    std::push_heap(cut.begin(), cut.end(), WorstFirst());
  }
  CutCell take_worst() {
    std::pop_heap(cut.begin(), cut.end(), WorstFirst());
    CutCell out = std::move(cut.back());
    cut.pop_back();
    return out;
  }
};

/// A cell's face as the other parts cut it.
class CutByParts final : public Cutting {
 public:
  CutByParts(const Scene& scene, const CutCell& cell)
      : scene_(scene), cell_(cell), places_(cell.cutters.size()) {}

  int cutters() const override { return static_cast<int>(cell_.cutters.size()); }
  double gap(int cutter, double u, double v) override {
    // a cell that is not bent sees one sheet of each cutter
    return scene_.parts[cell_.cutters[cutter]].gap.follow(cell_.face->patch->point(u, v),
                                                          &places_[cutter]);
  }
  /// Outside all other parts. Where another part's surface coincides, only the first of two alike
  /// ones belongs to the union's, and none of two that face each other.
  bool left(double u, double v) override {
    const double near = kCoincident * scene_.size;
    for (int k = 0; k < cutters(); ++k) {
      const double apart = gap(k, u, v);
      if (apart < -2.0 * near) return false;
      if (apart > 2.0 * near) continue;
      const int other = cell_.cutters[k];
      const PartGap& to = scene_.parts[other].gap;
      const Vec3 p = cell_.face->patch->point(u, v), n = cell_.face->normal(u, v);
      const double outer = to(p + near * n), inner = to(p - near * n);
      if (!(outer > 0.0 && (inner > 0.0 || cell_.part < other))) return false;
    }
    return true;
  }

 private:
  const Scene& scene_;
  const CutCell& cell_;
  std::vector<PartPlace> places_;  // for each cutter, where the last point was nearest
};

enum class Where { outside, inside, cut, unclear };

/// The gaps to one part over the grid of a cell, and how far the gap may dip below (or rise above)
/// them between its points: eight times what a parabola would, from its second differences.
struct GridGaps {
  Interval seen{kFar, -kFar};
  double dip = 0.0;
};

GridGaps gaps_over(const Scene& scene, const CutCell& cell, int part, Grid& gap, int* hint) {
  GridGaps out;
  for (int i = 0; i < kGrid; ++i)
    for (int j = 0; j < kGrid; ++j) {
      if (std::isnan(gap[i][j])) {
        const double u = cell.box.u0 + (cell.box.u1 - cell.box.u0) * i / (kGrid - 1);
        const double v = cell.box.v0 + (cell.box.v1 - cell.box.v0) * j / (kGrid - 1);
        spend_work(1);
        gap[i][j] = scene.parts[part].gap.exact_when_near(cell.face->patch->point(u, v), hint);
      }
      out.seen = {std::min(out.seen.lo, gap[i][j]), std::max(out.seen.hi, gap[i][j])};
    }
  for (int i = 0; i < kGrid; ++i)
    for (int j = 1; j + 1 < kGrid; ++j) {
      const double along = std::fabs(gap[i][j - 1] - 2.0 * gap[i][j] + gap[i][j + 1]);
      const double across = std::fabs(gap[j - 1][i] - 2.0 * gap[j][i] + gap[j + 1][i]);
      out.dip = std::max(out.dip, std::max(along, across));
    }
  return out;
}

/// Where a cell lies; its cutters, those of the cell around it, become its own. `unclear`: a part
/// was met on one side only, and may have an island between the grid's points.
Where classify(const Scene& scene, CutCell& cell, Sum& sum) {
  const PatchEnclosure e = cell.face->patch->enclose(cell.box);
  const Vec3 middle(e.s[0].mid(), e.s[1].mid(), e.s[2].mid());
  const double reach = cell.reach =
      0.5 * std::hypot(e.s[0].width(), std::hypot(e.s[1].width(), e.s[2].width()));
  spend_work(1 + cell.cutters.size() / kCheapParts);
  const bool coarse = reach > kIsland * scene.size && cell.depth < kMaxDepth;
  bool unclear = false;
  cell.bend = 0.0;
  cell.gaps.resize(cell.cutters.size(), unknown_grid());
  std::size_t left = 0;
  for (std::size_t k = 0; k < cell.cutters.size(); ++k) {
    const int j = cell.cutters[k];
    const PartTest& part = scene.parts[j];
    const Vec3 away = (part.low - middle).cwiseMax(middle - part.high).cwiseMax(0.0);
    if (away.squaredNorm() > reach * reach) continue;
    const double gap = part.gap.rough(middle), slack = reach + part.gap.rough_error();
    if (gap < -slack) return Where::inside;
    if (gap > slack) continue;
    const auto [seen, dip] = gaps_over(scene, cell, j, cell.gaps[k], &sum.hints[j]);
    const double least = std::max(seen.lo, -seen.hi);  // negative: met on both sides
    const double coincident = kCoincident * scene.size;
    if (least > coincident && (!coarse || least > dip)) {
      if (seen.hi < 0.0) return Where::inside;
      continue;
    }
    const double bend = seen.hi > seen.lo ? dip / (seen.hi - seen.lo) : 0.0;
    if (coarse && (least > coincident || (least < -coincident && bend > kBent))) unclear = true;
    if (least < -coincident) cell.bend = std::max(cell.bend, bend);
    cell.cutters[left] = j;
    cell.gaps[left++] = cell.gaps[k];
  }
  cell.cutters.resize(left);
  cell.gaps.resize(left);
  if (unclear) return Where::unclear;
  return cell.cutters.empty() ? Where::outside : Where::cut;
}

std::array<UvBox, 4> quarters_of(const UvBox& b) {
  const Vec2 c = b.center();
  return {UvBox{b.u0, c.x(), b.v0, c.y()}, UvBox{c.x(), b.u1, b.v0, c.y()},
          UvBox{b.u0, c.x(), c.y(), b.v1}, UvBox{c.x(), b.u1, c.y(), b.v1}};
}

void integrate_clear(const Scene& scene, const Face& face, const UvBox& box, const Moments& whole,
                     int depth, Sum& sum) {
  const HalvedMoments cell = halved(box, whole, scene.size, [&](const UvBox& half) {
    return whole_cell(face, half, scene.reference);
  });
  if (cell.error <= kClearTolerance || depth >= kMaxClearDepth) {
    sum.moments += cell.both;
    sum.error += cell.error;
    return;
  }
  for (int h = 0; h < 2; ++h)
    integrate_clear(scene, face, cell.boxes[h], cell.halves[h], depth + 1, sum);
}

void integrate_cut(const Scene& scene, CutCell& cell) {
  CutByParts cutting(scene, cell);
  const CutMoments by_lines = cut_cell(*cell.face, cell.box, scene.reference, cutting);
  cell.moments = by_lines.fine;
  cell.error = moment_distance(by_lines.fine, by_lines.rough, scene.size);
  // lines cannot run across all of several curves: where they run along one, its bulge may hide
  if (cell.cutters.size() > 1)
    cell.error += kBulge * cell.bend * cell.reach * cell.reach / (scene.size * scene.size);
}

/// Takes a cell into the sum: clear ones for good, cut ones as they are for now.
void take(const Scene& scene, CutCell cell, Sum& sum) {
  switch (classify(scene, cell, sum)) {
    case Where::inside:
      return;
    case Where::outside: {
      const Moments whole = whole_cell(*cell.face, cell.box, scene.reference);
      integrate_clear(scene, *cell.face, cell.box, whole, 2 * cell.depth, sum);
      return;
    }
    case Where::cut:
      integrate_cut(scene, cell);
      break;
    case Where::unclear:
      cell.error = kFar;
      break;
  }
  sum.add_cut(std::move(cell));
}

/// The gaps of quarter `q` of a cell that are known: its grid has every other point from the
/// cell's.
std::vector<Grid> quarter_gaps(const CutCell& cell, int q) {
  const int from_u = q % 2 * (kGrid / 2), from_v = q / 2 * (kGrid / 2);
  std::vector<Grid> out(cell.gaps.size(), unknown_grid());
  for (std::size_t k = 0; k < out.size(); ++k)
    for (int i = 0; i < kGrid; i += 2)
      for (int j = 0; j < kGrid; j += 2)
        out[k][i][j] = cell.gaps[k][from_u + i / 2][from_v + j / 2];
  return out;
}

void refine_worst(const Scene& scene, Sum& sum) {
  const CutCell cell = sum.take_worst();
  const auto quarters = quarters_of(cell.box);
  for (int q = 0; q < 4; ++q) {
    CutCell quarter;
    quarter.part = cell.part;
    quarter.face = cell.face;
    quarter.box = quarters[q];
    quarter.depth = cell.depth + 1;
    quarter.cutters = cell.cutters;
    quarter.gaps = quarter_gaps(cell, q);
    take(scene, std::move(quarter), sum);
  }
}

double total_error(const Sum& sum) {
  double error = sum.error;
  for (const CutCell& cell : sum.cut) error += cell.error;
  return error;
}

Scene scene_of(const Solid& solid, const Vec3& reference, double size) {
  Scene scene{solid, {}, reference, size};
  for (const Part& part : solid.parts) {
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    for (const Face& face : part.faces) {
      const PatchEnclosure e = face.patch->enclose(face.patch->domain());
      for (int k = 0; k < 3; ++k) {
        low[k] = std::min(low[k], e.s[k].lo);
        high[k] = std::max(high[k], e.s[k].hi);
      }
    }
    scene.parts.push_back({PartGap(part, kChord * (high - low).minCoeff()), low, high});
  }
  return scene;
}

}  // namespace

VolumeProperties union_properties(const Solid& solid, const Vec3& reference, double size) {
  const WorkStage stage("integrating the volume of the union of its parts");
  const Scene scene = scene_of(solid, reference, size);
  Sum sum;
  const int parts = static_cast<int>(solid.parts.size());
  sum.hints.assign(solid.parts.size(), -1);
  for (int p = 0; p < parts; ++p) {
    CutCell whole;
    whole.part = p;
    for (int j = 0; j < parts; ++j)
      if (j != p) whole.cutters.push_back(j);
    for (const Face& face : solid.parts[p].faces) {
      whole.face = &face;
      whole.box = face.patch->domain();
      take(scene, whole, sum);
    }
  }
  // the sum of all errors is looked at now and then: it costs a walk over all cells
  constexpr int kBetweenSums = 64;
  for (int count = 0; count < kMaxCutCells && !sum.cut.empty(); ++count) {
    const double worst = sum.cut.front().error;
    if (worst * static_cast<double>(sum.cut.size()) <= kTolerance) break;
    if (count % kBetweenSums == 0 && std::isfinite(worst) && total_error(sum) <= kTolerance) break;
    refine_worst(scene, sum);
  }
  double error = sum.error;
  while (!sum.cut.empty()) {
    CutCell cell = sum.take_worst();
    if (!std::isfinite(cell.error)) integrate_cut(scene, cell);
    sum.moments += cell.moments;
    error += cell.error;
  }
  VolumeProperties out = properties_from(sum.moments, reference);
  out.error = out.volume > 0.0 ? error * size * size * size / out.volume : 0.0;
  return out;
}

}  // namespace repose::shape
