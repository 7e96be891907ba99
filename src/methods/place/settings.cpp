#include "repose/place/settings.h"

namespace repose::place {
namespace {

constexpr double kLeastStep = 1e-6, kMostStep = 10.0;
constexpr double kLeastGap = 1e-12, kMostGap = 1e-3;
constexpr double kLeastRest = 1e-12, kMostRest = 1e-2;
constexpr double kLeastChord = 1e-4, kMostChord = 10.0;
constexpr double kMostCount = 1e9;

}  // namespace

const SettingsTable<PlaceSettings>& settings_table() {
  using S = PlaceSettings;
  static const SettingsTable<S> table =
      SettingsTable<S>()
          .number("epsilon_start", &S::epsilon_start, {.min = kLeastStep, .max = kMostStep},
                  "reaches",
                  "First bound on a step, over the body's reach from its centre of mass.")
          .number(
              "epsilon_max", &S::epsilon_max, {.min = kLeastStep, .max = kMostStep}, "reaches",
              "Largest bound on a step beside other bodies; larger: fewer steps, less predictable "
              "ones. What nothing is near falls as far as nothing can be in the way.")
          .number("epsilon_min", &S::epsilon_min, {.min = kLeastGap, .max = kMostGap}, "reaches",
                  "A body that cannot move by this much though not at rest is stuck.")
          .number(
              "lambda", &S::lambda, {.min = 1.0, .max = kMostStep}, "1",
              "Growth of the bound after a step that used all of it; after a failure it halves.")
          .number("search_chord", &S::search_chord, {.min = kLeastChord, .max = kMostChord},
                  "radii",
                  "Bulge of the surface cells that contacts are sought from, over the smaller "
                  "body's bounding radius; larger: a coarser mesh, fewer starting points.")
          .number("search_longest", &S::search_longest, {.min = kLeastChord, .max = kMostChord},
                  "radii", "Length of those cells; larger: fewer samples along contact curves.")
          .number("settle_gap", &S::settle_gap, {.min = kLeastGap, .max = kMostGap}, "sizes",
                  "Kept free between bodies until they are balanced, over the smaller body's size.")
          .number("rest_gap", &S::rest_gap, {.min = kLeastGap, .max = kMostGap}, "sizes",
                  "Kept free between bodies at rest; larger: cheaper to prove, farther from touch.")
          .number(
              "mesh_gap", &S::mesh_gap, {.min = 0.0, .max = kMostGap}, "sizes",
              "No smaller gap is kept beside a mesh or polyhedron, whose corners and edges make "
              "proofs at smaller ones dear.")
          .number(
              "rest_force", &S::rest_force, {.min = kLeastRest, .max = kMostRest}, "1",
              "At rest no body has a larger unbalanced force over weight, or torque over weight "
              "times size.")
          .integer("proof_budget", &S::proof_budget, {.min = 1.0, .max = kMostCount},
                   "Pair tests for the proof of one step of one pair of bodies; a step that needs "
                   "more is not taken, but a shorter one; larger: contact along curves is proven "
                   "at smaller gaps.")
          .number(
              "neutral", &S::neutral, {.min = 0.0, .max = kMostRest}, "1",
              "Curvature of the energy along a motion that counts as none; below its negative a "
              "balanced body is metastable.")
          .number(
              "nudge", &S::nudge, {.min = 0.0, .max = 1.0}, "reaches",
              "How far a metastable body is moved off its rest; 0: it stays and is reported so.")
          .boolean(
              "friction", &S::friction,
              "Contacts have the friction of their materials: rest as soon as forces within the "
              "friction cones balance the bodies.")
          .boolean("repair_start", &S::repair_start,
                   "Bodies that overlap at the start are first moved apart by the least motion.")
          .once("extricate")
          .integer("max_steps", &S::max_steps, {.min = 1.0, .max = kMostCount},
                   "Steps after which the run stops without rest.")
          .integer("mesh_triangles", &S::mesh_triangles, {.min = 0.0, .max = kMostCount},
                   "About how many triangles of a body contacts are sought from, uniform in its "
                   "parameters, besides the cells that search_chord and search_longest ask for; 0: "
                   "from those alone, or 3000 for the paper's engine.")
          .choice("engine", &S::engine, {"default", "paper"},
                  "default: proven steps; paper: the loop of Snyder 1995, figure 2, one body at a "
                  "time, which may miss an overlap.")
          .number("paper_epsilon", &S::paper_epsilon, {.min = kLeastStep, .max = kMostStep},
                  "reaches", "The paper's longest step, epsilon_max.")
          .number("paper_lambda", &S::paper_lambda, {.min = 1.0, .max = kMostStep}, "1",
                  "Growth of the paper's step after a loop that succeeded.")
          .integer("paper_simultaneous", &S::paper_simultaneous, {.min = 1.0, .max = kMostCount},
                   "Collisions converted in one loop of the paper's engine.")
          .number("paper_alpha", &S::paper_alpha, {.min = 0.0, .max = 1.0}, "1",
                  "Share of the residual after friction in the paper's pseudo-forces.")
          .number("paper_rest", &S::paper_rest, {.min = kLeastRest, .max = kMostRest}, "1",
                  "Residual force over weight that the paper's engine calls rest.")
          .number("paper_objective", &S::paper_objective, {.min = 0.0, .max = kMostRest}, "1",
                  "Change of the objective that counts as none, energy over weight times reach; 0: "
                  "the objective is not looked at.")
          .number("paper_distance", &S::paper_distance, {.min = kLeastStep, .max = kMostStep},
                  "reaches", "How far a polygonal collision may move to become a contact.")
          .number("paper_separation", &S::paper_separation, {.min = kLeastStep, .max = kMostStep},
                  "reaches", "Separation at which an extremal pair vanishes.")
          .boolean("paper_sticky", &S::paper_sticky,
                   "Contacts whose force pulls stay contacts (the paper's sticky contacts).");
  return table;
}

}  // namespace repose::place
