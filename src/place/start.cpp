#include "start.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/shape/inside.h"

#include "quadratic_program.h"

namespace repose::place {
namespace {

/// Overlap up to this share of the smaller body's size is touching.
constexpr double kTouching = 1e-9;
constexpr int kMostSteps = 200;
/// Bodies that just touch are parted in at most so many steps.
constexpr int kPartings = 3;
/// Bodies are parted by no more than this per step, over the length unit.
constexpr double kPartStep = 0.1;

struct Overlap {
  const Pairing* pair = nullptr;
  double depth = 0.0;  // m
};

std::vector<Row> rows_at(const Arena& arena, const Places& places, const PlaceSettings& s) {
  std::vector<Row> rows;
  for (const Pairing& pair : arena.pairs) {
    SearchSettings search = search_settings(arena, pair, s, 0.0);
    search.least_gap = -pair.length;
    find_rows(pair.p, places[static_cast<std::size_t>(pair.p)], pair.q,
              places[static_cast<std::size_t>(pair.q)], search, rows);
  }
  return rows;
}

/// A point of one body's surface lies in the other: one body holds the other, or part of it.
bool nested(const Problem& problem, const Places& places, const Pairing& pair) {
  const auto p = static_cast<std::size_t>(pair.p), q = static_cast<std::size_t>(pair.q);
  const auto point_of = [&](std::size_t i) {
    const Surface& s = *places[i].surface;
    const Feature& f = s.feature(0);
    if (f.kind == FeatureKind::patch) {
      const Vec2 uv = f.domain.center();
      return places[i].to_world(f.face.patch->point(uv.x(), uv.y()));
    }
    if (f.kind == FeatureKind::triangle) return places[i].to_world(f.corners[0]);
    return places[i].to_world(f.point);
  };
  const auto holds = [&](std::size_t i, const Vec3& point) {
    const Surface& s = *places[i].surface;
    const Vec3 at = places[i].to_body(point);
    if (!s.half_space() && (at - s.bounding_center()).norm() > s.bounding_radius()) return false;
    return shape::inside(*problem.bodies[i].shape, at);
  };
  if (holds(q, point_of(p))) return true;
  return !places[q].surface->half_space() && holds(p, point_of(q));
}

Passage standing(const Arena& arena, const Problem& problem, const Places& places,
                 const Pairing& pair, const PlaceSettings& s) {
  const Journey p = journey(arena, problem, pair.p, places, places);
  const Journey q = journey(arena, problem, pair.q, places, places);
  return prove_free(p, q, {}, kTouching * pair.size, s.proof_budget).passage;
}

std::vector<Overlap> overlaps(const Arena& arena, const Problem& problem, const Places& places,
                              std::span<const Row> rows, const PlaceSettings& s) {
  std::vector<Overlap> out;
  for (const Pairing& pair : arena.pairs) {
    Overlap found{&pair, 0.0};
    for (const Row& row : rows)
      if ((row.at.p == pair.p && row.at.q == pair.q) || (row.at.p == pair.q && row.at.q == pair.p))
        found.depth = std::max(found.depth, -row.gap);
    // where the proof finds no end, rows decide
    const Passage passage = standing(arena, problem, places, pair, s);
    const bool crossing = passage == Passage::blocked || (passage == Passage::out_of_budget &&
                                                          found.depth > kTouching * pair.size);
    if (!crossing && !nested(problem, places, pair)) continue;
    out.push_back(found);
  }
  return out;
}

InputError overlap_error(const Problem& problem, const Overlap& found) {
  InputError error;
  error.pointer = fmt::format("/bodies/{}", found.pair->p);
  error.value = problem.bodies[static_cast<std::size_t>(found.pair->p)].name;
  error.wrong =
      fmt::format("it overlaps {} at the start by about {:.3g} m",
                  problem.bodies[static_cast<std::size_t>(found.pair->q)].name, found.depth);
  error.right = "a place clear of the others, or place.extricate = true";
  return error;
}

/// One least motion towards all rows' gaps.
Places part(const Arena& arena, const Problem& problem, const Places& places,
            std::span<const Row> rows, double gap) {
  QuadraticProgram qp;
  const Eigen::Index n = arena.freedoms();
  qp.hessian = Eigen::MatrixXd::Identity(n, n);
  qp.gradient = Eigen::VectorXd::Zero(n);
  qp.rows.resize(n, static_cast<Eigen::Index>(rows.size()));
  qp.least.resize(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Eigen::VectorXd g = gradient(arena, places, rows[i]);
    const double scale = std::max(g.norm(), std::numeric_limits<double>::min());
    qp.rows.col(static_cast<Eigen::Index>(i)) = g / scale;
    qp.least[static_cast<Eigen::Index>(i)] =
        std::min(gap * arena.length_unit - rows[i].gap, kPartStep * arena.length_unit) / scale;
  }
  return moved(arena, problem, places, solve(qp, 0.0).x);
}

/// Rows that overlap by no more than a touch.
std::vector<Row> touching_rows(const Arena& arena, std::span<const Row> rows) {
  std::vector<Row> out;
  for (const Row& row : rows)
    for (const Pairing& pair : arena.pairs)
      if (((row.at.p == pair.p && row.at.q == pair.q) ||
           (row.at.p == pair.q && row.at.q == pair.p)) &&
          row.gap >= -kTouching * pair.size)
        out.push_back(row);
  return out;
}

}  // namespace

Result<Start> free_start(const Arena& arena, const Problem& problem, const Places& places,
                         const PlaceSettings& settings) {
  const StageScope timed("free_start");
  Start out;
  out.places = places;
  for (int k = 0; k < kMostSteps; ++k) {
    out.rows = rows_at(arena, out.places, settings);
    const auto found = overlaps(arena, problem, out.places, out.rows, settings);
    if (found.empty()) return out;
    if (!settings.extricate) {
      // what just touches is parted by its nearest rows; deeper ones may lie behind a wall
      const std::vector<Row> near = touching_rows(arena, out.rows);
      if (k >= kPartings || near.empty()) return overlap_error(problem, found.front());
      out.places = part(arena, problem, out.places, near, settings.settle_gap);
      out.moved = true;
      continue;
    }
    if (out.rows.empty()) return overlap_error(problem, found.front());
    out.places = part(arena, problem, out.places, out.rows, settings.settle_gap);
    out.moved = true;
  }
  const auto found = overlaps(arena, problem, out.places, out.rows, settings);
  if (!found.empty()) return overlap_error(problem, found.front());
  return out;
}

}  // namespace repose::place
