#pragma once

#include "repose/base/settings.h"

namespace repose::place {

/// The engine: rows and proven ways, or the loop of the paper's figure 2.
enum class Engine { rows, paper };

/// Lengths are fractions: of the moving body's reach from its centre of mass (steps, search), or of
/// the smaller body's size (gaps).
struct PlaceSettings {
  double epsilon_start = 0.25;  // first step
  double epsilon_max = 0.5;     // longest step
  double epsilon_min = 1e-9;    // shorter steps: stuck
  double lambda = 4.0;          // growth of the step after a full one
  double search_chord = 0.06;   // bulge of the cells that contacts are sought from
  double search_longest = 0.5;  // their length
  double settle_gap = 3e-7;     // kept between bodies until they are balanced
  double rest_gap = 1e-10;      // kept between bodies at rest
  double mesh_gap = 3e-9;       // the same beside a mesh
  double rest_force = 1e-6;     // unbalanced force over weight, torque over weight times size
  int proof_budget = 60'000;    // pair tests for one pair of bodies and one step
  double neutral = 1e-5;        // curvature of the energy that counts as none
  double nudge = 0.0;           // off a metastable rest
  bool friction = false;        // rest as soon as friction can hold the bodies
  bool repair_start = false;    // move bodies that overlap at the start apart
  int max_steps = 1000;
  int mesh_triangles = 0;  // of a body's guide; 0: by search_chord and search_longest
  Engine engine = Engine::rows;
  double paper_epsilon = 0.05;    // longest step of the paper's engine
  double paper_lambda = 1.33;     // growth of its step after a success
  int paper_simultaneous = 3;     // collisions it converts in one loop
  double paper_alpha = 0.0;       // share of friction in its pseudo-forces
  double paper_rest = 1e-6;       // residual that it calls rest
  double paper_objective = 1e-8;  // change of the objective that it calls none
  double paper_distance = 0.3;    // how far a collision may move to become a contact
  double paper_separation = 0.1;  // where extremal pairs vanish
  bool paper_sticky = false;      // contacts that pull stay
};
const SettingsTable<PlaceSettings>& settings_table();

}  // namespace repose::place
