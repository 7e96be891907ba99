#include "check/wild.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "repose/base/stage_clock.h"
#include "repose/check/verdict.h"

#include "check/sweep.h"
#include "known.h"

namespace repose::check::bench {

namespace {

void tell(long k, const wild::Pair& p, const GapBracket& g, double seconds) {
  std::printf(
      "pair %ld %s - %s: %s [%.6g, %.6g] of %.3g, sizes %.3g %.3g, thick %.3g %.3g, at %.3g %.3g, "
      "true %.9Lg %.9Lg, error %.3Lg, %.0f ms\n",
      k, p.body_a.kind.c_str(), p.body_b.kind.c_str(), to_text(g.status), g.lower, g.upper, p.size,
      p.a.size(), p.b.size(), p.body_a.thick, p.body_b.thick, p.a.world_from_body.position.norm(),
      p.b.world_from_body.position.norm(), p.apart, p.reach, p.error, 1e3 * seconds);
}

/// Brackets at 1e-6 of size against what is true in long double.
long judge_brackets(wild::Wildness kind, long pairs, long seed, long only) {
  constexpr double kWidth = 1e-6;
  Random random(static_cast<std::uint64_t>(seed));
  long faults = 0, undecided = 0;
  std::map<std::string, long> open;  // undecided, by kinds
  double worst = 0.0;
  const bool told = only >= 0 || std::getenv("TELL");
  const double begin = cpu_seconds();
  for (long k = 0; k < pairs; ++k) {
    const wild::Pair p = wild::draw_wild(kind, sweep::draw_gap(random), random);
    if (only >= 0 && k != only) continue;
    const double start = cpu_seconds();
    const GapBracket g = gap(p.a, p.b, {.width = kWidth});
    worst = std::max(worst, cpu_seconds() - start);
    if (g.status == GapStatus::undecided) {
      ++undecided;
      ++open[p.body_a.kind + " - " + p.body_b.kind];
    }
    const std::string fault = wild::fault(p, g);
    if (told && (only >= 0 || !fault.empty() || g.status == GapStatus::undecided))
      tell(k, p, g, cpu_seconds() - start);
    if (fault.empty()) continue;
    ++faults;
    std::printf("%s pair %ld of seed %ld: %s - %s: %s; %.9Lg in [%.9g, %.9g]\n", name(kind), k,
                seed, p.body_a.kind.c_str(), p.body_b.kind.c_str(), fault.c_str(), p.apart, g.lower,
                g.upper);
  }
  std::printf("wild, %-6s %ld pairs, %ld contradictions, %ld undecided; %.1f s, worst %.0f ms\n",
              name(kind), pairs, faults, undecided, cpu_seconds() - begin, 1e3 * worst);
  for (const auto& [kinds, count] : open)
    std::printf("  undecided %s: %ld\n", kinds.c_str(), count);
  std::fflush(stdout);
  return faults;
}

/// Poses pushed 1e-8 of size into another body: none may be called free.
long judge_pushed(wild::Wildness kind, long pairs, long seed) {
  constexpr double kPush = -1e-8;
  Random random(static_cast<std::uint64_t>(seed));
  Settings settings;
  settings.judge_balance = settings.judge_stability = false;
  long proven = 0, missed = 0;
  for (long k = 0; k < pairs;) {
    const wild::Pair p = wild::draw_wild(kind, kPush, random);
    if (!p.at_fault()) continue;
    ++k;
    Input input;
    input.bodies = {p.a, p.b};
    const Verdict v = check::check(input, settings);
    missed += v.answer == Answer::missed;
    if (v.answer != Answer::proven) continue;
    ++proven;
    std::printf("%s pushed pair %ld of seed %ld: %s - %s, %.9Lg, is called proven\n", name(kind), k,
                seed, p.body_a.kind.c_str(), p.body_b.kind.c_str(), p.apart);
  }
  std::printf("pushed in, %-6s %ld pairs, %ld proven, %ld missed, %ld undecided\n", name(kind),
              pairs, proven, missed, pairs - proven - missed);
  std::fflush(stdout);
  return proven;
}

}  // namespace

long judge_wild(const std::string& sort, long pairs, long pushed, long seed, long only) {
  long faults = 0;
  for (const wild::Wildness kind : wild::kWild)
    if (sort.empty() || sort == name(kind)) faults += judge_brackets(kind, pairs, seed, only);
  for (const wild::Wildness kind : wild::kWild)
    if (sort.empty() || sort == name(kind)) faults += judge_pushed(kind, pushed, seed);
  return faults;
}

}  // namespace repose::check::bench
