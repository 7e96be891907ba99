#include "ball_step.h"

#include <algorithm>

#include "repose/base/stage_clock.h"

#include "ball_report.h"
#include "carry.h"
#include "finish.h"
#include "flight.h"
#include "stability.h"
#include "step.h"
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
/// What is left of the caution with which links are modelled after each step.
constexpr double kCautionFade = 0.3;
/// A body that falls at least this share of its bounds' depth falls freely.
constexpr double kWholeFall = 0.99;
/// Half the width to which the bounds of a ball in flight grow, in radii: wider ones make every
/// ball look for neighbours too far away.
constexpr double kMostFlight = 8.0;

/// How exactly a step's program is solved: while bodies move, when they settle, and where a tight
/// solve neither moves nor balances them.
enum class Care { loose, tight, utmost };

StepBounds bounds_for(const Arena& arena, const PileSettings& settings, const BallMemory& memory) {
  if (memory.flows() && settings.box == StepBox::rotated && memory.farthest > 0.0) {
    std::vector<double> room = memory.fall;
    const double most = arena.length_unit * std::max(kLeastRoom, kRoomOfWay * memory.farthest);
    for (double& r : room) r = std::min(r, most);
    return rotated_bounds(arena, room);
  }
  return settings.box == StepBox::rotated
             ? rotated_bounds(arena, memory.fall)
             : upright_bounds(arena, settings.box_half_width, memory.fall);
}

/// Section 4.4: who fell as far as it was let may fall farther in the next step. In rotated bounds
/// that is who had nothing near: steps that grow evenly are those of free flight.
std::vector<double> next_fall(const Arena& arena, const PileSettings& settings,
                              const std::vector<double>& fall, const Motion& motion,
                              std::span<const Separation> near) {
  std::vector<double> out = fall;
  const bool rotated = settings.box == StepBox::rotated;
  const std::vector<char> alone = movers_alone(near, out.size());
  const Vec3 down = arena.gravity.norm() > 0.0 ? arena.gravity.normalized() : Vec3(-Vec3::UnitZ());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double radius = arena.movers[i].radius;
    const bool whole =
        rotated ? alone[i] != 0 : motion.displacement[i].dot(down) >= kWholeFall * fall[i];
    const double growth = rotated ? settings.flight_growth : settings.box_growth;
    out[i] = whole ? fall[i] + growth * radius : settings.box_half_width * radius;
    if (rotated) out[i] = std::min(out[i], std::max(kMostFlight, settings.box_half_width) * radius);
  }
  return out;
}

/// A step without a linear program. Where that finds nothing more to take, state.step stays as it
/// was and the programs go on from there.
StepReport soft_step(const Arena& arena, const PileSettings& settings, const BallMemory& memory,
                     solve::SparseCholesky& cholesky, State& state) {
  auto next = std::make_shared<BallMemory>(memory);
  const Placement at = placement_of(arena, state);
  Motion motion;
  while (!motion.kept && !next->presettled()) {
    const bool from_afar = !next->soft_fall.done;
    const auto separations = find_separations(
        arena, at, from_afar ? soft_reach(arena) : soft_newton_reach(arena, next->soft_newton));
    const auto keep = margins_of(arena, separations, settings.margin);
    if (find_endless_fall(arena, at, separations) >= 0)
      next->soft_fall.done = next->soft_newton.done = true;
    else if (from_afar)
      motion = soft_fall(arena, at, separations, keep, next->soft_fall);
    else
      motion = soft_newton(arena, at, separations, keep, cholesky, next->soft_newton);
  }
  if (next->presettled()) {
    next->forces = next->soft_newton.forces;
    next->farthest = next->flows() ? kFirstWay : 0.0;
  }
  StepReport report;
  report.residual = 1.0;
  state.memory = next;
  if (!motion.kept) return report;
  take(arena, moved(arena, at, motion, 1.0), state);
  state.contacts.clear();
  state.step += 1;
  return report;
}

