// A run and a check of its recording say the same and end with the same code, whatever the status.
#include "tool.h"

namespace repose {
namespace {

struct Asked {
  const char* scene;
  const char* options;  // of the run
  const char* status;   // that the run ends with
};
void PrintTo(const Asked& asked, std::ostream* out) {
  *out << asked.scene << ' ' << asked.options;
}

class AgreeTest : public ToolTest, public ::testing::WithParamInterface<Asked> {
 protected:
  /// Runs, checks, and answers what check says.
  json agreed(const std::string& what) {
    const int ran = run("run " + what + " --out " + out_.string() + " --quiet");
    const json told_by_run = result();
    const int checked = run("check " + out_.string() + " --json");
    json said = json::parse(told("stdout.txt"));
    EXPECT_EQ(ran, checked) << said["why"];
    EXPECT_EQ(told_by_run["exit_code"], ran);
    EXPECT_EQ(said["overlap"], told_by_run["verdict"]["overlap"]);
    EXPECT_EQ(said["balance"]["answer"], told_by_run["verdict"]["balance"]);
    EXPECT_EQ(said["rest"], said["balance"]["answer"]) << "its old name";
    if (checked == 0) {
      EXPECT_NE(said["verdict"], "missed");
    }
    if (checked != 0) {
      EXPECT_NE(said["verdict"], "proven");
    }
    return said;
  }
};

TEST_P(AgreeTest, run_and_check_say_the_same) {
  agreed(std::string(GetParam().scene) + " " + GetParam().options);
  EXPECT_EQ(result()["status"], GetParam().status);
}

constexpr Asked kAsked[] = {
    {"mechanism/arch", "", "rest"},
    {"mechanism/block-feeder", "", "finished"},
    {"mechanism/card-house", "", "rest"},
    {"mechanism/catenary", "", "rest"},
    {"mechanism/double-action-jack", "", "finished"},
    {"mechanism/drawer", "", "jammed"},
    {"mechanism/escapement", "", "finished"},
    {"mechanism/feeder-jam-blocks", "", "jammed"},
    {"mechanism/feeder-jam-design", "", "jammed"},
    {"mechanism/four-bar", "", "finished"},
    {"mechanism/gear-train", "", "finished"},
    {"mechanism/geneva-drive", "", "finished"},
    {"mechanism/ladder", "", "rest"},
    {"mechanism/moving-boxes", "", "finished"},
    {"mechanism/newtons-cradle", "", "finished"},
    {"mechanism/slider-crank", "", "finished"},
    {"mechanism/wall-20", "", "rest"},
    {"molecule/appendix-d", "", "finished"},
    {"molecule/box-on-ground-spheres", "", "rest"},
    {"molecule/cantilever", "--steps 20", "finished"},
    {"surfel/clay", "", "rest"},
    {"surfel/jelly", "--steps 20", "finished"},
    {"pile/box-27", "", "rest"},
    {"pile/box-125", "", "rest"},
    {"pile/box-216", "--steps 3", "finished"},
    {"pile/spring-net", "", "rest"},
    {"pile/fruit-bowl", "", "rest"},
    {"pile/fruit-bowl", "--steps 2", "finished"},
    {"place/44th-ball-in-bowl", "", "rest"},
    {"place/block-into-goblet", "", "rest"},
    {"place/cone-on-ground", "", "rest"},
    {"place/jack-on-ground", "", "rest"},
    {"place/straw-in-glass", "", "rest"},
    {"place/straw-in-glass", "--steps 4", "finished"},
    {"place/stuck-together", "", "rest"},
    {"place/torus-on-cone", "", "rest"},
    {"place/torus-on-ground", "", "rest"},
    {"still/curiosities", "", "finished"},
    {"still/shapes", "", "finished"},
    {"still/thousand-balls", "", "finished"},
    {"still/torus-on-cone", "", "finished"},
    {"still/wall", "", "finished"},
};
INSTANTIATE_TEST_SUITE_P(Gallery, AgreeTest, ::testing::ValuesIn(kAsked));

class AgreeToolTest : public AgreeTest {};

TEST_F(AgreeToolTest, a_rest_that_a_small_push_ends_is_metastable_in_result_terminal_and_page) {
  const std::string scene = scene_of(R"({
    "repose": 1, "about": "An egg on its tip.", "method": { "kind": "pile" },
    "bodies": [ { "name": "floor", "shape": { "kind": "half_space" }, "fixed": true },
                { "name": "egg", "shape": { "kind": "ellipsoid", "radii": [0.3, 0.3, 0.5] },
                  "position": [0, 0, 0.7] } ]
  })");
  ASSERT_EQ(run("run " + scene + " --out " + out_.string() + " --pages"), 0);
  EXPECT_NE(told("stdout.txt").find("metastable after"), std::string::npos) << told("stdout.txt");
  EXPECT_EQ(result()["status"], "metastable");
  EXPECT_NE(result()["why"].get<std::string>().find("small push"), std::string::npos);
  EXPECT_NE(text(out_ / "report.html").find("At rest, but a small push lets it move for good"),
            std::string::npos);
  EXPECT_EQ(run("check " + out_.string() + " --json"), 0);
  EXPECT_EQ(json::parse(told("stdout.txt"))["stability"]["class"], "metastable");
}

TEST_F(AgreeToolTest, skins_of_which_nothing_is_promised_are_told_of_and_do_not_count) {
  // a rod falls between the molecules of a net
  const std::string scene = scene_of(R"({
    "repose": 1, "method": { "kind": "molecule", "detection": "spheres" },
    "materials": { "rubber": { "density": 1000, "young_modulus": 1e6 } },
    "bodies": [ { "name": "net", "material": "rubber", "soft": { "fixed": "border" },
                  "shape": { "kind": "lattice", "counts": [5, 5, 1], "pitch": 0.05, "radius": 0.006 } },
                { "name": "rod", "material": "rubber", "position": [0.025, 0.025, 0.05], "velocity": [0, 0, -1],
                  "shape": { "kind": "lattice", "counts": [2, 2, 8], "pitch": 0.008, "radius": 0.003 } } ],
    "limits": { "duration": 0.05 }
  })");
  ASSERT_EQ(run("run " + scene + " --out " + out_.string() + " --no-pages"), 0);
  EXPECT_EQ(result()["verdict"]["skins"]["answer"], "missed");
  for (const char* prove : {"", " --prove"}) {
    EXPECT_EQ(run("check " + out_.string() + prove), 0) << told("stdout.txt");
    EXPECT_NE(told("stdout.txt").find("nothing is promised of skins"), std::string::npos)
        << told("stdout.txt");
  }
}

