#include "known.h"

#include <cstdio>

#include "repose/base/stage_clock.h"
#include "repose/check/verdict.h"

#include "check/shapes.h"
#include "check/sweep_bodies.h"
#include "check/truth_cases.h"

namespace repose::check::bench {

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
    input.bodies.push_back(at(ball(random.between(0.3, 0.6)),
                              20.0 * Vec3(random.unit(), random.unit(), random.unit())));
  Settings settings;
  settings.judge_balance = settings.judge_stability = false;
  start = cpu_seconds();
  const Verdict v = repose::check::check(input, settings);
  std::printf("%d balls, %zu overlaps: %.3f s\n", kBalls, v.overlaps.size(), cpu_seconds() - start);
}

}  // namespace repose::check::bench