/// One step by linear programs, from bounds to verified motion.
class ProgramStep {
 public:
  ProgramStep(const Arena& arena, const PileSettings& settings, Solvers& solvers,
              const BallMemory& memory, const Placement& at)
      : arena_(arena),
        settings_(settings),
        solvers_(solvers),
        memory_(memory),
        at_(at),
        bounds_(bounds_for(arena, settings, memory)),  // how far they may go
        separations_(find_separations(arena, at, travel_of(arena, bounds_))),  // who stays apart
        keep_(margins_of(arena, separations_, settings.margin)),
        caution_(memory.caution) {
    if (!memory.restores) keep_what_is();
  }

  /// Newton's finish where rest is near, else programs, more and more exactly until one moves the
  /// balls or shows that they rest.
  void run();

  StepReport report;
  Motion motion;
  solve::LpSolution solution;

  std::span<const Separation> separations() const { return separations_; }
  /// What the next step must know after this one.
  std::shared_ptr<const BallMemory> learnt() const;

 private:
  bool finish();
  void solve_ever_more_exactly();
  bool keep_what_is();
  void attempt(Care care);
  void weigh();
  solve::LpSolution solve(const StepProgram& program, std::span<const double> known, Care care);
  /// True where the last step says that the set of contacts may be the one of rest.
  bool near_rest() const {
    return memory_.farthest > 0.0 && memory_.farthest < kNearRest && !settings_.friction &&
           settings_.solver == Solver::interior_point;
  }
  /// The way that is expected of the program's answer, mean radii; 0: not known.
  double expected_way() const { return memory_.flows() ? memory_.farthest : 0.0; }
  /// Of a mover on average, weights times radii.
  double gain() const {
    return motion.gain / (arena_.force_unit * arena_.length_unit) /
           static_cast<double>(arena_.movers.size());
  }

  const Arena& arena_;
  const PileSettings& settings_;
  Solvers& solvers_;
  const BallMemory& memory_;
  const Placement& at_;
  StepBounds bounds_;
  std::vector<Separation> separations_;
  std::vector<double> keep_;  // m, by separation
  double caution_;
  bool restores_ = true;
};

/// Gaps that are narrower than the margin stay as they are; true if there are any.
bool ProgramStep::keep_what_is() {
  restores_ = false;
  bool any = false;
  for (std::size_t k = 0; k < keep_.size(); ++k) {
    any = any || separations_[k].gap < keep_[k];
    keep_[k] = std::min(keep_[k], separations_[k].gap);
  }
  return any;
}

solve::LpSolution ProgramStep::solve(const StepProgram& program, std::span<const double> known,
                                     Care care) {
  const StageScope timed("solve_program");
  const double movers = static_cast<double>(arena_.movers.size());
  solve::LpSettings lp;
  lp.gap_fraction = care == Care::loose ? settings_.gap_moving : kTightGap;
  lp.gap_floor = (care == Care::utmost ? kUtmostFloor : kTightFloor) * movers;
  lp.feasibility = kFeasibility;
  lp.dual_feasibility = care == Care::utmost ? kUtmostDual : kDualFeasibility;
  lp.max_iterations = kMaxIterations;
  lp.max_pivots = care == Care::loose ? settings_.max_pivots : 0;
  if (care == Care::loose && program.lp.quadratic.empty() && movers > settings_.zone)
    return solve_in_zones(program, make_zones(at_.centers, settings_.zone), known, lp,
                          *solvers_.programs);
  return solvers_.programs->solve(program.lp, lp,
                                  {.rows = program.first_rows,
                                   .zero_is_feasible = true,
                                   .multipliers = known,
                                   .expected_way = expected_way(),
                                   .guess = program.guess});
}

void ProgramStep::weigh() {
  motion = verified_motion(arena_, separations_, at_, solution);
  const Balance balance = balance_of(arena_, separations_, at_, solution.y,
                                     kTouchGap * arena_.length_unit, keep_);  // what was achieved
  report = ball_report(arena_, settings_, solution, motion, balance);
}

