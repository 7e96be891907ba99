#include "repose/handover/settle.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "repose/base/disjoint_sets.h"
#include "repose/base/stage_clock.h"
#include "repose/base/stage_interrupt.h"
#include "repose/base/work.h"
#include "repose/run/catalogue.h"
#include "repose/run/loop.h"
#include "repose/run/session.h"
#include "repose/run/support.h"

namespace repose::handover {

namespace {

/// A body that a small push would move for good is pushed by this much, reaches.
constexpr double kNudge = 0.02;
/// Shifts below this are rounding, of the body's size.
constexpr double kNoShift = 1e-6;
constexpr std::int64_t kMostSteps = 1500;
/// What is set down finely is balanced to this, of its weight: well below what the judge asks.
constexpr double kFine = 1e-9;
/// A body that overlaps what lies below it is raised by these shares of its size: first by the
/// least, then by twice as much each time, up to the most.
constexpr double kLeastRise = 2e-3, kRise = 0.1;
constexpr int kMostRises = 200;
/// More bodies than this are not tried together by `place`.
constexpr std::size_t kMostTogether = 6;

/// What a method made of a state.
struct Attempt {
  State start;  // after bodies were moved apart
  State end;
  RunStatus status = RunStatus::stopped;
  std::string why;
};

bool is_rest(RunStatus status) {
  return status == RunStatus::rest || status == RunStatus::metastable;
}

double way_of(const Body& body, const Pose& from, const Pose& to) {
  const Vec3 center = body.shape->bounding_center;
  const double angle = vector_from_rotation(to.rotation * from.rotation.conjugate()).norm();
  return (to * center - from * center).norm() +
         2.0 * std::sin(angle / 2.0) * body.shape->bounding_radius;
}

/// The same bodies, of which only some may move.
Problem with_moving(const Problem& problem, const std::vector<bool>& moves) {
  Problem out = problem;
  for (std::size_t i = 0; i < out.bodies.size(); ++i) out.bodies[i].fixed = !moves[i];
  return out;
}

/// A part of the bodies, with the places of those that are left.
struct Part {
  Problem problem;
  State state;
  std::vector<std::size_t> from;  // index in the whole
};
Part part_of(const Problem& problem, const State& state, const std::vector<bool>& there) {
  Part out;
  out.problem = problem;
  out.problem.bodies.clear();
  for (std::size_t i = 0; i < there.size(); ++i) {
    if (!there[i]) continue;
    out.problem.bodies.push_back(problem.bodies[i]);
    out.problem.bodies.back().id = {static_cast<std::uint32_t>(out.from.size()), 1};
    out.state.bodies.push_back(state.bodies[i]);
    out.from.push_back(i);
  }
  return out;
}

class Settling {
 public:
  Settling(const Handed& handed, const Catalogue& catalogue, const SettleSettings& settings,
           World world)
      : handed_(handed),
        catalogue_(catalogue),
        settings_(settings),
        problem_(std::move(world.problem)),
        given_(std::move(world.state)) {
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i)
      if (!problem_.bodies[i].held()) movers_.push_back(i);
  }

  Result<Settled> run() {
    if (movers_.empty()) return nothing_moves();
    if (!(problem_.gravity.norm() > 0.0)) return mistake("there is no gravity", "a gravity");
    out_.moving = static_cast<int>(movers_.size());
    const double before = cpu_seconds();
    static const std::atomic<bool> kNever = false;
    const StageInterrupt watch(settings_.interrupt != nullptr ? *settings_.interrupt : kNever);
    const Attempt attempt = first_attempt();
    if (attempt.end.bodies.empty()) return *error_;
    note_parting(attempt.start);
    out_.status = attempt.status;
    out_.why = attempt.why;
    State state = attempt.end;
    out_.solve_seconds = cpu_seconds() - before;
    set_down(state);
    finish(state);
    return std::move(out_);
  }

 private:
  InputError mistake(std::string wrong, std::string right) const {
    InputError error;
    error.file = handed_.scene.file;
    error.wrong = std::move(wrong);
    error.right = std::move(right);
    return error;
  }
  InputError nothing_moves() const {
    return mistake("nothing in it can move",
                   handed_.standing.empty()
                       ? "a body that is not fixed"
                       : fmt::format("--bodies {}, to move it as it stands", handed_.standing[0]));
  }

