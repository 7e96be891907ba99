#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "repose/pile/pile.h"

/// k x k x k balls of radius 1 on a jittered grid above the floor of an open box: what every engine
/// of this benchmark is given.
namespace bench_pile {

using repose::Vec3;

constexpr double kPitch = 2.2, kJitter = 0.09, kGravity = 9.81;
/// Rest of an engine with speeds: no centre averages more than this (radii per second) over the
/// window (s).
constexpr double kRestSpeed = 1e-3, kRestWindow = 0.5;
/// An engine is stopped after this much of its own time (s), or after this much work (steps times
/// balls times iterations: some 20 s of CPU). Both are counts, so that two runs end alike.
constexpr double kMostTime = 120.0, kMostWork = 2.4e8;

/// How another engine is set.
struct PeerSetting {
  const char* name;
  double step;     // s
  int iterations;  // of its solver; 0: its own default
  double slop;     // radii by which contacts may overlap before they are pushed apart; -1: default
  double damping;  // of speeds, share a second
  bool sleeps;     // bodies that hardly move are stopped
};
/// As it comes, as its users set it for speed, and at its most accurate: each engine is compared by
/// the best of the three.
inline constexpr PeerSetting kPeerSettings[] = {
    {"default", 1.0 / 60.0, 0, -1.0, 0.0, true},
    {"speed", 1.0 / 60.0, 50, 0.005, 0.5, true},
    {"accuracy", 1.0 / 240.0, 100, 0.0, 0.5, false},
};

inline constexpr double kAsleep = std::numeric_limits<double>::infinity();

/// What the judge of this benchmark found of a run; the same code for every engine.
struct Row {
  std::string engine, setting;
  long steps = 0;
  double seconds = 0.0;     // CPU
  double overlap = 0.0;     // radii, worst over the run; ours between frames too
  double unbalanced = 0.0;  // weights, at the end; kAsleep where the engine no longer has forces
  double height = 0.0;      // radii, mean of the centres at the end: the energy
  std::string end;          // "rest", "moving", or why there is nothing
};

double cpu_now();
std::vector<Vec3> grid(int k, std::uint64_t seed);
/// Floor and four walls: point and inward normal.
std::vector<std::pair<Vec3, Vec3>> walls(int k);
double overlap_of(const std::vector<Vec3>& centers, int k);
/// The worst overlap while all centres go straight and evenly from one place to the next.
double overlap_on_way(const std::vector<Vec3>& from, const std::vector<Vec3>& to, int k);
double mean_height(const std::vector<Vec3>& centers);

struct Scene {
  repose::Problem problem;
  repose::State state;
};
Scene make_scene(int k, std::uint64_t seed);

/// `most_steps` 0: to rest.
Row run_repose(int k, std::uint64_t seed, long most_steps = 0,
               const repose::SettingValues& settings = {});
/// A scene of the gallery to its end; steps, CPU seconds and end alone.
Row run_gallery(const std::string& name);
/// The one to compare with: the quickest that rests; where none does, the least unbalanced.
const Row& best_of(const std::vector<Row>& rows);

/// Random programs of every kind, and programs of real piles, against Clp. Answers the exit status.
int compare_programs(int count);

}  // namespace bench_pile