TEST_F(AgreeToolTest, a_body_that_is_sampled_anew_is_one_body_on_terminal_and_page) {
  const std::string scene = scene_of(R"({
    "repose": 1, "method": { "kind": "surfel" },
    "materials": { "rubber": { "density": 1000, "young_modulus": 100000 } },
    "bodies": [ { "name": "floor", "shape": { "kind": "half_space" }, "fixed": true },
                { "name": "apple", "material": "rubber", "position": [0, 0, 0.12],
                  "shape": { "kind": "sample", "shape": { "model": "apple" }, "spacing": 0.01 } } ],
    "limits": { "duration": 0.2 }
  })");
  ASSERT_EQ(run("run " + scene + " --out " + out_.string() + " --pages"), 0);
  EXPECT_EQ(result()["bodies"], 2);
  EXPECT_NE(told("stdout.txt").find("2 bodies,"), std::string::npos) << told("stdout.txt");
  EXPECT_NE(text(out_ / "report.html").find("2 bodies · surfel"), std::string::npos);
}

TEST_F(AgreeToolTest, a_plot_that_begins_with_the_word_force_is_not_taken_for_a_body_s) {
  ASSERT_EQ(run("run mechanism/block-feeder --steps 5 --out " + out_.string() + " --pages"), 0);
  const std::string page = text(out_ / "report.html");
  EXPECT_EQ(page.find("\"plot\": \"collision force\""), std::string::npos);
  EXPECT_NE(page.find("\"plot\": \"error of the forces\""), std::string::npos);
}

TEST_F(AgreeToolTest, what_a_run_missed_on_its_way_a_check_of_its_end_tells) {
  // bodies that overlap and never part: the method gives up, the judge sees it
  const std::string scene = scene_of(R"({
    "repose": 1, "method": { "kind": "still" }, "gravity": [0, 0, 0],
    "bodies": [ { "name": "one", "shape": { "kind": "ball", "radius": 1 } },
                { "name": "two", "shape": { "kind": "ball", "radius": 1 }, "position": [1, 0, 0] } ]
  })");
  EXPECT_EQ(agreed(scene)["verdict"], "missed");
}

