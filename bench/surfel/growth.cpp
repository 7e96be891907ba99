#include "growth.h"

#include <cstdio>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace {

using namespace repose;
using bench::Holds;

constexpr double kSpacing = 0.005;   // m, of surfels
constexpr double kSpan = 0.012;      // s, of a run
constexpr double kThickness = 0.04;  // m

/// Two blocks that fly against each other along x.
std::string scene_text(double length, double width) {
  const auto body = [&](const char* name, int side) {
    return fmt::format(
        R"({{"name": "{}", "material": "gel", "position": [{}, 0, 0], "velocity": [{}, 0, 0],
 "shape": {{"kind": "sample", "spacing": {}, "phyxel_spacing": 0.013, "shape": {{"kind": "box", "size": [{}, {}, {}]}}}}}})",
        name, side * (0.5 * length + 0.002), -0.8 * side, kSpacing, length, width, width);
  };
  return fmt::format(
      R"({{"repose": 1, "method": {{"kind": "surfel", "engine": "paper"}}, "gravity": [0, 0, 0],
 "materials": {{"gel": {{"density": 1000, "young_modulus": 1e5, "poisson_ratio": 0.3, "friction": 0.3}}}},
 "bodies": [{}, {}]}})",
      body("left", -1), body("right", 1));
}

struct Cost {
  double surfels = 0.0;  // all there are
  double meeting = 0.0;  // of the contact surface, mean over the steps in which there are any
  double seconds = 0.0;  // of contact handling, a step of those
};

double handling(const Session& session) {
  double out = 0.0;
  for (const auto& [stage, seconds] : session.clock().seconds())
    if (stage == "handle_contacts") out += seconds;
  return out;
}

std::optional<Cost> cost_of(double length, double width) {
  const auto scene = scene_from_text(scene_text(length, width), "growth.json", method_catalogue());
  if (!scene) return std::printf("%s\n", scene.error().text().c_str()), std::nullopt;
  auto world = build_world(*scene);
  if (!world) return std::printf("%s\n", world.error().text().c_str()), std::nullopt;
  Cost out;
  for (const Body& body : world->problem.bodies)
    out.surfels +=
        static_cast<double>(std::get<shape::PointSet>(body.shape->geometry).surfels.size());
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("surfel"), scene->method.settings);
  if (!session) return std::printf("%s\n", session.error().text().c_str()), std::nullopt;
  int steps = 0;
  while (session->state().time < kSpan) {
    const double before = handling(*session);
    if (const auto done = session->step(); !done)
      return std::printf("%s\n", done.error().text().c_str()), std::nullopt;
    const auto meeting = static_cast<double>(session->state().contacts.size());
    if (!(meeting > 0.0)) continue;
    out.meeting += meeting;
    out.seconds += handling(*session) - before;
    ++steps;
  }
  if (steps == 0) return std::printf("the two blocks do not meet\n"), std::nullopt;
  out.meeting /= steps;
  out.seconds /= steps;
  return out;
}

}  // namespace

int measure_growth(bench::Sheet& sheet) {
  auto& table = sheet.table("contact-cost",
                            "Contact handling of the paper's engine: two blocks that meet face to "
                            "face; wider ones, then longer ones",
                            {{"length, m", Holds::measure},
                             {"width, m", Holds::measure},
                             {"surfels", Holds::count},
                             {"on the contact surface, mean", Holds::measure},
                             {"a step, ms", Holds::time}});
  const auto measure = [&](double length, double width, std::vector<double>& sizes,
                           std::vector<double>& seconds, bool by_meeting) {
    const auto cost = cost_of(length, width);
    if (!cost) return false;
    table.row({length, width, cost->surfels, cost->meeting, 1e3 * cost->seconds});
    sizes.push_back(by_meeting ? cost->meeting : cost->surfels);
    seconds.push_back(cost->seconds);
    return true;
  };
  bench::Growth wider{"contact-cost-meeting",
                      "contact handling against surfels on the contact surface",
                      {},
                      {},
                      {}};
  bench::Growth longer{
      "contact-cost-others", "contact handling against surfels that meet nothing", {}, {}, {}};
  for (const double width : {0.04, 0.06, 0.09, 0.135}) {
    if (sheet.quick() && width > 0.07) continue;
    if (!measure(kThickness, width, wider.sizes, wider.seconds, true)) return 3;
  }
  for (const double length : {0.04, 0.08, 0.16, 0.32}) {
    if (sheet.quick() && length > 0.1) continue;
    if (!measure(length, 0.04, longer.sizes, longer.seconds, false)) return 3;
  }
  table.note(fmt::format(
      "Exponents: {:.2f} of surfels on the contact surface, {:.2f} of all where as many are on it.",
      bench::exponent(wider.sizes, wider.seconds), bench::exponent(longer.sizes, longer.seconds)));
  sheet.growth(std::move(wider));
  sheet.growth(std::move(longer));
  return 0;
}
