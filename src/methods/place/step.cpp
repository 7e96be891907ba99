#include "step.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

#include "blocked_seeds.h"
#include "program.h"

namespace repose::place {
namespace {

/// Directions in which the gap bends by more than this over the smaller body's radius are slid
/// across at once; along softer ones rows are also kept as samples.
constexpr double kStiff = 0.15;
constexpr double kSoft = 1e-7, kFirm = 0.03;
/// Slides shorter than this over the radius end a search.
constexpr double kConverged = 1e-14;
/// Faces and edges bear this far beyond their borders, over the radius, where the surface rises
/// there: a step that goes over such a border knows what it will meet.
constexpr double kRising = 0.01;
/// Samples that are farther than the second share of the radius need no better place than the
/// first.
constexpr double kRough = 0.05, kRoughGap = 0.02, kWideSearch = 0.1;
/// Feet farther than this share of the radius need not be sharp.
constexpr double kFar = 1e-3;
/// Rows of the same features nearer than this over the radius are one; of any features.
constexpr double kMerge = 0.04, kDuplicate = 1e-6;
/// Rows are sought at least this far, and no farther than that, over the smaller radius.
constexpr double kLeastSearch = 0.03, kMostSearch = 0.35;
/// A point moves by no more than this many times the bound on the freedoms.
constexpr double kSearchOfStep = 2.0;
/// A pair with more touching samples than this touches along a curve; its proofs may cost this many
/// times as much.
constexpr int kCurveSamples = 6;
constexpr long kCurveBudget = 8;
/// A proof may cost as much again for every so many features of the two bodies: a mesh has no large
/// pieces to tell apart at once.
constexpr std::size_t kFeaturesOfBudget = 1000;
/// Pieces thinner than this share of the gap kept that are not apart block the way.
constexpr double kBlocked = 0.05;
constexpr int kRestoreSteps = 12;
/// Rows count as kept when they miss their gap by no more than this share of it.
constexpr double kKept = 0.02;
/// Overlap that a motion makes is no deeper than this many times what it closed along the normal,
/// and this share of its length.
constexpr double kDeeper = 1.5, kDeepest = 0.01;
/// Hints of one direction (cosine) nearer to each other than this over the radius are one.
constexpr double kSameHint = 1e-3, kSameWay = 0.99999;
/// Where a way is blocked rows are sought within this over the radius, and this many times the
/// smaller piece.
constexpr double kAroundBlock = 1e-3, kAroundCell = 2.0;
/// Restoring aims a little above the gap asked for.
constexpr double kAim = 0.01;

Vec3 middle_of(const Cell& c) {
  return c.triangle ? Vec3(c.center + (c.g0 + c.g1) / 3.0) : c.center;
}

double reach_of(const Arena& arena, int body) {
  const int slot = arena.slot[static_cast<std::size_t>(body)];
  return slot < 0 ? 0.0 : arena.active[static_cast<std::size_t>(slot)].reach;
}

/// The bodies' bounding balls are farther apart than `within`.
bool far_apart(const Arena& arena, const Places& places, const Pairing& pair, double within) {
  const Posed &p = places[static_cast<std::size_t>(pair.p)],
              &q = places[static_cast<std::size_t>(pair.q)];
  const Vec3 a = p.to_world(p.surface->bounding_center());
  const double radius = p.surface->bounding_radius();
  if (arena.surfaces[static_cast<std::size_t>(pair.q)]->half_space())
    return q.to_body(a).z() - radius > within;
  const Vec3 b = q.to_world(q.surface->bounding_center());
  return (a - b).norm() - radius - q.surface->bounding_radius() > within;
}

/// The motion cannot have made so deep a row: its point was behind the surface before (within a
/// wall's far side), and is no contact.
bool behind(const Row& row, const Places& from, const Places& to, double travelled) {
  if (row.gap >= 0.0) return false;
  const auto p = static_cast<std::size_t>(row.at.p), q = static_cast<std::size_t>(row.at.q);
  const Vec3 point = row.point - from[p].to_world(to[p].to_body(row.point));
  const Vec3 foot = row.foot - from[q].to_world(to[q].to_body(row.foot));
  const double closed = std::max(0.0, -row.normal.dot(point - foot));
  return -row.gap > kDeeper * closed + kDeepest * travelled;
}

/// Where the proof gave up: the rows that the search may have missed there.
std::vector<Seed> missed_seeds(const Pairing& pair, const Journey& p, const Journey& q,
                               const PassageReport& report) {
  const Surface &sp = *p.surface, &sq = *q.surface;
  const Posed at_p = p.at(report.time), at_q = q.at(report.time);
  const Cell& cp = sp.cell(report.cell_p);
  Vec3 at = at_p.to_world(middle_of(cp));
  double size = cp.radius;
  if (report.cell_q >= 0 && sq.cell(report.cell_q).radius < size) {
    const Cell& cq = sq.cell(report.cell_q);
    at = at_q.to_world(middle_of(cq));
    size = cq.radius;
  }
  const double near = std::max(kAroundBlock * pair.length, kAroundCell * size);
  return seeds_at(pair.p, at_p, pair.q, at_q, at, near);
}

Hint hint_of(const Pairing& pair, const Row& start, const Row& end) {
  const double sign = start.at.p == pair.p ? 1.0 : -1.0;
  return {0.5 * (start.point + end.point), sign * start.normal, sign * end.normal};
}

/// Adds a hint unless the list has one so near (m) that points the same way.
void add_hint(const Hint& hint, double near, std::vector<Hint>& hints) {
  const bool known = std::any_of(hints.begin(), hints.end(), [&](const Hint& h) {
    return (h.point - hint.point).squaredNorm() <= near * near &&
           h.start.dot(hint.start) >= kSameWay && h.end.dot(hint.end) >= kSameWay;
  });
  if (!known) hints.push_back(hint);
}

/// The place lies where the patch ends.
bool at_border(const Feature& f, const Vec2& uv) {
  const shape::UvBox& d = f.domain;
  return (!f.wrap_u && (uv.x() <= d.u0 || uv.x() >= d.u1)) ||
         (!f.wrap_v && (uv.y() <= d.v0 || uv.y() >= d.v1));
}

/// The row's point, on a slope of its own surface, would come down to the other body before it has
/// gone `near` (m): what touches there is a place of its own, an edge or a corner, along another
/// normal.
bool touches_beside(const Places& places, const Row& row, double near) {
  const Posed& p = places[static_cast<std::size_t>(row.at.p)];
  const Feature& f = p.surface->feature(row.at.feature_p);
  if (f.kind != FeatureKind::patch || row.gap < 0.0 || at_border(f, row.at.uv_p)) return false;
  const Vec3 own = p.rotation * normal_at(f, row.at.uv_p);
  return row.gap < near * own.cross(row.normal).norm();
}

}  // namespace

const char* to_text(Failure failure) {
  switch (failure) {
    case Failure::none:
      return "none";
    case Failure::restore:
      return "gaps not restored";
    case Failure::energy:
      return "energy would grow";
    case Failure::blocked:
      return "way not free";
    case Failure::budget:
      return "proof over budget";
  }
  return "none";
}

SearchSettings search_settings(const Arena& arena, const Pairing& pair, const PlaceSettings& s,
                               double within) {
  SearchSettings out;
  const double length = pair.length;
  out.valley.stiff = kStiff / length;
  out.valley.soft = kSoft / length;
  out.valley.firm = kFirm / length;
  out.valley.longest = s.search_longest * length;
  out.valley.converged = kConverged * length;
  out.valley.rising = kRising * length;
  out.valley.far = kFar * length;
  out.valley.rough = kRough * length;
  // only a wide search has samples to spare
  out.valley.rough_gap =
      within > kWideSearch * length ? kRoughGap * length : std::numeric_limits<double>::infinity();
  out.within = std::clamp(within, kLeastSearch * length, kMostSearch * length);
  out.chord = s.search_chord * length;
  out.longest = s.search_longest * length;
  if (arena.mesh_length < s.search_longest) out.finer = arena.mesh_length * length;
  out.length = length;
  out.merge = kMerge * length;
  out.duplicate = kDuplicate * length;
  return out;
}

std::vector<Row> gather_rows(const Arena& arena, const Places& places, const PlaceSettings& s,
                             double epsilon, std::span<const Seed> extra) {
  const StageScope timed("gather_rows");
  std::vector<Row> rows;
  for (const Pairing& pair : arena.pairs) {
    const double within =
        kSearchOfStep * epsilon * (reach_of(arena, pair.p) + reach_of(arena, pair.q));
    const SearchSettings search = search_settings(arena, pair, s, within);
    if (far_apart(arena, places, pair, search.within)) continue;
    find_rows(pair.p, places[static_cast<std::size_t>(pair.p)], pair.q,
              places[static_cast<std::size_t>(pair.q)], search, rows);
  }
  for (const Seed& seed : extra) {
    SearchSettings search = search_settings(arena, pairing_of(arena, seed), s, 0.0);
    const auto row = descend(places[static_cast<std::size_t>(seed.p)],
                             places[static_cast<std::size_t>(seed.q)], seed, search.valley);
    search.merge = search.duplicate;
    if (row && row->gap >= 0.0) add_row(*row, search, rows);
  }
  std::erase_if(rows, [&](const Row& row) {
    return touches_beside(places, row, kAroundBlock * pairing_of(arena, row.at).length);
  });
  return rows;
}

bool curve_contact(const Arena& arena, std::span<const Row> rows,
                   const std::vector<bool>& touching) {
  std::vector<int> samples(arena.pairs.size(), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Pairing& pair = pairing_of(arena, rows[i].at);
    if (!touching[i] || !rows[i].at.samples) continue;
    const Surface& q = *arena.surfaces[static_cast<std::size_t>(rows[i].at.q)];
    if (q.feature(rows[i].at.feature_q).planar) continue;
    if (++samples[static_cast<std::size_t>(&pair - arena.pairs.data())] > kCurveSamples)
      return true;
  }
  return false;
}

Restored restore(const Arena& arena, const Problem& problem, const Places& from,
                 std::span<const Row> rows, const Proposal& proposal, const PlaceSettings& s,
                 double gap) {
  const StageScope timed("restore");
  Restored out;
  out.places = moved(arena, problem, from, proposal.share * proposal.motion);
  std::vector<Row> sought(rows.begin(), rows.end());
  std::vector<double> keep;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    keep.push_back(proposal.ends[i].gap(proposal.share, proposal.low));
  }
  const double travelled = longest_move(arena, from, out.places);
  for (int k = 0; k < kRestoreSteps; ++k) {
    std::vector<Row> now;
    std::vector<double> wanted;
    if (k == 0) {
      // contacts that the start did not know
      for (const Pairing& pair : arena.pairs) {
        SearchSettings search = search_settings(arena, pair, s, 0.0);
        search.least_gap = -travelled;
        if (far_apart(arena, out.places, pair, search.within)) continue;
        find_rows(pair.p, out.places[static_cast<std::size_t>(pair.p)], pair.q,
                  out.places[static_cast<std::size_t>(pair.q)], search, now);
      }
      for (const Row& row : now) {
        sought.push_back(row);
        keep.push_back(kept_gap(arena, row, gap));
      }
      now.clear();
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < sought.size(); ++i) {
      const Seed& at = sought[i].at;
      const SearchSettings search = search_settings(arena, pairing_of(arena, at), s, 0.0);
      // rows that are farther do not hold the bodies
      const auto row = follow(out.places[static_cast<std::size_t>(at.p)],
                              out.places[static_cast<std::size_t>(at.q)], sought[i], search.valley,
                              search.within + travelled);
      if (!row || behind(*row, from, out.places, travelled)) continue;
      sought[i] = *row;
      now.push_back(*row);
      wanted.push_back(keep[i]);
      worst = std::max(worst, (keep[i] - row->gap) / keep[i]);
    }
    out.rows = now;
    if (worst <= kKept) {
      out.kept = true;
      return out;
    }
    solve::QuadraticProgram qp;
    const ScaledRows scaled = scaled_rows(arena, out.places, now);
    qp.hessian = Eigen::MatrixXd::Identity(arena.freedoms(), arena.freedoms());
    qp.gradient = Eigen::VectorXd::Zero(arena.freedoms());
    qp.rows = scaled.columns;
    qp.least.resize(scaled.scale.size());
    for (std::size_t i = 0; i < now.size(); ++i)
      qp.least[static_cast<Eigen::Index>(i)] =
          ((1.0 + kAim) * wanted[i] - now[i].gap) / scaled.scale[static_cast<Eigen::Index>(i)];
    add_bounds(arena, problem, std::max(travelled / arena.length_unit, gap), qp);
    const solve::QuadraticSolution solution = solve::solve_quadratic(qp, kQpSlack);
    if (!solution.feasible) return out;
    out.places = moved(arena, problem, out.places, solution.x);
  }
  return out;
}

