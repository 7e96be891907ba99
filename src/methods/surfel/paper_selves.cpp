#include "paper_selves.h"

#include <algorithm>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "paper_boxes.h"
#include "paper_surface.h"

namespace repose::surfel {

namespace {

/// Phyxels farther apart at rest than so many mean distances are no neighbours.
constexpr double kInfluence = 2.0;
/// What is found of a body with itself holds until phyxels have come nearer by this share of their
/// mean distance.
constexpr double kHoldsWithin = 1.0;

/// Phyxels of a body that come near while a look holds and were no neighbours.
HeldSelf met_itself(const Arena& arena, const Motion& motion, std::size_t body, double spring,
                    double ahead) {
  const int first = arena.first_phyxel[body];
  const double pitch = pitch_of(arena.matter[at(first)]);
  HeldSelf out;
  out.reach = pitch;
  out.stiffness = spring * modulus_of(arena.matter[at(first)]) * pitch;
  const std::vector<Vec3> phyxels(motion.x.begin() + first,
                                  motion.x.begin() + arena.first_phyxel[body + 1]);
  const double within = pitch + ahead;
  const HashedGrid grid(phyxels, within);
  for (std::size_t i = 0; i < phyxels.size(); ++i)
    grid.near(phyxels[i], within, [&](int j, double) {
      if (j >= static_cast<int>(i)) return;
      const int a = first + static_cast<int>(i), b = first + j;
      if ((arena.rest[at(a)] - arena.rest[at(b)]).norm() > kInfluence * pitch)
        out.pairs.push_back({a, b});
    });
  std::sort(out.pairs.begin(), out.pairs.end());
  return out;
}

}  // namespace

HeldSelves look_for_selves(const Arena& arena, const SurfelSettings& settings,
                           const Motion& motion) {
  const StageScope timed("self_contact");
  HeldSelves out;
  out.from = motion.x;
  out.left = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b + 1 < arena.first_ball.size(); ++b) {
    if (!meets(arena, b)) continue;
    const double ahead = kHoldsWithin * pitch_of(arena.matter[at(arena.first_phyxel[b])]);
    out.left = std::min(out.left, ahead);
    HeldSelf self = met_itself(arena, motion, b, settings.spring, ahead);
    if (!self.pairs.empty()) out.bodies.push_back(std::move(self));
  }
  return out;
}

}  // namespace repose::surfel
