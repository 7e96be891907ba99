#include "tables.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/run/catalogue.h"

namespace bench_handover {

namespace {

using repose::Random;
using repose::Vec3;

/// Share of its size by which a body is pushed into the table.
constexpr double kOverlap = 0.01;
constexpr double kTop = 0.75;  // m, height of the table
constexpr std::array kKinds{"ball", "box", "can", "capsule", "egg", "stone"};

/// Contacts as stiff as the step allows; a margin of a micrometre keeps them from the first step
/// on. Meshes and the table have none: MuJoCo's contacts of faces that do not touch yet are tilted.
constexpr const char* kHead = R"(<mujoco model="table {}">
  <option timestep="0.001" gravity="0 0 -9.81" ccd_tolerance="1e-10" ccd_iterations="100"/>
  <default><geom margin="1e-6" solref="0.002 1" friction="0.8" density="800"/></default>
)";

/// A geom and how far its points lie from its middle.
struct Geom {
  std::string text, asset;
  double reach = 0.0;  // m
};

std::string numbers(std::initializer_list<double> values) {
  std::string out;
  for (const double v : values) out += fmt::format("{}{}", out.empty() ? "" : " ", v);
  return out;
}

/// A block that is narrower above, as a mesh of its corners.
Geom stone(Random& random, int number) {
  constexpr double kNarrow = 0.7;
  const Vec3 half(random.between(0.02, 0.04), random.between(0.02, 0.04),
                  random.between(0.02, 0.04));
  std::string points;
  for (const double z : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double x : {-1.0, 1.0}) {
        const double width = z < 0.0 ? 1.0 : kNarrow;
        points += " " + numbers({width * x * half.x(), width * y * half.y(), z * half.z()});
      }
  return {fmt::format("type=\"mesh\" mesh=\"stone-{}\" margin=\"0\"", number),
          fmt::format("    <mesh name=\"stone-{}\" vertex=\"{}\"/>\n", number, points.substr(1)),
          half.norm()};
}

Geom geom(Random& random, int number) {
  const auto u = [&](double low, double high) { return random.between(low, high); };
  switch (number % static_cast<int>(kKinds.size())) {
    case 0: {
      const double radius = u(0.02, 0.035);
      return {fmt::format("type=\"sphere\" size=\"{}\"", radius), "", radius};
    }
    case 1: {
      const Vec3 half(u(0.015, 0.04), u(0.015, 0.04), u(0.015, 0.04));
      return {fmt::format("type=\"box\" size=\"{}\"", numbers({half.x(), half.y(), half.z()})), "",
              half.norm()};
    }
    case 2: {
      const double radius = u(0.02, 0.035), half = u(0.02, 0.05);
      return {fmt::format("type=\"cylinder\" size=\"{}\"", numbers({radius, half})), "",
              std::hypot(radius, half)};
    }
    case 3: {
      const double radius = u(0.015, 0.03), half = u(0.02, 0.04);
      return {fmt::format("type=\"capsule\" size=\"{}\"", numbers({radius, half})), "",
              radius + half};
    }
    case 4: {
      const Vec3 radii(u(0.032, 0.04), u(0.024, 0.028), u(0.016, 0.02));
      return {
          fmt::format("type=\"ellipsoid\" size=\"{}\"", numbers({radii.x(), radii.y(), radii.z()})),
          "", radii.x()};
    }
    default:
      return stone(random, number);
  }
}

}  // namespace

std::string table_text(std::uint64_t seed, int bodies) {
  constexpr int kColumns = 5;
  Random random(seed);
  std::string assets, inside;
  for (int i = 0; i < bodies; ++i) {
    const Geom made = geom(random, i);
    const bool can = i % static_cast<int>(kKinds.size()) == 2;
    // cans stand, all else is as it falls
    const repose::Quat q = can ? repose::Quat::Identity() : repose::random_rotation(random);
    const double jitter = 0.03;
    const double x = -0.4 + 0.2 * (i % kColumns) + random.between(-jitter, jitter);
    const double y = -0.28 + 0.18 * (i / kColumns) + random.between(-jitter, jitter);
    const double z = kTop + made.reach + random.between(0.005, 0.05);
    assets += made.asset;
    inside += fmt::format(
        "    <body name=\"{}-{}\" pos=\"{}\" quat=\"{}\">\n      <freejoint/>\n      <geom {}/>\n"
        "    </body>\n",
        kKinds[static_cast<std::size_t>(i) % kKinds.size()], i, numbers({x, y, z}),
        numbers({q.w(), q.x(), q.y(), q.z()}), made.text);
  }
  return fmt::format(fmt::runtime(kHead), seed) + "  <asset>\n" + assets +
         "  </asset>\n  <worldbody>\n"
         "    <geom name=\"floor\" type=\"plane\" size=\"2 2 0.1\"/>\n"
         "    <geom name=\"top\" type=\"box\" pos=\"0 0 0.73\" size=\"0.6 0.45 0.02\" "
         "margin=\"0\"/>\n" +
         inside + "  </worldbody>\n</mujoco>\n";
}

repose::Result<Table> make_table(std::uint64_t seed, int bodies) {
  using namespace repose::handover;
  const auto& catalogue = repose::method_catalogue();
  auto start = from_text(table_text(seed, bodies), fmt::format("table-{}.xml", seed), catalogue);
  if (!start) return start.error();
  auto rest = settle(*start, catalogue);
  if (!rest) return rest.error();
  if (!rest->text) return rest->text.error();
  const auto world = build_world(*start);
  if (!world) return world.error();
  auto lowered = rest->poses;
  for (BodyPose& pose : lowered) {
    const int body = world->problem.find_body(pose.body);
    pose.world_from_body.position.z() -=
        kOverlap * world->problem.bodies[static_cast<std::size_t>(body)].size();
  }
  auto overlapping = with_poses(*start, lowered);
  if (!overlapping) return overlapping.error();
  return Table{seed, std::move(*start), std::move(*rest), std::move(*overlapping)};
}

}  // namespace bench_handover
