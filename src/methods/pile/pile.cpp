#include "repose/pile/pile.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"

#include "ball_report.h"
#include "carry.h"
#include "container.h"
#include "finish.h"
#include "flight.h"
#include "known_forces.h"
#include "presettle.h"
#include "repair.h"
#include "soft_newton.h"
#include "stability.h"
#include "step.h"
#include "support.h"
#include "turning.h"
#include "zones.h"

namespace repose::pile {
namespace {

/// A solve that may end the run: gap and feasibility in radii and weights.
constexpr double kTightGap = 1e-9;
constexpr double kTightFloor = 1e-10;   // per mover
constexpr double kUtmostFloor = 1e-13;  // per mover
constexpr double kFeasibility = 1e-11;
constexpr double kDualFeasibility = 1e-7;
constexpr double kUtmostDual = 1e-9;
/// A step is drawn on along the last one once that gained less than this, in weights times radii
/// per mover.
constexpr double kCarryGain = 0.1;
/// After soft contacts what is left is slow flow of the whole pile: steps are drawn on this many
/// times farther.
constexpr double kFlowCarry = 1.4;
/// ... and their bounds are at least this wide, mean radii, or this many times the way of the last.
constexpr double kLeastRoom = 0.2;
constexpr double kRoomOfWay = 3.0;
/// The way that is expected of the first such step, mean radii.
constexpr double kFirstWay = 1e-3;
/// When a step gains less than this, in weights times radii per mover, solves become tight.
constexpr double kSettlingGain = 1e-7;
/// Newton's finish is tried once no ball went farther than this in a step, mean radii.
constexpr double kNearRest = 3e-3;
constexpr int kMaxIterations = 80;
/// The caution with which links are modelled: at least, and what is left of it after each step.
constexpr double kLeastCaution = 1e-3;
constexpr double kCautionFade = 0.3;
/// A body that falls at least this share of its bounds' depth falls freely.
constexpr double kWholeFall = 0.99;
/// Half the width to which the bounds of a ball in flight grow, in radii: wider ones make every
/// ball look for neighbours too far away.
constexpr double kMostFlight = 8.0;

/// How exactly a step's program is solved: while bodies move, when they settle, and where a tight
/// solve neither moves nor balances them.
enum class Care { loose, tight, utmost };

/// What the next step must know of the last ones.
struct Memory : MethodMemory {
  SoftFall soft_fall;              // before the first program: from afar
  SoftNewton soft_newton;          // ... and where balls lie on one another
  double caution = kLeastCaution;  // of the quadratic that stands for the links
  double gain = 1e300;             // of the last step, weights times radii, per mover
  double farthest = 0.0;           // the last step's farthest way, mean radii; 0: not known
  std::vector<Vec3> way_before;    // the last displacements by mover, m; empty: none
  std::vector<double> fall;        // by mover, m: depth of upright bounds, half width of others
  KnownForces forces;              // of the last program

  bool presettled() const { return soft_fall.done && soft_newton.done; }
  /// Soft contacts came first; what the programs find is flow of the whole pile by short ways.
  bool flows() const { return soft_newton.rounds > 0; }
};

class Pile final : public Method {
 public:
  explicit Pile(const PileSettings& settings) { use(settings); }

