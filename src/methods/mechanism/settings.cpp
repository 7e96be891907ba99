#include "repose/mechanism/settings.h"

namespace repose::mechanism {
namespace {

constexpr double kLeastStep = 1e-9, kMostStep = 1e3;     // s
constexpr double kLeastTouch = 1e-9, kMostTouch = 1e-3;  // of size
constexpr double kMostRate = 1e4;                        // 1/s
constexpr double kMostEvents = 1e6;
constexpr double kLeastRest = 1e-12, kMostRest = 1.0;
constexpr double kMostRestTime = 1e6;  // s

}  // namespace

const SettingsTable<MechanismSettings>& settings_table() {
  using S = MechanismSettings;
  static const SettingsTable<S> table =
      SettingsTable<S>()
          .choice("order", &S::order, {"second", "first"},
                  "Whether forces change velocities, or are velocities (a world without inertia).")
          .number("step_time", &S::step_time, {.min = kLeastStep, .max = kMostStep}, "s",
                  "Simulated time of one step, and between displayed states; larger: fewer, less "
                  "exact steps.")
          .choice("blows", &S::blows, {"simultaneous", "sequential"},
                  "How contacts that strike at once share the blow: all together, or one after the "
                  "other.")
          .choice("broad_phase", &S::broad_phase, {"sweep", "grid"},
                  "How pairs that may meet are found: coherent sort and sweep, or a grid. The "
                  "motion is the same.")
          .number("touch_gap", &S::touch_gap, {.min = kLeastTouch, .max = kMostTouch},
                  "sizes of the smaller body",
                  "Gap at which touching bodies are kept; contacts are those within twice it. "
                  "Larger: fewer events, wider gaps.")
          .number("feedback", &S::feedback, {.min = 0.0, .max = 1.0}, "1/step",
                  "Share of a joint's error that forces take back in a step, beside the correction "
                  "of places.")
          .number(
              "damping", &S::damping, {.min = 0.0, .max = kMostRate}, "1/s",
              "Share of its momentum that a body loses in a second; larger: motion dies sooner.")
          .integer("max_events", &S::max_events, {.min = 1.0, .max = kMostEvents},
                   "Collisions within one step after which the rest of them do not bounce.")
          .number("rest_speed", &S::rest_speed, {.min = kLeastRest, .max = kMostRest}, "sizes/s",
                  "At rest no body is faster; larger: rest is found earlier.")
          .number("rest_time", &S::rest_time, {.min = 0.0, .max = kMostRestTime}, "s",
                  "How long bodies must stay that slow to be at rest.")
          .boolean("end_at_rest", &S::end_at_rest, "Whether rest or a jam ends the run.")
          .boolean("friction", &S::friction,
                   "Contacts have the friction of their materials; false: none has any.")
          .boolean("repair_start", &S::repair_start,
                   "Whether bodies that overlap at the start are moved apart and open joints "
                   "closed, instead of refused.")
          .once("correct_start");
  return table;
}

}  // namespace repose::mechanism
