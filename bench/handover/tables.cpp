#include "tables.h"

#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/run/catalogue.h"
#include "repose/shape/make.h"

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

/// A body and how far its points lie from its middle.
struct Thing {
  std::string kind;           // of kKinds
  std::vector<double> sizes;  // radius; half lengths; radius, half length; half axes
  std::vector<Vec3> points;   // of a stone
  double reach = 0.0;         // m
};

std::string numbers(const std::vector<double>& values) {
  std::string out;
  for (const double v : values) out += fmt::format("{}{}", out.empty() ? "" : " ", v);
  return out;
}
std::string coordinates(const Vec3& v) {
  return numbers({v.x(), v.y(), v.z()});
}

/// A block that is narrower above.
Thing stone(Random& random) {
  constexpr double kNarrow = 0.7;
  const Vec3 half(random.between(0.02, 0.04), random.between(0.02, 0.04),
                  random.between(0.02, 0.04));
  Thing out{"stone", {}, {}, half.norm()};
  for (const double z : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double x : {-1.0, 1.0}) {
        const double width = z < 0.0 ? 1.0 : kNarrow;
        out.points.emplace_back(width * x * half.x(), width * y * half.y(), z * half.z());
      }
  return out;
}

Thing thing(Random& random, int number) {
  const auto u = [&](double low, double high) { return random.between(low, high); };
  const std::string kind = kKinds[static_cast<std::size_t>(number) % kKinds.size()];
  if (kind == "ball") {
    const double radius = u(0.02, 0.035);
    return {kind, {radius}, {}, radius};
  }
  if (kind == "box") {
    const Vec3 half(u(0.015, 0.04), u(0.015, 0.04), u(0.015, 0.04));
    return {kind, {half.x(), half.y(), half.z()}, {}, half.norm()};
  }
  if (kind == "can") {
    const double radius = u(0.02, 0.035), half = u(0.02, 0.05);
    return {kind, {radius, half}, {}, std::hypot(radius, half)};
  }
  if (kind == "capsule") {
    const double radius = u(0.015, 0.03), half = u(0.02, 0.04);
    return {kind, {radius, half}, {}, radius + half};
  }
  if (kind == "egg") {
    const Vec3 radii(u(0.032, 0.04), u(0.024, 0.028), u(0.016, 0.02));
    return {kind, {radii.x(), radii.y(), radii.z()}, {}, radii.x()};
  }
  return stone(random);
}

/// Where a thing hangs above the table.
repose::Pose place(const Thing& thing, int number, Random& random) {
  constexpr int kColumns = 5;
  constexpr double kJitter = 0.03;
  // cans stand, all else is as it falls
  const repose::Quat q =
      thing.kind == "can" ? repose::Quat::Identity() : repose::random_rotation(random);
  const double x = -0.4 + 0.2 * (number % kColumns) + random.between(-kJitter, kJitter);
  const double y = -0.28 + 0.18 * (number / kColumns) + random.between(-kJitter, kJitter);
  return {Vec3(x, y, kTop + thing.reach + random.between(0.005, 0.05)), q};
}

// MJCF

std::string mjcf_geom(const Thing& thing, int number) {
  static const std::map<std::string, std::string> kTypes{{"ball", "sphere"},
                                                         {"box", "box"},
                                                         {"can", "cylinder"},
                                                         {"capsule", "capsule"},
                                                         {"egg", "ellipsoid"}};
  if (thing.kind == "stone")
    return fmt::format("type=\"mesh\" mesh=\"stone-{}\" margin=\"0\"", number);
  return fmt::format("type=\"{}\" size=\"{}\"", kTypes.at(thing.kind), numbers(thing.sizes));
}
std::string mjcf_asset(const Thing& thing, int number) {
  if (thing.kind != "stone") return "";
  std::string points;
  for (const Vec3& p : thing.points) points += (points.empty() ? "" : " ") + coordinates(p);
  return fmt::format("    <mesh name=\"stone-{}\" vertex=\"{}\"/>\n", number, points);
}

std::string mjcf_text(std::uint64_t seed, int bodies) {
  Random random(seed);
  std::string assets, inside;
  for (int i = 0; i < bodies; ++i) {
    const Thing made = thing(random, i);
    const repose::Pose at = place(made, i, random);
    const repose::Quat& q = at.rotation;
    assets += mjcf_asset(made, i);
    inside += fmt::format(
        "    <body name=\"{}-{}\" pos=\"{}\" quat=\"{}\">\n      <freejoint/>\n      <geom {}/>\n"
        "    </body>\n",
        made.kind, i, coordinates(at.position), numbers({q.w(), q.x(), q.y(), q.z()}),
        mjcf_geom(made, i));
  }
  return fmt::format(fmt::runtime(kHead), seed) + "  <asset>\n" + assets +
         "  </asset>\n  <worldbody>\n"
         "    <geom name=\"floor\" type=\"plane\" size=\"2 2 0.1\"/>\n"
         "    <geom name=\"top\" type=\"box\" pos=\"0 0 0.73\" size=\"0.6 0.45 0.02\" "
         "margin=\"0\"/>\n" +
         inside + "  </worldbody>\n</mujoco>\n";
}

