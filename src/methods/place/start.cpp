#include "start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/base/stage_interrupt.h"
#include "repose/shape/inside.h"
#include "repose/solve/quadratic_program.h"

namespace repose::place {
namespace {

/// Overlap up to this share of the smaller body's size is touching.
constexpr double kTouching = 1e-9;
constexpr int kMostSteps = 200;
/// Pieces that a ray is tested against, their length against their width, and how far it passes
/// them by over the bounding radius.
constexpr int kRayTests = 64;
constexpr double kRayAspect = 4.0, kRaySlack = 1e-12;
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
    // nothing lies behind the ground, however deep
    const bool ground = places[static_cast<std::size_t>(pair.q)].surface->half_space();
    search.least_gap = ground ? -std::numeric_limits<double>::infinity() : -pair.length;
    find_rows(pair.p, places[static_cast<std::size_t>(pair.p)], pair.q,
              places[static_cast<std::size_t>(pair.q)], search, rows);
  }
  return rows;
}

Vec3 point_of(const Posed& body, const Feature& f) {
  if (f.kind == FeatureKind::patch) {
    const Vec2 uv = f.domain.center();
    return body.to_world(f.face.patch->point(uv.x(), uv.y()));
  }
  return body.to_world(f.kind == FeatureKind::triangle ? f.corners[0] : f.point);
}

/// The ray from `at` along the unit direction d (body frame) meets no piece of the body's surface:
/// `at` lies outside. False where that is not shown with `kRayTests` tests.
bool leaves(Surface& s, const Vec3& at, const Vec3& d) {
  const double slack = kRaySlack * s.bounding_radius();
  std::vector<int> stack{s.faces()};
  for (int tests = 0; !stack.empty(); ++tests) {
    const int i = stack.back();
    stack.pop_back();
    const Cell& c = s.cell(i);
    const Vec3 to = c.center - at;
    if (to.dot(d) + reach_along(c, d) < -slack) continue;  // behind
    const Vec3 across = to - to.dot(d) * d;
    const double off = across.norm();
    const Vec3 n = off > 0.0 ? Vec3(across / off) : d.unitOrthogonal();
    if (off - reach_along(c, -n) > slack) continue;  // beside
    if (tests > kRayTests || !s.can_split(i)) return false;
    const int first = s.split(i, n, kRayAspect);
    stack.push_back(first + 1);
    stack.push_back(first);
  }
  return true;
}

/// A ray away from the body's middle or along one of its axes shows that the point (body frame)
/// lies outside.
bool seen_outside(Surface& s, const Vec3& at) {
  if (s.faces() < 0) return false;
  const Vec3 away = at - s.bounding_center();
  if (away.norm() > 0.0 && leaves(s, at, away.normalized())) return true;
  for (int k = 0; k < 3; ++k)
    if (leaves(s, at, Vec3::Unit(k)) || leaves(s, at, -Vec3::Unit(k))) return true;
  return false;
}

/// m; negative: the point (world) lies in the body. What is seen to lie outside counts as far.
double height_over(const Problem& problem, const Places& places, int body, const Vec3& point) {
  const auto i = static_cast<std::size_t>(body);
  Surface& s = *places[i].surface;
  const Vec3 at = places[i].to_body(point);
  if (s.half_space()) return at.z();
  const bool away = (at - s.bounding_center()).norm() > s.bounding_radius();
  if (away || seen_outside(s, at)) return std::numeric_limits<double>::infinity();
  return shape::signed_gap(*problem.bodies[i].shape, at);
}

/// A point of one body's surface lies in the other: one body holds the other, or part of it. How
/// deep it lies there, m. A point that touches tells nothing: rounding puts it on either side.
std::optional<double> nested(const Problem& problem, const Places& places, const Pairing& pair) {
  const double touch = kTouching * pair.size;
  const auto depth_in = [&](int outer, int inner) -> std::optional<double> {
    const Posed& body = places[static_cast<std::size_t>(inner)];
    for (const Feature* f : {&body.surface->features().front(), &body.surface->features().back()}) {
      const double height = height_over(problem, places, outer, point_of(body, *f));
      if (std::fabs(height) <= touch) continue;
      return height < 0.0 ? std::optional(-height) : std::nullopt;
    }
    return std::nullopt;
  };
  if (const auto depth = depth_in(pair.q, pair.p)) return depth;
  if (places[static_cast<std::size_t>(pair.q)].surface->half_space()) return std::nullopt;
  return depth_in(pair.p, pair.q);
}

