// CAD files: solids with exact faces, recognised primitives, clearances in closed form, hostile
// files. The files are made by OpenCASCADE (tests/cad/make_parts.cpp) when the tests are built.
#include <filesystem>
#include <fstream>
#include <numbers>

#include "repose/check/gap.h"
#include "repose/handover/settle.h"

#include "cad_files.h"
#include "places.h"

namespace repose::handover {
namespace {

namespace fs = std::filesystem;
constexpr double kPi = std::numbers::pi;

TEST_F(Cad, primitives_become_the_shapes_of_their_name) {
  for (const char* name : {"primitives.step", "primitives-inch.stp"}) {
    const Handed handed = read(name);
    const World world = world_of(handed);
    const std::vector<std::pair<std::string, shape::ShapeKind>> wanted{
        {"ball", shape::ShapeKind::ball},         {"box", shape::ShapeKind::box},
        {"cylinder", shape::ShapeKind::cylinder}, {"cone", shape::ShapeKind::cone},
        {"frustum", shape::ShapeKind::cone},      {"torus", shape::ShapeKind::torus},
        {"wedge", shape::ShapeKind::convex}};
    ASSERT_EQ(world.problem.bodies.size(), wanted.size()) << name;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_EQ(world.problem.bodies[i].name, wanted[i].first);
      EXPECT_EQ(world.problem.bodies[i].shape->kind, wanted[i].second) << wanted[i].first;
    }
    EXPECT_NEAR(world.problem.bodies[0].shape->volume.volume, 4.0 / 3.0 * kPi * 0.343e-6, 1e-14);
    EXPECT_NEAR(world.problem.bodies[1].shape->volume.volume, 6e-6, 1e-14);
    expect_pose(world.state.bodies[5].world_from_body, {0.12, 0.0, 0.003}, Vec3::UnitZ(),
                Vec3::UnitX());
  }
}

TEST_F(Cad, volumes_and_areas_are_those_of_opencascade) {
  for (const char* name :
       {"bracket.step", "slot.step", "socket.step", "bolt.igs", "vase.step", "primitives.step"})
    expect_measures_of_opencascade(file(name), world_of(read(name)));
}

TEST_F(Cad, an_outline_of_splines_bounds_its_volume) {
  // OpenCASCADE's two answers for the area of an extruded spline differ by 3e-3
  const CadAnswer answer = run_cad({"read", file("cookie.step")});
  const World world = world_of(read("cookie.step"));
  ASSERT_EQ(world.problem.bodies.size(), 1U);
  EXPECT_NEAR(world.problem.bodies[0].shape->volume.volume / told(answer.text, "volume")[0], 1.0,
              1e-9);
}

check::GapBracket gap_of(const World& world, std::size_t a, std::size_t b) {
  const auto placed = [&](std::size_t i) {
    check::PlacedBody out;
    out.name = world.problem.bodies[i].name;
    out.shape = world.problem.bodies[i].shape;
    out.world_from_body = world.state.bodies[i].world_from_body;
    return out;
  };
  return check::gap(placed(a), placed(b));
}

TEST_F(Cad, clearances_are_those_of_the_closed_form) {
  constexpr double kAlike = 1e-9;  // of the smaller body's size
  // a ball of 10 mm, 1.5 mm off the centre of a socket of 12 mm; a pin of 10 mm in a slot of 12 mm
  const World socket = world_of(read("socket.step"));
  const auto ball = gap_of(socket, 0, 1);
  EXPECT_NEAR(ball.lower, 0.5e-3, kAlike * 0.02);
  EXPECT_NEAR(ball.upper, 0.5e-3, kAlike * 0.02);
  const World slot = world_of(read("slot.step"));
  const auto pin = gap_of(slot, 0, 1);
  EXPECT_NEAR(pin.lower, 1e-3, kAlike * 0.03);
  EXPECT_NEAR(pin.upper, 1e-3, kAlike * 0.03);
}

TEST_F(Cad, a_ball_settles_into_its_socket_and_the_file_says_so) {
  const Handed handed = read("socket.step");
  EXPECT_TRUE(handed.scene.bodies[0].fixed);
  const auto out = settle(handed, method_catalogue());
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_TRUE(out->proven()) << out->verdict.why << " " << out->why;
  ASSERT_TRUE(out->text) << out->text.error().text();
  EXPECT_EQ(out->text->substr(0, 12), "ISO-10303-21");
  ASSERT_EQ(out->poses.size(), 1U);
  EXPECT_NEAR(out->poses[0].world_from_body.position.z(), -0.002, 1e-8);
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Cad, names_of_parts_in_other_scripts_come_and_go) {
  constexpr const char* kName = "\u00fc\u4e2d";
  const std::string path = tests::own_path("named.step").string(), before = "'ball'";
  // as the standard writes them, and as many programs do
  for (const char* written : {"\\X2\\00FC4E2D\\X0\\", kName}) {
    std::string text = bytes_of(file("socket.step"));
    for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at))
      text.replace(at, before.size(), std::string("'") + written + "'");
    std::ofstream(path) << text;
    const auto handed = open_any(path, method_catalogue());
    ASSERT_TRUE(handed) << handed.error().text();
    EXPECT_EQ(handed->scene.bodies[1].name, kName);
    const auto moved = with_poses(*handed, {{kName, Pose{}}});
    ASSERT_TRUE(moved) << moved.error().text();
    const auto again = from_text(*moved, path, method_catalogue());
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->scene.bodies[1].name, kName);
  }
  fs::remove(path);
}

void expect_refused(const Result<Handed>& answer, const std::string& word) {
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().text().find(word), std::string::npos) << answer.error().text();
}

TEST_F(Cad, what_cannot_be_read_is_refused_with_the_file) {
  expect_refused(open_any(file("open.step"), method_catalogue()), "no solid");
  expect_refused(open_any(file("hollow.step"), method_catalogue()), "hollow");
  expect_refused(from_text("", file("x.step"), method_catalogue()), "x.step");
  expect_refused(from_text("ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n#1=#1;\n", file("x.stp"),
                           method_catalogue()),
                 "x.stp");
  expect_refused(from_text(std::string(1000, '\0'), file("x.igs"), method_catalogue()), "x.igs");
  expect_refused(from_text("DBRep_DrawableShape\n1e9", file("x.brep"), method_catalogue()),
                 "x.brep");
}

TEST_F(Cad, a_file_cut_anywhere_neither_crashes_nor_hangs) {
  const std::string text = bytes_of(file("bracket.step"));
  constexpr std::size_t kParts = 8;
  for (std::size_t k = 1; k < kParts; ++k) {
    const auto answer =
        from_text(text.substr(0, k * text.size() / kParts), file("cut.step"), method_catalogue());
    if (answer) continue;
    EXPECT_NE(answer.error().text().find("cut.step"), std::string::npos);
  }
}

}  // namespace
}  // namespace repose::handover
