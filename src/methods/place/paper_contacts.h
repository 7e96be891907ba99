#pragma once

#include "arena.h"
#include "guide.h"
#include "interface_point.h"

namespace repose::place {

/// The active body, the others and the points tracked between them: what one loop of figure 2
/// works on.
struct PaperScene {
  const Arena* arena = nullptr;
  const Problem* problem = nullptr;
  std::span<const Guide> guides;  // by body
  Places places;
  int active = -1;
  std::vector<InterfacePoint> points;

  const Active& mover() const { return arena->active.front(); }
  Posed& body() { return places[static_cast<std::size_t>(active)]; }
  const Posed& body() const { return places[static_cast<std::size_t>(active)]; }
  const Vec3& center_body() const {
    return problem->bodies[static_cast<std::size_t>(active)].center_body;
  }
  const std::array<bool, 6>& frozen() const {
    return problem->bodies[static_cast<std::size_t>(active)].frozen;
  }
  PairView view(const InterfacePoint& p) const {
    return view_of(body(), places[static_cast<std::size_t>(p.body_b)], p);
  }
  NewtonSettings newton() const {
    NewtonSettings s;
    s.size = mover().reach;
    return s;
  }
};

/// Section 4.2: points that vanish or change between contact and extremal, but for attracting
/// contacts.
void make_transitions(const PlaceSettings& s, PaperScene& scene);

/// Section 4.1: conditioning of every point, then all contacts and the body together. False: the
/// step was too long.
bool track_points(PaperScene& scene);

/// Section 4.3 for the next collision of the guides.
enum class Conversion { none, added, failed };
Conversion convert_collision(const PlaceSettings& s, PaperScene& scene);

}  // namespace repose::place
