#pragma once

#include "repose/base/settings.h"

namespace repose::molecule {

/// proven: velocities projected on separating planes, nothing ever overlaps; paper: penalty springs
/// of equations 3.6 to 3.9.
enum class Engine { proven, paper };
/// What is kept apart: the molecules, or the skin of triangles over them, thick by their radius.
enum class Detection { spheres, skin };
/// Which bodies are looked at in pairs: every box with every other, or boxes sorted along x.
enum class BroadPhase { boxes, sweep };
/// Where the penalty's stiffness comes from (equation 3.7, figure 3.13).
enum class PenaltyFrom { material, mass };
/// How contacts answer (table 2.1 of the paper); `constraint` is the engine `proven`'s own.
enum class Response { constraint, impulse };

struct MoleculeSettings {
  Engine engine = Engine::proven;
  Detection detection = Detection::spheres;
  BroadPhase broad_phase = BroadPhase::sweep;
  Response response = Response::constraint;
  /// Steps of a simulated second; [1, 1e7]. Larger: finer in time, slower.
  double iterations_per_second = 1000.0;
  /// Share of the largest stable step that is taken at most; (0, 1].
  double stable_share = 0.9;
  /// Contacts have the friction of their materials.
  bool friction = true;
  /// Gap that touching spheres keep, of the sum of their radii; [1e-9, 0.1].
  double contact_gap = 1e-4;
  /// No spring is pressed shorter than this share of its length; [0, 0.95].
  double least_length = 0.5;
  /// Sweeps over the contacts of a step at most; [1, 1e6].
  int max_sweeps = 400;
  /// Speed error left in a contact, in contact gaps a step; [1e-9, 0.5].
  double contact_error = 0.1;
  /// At rest: kinetic energy below this share of weight times size, for a tenth of a second.
  /// [0, 1]; 0: never at rest.
  double rest_energy = 1e-14;
  PenaltyFrom penalty_from = PenaltyFrom::material;
  /// K of equation 3.7, 1/s^2: stiffness of a penalty spring for a kilogram of the lighter body.
  double penalty_constant = 1e5;
};
const SettingsTable<MoleculeSettings>& settings_table();

/// With these settings no other body comes into a skin.
bool keeps_skins(const MoleculeSettings& settings);
bool keeps_skins(const SettingValues& given);

}  // namespace repose::molecule