TEST_F(AgreeToolTest, a_run_that_was_cut_short_claims_nothing_and_is_told_so) {
  ASSERT_EQ(run("run mechanism/wall-20 --out " + out_.string() + " --quiet"), 0);
  // the recording as a kill leaves it: frames and no result
  const std::string sql = "sqlite3 " + (out_ / "recording.repose").string() +
                          " \"DELETE FROM meta WHERE key = 'result'\" 2> /dev/null";
  if (std::system(sql.c_str()) != 0) GTEST_SKIP() << "no sqlite3 to cut the recording with";
  EXPECT_EQ(run("check " + out_.string() + " --json"), 1);
  const json said = json::parse(told("stdout.txt"));
  EXPECT_EQ(said["balance"]["answer"], "not judged");
  EXPECT_EQ(said["overlap"], "proven");
  EXPECT_NE(said["why"].get<std::string>().find("cut short"), std::string::npos) << said["why"];
}

TEST_F(AgreeToolTest, a_joint_that_does_not_hold_carries_nothing) {
  struct Hung {
    const char* joint;
    double height;  // of the ball's centre; the world's point is 6 m high
    bool holds;
  };
  const Hung all[] = {
      {R"("kind": "pin", "point_a": [0, 0, 1])", 5.0, true},
      {R"("kind": "pin", "point_a": [0, 0, 1])", 4.9, false},
      {R"("kind": "weld", "point_a": [0, 0, 1])", 5.0, true},
      {R"("kind": "weld", "point_a": [0, 0, 1])", 5.001, false},
      {R"("kind": "rod", "length": 3)", 3.0, true},
      {R"("kind": "rod", "length": 3)", 5.0, false},
      {R"("kind": "rod", "length": 3)", 2.9, false},
      {R"("kind": "rope", "length": 3)", 3.0, true},
      {R"("kind": "rope", "length": 3)", 5.0, false},  // slack
      {R"("kind": "rope", "length": 3)", 2.0, false},  // torn
      {R"("kind": "rope", "length": 3)", 9.0, false},  // it does not push
      {R"("kind": "slider", "axis": [1, 0, 0])", 6.0, true},
      {R"("kind": "slider", "axis": [1, 0, 0])", 6.01, false},
      {R"("kind": "point_on_line", "axis": [1, 0, 0])", 6.0, true},
      {R"("kind": "point_on_line", "axis": [1, 0, 0])", 5.9, false},
  };
  for (const Hung& hung : all) {
    const std::string scene = scene_of(
        R"({ "repose": 1, "method": { "kind": "still" },
             "bodies": [ { "name": "ball", "shape": { "kind": "ball", "radius": 0.5 },
                           "position": [0, 0, )" +
        std::to_string(hung.height) + R"(] } ], "joints": [ { "name": "j", "body_a": "ball",
                           "point_b": [0, 0, 6], )" +
        hung.joint + " } ] }");
    EXPECT_EQ(run("check " + scene + " --json"), hung.holds ? 0 : 1)
        << hung.joint << ' ' << hung.height << told("stdout.txt") << told("stderr.txt");
  }
}

TEST_F(AgreeToolTest, a_joint_that_an_event_puts_in_is_known_to_who_looks_at_the_recording) {
  // the bar swings about its pin into the other, which the joint allows
  const std::string scene = scene_of(R"({ "repose": 1, "method": { "kind": "mechanism" },
    "gravity": [0, -9.81, 0],
    "shapes": { "bar": { "kind": "plane_region", "polygons": [
      { "outer": [[-0.5, -0.1], [0.5, -0.1], [0.5, 0.1], [-0.5, 0.1]] }] } },
    "bodies": [ { "name": "a", "shape": "bar", "fixed": true },
                { "name": "b", "shape": "bar", "position": [1.02, 0.01, 0] } ],
    "events": [ { "at_step": 1, "edits": [ { "kind": "join", "target": "j", "joint": "pin",
      "body_a": "b", "body_b": "a", "point_a": [-0.5, 0, 0] } ] } ],
    "limits": { "duration": 0.6 } })");
  ASSERT_EQ(run("run " + scene + " --no-pages --out " + out_.string() + " --quiet"), 0);
  EXPECT_EQ(run("check " + out_.string() + " --json"), 0) << told("stdout.txt");
  EXPECT_EQ(run("check " + out_.string() + " --prove --json"), 0) << told("stdout.txt");
}

TEST_F(AgreeToolTest, every_step_of_rigid_bodies_is_proven_as_it_is_made) {
  ASSERT_EQ(run("run place/torus-on-cone --prove --out " + out_.string() + " --quiet"), 0);
  const json ways = result()["verdict"]["ways"];
  EXPECT_EQ(ways["overlap"], "proven");
  EXPECT_EQ(ways["judged"], result()["steps"]);
  EXPECT_EQ(ways["left_out"], 0);
}

}  // namespace
}  // namespace repose
