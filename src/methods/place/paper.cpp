#include "paper.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/change_settings.h"
#include "repose/base/stage_clock.h"
#include "repose/math/dense.h"
#include "repose/world/out_of_steps.h"

#include "loads.h"
#include "paper_contacts.h"

namespace repose::place {
namespace {

/// Singular values below this share of the largest count as none.
constexpr double kRank = 1e-9;
/// Rest by the objective: so many loops in a row that change it by less than the tolerance.
constexpr int kStillLoops = 3;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

enum class LoopFailure { tracking, collision, objective };
constexpr std::array<const char*, 3> kCauses = {"points not tracked", "collision not converted",
                                                "objective would grow"};

struct PaperMemory : MethodMemory {
  double epsilon = 0.0;
  double epsilon_before = 0.0;  // before failures shortened it
  int still = 0;                // loops that changed the objective by less than the tolerance
  std::vector<InterfacePoint> points;
  std::array<int, kCauses.size()> failures{};
  double force = kUnknown, torque = kUnknown;
};

using Wrench = Eigen::Matrix<double, 6, 1>;  // force over weight, torque over weight times reach

/// Contact forces of section 5.2 and what they leave.
struct PseudoForces {
  Wrench residual = Wrench::Zero();
  Eigen::VectorXd normal;  // by contact, over weight
  double friction = 0.0;   // largest share of a normal force that friction had to bear
  bool held_by_friction = false;
};

Wrench wrench_of(const PaperScene& scene, const Vec3& at, const Vec3& direction) {
  Wrench out;
  out << direction, ((at - scene.body().center) / scene.mover().reach).cross(direction);
  for (std::size_t i = 0; i < 6; ++i)
    if (scene.frozen()[i]) out[static_cast<Eigen::Index>(i)] = 0.0;
  return out;
}

Wrench least_residual(const Eigen::MatrixXd& columns, const Wrench& load, Eigen::VectorXd& forces) {
  if (columns.cols() == 0) {
    forces.resize(0);
    return load;
  }
  forces = least_squares(columns, Vec6(-load), kRank);
  return load + columns * forces;
}

std::vector<PairView> contacts_of(const PaperScene& scene) {
  std::vector<PairView> out;
  for (const InterfacePoint& p : scene.points)
    if (p.contact) out.push_back(scene.view(p));
  return out;
}

/// Tangential forces that take up the residual as far as they can, and whether each stays within
/// its share of the normal force.
void add_friction(const PaperScene& scene, const std::vector<PairView>& contacts,
                  const PlaceSettings& s, PseudoForces& out) {
  Eigen::MatrixXd columns(6, static_cast<Eigen::Index>(2 * contacts.size()));
  std::vector<double> mu;
  for (const InterfacePoint& p : scene.points) {
    if (!p.contact) continue;
    const auto& bodies = scene.problem->bodies;
    mu.push_back(std::min(bodies[static_cast<std::size_t>(scene.active)].material.friction,
                          bodies[static_cast<std::size_t>(p.body_b)].material.friction));
  }
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Vec3 u = contacts[i].normal.unitOrthogonal();
    const auto at = static_cast<Eigen::Index>(2 * i);
    columns.col(at) = wrench_of(scene, contacts[i].point, u);
    columns.col(at + 1) = wrench_of(scene, contacts[i].point, contacts[i].normal.cross(u));
  }
  Eigen::VectorXd forces;
  const Wrench left = least_residual(columns, out.residual, forces);
  bool within = true;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(2 * i);
    const double slip = forces.segment<2>(at).norm();
    within = within && slip <= mu[i] * out.normal[static_cast<Eigen::Index>(i)];
  }
  out.held_by_friction = s.friction && within && left.norm() < s.paper_rest;
  out.residual = (1.0 - s.paper_alpha) * out.residual + s.paper_alpha * left;
}

PseudoForces pseudo_forces(const PaperScene& scene, const Wrench& load, const PlaceSettings& s) {
  const std::vector<PairView> contacts = contacts_of(scene);
  Eigen::MatrixXd columns(6, static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i)
    columns.col(static_cast<Eigen::Index>(i)) =
        wrench_of(scene, contacts[i].point, contacts[i].normal);
  PseudoForces out;
  out.residual = least_residual(columns, load, out.normal);
  if ((s.friction || s.paper_alpha > 0.0) && !contacts.empty())
    add_friction(scene, contacts, s, out);
  return out;
}

/// Contacts that would have to pull become extremal, the strongest first, until none does.
PseudoForces release_pulling(const Wrench& load, const PlaceSettings& s, PaperScene& scene) {
  for (;;) {
    PseudoForces forces = pseudo_forces(scene, load, s);
    if (forces.normal.size() == 0 || s.paper_sticky) return forces;
    Eigen::Index worst = 0;
    if (forces.normal.minCoeff(&worst) >= -s.paper_rest) return forces;
    Eigen::Index at = 0;
    for (InterfacePoint& p : scene.points)
      if (p.contact && at++ == worst) {
        p.contact = false;
        break;
      }
  }
}

