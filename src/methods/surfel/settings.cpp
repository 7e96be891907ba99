#include "repose/surfel/settings.h"

namespace repose::surfel {

namespace {

constexpr double kFewestNeighbours = 8;
constexpr double kMostNeighbours = 64;
constexpr double kLeastStep = 1e-7;
constexpr double kLeastGap = 1e-9;
constexpr double kMostGap = 0.1;
constexpr double kMostSweeps = 1e6;
constexpr double kLeastError = 1e-9;
constexpr double kMostError = 0.5;
constexpr double kMostSpring = 100.0;

}  // namespace

const SettingsTable<SurfelSettings>& settings_table() {
  using S = SurfelSettings;
  static const SettingsTable<S> table =
      SettingsTable<S>()
          .choice(
              "engine", &S::engine, {"proven", "paper"},
              "How bodies are kept apart: proven projects velocities on planes that prove each "
              "step; paper pushes by contact surfaces and penalty forces and lets bodies overlap.")
          .choice("stress", &S::stress, {"neo_hookean", "corotated", "linear"},
                  "How stress follows from deformation: neo_hookean holds however far it is "
                  "pressed; corotated is linear in the stretch; linear is for small strains.")
          .integer("neighbours", &S::neighbours, {.min = kFewestNeighbours, .max = kMostNeighbours},
                   "Phyxels that a phyxel looks at; larger: smoother, slower.")
          .number("affine_free", &S::affine_free, {.min = 0.0, .max = 1.0}, "1",
                  "Stiffness of what no displacement gradient sees, of the shear modulus; 0: "
                  "phyxels may swing against each other unseen.")
          .number("stable_share", &S::stable_share, {.min = 0.0, .max = 1.0, .open_min = true}, "1",
                  "Share of the largest stable step that is taken at most; larger: faster.")
          .number("longest_step", &S::longest_step, {.min = kLeastStep, .max = 1.0}, "s",
                  "Longest step whatever the material.")
          .boolean("friction", &S::friction,
                   "Contacts have the friction of their materials; false: none has any.")
          .number("contact_gap", &S::contact_gap, {.min = kLeastGap, .max = kMostGap}, "1",
                  "Gap that touching balls keep, of the least radius.")
          .integer("max_sweeps", &S::max_sweeps, {.min = 1.0, .max = kMostSweeps},
                   "Sweeps over the contacts of a round at most.")
          .number("contact_error", &S::contact_error, {.min = kLeastError, .max = kMostError}, "1",
                  "Speed error left in a contact, in contact gaps a step.")
          .number("rest_energy", &S::rest_energy, {.min = 0.0, .max = 1.0}, "1",
                  "At rest: kinetic energy below this share of weight times size, for a tenth of a "
                  "second; 0: never.")
          .number("spring", &S::spring, {.min = 0.0, .max = kMostSpring, .open_min = true}, "1",
                  "Paper engine: pressure by depth, in moduli by distance of phyxels; larger: less "
                  "overlap, shorter steps.")
          .number("spring_damping", &S::spring_damping, {.min = 0.0, .max = 2.0}, "1",
                  "Paper engine: damping over stiffness of contacts, in stable steps.");
  return table;
}

}  // namespace repose::surfel
