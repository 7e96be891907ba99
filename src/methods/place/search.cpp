#include "search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>

#include "crossings.h"
#include "separate.h"
#include "valley.h"

namespace repose::place {
namespace {

/// Patches whose normals agree this well face the same way: they cannot touch there. Cosine.
constexpr double kSameWay = 0.6;
/// Rows of the same features are alike only if their normals are; rows of others at one place only
/// if their normals are the same: two faces of a valley bear both. Cosine.
constexpr double kAlikeNormals = 0.995, kSameNormals = 1.0 - 1e-10;
/// Cells follow this many times the radius of curvature where it is small, and are no finer than
/// this share of the usual.
constexpr double kThin = 4.0, kFinest = 0.02;
/// Pairs nearer than this over the smaller body's radius are near.
constexpr double kNear = 0.03;
/// Longest cells against their width.
constexpr double kAspect = 4.0;
/// A search that would end this near to a row farther than asked for, over the length at which rows
/// are one, ends there; rows nearer are each sought to their own end, for they bear.
constexpr double kKnown = 0.25;
/// Samples nearer than this many cell lengths are neighbours along a valley.
constexpr double kNeighbour = 1.5;
/// Contacts nearer than this over the cell length touch, as far as satellites care; where those
/// lie, over the same length, and how many in each ring.
constexpr double kTouching = 0.01;
constexpr std::array<double, 3> kSatellites{0.03, 0.1, 0.3};
constexpr int kSatellitesAround = 8;

/// Triangles larger than this many times a cell: the cell's middle is over them as often as not.
constexpr double kLargeTriangle = 2.0;

struct CellPair {
  int p = -1, q = -1;
};

struct Found {
  int cell_p = -1, feature_q = -1, cell_q = -1;
  double lower = 0.0;
  bool front = true;  // the middle of p's cell is before q's
};

/// What cells must be to start from: `share` of chord and length; by what is proven of their bulge
/// or by what it is at the middle.
struct Fineness {
  double share = 1.0;
  bool proven = false;
};

bool fine(const Cell& c, const Fineness& wanted, const SearchSettings& settings) {
  if (c.feature < 0) return false;
  if (c.triangle) return true;
  const bool proven = wanted.proven;
  return ((proven ? c.bulge : c.chord) <= wanted.share * settings.chord &&
          c.radius <= wanted.share * settings.longest) ||
         c.whole;
}

/// Smallest radius of curvature at the cell's middle, m; at most `otherwise`.
double bending_radius(const Cell& c, double otherwise) {
  return c.bent * otherwise > 1.0 ? 1.0 / c.bent : otherwise;
}

/// What a pair of cells must be to start from. Thin parts want finer cells, on both bodies, where
/// these are near: a rod on a rim.
struct PairFineness {
  PairFineness(const Cell& p, const Cell& q, double lower, const SearchSettings& s)
      : near(lower <= kNear * s.length) {
    const double least = std::min(bending_radius(p, s.length), bending_radius(q, s.length));
    const double size = kThin * least / s.length;
    share = std::clamp(std::max(lower / s.longest, size), kFinest, 1.0);
    thin = size < 1.0;
  }

  /// For one of them: thin parts, pieces that nothing but a box holds, and near the other body all
  /// whose middle does not speak for the rest by what is proven.
  Fineness of(const Cell& as_made, const Cell& tight) const {
    return {share, thin || tight.boxed || (near && as_made.boxed)};
  }