class PaperEngine final : public Method {
 public:
  explicit PaperEngine(const PlaceSettings& settings) : settings_(settings) {}

  std::string name() const override { return "place"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override {
    return repose::change_settings(settings_table(), values, settings_);
  }
  Json::Object facts(const Problem& problem, const State& state) override;

 private:
  PaperScene scene_at(const Problem& problem, const State& state, const PaperMemory& memory) const;
  void move_by(const PseudoForces& forces, double epsilon, PaperScene& scene) const;
  std::optional<LoopFailure> advance(const PseudoForces& forces, const Potential& before,
                                     PaperMemory& memory, PaperScene& scene) const;
  StepReport finish(const PaperMemory& memory, const PseudoForces& forces, StepReport report) const;

  PlaceSettings settings_;
  KnownSurfaces known_;
  Arena arena_;
  std::vector<Guide> guides_;
};

Result<Done> PaperEngine::prepare(const Problem& problem, State& state) {
  auto arena = prepare_arena(problem, state, known_);
  if (!arena) return arena.error();
  arena_ = std::move(arena).value();
  int second = arena_.active.size() > 1 ? arena_.active[1].body : -1;
  for (const Active& a : arena_.active)
    if (a.members.size() > 1) second = a.members[1];
  if (second >= 0) {
    InputError error;
    error.pointer = fmt::format("/bodies/{}", second);
    error.value = problem.bodies[static_cast<std::size_t>(second)].name;
    error.wrong = "a second body that may move";
    error.right = "one at a time with place.engine = paper: the others fixed, freed by events";
    return error;
  }
  constexpr int kDefaultTriangles = 3000;
  guides_.clear();
  for (const auto& surface : arena_.surfaces)
    guides_.emplace_back(
        *surface, settings_.mesh_triangles > 0 ? settings_.mesh_triangles : kDefaultTriangles);
  auto memory = std::make_shared<PaperMemory>();
  if (const auto before = std::dynamic_pointer_cast<const PaperMemory>(state.memory))
    memory->failures = before->failures;
  memory->epsilon = memory->epsilon_before = settings_.paper_epsilon;
  if (!arena_.active.empty()) {
    const PaperScene scene = scene_at(problem, state, *memory);
    for (const Pairing& pair : arena_.pairs) {
      const int b = pair.p == scene.active ? pair.q : pair.p;
      if (!find_collision(guides_[static_cast<std::size_t>(scene.active)], scene.body(),
                          guides_[static_cast<std::size_t>(b)],
                          scene.places[static_cast<std::size_t>(b)], {}))
        continue;
      InputError error;
      error.pointer = fmt::format("/bodies/{}", scene.active);
      error.value = problem.bodies[static_cast<std::size_t>(scene.active)].name;
      error.wrong = "its guide crosses that of " + problem.bodies[static_cast<std::size_t>(b)].name;
      error.right = "a place clear of the others";
      return error;
    }
  }
  state.memory = memory;
  return Done{};
}

PaperScene PaperEngine::scene_at(const Problem& problem, const State& state,
                                 const PaperMemory& memory) const {
  PaperScene scene;
  scene.arena = &arena_;
  scene.problem = &problem;
  scene.guides = guides_;
  scene.places = places_of(arena_, problem, state);
  scene.active = arena_.active.front().body;
  scene.points = memory.points;
  return scene;
}

/// Section 5.3: from rest, a small way along the acceleration.
void PaperEngine::move_by(const PseudoForces& forces, double epsilon, PaperScene& scene) const {
  const Wrench& r = forces.residual;
  const double length = r.head<3>().norm() + r.tail<3>().norm();
  if (!(length > 0.0)) return;
  const Body& body = scene.problem->bodies[static_cast<std::size_t>(scene.active)];
  const double reach = scene.mover().reach;
  const Mat3& turn = scene.body().rotation;
  const Mat3 inertia = turn * body.inertia_body * turn.transpose() / (body.mass * reach * reach);
  Vec3 spin = solve_symmetric(inertia, Vec3(r.tail<3>() / length));
  Vec3 move = r.head<3>() / length;
  for (Eigen::Index k = 0; k < 3; ++k) {
    if (scene.frozen()[static_cast<std::size_t>(k)]) move[k] = 0.0;
    if (scene.frozen()[static_cast<std::size_t>(k) + 3]) spin[k] = 0.0;
  }
  scene.body() =
      displaced(scene.body(), scene.center_body(), epsilon * reach * move, epsilon * spin);
}

std::optional<LoopFailure> PaperEngine::advance(const PseudoForces& forces, const Potential& before,
                                                PaperMemory& memory, PaperScene& scene) const {
  move_by(forces, memory.epsilon, scene);
  if (!track_points(scene)) return LoopFailure::tracking;
  int collisions = 0;
  while (collisions < settings_.paper_simultaneous) {
    const Conversion made = convert_collision(settings_, scene);
    if (made == Conversion::none) break;
    if (made == Conversion::failed) return LoopFailure::collision;
    ++collisions;
  }
  if (collisions > 0) memory.epsilon = memory.epsilon_before;
  const double change = potential(arena_, *scene.problem, scene.places).energy - before.energy;
  if (settings_.paper_objective > 0.0 && change > settings_.paper_objective)
    return LoopFailure::objective;
  memory.still =
      std::fabs(change) < settings_.paper_objective && !scene.points.empty() ? memory.still + 1 : 0;
  return std::nullopt;
}

StepReport PaperEngine::finish(const PaperMemory& memory, const PseudoForces& forces,
                               StepReport report) const {
  if (report.residual < settings_.paper_rest) {
    report.status = RunStatus::rest;
    report.why = fmt::format("contact forces leave {:.1e} of the weight", report.residual);
  } else if (forces.held_by_friction) {
    report.status = RunStatus::rest;
    report.why = "friction holds the body";
  } else if (memory.still >= kStillLoops) {
    report.status = RunStatus::rest;
    report.why = fmt::format(
        "the objective no longer changes; contact forces leave {:.1e} of the "
        "weight",
        report.residual);
  } else if (memory.epsilon < settings_.epsilon_min) {
    report.status = RunStatus::stuck;
    report.why = "no step is left";
  }
  return report;
}

StepReport PaperEngine::step(const Problem& problem, State& state) {
  auto memory =
      std::make_shared<PaperMemory>(*std::static_pointer_cast<const PaperMemory>(state.memory));
  state.step += 1;
  StepReport report;
  if (arena_.active.empty()) {
    report.status = RunStatus::rest;
    report.why = "no body may move";
    return report;
  }
  PaperScene scene = scene_at(problem, state, *memory);
  make_transitions(settings_, scene);
  const Potential before = potential(arena_, problem, scene.places);
  const PseudoForces forces = release_pulling(-before.gradient, settings_, scene);
  memory->force = forces.residual.head<3>().norm();
  memory->torque = forces.residual.tail<3>().norm();
  report.residual = std::max(memory->force, memory->torque);
  report.body = scene.active;
  state.contacts.clear();
  Eigen::Index contact = 0;
  for (const InterfacePoint& p : scene.points) {
    if (!p.contact) continue;
    const PairView v = scene.view(p);
    state.contacts.push_back({p.body_b, scene.active, 0.5 * (v.point + v.foot), v.normal,
                              v.separation,
                              forces.normal[contact++] * scene.mover().weight * v.normal});
  }
  memory->points = scene.points;
  report = finish(*memory, forces, report);
  if (report.status == RunStatus::moving) {
    const auto failure = advance(forces, before, *memory, scene);
    if (failure) {
      memory->failures[static_cast<std::size_t>(*failure)] += 1;
      memory->epsilon *= 0.5;
    } else {
      memory->points = scene.points;
      memory->epsilon = std::min(settings_.paper_lambda * memory->epsilon, settings_.paper_epsilon);
      memory->epsilon_before = memory->epsilon;
      Pose& pose = state.bodies[static_cast<std::size_t>(scene.active)].world_from_body;
      pose.rotation = Quat(scene.body().rotation).normalized();
      pose.position = scene.body().center - pose.rotation * scene.center_body();
    }
    if (state.step >= settings_.max_steps)
      stop_out_of_steps("place", problem, state, settings_.friction, report);
  }
  state.memory = memory;
  return report;
}

Audit PaperEngine::audit(const Problem& problem, const State& state) {
  const auto memory = std::static_pointer_cast<const PaperMemory>(state.memory);
  Audit out;
  if (!arena_.active.empty())
    out.energy = energy(arena_, problem, places_of(arena_, problem, state));
  out.force_residual = memory->force;
  out.torque_residual = memory->torque;
  out.worst_gap = out.worst_gap_relative = kUnknown;
  out.series = {{"contacts", static_cast<double>(state.contacts.size())},
                {"epsilon", memory->epsilon},
                {"rows", static_cast<double>(memory->points.size())},
                {"residual", std::max(memory->force, memory->torque)}};
  return out;
}

Json::Object PaperEngine::facts(const Problem&, const State& state) {
  const auto memory = std::static_pointer_cast<const PaperMemory>(state.memory);
  Json::Object failures;
  for (std::size_t i = 0; i < kCauses.size(); ++i)
    failures.emplace_back(kCauses[i], memory->failures[i]);
  return {{"loop_failures", std::move(failures)}, {"interface_points", memory->points.size()}};
}

}  // namespace

std::unique_ptr<Method> make_paper_engine(const PlaceSettings& settings) {
  return std::make_unique<PaperEngine>(settings);
}

bool moved_by_paper_engine(const State& state) {
  return std::dynamic_pointer_cast<const PaperMemory>(state.memory) != nullptr;
}

}  // namespace repose::place
