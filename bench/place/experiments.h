#pragma once

#include <string>
#include <vector>

#include "repose/base/result.h"
#include "repose/base/settings.h"
#include "repose/scene/gallery.h"

namespace repose {

/// The experiments of Snyder 1995, figure 9, with the iterations that he lists.
struct Experiment {
  const char* scene;
  int paper_iterations;
};
inline constexpr Experiment kExperiments[] = {
    {"torus-on-cone", 13},    {"block-into-goblet", 25},    {"goblet-sideways", 28},
    {"knot-on-ground", 12},   {"jack-on-ground", 36},       {"bumpy-sphere-on-ground", 14},
    {"torus-on-ground", 37},  {"cone-on-ground", 23},       {"teapot-on-ground", 20},
    {"lid-on-teapot", 29},    {"straw-in-glass", 40},       {"ice-cube-in-glass", 39},
    {"44th-ball-in-bowl", 9}, {"bumpy-sphere-on-cone", 50}, {"apple-on-ground", 12}};

/// What became of one start.
struct Outcome {
  std::string status, why;
  long steps = 0;
  double milliseconds = 0.0;  // CPU, everything from the prepared scene on
  std::string failures;       // loop failures by cause, JSON
  Problem problem;
  State state;
  std::vector<State> path;  // every state, if asked for
};

/// The bodies of place/NAME; its settings are added to those given.
Result<World> world_of(const std::string& name, SettingValues& settings);

Result<Outcome> settle(const Problem& problem, const State& state, const SettingValues& settings,
                       bool keep_path = false);

}  // namespace repose
