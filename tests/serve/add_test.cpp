// Bodies that come in by hand, and what goes out in other forms.
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/base/json.h"
#include "repose/check/gap.h"
#include "repose/run/judge_input.h"

#include "places.h"
#include "serve/base64.h"
#include "serve/desk.h"
#include "serve/requests.h"

namespace repose::serve {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  return tests::own_path("add");
}

Desk desk_of(const std::string& scene) {
  Desk out(folder());
  const auto done = out.open(scene);
  EXPECT_TRUE(done) << done.error().text();
  return out;
}

std::string told(Desk& desk, const std::string& message) {
  return answer_to(desk, 1, message);
}

TEST(add, every_body_of_the_palette_is_taken_by_its_method_and_stands_free) {
  for (const char* scene : {"place/torus-on-cone", "mechanism/arch", "molecule/hammock"}) {
    Desk desk = desk_of(scene);
    const Json palette = desk.palette();
    ASSERT_NE(palette.array(), nullptr);
    EXPECT_FALSE(palette.array()->empty()) << scene;
    const std::size_t before = desk.session().problem().bodies.size();
    for (const Json& offer : *palette.array()) {
      const auto document = JsonDocument::parse(offer.line(), "offer");
      ASSERT_TRUE(document);
      const auto shape = (*document)->root().find("body")->find("shape");
      // large models take seconds each
      if (const auto model = shape->find("model"); model && model->text() > "bu") continue;
      const auto name = desk.add(*(*document)->root().find("body"));
      ASSERT_TRUE(name) << scene << " " << offer.line() << " " << name.error().text();
      EXPECT_EQ(desk.session().problem().bodies.size(), before + 1);
      const check::Input in = judge_input(desk.session().problem(), desk.session().state());
      for (std::size_t i = 0; i < before; ++i)
        EXPECT_GT(check::gap(in.bodies[i], in.bodies.back(), {.enough = 0.0}).lower, 0.0)
            << scene << " " << *name;
      desk.undo();
    }
  }
}

TEST(add, a_body_takes_a_free_name_and_is_undone_like_any_edit) {
  Desk desk = desk_of("place/torus-on-cone");
  const std::string ask =
      R"({"id": 1, "do": "add", "body": {"name": "torus", "shape": {"kind": "ball", "radius": 0.1}}})";
  EXPECT_NE(told(desk, ask).find("\"torus-2\""), std::string::npos);
  EXPECT_NE(told(desk, ask).find("\"torus-3\""), std::string::npos);
  EXPECT_GE(desk.session().problem().find_body("torus-3"), 0);
  desk.undo();
  EXPECT_LT(desk.session().problem().find_body("torus-3"), 0);
  EXPECT_GE(desk.session().problem().find_body("torus-2"), 0);
}

TEST(add, what_is_wrong_with_a_body_is_told_and_changes_nothing) {
  Desk desk = desk_of("mechanism/arch");
  const std::size_t before = desk.session().problem().bodies.size();
  const char* bad[] = {
      R"({"id": 1, "do": "add"})",
      R"({"id": 1, "do": "add", "body": {"shape": {"kind": "ball", "radius": 1}}})",
      R"({"id": 1, "do": "add", "body": {"name": "a", "shape": {"kind": "ball", "radius": -1}}})",
      R"({"id": 1, "do": "add", "body": {"name": "a", "shape": {"kind": "ball", "radius": 1}}})",
      R"({"id": 1, "do": "add", "body": {"name": "a", "shape": "none"}})",
      R"({"id": 1, "do": "add_mesh", "file": "../a.obj", "bytes": ""})",
      R"({"id": 1, "do": "add_mesh", "file": "a.obj", "bytes": "?"})",
      R"({"id": 1, "do": "add_mesh", "file": "a.exe", "bytes": "AAAA"})",
  };
  for (const char* message : bad) {
    EXPECT_NE(told(desk, message).find("\"error\""), std::string::npos) << message;
    EXPECT_EQ(desk.session().problem().bodies.size(), before);
  }
}