  bool interrupted() const {
    return settings_.interrupt != nullptr && settings_.interrupt->load(std::memory_order_relaxed);
  }
  /// Nothing has come of it: all is as it was given.
  static Attempt ended_early(const State& state) {
    return {state, state, RunStatus::stopped, "interrupted"};
  }
  /// One method on a problem. An error stays in error_.
  std::optional<Attempt> attempt(const char* method, const Problem& problem, const State& state,
                                 const SettingValues& values) {
    const auto info = find_method(method);
    if (!info) return std::nullopt;
    Problem eased = problem;
    for (Body& body : eased.bodies) body.material.friction *= settings_.friction_share;
    // parting bodies that overlap may take long: it looks at the interrupt as well
    const auto started = [&]() -> std::optional<Result<Session>> {
      try {
        return Session::start(std::move(eased), state, **info, values);
      } catch (const Interrupted&) {
        return std::nullopt;
      }
    };
    auto session_or = started();
    if (!session_or) return ended_early(state);
    auto& session = *session_or;
    if (!session) {
      if (!error_) error_ = session.error();
      return std::nullopt;
    }
    Attempt out;
    out.start = session->state();
    RunLimits limits;
    limits.steps = kMostSteps;
    limits.interrupt = settings_.interrupt;
    RunObserver nobody;
    try {
      const auto outcome = run_to_end(*session, limits, nobody);
      if (!outcome) {
        if (!error_) error_ = outcome.error();
        return std::nullopt;
      }
      out.status = outcome->status;
      out.why = outcome->why;
    } catch (const BrokenPromise& broken) {
      // the last good state stands; the judge says what it is worth
      out.why = broken.what();
    } catch (const Interrupted&) {
      out.status = RunStatus::stopped;
      out.why = "interrupted";
    }
    out.end = session->state();
    return out;
  }
  std::optional<Attempt> by_pile(const State& from) {
    double friction = 10.0;
    for (const Body& body : problem_.bodies)
      friction = std::min(friction, settings_.friction_share * body.material.friction);
    return attempt("pile", problem_, from,
                   {{"friction", true}, {"most_friction", friction}, {"repair_start", true}});
  }
  std::optional<Attempt> by_place(const Problem& problem, const State& state, bool fine = false) {
    SettingValues values{{"friction", true}, {"repair_start", true}, {"nudge", kNudge}};
    if (fine) values["rest_force"] = kFine;
    return attempt("place", problem, state, values);
  }

  /// Bodies that overlap as one above the other: from the lowest up, each is raised until it is
  /// free. For starts from which no method parts bodies by a short way.
  State raised() {
    State out = given_;
    std::vector<bool> there(problem_.bodies.size(), true);
    for (const std::size_t i : movers_) there[i] = false;
    const Vec3 up = -problem_.gravity.normalized();
    for (const std::size_t i : by_height()) {
      there[i] = true;
      std::vector<bool> moves(problem_.bodies.size(), false);
      moves[i] = true;
      const Problem alone = with_moving(problem_, moves);
      double by = kLeastRise;
      for (int rise = 0; rise < kMostRises && !interrupted(); ++rise) {
        const Part part = part_of(alone, out, there);
        if (judge(part.problem, part.state, {.judge_balance = false}).overlap ==
            Judgement::Answer::proven)
          break;
        out.bodies[i].world_from_body.position += by * problem_.bodies[i].size() * up;
        by = std::min(2.0 * by, kRise);
      }
    }
    return out;
  }
  /// Parting has moved a body farther than it is large.
  bool threw(const Attempt& attempt) const {
    return std::any_of(movers_.begin(), movers_.end(), [&](std::size_t i) {
      return way_of(problem_.bodies[i], given_.bodies[i].world_from_body,
                    attempt.start.bodies[i].world_from_body) > problem_.bodies[i].size();
    });
  }