  double share = 1.0;
  bool thin = false, near = false;
};

/// Pairs of fine cells nearer than asked for. `needless(i, j, lower)` tells of a fine cell of p and
/// a cell of q at least so far from it that no pair of the two is asked for.
template <class Needless, class Take>
void near_cells(Surface& p, int root_p, Surface& q, int root_q, const Mat3& turn, const Vec3& shift,
                const SearchSettings& settings, Needless needless, Take take) {
  std::vector<CellPair> stack{{root_p, root_q}};
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    p.tighten(i);
    q.tighten(j);
    const Cell &cp = p.tight(i), &cq = q.tight(j);
    const Vec3 apart = turn * cp.center + shift - cq.center;
    const double within = settings.within + cp.radius + cq.radius;
    if (apart.squaredNorm() > within * within) continue;
    const CellGap gap = cell_gap(cp, cq, turn, apart, settings.within);
    if (gap.lower > settings.within) continue;
    const PairFineness wanted(cp, cq, gap.lower, settings);
    const bool fine_p = fine(cp, wanted.of(p.cell(i), cp), settings);
    const bool fine_q = fine(cq, wanted.of(q.cell(j), cq), settings);
    if (fine_p && needless(i, j, gap.lower)) continue;
    if (fine_p && fine_q) {
      take(i, j, gap.lower);
    } else if (!fine_p && (fine_q || cp.radius >= cq.radius)) {
      const int first = p.split(i, turn.transpose() * gap.direction, kAspect);
      stack.push_back({first + 1, j});
      stack.push_back({first, j});
    } else {
      const Vec3 at = cq.center + apart;  // p's middle
      const int first = q.split(j, gap.direction, kAspect);
      // the nearer half first
      const int near =
          (q.cell(first).center - at).squaredNorm() <= (q.cell(first + 1).center - at).squaredNorm()
              ? 0
              : 1;
      stack.push_back({i, first + 1 - near});
      stack.push_back({i, first + near});
    }
  }
}

/// Fine cells of p nearer than asked for to q's half space z <= 0.
template <class Take>
void cells_near_plane(Surface& p, const Mat3& turn, const Vec3& shift,
                      const SearchSettings& settings, Take take) {
  const Vec3 down = turn.transpose() * Vec3(0.0, 0.0, -1.0);
  std::vector<int> stack{p.points()};
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    const Cell& c = p.cell(i);
    const double height = (turn * c.center + shift).z();
    const double lower = height - reach_along(c, down);
    if (lower > settings.within) continue;
    if (fine(c, {}, settings)) {
      if (c.normal.dot(down) > -kSameWay) take(i, lower);
      continue;
    }
    const int first = p.split(i, down, kAspect);
    stack.push_back(first + 1);
    stack.push_back(first);
  }
}

bool inside(const shape::UvBox& box, const Vec2& uv) {
  return box.u0 <= uv.x() && uv.x() <= box.u1 && box.v0 <= uv.y() && uv.y() <= box.v1;
}

/// A row of the other way round (points of q against p) already stands for this pair of cells.
bool explained(const std::vector<Row>& rows, const Seed& seed, const Cell& cp, const Cell& cq) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& r) {
    return r.at.p == seed.q && r.at.q == seed.p && r.at.feature_p == seed.feature_q &&
           r.at.feature_q == seed.feature_p && inside(cp.box, r.at.uv_q) &&
           inside(cq.box, r.at.uv_p);
  });
}

bool in_reach(const std::optional<Row>& row, const SearchSettings& s) {
  return row && row->gap <= s.within && row->gap >= s.least_gap;
}

/// The place of p's cell that is nearest to a triangle of q, in shares of the cell's half lengths:
/// a triangle may be smaller than the cell. By turns from one to the other.
Vec2 nearest_to_triangle(const Posed& p, const Cell& cp, const Posed& q, const Cell& triangle) {
  constexpr int kTurns = 4;
  const Mat3 turn = q.rotation.transpose() * p.rotation;
  const Vec3 g0 = turn * cp.g0, g1 = turn * cp.g1;
  const Vec3 middle = q.to_body(p.to_world(cp.center)) - triangle.center;
  const double g00 = g0.squaredNorm(), g11 = g1.squaredNorm();
  Vec3 at = middle;
  Vec2 out = Vec2::Zero();
  for (int k = 0; k < kTurns; ++k) {
    const Vec3 to = at - way_from(triangle, at) - middle;
    if (g00 > 0.0) out.x() = std::clamp((to - out.y() * g1).dot(g0) / g00, -1.0, 1.0);
    if (g11 > 0.0) out.y() = std::clamp((to - out.x() * g0).dot(g1) / g11, -1.0, 1.0);
    at = middle + out.x() * g0 + out.y() * g1;
  }
  return out;
}

/// Where a search of p's cell against q's begins: in the cell's middle, or over a triangle that is
/// no larger than the cell.
Seed start_of(int ip, const Posed& p, int cell_p, int iq, const Posed& q, int cell_q) {
  const Surface &sp = *p.surface, &sq = *q.surface;
  Seed seed = seed_of(ip, sp, cell_p, iq, sq, cell_q);
  if (cell_q < 0 || !sq.cell(cell_q).triangle || sp.feature(seed.feature_p).freedoms() == 0)
    return seed;
  const Cell& cp = sp.cell(cell_p);
  if (sq.cell(cell_q).radius > kLargeTriangle * cp.radius) return seed;
  const Vec2 share = nearest_to_triangle(p, cp, q, sq.cell(cell_q));
  seed.uv_p += 0.5 * share.cwiseProduct(Vec2(cp.box.u1 - cp.box.u0, cp.box.v1 - cp.box.v0));
  return seed;
}

