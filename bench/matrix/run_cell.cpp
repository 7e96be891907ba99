#include "run_cell.h"

#include <atomic>
#include <cmath>
#include <csignal>
#include <map>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repose/base/check.h"
#include "repose/base/json.h"
#include "repose/base/stage_clock.h"
#include "repose/base/work.h"
#include "repose/run/catalogue.h"
#include "repose/run/judge.h"
#include "repose/run/loop.h"
#include "repose/scene/scene.h"

namespace repose::matrix {

namespace {

std::atomic<bool> time_is_up{false};

/// A step that does not end, or a judge that does not, is killed after so many limits.
constexpr double kKillAfter = 3.0;

void limit_time(double seconds) {
  std::signal(SIGPROF, [](int) { time_is_up = true; });
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
  setitimer(ITIMER_PROF, &timer, nullptr);
  const auto most = static_cast<rlim_t>(std::ceil(kKillAfter * seconds));
  const rlimit limit{most, most};
  setrlimit(RLIMIT_CPU, &limit);
}

/// A mover's centre of mass is beneath the ground.
bool ends_beneath(const Problem& problem, const State& state) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    if (!problem.bodies[i].fixed &&
        (state.bodies[i].world_from_body * problem.bodies[i].center_body).z() < 0.0)
      return true;
  return false;
}

Outcome refused(const InputError& error) {
  Outcome out;
  out.status = "refused";
  out.why = error.text();
  return out;
}

Outcome run_here(const Cell& cell) {
  const auto scene = scene_from_text(scene_text(cell), cell.name() + ".json", method_catalogue());
  if (!scene) return refused(scene.error());
  auto world = build_world(*scene);
  if (!world) return refused(world.error());
  const auto method = find_method(cell.method);
  if (!method) return refused(method.error());
  const double begin = cpu_seconds();
  auto session = Session::start(std::move(world->problem), std::move(world->state), **method,
                                scene->method.settings);
  if (!session) return refused(session.error());
  RunLimits limits;
  limits.interrupt = &time_is_up;
  RunObserver nobody;
  const auto run = run_to_end(*session, limits, nobody);
  if (!run) return refused(run.error());
  Outcome out;
  out.seconds = cpu_seconds() - begin;
  out.steps = session->state().step;
  out.passed = ends_beneath(session->problem(), session->state());
  const Judgement said = judge(session->problem(), session->state(), {claims_rest(run->status)});
  out.judge_seconds = cpu_seconds() - begin - out.seconds;
  const bool unstable = run->status == RunStatus::rest && said.moves_off;
  out.status = time_is_up && run->status == RunStatus::stopped
                   ? "over_time"
                   : to_text(unstable ? RunStatus::metastable : run->status);
  out.overlap = to_text(said.overlap);
  out.verdict = to_text(prove::both(said.overlap, said.balanced));
  out.why = said.why.empty() ? run->why : run->why + "; the judge: " + said.why;
  return out;
}

Outcome run_guarded(const Cell& cell) {
  try {
    return run_here(cell);
  } catch (const std::exception& error) {
    Outcome out;
    out.status = "crashed";
    out.why = error.what();
    return out;
  }
}

std::string line_of(const Outcome& o) {
  return Json(Json::Object{{"status", o.status},
                           {"verdict", o.verdict},
                           {"overlap", o.overlap},
                           {"seconds", o.seconds},
                           {"judge_seconds", o.judge_seconds},
                           {"steps", o.steps},
                           {"passed", o.passed},
                           {"why", o.why}})
      .line();
}

/// What a process that ended left; one that was killed left nothing.
Outcome outcome_of(const std::string& line, int status) {
  Outcome out;
  const auto read = JsonDocument::parse(line, "outcome");
  if (!read) {
    const bool late =
        WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
    out.status = late ? "over_time" : "crashed";
    out.why = late ? "killed: a step or the judge did not end"
                   : fmt::format("signal {}", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return out;
  }
  const JsonView root = (*read)->root();
  const auto text = [&](const char* key) { return root.find(key)->text(); };
  out.status = text("status");
  out.verdict = text("verdict");
  out.overlap = text("overlap");
  out.why = text("why");
  out.seconds = root.find("seconds")->number();
  out.judge_seconds = root.find("judge_seconds")->number();
  out.steps = static_cast<long>(root.find("steps")->number());
  out.passed = root.find("passed")->boolean();
  return out;
}

struct Running {
  std::size_t cell;
  int from;  // the reading end of its pipe
};

/// The process's id, and where it writes.
std::pair<pid_t, Running> start(const std::vector<Cell>& cells, std::size_t index, double seconds) {
  int ends[2] = {-1, -1};
  REPOSE_CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  REPOSE_CHECK(child >= 0);
  if (child == 0) {
    limit_time(seconds);
    const std::string line = line_of(run_guarded(cells[index]));
    const bool whole =
        write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size());
    _exit(whole ? 0 : 1);
  }
  close(ends[1]);
  return {child, {index, ends[0]}};
}

std::string read_all(int from) {
  constexpr std::size_t kBlock = 4096;  // bytes
  std::string out;
  char block[kBlock];
  for (ssize_t n = read(from, block, kBlock); n > 0; n = read(from, block, kBlock))
    out.append(block, static_cast<std::size_t>(n));
  close(from);
  return out;
}

}  // namespace

void run_cells(const std::vector<Cell>& cells, const Limits& limits,
               const std::function<void(std::size_t, const Outcome&)>& done) {
  std::map<pid_t, Running> running;
  std::size_t next = 0;
  while (next < cells.size() || !running.empty()) {
    while (next < cells.size() && running.size() < static_cast<std::size_t>(limits.jobs)) {
      running.insert(start(cells, next, cells[next].method == "pile" ? limits.pile : limits.place));
      ++next;
    }
    int status = 0;
    const auto ended = running.find(wait(&status));
    if (ended == running.end()) continue;
    const Running one = ended->second;
    running.erase(ended);
    done(one.cell, outcome_of(read_all(one.from), status));
  }
}

}  // namespace repose::matrix