// URDF

/// The hull of an ellipsoid's points on rings and meridians.
std::vector<Vec3> facets(const Thing& egg) {
  constexpr int kRings = 6, kMeridians = 10;
  const Vec3 radii(egg.sizes[0], egg.sizes[1], egg.sizes[2]);
  std::vector<Vec3> out{{0.0, 0.0, radii.z()}, {0.0, 0.0, -radii.z()}};
  for (int r = 1; r < kRings; ++r)
    for (int m = 0; m < kMeridians; ++m) {
      const double a = std::numbers::pi * r / kRings, b = 2.0 * std::numbers::pi * m / kMeridians;
      out.push_back(radii.cwiseProduct(
          Vec3(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a))));
    }
  return out;
}
/// A convex body as OBJ.
void write_hull(const std::filesystem::path& file, const std::vector<Vec3>& points) {
  repose::shape::ConvexInput input;
  input.points = points;
  const auto made = repose::shape::make_convex(input);
  if (!made) return;
  const auto& hull = std::get<repose::shape::ConvexPolyhedron>((*made)->geometry);
  std::ofstream out(file);
  for (const Vec3& p : hull.points) out << "v " << coordinates(p) << "\n";
  for (const auto& face : hull.faces) {
    out << "f";
    for (const int corner : face) out << ' ' << corner + 1;
    out << "\n";
  }
}
std::string urdf_shape(const Thing& thing, int number, const std::filesystem::path& folder,
                       std::uint64_t seed) {
  const auto& s = thing.sizes;
  if (thing.kind == "ball") return fmt::format("<sphere radius=\"{}\"/>", s[0]);
  if (thing.kind == "box")
    return fmt::format("<box size=\"{}\"/>", numbers({2.0 * s[0], 2.0 * s[1], 2.0 * s[2]}));
  if (thing.kind == "can" || thing.kind == "capsule")
    return fmt::format("<{} radius=\"{}\" length=\"{}\"/>",
                       thing.kind == "can" ? "cylinder" : "capsule", s[0], 2.0 * s[1]);
  const std::string name = fmt::format("{}-{}-{}.obj", thing.kind, seed, number);
  write_hull(folder / name, thing.kind == "egg" ? facets(thing) : thing.points);
  return fmt::format("<mesh filename=\"{}\"/>", name);
}

std::string urdf_text(std::uint64_t seed, int bodies, const std::filesystem::path& folder) {
  constexpr const char* kLink =
      R"(  <link name="{0}">
    <contact><lateral_friction value="0.8"/></contact>
    <inertial><mass value="{1}"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry>{2}</geometry></collision>
  </link>
  <joint name="{0}-place" type="{3}"><parent link="world"/><child link="{0}"/><origin xyz="{4}" rpy="{5}"/></joint>
)";
  constexpr double kMass = 0.1;  // kg
  Random random(seed);
  std::string out = fmt::format("<robot name=\"table {}\">\n  <link name=\"world\"/>\n", seed);
  out +=
      fmt::format(kLink, "top", 10.0, "<box size=\"1.2 0.9 0.04\"/>", "fixed", "0 0 0.73", "0 0 0");
  for (int i = 0; i < bodies; ++i) {
    const Thing made = thing(random, i);
    const repose::Pose at = place(made, i, random);
    const Vec3 ypr = at.rotation.toRotationMatrix().eulerAngles(2, 1, 0);
    out += fmt::format(kLink, fmt::format("{}-{}", made.kind, i), kMass,
                       urdf_shape(made, i, folder, seed), "floating", coordinates(at.position),
                       numbers({ypr.z(), ypr.y(), ypr.x()}));
  }
  return out + "</robot>\n";
}

}  // namespace

std::string table_text(Form form, std::uint64_t seed, int bodies,
                       const std::filesystem::path& folder) {
  return form == Form::mjcf ? mjcf_text(seed, bodies) : urdf_text(seed, bodies, folder);
}

repose::Result<Table> make_table(Form form, std::uint64_t seed, int bodies,
                                 const std::filesystem::path& folder) {
  using namespace repose::handover;
  const auto& catalogue = repose::method_catalogue();
  const auto file = folder / fmt::format("table-{}.{}", seed, form == Form::mjcf ? "xml" : "urdf");
  auto start = from_text(table_text(form, seed, bodies, folder), file.string(), catalogue);
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