/// The valley of a pair of cells, where it has one; what is farther goes to `beyond`.
void take_cells(int ip, const Posed& p, int cell_p, int iq, const Posed& q, int cell_q,
                const SearchSettings& s, std::vector<Row>& rows, std::vector<Row>& beyond) {
  const Surface &sp = *p.surface, &sq = *q.surface;
  Seed seed = start_of(ip, p, cell_p, iq, q, cell_q);
  const bool at_middle = seed.uv_p == sp.cell(cell_p).box.center();
  const bool edges = sq.feature(seed.feature_q).kind == FeatureKind::curve;
  seed.samples = sp.feature(seed.feature_p).freedoms() > 0 && !edges;
  const Known known{beyond,
                    rows,
                    kKnown * s.merge,
                    kAlikeNormals,
                    at_middle ? sp.jet(sp.cell(cell_p)) : nullptr,
                    cell_q < 0 ? nullptr : sq.jet(sq.cell(cell_q)),
                    s.within};
  Descent end = descend(p, q, seed, s.valley, known);
  if (end.met) return;
  if (!end.row && !end.no_foot && seed.samples) {
    seed.samples = false;
    end = descend(p, q, seed, s.valley, known);
  }
  if (end.row) add_row(*end.row, s, in_reach(end.row, s) ? rows : beyond);
}

/// Around a contact so flat that its point wanders far at the least turn: points about it, which
/// stay where they are on p.
void add_satellites(const Posed& p, const Posed& q, const Row& row, const SearchSettings& s,
                    std::vector<Row>& rows) {
  const Feature& fp = p.surface->feature(row.at.feature_p);
  if (fp.freedoms() < 2) return;
  const Valley valley = valley_at(p, q, row.at, row.jets.of_p(), {row.jets.of_q()});
  if (!valley.foot.valid || !(valley.metric.determinant() > 0.0)) return;
  const Principal principals = principal(valley);
  if (principals.bending[0] > s.valley.stiff) return;
  SearchSettings apart = s;
  apart.merge = s.duplicate;
  for (const double radius : kSatellites)
    for (int k = 0; k < kSatellitesAround; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / kSatellitesAround;
      const Vec2 way =
          std::cos(angle) * principals.direction[0] + std::sin(angle) * principals.direction[1];
      Seed seed = row.at;
      seed.uv_p = into_domain(fp, row.at.uv_p + radius * s.longest * way);
      seed.samples = true;
      const auto near = descend(p, q, seed, s.valley);
      if (in_reach(near, s)) add_row(*near, apart, rows);
    }
}

/// From samples that are lowest among their neighbours on along the valley, to its lowest place.
void sink_samples(const Posed& p, const Posed& q, const std::vector<Row>& samples,
                  const SearchSettings& s, std::vector<Row>& rows) {
  for (const Row& row : samples) {
    if (!row.at.samples) continue;
    const bool lowest = std::none_of(samples.begin(), samples.end(), [&](const Row& other) {
      return other.gap < row.gap && other.at.feature_p == row.at.feature_p &&
             other.at.feature_q == row.at.feature_q &&
             (other.point - row.point).norm() < kNeighbour * s.longest;
    });
    if (!lowest) continue;
    Row further = row;
    further.at.samples = false;
    const auto sunk = follow(p, q, further, s.valley);
    if (!in_reach(sunk, s)) continue;
    add_row(*sunk, s, rows);
    if (sunk->gap <= kTouching * s.longest) add_satellites(p, q, *sunk, s, rows);
  }
}

/// How near the nearest cell found of each feature of q is to each cell of p.
class Nearest {
 public:
  void add(int cell_p, int feature_q, double lower) {
    const auto [at, fresh] = lower_.try_emplace(key(cell_p, feature_q), lower);
    if (!fresh) at->second = std::min(at->second, lower);
  }
  /// One is found that is nearer.
  bool known(int cell_p, int feature_q, double lower) const {
    if (feature_q < 0) return false;
    const auto at = lower_.find(key(cell_p, feature_q));
    return at != lower_.end() && at->second < lower;
  }

 private:
  static std::uint64_t key(int cell_p, int feature_q) {
    return static_cast<std::uint64_t>(cell_p) << 32 | static_cast<std::uint32_t>(feature_q);
  }
  std::unordered_map<std::uint64_t, double> lower_;
};

/// Of both cells along the normal of q's, m: a cell of p that is farther behind is behind all of
/// it.
double thickness(const Cell& p, const Cell& q, const Mat3& turn) {
  return reach_along(q, q.normal) + reach_along(p, turn.transpose() * q.normal);
}