  std::string name() const override { return "pile"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override {
    auto read = settings_table().read(values);  // not over what `paper` stood for
    if (!read) return read.error();
    use(*read);
    return Done{};
  }

 private:
  void use(const PileSettings& settings) {
    settings_ = as_meant(settings);
    solver_ =
        settings_.solver == Solver::simplex ? solve::make_simplex() : solve::make_interior_point();
  }
  StepBounds bounds_for(const Memory& memory) const;
  /// True where the last step says that the set of contacts may be the one of rest.
  bool near_rest(const Memory& memory) const {
    return memory.farthest > 0.0 && memory.farthest < kNearRest && !settings_.friction &&
           settings_.solver == Solver::interior_point;
  }
  /// Of a mover on average, weights times radii.
  double gain_of(const Motion& motion) const {
    return motion.gain / (arena_.force_unit * arena_.length_unit) /
           static_cast<double>(arena_.movers.size());
  }
  solve::LpSolution solve(const StepProgram& program, const Placement& at,
                          std::span<const double> known, double expected_way, Care care);
  std::vector<double> next_fall(const std::vector<double>& fall, const Motion& motion,
                                std::span<const Separation> near) const;
  StepReport presettle(const Memory& memory, State& state);
  void stop_when_long(const State& state, StepReport& report) const;

  PileSettings settings_;
  Arena arena_;
  std::unique_ptr<solve::LpSolver> solver_;
  solve::SparseCholesky cholesky_;  // of steps through the interior
  solve::LpSolution last_;
};

Result<Done> Pile::prepare(const Problem& problem, State& state) {
  auto arena = prepare_arena(problem, state);
  if (!arena) return arena.error();
  arena_ = std::move(arena).value();
  if (settings_.solver == Solver::simplex && !arena_.potentials.links.empty()) {
    InputError error;
    error.pointer = "/method/solver";
    error.wrong = "the simplex method knows no potentials between bodies";
    error.right = "solver interior_point, or gravity and pushes alone";
    return error;
  }
  if (settings_.repair_start)
    repair_start(arena_, settings_, state);  // check_start says if it failed
  auto container = check_container(problem, state, arena_);
  if (!container) return container.error();
  auto start = check_start(problem, state, arena_, settings_.repair_start);
  if (!start) return start.error();
  if (!arena_.all_balls) {
    state.memory = first_turning_memory(arena_, settings_);
    return Done{};
  }
  auto memory = std::make_shared<Memory>();
  for (const Mover& m : arena_.movers) memory->fall.push_back(settings_.box_half_width * m.radius);
  memory->soft_fall = start_soft_fall(arena_);
  memory->soft_newton = start_soft_newton(arena_);
  const int count = static_cast<int>(arena_.movers.size());
  memory->soft_fall.done = settings_.presettle == 0 || count < settings_.presettle ||
                           settings_.friction || !arena_.potentials.links.empty();
  memory->soft_newton.done = memory->soft_fall.done || count > settings_.zone;
  state.memory = memory;
  return Done{};
}

StepBounds Pile::bounds_for(const Memory& memory) const {
  if (memory.flows() && settings_.box == StepBox::rotated && memory.farthest > 0.0) {
    std::vector<double> room = memory.fall;
    const double most = arena_.length_unit * std::max(kLeastRoom, kRoomOfWay * memory.farthest);
    for (double& r : room) r = std::min(r, most);
    return rotated_bounds(arena_, room);
  }
  return settings_.box == StepBox::rotated
             ? rotated_bounds(arena_, memory.fall)
             : upright_bounds(arena_, settings_.box_half_width, memory.fall);
}

solve::LpSolution Pile::solve(const StepProgram& program, const Placement& at,
                              std::span<const double> known, double expected_way, Care care) {
  const StageScope timed("solve_program");
  solve::LpSettings lp;
  lp.gap_fraction = care == Care::loose ? settings_.gap_moving : kTightGap;
  lp.gap_floor = (care == Care::utmost ? kUtmostFloor : kTightFloor) *
                 static_cast<double>(arena_.movers.size());
  lp.feasibility = kFeasibility;
  lp.dual_feasibility = care == Care::utmost ? kUtmostDual : kDualFeasibility;
  lp.max_iterations = kMaxIterations;
  lp.max_pivots = care == Care::loose ? settings_.max_pivots : 0;
  const bool zones = care == Care::loose && program.lp.quadratic.empty() &&
                     static_cast<int>(arena_.movers.size()) > settings_.zone;
  if (zones)
    return solve_in_zones(program, make_zones(at.centers, settings_.zone), known, lp, *solver_);
  return solver_->solve(program.lp, lp,
                        {.rows = program.first_rows,
                         .zero_is_feasible = true,
                         .multipliers = known,
                         .expected_way = expected_way,
                         .guess = program.guess});
}

/// Section 4.4: who fell as far as it was let may fall farther in the next step. In rotated bounds
/// that is who had nothing near: steps that grow evenly are those of free flight.
std::vector<double> Pile::next_fall(const std::vector<double>& fall, const Motion& motion,
                                    std::span<const Separation> near) const {
  std::vector<double> out = fall;
  const bool rotated = settings_.box == StepBox::rotated;
  const std::vector<char> alone = movers_alone(near, out.size());
  const Vec3 down =
      arena_.gravity.norm() > 0.0 ? arena_.gravity.normalized() : Vec3(-Vec3::UnitZ());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double radius = arena_.movers[i].radius;
    const bool whole =
        rotated ? alone[i] != 0 : motion.displacement[i].dot(down) >= kWholeFall * fall[i];
    const double growth = rotated ? settings_.flight_growth : settings_.box_growth;
    out[i] = whole ? fall[i] + growth * radius : settings_.box_half_width * radius;
    if (rotated)
      out[i] = std::min(out[i], std::max(kMostFlight, settings_.box_half_width) * radius);
  }
  return out;
}

void Pile::stop_when_long(const State& state, StepReport& report) const {
  if (report.status != RunStatus::moving || state.step < settings_.max_steps) return;
  report.status = RunStatus::stopped;
  report.why = fmt::format("not at rest after {} steps", state.step);
}

/// A step without a linear program. Where that finds nothing more to take, state.step stays as it
/// was and the programs go on from there.
StepReport Pile::presettle(const Memory& memory, State& state) {
  auto next = std::make_shared<Memory>(memory);
  const Placement at = placement_of(arena_, state);
  Motion motion;
  while (!motion.kept && !next->presettled()) {
    const bool from_afar = !next->soft_fall.done;
    const auto separations = find_separations(
        arena_, at, from_afar ? soft_reach(arena_) : soft_newton_reach(arena_, next->soft_newton));
    const auto keep = margins_of(arena_, separations, settings_.margin);
    if (find_endless_fall(arena_, at, separations) >= 0)
      next->soft_fall.done = next->soft_newton.done = true;
    else if (from_afar)
      motion = soft_fall(arena_, at, separations, keep, next->soft_fall);
    else
      motion = soft_newton(arena_, at, separations, keep, cholesky_, next->soft_newton);
  }
  if (next->presettled()) {
    next->forces = next->soft_newton.forces;
    next->farthest = next->flows() ? kFirstWay : 0.0;
  }
  StepReport report;
  report.residual = 1.0;
  state.memory = next;
  if (!motion.kept) return report;
  const Placement to = moved(arena_, at, motion, 1.0);
  for (std::size_t i = 0; i < to.poses.size(); ++i)
    state.bodies[arena_.movers[i].body].world_from_body = to.poses[i];
  state.contacts.clear();
  state.step += 1;
  stop_when_long(state, report);
  return report;
}

StepReport Pile::step(const Problem& problem, State& state) {
  if (!arena_.all_balls) {
    StepReport report = turning_step(arena_, settings_, *solver_, cholesky_, state, last_);
    if (report.status == RunStatus::moving)
      name_endless_fall(problem, arena_, placement_of(arena_, state), {}, report);
    return report;
  }
  auto memory = std::static_pointer_cast<const Memory>(state.memory);
  if (!memory->presettled()) {
    const long before = state.step;
    const StepReport report = presettle(*memory, state);
    if (state.step > before) return report;
    memory = std::static_pointer_cast<const Memory>(state.memory);
  }
  const Placement at = placement_of(arena_, state);
  const StepBounds bounds = bounds_for(*memory);  // how far they may go
  const auto separations =
      find_separations(arena_, at, travel_of(arena_, bounds));  // who must stay apart
  const auto keep = margins_of(arena_, separations, settings_.margin);
  const double touch = kTouchGap * arena_.length_unit;
  double caution = memory->caution;
  const bool flows = memory->flows();
  const double expected_way = flows ? memory->farthest : 0.0;
  solve::LpSolution solution;
  Motion motion;
  StepReport report;
  const auto weigh = [&] {
    motion = verified_motion(arena_, separations, at, solution);
    const Balance balance =
        balance_of(arena_, separations, at, solution.y, touch, keep);  // what was achieved
    report = ball_report(arena_, settings_, solution, motion, balance);
  };
  const auto attempt = [&](Care care) {
    StepProgram program =
        assemble_program(arena_, at, separations, keep, bounds, caution, settings_, expected_way);
    program.guess = answer_of_way(arena_, memory->way_before);
    const auto known = known_multipliers(memory->forces, separations, program.lp.rows());
    if (care == Care::loose && memory->gain < kCarryGain && arena_.potentials.links.empty())
      carry_on(arena_, at, separations, known, memory->way_before,
               (flows ? kFlowCarry : 1.0) * settings_.carry, program.lp);
    solution = solve(program, at, known, expected_way, care);  // the best they can do
    if (settings_.flight_growth > 0.0 && arena_.potentials.links.empty())
      fly_alone(arena_, bounds, separations, solution);
    weigh();
  };
  const auto finishes = [&] {
    if (!near_rest(*memory)) return false;
    auto found = newton_finish(arena_, at, separations, keep, bounds, memory->forces,
                               settings_.conserve, cholesky_);
    if (!found) return false;
    solution = std::move(*found);
    weigh();
    return report.status == RunStatus::rest || (motion.kept && motion.share == 1.0);
  };
  const bool settling = memory->gain < kSettlingGain || settings_.friction;
  const bool finished = finishes();
  for (const Care care : {Care::loose, Care::tight, Care::utmost}) {
    if (finished || (care == Care::loose && settling)) continue;
    attempt(care);
    if (!motion.kept && caution < 1.0) {
      caution = 1.0;
      attempt(care);
    }
    if (report.status == RunStatus::rest) break;
    if (report.status == RunStatus::moving && gain_of(motion) > settings_.rest_gain) break;
  }

  state.contacts = contacts_of(arena_, separations, solution.y, touch);
  state.step += 1;
  look_closer(problem, arena_, settings_, at, separations, solution.y, *solver_, report, state);
  stop_when_long(state, report);
  if (report.status != RunStatus::moving) return report;
  auto next = std::make_shared<Memory>(*memory);
  next->gain = gain_of(motion);
  const Placement to = moved(arena_, at, motion, 1.0);
  for (std::size_t i = 0; i < to.poses.size(); ++i)
    state.bodies[arena_.movers[i].body].world_from_body = to.poses[i];
  next->way_before = motion.displacement;
  next->farthest = motion.farthest / arena_.length_unit;
  next->caution = std::max(kLeastCaution, kCautionFade * caution);
  next->fall = next_fall(memory->fall, motion, separations);
  next->forces = known_forces(separations, solution.y);
  state.memory = next;
  last_ = solution;
  return report;
}

Audit Pile::audit(const Problem&, const State& state) {
  Audit out;
  out.worst_gap = std::numeric_limits<double>::infinity();
  const Placement at = placement_of(arena_, state);
  out.energy = energy_of(arena_.potentials, at.centers);
  std::vector<double> travel;
  for (const Mover& m : arena_.movers) travel.push_back(kTouchGap * m.radius);
  for (const Separation& s : find_separations(arena_, at, travel)) {
    double size = 2.0 * arena_.movers[s.b].radius;
    if (s.a >= 0) size = std::min(size, 2.0 * arena_.movers[s.a].radius);
    out.worst_gap = std::min(out.worst_gap, s.gap);
    out.worst_gap_relative = std::min(out.worst_gap_relative, s.gap / size);
  }
  if (!std::isfinite(out.worst_gap)) out.worst_gap = 0.0;
  out.series = {{"contacts", static_cast<double>(state.contacts.size())},
                {"lp iterations", static_cast<double>(last_.iterations)},
                {"lp rows", static_cast<double>(last_.rows_used)}};
  return out;
}

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return std::unique_ptr<Method>(std::make_unique<Pile>(*settings));
}

}  // namespace

MethodInfo method_info() {
  MethodInfo out{"pile",
                 "Many bodies into an energy minimum by linear programming, without one overlap.",
                 settings_table().rows(), make};
  out.support = support();
  out.ways = ProvenWays::of_origins;
  return out;
}

}  // namespace repose::pile
