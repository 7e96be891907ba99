#include "repose/place/interference.h"

#include <algorithm>

#include "repose/shape/inside.h"

#include "step.h"

namespace repose::place {
namespace {

/// Pair tests for one question about one pair of bodies.
constexpr long kBudget = 60'000;
/// Surfaces that cannot be shown apart at this share of the touch cross.
constexpr double kShownApart = 1e-3;

Vec3 some_point(const Posed& body) {
  const Feature& f = body.surface->feature(0);
  if (f.kind == FeatureKind::patch) {
    const Vec2 uv = f.domain.center();
    return body.to_world(f.face.patch->point(uv.x(), uv.y()));
  }
  return body.to_world(f.kind == FeatureKind::triangle ? f.corners[0] : f.point);
}

bool nested(const Problem& problem, const Places& places, std::size_t p, std::size_t q) {
  if (shape::inside(*problem.bodies[q].shape, places[q].to_body(some_point(places[p]))))
    return true;
  if (places[q].surface->half_space()) return false;
  return shape::inside(*problem.bodies[p].shape, places[p].to_body(some_point(places[q])));
}

bool boxes_apart(const Posed& p, const Posed& q, double within) {
  const Vec3 a = p.to_world(p.surface->bounding_center());
  const double radius = p.surface->bounding_radius();
  if (q.surface->half_space()) return q.to_body(a).z() - radius > within;
  return (a - q.to_world(q.surface->bounding_center())).norm() - radius -
             q.surface->bounding_radius() >
         within;
}

}  // namespace

const char* to_text(Meeting meeting) {
  switch (meeting) {
    case Meeting::free:
      return "free";
    case Meeting::touching:
      return "touching";
    case Meeting::overlapping:
      return "overlapping";
  }
  return "free";
}

struct InterferenceProbe::Prepared {
  std::vector<std::shared_ptr<Surface>> surfaces;
  PlaceSettings settings;
  double touch = kTouch;
};

InterferenceProbe::InterferenceProbe(std::unique_ptr<Prepared> prepared)
    : prepared_(std::move(prepared)) {}
InterferenceProbe::~InterferenceProbe() = default;
InterferenceProbe::InterferenceProbe(InterferenceProbe&&) noexcept = default;
InterferenceProbe& InterferenceProbe::operator=(InterferenceProbe&&) noexcept = default;

Result<InterferenceProbe> InterferenceProbe::prepare(const Problem& problem, double touch) {
  State nowhere;
  nowhere.bodies.resize(problem.bodies.size());
  KnownSurfaces known;
  auto arena = prepare_arena(problem, nowhere, known);
  if (!arena) return arena.error();
  auto prepared = std::make_unique<Prepared>();
  prepared->surfaces = arena->surfaces;
  prepared->touch = touch;
  return InterferenceProbe(std::move(prepared));
}

Interference InterferenceProbe::at(const Problem& problem, const State& state, int body,
                                   const Pose& world_from_body) const {
  REPOSE_CHECK(prepared_->surfaces.size() == problem.bodies.size());
  Arena arena;
  arena.surfaces = prepared_->surfaces;
  for (const Body& b : problem.bodies) arena.center_body.push_back(b.center_body);
  arena.slot.assign(problem.bodies.size(), -1);
  State moved = state;
  moved.bodies[static_cast<std::size_t>(body)].world_from_body = world_from_body;
  const Places places = places_of(arena, problem, moved);
  const Body& own = problem.bodies[static_cast<std::size_t>(body)];
  Interference out;
  bool crossing = false;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& other = problem.bodies[i];
    if (static_cast<int>(i) == body || !own.collides || !other.collides || own.layer != other.layer)
      continue;
    Pairing pair;
    pair.p = body;
    pair.q = static_cast<int>(i);
    if (arena.surfaces[static_cast<std::size_t>(body)]->half_space()) std::swap(pair.p, pair.q);
    // two endless grounds hold each other up nowhere
    if (arena.surfaces[static_cast<std::size_t>(pair.p)]->half_space()) continue;
    pair.size = std::min(own.size(), other.size());
    pair.length = std::min(own.shape->bounding_radius, other.shape->bounding_radius);
    const auto p = static_cast<std::size_t>(pair.p), q = static_cast<std::size_t>(pair.q);
    const double touch = prepared_->touch * pair.size;
    if (boxes_apart(places[p], places[q], touch)) continue;
    SearchSettings search = search_settings(arena, pair, prepared_->settings, 0.0);
    search.least_gap = -pair.length;
    std::vector<Row> rows;
    find_rows(pair.p, places[p], pair.q, places[q], search, rows);
    const Journey jp = journey(arena, problem, pair.p, places, places);
    const Journey jq = journey(arena, problem, pair.q, places, places);
    // where the proof finds no end, rows decide
    const bool crosses =
        prove_free(jp, jq, {}, kShownApart * touch, kBudget).passage != Passage::free ||
        nested(problem, places, p, q);
    std::vector<InterferencePlace> met;
    for (const Row& row : rows) {
      // behind a wall a row may be deep though the bodies are apart
      if (row.gap > touch || (!crosses && row.gap < -touch)) continue;
      const double sign = row.at.p == body ? 1.0 : -1.0;
      met.push_back(
          {static_cast<int>(i), 0.5 * (row.point + row.foot), sign * row.normal, row.gap});
    }
    const bool deep = crosses && std::any_of(met.begin(), met.end(),
                                             [&](const auto& m) { return m.gap < -touch; });
    if (crosses && met.empty())
      met.push_back({static_cast<int>(i), places[p].center, Vec3::UnitZ(), -pair.size});
    crossing = crossing || deep || (crosses && rows.empty());
    out.places.insert(out.places.end(), met.begin(), met.end());
  }
  std::stable_sort(out.places.begin(), out.places.end(),
                   [](const auto& l, const auto& r) { return l.gap < r.gap; });
  if (!out.places.empty()) out.meeting = crossing ? Meeting::overlapping : Meeting::touching;
  return out;
}

Result<Interference> interference(const Problem& problem, const State& state, int body,
                                  const Pose& world_from_body) {
  auto probe = InterferenceProbe::prepare(problem);
  if (!probe) return probe.error();
  return probe->at(problem, state, body, world_from_body);
}

}  // namespace repose::place