Proof prove_way(const Arena& arena, const Problem& problem, const Places& from, const Places& to,
                std::span<const Row> rows_from, std::span<const Row> rows_to,
                const PlaceSettings& s, double gap) {
  const StageScope timed("prove_way");
  Proof out;
  for (const Pairing& pair : arena.pairs) {
    const double within = longest_move(arena, from, to);
    if (far_apart(arena, from, pair, 2.0 * within)) continue;
    std::vector<Hint> hints;
    int samples = 0;
    for (const Row& end : rows_to) {
      if (&pairing_of(arena, end.at) != &pair || end.gap > within + kLeastSearch * pair.length)
        continue;
      if (end.at.samples && end.gap < kLeastSearch * kLeastSearch * pair.length) ++samples;
      const Row* start = &end;
      for (const Row& row : rows_from)
        if (row.at.p == end.at.p && row.at.q == end.at.q && row.at.feature_p == end.at.feature_p &&
            row.at.feature_q == end.at.feature_q &&
            (start == &end ||
             (row.point - end.point).squaredNorm() < (start->point - end.point).squaredNorm()))
          start = &row;
      add_hint(hint_of(pair, *start, end), kSameHint * pair.length, hints);
    }
    const Journey p = journey(arena, problem, pair.p, from, to);
    const Journey q = journey(arena, problem, pair.q, from, to);
    const auto of_features = static_cast<long>(
        (p.surface->features().size() + q.surface->features().size()) / kFeaturesOfBudget);
    const long budget =
        ((samples > kCurveSamples ? kCurveBudget : 1) + of_features) * s.proof_budget;
    const PassageReport report = prove_free(p, q, hints, kBlocked * kept_gap(pair, gap), budget);
    out.tests += report.tests;
    if (report.passage == Passage::free) continue;
    out.passage = report.passage;
    out.time = report.time;
    if (report.passage == Passage::blocked) out.seeds = missed_seeds(pair, p, q, report);
    return out;
  }
  return out;
}

}  // namespace repose::place