TEST(add, a_mesh_file_becomes_a_body) {
  // a tetrahedron
  const std::string obj =
      "v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  Desk desk = desk_of("place/torus-on-cone");
  const auto name = desk.add_mesh("wedge.obj", obj);
  ASSERT_TRUE(name) << name.error().text();
  EXPECT_EQ(name->name, "wedge");
  EXPECT_EQ(name->unit, "");
  EXPECT_EQ(desk.judge().overlap, check::Answer::proven);
}

TEST(add, a_mesh_in_millimetres_is_no_giant) {
  // a tetrahedron of 200 mm, 20 cm and 0.2 m among bodies of about a metre
  for (const auto& [side, unit] : {std::pair{"200", "mm"}, {"20", "cm"}, {"0.2", ""}}) {
    const std::string obj = fmt::format(
        "v 0 0 0\nv {0} 0 0\nv 0 {0} 0\nv 0 0 {0}\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n", side);
    Desk desk = desk_of("place/torus-on-cone");
    const auto brought = desk.add_mesh("wedge.OBJ", obj);
    ASSERT_TRUE(brought) << brought.error().text();
    EXPECT_EQ(brought->unit, unit) << side;
    const double size = desk.session().problem().bodies.back().size();
    EXPECT_GT(size, 0.2) << side;
    EXPECT_LT(size, 0.5) << side;
  }
}

TEST(add, the_scene_as_it_stands_opens_to_the_same_places) {
  for (const char* scene : {"place/torus-on-cone", "pile/box-27", "mechanism/four-bar"}) {
    Desk desk = desk_of(scene);
    for (int i = 0; i < 3; ++i) desk.step();
    if (desk.touch() == Touch::hold)
      told(
          desk,
          R"({"id": 1, "do": "add", "body": {"name": "new", "shape": {"kind": "ball", "radius": 0.1}}})");
    const auto text = desk.present_text();
    ASSERT_TRUE(text) << text.error().text();
    const State before = desk.session().state();
    const auto done = desk.open_text(*text);
    ASSERT_TRUE(done) << done.error().text();
    const State& after = desk.session().state();
    ASSERT_EQ(after.bodies.size(), before.bodies.size());
    for (std::size_t i = 0; i < before.bodies.size(); ++i) {
      const Pose &a = before.bodies[i].world_from_body, &b = after.bodies[i].world_from_body;
      EXPECT_LT((a.position - b.position).norm(), 1e-9) << scene;
      EXPECT_LT(a.rotation.angularDistance(b.rotation), 1e-9) << scene;
    }
  }
  Desk soft = desk_of("molecule/cantilever");
  EXPECT_TRUE(soft.present_text());
  soft.step();
  EXPECT_FALSE(soft.present_text());
}

TEST(add, base64_is_read_to_the_letter) {
  EXPECT_EQ(from_base64(""), "");
  EXPECT_EQ(from_base64("TQ=="), "M");
  EXPECT_EQ(from_base64("TWE="), "Ma");
  EXPECT_EQ(from_base64("TWFu"), "Man");
  EXPECT_EQ(from_base64("/+8A"), std::string("\xff\xef\x00", 3));
  for (const char* bad : {"T", "TQ", "TQ=", "TQ==TQ==", "T===", "=QQQ", "TW u", "TQ=a"})
    EXPECT_FALSE(from_base64(bad)) << bad;
}

TEST(add, what_was_done_goes_out_as_page_gltf_and_csv) {
  fs::remove_all(folder());
  Desk desk = desk_of("mechanism/four-bar");
  for (int i = 0; i < 3; ++i) desk.step();
  for (const auto& [form, file] : {std::pair("page", "report.html"), std::pair("gltf", "scene.glb"),
                                   std::pair("csv", "series.csv")}) {
    const auto path = desk.export_as("mine", form);
    ASSERT_TRUE(path) << path.error().text();
    EXPECT_EQ(fs::path(*path).filename(), file);
    EXPECT_GT(fs::file_size(*path), 100u);
  }
  EXPECT_FALSE(desk.export_as("mine", "exe"));
  EXPECT_FALSE(desk.export_as("../mine", "csv"));
}

}  // namespace
}  // namespace repose::serve
