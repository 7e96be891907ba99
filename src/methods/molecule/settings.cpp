#include "repose/molecule/settings.h"

namespace repose::molecule {

namespace {

constexpr double kMostIterations = 1e7;
constexpr double kLeastGap = 1e-9;
constexpr double kMostGap = 0.1;
constexpr double kMostLeastLength = 0.95;
constexpr double kMostSweeps = 1e6;
constexpr double kLeastError = 1e-9;
constexpr double kMostPenalty = 1e15;

}  // namespace

const SettingsTable<MoleculeSettings>& settings_table() {
  using S = MoleculeSettings;
  static const SettingsTable<S> table =
      SettingsTable<S>()
          .choice("engine", &S::engine, {"proven", "paper"},
                  "proven: nothing ever overlaps; paper: penalty springs let bodies sink in.")
          .choice("detection", &S::detection, {"spheres", "skin"},
                  "What is kept apart: the molecules, or the skin of triangles over them.")
          .choice("broad_phase", &S::broad_phase, {"boxes", "sweep"},
                  "How near bodies are found: every box with every other, or boxes sorted along "
                  "x. The result is the same.")
          .choice("response", &S::response, {"constraint", "impulse"},
                  "constraint: contacts of a step are solved together; impulse: one after the "
                  "other, once, and what that leaves open stands still.")
          .number("iterations_per_second", &S::iterations_per_second,
                  {.min = 1.0, .max = kMostIterations}, "1/s",
                  "Steps of a simulated second; larger: finer in time, slower.")
          .number("stable_share", &S::stable_share, {.min = 0.0, .max = 1.0, .open_min = true}, "1",
                  "Share of the largest stable step that is taken at most; larger: faster.")
          .boolean("friction", &S::friction,
                   "Contacts have the friction of their materials; false: none has any.")
          .number("contact_gap", &S::contact_gap, {.min = kLeastGap, .max = kMostGap}, "1",
                  "Gap that touching spheres keep, of the sum of their radii.")
          .number("least_length", &S::least_length, {.min = 0.0, .max = kMostLeastLength}, "1",
                  "No spring is pressed shorter than this share of its length.")
          .integer("max_sweeps", &S::max_sweeps, {.min = 1.0, .max = kMostSweeps},
                   "Sweeps over the contacts of a step at most; what is open then moves as one.")
          .number("contact_error", &S::contact_error, {.min = kLeastError, .max = 0.5}, "1",
                  "Speed error left in a contact, in contact gaps a step; smaller: more sweeps.")
          .number("rest_energy", &S::rest_energy, {.min = 0.0, .max = 1.0}, "1",
                  "At rest: kinetic energy below this share of weight times size; 0: never.")
          .choice("penalty_from", &S::penalty_from, {"material", "mass"},
                  "paper: stiffness of penalty springs from the elasticity of the molecules, or "
                  "from the mass of the lighter body (equation 3.7).")
          .number("penalty_constant", &S::penalty_constant,
                  {.min = 0.0, .max = kMostPenalty, .open_min = true}, "1/s^2",
                  "paper: K of equation 3.7; larger: bodies sink in less, smaller steps.");
  return table;
}

bool keeps_skins(const MoleculeSettings& settings) {
  return settings.engine == Engine::proven && settings.detection == Detection::skin;
}

bool keeps_skins(const SettingValues& given) {
  const auto settings = settings_table().read(given);
  return settings && keeps_skins(*settings);
}

}  // namespace repose::molecule