void ProgramStep::attempt(Care care) {
  StepProgram program = assemble_program(arena_, at_, separations_, keep_, bounds_, caution_,
                                         settings_, expected_way());
  program.guess = answer_of_way(arena_, memory_.way_before);
  const auto known = known_multipliers(memory_.forces, separations_, program.lp.rows());
  const bool linked = !arena_.potentials.links.empty();
  if (care == Care::loose && memory_.gain < kCarryGain && !linked)
    carry_on(arena_, at_, separations_, known, memory_.way_before,
             (memory_.flows() ? kFlowCarry : 1.0) * settings_.carry, program.lp);
  solution = solve(program, known, care);  // the best they can do
  if (settings_.flight_growth > 0.0 && !linked) fly_alone(arena_, bounds_, separations_, solution);
  weigh();
}

bool ProgramStep::finish() {
  if (!near_rest()) return false;
  auto found = newton_finish(arena_, at_, separations_, keep_, bounds_, memory_.forces,
                             settings_.conserve, solvers_.interior);
  if (!found) return false;
  solution = std::move(*found);
  weigh();
  return report.status == RunStatus::rest || (motion.kept && motion.share == 1.0);
}

void ProgramStep::run() {
  if (finish()) return;
  solve_ever_more_exactly();
  if (report.status == RunStatus::stuck && restores_ && keep_what_is()) solve_ever_more_exactly();
}

void ProgramStep::solve_ever_more_exactly() {
  const bool settling = memory_.gain < kSettlingGain || settings_.friction;
  for (const Care care : {Care::loose, Care::tight, Care::utmost}) {
    if (care == Care::loose && settling) continue;
    attempt(care);
    if (!motion.kept && caution_ < 1.0) {
      caution_ = 1.0;
      attempt(care);
    }
    if (report.status == RunStatus::rest) return;
    if (report.status == RunStatus::moving && gain() > settings_.rest_gain) return;
  }
}

std::shared_ptr<const BallMemory> ProgramStep::learnt() const {
  auto next = std::make_shared<BallMemory>(memory_);
  next->gain = gain();
  next->way_before = motion.displacement;
  next->farthest = motion.farthest / arena_.length_unit;
  next->caution = std::max(kLeastCaution, kCautionFade * caution_);
  next->fall = next_fall(arena_, settings_, memory_.fall, motion, separations_);
  next->forces = known_forces(separations_, solution.y);
  next->restores = restores_;
  return next;
}

}  // namespace

std::shared_ptr<const BallMemory> first_ball_memory(const Arena& arena,
                                                    const PileSettings& settings) {
  auto out = std::make_shared<BallMemory>();
  out->force_unit = arena.force_unit;
  for (const Mover& m : arena.movers) out->fall.push_back(settings.box_half_width * m.radius);
  out->soft_fall = start_soft_fall(arena);
  out->soft_newton = start_soft_newton(arena);
  const int count = static_cast<int>(arena.movers.size());
  out->soft_fall.done = settings.presettle == 0 || count < settings.presettle ||
                        settings.friction || !arena.potentials.links.empty();
  out->soft_newton.done = out->soft_fall.done || count > settings.zone;
  return out;
}

StepReport ball_step(const Problem& problem, const Arena& arena, const PileSettings& settings,
                     Solvers& solvers, State& state) {
  auto memory = std::static_pointer_cast<const BallMemory>(state.memory);
  if (!memory->presettled()) {
    const long before = state.step;
    const StepReport report = soft_step(arena, settings, *memory, solvers.interior, state);
    if (state.step > before) return report;
    memory = std::static_pointer_cast<const BallMemory>(state.memory);
  }
  const Placement at = placement_of(arena, state);
  ProgramStep step(arena, settings, solvers, *memory, at);
  step.run();
  solvers.cost = {step.solution.iterations, step.solution.rows_used};
  StepReport report = step.report;
  state.contacts =
      contacts_of(arena, step.separations(), step.solution.y, kTouchGap * arena.length_unit);
  state.step += 1;
  look_closer(problem, arena, settings, at, step.separations(), step.solution.y, *solvers.programs,
              report, state);
  if (report.status != RunStatus::moving) return report;
  take(arena, moved(arena, at, step.motion, 1.0), state);
  state.memory = step.learnt();
  return report;
}

}  // namespace repose::pile