/// Cells of p with the cells of q that they are nearest to, nearest first.
std::vector<Found> cells_against(const Posed& p, const Posed& q, const SearchSettings& s) {
  Surface &sp = *p.surface, &sq = *q.surface;
  const Mat3 turn = q.rotation.transpose() * p.rotation;
  const Vec3 shift = q.rotation.transpose() * (p.position - q.position);
  std::vector<Found> found;
  if (sq.half_space()) {
    cells_near_plane(sp, turn, shift, s, [&](int i, double lower) {
      found.push_back({i, 0, -1, lower});
    });
  } else if (sq.faces() >= 0) {
    Nearest nearest;
    const auto farther = [&](int i, int j, double lower) {
      return nearest.known(i, sq.cell(j).feature, lower);
    };
    near_cells(sp, sp.points(), sq, sq.faces(), turn, shift, s, farther,
               [&](int i, int j, double lower) {
                 const Cell &cp = sp.tight(i), &cq = sq.tight(j);
                 if ((turn * cp.normal).dot(cq.normal) > kSameWay) return;
                 const Vec3 apart = turn * cp.center + shift - cq.center;
                 const double before = cq.normal.dot(apart);
                 if (before + thickness(cp, cq, turn) < s.least_gap) return;
                 if (before >= 0.0) nearest.add(i, cq.feature, lower);
                 found.push_back({i, cq.feature, j, lower, before >= 0.0});
               });
  }
  // of one cell of p against one feature of q only the nearest pair, nearest first; one feature may
  // be both sides of a wall, and the far one is no nearer for being loosely held
  std::sort(found.begin(), found.end(), [](const Found& l, const Found& r) {
    return std::tie(l.cell_p, l.feature_q, l.front, l.lower, l.cell_q) <
           std::tie(r.cell_p, r.feature_q, r.front, r.lower, r.cell_q);
  });
  const auto last = std::unique(found.begin(), found.end(), [](const Found& l, const Found& r) {
    return l.cell_p == r.cell_p && l.feature_q == r.feature_q && l.front == r.front;
  });
  found.erase(last, found.end());
  std::sort(found.begin(), found.end(), [](const Found& l, const Found& r) {
    return std::tie(l.lower, l.cell_p, l.feature_q, l.front) <
           std::tie(r.lower, r.cell_p, r.feature_q, r.front);
  });
  return found;
}

/// Points of p against the faces of q.
void points_against(int ip, const Posed& p, int iq, const Posed& q, const SearchSettings& s,
                    std::vector<Row>& rows) {
  Surface &sp = *p.surface, &sq = *q.surface;
  if (sp.points() < 0) return;
  std::vector<Row> samples, beyond;
  for (const Found& f : cells_against(p, q, s)) {
    const Seed seed = seed_of(ip, sp, f.cell_p, iq, sq, f.cell_q);
    if (f.cell_q >= 0 && explained(rows, seed, sp.cell(f.cell_p), sq.cell(f.cell_q))) continue;
    take_cells(ip, p, f.cell_p, iq, q, f.cell_q, s, samples, beyond);
  }
  sink_samples(p, q, samples, s, rows);
  for (const Row& row : samples) add_row(row, s, rows);
}

/// A row at one place with one normal is in the list.
bool known(const Row& row, const SearchSettings& s, const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& other) {
    if (std::minmax(other.at.p, other.at.q) != std::minmax(row.at.p, row.at.q)) return false;
    const double sign = other.at.p == row.at.p ? 1.0 : -1.0;
    return sign * other.normal.dot(row.normal) >= kAlikeNormals &&
           (other.point - row.point).norm() <= s.merge;
  });
}

/// Lowest points of p over q, from finer cells: those that the usual ones have missed.
void finer_against(int ip, const Posed& p, int iq, const Posed& q, SearchSettings s,
                   std::vector<Row>& rows) {
  if (s.finer <= 0.0 || p.surface->points() < 0) return;
  s.longest = s.finer;
  for (const Found& f : cells_against(p, q, s)) {
    const Seed seed = seed_of(ip, *p.surface, f.cell_p, iq, *q.surface, f.cell_q);
    const auto row = descend(p, q, seed, s.valley);
    if (in_reach(row, s) && !known(*row, s, rows)) add_row(*row, s, rows);
  }
}

