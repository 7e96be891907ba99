#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "repose/base/json_write.h"
#include "repose/base/result.h"
#include "repose/base/settings.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"
#include "repose/world/support.h"

namespace repose {

/// Where a run stands. All but `moving` end it.
enum class RunStatus { moving, rest, metastable, finished, stuck, jammed, stopped };
template <>
inline constexpr auto kNames<RunStatus> = std::to_array<std::string_view>(
    {"moving", "rest", "metastable", "finished", "stuck", "jammed", "stopped"});
const char* to_text(RunStatus status);

/// What a step made of a body: its points changed in number, or it parted.
///
/// The method leaves the new state in the State: that of the first part in the body's own place,
/// those of the others at the end of State::bodies, in the order of the changes and of their parts.
/// The session makes the Problem follow (ids, names, forces on points) and prepares the method
/// again, as after an edit.
struct BodyChange {
  int body = -1;  // index into Problem::bodies before the step
  /// What it is now: shape, mass, soft points. The first keeps the body's name; the name of another
  /// may be empty, then it is made from the body's.
  std::vector<Body> parts;
  /// For every part and each of its points the index of the point before the step; -1: a new point.
  std::vector<std::vector<int>> points_before;
};

/// What one step achieved.
struct StepReport {
  RunStatus status = RunStatus::moving;
  double residual = 0.0;   // of the method's own rest test, relative; 0 where it has none
  int body = -1;           // the body that decides `status` or `residual`; -1: none in particular
  std::string why;         // one sentence when the status is not `moving`
  double progress = -1.0;  // [0, 1] as far as the method can tell; negative: it cannot
  std::vector<BodyChange> changes = {};  // bodies that parted or changed their number of points
  std::string remedy = {};  // what to try where it is stuck; empty: nothing that fits this cause
};

/// What the method itself claims of a state. The checker recomputes it from shapes and poses alone.
/// A number that the method has not looked at is NaN: it makes no claim there.
struct Audit {
  double energy = 0.0;           // J; potential, plus kinetic where the method has speeds
  double force_residual = 0.0;   // worst unbalanced force over the bodies' weight
  double torque_residual = 0.0;  // worst unbalanced torque over weight * size
  double worst_gap = 0.0;        // m, smallest signed gap known to the method; negative is overlap
  double worst_gap_relative = 0.0;  // of the smaller body's size
  /// Named series for plots and CSV: energy by kind, active rows, ...; the same names every step.
  std::vector<std::pair<std::string, double>> series;
};

/// What was promised and what was found; one row each in result.json and on the page.
struct Promise {
  std::string name, promised, measured;
  bool kept = true;
};

/// One way of moving bodies. The run loop calls prepare once, then step, audit, record in turn.
/// All that changes lives in the State it is handed, so that the loop can save, undo and branch.
class Method {
 public:
  virtual ~Method() = default;

  virtual std::string name() const = 0;
  /// Called once before the first step, and again after an edit that changed the problem.
  virtual Result<Done> prepare(const Problem& problem, State& state) = 0;
  virtual StepReport step(const Problem& problem, State& state) = 0;
  virtual Audit audit(const Problem& problem, const State& state) = 0;
  /// Edits of kinds that the run loop does not know itself. The default refuses them.
  virtual Result<Done> apply(const Edit& edit, Problem& problem, State& state);
  /// A setting changed while the run goes on; `values` are all of the method's settings.
  virtual Result<Done> change_settings(const SettingValues& values) = 0;
  /// Members of result.json that only this method has ("jam", "joints", ...).
  virtual Json::Object facts(const Problem& problem, const State& state);
  /// What it promises beside what every run does, and whether that was kept.
  virtual std::vector<Promise> promises(const Problem& problem, const State& state);
};

/// A method's entry in the catalogue: from it schema, command line, documentation and studio are
/// made.
struct MethodInfo {
  std::string name;
  std::string about;  // one sentence
  std::vector<SettingInfo> settings;
  std::function<Result<std::unique_ptr<Method>>(const SettingValues&)> make;
  std::vector<EditKind> edits = {};  // kinds that this method carries out itself
  MethodSupport support = {};        // what it does of all that a scene can ask
  ProvenWays ways = ProvenWays::none;
};

}  // namespace repose