  Attempt first_attempt() {
    Attempt found = all_attempts(given_);
    if (interrupted() || (!found.end.bodies.empty() && !threw(found))) return found;
    const State start = raised();
    if (interrupted()) return found.end.bodies.empty() ? ended_early(given_) : found;
    Attempt again = all_attempts(start);
    if (again.end.bodies.empty() || !is_rest(again.status)) return found;
    return again;
  }
  Attempt all_attempts(const State& from) {
    Attempt best;
    const auto take = [&](std::optional<Attempt> found, const char* how) {
      if (!found || (!best.end.bodies.empty() && !is_rest(found->status))) return;
      best = std::move(*found);
      out_.how = how;
    };
    take(by_pile(from), "pile");
    // a start that pile cannot part: `place` alone would take long
    if (best.end.bodies.empty() && !interrupted()) take(by_pile(raised()), "pile");
    if (is_rest(best.status) || interrupted()) return best;
    if (movers_.size() <= kMostTogether) take(by_place(problem_, from), "place");
    if (is_rest(best.status) || interrupted()) return best;
    take(one_by_one(from), "place, one after the other");
    return best;
  }

  /// Height of a body's lowest point, about.
  double height(std::size_t i) const {
    const Vec3 up = -problem_.gravity.normalized();
    const Body& body = problem_.bodies[i];
    return up.dot(given_.bodies[i].world_from_body * body.shape->bounding_center) -
           body.shape->bounding_radius;
  }
  std::vector<std::size_t> by_height() const {
    std::vector<std::size_t> order = movers_;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return height(a) < height(b); });
    return order;
  }
  std::optional<Attempt> one_by_one(const State& from) {
    Attempt whole;
    whole.start = whole.end = from;
    whole.status = RunStatus::rest;
    std::vector<bool> there(problem_.bodies.size(), true);
    for (const std::size_t i : movers_) there[i] = false;
    for (const std::size_t i : by_height()) {
      if (interrupted()) return ended_early(from);
      there[i] = true;
      std::vector<bool> moves(problem_.bodies.size(), false);
      moves[i] = true;
      const Part part = part_of(with_moving(problem_, moves), whole.end, there);
      const auto found = by_place(part.problem, part.state);
      if (!found) return std::nullopt;
      for (std::size_t k = 0; k < part.from.size(); ++k) {
        if (part.from[k] != i) continue;
        whole.end.bodies[i] = found->end.bodies[k];
        whole.start.bodies[i] = found->start.bodies[k];
      }
      if (is_rest(found->status)) continue;
      whole.status = found->status;
      whole.why = fmt::format("{}: {}", problem_.bodies[i].name, found->why);
    }
    return whole;
  }

  /// Sets of movers that touch one another.
  std::vector<std::vector<std::size_t>> touching(const State& state) const {
    DisjointSets sets(static_cast<int>(problem_.bodies.size()));
    const auto moves = [&](int i) {
      return i >= 0 && !problem_.bodies[static_cast<std::size_t>(i)].held();
    };
    for (const Contact& contact : state.contacts)
      if (moves(contact.body_a) && moves(contact.body_b)) sets.join(contact.body_a, contact.body_b);
    std::map<int, std::vector<std::size_t>> found;
    for (const std::size_t i : movers_) found[sets.name_of(static_cast<int>(i))].push_back(i);
    std::vector<std::vector<std::size_t>> out;
    for (auto& [name, members] : found) {
      if (members.size() <= kMostTogether) {
        out.push_back(std::move(members));
        continue;
      }
      // too many at once: one by one
      for (const std::size_t i : members) out.push_back({i});
    }
    return out;
  }
  static int worth(const Judgement& verdict) {
    using Answer = Judgement::Answer;
    if (verdict.overlap != Answer::proven) return 0;
    if (verdict.balanced != Answer::proven) return 1;
    return verdict.moves_off ? 2 : 3;
  }
  /// What touches is set down finely where the judge is not content with it.
  void set_down(State& state) {
    bool better = false;
    for (const auto& members : touching(state)) {
      if (interrupted()) return;
      std::vector<bool> moves(problem_.bodies.size(), false);
      for (const std::size_t i : members) moves[i] = true;
      const Problem part = with_moving(problem_, moves);
      const Judgement before = judged(part, state);
      if (worth(before) == 3) continue;
      const double start = cpu_seconds();
      const auto found = by_place(part, state, true);
      out_.solve_seconds += cpu_seconds() - start;
      if (!found || worth(judged(part, found->end)) <= worth(before)) continue;
      for (const std::size_t i : members) state.bodies[i] = found->end.bodies[i];
      better = true;
      if (!is_rest(out_.status)) out_.status = found->status;
    }
    if (better && out_.how != "place") out_.how += ", then place";
  }
  Judgement judged(const Problem& problem, const State& state) {
    const double start = cpu_seconds();
    State plain = state;
    plain.contacts.clear();
    const Judgement out = judge(problem, plain, {.interrupt = settings_.interrupt});
    out_.check_seconds += cpu_seconds() - start;
    return out;
  }

  void note_parting(const State& parted) {
    for (const std::size_t i : movers_) {
      const Body& body = problem_.bodies[i];
      const double way =
          way_of(body, given_.bodies[i].world_from_body, parted.bodies[i].world_from_body);
      if (way > kNoShift * body.size()) out_.parted.push_back({body.name, way});
    }
  }

  /// The poses as they stand in the file that is written.
  void finish(State& state) {
    for (const std::size_t i : movers_)
      out_.poses.push_back({problem_.bodies[i].name, state.bodies[i].world_from_body});
    out_.text = with_poses(handed_, out_.poses);
    if (out_.text && !interrupted()) read_back(state);
    for (std::size_t k = 0; k < movers_.size(); ++k) {
      const Body& body = problem_.bodies[movers_[k]];
      const double way =
          way_of(body, given_.bodies[movers_[k]].world_from_body, out_.poses[k].world_from_body);
      if (way >= out_.farthest.way) out_.farthest = {body.name, way};
    }
    if (interrupted()) {
      out_.status = RunStatus::stopped;
      out_.why = "interrupted";
      return;
    }
    out_.verdict = judged(problem_, state);
    // however a method ended, what the judge proves is rest
    if (!out_.proven()) return;
    out_.status = out_.verdict.moves_off ? RunStatus::metastable : RunStatus::rest;
    out_.why.clear();
  }
  void read_back(State& state) {
    OpenOptions options = handed_.options;
    options.key.clear();
    auto again = handed_.own() ? own_again()
                               : from_text(*out_.text, handed_.scene.file, catalogue_, options);
    auto world = again ? build_world(*again) : Result<World>(again.error());
    if (!world) {
      out_.text = world.error();
      return;
    }
    for (std::size_t i = 0; i < problem_.bodies.size(); ++i) {
      const int found = world->problem.find_body(problem_.bodies[i].name);
      if (found < 0) {
        out_.text =
            mistake("the written file reads back as another scene", "poses alone (--poses)");
        return;
      }
      const Pose& read = world->state.bodies[static_cast<std::size_t>(found)].world_from_body;
      if (std::isfinite(problem_.bodies[i].size()) &&
          way_of(problem_.bodies[i], state.bodies[i].world_from_body, read) >
              kNoShift * problem_.bodies[i].size()) {
        out_.text = mistake(fmt::format("{} reads back in another place", problem_.bodies[i].name),
                            "poses that no other frame hangs on, or --poses");
        return;
      }
      state.bodies[i].world_from_body = read;
    }
    for (std::size_t k = 0; k < movers_.size(); ++k)
      out_.poses[k].world_from_body = state.bodies[movers_[k]].world_from_body;
  }
  Result<Handed> own_again() const {
    auto scene = scene_from_text(*out_.text, handed_.scene.file, catalogue_);
    if (!scene) return scene.error();
    Handed out;
    out.scene = std::move(*scene);
    return out;
  }

  const Handed& handed_;
  const Catalogue& catalogue_;
  const SettleSettings& settings_;
  Problem problem_;
  State given_;
  std::vector<std::size_t> movers_;
  std::optional<InputError> error_;
  Settled out_;
};

}  // namespace

bool Settled::proven() const {
  using Answer = Judgement::Answer;
  return is_rest(status) && verdict.overlap == Answer::proven && verdict.balanced == Answer::proven;
}

Result<Settled> settle(const Handed& handed, const Catalogue& catalogue,
                       const SettleSettings& settings) {
  auto world = build_world(handed);
  if (!world) return world.error();
  return Settling(handed, catalogue, settings, std::move(*world)).run();
}

}  // namespace repose::handover
