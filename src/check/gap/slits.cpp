#include "check/gap/slits.h"

#include <algorithm>

#include "check/exact/rounding.h"
#include "check/gap/distance.h"
#include "check/gap/thickness.h"

namespace repose::check {

namespace {

/// Times the slit's width: what has a ball of this radius in it where it comes near does not go in.
constexpr double kThick = 4.0;
/// Of the body's reach: seams open by no more are closed but for rounding.
constexpr double kClosed = 1024.0 * kUlp;
/// Of the body's size: how wide slits are unless a scene lets them be wider. Where no formula tells
/// how thick the other body is, a search for its thin places is not worth its time for them.
constexpr double kUsual = 1e-5;
constexpr int kBudget = 20'000;  // pair tests for the distance from the seams

/// m: no seam of the body is open wider.
double widest_slit(const shape::Shape& shape) {
  const auto* solid = std::get_if<shape::Solid>(&shape.geometry);
  double widest = 0.0;
  if (solid)
    for (const shape::Part& part : solid->parts) widest = std::max(widest, part.seam_gap);
  return widest;
}

}  // namespace

bool keeps_out_of_slits(const PlacedBody& sewn, Prepared& made, const PlacedBody& other,
                        Prepared& made_other, const GapBracket& g, const GapSettings& settings) {
  const double slit = widest_slit(*sewn.shape);
  if (slit <= kClosed * sewn.shape->bounding_radius || g.lower > slit) return true;
  // one formula bounds it, whatever it was sewn from
  if (made.convex() || made.swept()) return true;
  const auto* ball = std::get_if<shape::Ball>(&other.shape->geometry);
  const auto thick = [&] { return thick_near(other, sewn, slit, kThick * slit); };
  // told by a formula, that costs less than a search
  const bool by_formula = ball || made_other.convex() || made_other.swept();
  if (by_formula ? thick() : slit <= kUsual * sewn.size()) return true;
  const auto surface = made.surface();
  Surface* seams = surface ? surface->borders() : nullptr;
  if (!seams) return true;
  const double radius = ball ? ball->radius : 0.0;
  const auto of_other = ball ? std::make_shared<Surface>(Vec3(Vec3::Zero())) : made_other.surface();
  if (!of_other) return true;
  DistanceGoal goal;
  goal.enough = slit + radius;
  goal.width = slit;
  goal.budget = std::min(kBudget, settings.budget);
  goal.interrupt = settings.interrupt;
  const Distance d = PairSearch(*seams, *of_other, relative_frame(sewn, other)).distance(goal);
  return d.lower > slit + radius || (!by_formula && thick());
}

}  // namespace repose::check
