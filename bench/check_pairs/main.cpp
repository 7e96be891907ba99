// Random pairs of bodies near touching, judged three ways and swept: pairs a second by kind,
// undecided answers, and answers that the sweep refutes.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "repose/base/stage_clock.h"
#include "repose/check/verdict.h"

#include "check/sweep.h"
#include "check/truth_cases.h"

namespace {

using namespace repose;
using namespace repose::check;

struct Tally {
  long pairs = 0, undecided = 0, faults = 0, apart_asked = 0, apart_proven = 0;
  double seconds = 0.0, apart_seconds = 0.0, worst = 0.0, fine_seconds = 0.0;
  long fine_undecided = 0;
};

/// The body's way through the judge.
int way(const sweep::Pair& p) {
  const auto swept = [](const sweep::Body* b) {
    return b->kind == "torus" || b->kind == "capsule";
  };
  const auto mesh = [](const sweep::Body* b) { return b->kind == "mesh"; };
  if (p.convex()) return 0;
  if (mesh(p.body_a) || mesh(p.body_b)) return 2;
  if (swept(p.body_a) || swept(p.body_b)) return 1;
  return 3;
}
const char* const kWays[] = {"convex", "swept", "mesh", "curved"};

double judge(const sweep::Pair& pair, const GapSettings& settings, GapBracket& out) {
  const double start = cpu_seconds();
  out = gap(pair.a, pair.b, settings);
  return cpu_seconds() - start;
}

/// Closed forms under ten rigid motions: the worst width and time of each.
void judge_known() {
  Random random(21);
  constexpr int kMotions = 10;
  for (const truth::Case& plain : truth::cases(1.0)) {
    const double width = truth::width_asked(plain.contact);
    double worst = 0.0, slowest = 0.0;
    int open = 0;
    for (int k = 0; k < kMotions; ++k) {
      const truth::Case c = truth::moved(plain, truth::random_motion(random, 1.0));
      const double start = cpu_seconds();
      const GapBracket g = gap(c.a, c.b, {.width = width});
      slowest = std::max(slowest, cpu_seconds() - start);
      worst = std::max(worst, g.width() / std::min(c.a.size(), c.b.size()));
      open += g.status != GapStatus::closed;
    }
    std::printf("%-28s asked %.0e, width %.1e of size, %9.3f ms at most, %d not closed\n",
                plain.name.c_str(), width, worst, 1e3 * slowest, open);
  }
}

/// Two meshes of 100 000 triangles each, trees included, and ten thousand balls.
void judge_large() {
  const auto mesh = round_mesh(316, 160, 1.0, 0.05);
  double start = cpu_seconds();
  const GapBracket apart = gap(at(mesh, Vec3::Zero()), at(mesh, Vec3(2.05, 0, 0.1)));
  std::printf("two meshes of 100 000 triangles, apart [%.3g, %.3g]: %.3f s\n", apart.lower,
              apart.upper, cpu_seconds() - start);
  start = cpu_seconds();
  const GapBracket over = gap(at(mesh, Vec3::Zero()), at(mesh, Vec3(1.9, 0, 0.1)));
  std::printf("the same, overlapping [%.3g, %.3g] %s: %.3f s\n", over.lower, over.upper,
              to_text(over.status), cpu_seconds() - start);
  Random random(5);
  Input input;
  constexpr int kBalls = 10'000;
  for (int i = 0; i < kBalls; ++i)
    input.items.push_back(at(ball(random.between(0.3, 0.6)),
                             20.0 * Vec3(random.unit(), random.unit(), random.unit())));
  Settings settings;
  settings.judge_balance = settings.judge_stability = false;
  start = cpu_seconds();
  const Verdict v = repose::check::check(input, settings);
  std::printf("%d balls, %zu overlaps: %.3f s\n", kBalls, v.overlaps.size(), cpu_seconds() - start);
}

}  // namespace

int main(int argc, char** argv) {
  const long count = argc > 1 ? std::atol(argv[1]) : 100'000;
  const bool swept = argc <= 2 || std::atoi(argv[2]) != 0;
  const auto seed = static_cast<std::uint64_t>(argc > 3 ? std::atol(argv[3]) : 1);
  judge_known();
  judge_large();
  Random random(seed);
  std::vector<sweep::Body> bodies;
  constexpr int kEach = 6;
  for (const auto make : sweep::makers())
    for (int k = 0; k < kEach; ++k) bodies.push_back(make(random));
  Tally tally[4];
  std::map<std::string, Tally> kinds;
  for (long k = 0; k < count; ++k) {
    const sweep::Pair pair = sweep::draw_pair(bodies[random.below(bodies.size())],
                                              bodies[random.below(bodies.size())], random);
    GapBracket g, fine, apart;
    const double seconds = judge(pair, {.width = 1e-6}, g);
    const double fine_seconds = judge(pair, {.width = 1e-9}, fine);
    Tally* const tallies[] = {&tally[way(pair)],
                              &kinds[std::min(pair.body_a->kind, pair.body_b->kind) + " - " +
                                     std::max(pair.body_a->kind, pair.body_b->kind)]};
    if (std::getenv("SLOW") && seconds + fine_seconds > 0.2)
      std::fprintf(stderr, "%ld %s-%s meant %g: %g s [%g %g] %s %ld, %g s [%g %g] %s %ld\n", k,
                   pair.body_a->kind.c_str(), pair.body_b->kind.c_str(), pair.meant, seconds,
                   g.lower, g.upper, to_text(g.status), g.tests, fine_seconds, fine.lower,
                   fine.upper, to_text(fine.status), fine.tests);
    std::string fault;
    if (swept) {
      const sweep::Seen seen = sweep::look(pair);
      fault = sweep::fault(pair, g, seen);
      if (fault.empty()) fault = sweep::fault(pair, fine, seen);
    }
    const bool disjoint = g.lower > 1e-6 * pair.size;
    const double apart_seconds =
        disjoint ? judge(pair, {.width = 1e-6, .enough = 0.0}, apart) : 0.0;
    if (!fault.empty())
      std::printf("pair %ld %s - %s: %s; meant %.17g [%.17g, %.17g]\n", k,
                  pair.body_a->kind.c_str(), pair.body_b->kind.c_str(), fault.c_str(), pair.meant,
                  g.lower, g.upper);
    for (Tally* t : tallies) {
      ++t->pairs;
      t->seconds += seconds;
      t->fine_seconds += fine_seconds;
      t->worst = std::max(t->worst, seconds);
      t->undecided += g.status == GapStatus::undecided;
      t->fine_undecided += fine.status == GapStatus::undecided;
      t->faults += !fault.empty();
      t->apart_asked += disjoint;
      t->apart_seconds += apart_seconds;
      t->apart_proven += disjoint && apart.status == GapStatus::apart;
    }
  }
  const auto row = [](const char* name, const Tally& t) {
    const auto n = static_cast<double>(t.pairs);
    std::printf(
        "%-28s %7ld pairs %9.0f /s at 1e-6 %9.0f /s at 1e-9 %9.0f /s apart; undecided %ld %ld; "
        "not apart %ld; worst %.1f ms; faults %ld\n",
        name, t.pairs, n / t.seconds, n / t.fine_seconds,
        static_cast<double>(t.apart_asked) / t.apart_seconds, t.undecided, t.fine_undecided,
        t.apart_asked - t.apart_proven, 1e3 * t.worst, t.faults);
  };
  for (int w = 0; w < 4; ++w)
    if (tally[w].pairs > 0) row(kWays[w], tally[w]);
  for (const auto& [name, t] : kinds) row(name.c_str(), t);
  return 0;
}