bool is_of(const Row& row, const Pairing& pair) {
  return std::minmax(row.at.p, row.at.q) == std::minmax(pair.p, pair.q);
}

/// The middle of the row's points lies in both bodies. Not so of rows of faces and edges that were
/// led on beyond their ends, whatever their gap.
bool within_both(const Problem& problem, const Places& places, const Row& row) {
  const Vec3 middle = 0.5 * (row.point + row.foot);
  return height_over(problem, places, row.at.p, middle) < 0.0 &&
         height_over(problem, places, row.at.q, middle) < 0.0;
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
    end_if_interrupted();
    Overlap found{&pair, 0.0};
    bool shown = false;
    const Passage passage = standing(arena, problem, places, pair, s);
    for (const Row& row : rows) {
      if (!is_of(row, pair)) continue;
      found.depth = std::max(found.depth, -row.gap);
      // where the proof finds no end, rows decide
      shown = shown || (passage == Passage::out_of_budget && row.gap < -kTouching * pair.size &&
                        within_both(problem, places, row));
    }
    const bool crossing = passage == Passage::blocked || shown;
    const auto inside = nested(problem, places, pair);
    if (!crossing && !inside) continue;
    found.depth = std::max(found.depth, inside.value_or(0.0));
    out.push_back(found);
  }
  return out;
}

/// Names the body that moves first: it is the one to put elsewhere.
InputError overlap_error(const Problem& problem, const Overlap& found,
                         const PlaceSettings& settings) {
  const auto body = [&](int i) -> const Body& {
    return problem.bodies[static_cast<std::size_t>(i)];
  };
  int moving = found.pair->p, other = found.pair->q;
  if (body(moving).held() && !body(other).held()) std::swap(moving, other);
  InputError error;
  error.pointer = fmt::format("/bodies/{}", moving);
  error.value = body(moving).name;
  error.wrong =
      fmt::format("it overlaps {} at the start by about {:.3g} m", body(other).name, found.depth);
  error.right = settings.repair_start
                    ? "a place clear of the others: repair_start could not part them"
                    : "a place clear of the others, or \"repair_start\": true in \"method\" (--set "
                      "place.repair_start=true), which moves bodies apart";
  return error;
}

/// One least motion towards all rows' gaps.
Places part(const Arena& arena, const Problem& problem, const Places& places,
            std::span<const Row> rows, double gap) {
  solve::QuadraticProgram qp;
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
  return moved(arena, problem, places, solve::solve_quadratic(qp, 0.0).x);
}

/// Rows that overlap by no more than a touch.
std::vector<Row> touching_rows(const Arena& arena, std::span<const Row> rows) {
  std::vector<Row> out;
  for (const Row& row : rows)
    for (const Pairing& pair : arena.pairs)
      if (is_of(row, pair) && row.gap >= -kTouching * pair.size) out.push_back(row);
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
    if (!settings.repair_start) {
      // what just touches is parted by its nearest rows; deeper ones may lie behind a wall
      const std::vector<Row> near = touching_rows(arena, out.rows);
      if (k >= kPartings || near.empty()) return overlap_error(problem, found.front(), settings);
      out.places = part(arena, problem, out.places, near, settings.settle_gap);
      out.moved = true;
      continue;
    }
    if (out.rows.empty()) return overlap_error(problem, found.front(), settings);
    out.places = part(arena, problem, out.places, out.rows, settings.settle_gap);
    out.moved = true;
  }
  const auto found = overlaps(arena, problem, out.places, out.rows, settings);
  if (!found.empty()) return overlap_error(problem, found.front(), settings);
  return out;
}

}  // namespace repose::place
