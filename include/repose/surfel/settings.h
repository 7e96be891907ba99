#pragma once

#include "repose/base/settings.h"

namespace repose::surfel {

/// How stress follows from the displacement gradient. neo_hookean: stable however far it is pressed
/// (Smith, de Goes, Kim 2018); corotated: linear in the stretch, after the turn is taken out;
/// linear: small strains only, a turn counts as strain.
enum class Stress { neo_hookean, corotated, linear };

/// How bodies are kept apart. proven: velocities projected on planes that prove each step; paper:
/// contact surfaces and penalty forces (Keiser 2004), which let bodies overlap.
enum class Engine { proven, paper };

struct SurfelSettings {
  Engine engine = Engine::proven;
  Stress stress = Stress::neo_hookean;
  /// Phyxels that a phyxel looks at; [8, 64]. Larger: smoother, slower.
  int neighbours = 16;
  /// Stiffness of what no displacement gradient sees, of the shear modulus; [0, 1]. 0: phyxels may
  /// swing against each other unseen.
  double affine_free = 0.2;
  /// Share of the largest stable step that is taken at most; (0, 1].
  double stable_share = 0.4;
  /// s; longest step whatever the material; [1e-7, 1].
  double longest_step = 0.002;
  /// Contacts have the friction of their materials.
  bool friction = true;
  /// Gap that touching balls keep, of the least radius; [1e-9, 0.1].
  double contact_gap = 2e-3;
  /// Sweeps over the contacts of a round at most; [1, 1e6].
  int max_sweeps = 400;
  /// Speed error left in a contact, in contact gaps a step; [1e-9, 0.5].
  double contact_error = 1e-3;
  /// At rest: kinetic energy below this share of weight times size, for a tenth of a second.
  /// [0, 1]; 0: never at rest.
  double rest_energy = 1e-9;
  /// Paper engine: k^spring, pressure by depth, in moduli by distance of phyxels; (0, 100]. Larger:
  /// less overlap, shorter steps.
  double spring = 1.0;
  /// Paper engine: k^damp over k^spring, in stable steps; [0, 2].
  double spring_damping = 0.5;
};
const SettingsTable<SurfelSettings>& settings_table();

}  // namespace repose::surfel
