#pragma once

#include <vector>

#include "repose/shape/solid.h"

#include "shape/sew/sew_match.h"

namespace repose::shape {

/// How the two faces along a stretch meet.
struct Crease {
  bool sharp = false;
  bool convex = true;
};

std::vector<Crease> find_creases(const std::vector<PatchPtr>& patches,
                                 const std::vector<double>& outward,
                                 const std::vector<SewSide>& sides,
                                 const std::vector<Stretch>& stretches, double smooth_angle);

/// What is known once all sides are mated.
struct Sewn {
  const std::vector<PatchPtr>& patches;
  const std::vector<double>& outward;
  const std::vector<int>& part_of;  // by face
  const std::vector<int>& place;    // of a face within its part
  const std::vector<SewSide>& sides;
  const std::vector<Stretch>& stretches;
  const std::vector<Crease>& creases;  // by stretch
  double size, gap, smooth_angle;
};

/// Sharp edges, each as long as one patch side carries it, and the corners and tips they leave.
void add_sharp_features(const Sewn& sewn, Solid* solid);

}  // namespace repose::shape
