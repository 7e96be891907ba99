#include "repose/pile/settings.h"

namespace repose::pile {
namespace {

constexpr double kLeastBox = 1e-3, kMostRadii = 10.0;
constexpr double kLeastGap = 1e-9, kMostGap = 0.9;
constexpr double kMostFriction = 10.0;
constexpr double kMostTurn = 1.0;
constexpr double kMostMargin = 1e-3;
constexpr double kLeastRest = 1e-12, kMostRest = 1e-2;
constexpr double kMostCount = 1e9;
/// Section 6.1: after so many pivots a step has at least 80 % of what it could gain.
constexpr int kPaperPivots = 5000;

}  // namespace

PileSettings as_meant(PileSettings settings) {
  if (!settings.friction) settings.most_friction = 0.0;
  settings.friction = settings.most_friction > 0.0;
  if (settings.solver != Solver::paper) return settings;
  settings.solver = Solver::simplex;
  if (settings.max_pivots == 0) settings.max_pivots = kPaperPivots;
  settings.carry = 0.0;
  settings.conserve = 0.0;
  settings.presettle = 0;
  return settings;
}

const SettingsTable<PileSettings>& settings_table() {
  using S = PileSettings;
  static const SettingsTable<S> table =
      SettingsTable<S>()
          .choice("solver", &S::solver, {"interior_point", "simplex", "paper"},
                  "What solves the linear program of a step: our interior point, or Clp's simplex. "
                  "paper: the original's way, the simplex method stopped after max_pivots (5000 if "
                  "that is 0), without conserve, carry and presettle.")
          .choice("box", &S::box, {"rotated", "upright"},
                  "Bounds on one step: a cube standing on a corner, or one along the axes whose "
                  "depth grows while a body falls freely.")
          .number("box_half_width", &S::box_half_width, {.min = kLeastBox, .max = kMostRadii},
                  "radii",
                  "Half the width of the step's bounds; larger: fewer steps, larger programs.")
          .number("box_growth", &S::box_growth, {.min = 0.0, .max = kMostRadii}, "radii",
                  "Upright bounds: how much deeper they get after each step of free fall; larger: "
                  "faster acceleration.")
          .number("flight_growth", &S::flight_growth, {.min = 0.0, .max = kMostRadii}, "radii",
                  "Rotated bounds: how much wider they get after each step in which a ball had "
                  "nothing near, so that it flies freely; 0: it falls by even steps.")
          .number("most_turn", &S::most_turn, {.min = kLeastBox, .max = kMostTurn}, "rad",
                  "How far a body may turn in one step; larger: fewer steps, wider gaps while "
                  "bodies move.")
          .number("conserve", &S::conserve, {.min = 0.0, .max = 1.0}, "weights per radius",
                  "Stiffness that holds a body where it is; larger: loose bodies wander less, more "
                  "steps. The simplex solver ignores it.")
          .number("carry", &S::carry, {.min = 0.0, .max = 2.0}, "1",
                  "Balls without links: how far a step is drawn on along the last one, as a share "
                  "of what sliding "
                  "on would be worth; 0: not at all. Larger: fewer steps, up to about 1.")
          .boolean("friction", &S::friction,
                   "Contacts have the friction of their materials: the run ends as soon as "
                   "friction holds the pile; it also slows bodies that turn.")
          .once_number("most_friction")
          .number("most_friction", &S::most_friction, {.min = 0.0, .max = kMostFriction}, "1",
                  "No contact has more friction than this, whatever its materials.")
          .number("gap_moving", &S::gap_moving, {.min = kLeastGap, .max = kMostGap}, "1",
                  "While bodies move, a step may miss this share of the possible gain; larger: "
                  "cheaper steps, more of them.")
          .integer("max_pivots", &S::max_pivots, {.min = 0.0, .max = kMostCount},
                   "Simplex: pivots after which a step takes what it has; 0: none such limit.")
          .number("near_gap", &S::near_gap, {.min = 0.0, .max = kMostRadii}, "radii",
                  "Pairs nearer than this enter the program at once, others when an iterate "
                  "violates them; larger: larger programs, fewer surprises.")
          .number("margin", &S::margin, {.min = 0.0, .max = kMostMargin}, "radii",
                  "Kept free between bodies so that rounding never makes an overlap.")
          .number("rest_force", &S::rest_force, {.min = kLeastRest, .max = kMostRest}, "weights",
                  "At rest no body has a larger unbalanced force; larger: rest is found earlier.")
          .number("rest_gain", &S::rest_gain, {.min = kLeastRest, .max = kMostRest},
                  "weights times radii",
                  "At rest no step could lower the mean body's energy by more (somewhat more for "
                  "bodies that turn, and where no motion is left to take); larger: rest is found "
                  "earlier and with wider gaps at contacts.")
          .integer("presettle", &S::presettle, {.min = 0.0, .max = kMostCount},
                   "Piles of at least this many balls, without links and friction, first run down "
                   "with soft contacts, step by step free of overlap, before the linear programs "
                   "take over; 0: never. Smaller: cheaper piles, more steps.")
          .integer("zone", &S::zone, {.min = 1.0, .max = kMostCount},
                   "Piles of more bodies are solved in zones of at most this many while they move; "
                   "larger: more memory, fewer steps.")
          .boolean("repair_start", &S::repair_start,
                   "Bodies that overlap at the start are moved apart by as little as it takes; "
                   "else such a start is refused.")
          .integer("max_steps", &S::max_steps, {.min = 1.0, .max = kMostCount},
                   "Steps after which the run stops without rest.");
  return table;
}

}  // namespace repose::pile