/// Corners of p against the sharp edges of q.
void corners_against(int ip, const Posed& p, int iq, const Posed& q, const SearchSettings& s,
                     std::vector<Row>& rows) {
  Surface &sp = *p.surface, &sq = *q.surface;
  if (sp.corners() < 0 || sq.edges() < 0) return;
  const Mat3 turn = q.rotation.transpose() * p.rotation;
  const Vec3 shift = q.rotation.transpose() * (p.position - q.position);
  std::vector<CellPair> found;
  near_cells(
      sp, sp.corners(), sq, sq.edges(), turn, shift, s, [](int, int, double) { return false; },
      [&](int i, int j, double) {
        found.push_back({i, j});
      });
  std::vector<Row> beside, beyond;
  for (const auto& [i, j] : found) take_cells(ip, p, i, iq, q, j, s, beside, beyond);
  for (const Row& row : beside)
    if (!edges_bear(p, row, rows)) add_row(row, s, rows);
}

void edges_against(int ip, const Posed& p, int iq, const Posed& q, const SearchSettings& s,
                   std::vector<Row>& rows) {
  Surface &sp = *p.surface, &sq = *q.surface;
  if (sp.edges() < 0 || sq.edges() < 0) return;
  const Mat3 turn = q.rotation.transpose() * p.rotation;
  const Vec3 shift = q.rotation.transpose() * (p.position - q.position);
  std::vector<CellPair> found;
  near_cells(
      sp, sp.edges(), sq, sq.edges(), turn, shift, s, [](int, int, double) { return false; },
      [&](int i, int j, double) {
        found.push_back({i, j});
      });
  SearchSettings far = s;
  far.valley.beyond = s.valley.rising;
  std::vector<Row> crossings, beyond;
  for (const auto& [i, j] : found) take_cells(ip, p, i, iq, q, j, far, crossings, beyond);
  for (const Row& row : bearing_crossings(p, q, crossings, s.valley)) add_row(row, s, rows);
}

}  // namespace

CellGap cell_gap(const Cell& p, const Cell& q, const Mat3& turn, const Vec3& apart, double enough) {
  CellGap best{-std::numeric_limits<double>::infinity(), Vec3::UnitZ()};
  // n in the frame of q, towards p; `back` is -n in that of p
  const auto attempt = [&](const Vec3& n, const Vec3& back) {
    const double lower = n.dot(apart) - reach_along(q, n) - reach_along(p, back);
    if (lower > best.lower) best = {lower, n};
    return best.lower > enough;
  };
  const double length = apart.norm();
  const Vec3 way = length > 0.0 ? Vec3(apart / length) : Vec3(Vec3::UnitZ());
  if (attempt(way, turn.transpose() * -way)) return best;
  if (q.feature >= 0 && q.normal != Vec3::Zero() && attempt(q.normal, turn.transpose() * -q.normal))
    return best;
  if (p.feature >= 0 && p.normal != Vec3::Zero()) attempt(turn * -p.normal, p.normal);
  return best;
}

Seed seed_of(int ip, const Surface& p, int cell_p, int iq, const Surface& q, int cell_q) {
  Seed seed;
  seed.p = ip;
  seed.q = iq;
  seed.feature_p = p.cell(cell_p).feature;
  seed.uv_p = p.cell(cell_p).box.center();
  seed.feature_q = cell_q >= 0 ? q.cell(cell_q).feature : 0;
  if (cell_q >= 0) seed.uv_q = q.cell(cell_q).box.center();
  return seed;
}

void add_row(const Row& row, const SearchSettings& s, std::vector<Row>& rows) {
  for (Row& other : rows) {
    const bool same_pair = (other.at.p == row.at.p && other.at.q == row.at.q) ||
                           (other.at.p == row.at.q && other.at.q == row.at.p);
    if (!same_pair) continue;
    const bool swapped = other.at.p == row.at.q;
    const double agree = other.normal.dot(row.normal) * (swapped ? -1.0 : 1.0);
    const bool same = !swapped && other.at.feature_p == row.at.feature_p &&
                      other.at.feature_q == row.at.feature_q;
    if (agree < (same ? kAlikeNormals : kSameNormals)) continue;
    const double apart = (other.point - row.point).norm();
    if (apart > (same ? s.merge : s.duplicate)) continue;
    if (row.gap < other.gap) other = row;
    return;
  }
  rows.push_back(row);
}

void find_rows(int ip, const Posed& p, int iq, const Posed& q, const SearchSettings& s,
               std::vector<Row>& rows) {
  points_against(ip, p, iq, q, s, rows);
  points_against(iq, q, ip, p, s, rows);
  edges_against(ip, p, iq, q, s, rows);
  corners_against(ip, p, iq, q, s, rows);
  corners_against(iq, q, ip, p, s, rows);
  finer_against(ip, p, iq, q, s, rows);
  finer_against(iq, q, ip, p, s, rows);
}

}  // namespace repose::place
